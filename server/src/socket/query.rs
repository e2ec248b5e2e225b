//! What is in the address: which session, and from where.

use std::str::FromStr;

use switchboard_protocol::{SessionId, close};

use super::close::Closing;
use switchboard_session::{AttachFrom, Refusal, Subscription};

/// Where a client wants to attach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) session: Option<SessionId>,
    pub(super) from: AttachFrom,
    /// The history that the client has read so far.
    pub(super) generation: Option<String>,
    /// Whether the client shows windows.
    pub(super) viewer: bool,
    /// Whether the client shows the list of sessions.
    pub(super) list: bool,
    /// Which frames the client is sent.
    pub(super) subscription: Subscription,
}

impl Wanted {
    /// Refuses a client that has read something of another history: its numbers mean other events here.
    ///
    /// # Errors
    /// How the connection closes.
    pub(super) fn refuse_other_history(&self, generation: &str) -> Result<(), Closing> {
        let read = matches!(self.from, AttachFrom::After(after) if after > 0);
        match &self.generation {
            Some(other) if read && other != generation => Err(Closing::new(
                close::AFTER_BEYOND_END,
                "the log is another one than the one you read (`generation`); read the session from its beginning",
            )),
            _ => Ok(()),
        }
    }
}

/// Reads `session`, `after`, `tail`, `messages`, `generation`, `viewer`, `list` and `types`; others are ignored.
///
/// # Errors
/// What the client is told before the connection closes, and how it closes.
pub(super) fn wanted(query: &str) -> Result<Wanted, (Option<Refusal>, Closing)> {
    let get = |name: &str| {
        query.split('&').filter_map(|pair| pair.split_once('=')).find(|(key, _)| *key == name).map(|(_, value)| value)
    };
    let session = match get("session").filter(|value| !value.is_empty()) {
        None => None,
        Some(id) => Some(
            id.parse::<SessionId>()
                .map_err(|_| (None, Closing::new(close::UNKNOWN_SESSION, "there is no session with this id")))?,
        ),
    };
    let from = match (get("after"), get("tail"), get("messages")) {
        (Some(_), Some(_), _) => return Err(wrong("tail", "`after` and `tail` cannot be used together.")),
        (_, None, Some(_)) => return Err(wrong("messages", "`messages` is only used together with `tail`.")),
        (Some(after), None, None) => AttachFrom::After(number("after", after, 0)?),
        (None, Some(tail), None) => AttachFrom::Tail(number("tail", tail, 0)?),
        (None, Some(tail), Some(messages)) => {
            AttachFrom::LastMessages { messages: number("messages", messages, 1)?, events: number("tail", tail, 0)? }
        }
        (None, None, None) => AttachFrom::After(0),
    };
    let (viewer, list) = (get("viewer") == Some("1"), get("list") == Some("1"));
    let generation = get("generation").filter(|value| !value.is_empty()).map(ToOwned::to_owned);
    // Written by a browser, a comma is `%2C`.
    let types = get("types").unwrap_or("*").replace("%2C", ",").replace("%2c", ",");
    let subscription = Subscription::parse(&types).map_err(|error| {
        let (text, suggestion) = (error.to_string(), error.suggestion());
        refused(Refusal::field("protocol-wrong-field", "types", &text).suggesting(suggestion), text)
    })?;
    match (session, from) {
        (None, AttachFrom::After(after)) if after > 0 => {
            let reason = "`after` needs a `session`; a new session has no events yet";
            Err((None, Closing::new(close::AFTER_BEYOND_END, reason)))
        }
        (None, _) => Ok(Wanted { session, from: AttachFrom::New, generation: None, viewer, list, subscription }),
        (Some(_), _) => Ok(Wanted { session, from, generation, viewer, list, subscription }),
    }
}

fn number<N: FromStr>(name: &str, value: &str, least: u8) -> Result<N, (Option<Refusal>, Closing)> {
    value.parse().map_err(|_| wrong(name, &format!("`{name}` is not a whole number of {least} or more.")))
}

fn wrong(path: &str, text: &str) -> (Option<Refusal>, Closing) {
    let refusal = Refusal::field("protocol-wrong-field", path, text).suggesting(
        "Connect to /ws?session=<id>&after=<seq> or &tail=<n>, or to /ws without parameters for a new session.",
    );
    refused(refusal, text)
}

fn refused(refusal: Refusal, reason: impl Into<String>) -> (Option<Refusal>, Closing) {
    (Some(refusal), Closing::new(close::AFTER_BEYOND_END, reason))
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;

    fn all() -> Subscription {
        Subscription::default()
    }

    #[test]
    fn nothing_means_a_new_session() {
        let found = wanted("").expect("it is allowed");

        let (session, from, generation) = (None, AttachFrom::New, None);
        assert_eq!(found, Wanted { session, from, generation, viewer: false, list: false, subscription: all() });
    }

    #[test]
    fn a_session_without_a_place_is_read_from_its_beginning() {
        let id = SessionId::random();

        let found = wanted(&format!("session={id}&other=1")).expect("it is allowed");

        let (session, from, generation) = (Some(id), AttachFrom::After(0), None);
        assert_eq!(found, Wanted { session, from, generation, viewer: false, list: false, subscription: all() });
    }

    #[test]
    fn a_tail_may_be_counted_in_messages() {
        let found = wanted(&format!("session={}&tail=200&messages=8", SessionId::random())).expect("it is allowed");

        let messages = NonZeroUsize::new(8).expect("it is more than 0");
        assert_eq!(found.from, AttachFrom::LastMessages { messages, events: 200 });
    }

    #[test]
    fn d02_who_has_read_another_history_starts_over() {
        let id = SessionId::random();
        let refused = |query: &str| wanted(query).expect("it is allowed").refuse_other_history("g-1").err();

        assert_eq!(refused(&format!("session={id}&after=3&generation=g-2")).map(|closing| closing.code), Some(4007));
        for query in ["after=3&generation=g-1", "after=3", "after=0&generation=g-2", "tail=5&generation=g-2"] {
            assert_eq!(refused(&format!("session={id}&{query}")), None, "{query}");
        }
    }

    #[test]
    fn a_client_that_shows_windows_says_so() {
        assert!(wanted("viewer=1").expect("it is allowed").viewer);
        assert!(!wanted("viewer=0").expect("it is allowed").viewer);
    }

    #[test]
    fn a_client_that_shows_the_list_says_so() {
        assert!(wanted("list=1").expect("it is allowed").list);
        assert!(!wanted("list=yes").expect("it is allowed").list);
    }

    #[test]
    fn a_client_names_the_types_of_frames_that_it_is_sent() {
        for query in ["types=agent-response,tool-call-end", "types=agent-response%2Ctool-call-end"] {
            let found = wanted(query).expect("it is allowed").subscription;

            assert!(found.has(r#"{"type":"tool-call-end"}"#) && !found.has(r#"{"type":"agent-delta"}"#), "{query}");
        }
        for query in ["types=", "types=agent-respnse", "types=agent-response,"] {
            let (refusal, closing) = wanted(query).expect_err("it is refused");

            assert!(refusal.is_some() && closing.code == 4007, "{query}");
        }
    }

    #[test]
    fn an_id_that_is_none_is_an_unknown_session() {
        let (refusal, closing) = wanted("session=nonsense").expect_err("it is refused");

        assert_eq!((refusal, closing.code), (None, 4004));
    }

    #[test]
    fn a_new_session_has_nothing_to_resume() {
        let (refusal, closing) = wanted("after=5").expect_err("it is refused");

        assert_eq!((refusal, closing.code), (None, 4007));
    }

    #[test]
    fn a_place_that_is_no_number_is_named() {
        for query in
            ["after=x", "after=-1", "tail=", "after=1&tail=2", "tail=2&messages=0", "after=1&messages=2", "messages=2"]
        {
            let (refusal, closing) = wanted(query).expect_err("it is refused");

            assert!(refusal.is_some(), "{query}");
            assert_eq!(closing.code, 4007, "{query}");
        }
    }
}
