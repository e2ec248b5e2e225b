//! How long calls may take; over a connection in memory, on a clock that the test moves.

use rmcp::model::{CallToolRequest, CallToolRequestParams};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, duplex, split};
use tokio_util::sync::CancellationToken;

use super::*;
use crate::file::ServerTransport;
use crate::greeting::open_over;
use crate::test_support::{Output, context};

/// What the other side does with a call.
#[derive(Clone, Copy)]
enum Does {
    Nothing,
    /// Reports progress again and again, so far apart.
    Progress(Duration),
    /// Answers after so long.
    Answer(Duration),
}

/// The other side; what it is told is kept.
async fn serve(stream: DuplexStream, does: Does, told: Arc<std::sync::Mutex<Vec<String>>>) {
    let (read, mut write) = split(stream);
    let mut lines = BufReader::new(read).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        let message: Value = serde_json::from_str(&line).expect("JSON");
        let method = message["method"].as_str().unwrap_or_default().to_owned();
        told.lock().expect("nobody panicked").push(method.clone());
        let result = match method.as_str() {
            "initialize" => json!({
                "protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": "x", "version": "1"},
            }),
            "tools/call" => {
                match does {
                    Does::Nothing => continue,
                    Does::Answer(after) => tokio::time::sleep(after).await,
                    Does::Progress(apart) => {
                        for n in 0.. {
                            tokio::time::sleep(apart).await;
                            let token = &message["params"]["_meta"]["progressToken"];
                            let params = json!({"progressToken": token, "progress": n});
                            let report =
                                json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params});
                            if write.write_all(format!("{report}\n").as_bytes()).await.is_err() {
                                return;
                            }
                        }
                    }
                }
                json!({"content": []})
            }
            _ => continue,
        };
        let answer = json!({"jsonrpc": "2.0", "id": message["id"], "result": result});
        let _ = write.write_all(format!("{answer}\n").as_bytes()).await;
    }
}

struct Called {
    result: Result<ServerResult, ToolFailure>,
    took: Duration,
    reports: usize,
    told: Vec<String>,
}

async fn call(does: Does) -> Called {
    let (ours, theirs) = duplex(64 * 1024);
    let told = Arc::<std::sync::Mutex<Vec<String>>>::default();
    #[expect(clippy::disallowed_methods, reason = "the task ends with the connection")]
    tokio::spawn(serve(theirs, does, Arc::clone(&told)));
    let opened = open_over(split(ours)).await.expect("the other side greets");
    let transport = ServerTransport::Stdio(crate::file::StdioTransport::default());
    let server = ServerConfig {
        name: "x".into(),
        id: "x".into(),
        transport,
        shown: String::new(),
        trusted: false,
        timeout: None,
    };
    let caller = Caller::new(&server, &Limits::default(), &opened.connection);
    let output = Arc::<Output>::default();
    let context = context(&output, &CancellationToken::new());
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(CallToolRequestParams::new("tool")));

    let began = Instant::now();
    let result = caller.call(request, false, &context).await;
    let took = began.elapsed();
    // What was told before is read before this is answered.
    let _ = opened.connection.ping(&Limits { answer: Duration::from_secs(1), ..Limits::default() }).await;
    let reports = output.text().lines().count();
    let told = told.lock().expect("nobody panicked").clone();
    Called { result, took, reports, told }
}

#[tokio::test(start_paused = true)]
async fn i08_a_silent_call_ends_after_a_minute_and_the_server_is_told() {
    let called = call(Does::Nothing).await;

    let failure = called.result.expect_err("it is too slow");
    assert_eq!((failure.error_type, failure.message.as_str()), (ErrorType::Timeout, "gave no sign of life for 60 s"));
    assert_eq!(called.took.as_secs(), 60);
    assert!(called.told.contains(&"notifications/cancelled".to_owned()), "{:?}", called.told);
}

#[tokio::test(start_paused = true)]
async fn i08_progress_keeps_a_call_alive_for_ten_minutes_and_no_longer() {
    let called = call(Does::Progress(Duration::from_secs(55))).await;

    let failure = called.result.expect_err("it is too slow");
    assert_eq!((failure.error_type, failure.message.as_str()), (ErrorType::Timeout, "took longer than 600 s"));
    assert_eq!((called.took.as_secs(), called.reports), (600, 10));
}

#[tokio::test(start_paused = true)]
async fn progress_that_comes_too_rarely_does_not_keep_a_call_alive() {
    let called = call(Does::Progress(Duration::from_secs(61))).await;

    assert_eq!((called.took.as_secs(), called.reports), (60, 0));
    assert!(called.result.is_err());
}

#[tokio::test(start_paused = true)]
async fn an_answer_in_time_is_the_answer() {
    let called = call(Does::Answer(Duration::from_secs(59))).await;

    assert!(called.result.is_ok(), "{:?}", called.result);
    assert_eq!(called.took.as_secs(), 59);
}
