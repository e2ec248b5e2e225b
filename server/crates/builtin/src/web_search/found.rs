//! A page that a service has found.

use switchboard_tools::text::cut;

/// The longest of what a service says about a page, in characters.
const SNIPPET_CHARS: usize = 500;

/// A result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) title: String,
    pub(super) url: String,
    pub(super) snippet: String,
}

impl Found {
    /// On one line each, the last one cut.
    pub(super) fn tidy(self) -> Self {
        let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        Self { title: line(&self.title), url: self.url, snippet: cut(&line(&self.snippet), SNIPPET_CHARS).into_owned() }
    }
}
