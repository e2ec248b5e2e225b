//! The conversation by values: what is shown, what is sent, and above all what is not sent.

use serde_json::{Value, json};

use super::*;

const SESSION: &str = "6b0d2c62-4f0e-4a3f-9a51-2f1f0f2f9c11";

fn dialogue() -> Dialogue {
    Dialogue::new(Style::new(false), None, "http://127.0.0.1:7878".to_owned())
}

/// A dialogue whose connection is ready and whose first prompt stands.
fn ready(more: &Value) -> Dialogue {
    let mut dialogue = dialogue();
    hear(&mut dialogue, session_ready(more));
    dialogue.prompt();
    dialogue
}

fn session_ready(more: &Value) -> Value {
    let mut frame = json!({"type": "session-ready", "sessionId": SESSION, "lastSeq": 0, "resumed": false,
                           "protocolVersion": 1, "reasoner": {"kind": "rules", "about": "Fixed rules."}, "pending": []});
    for (key, value) in more.as_object().expect("fields") {
        frame[key] = value.clone();
    }
    frame
}

fn event(mut frame: Value) -> ClientEvent {
    frame["timestamp"] = json!("2026-03-02T09:15:04.127Z");
    ClientEvent::Frame(Box::new(serde_json::from_value(frame).expect("a frame")))
}

fn hear(dialogue: &mut Dialogue, frame: Value) -> Vec<String> {
    dialogue.event(event(frame), false)
}

fn approval(call: &str, seq: u64) -> Value {
    json!({"type": "approval-request", "callId": call, "tool": "bash", "module": "shell", "risk": "execute",
           "undoable": false, "arguments": {"command": "ls"}, "reason": "It runs a program.", "expiresAt": "later",
           "turnId": "m", "timestamp": "now", "seq": seq})
}

fn resolved(call: &str, seq: u64) -> Value {
    json!({"type": "approval-resolved", "callId": call, "decision": "deny", "by": "timeout", "turnId": "m", "seq": seq})
}

/// The frames that a line sends.
fn sent(actions: Vec<Action>) -> Vec<Value> {
    let frames = actions.into_iter().filter_map(|action| match action {
        Action::Send(frame) => Some(serde_json::to_value(frame).expect("JSON")),
        _ => None,
    });
    frames.collect()
}

fn asks(lines: &[String]) -> bool {
    lines.iter().any(|line| line.starts_with("? bash wants to"))
}

#[test]
fn a_connection_says_where_it_is_and_what_can_be_done() {
    let mut dialogue = dialogue();

    let lines = hear(&mut dialogue, session_ready(&json!({})));

    assert_eq!(
        lines,
        [
            "Switchboard at http://127.0.0.1:7878, new session 6b0d2c62-4f0e-4a3f-9a51-2f1f0f2f9c11",
            "rules: Fixed rules.",
            "/help lists commands, Tab completes @ and /, Ctrl-C stops the turn, Ctrl-D leaves.",
        ]
    );
    assert_eq!(dialogue.prompt().text, "› ");
}

#[test]
fn a_line_is_a_message_and_is_open_until_it_is_answered() {
    let mut dialogue = ready(&json!({}));

    let frames = sent(dialogue.line(" Read it \\\nand tell me "));

    assert_eq!(frames.len(), 1);
    assert_eq!(frames[0]["text"], "Read it \nand tell me");
    assert!(!dialogue.is_idle());
    let id = frames[0]["messageId"].clone();
    hear(
        &mut dialogue,
        json!({"type": "agent-response", "messageIds": [id], "text": "Done.", "toolsUsed": [], "contextUpdated": [],
               "reasoning": "", "operationCount": 0, "complete": true, "seq": 2}),
    );
    assert!(dialogue.is_idle());
}

#[test]
fn a_command_is_open_until_it_is_answered() {
    let mut dialogue = ready(&json!({}));
    let id = sent(dialogue.line("/tools file"))[0]["messageId"].clone();
    assert!(!dialogue.is_idle());

    hear(
        &mut dialogue,
        json!({"type": "command-response", "command": "tools", "text": "file_read", "turnId": id, "seq": 1}),
    );

    assert!(dialogue.is_idle());
}

#[test]
fn a_refused_message_is_not_waited_for() {
    let mut dialogue = ready(&json!({}));
    dialogue.line("hello");

    hear(
        &mut dialogue,
        json!({"type": "agent-error", "text": "Too much to do.", "error": "overload", "code": "overload",
               "attemptedTools": [], "suggestions": [], "retryable": true, "retryAfterMs": 1000}),
    );

    assert!(dialogue.is_idle());
}

#[test]
fn an_empty_line_sends_nothing() {
    assert_eq!(ready(&json!({})).line("   "), []);
}

#[test]
fn an_approval_is_asked_answered_and_not_answered_twice() {
    let mut dialogue = ready(&json!({}));
    assert!(asks(&hear(&mut dialogue, approval("c", 1))));
    assert_eq!(dialogue.prompt().text, "allow › ");

    let frames = sent(dialogue.line("y"));

    assert_eq!(frames, [json!({"type": "approve-tool", "callId": "c", "decision": "allow-once"})]);
    assert_eq!(dialogue.prompt().text, "› ");
}

#[test]
fn what_is_no_answer_is_neither_sent_nor_takes_the_question_away() {
    let mut dialogue = ready(&json!({}));
    hear(&mut dialogue, approval("c", 1));

    assert_eq!(sent(dialogue.line("sure")), Vec::<Value>::new());
    assert_eq!(sent(dialogue.line("")), Vec::<Value>::new());

    assert!(dialogue.question().is_some());
}

#[test]
fn leaving_answers_nothing() {
    let mut dialogue = ready(&json!({}));
    hear(&mut dialogue, approval("c", 1));

    assert_eq!(dialogue.line("/quit"), [Action::Leave]);

    assert!(dialogue.question().is_some());
}

#[test]
fn a_line_begun_before_the_question_came_is_a_message() {
    let mut dialogue = ready(&json!({}));
    assert!(asks(&dialogue.event(event(approval("c", 1)), true)));

    let actions = dialogue.line("yes");

    assert!(matches!(&actions[1], Action::Show(lines) if lines[0].contains("Sent as a message")));
    assert_eq!(sent(actions)[0]["type"], "send-message");
    dialogue.prompt();
    assert_eq!(sent(dialogue.line("yes"))[0]["type"], "approve-tool");
}

#[test]
fn an_answer_to_a_question_that_is_settled_is_not_sent_as_a_message() {
    let mut dialogue = ready(&json!({}));
    hear(&mut dialogue, approval("c", 1));
    hear(&mut dialogue, resolved("c", 2));

    assert_eq!(sent(dialogue.line("y")), Vec::<Value>::new());
    assert_eq!(sent(dialogue.line("y"))[0]["type"], "send-message", "now it is what the user wants to say");
}

#[test]
fn a_message_may_be_typed_after_a_question_was_settled_elsewhere() {
    let mut dialogue = ready(&json!({}));
    hear(&mut dialogue, approval("c", 1));
    hear(&mut dialogue, resolved("c", 2));

    assert_eq!(sent(dialogue.line("What happened?"))[0]["type"], "send-message");
}

#[test]
fn a_question_that_was_open_is_asked_of_whoever_comes_back() {
    let mut dialogue = dialogue();

    let lines =
        hear(&mut dialogue, session_ready(&json!({"resumed": true, "lastSeq": 4, "pending": [approval("c", 4)]})));

    assert!(asks(&lines));
    dialogue.prompt();
    assert_eq!(sent(dialogue.line("n"))[0]["decision"], "deny");
}

#[test]
fn the_history_comes_before_the_question_and_settled_questions_are_not_asked() {
    let mut dialogue = dialogue();
    let snapshot = json!({"variables": [], "openWindows": [], "firstSeq": 1});
    let pending = json!([approval("new", 3)]);

    let greeting = hear(
        &mut dialogue,
        session_ready(&json!({"resumed": true, "lastSeq": 3, "pending": pending, "snapshot": snapshot})),
    );
    let old = hear(&mut dialogue, approval("old", 1));
    let settled = hear(&mut dialogue, resolved("old", 2));
    let new = hear(&mut dialogue, approval("new", 3));

    assert!(!asks(&greeting));
    assert_eq!(old, ["  ? `bash` needs approval: It runs a program."]);
    assert_eq!(settled, ["  · deny (timeout)"]);
    assert!(asks(&new));
    assert!(dialogue.question().is_some());
}

#[test]
fn after_a_lost_connection_an_open_question_is_asked_again_and_a_settled_one_is_gone() {
    let mut dialogue = ready(&json!({}));
    hear(&mut dialogue, approval("first", 1));
    hear(&mut dialogue, approval("second", 2));
    let lost =
        |reason: &str| ClientEvent::Disconnected { reason: reason.to_owned(), retry_in: std::time::Duration::ZERO };

    assert_eq!(dialogue.event(lost("cut"), false), ["· The connection is lost (cut); connecting again …"]);
    assert_eq!(dialogue.event(lost("refused"), false), Vec::<String>::new());
    assert_eq!(dialogue.event(ClientEvent::Reconnected, false), ["· Connected again."]);
    let ready = session_ready(&json!({"resumed": true, "lastSeq": 3, "pending": [approval("second", 2)]}));
    let first = hear(&mut dialogue, ready);
    let replayed = hear(&mut dialogue, resolved("first", 3));

    assert!(!asks(&first), "the history comes first: {first:?}");
    assert!(asks(&replayed));
    dialogue.prompt();
    assert_eq!(sent(dialogue.line("y"))[0]["callId"], "second");
}

#[test]
fn the_next_question_is_shown_when_the_first_is_answered() {
    let mut dialogue = ready(&json!({}));
    hear(&mut dialogue, approval("first", 1));
    assert_eq!(hear(&mut dialogue, approval("second", 2)), Vec::<String>::new());

    let actions = dialogue.line("y");

    assert!(matches!(&actions[..], [Action::Send(_), Action::Show(lines)] if asks(lines)));
    dialogue.prompt();
    assert_eq!(sent(dialogue.line("n"))[0]["callId"], "second");
}

#[test]
fn arguments_are_edited_at_the_prompt() {
    let mut dialogue = ready(&json!({}));
    hear(&mut dialogue, approval("c", 1));
    dialogue.prompt();

    assert_eq!(sent(dialogue.line("e")), Vec::<Value>::new());
    let prompt = dialogue.prompt();
    assert_eq!((prompt.text.as_str(), prompt.initial.as_str()), ("edit › ", r#"{"command":"ls"}"#));
    assert_eq!(sent(dialogue.line(r#"{"command":"#)), Vec::<Value>::new());
    assert_eq!(dialogue.prompt().initial, r#"{"command":"#);

    let frames = sent(dialogue.line(r#"{"command":"ls -la"}"#));

    assert_eq!(frames[0]["arguments"], json!({"command": "ls -la"}));
}

#[test]
fn ctrl_c_goes_back_from_editing_and_then_stops_the_turn() {
    let mut dialogue = ready(&json!({"busy": {"messageId": "m", "step": "executing"}}));
    hear(&mut dialogue, approval("c", 1));
    dialogue.prompt();
    dialogue.line("e");

    assert_eq!(sent(dialogue.interrupt()), Vec::<Value>::new());
    assert_eq!(sent(dialogue.interrupt()), [json!({"type": "cancel", "messageId": "m"})]);
}

#[test]
fn ctrl_c_stops_the_turn_that_runs_or_everything_that_waits() {
    let mut dialogue = ready(&json!({}));
    assert_eq!(sent(dialogue.interrupt()), Vec::<Value>::new());

    dialogue.line("hello");
    assert_eq!(sent(dialogue.interrupt()), [json!({"type": "cancel"})]);

    hear(
        &mut dialogue,
        json!({"type": "agent-thinking", "step": "analyzing", "message": "…", "turnId": "t", "seq": 2}),
    );
    assert_eq!(sent(dialogue.interrupt()), [json!({"type": "cancel", "messageId": "t"})]);
}

#[test]
fn a_connection_that_ends_for_good_says_why() {
    let mut dialogue = ready(&json!({}));

    let lines = dialogue.event(ClientEvent::Closed { code: Some(4004), reason: "gone\u{7}".to_owned() }, false);

    assert_eq!(lines, ["✗ gone␇"]);
    assert_eq!(dialogue.closed(), Some("gone␇"));
}

#[test]
fn it_says_what_keeps_commands() {
    for (state, says) in [("on", "in the sandbox"), ("off", "everything the server can"), ("unavailable", "none run")] {
        let lines = hear(&mut dialogue(), session_ready(&json!({"sandbox": {"mode": state}}))).join("\n");
        assert!(lines.contains(says), "{state}: {lines}");
    }
    let lines = hear(&mut dialogue(), session_ready(&json!({}))).join("\n");
    assert!(!lines.to_lowercase().contains("sandbox"), "{lines}");
}
