//! A command's standard output, line by line: a line that never ends is refused before it fills the memory, and what is
//! not JSON is reported once.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, ReadBuf};

use super::watch::Watch;

/// The longest message: a result of the largest size, in base64, with something around it.
pub(super) const MAX_MESSAGE_BYTES: usize = 24 * 1024 * 1024;

/// Passes lines on.
pub(super) struct Lines<R> {
    inner: R,
    name: String,
    watch: Arc<Watch>,
    length: usize,
    limit: usize,
    noise: bool,
}

impl<R> Lines<R> {
    /// Lines of at most `limit` bytes.
    pub(super) fn new(inner: R, name: &str, watch: Arc<Watch>, limit: usize) -> Self {
        Self { inner, name: name.to_owned(), watch, length: 0, limit, noise: false }
    }

    /// Whether these bytes may pass.
    fn pass(&mut self, bytes: &[u8]) -> bool {
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let begins = self.length == 0;
            if begins && !self.noise && !matches!(line.first(), Some(b'{' | b'[' | b' ' | b'\t' | b'\r' | b'\n')) {
                self.noise = true;
                let (text, _) = super::names::sanitized(&String::from_utf8_lossy(&line[..line.len().min(100)]));
                let name = &self.name;
                tracing::warn!(
                    "MCP server {name} writes something other than messages to its standard output: {}",
                    text.trim()
                );
            }
            self.length += line.len();
            if self.length > self.limit {
                return false;
            }
            if line.ends_with(b"\n") {
                self.length = 0;
            }
        }
        true
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Lines<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.inner).poll_read(context, buffer))?;
        let passes = self.pass(&buffer.filled()[before..]);
        if !passes {
            // As if the output had ended here.
            buffer.set_filled(before);
            self.watch.end(&format!("it sent a message of more than {} bytes", self.limit));
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;

    use super::*;

    async fn read(bytes: &[u8], limit: usize) -> (Vec<u8>, Option<String>) {
        let watch = Arc::<Watch>::default();
        let mut out = Vec::new();
        let mut lines = Lines::new(bytes, "test", Arc::clone(&watch), limit);
        lines.read_to_end(&mut out).await.expect("bytes can be read");
        (out, watch.reason())
    }

    #[tokio::test]
    async fn lines_pass_as_they_are() {
        let text = b"{}\r\nnoise\n{\"a\": 1}\n";

        assert_eq!(read(text, 10).await, (text.to_vec(), None));
    }

    #[tokio::test]
    async fn i02_a_line_that_is_too_long_ends_the_connection() {
        let (read, reason) = read(b"{\"long\": \"xxxxxxxx", 10).await;

        assert_eq!(read, b"");
        assert_eq!(reason.as_deref(), Some("it sent a message of more than 10 bytes"));
    }
}
