//! A real terminal: a program runs in tmux, keys are sent, the screen is read.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::Duration;

use uuid::Uuid;

use crate::soon;

/// A terminal with one program in it; ended when dropped.
#[derive(Debug)]
pub struct Terminal {
    socket: PathBuf,
}

impl Terminal {
    /// Runs a command line in a terminal of its own.
    #[must_use]
    pub fn run(command: &str) -> Self {
        let socket = std::env::temp_dir().join(format!("switchboard-{}.tmux", Uuid::new_v4()));
        let terminal = Self { socket };
        terminal.tmux(&["-f", "/dev/null", "new-session", "-d", "-x", "150", "-y", "50", command]);
        terminal.tmux(&["set-option", "-g", "history-limit", "5000"]);
        terminal
    }

    /// Types a line and Enter.
    pub fn line(&self, text: &str) {
        self.tmux(&["send-keys", "-l", text]);
        self.key("Enter");
    }

    /// Presses a key, such as `C-c`.
    pub fn key(&self, key: &str) {
        self.tmux(&["send-keys", key]);
    }

    /// Waits until the text stands on the screen or above it.
    pub async fn expect(&self, text: &str) {
        self.until(&format!("{text:?} on the terminal"), |screen| screen.contains(text)).await;
    }

    /// Waits until the text stands there that often.
    pub async fn expect_times(&self, text: &str, times: usize) {
        self.until(&format!("{text:?} {times} times"), |screen| screen.matches(text).count() >= times).await;
    }

    /// What stands on the screen and above it, wrapped lines joined.
    #[must_use]
    pub fn screen(&self) -> String {
        String::from_utf8_lossy(&self.output(&["capture-pane", "-p", "-J", "-S", "-5000"]).stdout).into_owned()
    }

    async fn until(&self, what: &str, fits: impl Fn(&str) -> bool) {
        let seen = tokio::time::timeout(crate::HANG, async {
            while !fits(&self.screen()) {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        });
        assert!(seen.await.is_ok(), "no {what}:\n{}", self.screen());
    }

    /// Waits until the program has ended.
    pub async fn ended(&self) {
        soon("the end of the program", async {
            while self.output(&["has-session"]).status.success() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        })
        .await;
    }

    fn tmux(&self, arguments: &[&str]) {
        let output = self.output(arguments);
        assert!(output.status.success(), "tmux {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    fn output(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new("tmux");
        command.arg("-S").arg(&self.socket).args(arguments).env("TERM", "xterm-256color").env_remove("TMUX");
        command.output().expect("tmux is installed")
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.output(&["kill-server"]);
        let _ = std::fs::remove_file(&self.socket);
    }
}
