//! What asks before it runs, and what denies.

use serde_json::json;

use super::player::play;
use super::script::{Conversation, Stage, Step, ask, begin, call, decided, say, says, talk};

pub(super) fn played() -> Vec<(Stage, Vec<Conversation>)> {
    let denying = Stage { arguments: &["--approve", "deny"], ..Stage::default() };
    let settings = "allow = [\"bash(echo *)\", \"file_write(docs/**)\"]\ndeny = [\"file_read(.env)\"]\n";
    let ruled = Stage { settings, ..Stage::default() };
    vec![
        (Stage::default(), asking()),
        (denying, vec![says("approval-denying-server", ["Run echo no", "Read a.txt", "Write \"x\" to b.txt"])]),
        (ruled, vec![by_rules()]),
    ]
}

fn asking() -> Vec<Conversation> {
    let once = || json!({"decision": "allow-once"});
    let cancel = Step::Send(json!({"type": "cancel"}));
    vec![
        talk("approval-allowed", decided("Run echo was-allowed", once())),
        talk("approval-denied", decided("Run `touch trace`", json!({"decision": "deny", "reason": "not now"}))),
        talk(
            "approval-edited",
            decided("Run echo one", json!({"decision": "allow-once", "arguments": {"command": "echo two"}})),
        ),
        talk(
            "approval-edited-wrongly",
            decided("Run echo one", json!({"decision": "allow-once", "arguments": {"comand": "echo two"}})),
        ),
        talk(
            "approval-for-the-session",
            [
                &decided("Write \"one\" to new.txt", json!({"decision": "allow-session"}))[..],
                &[say("Write \"two\" to other.txt"), say("/permissions"), say("/permissions remove 1")],
                &decided("Write \"three\" to third.txt", json!({"decision": "deny"})),
            ]
            .concat(),
        ),
        talk("approval-of-a-changed-file", decided("Replace \"first\" with \"1st\" in notes.txt", once())),
        talk(
            "approval-of-the-network",
            decided("Call bash with {\"command\": \"echo connected\", \"network\": true}", once()),
        ),
        talk("approval-of-a-page", decided("Fetch https://example.com/page", json!({"decision": "deny"}))),
        talk("approval-cancelled", [begin("Run `touch trace`"), Step::Until("approval-request"), cancel, Step::Ended]),
        talk(
            "approval-of-nothing",
            ask(json!({"type": "approve-tool", "callId": "nobody", "decision": "allow-once"}), "agent-error"),
        ),
        talk(
            "approval-seen-again",
            [
                begin("Run echo waited"),
                Step::Until("approval-request"),
                Step::Attach("?session={session}&tail=2".to_owned()),
                Step::Send(json!({"type": "approve-tool", "callId": "{call}", "decision": "allow-once"})),
                Step::Ended,
            ],
        ),
        talk("approval-of-a-tried-tool", decided("/try bash Run `echo tea`", json!({"decision": "deny"}))),
        talk("approval-not-for-own-calls", call("own", "file_write", &json!({"path": "own.txt", "content": "mine"}))),
        says("approval-not-for-reading", ["Read a.txt", "Calculate 1 + 1", "What files are here?"]),
        talk(
            "approval-of-two-steps",
            [
                begin("Write \"x\" to new.txt and run `echo done`"),
                Step::Until("approval-request"),
                Step::Send(json!({"type": "approve-tool", "callId": "{call}", "decision": "allow-once"})),
                Step::Until("approval-request"),
                Step::Send(json!({"type": "approve-tool", "callId": "{call}", "decision": "deny"})),
                Step::Ended,
            ],
        ),
    ]
}

fn by_rules() -> Conversation {
    let steps = ["Run `echo one && echo two`", "Write \"a\" to docs/a.txt", "Read .env", "/permissions"].map(say);
    let asked = decided("Run `echo one; touch trace`", json!({"decision": "deny"}));
    talk("approval-by-rules", steps.into_iter().chain(asked)).file(".env", "KEY=hidden\n")
}

#[tokio::test]
async fn approvals_are_asked_and_answered_as_recorded() {
    play(played()).await;
}
