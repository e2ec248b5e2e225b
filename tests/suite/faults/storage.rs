//! What the disk does: power is cut, it is full, fails, takes its time or is gone: F09, F11, F12, F14 to F16.
//!
//! `strace` makes the calls to the write-ahead log fail, or tells of them; whatever is acknowledged must be there afterwards.

use std::fs::{self, OpenOptions};
use std::process::Stdio;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use rustix::process::Signal;
use serde_json::{Value, json};
use switchboard_tests::{TestClient, TestServer, request};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::Command;
use uuid::Uuid;

/// A session of one turn, in a server that has been started anew, so that these faults meet nothing but what a test does.
async fn faulty(calls: &[&str]) -> (TestServer, TestClient) {
    let mut server = TestServer::start().await;
    let mut client = server.connect().await;
    client.ask("Calculate 6 * 7").await.answered();
    let (session, seen) = (client.session(), client.last_seq());
    server.signal(Signal::TERM);
    server.ended().await;
    server.set_log_calls(calls);
    server.start_again().await;
    let client = server.connect_to(session, seen).await;
    (server, client)
}

/// Sends a message; the code of its refusal, if it is refused.
async fn refused(client: &mut TestClient, id: &str) -> Option<Value> {
    client.send(json!({"type": "send-message", "text": "Calculate 1 + 1", "messageId": id})).await;
    let answer = client
        .until("its acknowledgement or refusal", |frame| {
            frame["turnId"] == id && (frame["type"] == "user-message" || frame["type"] == "agent-error")
        })
        .await;
    (answer["type"] == "agent-error").then(|| answer["code"].clone())
}

/// Sends a message until it is taken; the codes of its refusals.
async fn taken(client: &mut TestClient, id: &str) -> Vec<Value> {
    let mut codes = Vec::new();
    while let Some(code) = refused(client, id).await {
        codes.push(code);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    client.end_of(id).await;
    codes
}

async fn status(server: &TestServer, path: &str) -> u16 {
    request(server.address(), "GET", path, &[], b"").await.status
}

/// Starts the server anew without faults, and compares the log of the session with what was acknowledged, the last ones.
async fn has_each_once(server: &mut TestServer, session: Uuid, acknowledged: &[String], case: &str) {
    server.set_log_calls(&[]);
    server.start_again().await;
    let mut client = server.connect_to(session, 0).await;
    if let Some(last) = acknowledged.last() {
        client.end_of(last).await;
    }
    let last = client.ask("Calculate 2 + 2").await.answered();
    let ids_of = |kind: &[&str]| -> Vec<String> {
        let frames = client.frames.iter().filter(|frame| kind.iter().any(|kind| frame["type"] == *kind));
        let ids = frames.flat_map(|frame| match &frame["messageIds"] {
            Value::Array(ids) => ids.clone(),
            _ => vec![frame["messageId"].clone()],
        });
        ids.filter_map(|id| id.as_str().map(str::to_owned)).collect()
    };
    let expected = [acknowledged, &[last.end["messageIds"][0].as_str().expect("an id").to_owned()]].concat();
    assert_eq!(ids_of(&["user-message"])[1..], expected, "{case}");
    assert_eq!(ids_of(&["agent-response", "agent-error"])[1..], expected, "each has one end, {case}");
    assert!(!server.stderr().contains("is not whole"), "{case}: {}", server.stderr());
}

/// How far the write-ahead log was synced, by a trace of its calls.
fn synced(trace: &str) -> u64 {
    let (mut written, mut synced) = (0, 0);
    for line in trace.lines() {
        if line.contains("fsync(") || line.contains("fsync resumed") {
            synced = written;
        } else if let Some(call) = line.split_once("pwrite64(").map(|(_, call)| call) {
            let numbers = call.split(['.', ',', ')', '<', ' ']).filter_map(|word| word.parse::<u64>().ok());
            if let [_, bytes, offset, ..] = numbers.collect::<Vec<_>>().as_slice() {
                written = written.max(offset + bytes);
            }
        }
    }
    synced
}

#[tokio::test]
async fn f09_what_is_acknowledged_is_there_although_all_that_was_not_synced_is_lost() {
    let (mut server, mut client) = faulty(&["-e", "trace=fsync,pwrite64"]).await;
    let mut acknowledged = Vec::new();
    for number in 0..5 {
        let id = format!("m{number}");
        assert_eq!(refused(&mut client, &id).await, None);
        acknowledged.push(id);
    }
    // In the middle of what follows the last acknowledgement.
    server.kill().await;

    let trace = fs::read_to_string(server.log_trace()).expect("the trace");
    let log = server.data().join("switchboard.db-wal");
    let (synced, whole) = (synced(&trace), fs::metadata(&log).expect("the write-ahead log").len());
    assert!(synced > 0 && synced <= whole, "{synced} of {whole}");
    OpenOptions::new().write(true).open(&log).and_then(|log| log.set_len(synced)).expect("cut");

    has_each_once(&mut server, client.session(), &acknowledged, "after a power cut").await;
}

#[tokio::test]
async fn f11_a_disk_that_is_full_at_any_write_is_said_and_it_goes_on_when_there_is_room() {
    for first in [1, 2, 5, 9] {
        let fault = format!("inject=pwrite64:error=ENOSPC:when={first}..{}", first + 3);
        let (mut server, mut client) = faulty(&["-e", "trace=pwrite64", "-e", &fault]).await;

        let acknowledged = ["m0", "m1", "m2"].map(str::to_owned);
        let mut codes = Vec::new();
        for id in &acknowledged {
            codes.extend(taken(&mut client, id).await);
        }

        assert!(codes.iter().all(|code| code == "storage-full"), "{first}: {codes:?}");
        assert!(server.stderr().contains("disk is full"), "{first}: {}", server.stderr());
        server.signal(Signal::TERM);
        assert_eq!(server.ended().await.code(), Some(0), "{first}");
        has_each_once(&mut server, client.session(), &acknowledged, &fault).await;
    }
}

#[tokio::test]
async fn f11_a_server_whose_disk_is_full_ends_well() {
    let (mut server, mut client) =
        faulty(&["-e", "trace=pwrite64", "-e", "inject=pwrite64:error=ENOSPC:when=1+"]).await;

    for number in 0..3 {
        assert_eq!(refused(&mut client, &format!("m{number}")).await, Some(json!("storage-full")));
    }
    // What is there can be read.
    let mut other = server.connect_to(client.session(), 0).await;
    other.until("what is there", |frame| frame["type"] == "agent-response").await;
    assert_eq!(status(&server, "/readyz").await, 503);
    server.signal(Signal::TERM);
    assert_eq!(server.ended().await.code(), Some(0));

    has_each_once(&mut server, client.session(), &[], "full to the end").await;
}

#[tokio::test]
async fn f12_what_could_not_be_synced_is_not_acknowledged_and_never_believed() {
    for failing in 1..=3 {
        let fault = format!("inject=fsync:error=EIO:when={failing}");
        let (mut server, mut client) = faulty(&["-e", "trace=fsync", "-e", &fault]).await;

        let acknowledged = ["m0", "m1", "m2"].map(str::to_owned);
        let mut codes = Vec::new();
        for id in &acknowledged {
            codes.extend(taken(&mut client, id).await);
        }

        assert!(codes.iter().all(|code| code == "storage-failed"), "{failing}: {codes:?}");
        assert!(server.stderr().contains("a commit failed; its file is reopened"), "{failing}: {}", server.stderr());
        server.kill().await;
        has_each_once(&mut server, client.session(), &acknowledged, &fault).await;
    }
}

#[tokio::test]
async fn f14_a_disk_that_takes_nothing_any_more_is_said_and_can_be_read() {
    let fault = "inject=pwrite64:error=EROFS:when=1+";
    let (mut server, mut client) = faulty(&["-e", "trace=pwrite64", "-e", fault]).await;

    for number in 0..3 {
        assert_eq!(refused(&mut client, &format!("m{number}")).await, Some(json!("storage-failed")));
    }
    let mut other = server.connect_to(client.session(), 0).await;
    other.until("what is there", |frame| frame["type"] == "agent-response").await;
    assert_eq!((status(&server, "/readyz").await, status(&server, "/healthz").await), (503, 200));
    server.signal(Signal::TERM);
    assert_eq!(server.ended().await.code(), Some(0));

    has_each_once(&mut server, client.session(), &[], fault).await;
}

#[tokio::test]
async fn f14_nothing_is_acknowledged_once_the_folder_is_gone() {
    let mut server = TestServer::start().await;
    let mut client = server.connect().await;
    client.ask("Calculate 6 * 7").await.answered();

    fs::remove_dir_all(server.data()).expect("removed");

    for number in 0..3 {
        assert_eq!(refused(&mut client, &format!("m{number}")).await, Some(json!("storage-failed")));
    }
    assert_eq!((status(&server, "/readyz").await, status(&server, "/healthz").await), (503, 200));
    server.signal(Signal::TERM);
    assert_eq!(server.ended().await.code(), Some(0));
    assert!(!server.data().join("switchboard.db").exists(), "no other is made in its place");
}

fn memory(server: &TestServer) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", server.pid())).expect("the server runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("its memory");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}

#[tokio::test]
async fn f15_what_comes_while_a_sync_takes_long_waits_and_is_acknowledged_after_it() {
    const DELAY: Duration = Duration::from_secs(5);
    let fault = format!("inject=fsync:delay_enter={}:when=1", DELAY.as_micros());
    let (mut server, mut client) = faulty(&["-e", "trace=fsync", "-e", &fault]).await;
    let session = client.session();
    let mut others = Vec::new();
    for _ in 0..16 {
        others.push(server.connect_to(session, client.last_seq()).await);
    }
    let before = memory(&server);

    let began = Instant::now();
    client.send(json!({"type": "send-message", "text": "Calculate 1 + 1", "messageId": "first"})).await;
    let text = format!("say {}", "x".repeat(256 * 1024));
    for (number, other) in others.iter_mut().enumerate() {
        let id = format!("m{number}");
        other.send(json!({"type": "send-message", "text": text, "messageId": id})).await;
    }
    client.send(json!({"type": "ping"})).await;
    client.until_type("pong").await;
    let during = memory(&server);
    assert!(!client.frames.iter().any(|frame| frame["type"] == "user-message"), "nothing is acknowledged yet");
    client.until_type("user-message").await;

    assert!(began.elapsed() >= DELAY, "{:?}", began.elapsed());
    assert!(during < before + 50 * 1024, "{before} kB, then {during} kB");
    client.end_of("first").await.answered();
    join_all(others.iter_mut().enumerate().map(async |(number, other)| other.end_of(&format!("m{number}")).await))
        .await;
    server.kill().await;
    server.set_log_calls(&[]);
    server.start_again().await;
    let mut back = server.connect_to(session, 0).await;
    back.end_of("m15").await;
    back.end_of("first").await;
}

#[tokio::test]
async fn f16_a_reader_who_takes_its_time_does_not_keep_the_log_from_being_shortened() {
    const LIMIT: u64 = 32 * 1024 * 1024;
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    let mut number = 0;
    let mut grow = async |client: &mut TestClient, megabytes: usize| {
        for _ in 0..megabytes {
            number += 1;
            let value = format!("{number}{}", "x".repeat(1_000_000));
            client
                .send(json!({"type": "set-variable", "name": format!("large_{}", number % 20), "value": value}))
                .await;
            client.until_type("context-update").await;
        }
    };
    grow(&mut client, 20).await;
    let head = format!("GET /api/sessions/{}/export HTTP/1.1\r\nHost: {}\r\n\r\n", client.session(), server.address());
    let mut slow = TcpStream::connect(server.address()).await.expect("a connection");
    slow.write_all(head.as_bytes()).await.expect("sent");
    slow.read_u8().await.expect("the export has begun");

    grow(&mut client, 70).await;

    let bytes = || fs::metadata(server.data().join("switchboard.db-wal")).expect("the write-ahead log").len();
    assert!(bytes() < 2 * LIMIT, "{} bytes", bytes());
    assert!(!server.stderr().contains("could not be shortened"), "{}", server.stderr());
    drop(slow);
    // Baseline: a reader that holds what it has begun to read does.
    let script = "import sqlite3, sys\nlog = sqlite3.connect(sys.argv[1])\nlog.execute('BEGIN')\n\
                  log.execute('SELECT count(*) FROM sessions').fetchone()\nprint('held', flush=True)\nsys.stdin.read()";
    let mut holding = Command::new("python3");
    holding.args(["-c", script]).arg(server.data().join("switchboard.db")).kill_on_drop(true);
    let mut holding = holding.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut said = BufReader::new(holding.stdout.take().expect("a pipe"));
    said.read_line(&mut String::new()).await.expect("it holds what it reads");
    grow(&mut client, 70).await;
    assert!(bytes() > 2 * LIMIT, "{} bytes", bytes());
    assert!(server.stderr().contains("could not be shortened"), "{}", server.stderr());
    // When it is gone, the log gets shorter.
    holding.kill().await.expect("ended");
    grow(&mut client, 70).await;
    assert!(bytes() < 2 * LIMIT, "{} bytes", bytes());
}
