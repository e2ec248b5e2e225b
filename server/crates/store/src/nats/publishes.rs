//! How many messages a second JetStream takes of the log's form, with nothing of Switchboard between.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::HeaderMap;
use bytes::Bytes;
use switchboard_events::LogError;
use switchboard_protocol::SessionId;
use tokio::task::JoinSet;

use super::error::NatsError;
use super::layout::{META, Subjects};
use super::options::NatsOptions;

/// Which streams messages go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PublishTo {
    /// All those of events.
    Events,
    /// One of them.
    OneStream,
    /// The list: each message replaces the one in front.
    List,
}

/// What was published.
#[derive(Debug, Default)]
pub struct Publishes {
    /// How long each was waited for.
    pub waits: Vec<Duration>,
    /// How long all of it took.
    pub took: Duration,
}

/// Publishes messages of so many bytes for so long, of so many sessions at once, each behind its last one as the writer does. They
/// are no sessions that could be read.
///
/// # Errors
/// When NATS does not answer.
pub async fn publish_for(
    options: &NatsOptions,
    to: PublishTo,
    (sessions, bytes): (usize, usize),
    time: Duration,
) -> Result<Publishes, LogError> {
    let jetstream = options.connect().await?;
    let first = Subjects::of(SessionId::random()).stream();
    let ids = std::iter::repeat_with(SessionId::random);
    let ids = ids.filter(|id| to != PublishTo::OneStream || Subjects::of(*id).stream() == first);
    let payload = Bytes::from(vec![b'x'; bytes]);
    let (mut tasks, begun) = (JoinSet::new(), Instant::now());
    for id in ids.take(sessions) {
        let (jetstream, payload) = (jetstream.clone(), payload.clone());
        let subject: Arc<str> = match to {
            PublishTo::List => Subjects::of(id).entry().into(),
            PublishTo::Events | PublishTo::OneStream => Subjects::of(id).events().into(),
        };
        let stream = match to {
            PublishTo::List => META.to_owned(),
            PublishTo::Events | PublishTo::OneStream => Subjects::of(id).stream(),
        };
        tasks.spawn(async move {
            let (mut waits, mut behind) = (Vec::new(), 0);
            while begun.elapsed() < time {
                let sent = Instant::now();
                let published = jetstream.publish(&subject, Some(behind), HeaderMap::new(), payload.clone()).await;
                if matches!(published, Err(NatsError::Sequence)) {
                    // NATS says so at times under load though nobody else writes; the writer looks, too.
                    behind = jetstream.last(&stream, &subject).await?.map_or(0, |message| message.seq);
                    continue;
                }
                behind = published?;
                waits.push(sent.elapsed());
            }
            if to == PublishTo::List {
                jetstream.purge(META, &subject).await?;
            }
            Ok::<_, LogError>(waits)
        });
    }
    let mut done = Publishes::default();
    while let Some(waits) = tasks.join_next().await {
        done.waits.extend(waits.unwrap_or_else(|error| Err(LogError::Store(error.to_string())))?);
    }
    done.took = begun.elapsed();
    Ok(done)
}
