//! The worker's line to the server: the command comes in through it, and while it is open the server is there.
//!
//! After the command, a byte means that it is canceled, and the end of the line that the server is gone.

use std::io::{BufRead, BufReader, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::handover;
use super::spec::RunSpec;

/// The byte with which the listener of the command's proxy goes to the server. It is nothing to whoever reads the report
/// that follows.
pub(super) const LISTENER: u8 = b' ';

/// No time at all: a poll only looks.
const NOW: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };

/// What the server wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wish {
    /// That the command runs on.
    GoOn,
    /// That the command ends, with time to clean up.
    Cancel,
    /// Nothing any more: the server is gone.
    Gone,
}

/// The reading end.
pub(super) struct Lifeline {
    lines: BufReader<UnixStream>,
}

impl Lifeline {
    pub(super) fn over(socket: UnixStream) -> Self {
        Self { lines: BufReader::new(socket) }
    }

    /// Waits until the server says something, or is gone; `false` when this process ends before.
    ///
    /// # Errors
    /// When it cannot wait.
    pub(super) fn speaks_before(&self, pidfd: impl AsFd) -> rustix::io::Result<bool> {
        let mut ends = [PollFd::new(self, PollFlags::IN), PollFd::new(&pidfd, PollFlags::IN)];
        while let Err(error) = poll(&mut ends, None) {
            if error != Errno::INTR {
                return Err(error);
            }
        }
        Ok(!ends[0].revents().is_empty())
    }

    /// The command, which is the first line.
    ///
    /// # Errors
    /// When what comes is not a whole command; it must not be run then.
    pub(super) fn spec(&mut self) -> std::io::Result<RunSpec> {
        let mut line = String::new();
        self.lines.read_line(&mut line)?;
        if !line.ends_with('\n') {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        serde_json::from_str(&line).map_err(Into::into)
    }

    /// Hands the server the listener of the command's proxy.
    ///
    /// # Errors
    /// When the server is gone.
    pub(super) fn hand_over(&self, listener: &OwnedFd) -> std::io::Result<()> {
        handover::send(self.lines.get_ref(), &[LISTENER], listener)
    }

    /// Looks without waiting.
    pub(super) fn look(&mut self) -> Wish {
        if !self.lines.buffer().is_empty() {
            self.lines.consume(self.lines.buffer().len());
            return Wish::Cancel;
        }
        let mut line = [PollFd::new(self.lines.get_ref(), PollFlags::IN)];
        match poll(&mut line, Some(&NOW)) {
            Ok(0) | Err(_) => return Wish::GoOn,
            Ok(_) => {}
        }
        match self.lines.get_mut().read(&mut [0; 16]) {
            Ok(0) | Err(_) => Wish::Gone,
            Ok(_) => Wish::Cancel,
        }
    }
}

impl AsFd for Lifeline {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.lines.get_ref().as_fd()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn pair() -> (UnixStream, Lifeline) {
        let (server, worker) = UnixStream::pair().expect("a pair");
        (server, Lifeline::over(worker))
    }

    #[test]
    fn half_a_command_is_none() {
        let (mut server, mut lifeline) = pair();
        server.write_all(b"{\"command\": [\"true\"]").expect("written");
        drop(server);

        assert_eq!(lifeline.spec().expect_err("no command").kind(), std::io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn a_byte_cancels_and_the_end_says_that_the_server_is_gone() {
        let (mut server, mut lifeline) = pair();
        assert_eq!(lifeline.look(), Wish::GoOn);

        server.write_all(b".").expect("written");
        assert_eq!([lifeline.look(), lifeline.look()], [Wish::Cancel, Wish::GoOn]);

        drop(server);
        assert_eq!([lifeline.look(), lifeline.look()], [Wish::Gone, Wish::Gone]);
    }
}
