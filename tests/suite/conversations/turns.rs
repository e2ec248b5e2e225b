//! Messages while a turn runs: behind it, into it, instead of it; and its end from outside.

use serde_json::{Value, json};

use super::player::play;
use super::script::{Conversation, Stage, Step, begin, call, say, talk};

/// Runs until the file `go` is there.
const WAITS: &str = "Run `echo begun; until [ -e go ]; do sleep 0.05; done; echo done`";

const GO: Step = Step::File("go", "");

pub(super) fn played() -> Vec<(Stage, Vec<Conversation>)> {
    vec![(Stage::auto(), meanwhile().into_iter().chain(ends()).collect())]
}

fn message(id: &str, mode: &str, text: &str) -> Step {
    Step::Send(json!({"type": "send-message", "messageId": id, "mode": mode, "text": text}))
}

fn cancel(of: Option<&str>) -> Step {
    let mut frame = json!({"type": "cancel"});
    if let Some(id) = of {
        frame["messageId"] = id.into();
    }
    Step::Send(frame)
}

/// These steps while a command runs that waits for `go`.
fn while_it_waits(name: &str, steps: impl IntoIterator<Item = Step>) -> Conversation {
    let begins = [begin(WAITS), Step::Until("tool-output-chunk")];
    talk(name, begins.into_iter().chain(steps))
}

fn taken() -> Step {
    Step::Until("user-message")
}

fn meanwhile() -> Vec<Conversation> {
    let sum = "Calculate 6 * 7";
    let many = (0..32).flat_map(|number| [message(&format!("queued-{number}"), "queue", "Hello"), taken()]);
    let set = json!({"type": "set-variable", "name": "note", "value": "during"});
    vec![
        while_it_waits("turn-queued", [message("behind", "queue", sum), taken(), GO, Step::Ended]),
        while_it_waits("turn-steered", [message("joins", "steer", sum), taken(), GO, Step::Ended]),
        while_it_waits("turn-interrupted", [message("instead", "interrupt", sum), Step::Ended]),
        while_it_waits("turn-with-commands", [say("/debug"), say("/context"), say("/help undo"), GO, Step::Ended]),
        while_it_waits("turn-with-edits", [Step::Send(set), Step::Until("context-update"), GO, Step::Ended]),
        while_it_waits(
            "turn-with-an-own-call",
            call("beside", "file_write", &json!({"path": "go", "content": ""})).into_iter().chain([Step::Ended]),
        ),
        while_it_waits(
            "turn-with-a-full-queue",
            many.chain([
                Step::Raw(json!({"type": "send-message", "messageId": "too-many", "text": "Hello"}).to_string()),
                Step::Until("agent-error"),
                GO,
                Step::Ended,
            ]),
        ),
        while_it_waits(
            "turn-seen-from-its-middle",
            [Step::Attach("?session={session}&after=0".to_owned()), Step::Until("tool-output-chunk"), GO, Step::Ended],
        ),
        talk("turn-steered-without-a-turn", [message("alone", "steer", sum), Step::Ended]),
        talk(
            "turn-sent-twice",
            [
                message("same", "queue", sum),
                Step::Ended,
                message("same", "queue", sum),
                taken(),
                Step::Raw(json!({"type": "send-message", "messageId": "same", "text": "something else"}).to_string()),
                Step::Until("agent-error"),
            ],
        ),
    ]
}

fn ends() -> Vec<Conversation> {
    let endless = |steps: Vec<Step>| {
        [begin("Run `echo begun; sleep 50`"), Step::Until("tool-output-chunk")].into_iter().chain(steps)
    };
    let context = json!({"type": "get-context"});
    let after: fn(Value) -> [Step; 2] = |frame| [Step::Send(frame), Step::Until("context-state")];
    vec![
        talk("turn-cancelled", endless(vec![cancel(None), Step::Ended, say("Calculate 1 + 1")])),
        talk(
            "turn-cancelled-with-its-queue",
            endless(vec![message("waiting", "queue", "Calculate 1 + 1"), taken(), cancel(None), Step::Ended]),
        ),
        while_it_waits(
            "turn-cancelled-in-the-queue",
            [
                message("waiting", "queue", "Hello"),
                taken(),
                cancel(Some("waiting")),
                Step::Until("agent-error"),
                GO,
                Step::Ended,
            ],
        ),
        talk(
            "turn-cancelled-when-nothing-runs",
            [say("Calculate 1 + 1"), cancel(None), cancel(Some("nobody")), say("Hello")],
        ),
        talk(
            "turn-cancelled-after-a-step",
            [
                begin("Read a.txt, then run `echo begun; sleep 50`"),
                Step::Until("tool-output-chunk"),
                cancel(None),
                Step::Ended,
            ]
            .into_iter()
            .chain(after(context)),
        ),
    ]
}

#[tokio::test]
async fn b07_messages_during_a_turn_are_taken_as_recorded() {
    play(played()).await;
}
