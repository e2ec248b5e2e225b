//! The conversation as a terminal sees it: events and lines in, what to show and what to send out. It knows neither
//! socket nor terminal, so all of it is tested by values.

use std::collections::HashMap;

use switchboard_protocol::client::ClientEvent;
use switchboard_protocol::{ClientFrame, MessageId, SandboxState, ServerFrame, ServerMessage, SessionId};
use uuid::Uuid;

use super::questions::{OpenQuestion, Questions, Reading};
use super::render::{Renderer, word};
use super::sanitize::{short, visible};
use super::style::Style;

/// What a line or a key leads to.
#[derive(Debug, PartialEq)]
pub(super) enum Action {
    /// These lines are shown.
    Show(Vec<String>),
    /// This frame is sent.
    Send(ClientFrame),
    /// The user leaves.
    Leave,
}

/// What the editor shows before a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Prompt {
    /// The prompt itself.
    pub(super) text: String,
    /// What is in the line already.
    pub(super) initial: String,
    /// Whether the line is a message, and so goes into the history.
    pub(super) is_message: bool,
}

/// All that is known of the conversation.
#[derive(Debug)]
pub(super) struct Dialogue {
    style: Style,
    address: String,
    renderer: Renderer,
    questions: Questions,
    /// Messages without an end; whether it was acknowledged.
    open: HashMap<MessageId, bool>,
    /// The message whose turn runs.
    running: Option<MessageId>,
    session: Option<SessionId>,
    /// Events up to this one are history: their questions have been settled, or stand in `session-ready`.
    history_until: u64,
    /// The last event that came.
    seen: u64,
    /// The arguments that are being edited.
    editing: Option<String>,
    /// The question that the prompt in front of the user asks.
    prompted_for: Option<String>,
    /// The line in front of the user was begun before the question came, so it is no answer.
    begun_before: bool,
    disconnected: bool,
    closed: Option<String>,
}

impl Dialogue {
    pub(super) fn new(style: Style, width: Option<usize>, address: String) -> Self {
        Self {
            style,
            address,
            renderer: Renderer::new(style, width),
            questions: Questions::default(),
            open: HashMap::new(),
            running: None,
            session: None,
            history_until: 0,
            seen: 0,
            editing: None,
            prompted_for: None,
            begun_before: false,
            disconnected: false,
            closed: None,
        }
    }

    /// The terminal has another width now.
    pub(super) fn set_width(&mut self, width: Option<usize>) {
        self.renderer.set_width(width);
    }

    /// The session, once it is known.
    pub(super) fn session(&self) -> Option<SessionId> {
        self.session
    }

    /// Why the connection ended for good, if it has.
    pub(super) fn closed(&self) -> Option<&str> {
        self.closed.as_deref()
    }

    /// Whether everything that was said here has had its answer.
    pub(super) fn is_idle(&self) -> bool {
        self.open.is_empty()
    }

    /// The question that waits for a line.
    pub(super) fn question(&self) -> Option<&OpenQuestion> {
        self.questions.current()
    }

    /// The prompt of the next line.
    pub(super) fn prompt(&mut self) -> Prompt {
        self.begun_before = false;
        self.prompted_for = self.question().map(|question| question.id().to_owned());
        let (text, initial) = match (&self.editing, self.question()) {
            (Some(arguments), Some(_)) => ("edit › ", arguments.clone()),
            (None, Some(question)) => (question.prompt(), String::new()),
            (_, None) => ("› ", String::new()),
        };
        Prompt { text: text.to_owned(), initial, is_message: self.prompted_for.is_none() }
    }

    /// What happened on the connection, as lines. `typing` says that a line has been begun.
    pub(super) fn event(&mut self, event: ClientEvent, typing: bool) -> Vec<String> {
        let mut lines = match event {
            ClientEvent::Frame(frame) => self.frame(&frame),
            ClientEvent::Raw(_) | ClientEvent::Unknown(_) => Vec::new(),
            ClientEvent::Disconnected { reason, .. } => {
                let first = !std::mem::replace(&mut self.disconnected, true);
                let text = format!("· The connection is lost ({}); connecting again …", short(&reason, 200));
                if first { vec![self.style.yellow(&text)] } else { Vec::new() }
            }
            ClientEvent::Reconnected => {
                self.disconnected = false;
                vec![self.style.green("· Connected again.")]
            }
            ClientEvent::StartedOver => {
                (self.seen, self.running) = (0, None);
                let text =
                    "· The server's log is another one than before. The conversation is shown again, as it is now.";
                vec![self.style.yellow(text)]
            }
            ClientEvent::Closed { reason, .. } => {
                let reason = visible(&reason);
                let line = format!("{} {reason}", self.style.red("✗"));
                self.closed = Some(reason);
                vec![line]
            }
        };
        lines.extend(self.show_question(typing));
        lines
    }

    /// A line was typed.
    pub(super) fn line(&mut self, line: &str) -> Vec<Action> {
        let prompted_for = self.prompted_for.take();
        let begun_before = std::mem::take(&mut self.begun_before);
        let text = line.trim();
        if matches!(text, "/quit" | "/exit") {
            return vec![Action::Leave];
        }
        if self.editing.take().is_some() && self.question().is_some() {
            return self.edited(text);
        }
        let is_command = text.starts_with('/') && text != "/dismiss";
        match self.question().cloned() {
            Some(question) if !is_command && !begun_before => self.answer(&question, text),
            None if prompted_for.is_some() && looks_like_an_answer(text) => {
                vec![self.hint("That question has been settled in the meantime; nothing was sent.")]
            }
            _ if text.is_empty() => Vec::new(),
            Some(_) if begun_before && !is_command => {
                let hint = self.hint(
                    "Sent as a message, because you began the line before the question came. The question is still \
                     open.",
                );
                vec![self.message(text), hint]
            }
            _ => vec![self.message(text)],
        }
    }

    /// Ctrl-C.
    pub(super) fn interrupt(&mut self) -> Vec<Action> {
        if self.editing.take().is_some() {
            return vec![self.hint("Not edited; the question is still open.")];
        }
        if self.running.is_none() && self.open.is_empty() {
            return vec![self.hint("Nothing is running. Ctrl-D leaves.")];
        }
        vec![self.hint("Stopping …"), Action::Send(ClientFrame::Cancel { message_id: self.running.clone() })]
    }

    fn frame(&mut self, frame: &ServerFrame) -> Vec<String> {
        self.follow(frame);
        self.seen = self.seen.max(frame.seq.unwrap_or_default());
        if let Some(question) = OpenQuestion::of(frame) {
            if self.is_history(frame) && !self.questions.has(question.id()) {
                return vec![self.style.dim(&format!("  ? {}", short(&question.in_short(), 200)))];
            }
            self.questions.ask(question);
        }
        match &frame.message {
            ServerMessage::SessionReady { .. } => self.ready(frame),
            _ => self.renderer.frame(frame),
        }
    }

    /// Keeps account of turns and questions.
    fn follow(&mut self, frame: &ServerFrame) {
        match &frame.message {
            ServerMessage::UserMessage { message_id, .. } => {
                self.open.insert(message_id.clone(), true);
            }
            ServerMessage::AgentThinking { .. }
            | ServerMessage::AgentDelta { .. }
            | ServerMessage::ToolCallStart { .. } => self.running.clone_from(&frame.turn_id),
            ServerMessage::AgentResponse { message_ids, .. }
            | ServerMessage::AgentError { message_ids: Some(message_ids), .. } => {
                message_ids.iter().for_each(|id| {
                    self.open.remove(id);
                });
                self.running = None;
            }
            ServerMessage::AgentError { message_ids: None, .. }
            | ServerMessage::CommandResponse { .. }
            | ServerMessage::CommandError { .. } => match &frame.turn_id {
                Some(id) => {
                    self.open.remove(id);
                }
                // A refusal that names no message: what has not been acknowledged will not be.
                None => self.open.retain(|_, acknowledged| *acknowledged),
            },
            ServerMessage::ApprovalResolved { call_id, .. } => self.questions.settle(call_id.as_str()),
            ServerMessage::QueryResolved { query_id, .. } => self.questions.settle(query_id.as_str()),
            _ => {}
        }
    }

    fn is_history(&self, frame: &ServerFrame) -> bool {
        frame.seq.is_some_and(|seq| seq <= self.history_until)
    }

    /// A connection is there, for the first time or again.
    fn ready(&mut self, frame: &ServerFrame) -> Vec<String> {
        let ServerMessage::SessionReady {
            session_id,
            last_seq,
            resumed,
            reasoner,
            sandbox,
            busy,
            pending,
            snapshot,
            ..
        } = &frame.message
        else {
            return Vec::new();
        };
        self.history_until = *last_seq;
        self.running = busy.as_ref().map(|busy| busy.message_id.clone());
        self.questions.replace(pending);
        self.editing = None;
        if self.session.replace(*session_id).is_some() {
            return Vec::new();
        }
        self.seen = match snapshot {
            Some(snapshot) => snapshot.first_seq.saturating_sub(1),
            None if *resumed => *last_seq,
            None => 0,
        };
        let model = reasoner.model.as_deref().map(|model| format!(" ({})", visible(model))).unwrap_or_default();
        let which = if *resumed { "session" } else { "new session" };
        let mut lines = vec![format!(
            "{} {}",
            self.style.bold("Switchboard"),
            self.style.dim(&format!("at {}, {which} {session_id}", visible(&self.address)))
        )];
        let about = reasoner.about.as_deref().map(|about| format!(": {}", visible(about))).unwrap_or_default();
        lines.push(self.style.dim(&format!("{}{model}{about}", word(&reasoner.kind))));
        lines.extend(sandbox.map(|sandbox| about_commands(sandbox.mode, self.style)));
        lines
            .push(self.style.dim("/help lists commands, Tab completes @ and /, Ctrl-C stops the turn, Ctrl-D leaves."));
        lines
    }

    /// The next question, once the history that comes before it has been shown.
    fn show_question(&mut self, typing: bool) -> Vec<String> {
        if self.seen < self.history_until {
            return Vec::new();
        }
        let style = self.style;
        let Some(question) = self.questions.show() else { return Vec::new() };
        let (id, lines) = (question.id().to_owned(), question.lines(style, false));
        self.begun_before = typing;
        if !typing {
            self.prompted_for = Some(id);
        }
        lines
    }

    fn answer(&mut self, question: &OpenQuestion, text: &str) -> Vec<Action> {
        match question.read(text) {
            Reading::Answer(frame) => {
                self.questions.settle(question.id());
                self.settled(frame)
            }
            Reading::Edit(arguments) => {
                self.editing = Some(arguments);
                vec![self.hint("Edit the arguments; Enter allows the call once with them, Ctrl-C goes back.")]
            }
            Reading::ShowAll => vec![Action::Show(question.lines(self.style, true))],
            Reading::Unclear(hint) => vec![self.hint(&hint)],
        }
    }

    fn edited(&mut self, text: &str) -> Vec<Action> {
        if text.is_empty() {
            return vec![self.hint("Not edited; the question is still open.")];
        }
        let Some(question) = self.question().cloned() else { return Vec::new() };
        match question.edited(text) {
            Ok(frame) => {
                self.questions.settle(question.id());
                self.settled(frame)
            }
            Err(problem) => {
                self.editing = Some(text.to_owned());
                vec![self.hint(&problem)]
            }
        }
    }

    /// An answer is on its way; the next question may be shown.
    fn settled(&mut self, frame: ClientFrame) -> Vec<Action> {
        let next = self.show_question(false);
        let mut actions = vec![Action::Send(frame)];
        if !next.is_empty() {
            actions.push(Action::Show(next));
        }
        actions
    }

    fn message(&mut self, text: &str) -> Action {
        let id = Uuid::new_v4().to_string();
        self.renderer.typed(id.clone());
        self.open.insert(id.clone(), false);
        let text = text.replace("\\\n", "\n");
        Action::Send(ClientFrame::SendMessage {
            text,
            timestamp: None,
            message_id: Some(id),
            mode: None,
            attachments: None,
        })
    }

    fn hint(&self, text: &str) -> Action {
        Action::Show(vec![self.style.dim(&format!("  {text}"))])
    }
}

/// Whether a line would have been an answer to some question.
fn looks_like_an_answer(text: &str) -> bool {
    matches!(text.to_lowercase().as_str(), "y" | "yes" | "a" | "always" | "n" | "no" | "e" | "edit")
        || (!text.is_empty() && text.chars().all(|character| character.is_ascii_digit()))
}

/// How the commands that tools run are confined.
fn about_commands(state: SandboxState, style: Style) -> String {
    match state {
        SandboxState::On => {
            style.dim("Commands run in the sandbox: they can write only in the workspace, and have no network.")
        }
        SandboxState::SharedProcesses => style.yellow(
            "Commands run in the sandbox, but they see the machine's other processes: this system gives them no /proc of their own.",
        ),
        SandboxState::LandlockOnly => style.yellow(
            "Commands run in a weaker sandbox: they can write only in the workspace and have no network, but this system gives them no namespaces.",
        ),
        SandboxState::Off => {
            style.yellow("There is no sandbox (--sandbox off): commands can do everything the server can.")
        }
        SandboxState::Unavailable => {
            style.yellow("The kernel has no sandbox for commands, so none run (--sandbox off runs them without one).")
        }
    }
}

#[cfg(test)]
#[path = "dialogue_tests.rs"]
mod tests;
