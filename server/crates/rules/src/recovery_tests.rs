//! Claims about turns in which something stands in the way.

use std::sync::Arc;

use serde_json::{Value, json};
use switchboard_protocol::{Decision, ErrorType, Risk, ServerMessage};

use crate::Rules;
use switchboard_agent::UserMessage;
use switchboard_agent::test_support::TestSession;
use switchboard_events::ArtifactValue;
use switchboard_tools::test_support::{Scripted, spec};
use switchboard_tools::{Approval, Tool, ToolFailure, ToolResult, ToolSpec};

fn weather(name: &str, description: &str) -> ToolSpec {
    let mut spec = spec(name, Risk::Read);
    spec.definition.description = description.to_owned();
    spec.definition.parameters = json!({
        "type": "object",
        "properties": {"city": {"type": "string", "description": "The city."}},
        "required": ["city"],
    });
    spec.definition.example = json!({"city": "Berlin"});
    spec
}

fn works(name: &str, description: &str) -> Arc<dyn Tool> {
    Scripted::tool(weather(name, description), |_, arguments| async move {
        ToolResult::success(ArtifactValue::Json(json!({"city": arguments["city"], "sky": "clear"})))
    })
}

fn fails(name: &str, description: &str) -> Arc<dyn Tool> {
    Scripted::tool(weather(name, description), |_, _| async {
        ToolFailure::new(ErrorType::System, "the station does not answer").suggesting("Try later.").into()
    })
}

const FORECAST: &str = "Get the weather forecast for a city.";

#[tokio::test]
async fn another_tool_above_half_takes_the_place_of_one_that_failed() {
    let tools = vec![
        fails("weather_forecast", "Get the weather forecast for a city."),
        works("city_weather", "Get the current weather forecast for a city from another station."),
    ];
    let session = TestSession::with(Arc::new(Rules), &[], tools, 10);

    let turned = session.say("Get the weather forecast for the city Berlin").await;

    assert_eq!(turned.tools, ["weather_forecast", "city_weather"]);
    assert_eq!(turned.updated, ["weather_forecast_error", "city_weather_result"]);
    assert_eq!((turned.complete, turned.operations), (true, 2));
    let error = session.variable("weather_forecast_error").await;
    assert_eq!(error, Some(json!("weather_forecast(city=\"Berlin\"): the station does not answer")));
}

#[tokio::test]
async fn a_folder_that_cannot_be_read_is_listed() {
    let session = TestSession::with_files(Arc::new(Rules), &[("src/main.rs", "fn main() {}\n")]);

    let turned = session.say("Read src").await;

    assert_eq!(turned.tools, ["file_read", "list_directory"]);
    assert_eq!(turned.text, "`src` has 1 file:\n\n- `main.rs`");
    assert!(turned.complete);
}

#[tokio::test]
async fn a_failure_without_alternative_ends_the_turn_with_what_to_do() {
    let session = TestSession::with(Arc::new(Rules), &[], vec![fails("weather_forecast", FORECAST)], 10);

    let turned = session.say("Get the weather forecast for Berlin").await;

    assert_eq!(turned.code.as_deref(), Some("tool-failed"));
    assert_eq!(turned.tools, ["weather_forecast"]);
    assert_eq!(turned.reasoning, "weather_forecast(city=\"Berlin\"): the station does not answer");
    assert_eq!(turned.suggestions, ["Try later.", "Send the message again"]);
    assert!(turned.text.contains("the station does not answer"), "{}", turned.text);
    assert!(session.variable("weather_forecast_error").await.is_some());
}

#[tokio::test]
async fn a_missing_file_is_an_error_that_helps_and_nothing_else_is_tried() {
    let session = TestSession::with_files(Arc::new(Rules), &[("config.json", "{}")]);

    let turned = session.say("Read confg.json").await;

    assert_eq!(turned.code.as_deref(), Some("tool-failed"));
    assert_eq!(turned.tools, ["file_read"]);
    assert!(turned.text.contains("config.json"), "{}", turned.text);
}

#[tokio::test]
async fn what_the_user_denies_is_not_done_another_way() {
    let mut spec = weather("weather_forecast", FORECAST);
    spec.always_confirm = true;
    spec.definition.risk = Risk::Network;
    let asking = Scripted::tool(spec, |_, _| async { ToolResult::success(ArtifactValue::Text("sun".to_owned())) });
    let session = TestSession::with(Arc::new(Rules), &[], vec![asking, works("city_weather", FORECAST)], 10);
    session.approve_mode(switchboard_tools::ApproveMode::Ask);
    session.host.answers_with(Approval { decision: Decision::Deny, arguments: None, reason: None });

    let turned = session.say("use weather_forecast for the city Berlin").await;

    assert_eq!((turned.code.as_deref(), turned.tools), (Some("tool-failed"), vec!["weather_forecast".to_owned()]));
}

#[tokio::test]
async fn a_missing_required_parameter() {
    let session = TestSession::with(Arc::new(Rules), &[], vec![works("weather_forecast", FORECAST)], 10);

    let turned = session.say("Get the weather forecast").await;

    assert!(!turned.complete);
    assert_eq!((turned.tools, turned.code), (Vec::new(), None));
    assert!(turned.text.contains("`city`: The city."), "{}", turned.text);
    assert!(turned.text.contains("{\"city\":\"Berlin\"}"), "{}", turned.text);
}

#[tokio::test]
async fn no_suitable_tool_is_explained() {
    let session = TestSession::with_files(Arc::new(Rules), &[]);
    session.set("answer", json!(42)).await;

    let turned = session.say("Order me a pizza").await;

    assert!(!turned.complete);
    assert_eq!((turned.tools.len(), turned.operations, turned.code), (0, 0, None));
    for part in ["no suitable tool", "**Why:**", "**What is missing:**", "**Instead**", "`@answer`"] {
        assert!(turned.text.contains(part), "{part} is not in {}", turned.text);
    }
}

#[tokio::test]
async fn a_turn_out_of_rounds_says_what_it_did() {
    let session = TestSession::with(Arc::new(Rules), &[], Vec::new(), 2);

    let turned = session.say("Calculate 1 + 1. Calculate 2 + 2. Calculate 3 + 3.").await;

    assert_eq!(turned.code.as_deref(), Some("max-iterations"));
    assert_eq!(turned.tools, ["calculator"]);
    let done =
        "Done so far: `calculator` (stored as `calculator_result`), `calculator` (stored as `calculator_result_2`).";
    assert!(turned.text.contains(done), "{}", turned.text);
}

#[tokio::test]
async fn as_many_rounds_as_there_are_suffice() {
    let session = TestSession::with(Arc::new(Rules), &[], Vec::new(), 3);

    let turned = session.say("Calculate 1 + 1. Calculate 2 + 2. Calculate 3 + 3.").await;

    assert_eq!((turned.code, turned.operations), (None, 3));
    assert_eq!(turned.text, "`1 + 1` = **2**\n\n`2 + 2` = **4**\n\n`3 + 3` = **6**");
}

#[tokio::test]
async fn a_cancelled_turn_runs_nothing_more_and_keeps_its_artifacts() {
    let stopping = tokio_util::sync::CancellationToken::new();
    let stop = stopping.clone();
    let stops = Scripted::tool(weather("weather_forecast", FORECAST), move |_, _| {
        stop.cancel();
        async { ToolResult::success(ArtifactValue::Text("sun".to_owned())) }
    });
    let mut session = TestSession::with(Arc::new(Rules), &[], vec![stops], 10);
    session.cancellation = stopping;

    let turned = session.say("Calculate 1 + 1. Get the weather forecast for Berlin. Calculate 2 + 2.").await;

    assert_eq!(turned.code.as_deref(), Some("cancelled"));
    assert_eq!(session.variable("calculator_result").await, Some(json!(2)));
    assert_eq!(session.variable("calculator_result_2").await, None);
}

#[tokio::test]
async fn a_steered_message_joins_at_the_next_stage() {
    let session = TestSession::with_files(Arc::new(Rules), &[]);
    let joined = UserMessage { id: "steer".to_owned(), text: "Then calculate 5 + 5".to_owned(), tool: None };
    session.host.will_steer(vec![vec![], vec![], vec![joined]]);

    let turned = session.say("Calculate 1 + 1").await;

    assert_eq!(turned.text, "`1 + 1` = **2**\n\n`5 + 5` = **10**");
    let taken: Vec<Vec<String>> = session
        .host
        .events()
        .into_iter()
        .filter_map(|event| event.private.map(|private| private.taken).filter(|taken| !taken.is_empty()))
        .collect();
    assert_eq!(taken, [["m1"], ["steer"]]);
}

#[tokio::test]
async fn the_thinking_says_what_was_found() {
    let session = TestSession::with(Arc::new(Rules), &[], vec![works("weather_forecast", FORECAST)], 10);

    session.say("Get the weather forecast for Berlin").await;

    let found = session.host.messages().into_iter().find_map(|message| match message {
        ServerMessage::AgentThinking { found_tools, candidates: Some(candidates), .. } => {
            Some((found_tools, candidates.into_iter().map(|tool| tool.name).next()))
        }
        _ => None,
    });
    let (count, first) = found.unwrap();
    assert_eq!(first.as_deref(), Some("weather_forecast"));
    assert!(count.unwrap_or_default() >= 1);
    let stored = session.variable("weather_forecast_result").await.unwrap_or(Value::Null);
    assert_eq!(stored, json!({"city": "Berlin", "sky": "clear"}));
}
