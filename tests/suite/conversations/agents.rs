//! Specialists: called by hand and by request, switched on and off.

use serde_json::json;

use super::player::play;
use super::script::{Conversation, Stage, Step, call, get, say, talk};

pub(super) fn played() -> Vec<(Stage, Vec<Conversation>)> {
    // What is switched, is switched for the whole server.
    vec![(Stage::auto(), conversations())]
}

fn conversations() -> Vec<Conversation> {
    let asked = |id: &str, message: &str| call(id, "reader", &json!({"message": message}));
    let switch = |body: &str| Step::Http("POST", "/api/agents/reader".to_owned(), body.to_owned());
    vec![
        talk("agent-called", asked("one", "Calculate 6 * 7")),
        talk("agent-reads", asked("one", "Show me notes.txt")),
        talk("agent-may-not-write", asked("one", "Write hello to note.txt")),
        talk("agent-asked-for", [say("Use reader with {\"message\": \"Calculate 6 * 7\"}"), say("/history")]),
        talk(
            "agent-switched",
            [&[say("/agents"), say("/agents off reader")][..], &asked("off", "Hello"), &[say("/agents on reader")]]
                .concat(),
        ),
        talk("agents-over-http", [get("/api/agents"), switch(r#"{"enabled": false}"#), switch(r#"{"enabled": true}"#)]),
    ]
}

#[tokio::test]
async fn specialists_work_as_recorded() {
    play(played()).await;
}
