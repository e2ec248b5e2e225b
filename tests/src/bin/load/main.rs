//! The load generator: one measurement a run, over real sockets, in a process of its own. Prints one JSON object.
//!
//! `load turn|turns|call|ping|idle|fill|resume|reopen|passed-on|model-…`; `tests/bench` runs them and writes the table. Requests are bounded in number,
//! and only ever go to the address that is given.

mod model;
mod nodes;

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use futures_util::future::try_join_all;
use futures_util::stream::FuturesUnordered;
use futures_util::{SinkExt, StreamExt, TryStreamExt};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

type Socket = WebSocketStream<TcpStream>;

#[tokio::main]
async fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let figures = match words.as_slice() {
        ["turn", address, count] => turns(address, 1, count.parse()?).await?,
        ["turns", address, sessions, count] => turns(address, sessions.parse()?, count.parse()?).await?,
        ["call", address, count, tool, arguments] => calls(address, count.parse()?, tool, arguments).await?,
        ["ping", address, connections, count] => pings(address, connections.parse()?, count.parse()?).await?,
        ["idle", address, connections, pid] => idle(address, connections.parse()?, pid).await?,
        ["fill", address, count] => fill(address, count.parse()?).await?,
        ["resume", address, session, after] => resume(address, session, after.parse()?).await?,
        ["reopen", address, sessions] => nodes::reopen(address, sessions).await?,
        ["passed-on", owner, other, count] => nodes::passed_on(owner, other, count.parse()?).await?,
        ["model-questions", address, count] => model::questions(address, count.parse()?).await?,
        ["model-streams", address, count, text] => model::streams(address, count.parse()?, text).await?,
        ["model-bare-streams", address, count, text] => model::bare_streams(address, count.parse()?, text).await?,
        _ => bail!("usage: load turn|turns|call|ping|idle|fill|resume|reopen|passed-on|model-… ADDRESS …"),
    };
    println!("{figures}");
    Ok(())
}

/// Turns with one tool, in each session one after the other: from the frame sent to `agent-response`. Of several addresses, separated
/// by commas, each session is made at one, and its client is at any of them.
async fn turns(addresses: &str, sessions: usize, count: usize) -> Result<Value> {
    let mut sockets = match addresses.split(',').collect::<Vec<_>>().as_slice() {
        [address] => open(address, sessions).await?,
        several => open_at_any(several, sessions).await?,
    };
    // The first tenth warms up and is not counted.
    turns_of_all(&mut sockets, count / 10).await?;
    let begun = Instant::now();
    let done = turns_of_all(&mut sockets, count).await?;
    let elapsed = begun.elapsed().as_secs_f64();
    let mut figures = quantiles(done.times);
    figures["per_second"] = json!((sessions * count) as f64 / elapsed);
    figures["events_per_second"] = json!(done.events as f64 / elapsed);
    figures["events_per_turn"] = json!(done.events as f64 / (sessions * count) as f64);
    Ok(figures)
}

/// Turns that were taken.
#[derive(Default)]
struct Turns {
    times: Vec<Duration>,
    /// How many events the log got.
    events: u64,
}

async fn turns_of_all(sockets: &mut [Socket], count: usize) -> Result<Turns> {
    let all: FuturesUnordered<_> = sockets.iter_mut().map(|socket| turns_of(socket, count)).collect();
    all.try_fold(Turns::default(), async |mut done, turns| {
        done.times.extend(turns.times);
        done.events += turns.events;
        Ok(done)
    })
    .await
}

async fn turns_of(socket: &mut Socket, count: usize) -> Result<Turns> {
    let mut done = Turns::default();
    for number in 0..count {
        let begun = Instant::now();
        say(socket, &json!({"type": "send-message", "text": format!("Calculate {number} + 1")})).await?;
        loop {
            let text = receive_text(socket).await?;
            let frame: TurnFrame = serde_json::from_str(&text)?;
            done.events += u64::from(frame.seq.is_some());
            match (frame.kind, frame.complete) {
                ("agent-response", Some(true)) => break,
                ("agent-response" | "agent-error", _) => bail!("the turn did not end well: {text}"),
                _ => {}
            }
        }
        done.times.push(begun.elapsed());
    }
    Ok(done)
}

/// What is looked at in each frame of a turn: the less it costs, the less the load takes from the server.
#[derive(Deserialize)]
struct TurnFrame<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    complete: Option<bool>,
    seq: Option<u64>,
}

/// Calls of one tool by the user's own hand, one after the other: from the frame sent to `tool-call-end`.
async fn calls(address: &str, count: usize, tool: &str, arguments: &str) -> Result<Value> {
    let arguments: Value = serde_json::from_str(arguments).context("the arguments are JSON")?;
    let mut socket = connect(address, "").await?;
    let mut times = Vec::with_capacity(count);
    let mut preview = Value::Null;
    // The first tenth warms up and is not counted.
    for number in 0..count + count / 10 {
        let begun = Instant::now();
        let call = format!("call-{number}");
        say(&mut socket, &json!({"type": "call-tool", "callId": call, "tool": tool, "arguments": arguments})).await?;
        let end = until(&mut socket, |frame| {
            frame["type"] == "agent-error" || frame["type"] == "tool-call-end" && frame["callId"] == call.as_str()
        })
        .await?;
        if end["success"] != true || end["started"] != true {
            bail!("the call did not end well: {end}");
        }
        if number >= count / 10 {
            times.push(begun.elapsed());
        }
        preview = end["preview"][0].clone();
    }
    let mut figures = quantiles(times);
    figures["preview"] = preview;
    Ok(figures)
}

/// `ping` and its answer on many connections at once; a bare echo answers with the same text.
async fn pings(address: &str, connections: usize, count: usize) -> Result<Value> {
    let mut sockets = open(address, connections).await?;
    let begun = Instant::now();
    let times = try_join_all(sockets.iter_mut().map(|socket| async move {
        let mut times = Vec::with_capacity(count);
        for _ in 0..count {
            let begun = Instant::now();
            ping(socket).await?;
            times.push(begun.elapsed());
        }
        anyhow::Ok(times)
    }))
    .await?;
    let elapsed = begun.elapsed();
    let mut figures = quantiles(times.into_iter().flatten().collect());
    figures["per_second"] = json!((connections * count) as f64 / elapsed.as_secs_f64());
    Ok(figures)
}

/// What an idle connection costs the process `pid` in memory, in KiB.
async fn idle(address: &str, connections: usize, pid: &str) -> Result<Value> {
    drop(open(address, 50).await?);
    let before = resident(pid)?;
    let sockets = open(address, connections).await?;
    let after = resident(pid)?;
    drop(sockets);
    let each = (after.saturating_sub(before)) as f64 / connections as f64;
    Ok(json!({"before_kib": before, "after_kib": after, "each_kib": each}))
}

/// A session with `count` events.
async fn fill(address: &str, count: u64) -> Result<Value> {
    let mut socket = connect(address, "").await?;
    let ready = receive(&mut socket).await?;
    let begun = Instant::now();
    let (mut sent, mut seen) = (0, 0);
    while seen < count {
        // At most 64 on the way: the session's mailbox is bounded.
        while sent < count && sent - seen < 64 {
            let name = format!("v{}", sent % 100);
            say(&mut socket, &json!({"type": "set-variable", "name": name, "value": sent})).await?;
            sent += 1;
        }
        let frame = receive(&mut socket).await?;
        if let Some(seq) = frame["seq"].as_u64() {
            seen = seq;
        } else if frame["type"] == "agent-error" {
            bail!("refused: {frame}");
        }
    }
    let per_second = count as f64 / begun.elapsed().as_secs_f64();
    Ok(json!({"session": ready["sessionId"], "last_seq": seen, "per_second": per_second}))
}

/// From the connection to the last event, for a client that missed what came after `after`.
async fn resume(address: &str, session: &str, after: u64) -> Result<Value> {
    let mut times = Vec::new();
    for _ in 0..20 {
        let begun = Instant::now();
        let mut socket = connect(address, &format!("?session={session}&after={after}")).await?;
        let ready = receive(&mut socket).await?;
        let last = ready["lastSeq"].as_u64().context("session-ready has lastSeq")?;
        until(&mut socket, |frame| frame["seq"] == last).await?;
        times.push(begun.elapsed());
    }
    Ok(quantiles(times))
}

async fn open(address: &str, connections: usize) -> Result<Vec<Socket>> {
    let mut sockets = Vec::with_capacity(connections);
    while sockets.len() < connections {
        let batch = (connections - sockets.len()).min(64);
        let opened = try_join_all((0..batch).map(|_| async {
            let mut socket = connect(address, "").await?;
            ping(&mut socket).await?;
            anyhow::Ok(socket)
        }));
        sockets.extend(opened.await?);
    }
    Ok(sockets)
}

/// Sessions of which each is made at the next of these servers, with a client at any.
async fn open_at_any(addresses: &[&str], sessions: usize) -> Result<Vec<Socket>> {
    let mut sockets = Vec::with_capacity(sessions);
    for number in 0..sessions {
        let (made_at, used_at) = (number % addresses.len(), number / addresses.len() % addresses.len());
        let (first, session) = nodes::made(addresses[made_at]).await?;
        sockets.push(nodes::at(addresses[used_at], &session).await?);
        drop(first);
    }
    Ok(sockets)
}

async fn connect(address: &str, query: &str) -> Result<Socket> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let config = WebSocketConfig::default().read_buffer_size(4096).write_buffer_size(0);
    let url = format!("ws://{address}/ws{query}");
    let connected = client_async_with_config(url, stream, Some(config));
    let (socket, _) = tokio::time::timeout(Duration::from_secs(60), connected).await??;
    Ok(socket)
}

async fn ping(socket: &mut Socket) -> Result<()> {
    say(socket, &json!({"type": "ping"})).await?;
    until(socket, |frame| frame["type"] == "pong" || frame["type"] == "ping").await?;
    Ok(())
}

async fn say(socket: &mut Socket, frame: &Value) -> Result<()> {
    Ok(socket.send(Message::text(frame.to_string())).await?)
}

async fn receive(socket: &mut Socket) -> Result<Value> {
    Ok(serde_json::from_str(&receive_text(socket).await?)?)
}

async fn receive_text(socket: &mut Socket) -> Result<Utf8Bytes> {
    loop {
        let message = tokio::time::timeout(Duration::from_secs(60), socket.next()).await?;
        match message.context("the server closed the connection")?? {
            Message::Text(text) => return Ok(text),
            Message::Close(close) => bail!("the server closed the connection: {close:?}"),
            _ => {}
        }
    }
}

async fn until(socket: &mut Socket, fits: impl Fn(&Value) -> bool) -> Result<Value> {
    loop {
        let frame = receive(socket).await?;
        if fits(&frame) {
            return Ok(frame);
        }
    }
}

fn quantiles(mut times: Vec<Duration>) -> Value {
    times.sort();
    let at = |share: f64| {
        let place = ((times.len() as f64 * share) as usize).min(times.len().saturating_sub(1));
        times.get(place).map_or(0.0, Duration::as_secs_f64) * 1000.0
    };
    json!({"p50_ms": at(0.5), "p99_ms": at(0.99), "count": times.len()})
}

fn resident(pid: &str) -> Result<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).context("the process has memory")?;
    Ok(line.split_whitespace().nth(1).context("a number of KiB")?.parse()?)
}
