//! What is known of the servers, for people: `/mcp` shows it, tests wait for it.

use std::collections::BTreeMap;

use tokio::sync::watch;

use super::file::{Door, ServerConfig};

/// Where a server stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerState {
    /// It is being started.
    Starting,
    /// Its tools are there.
    Ready,
    /// It failed and is started again soon.
    Waiting,
    /// It was stopped with the server.
    Stopped,
    /// The file says that it is not wanted.
    Disabled,
}

/// What is known of one server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerStatus {
    /// As the file names it.
    pub name: String,
    /// The command or the address, exactly.
    pub door: String,
    /// Where it stands.
    pub state: ServerState,
    /// What it says of itself.
    pub about: Option<String>,
    /// Its tools, by their names in the registry.
    pub tools: Vec<String>,
    /// What was left out of its tools, and why.
    pub notes: Vec<String>,
    /// Why it failed last.
    pub fault: Option<String>,
    /// How often it was started.
    pub starts: u32,
}

/// The status of all servers, by name.
#[derive(Debug)]
pub(super) struct Board(watch::Sender<BTreeMap<String, ServerStatus>>);

impl Board {
    /// All servers of the file, none of them started.
    pub(super) fn new(servers: &[ServerConfig], disabled: &[String]) -> Self {
        let wanted = servers.iter().map(|server| status(&server.name, door_text(&server.door), ServerState::Starting));
        let unwanted = disabled.iter().map(|name| status(name, String::new(), ServerState::Disabled));
        Self(watch::Sender::new(wanted.chain(unwanted).map(|status| (status.name.clone(), status)).collect()))
    }

    /// Changes what is known of a server.
    pub(super) fn change<T>(&self, name: &str, change: impl FnOnce(&mut ServerStatus) -> T) -> Option<T> {
        let mut result = None;
        self.0.send_modify(|all| result = all.get_mut(name).map(change));
        result
    }

    /// How many tools a server has.
    pub(super) fn tools_of(&self, name: &str) -> usize {
        self.0.borrow().get(name).map_or(0, |status| status.tools.len())
    }

    /// What is known now.
    pub(super) fn all(&self) -> Vec<ServerStatus> {
        self.0.borrow().values().cloned().collect()
    }

    /// Tells of changes.
    pub(super) fn subscribe(&self) -> watch::Receiver<BTreeMap<String, ServerStatus>> {
        self.0.subscribe()
    }
}

fn status(name: &str, door: String, state: ServerState) -> ServerStatus {
    let (tools, notes) = (Vec::new(), Vec::new());
    ServerStatus { name: name.to_owned(), door, state, about: None, tools, notes, fault: None, starts: 0 }
}

/// The command or the address, as people read it. Neither the environment nor headers are shown: keys stand there.
fn door_text(door: &Door) -> String {
    match door {
        Door::Url(door) => door.url.split(['?', '#']).next().unwrap_or_default().to_owned(),
        Door::Command(door) => {
            let words = std::iter::once(&door.program).chain(&door.arguments);
            words.map(|word| shell_word(word)).collect::<Vec<_>>().join(" ")
        }
    }
}

/// A word as a shell would take it.
fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:@=,+%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
