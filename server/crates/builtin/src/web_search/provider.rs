//! Which services can be asked, and what each one needs in the settings.

use std::str::FromStr;

use url::Url;

use switchboard_runtime::Secret;

/// A service that searches the web.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchProvider {
    /// An instance of SearXNG, one's own or a friend's.
    Searxng,
    /// The Brave Search API.
    Brave,
    /// The Tavily search API.
    Tavily,
}

impl FromStr for SearchProvider {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "searxng" => Ok(Self::Searxng),
            "brave" => Ok(Self::Brave),
            "tavily" => Ok(Self::Tavily),
            other => Err(format!("{other:?} is not a search service: use searxng, brave or tavily")),
        }
    }
}

impl SearchProvider {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Searxng => "SearXNG",
            Self::Brave => "Brave Search",
            Self::Tavily => "Tavily",
        }
    }

    /// Where it is when nobody says so, and the path of its search.
    pub(super) fn place(self) -> (Option<&'static str>, &'static str) {
        match self {
            Self::Searxng => (None, "search"),
            Self::Brave => (Some("https://api.search.brave.com/"), "res/v1/web/search"),
            Self::Tavily => (Some("https://api.tavily.com/"), "search"),
        }
    }

    /// What is missing in the settings for this service.
    ///
    /// # Errors
    /// Names the setting.
    pub fn check(self, url: Option<&Url>, key: Option<&Secret>) -> Result<(), String> {
        let name = self.name();
        match (self, url, key) {
            (Self::Searxng, None, _) => Err(
                "--web-search searxng needs the address of an instance: --web-search-url https://searx.example.org/"
                    .to_owned(),
            ),
            (Self::Brave | Self::Tavily, _, None) => Err(format!(
                "{name} needs a key: --web-search-key KEY, or SWITCHBOARD_WEB_SEARCH_KEY in the environment"
            )),
            _ => Ok(()),
        }
    }
}
