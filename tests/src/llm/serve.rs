//! One connection of the scripted server: one request, one answer, and what is wrong with it.

use std::sync::PoisonError;
use std::time::Instant;

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::{Answer, Asked, Shared, anthropic};

/// Answers one request; an error when the client went away before the end.
pub(super) async fn serve(mut socket: TcpStream, shared: &Shared) -> std::io::Result<()> {
    let Some((head, body)) = read(&mut socket).await? else { return Ok(()) };
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    if !head.starts_with("POST ") {
        let body = match path.split('?').next().is_some_and(|path| path.ends_with("/models")) {
            true if anthropic::is_asked(&head) => anthropic::models(&path).to_string(),
            true => json!({"object": "list", "data": [{"id": "scripted", "object": "model"}]}).to_string(),
            false => "{}".to_owned(),
        };
        let answer = Answer::text("");
        socket.write_all(&answer.head("application/json", Some(body.len()))).await?;
        socket.write_all(body.as_bytes()).await?;
        return socket.shutdown().await;
    }
    let asked = {
        let mut all = shared.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let body = serde_json::from_slice(&body).unwrap_or_default();
        let asked = Asked { number: all.len() + 1, path, head, body, at: Instant::now() };
        all.push(asked.clone());
        asked
    };
    let answer = (shared.script)(&asked);
    shared.count.send_modify(|count| *count += 1);
    tokio::time::sleep(answer.delay).await;
    if let Some(raw) = &answer.raw {
        write(&mut socket, raw, answer.bytes).await?;
        if answer.stall_after.is_some() {
            return gone(&mut socket).await;
        }
        return socket.shutdown().await;
    }
    if asked.streams() && answer.refusal.is_none() {
        return stream(socket, &answer, &asked, shared).await;
    }
    let body = answer.body(&asked);
    if answer.stall_after.is_some() {
        return gone(&mut socket).await;
    }
    if answer.hold_after.is_some() {
        released(&mut socket, shared).await?;
    }
    let mut bytes = answer.head("application/json", Some(body.len()));
    // Cut off: the head promises more than comes.
    bytes.extend_from_slice(if answer.cut_after.is_some() { &body[..body.len() / 2] } else { &body });
    write(&mut socket, &bytes, answer.bytes).await?;
    socket.shutdown().await
}

async fn stream(mut socket: TcpStream, answer: &Answer, asked: &Asked, shared: &Shared) -> std::io::Result<()> {
    write(&mut socket, &answer.head("text/event-stream", None), answer.bytes).await?;
    for (number, event) in answer.events(asked).iter().enumerate() {
        if answer.cut_after == Some(number) {
            break;
        }
        if answer.stall_after == Some(number) {
            return gone(&mut socket).await;
        }
        if answer.hold_after == Some(number) {
            released(&mut socket, shared).await?;
        }
        write(&mut socket, event, answer.bytes).await?;
        if !answer.between.is_zero() {
            tokio::time::sleep(answer.between).await;
        }
    }
    socket.shutdown().await
}

async fn released(socket: &mut TcpStream, shared: &Shared) -> std::io::Result<()> {
    tokio::select! {
        permit = shared.released.acquire() => {
            if let Ok(permit) = permit {
                permit.forget();
            }
            Ok(())
        }
        gone = gone(socket) => gone,
    }
}

/// Waits until the client goes away; always an error.
async fn gone(socket: &mut TcpStream) -> std::io::Result<()> {
    let mut buffer = [0; 64];
    while socket.read(&mut buffer).await? > 0 {}
    Err(std::io::ErrorKind::BrokenPipe.into())
}

async fn write(socket: &mut TcpStream, bytes: &[u8], at_once: usize) -> std::io::Result<()> {
    for piece in bytes.chunks(at_once.min(bytes.len()).max(1)) {
        socket.write_all(piece).await?;
        if at_once < bytes.len() {
            socket.flush().await?;
            tokio::task::yield_now().await;
        }
    }
    Ok(())
}

/// Head and body of a request; none when the client only connected.
async fn read(socket: &mut TcpStream) -> std::io::Result<Option<(String, Vec<u8>)>> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 16 * 1024];
    loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
            });
            if bytes.len() - end - 4 >= length.unwrap_or(0_usize) {
                return Ok(Some((head, bytes.split_off(end + 4))));
            }
        }
        match socket.read(&mut buffer).await? {
            0 => return Ok(None),
            count => bytes.extend_from_slice(&buffer[..count]),
        }
    }
}
