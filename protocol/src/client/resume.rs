//! What was seen of a session's log, so that after a lost connection nothing is missed and nothing comes twice.

use super::Start;
use crate::{SessionId, Snapshot};

/// Where a client is in a session.
#[derive(Debug)]
pub(crate) struct Position {
    session: Option<SessionId>,
    start: Start,
    /// The last event that was seen, once it is known where the log begins for us.
    last: Option<u64>,
    /// The history that it belongs to; a server before this existed does not say.
    generation: Option<String>,
}

/// How an event fits to what was seen.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// It is the next one.
    Next,
    /// It was seen before.
    Seen,
    /// Events between are missing; this is the first of them.
    Hole(u64),
}

impl Position {
    pub(crate) fn new(session: Option<SessionId>, start: Start) -> Self {
        Self { session, start, last: None, generation: None }
    }

    /// The query of the next connection.
    pub(crate) fn query(&self) -> String {
        let Some(session) = self.session else { return String::new() };
        match (self.last, self.start) {
            (Some(last), _) => match &self.generation {
                Some(generation) => format!("session={session}&after={last}&generation={generation}"),
                None => format!("session={session}&after={last}"),
            },
            (None, Start::After(after)) => format!("session={session}&after={after}"),
            (None, Start::Tail(count)) => format!("session={session}&tail={count}"),
        }
    }

    /// A connection begins with `session-ready`: on the first one it says where the events will begin.
    pub(crate) fn ready(
        &mut self,
        session: SessionId,
        last_seq: u64,
        generation: Option<&str>,
        snapshot: Option<&Snapshot>,
    ) {
        // It goes into an address.
        let plain = |text: &&str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        self.generation = generation.filter(plain).map(ToOwned::to_owned);
        let known = self.session.replace(session).is_some();
        if self.last.is_none() {
            self.last = Some(match (known, self.start) {
                (false, _) => 0,
                (true, Start::After(after)) => after,
                (true, Start::Tail(count)) => match snapshot {
                    Some(snapshot) => snapshot.first_seq.saturating_sub(1),
                    None => last_seq.saturating_sub(u64::from(count)),
                },
            });
        }
    }

    /// What was seen is not what the server has: the session is read from its beginning. False when that was to be done
    /// already.
    pub(crate) fn start_over(&mut self) -> bool {
        self.start = Start::After(0);
        self.generation = None;
        self.last.replace(0).is_some_and(|last| last > 0)
    }

    /// Whether this event and all before it have come.
    pub(crate) fn has_seen(&self, seq: u64) -> bool {
        self.last.unwrap_or(0) >= seq
    }

    /// An event came.
    pub(crate) fn see(&mut self, seq: u64) -> Fit {
        let last = self.last.unwrap_or(0);
        if seq <= last {
            Fit::Seen
        } else if seq == last + 1 {
            self.last = Some(seq);
            Fit::Next
        } else {
            Fit::Hole(last + 1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(first_seq: u64) -> Snapshot {
        Snapshot {
            variables: Vec::new(),
            title: None,
            context_tokens: None,
            open_windows: Vec::new(),
            notifications: None,
            first_seq,
        }
    }

    #[test]
    fn a_new_session_is_read_from_its_beginning_and_resumed_where_it_was_left() {
        let session = SessionId::random();
        let mut position = Position::new(None, Start::After(0));
        assert_eq!(position.query(), "");

        position.ready(session, 0, Some("g-1"), None);
        assert_eq!(position.see(1), Fit::Next);
        assert_eq!(position.see(2), Fit::Next);

        assert_eq!(position.query(), format!("session={session}&after=2&generation=g-1"));
    }

    #[test]
    fn another_history_is_read_from_its_beginning_and_only_once_in_vain() {
        let session = SessionId::random();
        let mut position = Position::new(Some(session), Start::Tail(3));
        position.ready(session, 12, Some("g-1"), Some(&snapshot(11)));
        assert_eq!(position.see(11), Fit::Next);

        assert!(position.start_over());

        assert_eq!(position.query(), format!("session={session}&after=0"));
        assert!(!position.start_over());
        position.ready(session, 4, Some("g-2"), None);
        assert_eq!(position.see(1), Fit::Next);
        assert_eq!(position.query(), format!("session={session}&after=1&generation=g-2"));
    }

    #[test]
    fn an_event_that_was_seen_is_known_and_a_hole_is_not_passed_over() {
        let session = SessionId::random();
        let mut position = Position::new(Some(session), Start::After(5));
        assert_eq!(position.query(), format!("session={session}&after=5"));
        position.ready(session, 9, None, None);

        assert_eq!(position.see(5), Fit::Seen);
        assert_eq!(position.see(6), Fit::Next);
        assert_eq!(position.see(8), Fit::Hole(7));
        assert_eq!(position.see(7), Fit::Next);
    }

    #[test]
    fn a_tail_begins_where_its_snapshot_says_and_is_resumed_by_seq() {
        let session = SessionId::random();
        let mut position = Position::new(Some(session), Start::Tail(3));
        assert_eq!(position.query(), format!("session={session}&tail=3"));

        position.ready(session, 12, None, Some(&snapshot(11)));
        assert_eq!(position.see(11), Fit::Next);

        assert_eq!(position.query(), format!("session={session}&after=11"));
    }

    #[test]
    fn a_tail_that_is_longer_than_the_log_begins_at_its_beginning() {
        let session = SessionId::random();
        let mut position = Position::new(Some(session), Start::Tail(100));

        position.ready(session, 2, None, None);

        assert_eq!(position.see(1), Fit::Next);
    }
}
