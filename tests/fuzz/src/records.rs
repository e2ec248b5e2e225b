//! The lines of a log, as an exported session has them, with edits in them; and transcripts of other programs.

use std::convert::Infallible;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::{TryStreamExt, stream};
use serde_json::Value;
use switchboard_accounts::Principal;
use switchboard_events::{EventLog, ListPage, MemoryLog};
use switchboard_protocol::SessionId;
use switchboard_session::{Export, Import, ImportError, from_openai};

use super::edits::edit;
use super::wait::wait;

/// A session of two turns: one that was answered, one that waits for a permission.
const SESSION: &str = include_str!("session.jsonl");

/// A conversation of another program.
const TRANSCRIPT: &str = r#"{"messages":[
    {"role":"system","content":"be brief"},
    {"role":"user","content":[{"type":"text","text":"see"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBO"}}]},
    {"role":"assistant","content":null,"tool_calls":[
        {"id":"c1","type":"function","function":{"name":"bash","arguments":"{\"command\":\"ls\"}"}}]},
    {"role":"tool","tool_call_id":"c1","content":"ok"},
    {"role":"assistant","content":"done"}]}"#;

/// The most edits of one file.
const MAX_EDITS: usize = 4;

/// A file is refused in words and nothing of it stays, or it is a session that goes out and comes in again as it is; whether
/// it is one.
pub fn records(data: &[u8]) -> bool {
    let is_session = wait(holds(&edited(data)));
    let mut transcript: Value = serde_json::from_str(TRANSCRIPT).expect("JSON");
    data.chunks_exact(2).take(MAX_EDITS).for_each(|pair| edit(&mut transcript, pair[0], pair[1]));
    if let Ok((file, _)) = from_openai(transcript.to_string().as_bytes()) {
        let file = String::from_utf8(file.to_vec()).expect("a file is text");
        assert!(wait(holds(&file)), "what is made of {transcript} can be imported");
    }
    is_session
}

async fn holds(file: &str) -> bool {
    let (first, second) = (memory(), memory());
    match import(&first, file).await {
        Err(error) => {
            assert!(!error.to_string().is_empty());
            // What was begun is deleted by a task of its own.
            tokio::task::yield_now().await;
            for owner in [Principal::local(), Principal::importing()] {
                let left = first.list(&owner, &ListPage::first(10)).await.expect("a log in memory");
                assert!(left.is_empty(), "something stays of {file}");
            }
            false
        }
        Ok(session) => {
            let out = export(&first, session).await;
            let again = import(&second, &out).await.unwrap_or_else(|error| panic!("{error}: {out}"));
            let twice = export(&second, again).await;
            assert_eq!(twice.replacen(&again.to_string(), &session.to_string(), 1), out);
            true
        }
    }
}

fn memory() -> Arc<dyn EventLog> {
    Arc::new(MemoryLog::new())
}

async fn import(log: &Arc<dyn EventLog>, file: &str) -> Result<SessionId, ImportError> {
    let file = stream::iter([Ok::<_, Infallible>(Bytes::copy_from_slice(file.as_bytes()))]);
    Import::new(Arc::clone(log), Principal::local()).in_batches_of(1).read(file).await
}

async fn export(log: &Arc<dyn EventLog>, session: SessionId) -> String {
    let row = log.get(session, &Principal::local()).await.expect("a log in memory").expect("it is there");
    let pieces: Vec<Bytes> =
        Export::of(Arc::<dyn EventLog>::clone(log), row).into_stream().try_collect().await.expect("it is whole");
    String::from_utf8(pieces.concat()).expect("a file is text")
}

/// The session with as many edits as the bytes say, four bytes each: what, in which line, where in it, and with which value.
fn edited(data: &[u8]) -> String {
    let mut lines: Vec<Value> = SESSION.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    for change in data.chunks_exact(4).take(MAX_EDITS) {
        let [what, line, place, value] = [change[0], change[1], change[2], change[3]];
        let count = lines.len();
        let (at, other) = (usize::from(line) % count, usize::from(value) % count);
        match what % 8 {
            0 if count > 2 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[at].clone()),
            2 => lines.swap(at, other),
            _ => edit(&mut lines[at], place, value),
        }
        // Lines that moved are numbered anew, or the file would be refused for that.
        if what % 8 < 3 && what & 8 == 0 {
            number(&mut lines);
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn number(lines: &mut [Value]) {
    let mut events = 0;
    for line in lines.iter_mut().filter(|line| line.get("seq").is_some()) {
        events += 1;
        line["seq"] = events.into();
        if line["frame"].is_object() {
            line["frame"]["seq"] = events.into();
        }
    }
    if let Some(head) = lines.iter_mut().find(|line| line.get("switchboardExport").is_some()) {
        head["events"] = events.into();
    }
}
