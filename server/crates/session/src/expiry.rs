//! Sessions that are kept no longer: those that nobody has open, here or at another server, are deleted.

use super::directory::Sessions;
use super::error::SessionError;
use super::handle::SessionHandle;
use switchboard_events::{Retention, SessionRow};

/// How many sessions that are kept no longer are looked up at once.
const DELETED_AT_ONCE: u64 = 100;

impl Sessions {
    /// Deletes the sessions that are kept no longer, those that nobody has open; how many.
    ///
    /// # Errors
    /// When the log refuses.
    pub async fn delete_expired(&self, retention: &Retention) -> Result<u64, SessionError> {
        let mut deleted = 0;
        loop {
            let rows = self.services.log.expired(retention, DELETED_AT_ONCE + self.directory.count()).await?;
            let before = deleted;
            for row in rows {
                if self.services.shutdown.stopping().is_cancelled() {
                    return Ok(deleted);
                }
                match self.delete_unopened(&row).await {
                    Ok(was_deleted) => deleted += u64::from(was_deleted),
                    Err(error) => {
                        tracing::error!(session = %row.session, %error, "an expired session could not be deleted");
                    }
                }
            }
            if deleted == before {
                return Ok(deleted);
            }
        }
    }

    /// Deletes a session that is not in memory and is still as it was listed; whether it was. Who opens it meanwhile waits, and
    /// finds that it is gone.
    async fn delete_unopened(&self, listed: &SessionRow) -> Result<bool, SessionError> {
        let id = listed.session;
        if self.services.log.elsewhere(id).await?.is_some() {
            return Ok(false);
        }
        let slot = self.directory.slot(id);
        let deleted = slot.get_or_try_init(|| async {
            let deleted = match self.row(&listed.owner, id).await {
                Ok(row) if row == *listed => self.services.log.delete(id).await.map_err(SessionError::from),
                Ok(_) => Ok(false),
                Err(error) => Err(error),
            };
            Err::<SessionHandle, _>(deleted)
        });
        let Err(deleted) = deleted.await else { return Ok(false) };
        self.directory.remove_unused(id, &slot);
        let deleted = deleted?;
        if deleted {
            self.forget_contents(id).await;
        }
        Ok(deleted)
    }
}
