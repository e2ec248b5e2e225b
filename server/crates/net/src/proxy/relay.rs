//! Takes bytes from one side of a connection to the other, both ways, and counts them.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;

const CHUNK_BYTES: usize = 16 * 1024;

/// Relays until both sides have said all, or one is broken. Of the client's bytes, only `more` go on, if that is said.
pub(super) async fn relay(
    client: &mut TcpStream,
    other: &mut TcpStream,
    more: Option<u64>,
    count: impl Fn(usize, usize),
) -> io::Result<()> {
    let (client_reads, client_writes) = client.split();
    let (other_reads, other_writes) = other.split();
    let limited = client_reads.take(more.unwrap_or(u64::MAX));
    let up = pump(limited, other_writes, more.is_none(), |bytes| count(bytes, 0));
    let down = pump(other_reads, client_writes, true, |bytes| count(0, bytes));
    tokio::try_join!(up, down).map(|_| ())
}

/// One way; at its end the other side is told that nothing more comes, if `tells`.
async fn pump(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    tells: bool,
    count: impl Fn(usize),
) -> io::Result<()> {
    let mut bytes = vec![0; CHUNK_BYTES];
    loop {
        let read = from.read(&mut bytes).await?;
        if read == 0 {
            break;
        }
        to.write_all(&bytes[..read]).await?;
        count(read);
    }
    if tells { to.shutdown().await } else { Ok(()) }
}
