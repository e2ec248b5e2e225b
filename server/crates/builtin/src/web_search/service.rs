//! A service as the settings name it: what it wants to be sent, and what it answers.

use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};
use url::Url;

use super::found::Found;
use super::provider::SearchProvider;
use crate::web_config::WebConfig;
use switchboard_runtime::Secret;

/// A service as it is set.
pub(super) struct Service {
    provider: SearchProvider,
    address: Url,
    key: Option<Secret>,
}

impl Service {
    /// The service of the settings, if they name one and all that it needs.
    pub(super) fn new(config: &WebConfig) -> Option<Self> {
        let provider = config.search?;
        provider.check(config.search_url.as_ref(), config.search_key.as_ref()).ok()?;
        let (own, path) = provider.place();
        let mut base = config.search_url.clone().or_else(|| own?.parse().ok())?;
        if !base.path().ends_with('/') {
            base.set_path(&format!("{}/", base.path()));
        }
        Some(Self { provider, address: base.join(path).ok()?, key: config.search_key.clone() })
    }

    pub(super) fn provider(&self) -> SearchProvider {
        self.provider
    }

    pub(super) fn name(&self) -> &'static str {
        self.provider.name()
    }

    /// The request for this search.
    pub(super) fn request(&self, client: &Client, query: &str, count: u64) -> RequestBuilder {
        let with = |pairs: &[(&str, &str)]| {
            let mut address = self.address.clone();
            address.query_pairs_mut().extend_pairs(pairs);
            client.get(address)
        };
        let request = match self.provider {
            SearchProvider::Searxng => with(&[("q", query), ("format", "json")]),
            SearchProvider::Brave => with(&[("q", query), ("count", &count.to_string())]),
            SearchProvider::Tavily => client
                .post(self.address.clone())
                .header(CONTENT_TYPE, "application/json")
                .body(json!({"query": query, "max_results": count, "search_depth": "basic"}).to_string()),
        };
        let request = request.header(ACCEPT, "application/json");
        match (self.provider, self.secret_header()) {
            (SearchProvider::Brave, Some(key)) => request.header("X-Subscription-Token", key),
            (_, Some(key)) => request.header(AUTHORIZATION, key),
            (_, None) => request,
        }
    }

    /// The key as the header wants it, marked so that nothing prints it.
    fn secret_header(&self) -> Option<HeaderValue> {
        let key = self.key.as_ref()?.reveal();
        let text = match self.provider {
            SearchProvider::Brave => key.to_owned(),
            SearchProvider::Searxng | SearchProvider::Tavily => format!("Bearer {key}"),
        };
        let mut header = HeaderValue::from_str(&text).ok()?;
        header.set_sensitive(true);
        Some(header)
    }

    /// The results in an answer; `None` if it is none of this service.
    pub(super) fn read(&self, body: &[u8]) -> Option<Vec<Found>> {
        let answer: Value = serde_json::from_slice(body).ok()?;
        let (list, snippet) = match self.provider {
            SearchProvider::Searxng | SearchProvider::Tavily => (answer.get("results")?, "content"),
            // Without any result there is no "web".
            SearchProvider::Brave => match answer.get("web") {
                Some(web) => (web.get("results")?, "description"),
                None => return answer.get("query").map(|_| Vec::new()),
            },
        };
        let text = |item: &Value, key: &str| plain(item.get(key).and_then(Value::as_str).unwrap_or_default());
        let items = list.as_array()?.iter().filter_map(|item| {
            let url = item.get("url").and_then(Value::as_str)?.to_owned();
            Some(Found { title: text(item, "title"), url, snippet: text(item, snippet) }.tidy())
        });
        Some(items.collect())
    }
}

/// Text without the marks with which a service shows what matched.
fn plain(text: &str) -> String {
    let mut out = text.to_owned();
    for mark in ["<strong>", "</strong>", "<b>", "</b>", "<em>", "</em>"] {
        out = out.replace(mark, "");
    }
    for (entity, sign) in
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#x27;", "'"), ("&#39;", "'"), ("&amp;", "&")]
    {
        out = out.replace(entity, sign);
    }
    out
}
