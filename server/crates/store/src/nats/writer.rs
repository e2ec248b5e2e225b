//! Writing a session: one write of it is on its way at a time, and what comes meanwhile goes with the next one.
//!
//! A write expects the message that this server knows to be the last. If another one is there, another server has claimed the
//! session, and this one lets go of it; no clock has a say.

use std::sync::Arc;

use async_nats::HeaderMap;
use switchboard_accounts::Principal;
use switchboard_events::{Append, Committed, LogError, RecordNotes, SessionChange};
use switchboard_protocol::SessionId;
use switchboard_runtime as runtime;

use super::blobs;
use super::core::{Core, Held, Published, Session, Standing};
use super::error::NatsError;
use super::layout::Subjects;
use super::link::Write;
use super::meta::Entry;
use super::queue::Job;
use super::reading::Tail;

/// How much a message has beside its headers, at most.
const MESSAGE: usize = 900 * 1024;
/// How much room headers take, at most.
const HEADERS: usize = 64 * 1024;
/// How often a claim is tried while the server that has the session writes.
const ATTEMPTS: usize = 100;
/// For how long other servers can hear that a session is gone.
const GONE_FOR: &str = "24h";

impl Core {
    /// Makes a session, which is this server's then.
    pub(super) async fn create(&self, id: SessionId, owner: &Principal) -> Result<(), LogError> {
        self.open()?;
        if let Some(most) = self.max_sessions
            && self.index.count().await? >= most
        {
            return Err(LogError::Limit(
                "there are as many sessions as there may be (--max-sessions); delete some that are no longer needed, or raise \
                 the limit and start the server again",
            ));
        }
        self.lease.hold().await?;
        let session = self.session(id);
        let mut standing = session.standing.lock().await;
        let (there, entry_seq) = self.entry(id).await?;
        if there.is_some() {
            return Err(LogError::Exists(id));
        }
        let now = runtime::timestamp();
        let entry = Entry {
            owner: owner.as_str().to_owned(),
            created_at: now.clone(),
            updated_at: now,
            place: self.index.next_place()?,
            server: self.server.as_str().to_owned(),
            workspace: self.lease.workspace(),
            epoch: 1,
            ..Entry::default()
        };
        let write = Write::claim(id, None, self.server.as_str(), entry.to_bytes());
        let Published::Stored(seq) = self.publish(&session, &write).await? else { return Err(LogError::Exists(id)) };
        let mut held = Held { head: write.head(seq), entry, entry_seq, is_behind: true };
        // The tombstone of an earlier session of this name may vanish in this moment, and its sequence with it.
        match self.put_entry(id, &mut held).await {
            Err(LogError::UnknownSession(_)) => {
                held.entry_seq = self.entry(id).await?.1;
                self.put_entry(id, &mut held).await?;
            }
            put => put?,
        }
        self.tell(id, &held.entry, true)?;
        *standing = Standing::Held(Box::new(held));
        Ok(())
    }

    /// Makes the session this server's, unless it is not to be; its last event. One that is damaged is nobody's, and its last
    /// event is one that cannot be read.
    pub(super) async fn claim(&self, id: SessionId) -> Result<u64, LogError> {
        self.open()?;
        self.lease.hold().await?;
        let session = self.session(id);
        let mut standing = session.standing.lock().await;
        for _ in 0..ATTEMPTS {
            let mut held = match self.take_up(id).await {
                Ok(Some(held)) => held,
                Ok(None) => {
                    *standing = Standing::Unknown;
                    return Err(LogError::UnknownSession(id));
                }
                Err(error @ LogError::Damaged { .. }) => {
                    let LogError::Damaged { seq, .. } = error else { return Err(error) };
                    *standing = Standing::Lost(error);
                    return Ok(seq);
                }
                Err(error) => return Err(error),
            };
            let epoch = held.head.link.epoch;
            if held.head.link.by != self.server.as_str() {
                self.refuse_taken(id, &held).await?;
                held.entry.workspace = self.lease.workspace();
                (held.entry.epoch, held.entry.server) = (epoch + 1, self.server.as_str().to_owned());
                let write = Write::claim(id, Some(&held.head), self.server.as_str(), held.entry.to_bytes());
                match self.publish(&session, &write).await? {
                    Published::Stored(seq) => (held.head, held.is_behind) = (write.head(seq), true),
                    // Whoever has it has written meanwhile.
                    Published::Refused(Tail::Sound(last)) if last.link.epoch == epoch => continue,
                    Published::Refused(Tail::Nothing) => return Err(LogError::UnknownSession(id)),
                    Published::Refused(_) => return Err(LogError::Moved(id)),
                }
            }
            if held.is_behind {
                self.put_entry(id, &mut held).await?;
            }
            let last = held.head.link.last;
            self.tell(id, &held.entry, false)?;
            *standing = Standing::Held(Box::new(held));
            return Ok(last);
        }
        Err(LogError::Busy)
    }

    /// Lets go of a session, so that any server may claim it.
    pub(super) async fn release(&self, id: SessionId) -> Result<(), LogError> {
        let session = self.session(id);
        let mut standing = session.standing.lock().await;
        let Standing::Held(mut held) = std::mem::take(&mut *standing) else { return Ok(()) };
        held.entry.server.clear();
        held.entry.epoch = held.head.link.epoch + 1;
        let write = Write::claim(id, Some(&held.head), "", held.entry.to_bytes());
        match self.publish(&session, &write).await? {
            Published::Stored(_) => self.put_entry(id, &mut held).await,
            // Somebody has it already.
            Published::Refused(_) => Ok(()),
        }
    }

    /// Hands an append over without waiting.
    pub(super) fn append(self: &Arc<Self>, append: Append) -> Committed {
        let id = append.session;
        let job = self.open().and_then(|()| Job::new(append, &self.backlog));
        let (job, outcome) = match job {
            Ok(job) => job,
            Err(error) => return Box::pin(std::future::ready(Err(error))),
        };
        let session = self.session(id);
        if session.queue.push(job) {
            self.handle.spawn(Arc::clone(self).drain(session));
        }
        Box::pin(async move { outcome.await.unwrap_or(Err(LogError::Closed)) })
    }

    /// Removes a session with all that belongs to it; whether it was there.
    pub(super) async fn delete(&self, id: SessionId) -> Result<bool, LogError> {
        self.open()?;
        let session = self.session(id);
        let mut standing = session.standing.lock().await;
        let (subjects, stream) = (Subjects::of(id), Subjects::of(id).stream());
        *standing = Standing::Unknown;
        let was_there = self.sure_entry(id).await?.0.is_some();
        // First, so that nobody writes it any more, and so that it can be done again when the rest fails.
        self.jetstream.purge(&stream, &subjects.events()).await?;
        self.jetstream.purge(&stream, &subjects.blobs()).await?;
        loop {
            let (Some(entry), seq) = self.entry(id).await? else { return Ok(was_there) };
            let gone = Entry { gone: true, by: self.server.as_str().to_owned(), ..entry };
            let mut headers = HeaderMap::new();
            headers.insert("Nats-TTL", GONE_FOR);
            match self.jetstream.publish(&subjects.entry(), Some(seq), headers, gone.to_bytes().into()).await {
                Ok(_) => {
                    self.index.put(id, &gone)?;
                    let owner = Principal::named(&gone.owner);
                    self.changes.tell(SessionChange { session: id, owner, gone: true });
                    return Ok(true);
                }
                Err(NatsError::Sequence) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Writes what waits, and ends. A list in NATS that is behind gets the newest entry when nobody waits for that.
    async fn drain(self: Arc<Self>, session: Arc<Session>) {
        loop {
            session.queue.gathered().await;
            let mut standing = session.standing.lock().await;
            let jobs = session.queue.take();
            if jobs.is_empty() {
                return;
            }
            let is_listed = jobs.iter().any(|job| job.append.is_listed());
            let outcomes = self.write(&session, &mut standing, &jobs).await;
            // The last first: who waits for the first one is woken once and finds all the others.
            for (job, outcome) in jobs.into_iter().zip(outcomes).rev() {
                job.answer(outcome);
            }
            if let Standing::Held(held) = &mut *standing
                && held.is_behind
                && is_listed
                && let Err(error) = self.put_entry(session.id, held).await
            {
                tracing::warn!(session = %session.id, %error, "the list of sessions in NATS is behind");
            }
        }
    }

    /// Writes these appends, of which each expects what the one in front of it leaves; what became of each.
    async fn write(&self, session: &Session, standing: &mut Standing, jobs: &[Job]) -> Vec<Result<(), LogError>> {
        let appends = match self.held(session.id, standing).await {
            Ok(held) => joined(held, jobs),
            Err(error) => return jobs.iter().map(|_| Err(error.clone())).collect(),
        };
        let fitting: Vec<&Append> = appends.iter().filter_map(|append| append.as_ref().ok()).copied().collect();
        let written = match fitting.as_slice() {
            [] => Ok(()),
            fitting => self.commit(session, standing, fitting).await,
        };
        appends.into_iter().map(|append| append.and_then(|_| written.clone())).collect()
    }

    /// The session, if it is this server's.
    async fn held<'a>(&self, id: SessionId, standing: &'a mut Standing) -> Result<&'a mut Held, LogError> {
        if let Standing::Unknown = standing {
            match self.take_up(id).await? {
                None => return Err(LogError::UnknownSession(id)),
                Some(held) if held.head.link.by == self.server.as_str() => *standing = Standing::Held(Box::new(held)),
                Some(_) => return Err(LogError::Moved(id)),
            }
        }
        match standing {
            Standing::Held(held) => Ok(held),
            Standing::Lost(error) => Err(error.clone()),
            Standing::Unknown => Err(LogError::UnknownSession(id)),
        }
    }

    /// Writes appends that follow one another as one. When it is not known what became of them, the session has to be claimed
    /// again: what comes behind them must not be written as if they were not there.
    async fn commit(&self, session: &Session, standing: &mut Standing, appends: &[&Append]) -> Result<(), LogError> {
        // Without it others may take the session over, and have it already; what the write expects tells.
        self.lease.hold().await?;
        for append in appends {
            blobs::store(&self.jetstream, Subjects::of(session.id), &append.blobs).await?;
        }
        let committed = self.commit_records(session, standing, appends).await;
        if let Err(error) = &committed {
            *standing = match error {
                LogError::UnknownSession(_) => Standing::Unknown,
                error => Standing::Lost(error.clone()),
            };
        }
        committed
    }

    async fn commit_records(
        &self,
        session: &Session,
        standing: &mut Standing,
        appends: &[&Append],
    ) -> Result<(), LogError> {
        let id = session.id;
        let held = self.held(id, standing).await?;
        if appends.iter().any(|append| !append.events.is_empty()) {
            let bytes = MESSAGE.min(self.jetstream.max_payload().saturating_sub(HEADERS));
            let write = Write::events(id, &held.head, appends, bytes);
            match self.publish(session, &write).await? {
                Published::Stored(seq) => held.head = write.head(seq),
                Published::Refused(tail) => return Err(self.refused(id, &held.clone(), tail)),
            }
        }
        let mut notes = RecordNotes::default();
        appends.iter().for_each(|append| notes.add(append));
        held.entry.take(&notes);
        held.entry.last = held.head.link.last;
        held.is_behind = true;
        if let Some(event) = appends.iter().rev().find_map(|append| append.events.last()) {
            held.entry.updated_at.clone_from(&event.at);
        }
        let is_listed = appends.iter().any(|append| append.is_listed());
        if is_listed {
            held.entry.place = self.index.next_place()?;
        }
        if !notes.opened.is_empty() {
            // Before anybody hears that they were taken: whoever takes the session over finds it by them.
            self.put_entry(id, held).await?;
        }
        self.tell(id, &held.entry, is_listed)
    }

    /// Why a write was refused that was to stand behind what this server knows.
    fn refused(&self, id: SessionId, held: &Held, tail: Tail) -> LogError {
        let (head, last) = (&held.head, held.head.link.last);
        match tail {
            Tail::Nothing => LogError::UnknownSession(id),
            Tail::Damaged(detail) => LogError::Damaged { session: id, seq: last + 1, detail: detail.to_owned() },
            Tail::Sound(found) if found.link.epoch != head.link.epoch || !self.is_ours(&found) => LogError::Moved(id),
            Tail::Sound(found) if found.seq < head.seq => {
                let (seq, found) = (found.link.last + 1, found.link.last);
                let detail = format!("the session has {last} events, but the last one found is {found}");
                LogError::Damaged { session: id, seq, detail }
            }
            Tail::Sound(found) => LogError::Conflict { session: id, expected: last, found: found.link.last },
        }
    }

    /// Takes the entry into this server's own list, and tells it if the list shows it.
    fn tell(&self, id: SessionId, entry: &Entry, is_listed: bool) -> Result<(), LogError> {
        self.index.put(id, entry)?;
        if is_listed {
            self.changes.tell(SessionChange { session: id, owner: Principal::named(&entry.owner), gone: false });
        }
        Ok(())
    }
}

/// Those that expect what is there or what the ones in front leave; the others are refused.
fn joined<'a>(held: &Held, jobs: &'a [Job]) -> Vec<Result<&'a Append, LogError>> {
    let mut last = held.head.link.last;
    let append = |job: &'a Job| {
        let append = &job.append;
        let (session, expected, found) = (append.session, append.expected, last);
        if expected != found {
            return Err(LogError::Conflict { session, expected, found });
        }
        last += append.events.len() as u64;
        Ok(append)
    };
    jobs.iter().map(append).collect()
}
