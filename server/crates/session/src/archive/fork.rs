//! A new session from the beginning of another one of the same owner: exported up to an event and imported again,
//! without a file between, so that a fork is checked and made safe as an import is.

use std::sync::Arc;

use switchboard_protocol::{MessageId, Mode, ServerFrame, ServerMessage, SessionId};
use uuid::Uuid;

use super::{Export, Import};
use crate::error::ImportError;
use crate::frame_limits::MAX_TITLE_CHARS;
use crate::title::title_of;
use switchboard_accounts::Principal;
use switchboard_events::{EventLog, LogError, NewEvent, SessionRow};

/// What marks the title of a fork.
const MARK: &str = " (fork)";

/// A fork to be made.
pub(crate) struct Fork {
    pub(crate) log: Arc<dyn EventLog>,
    pub(crate) owner: Principal,
    pub(crate) session: SessionId,
    /// Events after this one are left out.
    pub(crate) upto: u64,
    pub(crate) message: Option<Rerun>,
}

/// A message that begins the fork's next turn.
pub(crate) struct Rerun {
    /// The event of the message in whose place it stands.
    pub(crate) seq: u64,
    /// What it says now; the same as before if nothing else was said.
    pub(crate) text: Option<String>,
}

impl Fork {
    /// Makes it. A message that stands at its end runs as soon as the session is opened.
    ///
    /// # Errors
    /// When the session does not exist any more, or the log refuses; then nothing of the fork stays.
    pub(crate) async fn make(self) -> Result<SessionId, ImportError> {
        let row = self.log.session(self.session, &self.owner).await?;
        let row = row.ok_or(LogError::UnknownSession(self.session))?;
        let said = match &self.message {
            Some(Rerun { seq, text: None }) => Some(self.message_at(*seq).await?),
            Some(Rerun { text, .. }) => text.clone().map(|text| (text, None)),
            None => None,
        };
        let row = SessionRow { last_seq: self.upto.min(row.last_seq), ..row };
        let mut then = vec![retitled(row.title.as_deref(), said.as_ref().map(|(text, _)| text.as_str()))];
        then.extend(said.map(message));
        let file = Export::of(Arc::clone(&self.log), row).into_stream();
        Import::new(self.log, self.owner).forking(then).read(file).await
    }

    /// What the message says, and the tool that it asks for.
    async fn message_at(&self, seq: u64) -> Result<(String, Option<String>), ImportError> {
        let events = self.log.read(self.session, seq.saturating_sub(1), 1).await?;
        let frame = events.first().and_then(|event| serde_json::from_str::<ServerFrame>(&event.frame).ok());
        match frame.map(|frame| frame.message) {
            Some(ServerMessage::UserMessage { text, tool, .. }) => Ok((text, tool)),
            _ => Err(ImportError::File("the message cannot be read".to_owned())),
        }
    }
}

/// The fork's title is that of the session, marked.
fn retitled(title: Option<&str>, text: Option<&str>) -> NewEvent {
    let title = title.map_or_else(|| title_of(text.unwrap_or_default()), ToOwned::to_owned);
    let bare = title.strip_suffix(MARK).unwrap_or(&title);
    let bare: String = bare.chars().take(MAX_TITLE_CHARS - MARK.len()).collect();
    let title = Some(format!("{bare}{MARK}"));
    NewEvent::of_session(ServerMessage::SessionUpdate { title, reasoner: None, context_tokens: None })
}

fn message((text, tool): (String, Option<String>)) -> NewEvent {
    let id: MessageId = Uuid::new_v4().to_string();
    let message = ServerMessage::UserMessage {
        message_id: id.clone(),
        text,
        mode: Mode::Queue,
        client_timestamp: None,
        prompt: None,
        tool,
        repeated: None,
    };
    NewEvent::of_turn(&id, message)
}
