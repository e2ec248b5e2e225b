//! What a turn costs over the model's own time: turns, first pieces and whole streams through the server, and the same
//! asked of the scripted provider (`scripted_llm`) with nothing between.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use futures_util::future::try_join_all;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::{Socket, connect, ping, quantiles, receive, say, until};

/// The two questions of such a turn, with nothing between.
pub(super) async fn questions(address: &str, count: usize) -> Result<Value> {
    let mut times = Vec::with_capacity(count);
    for _ in 0..count {
        let begun = Instant::now();
        ask(address, &json!({"role": "user", "content": "Calculate 1 + 1"})).await?;
        ask(address, &json!({"role": "tool", "content": "2"})).await?;
        times.push(begun.elapsed());
    }
    Ok(quantiles(times))
}

/// From the message to the first piece of the reply, and to its end, on `streams` sessions at once.
pub(super) async fn streams(address: &str, streams: usize, text: &str) -> Result<Value> {
    let mut sockets = Vec::with_capacity(streams);
    while sockets.len() < streams {
        let batch = (streams - sockets.len()).min(64);
        sockets.extend(try_join_all((0..batch).map(|_| begin(address))).await?);
    }
    let begun = Instant::now();
    let times = try_join_all(sockets.iter_mut().map(|socket| reply(socket, text))).await?;
    Ok(first_and_whole(times, begun.elapsed()))
}

/// The same, with nothing between.
pub(super) async fn bare_streams(address: &str, streams: usize, text: &str) -> Result<Value> {
    let message = json!({"role": "user", "content": text});
    let begun = Instant::now();
    let times = try_join_all((0..streams).map(|_| ask(address, &message))).await?;
    Ok(first_and_whole(times, begun.elapsed()))
}

async fn begin(address: &str) -> Result<Socket> {
    let mut socket = connect(address, "").await?;
    ping(&mut socket).await?;
    Ok(socket)
}

async fn reply(socket: &mut Socket, text: &str) -> Result<(Duration, Duration)> {
    let begun = Instant::now();
    say(socket, &json!({"type": "send-message", "text": text})).await?;
    until(socket, |frame| frame["type"] == "agent-delta").await?;
    let first = begun.elapsed();
    loop {
        let frame = receive(socket).await?;
        if frame["type"] == "agent-response" {
            return Ok((first, begun.elapsed()));
        }
        if frame["type"] == "agent-error" {
            bail!("the turn did not end well: {frame}");
        }
    }
}

/// One question to the provider: until the first piece of text, if there is any, and until the end.
async fn ask(address: &str, message: &Value) -> Result<(Duration, Duration)> {
    let begun = Instant::now();
    let body = json!({"model": "scripted", "stream": true, "messages": [message]}).to_string();
    let head = format!(
        "POST /v1/chat/completions HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all((head + &body).as_bytes()).await?;
    let (mut read, mut buffer, mut first) = (Vec::new(), [0; 8192], None);
    loop {
        let count = tokio::time::timeout(Duration::from_secs(60), stream.read(&mut buffer)).await??;
        if count == 0 {
            break;
        }
        read.extend_from_slice(&buffer[..count]);
        if first.is_none() && has_text(&read) {
            first = Some(begun.elapsed());
        }
    }
    let whole = begun.elapsed();
    read.windows(6).any(|piece| piece == b"[DONE]").then_some((first.unwrap_or(whole), whole)).context("a whole answer")
}

/// Whether a piece of a reply has come that is not empty.
fn has_text(read: &[u8]) -> bool {
    let sign = b"\"content\":\"";
    read.windows(sign.len() + 1).any(|piece| piece.starts_with(sign) && !piece.ends_with(b"\""))
}

fn first_and_whole(times: Vec<(Duration, Duration)>, elapsed: Duration) -> Value {
    let (first, whole): (Vec<Duration>, Vec<Duration>) = times.into_iter().unzip();
    json!({"first": quantiles(first), "whole": quantiles(whole), "elapsed_ms": elapsed.as_secs_f64() * 1000.0})
}
