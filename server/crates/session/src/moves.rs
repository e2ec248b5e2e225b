//! Sessions that go from one server to another.

use futures_util::{StreamExt, stream};
use switchboard_protocol::SessionId;
use tokio::sync::broadcast::error::RecvError;

use super::command::SessionCommand;
use super::directory::Sessions;
use super::error::SessionError;
use super::handle::SessionHandle;
use switchboard_events::{LogError, SessionRow};

/// How many sessions are opened at once at the start.
const OPENED_AT_ONCE: usize = 8;

impl Sessions {
    /// Opens every session that has open messages, so that each turn that was cut off goes on or ends, and what waits runs.
    /// Sessions that cannot be opened are reported and left alone.
    ///
    /// # Errors
    /// When the log cannot say which they are.
    pub async fn open_unfinished(&self) -> Result<usize, SessionError> {
        let rows = self.services.log.orphans().await?;
        let count = rows.len();
        self.open_rows(rows).await;
        Ok(count)
    }

    /// Opens the sessions with open messages that other servers leave behind, for as long as there are any others.
    pub async fn take_over_orphans(&self) {
        loop {
            let rows = self.services.log.next_orphans().await;
            tracing::info!(count = rows.len(), "taking over what another server left behind");
            self.open_rows(rows).await;
        }
    }

    /// Lets go of sessions that other servers claim, for as long as there is anything to hear of that.
    pub async fn let_go_of_what_moves(&self) {
        let mut losses = self.services.log.losses();
        loop {
            match losses.recv().await {
                Ok(id) => self.let_go_of(id).await,
                // Each of those notices when it is to be written.
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return,
            }
        }
    }

    /// Whether what is in memory of the session is not all of it, as a client says that has this event; then it is let go of.
    pub(super) async fn is_behind(&self, handle: &SessionHandle, event: u64) -> Result<bool, SessionError> {
        let is_behind = self.services.log.was_written_elsewhere(handle.id(), event).await?;
        if is_behind {
            tell_moved(handle).await;
        }
        Ok(is_behind)
    }

    async fn let_go_of(&self, id: SessionId) {
        let Some(handle) = self.directory.get(id) else { return };
        // It may have been claimed back meanwhile; then somebody has just opened it here.
        match self.services.log.owner(id).await {
            Ok(owner) if owner == Some(self.services.log.server()) => {}
            _ => tell_moved(&handle).await,
        }
    }

    async fn open_rows(&self, rows: Vec<SessionRow>) {
        stream::iter(rows).for_each_concurrent(OPENED_AT_ONCE, |row| self.open_row(row)).await;
    }

    async fn open_row(&self, row: SessionRow) {
        match self.existing(&row.owner, row.session).await {
            // Another server was there first.
            Ok(_) | Err(SessionError::Log(LogError::Moved(_))) => {}
            Err(error) => {
                tracing::error!(session = %row.session, %error, "an unfinished session could not be opened");
            }
        }
    }
}

async fn tell_moved(handle: &SessionHandle) {
    // One that has gone needs no news.
    let _ = handle.commands.send(SessionCommand::Moved.into()).await;
}
