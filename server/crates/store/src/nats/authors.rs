//! Who wrote each message of a session, for tests that end servers.

use switchboard_events::LogError;
use switchboard_protocol::SessionId;

use super::jetstream::PAGE;
use super::layout::Subjects;
use super::link::Linked;
use super::options::NatsOptions;

/// What a message of a session says of who wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// How often the session had been claimed by then.
    pub epoch: u64,
    /// The server that wrote it; empty if one let go of the session with it.
    pub by: String,
    /// Whether it claims the session, and has no events.
    pub is_claim: bool,
    /// The session's last event then.
    pub last: u64,
}

/// All messages of a session, in order.
///
/// # Errors
/// When NATS does not answer, or a message is not as it was written.
pub async fn written(options: &NatsOptions, session: SessionId) -> Result<Vec<Written>, LogError> {
    let jetstream = options.connect().await?;
    let (stream, subject) = (Subjects::of(session).stream(), Subjects::of(session).events());
    let (mut from, mut all) = (1, Vec::new());
    loop {
        let page = jetstream.sure_page(&stream, &subject, from, PAGE).await?;
        let Some(end) = page.last() else { return Ok(all) };
        from = end.seq + 1;
        for message in &page {
            let Linked { link, .. } = Linked::read(session, message).map_err(|detail| {
                let seq = all.last().map_or(1, |written: &Written| written.last + 1);
                LogError::Damaged { session, seq, detail: detail.to_owned() }
            })?;
            let is_claim = link.is_claim();
            all.push(Written { epoch: link.epoch, by: link.by, is_claim, last: link.last });
        }
    }
}
