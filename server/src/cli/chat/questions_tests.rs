//! What is asked, exactly, and what counts as an answer.

use serde_json::json;

use super::*;

fn approval() -> OpenQuestion {
    let frame = json!({
        "type": "approval-request", "callId": "c", "tool": "bash", "module": "shell", "risk": "execute", "undoable": false,
        "arguments": {"command": "rm -r build\n\u{1b}[2Kls", "timeout": 5}, "reason": "It runs a program.",
        "expiresAt": "2026-03-02T09:25:04Z", "timestamp": "2026-03-02T09:15:04Z", "seq": 3, "turnId": "m",
    });
    OpenQuestion::of(&serde_json::from_value(frame).expect("a frame")).expect("a question")
}

fn query(choices: &serde_json::Value) -> OpenQuestion {
    let frame = json!({
        "type": "user-query", "queryId": "q", "kind": "outcome", "message": "Did it happen?", "choices": choices,
        "expiresAt": "2026-03-02T09:25:04Z", "timestamp": "2026-03-02T09:15:04Z", "seq": 3,
    });
    OpenQuestion::of(&serde_json::from_value(frame).expect("a frame")).expect("a question")
}

fn frame_of(reading: Reading) -> serde_json::Value {
    match reading {
        Reading::Answer(frame) => serde_json::to_value(frame).expect("JSON"),
        other => panic!("no answer: {other:?}"),
    }
}

#[test]
fn an_approval_shows_everything_that_will_run() {
    assert_eq!(
        approval().lines(Style::new(false), false),
        [
            "? bash wants to run a program; it cannot be undone",
            "    command: rm -r build",
            "      ␛[2Kls",
            "    timeout: 5",
            "  It runs a program.",
            "  allow? [y/a/n/e] y once · a always in this session · n [why] deny · e edit the arguments first",
        ]
    );
}

#[test]
fn of_very_long_text_the_middle_is_left_out_with_a_word() {
    let OpenQuestion::Approval { call, tool, risk, reason, undoable, covers, .. } = approval() else {
        panic!("no approval")
    };
    let text: Vec<String> = (1..=100).map(|number| number.to_string()).collect();
    let arguments = json!({"content": text.join("\n")}).as_object().expect("an object").clone();
    let question = OpenQuestion::Approval { call, tool, arguments, risk, reason, undoable, covers };

    let lines = question.lines(Style::new(false), false);

    assert_eq!(lines[40], "      40");
    assert_eq!(lines[41], "      … 50 lines are not shown here: type s to see all of it");
    assert_eq!(lines[42], "      91");
    assert_eq!(question.read("s"), Reading::ShowAll);
    assert_eq!(question.lines(Style::new(false), true).len(), 103);
}

#[test]
fn an_approval_is_answered_by_a_word() {
    let question = approval();

    for (line, decision) in [("y", "allow-once"), (" YES ", "allow-once"), ("a", "allow-session"), ("n", "deny")] {
        assert_eq!(
            frame_of(question.read(line)),
            json!({"type": "approve-tool", "callId": "c", "decision": decision}),
            "{line}"
        );
    }
    assert_eq!(
        frame_of(question.read("no use make instead")),
        json!({"type": "approve-tool", "callId": "c", "decision": "deny", "reason": "use make instead"})
    );
}

#[test]
fn anything_else_is_no_answer_to_an_approval() {
    for line in ["", "ok", "yes please", "always and ever", "yn", "nope", "1"] {
        assert!(matches!(approval().read(line), Reading::Unclear(_)), "{line}");
    }
}

#[test]
fn edited_arguments_allow_the_call_once() {
    let question = approval();
    let Reading::Edit(initial) = question.read("e") else { panic!("nothing to edit") };
    assert_eq!(initial, r#"{"command":"rm -r build\n\u001b[2Kls","timeout":5}"#);

    let frame = question.edited(r#"{"command":"ls"}"#).expect("arguments");

    assert_eq!(
        serde_json::to_value(frame).expect("JSON"),
        json!({"type": "approve-tool", "callId": "c", "decision": "allow-once", "arguments": {"command": "ls"}})
    );
    assert!(question.edited("[1]").expect_err("no object").contains("JSON object"));
}

#[test]
fn a_query_is_answered_by_number_or_name() {
    let question =
        query(&json!([{"value": {"did": true}, "label": "It happened"}, {"value": "retry", "label": "Run it again"}]));

    assert_eq!(
        question.lines(Style::new(false), false),
        [
            "? Did it happen?",
            "    1  It happened",
            "    2  Run it again",
            "  Type a number; /dismiss closes it without an answer",
        ]
    );
    let first = json!({"type": "answer-query", "queryId": "q", "answer": {"did": true}});
    assert_eq!(frame_of(question.read("1")), first);
    assert_eq!(frame_of(question.read("it HAPPENED")), first);
    assert_eq!(frame_of(question.read("retry")), json!({"type": "answer-query", "queryId": "q", "answer": "retry"}));
    assert_eq!(frame_of(question.read("/dismiss")), json!({"type": "answer-query", "queryId": "q"}));
    for line in ["", "0", "3", "perhaps"] {
        assert!(matches!(question.read(line), Reading::Unclear(_)), "{line}");
    }
}

#[test]
fn a_query_without_choices_takes_any_text_but_none() {
    let question = query(&json!([]));

    assert_eq!(
        frame_of(question.read(" in the blue folder ")),
        json!({"type": "answer-query", "queryId": "q", "answer": "in the blue folder"})
    );
    assert!(matches!(question.read(""), Reading::Unclear(_)));
}

#[test]
fn questions_are_shown_one_after_the_other_and_each_once() {
    let mut questions = Questions::default();
    questions.ask(approval());
    questions.ask(query(&json!([])));
    questions.ask(approval());

    assert_eq!(questions.current(), None);
    assert_eq!(questions.show(), Some(&approval()));
    assert_eq!(questions.show(), None);
    assert_eq!(questions.current(), Some(&approval()));

    questions.settle("c");
    assert_eq!(questions.current(), None);
    assert_eq!(questions.show(), Some(&query(&json!([]))));
    questions.settle("q");
    assert_eq!(questions.show(), None);
}
