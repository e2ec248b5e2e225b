//! A new session from the beginning of another one of the same owner: exported up to an event and imported again,
//! without a file between, so that a fork is checked and made safe as an import is.

use std::sync::Arc;

use switchboard_protocol::{Attachment, ForkedFrom, MessageId, Mode, ServerFrame, ServerMessage, SessionId};
use uuid::Uuid;

use super::{Export, Import};
use crate::error::ImportError;
use crate::frame_limits::MAX_TITLE_CHARS;
use crate::message::attachment;
use crate::state::{self, SessionState};
use crate::title::title_of;
use switchboard_accounts::Principal;
use switchboard_context::{Entry, OutputName, user_origin};
use switchboard_events::{
    ArtifactValue, EventLog, ForkRecord, LogError, MAX_VERSIONS, MessageVersion, NewEvent, SessionRow, Values,
};

/// What marks the title of a fork.
const MARK: &str = " (fork)";

/// A fork to be made.
pub(crate) struct Fork {
    pub(crate) log: Arc<dyn EventLog>,
    /// Those of the session that is forked.
    pub(crate) values: Arc<Values>,
    pub(crate) owner: Principal,
    /// What the new session says of its origin; events after the one that it names are left out.
    pub(crate) record: ForkRecord,
    pub(crate) message: Option<Rerun>,
}

/// What a message says, the tool that it asks for, and the variables that belong to it.
type Said = (String, Option<String>, Option<Vec<Attachment>>);

/// A message that begins the fork's next turn.
pub(crate) struct Rerun {
    /// Its own id.
    id: MessageId,
    /// The message in whose place it stands, and its event.
    replaced: MessageId,
    seq: u64,
    /// What it says now; the same as before if nothing else was said.
    text: Option<String>,
    /// What belongs to it now; the same as before if nothing else was said.
    attached: Option<Vec<Attached>>,
}

/// A variable that belongs to a message in the place of another one.
#[derive(Debug)]
pub(crate) enum Attached {
    /// It belonged to the other one.
    Before(Attachment),
    /// It is in the session that is forked, as it is now.
    Now(Entry),
}

impl Rerun {
    /// In the place of the message with this id, which is event `seq`.
    pub(crate) fn of(replaced: &MessageId, seq: u64, text: Option<String>) -> Self {
        Self { id: Uuid::new_v4().to_string(), replaced: replaced.clone(), seq, text, attached: None }
    }

    /// The message in whose place it stands.
    pub(crate) fn replaced(&self) -> &MessageId {
        &self.replaced
    }

    /// The same with this belonging to it.
    pub(crate) fn attaching(self, attached: Option<Vec<Attached>>) -> Self {
        Self { attached, ..self }
    }
}

/// What a fork of the session in this state says of it.
pub(crate) fn fork_record(state: &SessionState, session: SessionId, upto: u64, rerun: Option<&Rerun>) -> ForkRecord {
    let known = state.shown.fork.as_deref();
    let copied =
        |version: &&MessageVersion| state.messages.taken.get(&version.message).is_some_and(|taken| taken.seq <= upto);
    let inherited = known.map_or(&[][..], |known| &known.versions);
    let mut versions: Vec<MessageVersion> = inherited.iter().filter(copied).cloned().collect();
    if let Some(Rerun { id, replaced, seq, .. }) = rerun {
        let earlier = inherited.iter().find(|version| version.message == *replaced);
        let (first, first_seq) = earlier.map_or((replaced, *seq), |version| (&version.first, version.first_seq));
        versions.push(MessageVersion { message: id.clone(), seq: *seq, first: first.clone(), first_seq });
    }
    // Of those that were edited first it is forgotten.
    versions.drain(..versions.len().saturating_sub(MAX_VERSIONS));
    let root = known.map_or(session, |known| known.root);
    ForkRecord { from: ForkedFrom { session_id: session, seq: upto }, root, versions }
}

impl Fork {
    /// Makes it. A message that stands at its end runs as soon as the session is opened.
    ///
    /// # Errors
    /// When the session does not exist any more, or the log refuses; then nothing of the fork stays.
    pub(crate) async fn make(self) -> Result<SessionId, ImportError> {
        let ForkedFrom { session_id: session, seq: upto } = self.record.from;
        let row = self.log.get(session, &self.owner).await?;
        let row = row.ok_or(LogError::UnknownSession(session))?;
        let said = match &self.message {
            Some(rerun) => Some((&rerun.id, self.said_by(rerun).await?)),
            None => None,
        };
        let row = SessionRow { last_seq: upto.min(row.last_seq), ..row };
        let mut then = vec![retitled(row.title.as_deref(), said.as_ref().map(|(_, (text, ..))| text.as_str()))];
        if let Some((id, (text, tool, mut attachments))) = said {
            if let Some(attached) = self.message.as_ref().and_then(|rerun| rerun.attached.as_deref()) {
                attachments =
                    Some(self.bring(attached, &mut then).await?).filter(|attachments| !attachments.is_empty());
            }
            then.push(message(id, text, tool, attachments));
        }
        let file = Export::of(Arc::<dyn EventLog>::clone(&self.log), row).into_stream();
        Import::new(self.log, self.owner).forking(self.record, then).read(file).await
    }

    /// Gives the new session the variables that it does not have; what belongs to the message, as it is there.
    async fn bring(&self, attached: &[Attached], then: &mut Vec<NewEvent>) -> Result<Vec<Attachment>, ImportError> {
        let ForkedFrom { session_id: session, seq: upto } = self.record.from;
        let mut context = state::load(self.log.as_ref(), session, upto).await?.context;
        let mut attachments = Vec::new();
        for each in attached {
            let Entry { variable, value, .. } = match each {
                Attached::Before(attachment) => {
                    attachments.push(attachment.clone());
                    continue;
                }
                Attached::Now(entry) => entry,
            };
            let mut name = variable.name.clone();
            if context.get(&name).is_none_or(|known| known.value != *value) {
                let content = ArtifactValue::clone(&*self.values.load(value).await?);
                let (taken, change) =
                    context.plan_set(&self.values, &OutputName::Default(name), content, user_origin())?;
                context.apply(&change.set, &change.removed, &change.values);
                then.push(change.into_event(None));
                name = taken;
            }
            attachments.extend(context.get(&name).map(|entry| attachment(&entry.variable)));
        }
        Ok(attachments)
    }

    /// What the message says now; the tool that it asks for, if it says the same; and the variables that belong to it.
    async fn said_by(&self, rerun: &Rerun) -> Result<Said, ImportError> {
        let events = self.log.read(self.record.from.session_id, rerun.seq.saturating_sub(1), 1).await?;
        let frame = events.first().and_then(|event| serde_json::from_str::<ServerFrame>(&event.frame).ok());
        match frame.map(|frame| frame.message) {
            Some(ServerMessage::UserMessage { text, tool, attachments, .. }) => match &rerun.text {
                Some(text) => Ok((text.clone(), None, attachments)),
                None => Ok((text, tool, attachments)),
            },
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

fn message(id: &MessageId, text: String, tool: Option<String>, attachments: Option<Vec<Attachment>>) -> NewEvent {
    let message = ServerMessage::UserMessage {
        message_id: id.clone(),
        text,
        mode: Mode::Queue,
        client_timestamp: None,
        prompt: None,
        tool,
        attachments,
        repeated: None,
    };
    NewEvent::of_turn(id, message)
}
