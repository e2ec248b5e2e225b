//! Why a variable cannot be set, changed or used. Every text says what to do next.

use std::fmt;

use switchboard_events::LogError;

/// Fragments finish "failed to …".
#[derive(Debug, Clone, thiserror::Error)]
pub enum ContextError {
    /// The name is not allowed.
    #[error(
        "use \"{name}\" as the name of a variable: a name begins with a letter or _ and has at most 64 letters, \
         digits and _; try \"{proposal}\""
    )]
    Name {
        /// The name, cut if it is long.
        name: String,
        /// One that could be taken.
        proposal: String,
    },
    /// The value is too large.
    #[error(
        "store {name}: the value has {bytes} bytes, and the limit is {limit}; store part of it, or write it to a file"
    )]
    Size {
        /// The variable.
        name: String,
        /// The value's size.
        bytes: u64,
        /// The largest size.
        limit: u64,
    },
    /// The value is nested too deep.
    #[error("store {name}: the value is nested more than {limit} levels deep; store part of it, or store it as text")]
    Depth {
        /// The variable.
        name: String,
        /// The deepest nesting.
        limit: usize,
    },
    /// The session has as many variables as it can.
    #[error("store {name}: the session has {limit} variables, which is the limit; delete some, or use /clear")]
    TooMany {
        /// The variable.
        name: String,
        /// The most.
        limit: usize,
    },
    /// The name already exists.
    #[error("rename to {name}: there is already a variable with that name; delete it first, or choose another name")]
    Taken {
        /// The name.
        name: String,
    },
    /// The variable does not exist.
    #[error("find the variable {name}: {}", hint(.near, .available))]
    Unknown {
        /// What was asked for.
        name: String,
        /// Names that could have been meant.
        near: Vec<String>,
        /// The names there are.
        available: Vec<String>,
    },
    /// References do not resolve.
    #[error("resolve the arguments: {}; {}", list(.unresolved), there_are(.available))]
    Unresolved {
        /// Every one that does not.
        unresolved: Vec<UnresolvedReference>,
        /// The names there are.
        available: Vec<String>,
    },
    /// What the references stand for is too large together.
    #[error(
        "resolve the arguments: the values they refer to have more than {limit} bytes in total; pass fewer or smaller \
         variables"
    )]
    ArgumentsTooLarge {
        /// The largest size.
        limit: u64,
    },
    /// A value could not be loaded.
    #[error(transparent)]
    Load(#[from] LogError),
}

/// A reference that does not resolve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnresolvedReference {
    /// Where it is in the arguments: `content`, `files[0].name`.
    pub path: String,
    /// As it was written: `@file_content.port`.
    pub reference: String,
    /// Why it does not resolve, and what to do.
    pub reason: String,
}

impl fmt::Display for UnresolvedReference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {} ({})", self.path, self.reference, self.reason)
    }
}

fn list(unresolved: &[UnresolvedReference]) -> String {
    const SHOWN: usize = 20;
    let mut texts: Vec<String> = unresolved.iter().take(SHOWN).map(ToString::to_string).collect();
    if unresolved.len() > SHOWN {
        texts.push(format!("{} more", unresolved.len() - SHOWN));
    }
    texts.join(", ")
}

fn hint(near: &[String], available: &[String]) -> String {
    match near {
        [] => there_are(available),
        near => format!("did you mean {}? {}", near.join(" or "), there_are(available)),
    }
}

/// The names there are, for people.
pub(super) fn there_are(available: &[String]) -> String {
    const SHOWN: usize = 30;
    match available {
        [] => "there are no variables yet".to_owned(),
        names if names.len() <= SHOWN => format!("the variables are: {}", names.join(", ")),
        names => format!("the variables are: {} and {} more", names[..SHOWN].join(", "), names.len() - SHOWN),
    }
}
