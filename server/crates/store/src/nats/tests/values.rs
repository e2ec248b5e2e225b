//! What servers share beside sessions: one value for all, which nobody else can read.

use std::path::Path;
use std::sync::Arc;

use switchboard_runtime::KeyValueStore;
use tempfile::TempDir;

use super::{NatsLog, open};
use crate::nats::cipher::ClusterKeys;
use crate::nats::layout::{META, value};
use crate::nats::values::NatsValues;
use crate::test_support::NatsServer;

const FIRST: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
const SECOND: &str = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=";
const SECRET: &str = "sk-a-secret-that-nobody-sees";

fn keys(lines: &str) -> ClusterKeys {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), lines).expect("written");
    ClusterKeys::read(file.path()).expect("keys")
}

async fn values(log: &NatsLog, lines: &str, folder: &Path) -> Result<Arc<NatsValues>, String> {
    let values = log.values(keys(lines), folder, &["a", "b"]).await;
    values.map(Arc::new).map_err(|error| error.to_string())
}

/// The value in another thread, for it waits.
async fn add(values: &Arc<NatsValues>, key: &'static str, more: &'static str) -> Vec<u8> {
    let values = Arc::clone(values);
    let update = move || {
        values.update(key, &mut |there| Ok([there.unwrap_or_default(), more.as_bytes()].concat())).expect("written")
    };
    tokio::task::spawn_blocking(update).await.expect("no panic")
}

async fn until(values: &NatsValues, key: &str, wanted: &str) {
    let mut changes = values.changes();
    while values.get(key).expect("read").as_deref() != Some(wanted.as_bytes()) {
        changes.changed().await.expect("told");
    }
}

fn files_with(folder: &Path, words: &str) -> usize {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let count = |path: &Path| match path.is_dir() {
        true => files_with(path, words),
        false => {
            let bytes = std::fs::read(path).unwrap_or_default();
            usize::from(bytes.windows(words.len()).any(|window| window == words.as_bytes()))
        }
    };
    entries.map(|path| count(&path)).sum()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_one_server_changes_the_others_know_and_nobody_else() {
    let server = NatsServer::start();
    let ((one, a), (other, b)) = (open(&server).await, open(&server).await);
    std::fs::write(a.path().join("a"), SECRET).expect("written");
    std::fs::write(b.path().join("a"), "too late").expect("written");
    let one = values(&one, FIRST, a.path()).await.expect("values");
    let other = values(&other, FIRST, b.path()).await.expect("values");
    assert_eq!(other.get("a").expect("read").as_deref(), Some(SECRET.as_bytes()), "as the first one had it");
    assert_eq!(other.get("b").expect("read"), None);

    // Each of them adds to what the other one has added, also when it has not heard of it.
    for _ in 0..10 {
        tokio::join!(add(&one, "b", "x"), add(&other, "b", "y"));
    }

    let last = add(&one, "b", SECRET).await;
    let text = String::from_utf8(last).expect("text");
    let count = |sign: char| text.trim_end_matches(SECRET).matches(sign).count();
    assert_eq!((text.len(), count('x'), count('y')), (20 + SECRET.len(), 10, 10), "{text}");
    until(&other, "b", &text).await;
    assert_eq!(files_with(server.store(), "kv.b"), 1, "it is in the stream's file");
    assert_eq!(files_with(server.store(), SECRET), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_with_another_key_is_refused_and_overwrites_nothing() {
    let server = NatsServer::start();
    let (log, folder): (_, TempDir) = open(&server).await;
    let first = values(&log, FIRST, folder.path()).await.expect("values");
    add(&first, "a", SECRET).await;
    let stored = async || log.core.jetstream.last(META, &value("a")).await.expect("read").expect("it is there").seq;
    let before = stored().await;

    let (other, other_folder) = open(&server).await;
    std::fs::write(other_folder.path().join("b"), "its own").expect("written");
    let refused = values(&other, SECOND, other_folder.path()).await.expect_err("refused");

    assert!(refused.contains("another key than that of --cluster-key-file"), "{refused}");
    assert_eq!(stored().await, before);
    assert!(log.core.jetstream.last(META, &value("b")).await.expect("read").is_none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_is_replaced_while_servers_run() {
    let server = NatsServer::start();
    let ((one, a), (other, b)) = (open(&server).await, open(&server).await);
    let old = values(&one, FIRST, a.path()).await.expect("values");
    add(&old, "a", SECRET).await;
    drop(old);

    // All know both; then the new one comes first, and what is there is encrypted with it.
    let both = values(&one, &format!("{FIRST}\n{SECOND}"), a.path()).await.expect("values");
    let new_first = values(&other, &format!("{SECOND}\n{FIRST}"), b.path()).await.expect("values");
    add(&new_first, "a", ", and more").await;
    until(&both, "a", &format!("{SECRET}, and more")).await;
    drop((both, new_first));

    let new = values(&one, SECOND, a.path()).await.expect("values");
    assert_eq!(new.get("a").expect("read").as_deref(), Some(format!("{SECRET}, and more").as_bytes()));
    values(&other, FIRST, b.path()).await.expect_err("the old one is gone");
}
