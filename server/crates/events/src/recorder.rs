//! How a turn and a tool call say what happened, without knowing who keeps it.

use async_trait::async_trait;
use switchboard_protocol::ServerMessage;
use tokio::sync::oneshot;

use super::error::LogError;
use super::event::NewEvent;

/// Why an event could not be recorded; the turn ends.
#[derive(Debug, Clone, thiserror::Error)]
pub enum RecordError {
    /// The log refused it.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The session has ended.
    #[error("record an event: the session has ended")]
    Gone,
}

/// Completes when the event is durable. Dropping it does not take the event back.
#[derive(Debug)]
pub struct Receipt(oneshot::Receiver<Result<(), LogError>>);

impl Receipt {
    /// The receipt that completes with what is sent on the channel's other end.
    #[must_use]
    pub fn new(receiver: oneshot::Receiver<Result<(), LogError>>) -> Self {
        Self(receiver)
    }

    /// Waits until the event is durable.
    ///
    /// # Errors
    /// When the log refused it, or the session ended.
    pub async fn durable(self) -> Result<(), RecordError> {
        match self.0.await {
            Ok(result) => Ok(result?),
            Err(_) => Err(RecordError::Gone),
        }
    }
}

/// Takes events of one session.
#[async_trait]
pub trait Recorder: Send + Sync {
    /// Hands an event to the session's actor; `urgent` when the receipt will be waited for. Waits only for room in a
    /// bounded channel.
    async fn record(&self, event: NewEvent, urgent: bool) -> Result<Receipt, RecordError>;

    /// Hands over an event, and another one that the log takes with it or not at all, where there is a log.
    async fn record_with(&self, event: NewEvent, with: Option<NewEvent>) -> Result<Receipt, RecordError> {
        let receipt = self.record(event, false).await?;
        match with {
            Some(with) => self.record(with, false).await,
            None => Ok(receipt),
        }
    }

    /// Sends a transient frame (`agent-delta`, `tool-output-chunk`) to whoever is attached; it is never kept.
    async fn transient(&self, message: ServerMessage);
}
