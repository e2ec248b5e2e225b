//! A WebSocket that another server serves: its bytes are passed on as they are, both ways. When that server is gone, or this one
//! lets go of the client, the client is told so in a close frame, if no frame was cut off in the middle.

use std::convert::Infallible;
use std::future::pending;
use std::time::Duration;

use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use switchboard_protocol::close;
use tokio::io::{AsyncReadExt, AsyncWriteExt, ReadHalf, WriteHalf, copy, sink, split};
use tokio::time::timeout;

/// How long a client may take to answer a close frame.
const GOODBYE: Duration = Duration::from_millis(500);
/// How many bytes are passed on at once.
const CHUNK: usize = 16 * 1024;
/// The first byte of a close frame.
const CLOSE: u8 = 0x88;

/// Why a tunnel ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// The other server has ended or broken off.
    Gone,
    /// The login that let the client in has ended.
    LoggedOut,
    /// This server stops.
    Stopping,
}

type Reading = ReadHalf<TokioIo<Upgraded>>;
type Writing = WriteHalf<TokioIo<Upgraded>>;

/// Passes on what comes until the client has gone, the server has, or it is to end.
pub(super) async fn tunnel(client: OnUpgrade, server: OnUpgrade, ending: impl Future<Output = Ending>) {
    let Ok((client, server)) = tokio::try_join!(client, server) else { return };
    let (mut from_client, mut to_client) = split(TokioIo::new(client));
    let (mut from_server, mut to_server) = split(TokioIo::new(server));
    let mut frames = Frames::default();
    let ending = tokio::select! {
        ending = pass_down(&mut from_server, &mut to_client, &mut frames) => ending,
        ending = ending => Ok(ending),
        Err(error) = pass_up(&mut from_client, &mut to_server) => Err(error),
    };
    // A client that has gone is not told anything.
    let Ok(ending) = ending else { return };
    let goodbye = async {
        if frames.is_between() {
            to_client.write_all(&ending.frame()).await?;
        }
        to_client.shutdown().await?;
        // What it still sends must not make the kernel take back what it was told.
        copy(&mut from_client, &mut sink()).await
    };
    // However that ends, the connection does.
    let _ = timeout(GOODBYE, goodbye).await;
}

/// Passes on what the client sends, and its end.
async fn pass_up(from: &mut Reading, to: &mut Writing) -> std::io::Result<Infallible> {
    copy(from, to).await?;
    to.shutdown().await?;
    // The server says what comes of that.
    pending().await
}

/// Passes on what the server sends, until it ends or breaks off; an error when the client does not take it.
async fn pass_down(from: &mut Reading, to: &mut Writing, frames: &mut Frames) -> std::io::Result<Ending> {
    let mut bytes = vec![0; CHUNK];
    while let Ok(read @ 1..) = from.read(&mut bytes).await {
        frames.is_written = false;
        to.write_all(&bytes[..read]).await?;
        to.flush().await?;
        frames.take(&bytes[..read]);
        frames.is_written = true;
    }
    Ok(Ending::Gone)
}

impl Ending {
    /// The close frame for it.
    fn frame(self) -> Vec<u8> {
        let (code, reason) = match self {
            Self::Gone => {
                (close::MOVED, "the server that had the session has gone; connect again and resume with after")
            }
            Self::LoggedOut => (close::NOT_AUTHORISED, "the login has ended; log in again"),
            Self::Stopping => (close::SHUTDOWN, "the server is stopping; connect again in a few seconds and resume"),
        };
        let length = u8::try_from(2 + reason.len()).expect("a reason has room for 123 bytes");
        [&[CLOSE, length][..], &code.to_be_bytes(), reason.as_bytes()].concat()
    }
}

/// Where in the frames of a server its bytes have come to. They are not masked.
#[derive(Debug)]
struct Frames {
    /// What there is of a frame's header.
    header: Vec<u8>,
    /// How much of a frame's content is still to come.
    left: u64,
    /// A close frame has begun.
    is_closed: bool,
    /// All that was read was passed on.
    is_written: bool,
}

impl Default for Frames {
    fn default() -> Self {
        Self { header: Vec::new(), left: 0, is_closed: false, is_written: true }
    }
}

impl Frames {
    fn take(&mut self, mut bytes: &[u8]) {
        while let [first, rest @ ..] = bytes {
            if self.left > 0 {
                let skipped = usize::try_from(self.left).map_or(bytes.len(), |left| left.min(bytes.len()));
                self.left -= skipped as u64;
                bytes = &bytes[skipped..];
                continue;
            }
            self.header.push(*first);
            bytes = rest;
            if let Some(length) = length(&self.header) {
                self.is_closed |= self.header[0] & 0x0f == CLOSE & 0x0f;
                self.left = length;
                self.header.clear();
            }
        }
    }

    /// Whether another frame may come here.
    fn is_between(&self) -> bool {
        self.is_written && self.header.is_empty() && self.left == 0 && !self.is_closed
    }
}

/// How long a frame's content is, when its header is whole.
fn length(header: &[u8]) -> Option<u64> {
    let [_, second, rest @ ..] = header else { return None };
    match second & 0x7f {
        126 => Some(u16::from_be_bytes(rest.try_into().ok()?).into()),
        127 => Some(u64::from_be_bytes(rest.try_into().ok()?)),
        short => Some(short.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(head: u8, length: usize) -> Vec<u8> {
        let mut frame = match length {
            0..=125 => vec![head, u8::try_from(length).expect("short")],
            126..=0xffff => [&[head, 126][..], &u16::try_from(length).expect("two bytes").to_be_bytes()].concat(),
            _ => [&[head, 127][..], &(length as u64).to_be_bytes()].concat(),
        };
        // What looks like frames is content.
        frame.extend(std::iter::repeat_n(CLOSE, length));
        frame
    }

    #[test]
    fn a_close_frame_comes_between_frames_only_and_once() {
        for length in [0, 1, 125, 126, 300, 0xffff, 0x1_0000, 200_000] {
            let bytes = frame(0x81, length);
            for step in [1, 7, bytes.len()] {
                let mut frames = Frames::default();
                let mut passed = 0;
                for piece in bytes.chunks(step) {
                    frames.take(piece);
                    passed += piece.len();
                    assert_eq!(frames.is_between(), passed == bytes.len(), "{passed} bytes of {length} and a header");
                }
            }
        }
        let mut frames = Frames::default();
        frames.take(&[frame(0x81, 3), frame(0x89, 0), frame(0x01, 200)].concat());
        assert!(frames.is_between(), "also within a message in pieces");
        frames.is_written = false;
        assert!(!frames.is_between(), "not while something is being written");
        frames.is_written = true;
        frames.take(&Ending::Gone.frame());
        assert!(!frames.is_between(), "the server has closed it");
    }
}
