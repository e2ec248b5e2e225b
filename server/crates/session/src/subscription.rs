//! Which kinds of frames a client is sent: one type, several, or all (`*`), as seed 004 subscribes to events.

use std::collections::BTreeSet;

use switchboard_protocol::{SERVER_FRAME_TYPES, frame_type};
use switchboard_runtime::nearest;

/// What comes whatever a client subscribes to: where it is, and what went wrong.
const ALWAYS: [&str; 4] = ["session-ready", "agent-error", "command-error", "log-damaged"];

/// The types of frames that a client subscribes to; all by default.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Subscription(Option<BTreeSet<&'static str>>);

/// There is no such type of frame.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no type of frame \"{name}\"")]
pub struct UnknownFrameType {
    name: String,
    near: Option<&'static str>,
}

impl UnknownFrameType {
    /// What to write instead.
    #[must_use]
    pub fn suggestion(&self) -> String {
        match self.near {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => format!("send some of these, separated by commas: {}", SERVER_FRAME_TYPES.join(", ")),
        }
    }
}

impl Subscription {
    /// Reads names that are separated by commas; `*` is all of them.
    ///
    /// # Errors
    /// For a name that is no type of frame.
    pub fn parse(names: &str) -> Result<Self, UnknownFrameType> {
        let names = names.split(',').map(str::trim).collect::<Vec<_>>();
        if names.contains(&"*") {
            return Ok(Self::default());
        }
        let known = |name: &&str| {
            SERVER_FRAME_TYPES.into_iter().find(|known| known == name).ok_or_else(|| UnknownFrameType {
                name: name.chars().take(40).collect(),
                near: nearest(name, SERVER_FRAME_TYPES, 1).first().copied(),
            })
        };
        names.iter().map(known).collect::<Result<_, _>>().map(|types| Self(Some(types)))
    }

    /// Whether a frame, as JSON text, is sent to the client.
    #[must_use]
    pub fn has(&self, frame: &str) -> bool {
        self.0.is_none() || frame_type(frame).is_none_or(|kind| self.has_type(kind))
    }

    /// Whether frames of this type are sent to the client.
    #[must_use]
    pub fn has_type(&self, kind: &str) -> bool {
        self.0.as_ref().is_none_or(|types| types.contains(kind)) || ALWAYS.contains(&kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const END: &str = r#"{"type":"agent-response","text":"tool-call-end"}"#;

    #[test]
    fn only_what_was_subscribed_to_comes_and_what_went_wrong() {
        let some = Subscription::parse("agent-response, tool-call-end").expect("two types");

        assert!(some.has(END) && some.has(r#"{"type":"tool-call-end"}"#));
        assert!(some.has(r#"{"type":"agent-error"}"#) && some.has(r#"{"type":"log-damaged","fromSeq":3}"#));
        assert!(!some.has(r#"{"type":"agent-delta","text":"agent-response"}"#));
    }

    #[test]
    fn a_star_is_everything() {
        assert_eq!(Subscription::parse("*"), Ok(Subscription::default()));
        assert!(Subscription::default().has(END));
    }

    #[test]
    fn a_name_that_is_none_is_told_with_the_nearest() {
        let told = |names: &str| Subscription::parse(names).expect_err("it is none").suggestion();

        assert_eq!(told("agent-response,tool-cal-end"), "did you mean \"tool-call-end\"?");
        assert!(told("").contains("agent-delta"), "{}", told(""));
    }
}
