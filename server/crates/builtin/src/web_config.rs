//! How tools reach the web.

use switchboard_net::LocalHosts;
use switchboard_runtime::Secret;

use super::web_search::SearchProvider;

/// What of the web is reached.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WebConfig {
    /// Hosts of the local network that may be fetched from.
    pub local: LocalHosts,
    /// Which service searches the web; absent: none.
    pub search: Option<SearchProvider>,
    /// Where it is, if not at its own address.
    pub search_url: Option<url::Url>,
    /// What it must be shown.
    pub search_key: Option<Secret>,
}
