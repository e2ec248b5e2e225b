//! Which servers live: each renews a message that vanishes five seconds after it was written.
//!
//! A lease fences nothing, for clocks and pauses are what they are: the sequence that each append expects does. It says whose
//! sessions are to be taken over. It is named for the data folder, so a server that starts there again ends the lease of the
//! one that was killed.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_nats::HeaderMap;

use super::jetstream::{JetStream, NatsError};
use super::layout::{LEASES, META, lease};
use switchboard_events::ServerId;

/// How long a lease lives.
const TTL: Duration = Duration::from_secs(5);
/// How often it is renewed.
pub(super) const EVERY: Duration = Duration::from_millis(1500);

/// This server's lease.
#[derive(Debug)]
pub(super) struct Lease {
    jetstream: JetStream,
    subject: String,
    server: ServerId,
    /// Until when nobody takes this server for dead.
    until: Mutex<Option<Instant>>,
}

impl Lease {
    /// The lease of the server that has the data folder of this name; it holds when it is renewed.
    pub(super) fn new(jetstream: JetStream, node: &str, server: ServerId) -> Self {
        Self { jetstream, subject: lease(node), server, until: Mutex::default() }
    }

    /// Renews it.
    pub(super) async fn renew(&self) -> Result<(), NatsError> {
        // Counted from before it was written, so that it ends here first.
        let until = Instant::now() + TTL;
        let mut headers = HeaderMap::new();
        headers.insert("Nats-TTL", format!("{}s", TTL.as_secs()));
        self.jetstream.publish(&self.subject, None, headers, self.server.as_str().to_owned().into()).await?;
        *self.until.lock().unwrap_or_else(PoisonError::into_inner) = Some(until);
        Ok(())
    }

    /// Renews it if it has run out.
    pub(super) async fn hold(&self) -> Result<(), NatsError> {
        if self.is_held() { Ok(()) } else { self.renew().await }
    }

    /// Whether it holds.
    pub(super) fn is_held(&self) -> bool {
        let until = *self.until.lock().unwrap_or_else(PoisonError::into_inner);
        until.is_some_and(|until| Instant::now() < until)
    }

    /// Ends it.
    pub(super) async fn release(&self) -> Result<(), NatsError> {
        *self.until.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.jetstream.purge(META, &self.subject).await
    }

    /// The servers that live, this one among them.
    pub(super) async fn living(&self) -> Result<HashSet<String>, NatsError> {
        let leases = self.jetstream.last_of_each(META, LEASES).await?;
        let others = leases.into_iter().filter(|lease| lease.subject != self.subject);
        let living = others.filter_map(|lease| String::from_utf8(lease.payload.into()).ok());
        Ok(living.chain([self.server.as_str().to_owned()]).collect())
    }
}
