//! What is not a frame, or a wrong one.

use serde_json::json;

use super::player::play;
use super::script::{Conversation, Stage, Step, ask, say, talk};

pub(super) fn played() -> Vec<(Stage, Vec<Conversation>)> {
    vec![(Stage::auto(), conversations())]
}

fn raw<'a>(name: &str, texts: impl IntoIterator<Item = &'a str>) -> Conversation {
    let steps = texts.into_iter().flat_map(|text| [Step::Raw(text.to_owned()), Step::Until("agent-error")]);
    talk(name, steps.chain([say("Calculate 1 + 1")]))
}

fn conversations() -> Vec<Conversation> {
    let unknown = "6b0d2c62-4f0e-4a3f-9a51-2f1f0f2f9c11";
    vec![
        raw(
            "error-no-json",
            ["{", "\u{feff}{}", "", r#"{"type":"set-variable","name":"x","value":NaN}"#, &"[".repeat(200)],
        ),
        raw(
            "error-no-type",
            ["[]", "{}", "null", r#"{"type":5}"#, r#"{"type":"send-massage","text":"x"}"#, r#"{"type":"zzzz"}"#],
        ),
        raw(
            "error-missing-field",
            [
                r#"{"type":"send-message"}"#,
                r#"{"type":"approve-tool","callId":"c"}"#,
                r#"{"type":"answer-query"}"#,
                r#"{"type":"call-tool","callId":"c","tool":"bash"}"#,
                r#"{"type":"set-variable","name":"x"}"#,
                r#"{"type":"rename-variable","name":"x"}"#,
                r#"{"type":"delete-variable"}"#,
                r#"{"type":"set-title"}"#,
                r#"{"type":"window-closed"}"#,
            ],
        ),
        raw(
            "error-wrong-field",
            [
                r#"{"type":"send-message","text":5}"#,
                r#"{"type":"send-message","text":"  \n"}"#,
                r#"{"type":"send-message","text":"x","mode":"loud"}"#,
                r#"{"type":"send-message","text":"x","messageId":""}"#,
                r#"{"type":"approve-tool","callId":"c","decision":"maybe"}"#,
                r#"{"type":"call-tool","callId":"c","tool":"bash","arguments":[]}"#,
                r#"{"type":"cancel","messageId":7}"#,
                r#"{"type":"answer-query","queryId":"no-such-query","answer":"x"}"#,
            ],
        ),
        talk(
            "error-too-large",
            ask(json!({"type": "set-title", "title": "y".repeat(5_000)}), "agent-error")
                .into_iter()
                .chain(ask(json!({"type": "set-variable", "name": "n".repeat(65), "value": 1}), "agent-error")),
        ),
        talk("ping", ask(json!({"type": "ping", "unknown": "is ignored"}), "pong")),
        talk(
            "error-no-such-session",
            [
                Step::Refused(format!("?session={unknown}")),
                Step::Refused("?session={session}&after=1000".to_owned()),
                Step::Refused("?session=nothing".to_owned()),
                say("Calculate 1 + 1"),
            ],
        ),
    ]
}

#[tokio::test]
async fn b02_b03_wrong_frames_are_refused_as_recorded() {
    play(played()).await;
}
