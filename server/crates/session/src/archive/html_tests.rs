//! The page has what was said, in order, and nothing in it runs or is loaded.

use std::sync::Arc;

use futures_util::TryStreamExt;
use serde_json::{Value, json};
use switchboard_accounts::Principal;
use switchboard_events::{Append, EncodedEvent, EventLog, MemoryLog};
use switchboard_protocol::SessionId;

use super::HtmlPage;

async fn page(title: &str, frames: &[Value]) -> String {
    let log: Arc<dyn EventLog> = Arc::new(MemoryLog::new());
    let (session, owner) = (SessionId::random(), Principal::local());
    log.create(session, &owner).await.expect("made");
    let events = frames.iter().zip(1..).map(|(frame, seq)| {
        let mut frame = frame.clone();
        frame["seq"] = json!(seq);
        frame["timestamp"] = json!("2026-11-25T12:00:00Z");
        EncodedEvent {
            at: "2026-11-25T12:00:00Z".to_owned(),
            frame: frame.to_string().into(),
            private: Some("{\"secret\":1}".into()),
        }
    });
    let (title, blobs, opened, closed) = (Some(title.to_owned()), Vec::new(), Vec::new(), Vec::new());
    let append = Append { session, expected: 0, events: events.collect(), blobs, opened, closed, title, urgent: true };
    log.append(append).await.expect("written");
    let row = log.get(session, &owner).await.expect("read").expect("there");
    let pieces: Vec<_> = HtmlPage::of(log, row).into_stream().try_collect().await.expect("a page");
    String::from_utf8(pieces.concat()).expect("UTF-8")
}

fn said(text: &str) -> Value {
    json!({"type": "user-message", "messageId": "m", "text": text, "mode": "queue"})
}

fn answered(text: &str) -> Value {
    json!({"type": "agent-response", "messageIds": ["m"], "text": text, "toolsUsed": [], "contextUpdated": [], "reasoning": "",
           "operationCount": 0, "complete": true})
}

#[tokio::test]
async fn it_has_what_was_said_in_order() {
    let mut frames = vec![said("Hello & <good> day"), answered("**Hi** there")];
    frames.extend((0..200).map(|at| said(&format!("message {at}"))));
    let attachments = json!([{"name": "cat", "version": 1, "type": "bytes", "bytes": 70}]);
    frames.push(
        json!({"type": "user-message", "messageId": "m2", "text": "Look", "mode": "queue", "attachments": attachments}),
    );
    frames.push(json!({"type": "tool-call-start", "callId": "c", "tool": "file_read", "module": "files", "arguments": {"path": "a.txt"}}));
    frames.push(json!({"type": "tool-call-end", "callId": "c", "tool": "file_read", "started": true, "success": true,
                       "preview": ["line <1>"], "durationMs": 1, "undoable": false, "error": ""}));

    let page = page("My \"title\"", &frames).await;

    let order = [
        "<title>My &quot;title&quot;</title>",
        "Hello &amp; &lt;good&gt; day",
        "<strong>Hi</strong> there",
        "message 0<",
        "message 199<",
        "Attached: cat<",
        "a.txt",
        "line &lt;1&gt;",
        "</html>",
    ];
    let places: Vec<Option<usize>> = order.iter().map(|part| page.find(part)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?}");
    assert!(!page.contains("secret"), "what only the server knows is not in it");
}

#[tokio::test]
async fn nothing_in_it_runs_or_is_loaded() {
    let evil = "</title></style></div><script>alert(1)</script><img src=x onerror=alert(1)>";
    let frames = [
        said(evil),
        answered(evil),
        json!({"type": "command-response", "command": evil, "text": evil}),
        json!({"type": "tool-call-start", "callId": "c", "tool": evil, "module": "m", "title": evil, "arguments": {evil: evil}}),
        json!({"type": "tool-call-end", "callId": "c", "tool": evil, "started": true, "success": false, "preview": [evil],
               "durationMs": 1, "undoable": false, "error": evil}),
        json!({"type": "conversation-summary", "text": evil, "fromSeq": 1, "toSeq": 2}),
    ];

    let page = page(evil, &frames).await;

    let mut tags = page.split('<').skip(1).map(|tag| tag.split('>').next().unwrap_or_default());
    let harmless = |tag: &str| !["script", "img", "iframe", "link"].iter().any(|kind| tag.starts_with(kind));
    assert!(tags.all(|tag| harmless(tag) && !tag.contains("src=") && !tag.contains(" on")), "{page}");
    assert_eq!(
        (page.matches("<style>").count(), page.matches("</style>").count(), page.matches("</title>").count()),
        (1, 1, 1)
    );
    assert!(page.contains("default-src 'none'") && page.contains("color-scheme: light dark"));
}
