//! Which tool is settled on, and from where on none is.

use proptest::prelude::*;
use serde_json::json;
use switchboard_protocol::ToolDefinition;

use super::super::extract::tests::tool;
use super::*;
use switchboard_search::Likeness;

fn weather() -> ToolDefinition {
    let city = json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]});
    tool("get_weather", "Gets the weather of a city.", city)
}

fn candidate(definition: ToolDefinition, confidence: f64) -> CandidateTool {
    let likeness = Likeness { whole: 0.5, best: 0.5 };
    CandidateTool { definition: definition.into(), confidence, likeness, reasons: Vec::new(), of_part: false }
}

#[test]
fn a_tool_that_fits_is_settled_on_even_if_something_must_be_asked() {
    let (weather, request) = (weather(), Request::new("What is the weather like?"));
    let picked = pick(&request, &[&candidate(weather, 0.8)]);
    let [picked] = picked.as_slice() else { panic!("one tool") };
    assert_eq!((picked.filled.calls.len(), picked.filled.missing.as_slice()), (0, ["city".to_owned()].as_slice()));
    assert!(picked.score >= bar(0.0, 1), "{}", picked.score);
}

#[test]
fn a_request_that_needs_no_tool_asks_more_of_one_among_many() {
    assert!(bar(1.0, 0) == THRESHOLD && bar(-1.0, 0) == THRESHOLD && bar(1.0, 10) < THRESHOLD);
    assert!(bar(-1.0, 10) > bar(-1.0, 2) && bar(-2.0, 10) > bar(-1.0, 10) && bar(-1.0, 50) <= bar(-1.0, 10));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_request_can_be_held_against_tools(text in "\\PC{0,120}", about in "\\PC{0,80}", confidence in 0.0..1.0_f64) {
        let (one, other) = (candidate(weather(), confidence), candidate(tool("other", &about, json!({})), 0.3));
        for picked in pick(&Request::new(&text), &[&one, &other]) {
            prop_assert!(picked.score.is_finite() && picked.tool < 2);
        }
    }
}
