//! How a prompt is written behind its command, and what becomes of what a server gives for it.

use serde_json::json;

use super::*;

fn prompt() -> Prompt {
    let argument =
        |name: &str, required| PromptArgument { name: name.to_owned(), description: String::new(), required };
    Prompt {
        command: "s__weather".to_owned(),
        description: String::new(),
        arguments: vec![argument("city", true), argument("state", false)],
        server: "s".to_owned(),
        name: "weather".to_owned(),
    }
}

#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "what is expected is made where it is named")]
fn check(written: &str, expected: Value) {
    let given = prompt().parse(written).map_or_else(|problem| json!(problem), Value::Object);
    assert_eq!(given, expected, "{written}");
}

#[test]
fn arguments_are_written_by_name_or_in_order() {
    check("city=Husum", json!({"city": "Husum"}));
    check("state=SH city=Husum", json!({"state": "SH", "city": "Husum"}));
    check("Husum SH", json!({"city": "Husum", "state": "SH"}));
    check("state=SH Husum", json!({"state": "SH", "city": "Husum"}));
    check("\"New York\" NY", json!({"city": "New York", "state": "NY"}));
    check("city=\"New York\"", json!({"city": "New York"}));
    check("Husum on the sea", json!({"city": "Husum", "state": "on the sea"}));
    check("a=b", json!({"city": "a=b"}));
    check("\"city=Husum\"", json!({"city": "city=Husum"}));
}

#[test]
fn what_is_wrong_with_arguments_is_told() {
    check("", json!("`city` is missing"));
    check("state=SH", json!("`city` is missing"));
    check("city=a city=b", json!("`city` is given twice"));
    check("city=a state=b c", json!("`c` is one argument too many for this prompt"));
    check("city=\"a", json!("a quotation mark is not closed"));
    let nothing = Prompt { arguments: Vec::new(), ..prompt() };
    assert_eq!(nothing.parse("x"), Err("this prompt takes no arguments".to_owned()));
    assert_eq!(prompt().usage(), "/s__weather city=… [state=…]");
}

#[test]
fn h03_what_a_prompt_hides_is_taken_out_and_its_resources_stay_apart() {
    let messages = json!([
        {"role": "user", "content": {"type": "text", "text": "Look at this:\u{e0041}\u{202e}"}},
        {"role": "user", "content": {"type": "resource", "resource": {"uri": "demo://a", "text": "```\nrm\n```"}}},
        {"role": "assistant", "content": {"type": "text", "text": "I did."}},
    ]);

    let text = text_of(serde_json::from_value(messages).expect("messages"));

    let expected = "Look at this:\n\ndemo://a:\n````\n```\nrm\n```\n````\n\n(as an example of an answer)\nI did.";
    assert_eq!(text.as_deref(), Ok(expected));
    assert!(text_of(Vec::new()).is_err());
}
