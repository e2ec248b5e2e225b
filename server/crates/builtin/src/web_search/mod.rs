//! `web_search`: asks the search service that the settings name. There is no such tool while none is set.

mod found;
mod provider;
mod service;
#[cfg(test)]
mod tests;

use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Map, Value, json};
use switchboard_protocol::{ErrorType, Risk, ToolDefinition};

use self::found::Found;
pub use self::provider::SearchProvider;
use self::service::Service;
use super::paths::text;
use super::schema;
use super::web_config::WebConfig;
use switchboard_events::ArtifactValue;
use switchboard_net::{Page, WebClient, carries_no_secret};
use switchboard_tools::text::counted;
use switchboard_tools::{Tool, ToolContext, ToolFailure, ToolResult, ToolSpec};

const DEFAULT_RESULTS: u64 = 5;
const MAX_RESULTS: u64 = 20;

/// Searches the web.
pub(super) struct WebSearch {
    spec: ToolSpec,
    client: WebClient,
    service: Service,
}

impl WebSearch {
    /// The tool, if the settings name a service.
    pub(super) fn new(config: &WebConfig, client: WebClient) -> Option<Self> {
        let service = Service::new(config)?;
        let mut spec = ToolSpec::new(definition());
        spec.time_limit = Duration::from_secs(15);
        spec.repeatable = true;
        spec.default_variable = Some("search_results");
        Some(Self { spec, client, service })
    }

    async fn search(&self, context: &ToolContext, arguments: &Map<String, Value>) -> Result<ToolResult, ToolFailure> {
        let query = text(arguments, "query").trim();
        let count = arguments.get("max_results").and_then(Value::as_u64).unwrap_or(DEFAULT_RESULTS);
        let asked = self.client.ask(|client| self.service.request(client, query, count));
        let page = tokio::select! {
            biased;
            () = context.cancellation.cancelled() => return Err(ToolFailure::new(ErrorType::User, "was cancelled")),
            page = asked => page?,
        };
        let mut found = self.found(&page)?;
        found.truncate(usize::try_from(count).unwrap_or(usize::MAX));
        Ok(result(query, &found))
    }

    fn found(&self, page: &Page) -> Result<Vec<Found>, ToolFailure> {
        let name = self.service.name();
        let refused =
            |error_type, message: String, next: &str| Err(ToolFailure::new(error_type, message).suggesting(next));
        match page.status {
            200..300 => {}
            401 | 403 => {
                let next = match self.service.provider() {
                    SearchProvider::Searxng => {
                        "If you run this server, allow the format json in the settings of the SearXNG instance \
                         (search.formats), and set --web-search-key if it needs a key."
                    }
                    _ => "If you run this server, set the right key with --web-search-key.",
                };
                return refused(ErrorType::System, format!("{name} refused the search (status {})", page.status), next);
            }
            429 => {
                return refused(
                    ErrorType::System,
                    format!("{name} does not accept more searches right now"),
                    "Try again later.",
                );
            }
            status => {
                return refused(
                    ErrorType::System,
                    format!("{name} answered {status}"),
                    "Try again later. If you run this server, also check --web-search-url.",
                );
            }
        }
        self.service.read(&page.body).ok_or_else(|| {
            let message = format!("{name} did not return search results");
            ToolFailure::new(ErrorType::System, message)
                .suggesting("If you run this server, check that --web-search-url is the service's address.")
        })
    }
}

fn result(query: &str, found: &[Found]) -> ToolResult {
    let items =
        found.iter().map(|Found { title, url, snippet }| json!({"title": title, "url": url, "snippet": snippet}));
    let value = ArtifactValue::Json(items.collect());
    let view = match found {
        [] => format!("Nothing was found for \"{query}\"."),
        found => {
            let list = found.iter().enumerate().map(|(place, Found { title, url, snippet })| {
                format!("{}. {title}\n   {url}\n   {snippet}", place + 1).trim_end().to_owned()
            });
            let head = counted(found.len() as u64, "result");
            format!("{head} for \"{query}\":\n\n{}", list.collect::<Vec<_>>().join("\n\n"))
        }
    };
    ToolResult::success(value).with_view(view).with_field("results", found.len())
}

fn definition() -> ToolDefinition {
    ToolDefinition {
        name: "web_search".to_owned(),
        description: "Search the web and return titles, addresses and short descriptions of pages. Look up current \
                      events, documentation, facts and websites on the internet; web_fetch reads a page that was found."
            .to_owned(),
        module: "web".to_owned(),
        parameters: schema::arguments(
            &["query"],
            json!({
                "query": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 400,
                    "description": "What to look for, as typed into a search engine.",
                },
                "max_results": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": MAX_RESULTS,
                    "default": DEFAULT_RESULTS,
                    "description": "How many results to return, at most 20.",
                },
            }),
        ),
        output: Some(schema::list(schema::object(json!({
            "title": {"type": "string"},
            "url": {"type": "string"},
            "snippet": {"type": "string", "description": "What the service says about the page."},
        })))),
        example: json!({"query": "rust async book", "max_results": 5}),
        risk: Risk::Network,
        examples: Vec::new(),
    }
}

#[async_trait]
impl Tool for WebSearch {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn guard(&self, arguments: &Map<String, Value>) -> Result<(), ToolFailure> {
        Ok(carries_no_secret(text(arguments, "query"))?)
    }

    fn title(&self, arguments: &Map<String, Value>) -> Option<String> {
        Some(format!("Search the web for {}", text(arguments, "query")))
    }

    async fn execute(&self, context: &ToolContext, arguments: &Map<String, Value>) -> ToolResult {
        self.search(context, arguments).await.into()
    }
}
