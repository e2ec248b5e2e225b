//! Why an edit makes nothing of a text: as a sentence for people, and as what it means for the other files that were read.
//! An edit that says only a sentence refuses.

use super::show::cut_line;

/// Why a text stays as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Unmade {
    /// What it is about is not in this file; another one may have it.
    Absent(String),
    /// Several things in this file have a part of the name that was said; another file may have all of it.
    InPart(String),
    /// Anything else, such as several places that are called so: it stands whatever the other files have.
    Refused(String),
}

impl Unmade {
    /// Nothing in the file is called so.
    pub(super) fn not_in(path: &str, called: &str) -> Self {
        Self::Absent(format!("There is no `{}` in `{path}`.", cut_line(called)))
    }
}

impl From<String> for Unmade {
    fn from(text: String) -> Self {
        Self::Refused(text)
    }
}

impl From<&str> for Unmade {
    fn from(text: &str) -> Self {
        Self::Refused(text.to_owned())
    }
}

impl From<Unmade> for String {
    fn from(unmade: Unmade) -> Self {
        let (Unmade::Absent(text) | Unmade::InPart(text) | Unmade::Refused(text)) = unmade;
        text
    }
}
