//! Frames in, lines out.

use serde_json::{Value, json};
use switchboard_protocol::ServerFrame;

use super::*;

/// What these frames show, without colors and on a wide terminal.
fn check<const N: usize>(frames: impl IntoIterator<Item = Value>, lines: [&str; N]) {
    let mut renderer = Renderer::new(Style::new(false), Some(100));
    let shown: Vec<String> = frames.into_iter().flat_map(|frame| renderer.frame(&parse(frame))).collect();
    assert_eq!(shown, lines);
}

fn parse(mut frame: Value) -> ServerFrame {
    frame["timestamp"] = json!("2026-03-02T09:15:04.127Z");
    serde_json::from_value(frame).expect("a frame")
}

fn start(call: &str, tool: &str, arguments: &Value) -> Value {
    json!({"type": "tool-call-start", "callId": call, "tool": tool, "module": "m", "arguments": arguments})
}

fn chunk(call: &str, offset: u64, text: &str) -> Value {
    json!({"type": "tool-output-chunk", "callId": call, "stream": "stdout", "offset": offset, "chunk": text})
}

fn end(call: &str, tool: &str, error: &str) -> Value {
    json!({"type": "tool-call-end", "callId": call, "tool": tool, "started": true, "success": error.is_empty(),
           "preview": ["a line"], "durationMs": 1234, "undoable": false, "error": error})
}

fn delta(offset: u64, text: &str) -> Value {
    json!({"type": "agent-delta", "offset": offset, "text": text})
}

fn response(text: &str, tools: &[&str], stored: &[&str]) -> Value {
    json!({"type": "agent-response", "messageIds": ["m"], "text": text, "toolsUsed": tools, "contextUpdated": stored,
           "reasoning": "", "operationCount": tools.len(), "complete": true})
}

#[test]
fn a_choice_names_what_else_there_was() {
    let tool = |name: &str, confidence: f64| json!({"name": name, "confidence": confidence, "reasons": []});
    let found: Vec<Value> =
        ["a", "b", "c", "d", "e", "f"].iter().map(|name| tool(name, 0.5)).chain([tool("g\u{1b}[2J", 7.0)]).collect();
    check(
        [
            json!({"type": "user-message", "messageId": "m", "text": "Where is it?", "mode": "queue", "tool": "grep",
                   "attachments": [{"name": "notes", "version": 1, "type": "text", "bytes": 3},
                                   {"name": "cat", "version": 2, "type": "bytes", "bytes": 70}]}),
            json!({"type": "agent-thinking", "step": "searching", "message": "Found 7 tools", "candidates": found}),
            json!({"type": "agent-thinking", "step": "selecting", "message": "Using a", "candidates": found,
                   "selected": ["a"]}),
            json!({"type": "agent-thinking", "step": "selecting", "message": "None of the tools fits",
                   "candidates": [found[6]], "selected": []}),
            json!({"type": "agent-thinking", "step": "selecting", "message": "Using a", "candidates": [found[0]],
                   "selected": ["a"]}),
        ],
        [
            "you › [grep] Where is it?",
            "  · Attached: @notes, @cat",
            "  · Found 7 tools",
            "  · Using a",
            "    Others: b 50 %, c 50 %, d 50 %, e 50 % and 2 more; `/try NAME` takes one of them",
            "  · None of the tools fits",
            "    Found: g␛[2J 100 %; `/try NAME` takes one of them",
            "  · Using a",
        ],
    );
}

#[test]
fn a_turn_with_a_tool_shows_each_step() {
    check(
        [
            json!({"type": "user-message", "messageId": "m", "text": "Read config.json", "mode": "queue"}),
            json!({"type": "agent-thinking", "step": "searching", "message": "Found 2 tools"}),
            json!({"type": "tool-call-start", "callId": "c", "tool": "file_read", "module": "files", "title": "Read a file",
                   "arguments": {"path": "config.json"}, "references": {"path": "name"}}),
            json!({"type": "tool-call-end", "callId": "c", "tool": "file_read", "started": true, "success": true,
                   "preview": ["{", "  \"port\": 8080"], "outputVariable": "file_content", "durationMs": 3,
                   "undoable": false, "error": ""}),
            delta(0, "The port "),
            delta(9, "is 8080."),
            response("The port is 8080.", &["file_read"], &["file_content"]),
        ],
        [
            "you › Read config.json",
            "  · Found 2 tools",
            "  ▸ Read a file file_read(path=@name)",
            "  │ {",
            "  │   \"port\": 8080",
            "  ✓ file_read, 3 ms → @file_content",
            "The port is 8080.",
            "  Tools used: file_read · Stored: @file_content",
            "",
        ],
    );
}

#[test]
fn output_is_shown_as_it_comes_and_not_again_as_a_preview() {
    check(
        [
            start("c", "bash", &json!({"command": "make"})),
            chunk("c", 0, "one\ntw"),
            chunk("c", 6, "o\nthree"),
            end("c", "bash", ""),
        ],
        ["  ▸ bash(command=\"make\")", "  │ one", "  │ two", "  │ three", "  ✓ bash, 1.2 s"],
    );
}

#[test]
fn output_that_comes_again_after_a_reconnect_is_not_shown_again() {
    check(
        [start("c", "bash", &json!({})), chunk("c", 0, "one\ntwo\n"), chunk("c", 0, "one\ntwo\nthree\n")],
        ["  ▸ bash()", "  │ one", "  │ two", "  │ three"],
    );
}

#[test]
fn output_that_begins_in_the_middle_is_shown() {
    check([start("c", "bash", &json!({})), chunk("c", 70_000, "late\n")], ["  ▸ bash()", "  │ late"]);
}

#[test]
fn much_output_is_cut_with_a_word() {
    let mut renderer = Renderer::new(Style::new(false), None);
    renderer.frame(&parse(start("c", "bash", &json!({}))));

    let lines = renderer.frame(&parse(chunk("c", 0, &"line\n".repeat(2000))));

    assert_eq!(lines.len(), 501);
    assert_eq!(lines[500], "  │ … more output; all of it is in the result");
}

#[test]
fn two_calls_at_once_say_whose_output_it_is() {
    check(
        [
            start("a", "bash", &json!({})),
            start("b", "grep", &json!({})),
            chunk("a", 0, "from bash\n"),
            chunk("b", 0, "from grep\n"),
        ],
        ["  ▸ bash()", "  ▸ grep()", "  │ bash: from bash", "  │ grep: from grep"],
    );
}

#[test]
fn a_failed_call_says_why_and_what_to_do() {
    let mut failed = end("c", "file_read", "file_read(path=\"x\"): there is no such file");
    failed["suggestion"] = json!("Use list_directory.");

    check(
        [start("c", "file_read", &json!({"path": "x"})), failed],
        ["  ▸ file_read(path=\"x\")", "  ✗ file_read(path=\"x\"): there is no such file", "    Use list_directory."],
    );
}

#[test]
fn an_error_ends_a_reply_that_had_begun() {
    check(
        [
            delta(0, "Let me"),
            json!({"type": "agent-error", "messageIds": ["m"], "text": "The turn was stopped.", "error": "cancelled",
                   "code": "cancelled", "attemptedTools": [], "suggestions": ["Ask again."], "retryable": true}),
            response("Next.", &[], &[]),
        ],
        ["Let me", "✗ The turn was stopped.", "  cancelled", "  → Ask again.", "", "Next.", ""],
    );
}

#[test]
fn a_wrong_frame_is_told_with_its_place() {
    check(
        [
            json!({"type": "agent-error", "text": "The frame cannot be used.", "error": "a text is wanted", "path": "text",
                "code": "protocol-wrong-field", "attemptedTools": [], "suggestions": [], "retryable": false}),
        ],
        ["✗ The frame cannot be used.", "  text: a text is wanted"],
    );
}

#[test]
fn what_the_user_typed_is_not_repeated() {
    let mut renderer = Renderer::new(Style::new(false), None);
    renderer.typed("mine".to_owned());
    let message = |id| parse(json!({"type": "user-message", "messageId": id, "text": "two\nlines", "mode": "queue"}));

    assert_eq!(renderer.frame(&message("mine")), Vec::<String>::new());
    assert_eq!(renderer.frame(&message("of another")), ["you › two", "      lines"]);
}

#[test]
fn what_the_context_holds_is_told_when_no_call_told_it() {
    let variable = |name: &str, origin: Value| json!({"name": name, "version": 1, "type": "number", "preview": "42", "bytes": 2, "origin": origin, "stale": true});
    let set = [
        variable("mine", json!({"tool": "user", "inputs": []})),
        variable("made", json!({"tool": "calculator", "callId": "c", "inputs": []})),
    ];

    check(
        [json!({"type": "context-update", "set": set, "removed": ["old"]}), json!({"type": "context-cleared"})],
        ["  @mine (number, 2 bytes, outdated) 42", "  · @old was removed.", "  · All variables were removed."],
    );
}

#[test]
fn commands_windows_and_notifications_are_shown() {
    check(
        [
            json!({"type": "command-response", "command": "help", "text": "**/help**\nlists commands"}),
            json!({"type": "command-error", "command": "save", "text": "A name is missing.", "usage": "/save <name>"}),
            json!({"type": "notification", "notificationId": "n", "level": "progress", "message": "Reading", "durationMs": 0,
                   "progress": 0.25}),
            json!({"type": "display-resource", "windowId": "w", "viewerType": "editor", "title": "a.rs",
                   "resource": {"handle": "file:a.rs", "mimeType": "text/rust", "bytes": 12}}),
        ],
        [
            "**/help**",
            "lists commands",
            "✗ A name is missing.",
            "  Usage: /save <name>",
            "  … Reading 25 %",
            "  ▣ a.rs (text/rust, 12 bytes) file:a.rs",
        ],
    );
}

#[test]
fn nothing_from_the_server_reaches_the_terminal_as_a_control() {
    let evil = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\u{202e}\r\u{8}";
    let mut tool_end = end("c", evil, evil);
    tool_end["suggestion"] = json!(evil);
    let variable = json!({"name": evil, "version": 1, "type": "text", "preview": evil, "bytes": 1,
                          "origin": {"tool": evil, "inputs": []}, "stale": false});
    let frames = [
        json!({"type": "user-message", "messageId": "m", "text": evil, "mode": "queue"}),
        json!({"type": "agent-thinking", "step": "searching", "message": evil}),
        json!({"type": "tool-call-start", "callId": "c", "tool": evil, "module": evil, "title": evil,
               "arguments": {(evil): evil}, "references": {(evil): evil, "x": evil}}),
        start("d", evil, &json!({})),
        chunk("c", 0, &format!("{evil}\nrest{evil}")),
        tool_end,
        delta(0, &format!("{evil}\n{evil}")),
        response(&format!("{evil}\n{evil} end"), &[evil], &[evil]),
        json!({"type": "context-update", "set": [variable], "removed": [evil]}),
        json!({"type": "context-state", "variables": [variable], "operationHistory": [], "chatHistoryLength": 0, "openWindows": []}),
        json!({"type": "conversation-summary", "text": evil, "fromSeq": 1, "toSeq": 2}),
        json!({"type": "display-resource", "windowId": evil, "viewerType": "editor", "title": evil,
               "resource": {"handle": evil, "mimeType": evil, "bytes": 12}}),
        json!({"type": "notification", "notificationId": evil, "level": "error", "message": evil, "durationMs": 0}),
        json!({"type": "session-update", "reasoner": {"kind": "rules", "model": evil}}),
        json!({"type": "approval-resolved", "callId": evil, "decision": "deny", "by": evil}),
        json!({"type": "query-resolved", "queryId": evil, "answer": evil}),
        json!({"type": "agent-error", "text": evil, "error": format!("{evil}!"), "path": evil, "code": evil,
               "attemptedTools": [evil], "suggestions": [evil], "retryable": false}),
        json!({"type": "log-damaged", "fromSeq": 3, "text": evil}),
        json!({"type": "command-response", "command": evil, "text": evil}),
        json!({"type": "command-error", "command": evil, "text": evil, "usage": evil}),
    ];
    let mut renderer = Renderer::new(Style::new(false), Some(80));

    for frame in frames {
        for line in renderer.frame(&parse(frame)) {
            let harmful = |character: char| character.is_control() || ('\u{202a}'..='\u{202e}').contains(&character);
            assert!(!line.chars().any(harmful), "{line:?}");
        }
    }
}

#[test]
fn the_gauge_says_how_full_the_window_is() {
    let frame = parse(json!({"type": "session-update", "contextTokens": {"used": 2050, "limit": 8192}}));

    let lines = Renderer::new(Style::new(false), None).frame(&frame);

    assert_eq!(lines, ["  · 25 % of the window is used (2050 of 8192 tokens)."]);
}

#[test]
fn there_are_colours_only_when_they_are_wanted() {
    let frame = parse(json!({"type": "agent-thinking", "step": "searching", "message": "m"}));

    assert_eq!(Renderer::new(Style::new(true), None).frame(&frame), ["\u{1b}[2m  · m\u{1b}[0m"]);
    assert_eq!(Renderer::new(Style::new(false), None).frame(&frame), ["  · m"]);
}

#[test]
fn a_change_shows_its_diff_instead_of_its_preview() {
    let mut changed = end("c", "file_edit", "");
    changed["diff"] = json!("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n");
    check(
        [start("c", "file_edit", &json!({"path": "x"})), changed],
        [
            "  ▸ file_edit(path=\"x\")",
            "  │ --- a/x",
            "  │ +++ b/x",
            "  │ @@ -1 +1 @@",
            "  │ -old",
            "  │ +new",
            "  ✓ file_edit, 1.2 s",
        ],
    );
}
