//! Several servers with one log: a client at a server that passes its requests on, beside one at the server that has the session; and
//! sessions that nobody has opened for long.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::{Socket, connect, ping, quantiles, receive, turns_of, until};

/// Turns and pings of a client at the server that has the session, and of one of another session there that comes to `other`: in
/// turns, so that both see the same load.
pub(super) async fn passed_on(owner: &str, other: &str, count: usize) -> Result<Value> {
    let (mut at_owner, _) = made(owner).await?;
    let (first, session) = made(owner).await?;
    let mut passed_on = at(other, &session).await?;
    drop(first);
    let (mut turns, mut pings) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
    // The first tenth warms up and is not counted.
    for number in 0..count + count / 10 {
        for (place, socket) in [&mut at_owner, &mut passed_on].into_iter().enumerate() {
            let turn = turns_of(socket, 1).await?.times;
            let begun = Instant::now();
            ping(socket).await?;
            if number >= count / 10 {
                turns[place].extend(turn);
                pings[place].push(begun.elapsed());
            }
        }
    }
    let [turn_at_owner, turn_passed_on] = turns.map(quantiles);
    let [ping_at_owner, ping_passed_on] = pings.map(quantiles);
    Ok(json!({
        "turn": {"owner": turn_at_owner, "other": turn_passed_on},
        "ping": {"owner": ping_at_owner, "other": ping_passed_on},
    }))
}

/// A new session, and the socket that made it.
pub(super) async fn made(address: &str) -> Result<(Socket, String)> {
    let mut socket = connect(address, "").await?;
    let ready = receive(&mut socket).await?;
    let session = ready["sessionId"].as_str().context("session-ready has sessionId")?.to_owned();
    ping(&mut socket).await?;
    Ok((socket, session))
}

/// A socket of a session that there is.
pub(super) async fn at(address: &str, session: &str) -> Result<Socket> {
    let mut socket = connect(address, &format!("?session={session}&tail=1")).await?;
    ping(&mut socket).await?;
    Ok(socket)
}

/// From the connection to the last event of sessions that nobody has open, each once; and a turn in each.
pub(super) async fn reopen(address: &str, sessions: &str) -> Result<Value> {
    let (mut opened, mut turns): (Vec<Duration>, Vec<Duration>) = Default::default();
    for session in sessions.split(',') {
        let begun = Instant::now();
        let mut socket = connect(address, &format!("?session={session}&tail=200")).await?;
        let ready = receive(&mut socket).await?;
        let last = ready["lastSeq"].as_u64().context("session-ready has lastSeq")?;
        until(&mut socket, |frame| frame["seq"] == last).await?;
        opened.push(begun.elapsed());
        turns.extend(turns_of(&mut socket, 1).await?.times);
    }
    Ok(json!({"open": quantiles(opened), "turn": quantiles(turns)}))
}
