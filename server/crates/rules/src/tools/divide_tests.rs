//! Requests for several things, and requests that only look like it.

use serde_json::json;

use super::super::extract::tests::tool;
use super::*;
use switchboard_search::Likeness;

/// What goes to which of the tools for weather, mail and translation.
fn check(text: &str, wanted: &[(&str, &str)]) {
    let tools = [
        tool("get_weather", "Gets the weather forecast of a city.", json!({"properties": {"city": {}}})),
        tool("send_mail", "Sends a mail to somebody.", json!({"properties": {"recipient": {}}})),
        tool("translate", "Translates a text to a language.", json!({"properties": {"text": {}}})),
    ];
    let vocabularies: Vec<Vocabulary> = tools.iter().map(Vocabulary::of).collect();
    let tools = tools.map(|definition| CandidateTool {
        definition: definition.into(),
        confidence: 0.5,
        likeness: Likeness::default(),
        reasons: Vec::new(),
        of_part: false,
    });
    let request = Request::new(text);
    let shares = shares(&request, &tools.each_ref(), &vocabularies);
    let found: Vec<(&str, &str)> =
        shares.iter().map(|(place, range)| (tools[*place].definition.name.as_str(), request.span(range))).collect();
    assert_eq!(found, wanted, "{text}");
}

#[test]
fn each_clause_goes_to_the_tool_that_it_speaks_of() {
    check(
        "Get the weather forecast of Lima. Then send a mail to Ann and translate the text \"adios\".",
        &[
            ("get_weather", "Get the weather forecast of Lima."),
            ("send_mail", "Then send a mail to Ann"),
            ("translate", "and translate the text \"adios\"."),
        ],
    );
}

#[test]
fn what_only_says_more_stays_with_what_went_before() {
    check(
        "Send a mail to Ann. The text should be friendly. Finally, get the weather of Lima.",
        &[
            ("send_mail", "Send a mail to Ann. The text should be friendly."),
            ("get_weather", "Finally, get the weather of Lima."),
        ],
    );
}

#[test]
fn what_only_says_what_all_of_it_is_about_is_for_no_tool_of_its_own() {
    check(
        "I need help with some mail. First, translate the text \"adios\".",
        &[("translate", "I need help with some mail. First, translate the text \"adios\".")],
    );
}

#[test]
fn a_verb_of_its_own_begins_a_clause_and_a_list_does_not() {
    let clauses_of = |text: &str| clauses(&Request::new(text)).len();
    assert_eq!(clauses_of("Get the weather of Berlin, Paris and Rome"), 1);
    assert_eq!(clauses_of("Get the weather of Berlin, and then please send it to Ann"), 2);
    assert_eq!((parts("Get the weather of Berlin").len(), parts("Get the weather. Send the mail now.").len()), (0, 2));
}

#[test]
fn the_best_path_changes_only_where_that_is_worth_it() {
    assert_eq!(best_path(&[vec![1.0, 0.0], vec![0.5, 0.9], vec![1.0, 0.0]], &[0.0, 0.5, 0.5]), [0, 0, 0]);
    assert_eq!(best_path(&[vec![1.0, 0.0], vec![0.0, 0.9], vec![0.0, 0.2]], &[0.0, 0.5, 0.5]), [0, 1, 1]);
}
