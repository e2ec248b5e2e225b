//! One connection of a command, from its first byte to its last.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::journal::ConnectionEnd;
use super::relay::relay;
use super::request::{MAX_HEAD_BYTES, Parsed, ProxyRequest};
use super::server::Proxy;
use super::{http, reply, socks};
use crate::dialer::DialError;

/// How long a client may take to say what it wants.
const HEAD_LIMIT: Duration = Duration::from_secs(30);

/// How long a client that was refused may go on sending before its connection ends.
const LINGER: Duration = Duration::from_millis(500);

impl Proxy {
    /// Serves a connection; a client that breaks off needs no answer.
    pub(super) async fn connection(&self, mut client: TcpStream) {
        let _ = self.serve_connection(&mut client).await;
    }

    async fn serve_connection(&self, client: &mut TcpStream) -> io::Result<()> {
        let Ok(heard) = tokio::time::timeout(HEAD_LIMIT, hear(client)).await else { return Ok(()) };
        let Some(request) = heard? else { return linger(client).await };
        let connected = self.attempt(&request).await;
        let end = match &connected {
            Ok(_) => ConnectionEnd::Connected,
            Err(DialError::Refused(why)) => ConnectionEnd::Refused(why.clone()),
            Err(DialError::Unreachable(why)) => ConnectionEnd::Failed(why.clone()),
        };
        self.journal.attempt(&request.to, &end);
        self.gate.heard(&request.to, &end);
        if let Some(answer) = reply::to_attempt(request.language, &end) {
            client.write_all(&answer).await?;
        }
        let Ok(mut other) = connected else { return linger(client).await };
        other.write_all(&request.first).await?;
        self.journal.count(&request.to, request.first.len(), 0);
        relay(client, &mut other, request.more, |sent, received| self.journal.count(&request.to, sent, received)).await
    }

    /// Nothing is looked up before the gate is passed.
    async fn attempt(&self, request: &ProxyRequest) -> Result<TcpStream, DialError> {
        self.dialer.check(&request.to)?;
        self.gate.admit(&request.to).await.map_err(DialError::Refused)?;
        self.dialer.connect(&request.to).await
    }
}

/// What the client wants; none if that cannot be done, which it was told.
async fn hear(client: &mut TcpStream) -> io::Result<Option<ProxyRequest>> {
    let mut bytes = Vec::new();
    fill(client, &mut bytes).await?;
    if bytes[0] == socks::VERSION { hear_socks(client, bytes).await } else { hear_http(client, bytes).await }
}

async fn hear_http(client: &mut TcpStream, mut bytes: Vec<u8>) -> io::Result<Option<ProxyRequest>> {
    loop {
        match http::parse(&bytes) {
            Parsed::Incomplete => fill(client, &mut bytes).await?,
            Parsed::Whole(request) => return Ok(Some(request)),
            Parsed::Wrong(why) => {
                client.write_all(&reply::http(400, &why)).await?;
                return Ok(None);
            }
        }
    }
}

async fn hear_socks(client: &mut TcpStream, mut bytes: Vec<u8>) -> io::Result<Option<ProxyRequest>> {
    loop {
        match socks::greeting(&bytes) {
            Parsed::Incomplete => fill(client, &mut bytes).await?,
            Parsed::Whole((true, length)) => {
                bytes.drain(..length);
                break;
            }
            Parsed::Whole((false, _)) | Parsed::Wrong(_) => {
                client.write_all(&socks::NO_METHOD).await?;
                return Ok(None);
            }
        }
    }
    client.write_all(&socks::NO_AUTHENTICATION).await?;
    loop {
        let refusal = match socks::request(&bytes) {
            Parsed::Incomplete => {
                fill(client, &mut bytes).await?;
                continue;
            }
            Parsed::Whole(Ok(request)) => return Ok(Some(request)),
            Parsed::Whole(Err(refusal)) => refusal,
            Parsed::Wrong(_) => socks::SocksReply::Failed,
        };
        client.write_all(&socks::reply(refusal)).await?;
        return Ok(None);
    }
}

/// Reads more; an error at the end, and beyond what a head may have.
async fn fill(client: &mut TcpStream, bytes: &mut Vec<u8>) -> io::Result<()> {
    let mut more = [0; 4096];
    let count = client.read(&mut more).await?;
    bytes.extend_from_slice(&more[..count]);
    match count {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        _ if bytes.len() > 2 * MAX_HEAD_BYTES => Err(io::ErrorKind::InvalidData.into()),
        _ => Ok(()),
    }
}

/// Lets the client read its answer: a connection that is closed while the client still sends is reset, answer and all.
async fn linger(client: &mut TcpStream) -> io::Result<()> {
    client.shutdown().await?;
    let drained = async {
        let mut bytes = [0; 4096];
        while client.read(&mut bytes).await? > 0 {}
        Ok(())
    };
    tokio::time::timeout(LINGER, drained).await.unwrap_or(Ok(()))
}
