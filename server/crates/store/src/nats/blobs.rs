//! Large values, in chunks on subjects of their own. A chunk is stored once: its subject has the value's hash in it.

use async_nats::HeaderMap;
use bytes::{Bytes, BytesMut};
use futures_util::stream::{self, StreamExt, TryStreamExt};
use switchboard_events::{Blob, BlobHash, LogError};

use super::error::NatsError;
use super::jetstream::JetStream;
use super::layout::Subjects;
use super::message::StoredMessage;
use super::reading::Doubt;

/// How much a chunk has.
const CHUNK: usize = 512 * 1024;
/// How many chunks are on their way at once.
const AT_ONCE: usize = 8;
/// The header that says how many chunks there are.
const CHUNKS: &str = "Switchboard-Chunks";

/// Stores values; when this returns they can be referred to.
pub(super) async fn store(jetstream: &JetStream, subjects: Subjects, blobs: &[Blob]) -> Result<(), NatsError> {
    let mut chunks = Vec::new();
    for Blob { hash, bytes } in blobs {
        let count = bytes.len().div_ceil(CHUNK).max(1);
        for number in 0..count {
            let chunk = bytes.slice(number * CHUNK..bytes.len().min((number + 1) * CHUNK));
            chunks.push(store_chunk(jetstream, subjects.chunk(hash, number), count, chunk));
        }
    }
    stream::iter(chunks).buffer_unordered(AT_ONCE).try_collect().await
}

async fn store_chunk(jetstream: &JetStream, subject: String, count: usize, chunk: Bytes) -> Result<(), NatsError> {
    let mut headers = HeaderMap::new();
    headers.insert(CHUNKS, count.to_string());
    match jetstream.publish(&subject, Some(0), headers, chunk).await {
        // It is there.
        Err(NatsError::Sequence) => Ok(()),
        stored => stored.map(drop),
    }
}

/// A value; none if it is not there as a whole. It was there before anything said so: that it is not is not believed at once.
pub(super) async fn load(
    jetstream: &JetStream,
    subjects: Subjects,
    hash: &BlobHash,
) -> Result<Option<Bytes>, LogError> {
    let mut doubt = Doubt::default();
    loop {
        let found = load_now(jetstream, subjects, hash).await?;
        if found.is_some() || !jetstream.was_silent() || doubt.is_over().await {
            return Ok(found);
        }
    }
}

async fn load_now(jetstream: &JetStream, subjects: Subjects, hash: &BlobHash) -> Result<Option<Bytes>, LogError> {
    let stream = subjects.stream();
    // The newest may be missing in what a server that is behind sends.
    let mut found = jetstream.last_of_each(&stream, &subjects.chunks(hash)).await?;
    let count = match found.first() {
        Some(chunk) => count(chunk),
        None => {
            let first = jetstream.last(&stream, &subjects.chunk(hash, 0)).await?;
            let Some(first) = first else { return Ok(None) };
            let count = count(&first);
            found.push(first);
            count
        }
    };
    let mut whole = BytesMut::new();
    for number in 0..count {
        let subject = subjects.chunk(hash, number);
        let chunk = match found.iter().find(|chunk| chunk.subject == subject) {
            Some(chunk) => Some(chunk.payload.clone()),
            None => jetstream.last(&stream, &subject).await?.map(|chunk| chunk.payload),
        };
        let Some(chunk) = chunk else { return Ok(None) };
        whole.extend_from_slice(&chunk);
    }
    Ok(Some(whole.freeze()))
}

fn count(chunk: &StoredMessage) -> usize {
    chunk.header(CHUNKS).and_then(|count| count.parse().ok()).unwrap_or(1)
}
