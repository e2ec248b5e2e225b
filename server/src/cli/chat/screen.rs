//! What is shown, in order. A thread prints, because a terminal may hold it up, and nothing else may wait for that.

use std::collections::VecDeque;
use std::future;
use std::io::Write;
use std::thread;
use std::time::Duration;

use rustix::termios::{InputModes, LocalModes, OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::editor::Printer;

/// How much may wait before the connection is read no further.
const ROOM: usize = 256;
/// How long the last lines may take.
const LAST_LINES: Duration = Duration::from_secs(2);

pub(super) struct Screen {
    output: mpsc::Sender<String>,
    backlog: VecDeque<String>,
    broken: bool,
    /// Ends with the thread.
    printed: mpsc::Receiver<()>,
}

impl Screen {
    /// Prints through the editor's printer, or straight to standard output.
    pub(super) fn new(printer: Option<Printer>) -> std::io::Result<Self> {
        let (output, texts) = mpsc::channel(16);
        let (done, printed) = mpsc::channel(1);
        thread::Builder::new().name("screen".to_owned()).spawn(move || {
            print(texts, printer);
            drop(done);
        })?;
        Ok(Self { output, backlog: VecDeque::new(), broken: false, printed })
    }

    pub(super) fn show(&mut self, lines: &[String]) {
        if !lines.is_empty() {
            self.backlog.push_back(lines.join("\n") + "\n");
        }
    }

    pub(super) fn has_room(&self) -> bool {
        self.backlog.len() < ROOM
    }

    /// Whether nobody reads any more.
    pub(super) fn is_broken(&self) -> bool {
        self.broken
    }

    /// Hands on one text; may be dropped at any time without loss.
    pub(super) async fn deliver(&mut self) {
        if self.backlog.is_empty() {
            return future::pending().await;
        }
        match self.output.reserve().await {
            Ok(place) => {
                if let Some(text) = self.backlog.pop_front() {
                    place.send(text);
                }
            }
            Err(_) => {
                self.broken = true;
                self.backlog.clear();
            }
        }
    }

    /// Prints what is left.
    pub(super) async fn finish(mut self) {
        let last = async {
            while !self.backlog.is_empty() {
                self.deliver().await;
            }
            drop(self.output);
            self.printed.recv().await;
        };
        // A terminal that takes nothing any more does not hold up the end.
        let _printed = timeout(LAST_LINES, last).await;
    }
}

fn print(mut texts: mpsc::Receiver<String>, mut printer: Option<Printer>) {
    while let Some(mut text) = texts.blocking_recv() {
        while let Ok(more) = texts.try_recv() {
            text.push_str(&more);
        }
        let printed = match &mut printer {
            Some(printer) => printer.print(text).is_ok(),
            None => {
                let mut out = std::io::stdout().lock();
                out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_ok()
            }
        };
        if !printed {
            return;
        }
    }
}

/// The terminal while lines are edited: between two lines it takes no keys for itself, so that a key that is pressed just
/// then, Ctrl-D above all, reaches the next line. Dropping this gives the terminal back as it was.
pub(super) struct Terminal {
    before: Option<Termios>,
}

impl Terminal {
    /// Takes the terminal over, if lines are edited in one.
    pub(super) fn take(live: bool) -> Self {
        let before = if live { tcgetattr(std::io::stdin()).ok() } else { None };
        if let Some(mut quiet) = before.clone() {
            quiet.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO);
            quiet.input_modes.remove(InputModes::ICRNL);
            set(&quiet);
        }
        Self { before }
    }
}

impl Drop for Terminal {
    /// As it was, with an empty last line, and with pasting as usual.
    fn drop(&mut self) {
        if let Some(before) = &self.before {
            set(before);
            let mut out = std::io::stdout();
            // A terminal that is gone needs nothing.
            let _gone = out.write_all(b"\r\x1b[K\x1b[?2004l").and_then(|()| out.flush());
        }
    }
}

fn set(modes: &Termios) {
    // A terminal that is gone has no modes.
    let _gone = tcsetattr(std::io::stdin(), OptionalActions::Drain, modes);
}

/// How many columns there are, if the output is a terminal.
pub(super) fn width() -> Option<usize> {
    tcgetwinsize(std::io::stdout()).ok().map(|size| usize::from(size.ws_col)).filter(|columns| *columns > 0)
}
