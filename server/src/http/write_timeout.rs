//! A connection that takes nothing any more ends, whatever is written to it: frames, events, a file. Reading from it is no sign
//! of life: a client may ask and never look at the answers.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// How long a client may take nothing of what it is sent.
const WRITE_LIMIT: Duration = Duration::from_secs(60);

/// A stream whose writes fail when the other end has taken nothing for [`WRITE_LIMIT`].
pub(super) struct WriteTimeout<S> {
    stream: S,
    /// Runs while a write waits.
    limit: Option<Pin<Box<Sleep>>>,
}

impl<S> WriteTimeout<S> {
    /// Over this stream.
    pub(super) fn new(stream: S) -> Self {
        Self { stream, limit: None }
    }

    fn watched<T>(&mut self, written: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.limit = None;
            return written;
        }
        let limit = self.limit.get_or_insert_with(|| Box::pin(sleep(WRITE_LIMIT)));
        ready!(limit.as_mut().poll(context));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client does not read")))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WriteTimeout<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WriteTimeout<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watched(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.watched(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
    use tokio::time::Instant;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_client_that_takes_nothing_is_let_go_after_a_minute_whatever_it_says() {
        let (mut client, server) = duplex(1024);
        let (mut from_client, mut to_client) = tokio::io::split(WriteTimeout::new(server));
        let began = Instant::now();

        let reads = async {
            loop {
                client.write_all(b"ping").await.expect("room");
                from_client.read_exact(&mut [0; 4]).await.expect("a ping");
                sleep(Duration::from_secs(1)).await;
            }
        };
        let written = tokio::select! {
            written = to_client.write_all(&[0; 4096]) => written,
            () = reads => Ok(()),
            () = sleep(2 * WRITE_LIMIT) => Ok(()),
        };

        assert_eq!(written.map_err(|error| error.kind()), Err(io::ErrorKind::TimedOut));
        assert_eq!(began.elapsed().as_secs(), WRITE_LIMIT.as_secs());
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_takes_a_little_now_and_then_is_kept() {
        let (mut client, server) = duplex(1024);
        let mut to_client = WriteTimeout::new(server);

        let writes = to_client.write_all(&[0; 4096]);
        let reads = async {
            for _ in 0..4 {
                sleep(WRITE_LIMIT / 2).await;
                client.read_exact(&mut [0; 1024]).await.expect("a piece");
            }
        };
        let (written, ()) = tokio::join!(writes, reads);

        assert!(written.is_ok());
    }
}
