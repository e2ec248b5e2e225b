//! Sessions by id. A session is opened from its log once, whoever asks first, and forgotten when its
//! actor ends; the log is the only other place where it lives.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::stream::Stream;
use switchboard_protocol::{SessionId, SessionSummary};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::actor::{ChatServerToolAgent, Parts};
use super::archive::{Export, HtmlPage, Import};
use super::command::{AttachFrom, SessionCommand};
use super::error::{ImportError, SessionError};
use super::forks::Forks;
use super::handle::{Attachment, SessionHandle};
use super::home::Home;
use super::services::SessionServices;
use super::slots::{Directory, Slot};
use super::state::{self, Damage, ReadOnly, SessionState};
use switchboard_accounts::Principal;
use switchboard_events::{EventLog, LogError, SessionRow, Values};

/// How many commands wait for a session.
const MAILBOX: usize = 32;
/// How often a session may break down before it is left alone.
const BREAKDOWNS: u32 = 3;

/// All sessions. Cheap to clone.
#[derive(Clone)]
pub struct Sessions {
    pub(super) services: Arc<SessionServices>,
    pub(super) directory: Arc<Directory>,
    forks: Forks,
}

impl Sessions {
    /// No session is in memory yet.
    #[must_use]
    pub fn new(services: SessionServices) -> Self {
        let forks = Forks::new(Arc::<dyn EventLog>::clone(&services.log));
        Self { services: Arc::new(services), directory: Arc::default(), forks }
    }

    /// What every session is given.
    #[must_use]
    pub fn services(&self) -> &SessionServices {
        &self.services
    }

    /// Which sessions were forked from which.
    #[must_use]
    pub fn forks(&self) -> &Forks {
        &self.forks
    }

    /// A new session, or the one with this id.
    ///
    /// # Errors
    /// When there is no such session of this owner, its log cannot be read, or the server stops.
    pub async fn open(&self, owner: &Principal, id: Option<SessionId>) -> Result<SessionHandle, SessionError> {
        if self.services.shutdown.stopping().is_cancelled() {
            return self.still_open(owner, id).await;
        }
        match id {
            None => self.create(owner).await,
            Some(id) => self.existing(owner, id).await,
        }
    }

    /// Attaches a client to a new session, or to the one with this id; a `viewer` shows windows.
    ///
    /// # Errors
    /// As [`Self::open`]; and when the client says it has seen more than there is.
    pub async fn attach(
        &self,
        owner: &Principal,
        id: Option<SessionId>,
        from: AttachFrom,
        viewer: bool,
    ) -> Result<Attachment, SessionError> {
        let attached = self.attach_here(owner, id, from, viewer).await;
        match (attached, id) {
            (Err(SessionError::Gone | SessionError::Stopping), Some(id))
                if self.services.shutdown.is_handing_over() =>
            {
                Err(LogError::Moved(id).into())
            }
            (attached, _) => attached,
        }
    }

    async fn attach_here(
        &self,
        owner: &Principal,
        id: Option<SessionId>,
        from: AttachFrom,
        viewer: bool,
    ) -> Result<Attachment, SessionError> {
        let handle = self.open(owner, id).await?;
        match handle.attach(from, viewer).await {
            // It closed in this moment: it comes back from its log.
            Err(SessionError::Gone) => self.open(owner, Some(handle.id())).await?.attach(from, viewer).await,
            Err(SessionError::Beyond { after, .. }) if self.is_behind(&handle, after).await? => {
                Err(LogError::Moved(handle.id()).into())
            }
            attached => attached,
        }
    }

    /// Whether the session is in memory.
    #[must_use]
    pub fn is_open(&self, id: SessionId) -> bool {
        self.directory.open(id).is_some()
    }

    /// Whether no session is in memory any more.
    #[must_use]
    pub fn have_ended(&self) -> bool {
        self.directory.all().iter().all(|handle| handle.commands.is_closed())
    }

    /// Deletes a session with all that belongs to it. Its work is stopped and its clients are told.
    ///
    /// # Errors
    /// When there is no such session of this owner, or the log refuses.
    pub async fn delete(&self, owner: &Principal, id: SessionId) -> Result<(), SessionError> {
        self.row(owner, id).await?;
        if let Some(handle) = self.directory.get(id) {
            // When the mailbox closes, the actor has ended. One that has gone already is as good.
            let _ = handle.commands.send(SessionCommand::Delete.into()).await;
            handle.commands.closed().await;
        }
        if !self.services.log.delete(id).await? {
            return Err(SessionError::UnknownSession(id));
        }
        self.forget_contents(id).await;
        Ok(())
    }

    /// Contents of its checkpoints that stay behind are only a waste of room.
    pub(super) async fn forget_contents(&self, id: SessionId) {
        if let Some(checkpoints) = self.services.checkpoints.clone() {
            let _ = tokio::task::spawn_blocking(move || checkpoints.forget_session(&id.to_string())).await;
        }
    }

    /// Keeps a session at the top of its owner's list, or no longer.
    ///
    /// # Errors
    /// When there is no such session of this owner, or the log refuses.
    pub async fn pin(&self, owner: &Principal, id: SessionId, pinned: bool) -> Result<(), SessionError> {
        self.row(owner, id).await?;
        if self.services.log.pin(id, pinned).await? { Ok(()) } else { Err(SessionError::UnknownSession(id)) }
    }

    /// Another reasoner decides from now on: every session that somebody looks at says so.
    pub async fn reasoner_changed(&self) {
        for handle in self.directory.all() {
            // One that has gone needs no news.
            let _ = handle.commands.send(SessionCommand::ReasonerChanged.into()).await;
        }
    }

    /// The session's row in the log.
    ///
    /// # Errors
    /// When there is no such session of this owner.
    pub async fn row(&self, owner: &Principal, id: SessionId) -> Result<SessionRow, SessionError> {
        self.services.log.get(id, owner).await?.ok_or(SessionError::UnknownSession(id))
    }

    /// The session as lists show it.
    ///
    /// # Errors
    /// When there is no such session of this owner, or the log cannot be read.
    pub async fn summary(&self, owner: &Principal, id: SessionId) -> Result<SessionSummary, SessionError> {
        let row = self.row(owner, id).await?;
        let summary = self.forks.summaries(vec![row]).await?.pop();
        summary.ok_or(SessionError::UnknownSession(id))
    }

    /// The session as lines of JSON.
    ///
    /// # Errors
    /// When there is no such session of this owner.
    pub async fn export(&self, owner: &Principal, id: SessionId) -> Result<Export, SessionError> {
        let row = self.row(owner, id).await?;
        Ok(Export::of(Arc::<dyn EventLog>::clone(&self.services.log), row))
    }

    /// The session as a page to be read by anybody.
    ///
    /// # Errors
    /// When there is no such session of this owner.
    pub async fn page(&self, owner: &Principal, id: SessionId) -> Result<HtmlPage, SessionError> {
        let row = self.row(owner, id).await?;
        Ok(HtmlPage::of(Arc::<dyn EventLog>::clone(&self.services.log), row))
    }

    /// Takes in an exported session as a new one of this owner.
    ///
    /// # Errors
    /// When a line is not as it should be, or the log refuses; then nothing of it stays.
    pub async fn import<E: std::fmt::Display>(
        &self,
        owner: &Principal,
        file: impl Stream<Item = Result<Bytes, E>>,
    ) -> Result<SessionId, ImportError> {
        Import::new(Arc::clone(&self.services.log), owner.clone()).read(file).await
    }

    /// A session that has still something to do here before another server goes on with it.
    async fn still_open(&self, owner: &Principal, id: Option<SessionId>) -> Result<SessionHandle, SessionError> {
        match id.and_then(|id| self.directory.open(id)) {
            Some(handle) if self.services.shutdown.is_handing_over() => {
                self.row(owner, handle.id()).await.map(|_| handle)
            }
            _ => Err(SessionError::Stopping),
        }
    }

    async fn create(&self, owner: &Principal) -> Result<SessionHandle, SessionError> {
        let id = SessionId::random();
        self.services.log.create(id, owner).await?;
        let slot = self.directory.slot(id);
        Ok(slot.get_or_init(|| async { self.start(id, owner.clone(), SessionState::default(), None) }).await.clone())
    }

    pub(super) async fn existing(&self, owner: &Principal, id: SessionId) -> Result<SessionHandle, SessionError> {
        loop {
            self.row(owner, id).await?;
            let slot = self.directory.slot(id);
            match self.loaded(owner, id, &slot).await {
                Ok(handle) if handle.commands.is_closed() => self.directory.remove(id, &slot),
                Ok(handle) => return Ok(handle),
                Err(error) => {
                    self.directory.remove_unused(id, &slot);
                    return Err(error);
                }
            }
        }
    }

    /// Reads the session once, and to its end, even if the client that asks goes away: a long log takes time, and whoever comes
    /// back would begin anew.
    async fn loaded(&self, owner: &Principal, id: SessionId, slot: &Slot) -> Result<SessionHandle, SessionError> {
        if let Some(handle) = slot.get() {
            return Ok(handle.clone());
        }
        let (sessions, owner, slot) = (self.clone(), owner.clone(), Arc::clone(slot));
        let read = async move { slot.get_or_try_init(|| sessions.load(&owner, id)).await.cloned() };
        match self.services.shutdown.spawn(read).await {
            Ok(loaded) => loaded,
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            Err(_) => Err(SessionError::Stopping),
        }
    }

    async fn load(&self, owner: &Principal, id: SessionId) -> Result<SessionHandle, SessionError> {
        if self.directory.breakdowns(id) >= BREAKDOWNS {
            return Err(SessionError::Broken(id));
        }
        let begun = Instant::now();
        let (last, workspace) = match self.services.log.claim(id).await {
            Ok(last) => (last, None),
            Err(LogError::OtherWorkspace { workspace, .. }) => (0, Some(workspace)),
            Err(error) => return Err(error.into()),
        };
        let claimed = begun.elapsed();
        let (state, mut damage) = state::load_sound(self.services.log.as_ref(), id, u64::MAX).await?;
        tracing::debug!(session = %id, last, ?claimed, read = ?begun.elapsed(), "the session is read from its log");
        if damage.is_none() && state.last_seq < last {
            let detail = format!("the log has {} events but should have {last}", state.last_seq);
            damage = Some(Damage { from_seq: state.last_seq + 1, detail });
        }
        if let Some(Damage { from_seq, detail }) = &damage {
            tracing::error!(session = %id, from_seq, "the session is read-only, because its log is damaged: {detail}");
        }
        let damaged = damage.map(ReadOnly::Damaged);
        Ok(self.start(id, owner.clone(), state, damaged.or(workspace.map(ReadOnly::OtherWorkspace))))
    }

    /// Starts the actor.
    fn start(
        &self,
        id: SessionId,
        owner: Principal,
        state: SessionState,
        read_only: Option<ReadOnly>,
    ) -> SessionHandle {
        let (sender, commands) = mpsc::channel(MAILBOX);
        let values = Arc::new(Values::new(Arc::<dyn EventLog>::clone(&self.services.log), id));
        let tools = Arc::new(self.services.tool_manager(&owner, id));
        let handle = SessionHandle {
            id,
            commands: sender,
            log: Arc::<dyn EventLog>::clone(&self.services.log),
            values: Arc::clone(&values),
            tools: Arc::clone(&tools),
        };
        let actor = Box::new(ChatServerToolAgent::new(Parts {
            id,
            owner: owner.clone(),
            services: Arc::clone(&self.services),
            home: Arc::new(self.clone()),
            state,
            read_only,
            values,
            tools,
            commands,
        }));
        let sessions = self.clone();
        self.services.shutdown.spawn(async move {
            if AssertUnwindSafe(Box::pin(actor.run())).catch_unwind().await.is_err() {
                tracing::error!(session = %id, "the session failed; it is reopened from its log");
                sessions.directory.broke_down(id);
                if let Err(error) = Box::pin(sessions.existing(&owner, id)).await {
                    tracing::error!(session = %id, %error, "the session could not be reopened");
                }
            }
        });
        handle
    }
}

#[async_trait]
impl Home for Sessions {
    fn forget(&self, id: SessionId) {
        self.directory.forget(id);
    }

    async fn open(&self, owner: &Principal, id: SessionId) -> Result<(), SessionError> {
        Sessions::open(self, owner, Some(id)).await.map(drop)
    }
}
