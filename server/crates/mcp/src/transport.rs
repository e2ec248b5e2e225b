//! What comes from a server on its way into rmcp: notifications are taken out here, in their order and without waiting
//! for anybody; the end of the connection is told at once.

use std::sync::Arc;

use rmcp::model::{JsonRpcMessage, JsonRpcNotification, ServerNotification};
use rmcp::service::{RoleClient, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;

use super::watch::Watch;

/// A transport that is watched.
pub(super) struct Watched<T> {
    inner: T,
    watch: Arc<Watch>,
}

impl<T> Watched<T> {
    /// Watches `inner`.
    pub(super) fn new(inner: T, watch: Arc<Watch>) -> Self {
        Self { inner, watch }
    }
}

impl<T: Transport<RoleClient>> Transport<RoleClient> for Watched<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            match self.inner.receive().await {
                None => {
                    self.watch.end("the connection was closed");
                    return None;
                }
                Some(JsonRpcMessage::Notification(message)) => match message.notification {
                    ServerNotification::ProgressNotification(progress) => self.watch.report(progress.params),
                    ServerNotification::ToolListChangedNotification(_)
                    | ServerNotification::PromptListChangedNotification(_) => self.watch.lists_change(),
                    // It does not wait any more for an answer of ours.
                    notification @ ServerNotification::CancelledNotification(_) => {
                        return Some(JsonRpcMessage::Notification(JsonRpcNotification { notification, ..message }));
                    }
                    // Messages for a log, resources that changed: nobody waits for them.
                    _ => {}
                },
                Some(message) => return Some(message),
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.watch.end("the connection was closed");
        self.inner.close().await
    }
}
