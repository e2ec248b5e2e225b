//! Which frame ends the wait of a script, and how.

use serde_json::{Value, json};

use super::*;

fn check(mut frame: Value, outcome: Option<&Outcome>) {
    frame["timestamp"] = json!("2026-03-02T09:15:04.127Z");
    let frame: ServerFrame = serde_json::from_value(frame).expect("a frame");
    assert_eq!(judge(&frame, "mine").as_ref(), outcome);
}

fn response(id: &str) -> Value {
    json!({"type": "agent-response", "messageIds": ["other", id], "text": "42", "toolsUsed": [], "contextUpdated": [],
           "reasoning": "", "operationCount": 0, "complete": true})
}

fn error(ids: Value) -> Value {
    let mut frame = json!({"type": "agent-error", "text": "It did not work.", "error": "why", "code": "tool-failed",
                           "attemptedTools": [], "suggestions": ["Ask again."], "retryable": false});
    if !ids.is_null() {
        frame["messageIds"] = ids;
    }
    frame
}

fn approval(turn: &str) -> Value {
    json!({"type": "approval-request", "callId": "c", "tool": "bash", "module": "shell", "risk": "execute", "undoable": false,
           "arguments": {}, "reason": "it runs a program.", "expiresAt": "later", "turnId": turn, "timestamp": "now"})
}

#[test]
fn the_reply_to_this_message_ends_the_wait_and_no_other() {
    check(response("mine"), Some(&Outcome::Answered("42".to_owned())));
    check(response("of another"), None);
}

#[test]
fn an_error_of_this_turn_or_of_this_connection_ends_the_wait() {
    let failed = Outcome::Failed("It did not work.\nwhy\n→ Ask again.".to_owned());

    check(error(json!(["mine"])), Some(&failed));
    check(error(json!(["of another"])), None);
    assert!(judge_is_failed(error(Value::Null)));
}

#[test]
fn a_question_of_this_turn_ends_the_wait_also_when_it_waits_already() {
    let asked = Outcome::Asked("`bash` needs approval: it runs a program.".to_owned());
    let ready = |request: Value| {
        json!({"type": "session-ready", "sessionId": "6b0d2c62-4f0e-4a3f-9a51-2f1f0f2f9c11", "lastSeq": 1, "resumed": true,
               "protocolVersion": 1, "reasoner": {"kind": "rules"}, "pending": [request]})
    };

    check(approval("mine"), Some(&asked));
    check(approval("of another"), None);
    check(ready(approval("mine")), Some(&asked));
    check(ready(approval("of another")), None);
}

#[test]
fn the_answer_to_a_command_ends_the_wait_for_it() {
    let answer = |turn| json!({"type": "command-response", "command": "tools", "text": "file_read", "turnId": turn});
    let wrong = json!({"type": "command-error", "command": "save", "text": "A name is missing.", "usage": "/save <name>",
                       "turnId": "mine"});

    check(answer("mine"), Some(&Outcome::Answered("file_read".to_owned())));
    check(answer("of another"), None);
    check(wrong, Some(&Outcome::Failed("A name is missing.\nUsage: /save <name>".to_owned())));
}

fn judge_is_failed(mut frame: Value) -> bool {
    frame["timestamp"] = json!("now");
    let frame: ServerFrame = serde_json::from_value(frame).expect("a frame");
    matches!(judge(&frame, "mine"), Some(Outcome::Failed(_)))
}
