//! `web_fetch`: fetches one page of the public web and makes text, data or bytes of it.
//!
//! The crate `net` checks what may be reached; HTML, which others wrote, is read in a worker with limits of its own.

mod content;
mod html;
#[cfg(test)]
mod tests;

use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Map, Value, json};
use switchboard_protocol::{ErrorType, Risk, Stream, ToolDefinition};

use self::content::{Content, read};
pub use self::html::{WORKER_ARGUMENT, run_worker};
use super::paths::text;
use super::schema;
use switchboard_context::get_variable_preview;
use switchboard_events::{ArtifactValue, LoadedPicture};
use switchboard_net::{Page, Received, WebClient, carries_no_secret, check, parse};
use switchboard_sandbox::WorkerProgram;
use switchboard_tools::text::{cut, sanitize_line};
use switchboard_tools::{Tool, ToolContext, ToolFailure, ToolResult, ToolSpec};

/// The longest address: what is asked about is always seen whole.
const MAX_URL_CHARS: usize = 2000;

/// As much of a page is in the view; the variable has the whole.
const VIEW_CHARS: usize = 8000;

/// As much of the page of an error.
const ERROR_CHARS: usize = 1000;

/// Fetches pages.
pub(super) struct WebFetch {
    spec: ToolSpec,
    client: WebClient,
    worker: WorkerProgram,
}

impl WebFetch {
    pub(super) fn new(client: WebClient, worker: WorkerProgram) -> Self {
        let mut spec = ToolSpec::new(definition());
        // The client has its own limit, which says more.
        spec.time_limit = Duration::from_secs(30);
        spec.default_variable = Some("web_page");
        Self { spec, client, worker }
    }

    async fn fetch(&self, context: &ToolContext, arguments: &Map<String, Value>) -> Result<ToolResult, ToolFailure> {
        let url = parse(text(arguments, "url"))?;
        let raw = arguments.get("raw").and_then(Value::as_bool).unwrap_or_default();
        let received = Received::default();
        let page = tokio::select! {
            biased;
            () = context.cancellation.cancelled() => return Err(ToolFailure::new(ErrorType::User, "was cancelled")),
            page = self.client.fetch(url, &received) => page?,
            () = progress(context, &received) => return Err(ToolFailure::new(ErrorType::System, "was not watched")),
        };
        let content = read(&page, raw, &self.worker, context).await?;
        Ok(result(&page, content))
    }
}

/// Says every second how much has come; never ends.
async fn progress(context: &ToolContext, received: &Received) {
    loop {
        tokio::time::sleep(Duration::from_secs(1)).await;
        context.output.chunk(Stream::Progress, &format!("{} received\n", size(received.bytes())));
    }
}

fn definition() -> ToolDefinition {
    ToolDefinition {
        name: "web_fetch".to_owned(),
        description:
            "Fetch a web page or file from an http or https URL. Gives HTML as markdown, JSON as data, text as \
                      it is, anything else as bytes. Download, open, read or summarise a page, website, link or API."
                .to_owned(),
        module: "web".to_owned(),
        parameters: schema::arguments(
            &["url"],
            json!({
                "url": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": MAX_URL_CHARS,
                    "description": "The address, such as \"https://example.com/page\".",
                },
                "raw": {
                    "type": "boolean",
                    "default": false,
                    "description": "Whether HTML and JSON are returned as raw text.",
                },
            }),
        ),
        output: Some(json!({
            "description": "The page: markdown or text, parsed JSON, or bytes.",
        })),
        example: json!({"url": "https://example.com/"}),
        risk: Risk::Network,
        examples: Vec::new(),
    }
}

fn result(page: &Page, content: Content) -> ToolResult {
    let head = head(page, &content);
    let picture = match &content.value {
        ArtifactValue::Bytes(bytes) => LoadedPicture::of(bytes.clone()),
        ArtifactValue::Text(_) | ArtifactValue::Json(_) => None,
    };
    let (value, body) = match content.value {
        ArtifactValue::Text(text) => (ArtifactValue::Text(text.clone()), text),
        value => {
            let told = picture.as_ref().map(|shown| format!("A {}.", shown.picture));
            let shown = told.unwrap_or_else(|| get_variable_preview(&value, VIEW_CHARS));
            (value, shown)
        }
    };
    let ok = (200..300).contains(&page.status);
    let room = if ok { VIEW_CHARS } else { ERROR_CHARS };
    let view = format!("{head}\n\n{}", shortened(&body, room));
    let mut result = ToolResult::success(value).with_view(view).with_pictures(picture.into_iter().collect());
    if !ok {
        let message = format!("the server answered {} {}", page.status, reason(page.status));
        let next = match page.status {
            401 | 403 => "The page is not public; fetch another one.",
            404 | 410 => "Check the address, or search for the page's new location.",
            429 | 500.. => "Try again later.",
            _ => "Fetch another address.",
        };
        result.failure = Some(ToolFailure::new(ErrorType::User, message.trim_end()).suggesting(next));
    }
    result
        .with_field("url", page.url.as_str())
        .with_field("status", page.status)
        .with_field("content_type", page.content_type.clone())
        .with_field("title", content.title)
        .with_field("bytes", page.body.len())
        .with_field("redirects", page.redirects)
}

/// Where it came from and what it is: the title, the final address, and what is worth knowing about it.
fn head(page: &Page, content: &Content) -> String {
    let mut about = vec![format!("status {}", page.status), content.kind.clone(), size(page.body.len() as u64)];
    if page.redirects > 0 {
        about.push(format!("after {} redirect{}", page.redirects, if page.redirects == 1 { "" } else { "s" }));
    }
    about.extend(content.note.map(ToOwned::to_owned));
    let title = content.title.as_deref().map(|title| format!("# {}\n", sanitize_line(title))).unwrap_or_default();
    format!("{title}{} ({})", page.url, about.join(", "))
}

fn shortened(text: &str, room: usize) -> String {
    let text = text.trim();
    let short = cut(text, room);
    if short.len() == text.len() {
        return text.to_owned();
    }
    let all = text.chars().count();
    format!(
        "{short}\n… the first {room} of {all} characters; the variable has all of them; file_write puts it into a file, where grep and file_read work on it"
    )
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} bytes"),
        1024..1_048_576 => format!("{} KiB", bytes / 1024),
        _ => format!("{} MiB", bytes / 1_048_576),
    }
}

fn reason(status: u16) -> &'static str {
    reqwest::StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason()).unwrap_or_default()
}

#[async_trait]
impl Tool for WebFetch {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    /// `example.com/page` is a page, too.
    fn normalise(&self, arguments: &mut Map<String, Value>) {
        if let Some(Value::String(url)) = arguments.get_mut("url")
            && is_without_scheme(url)
        {
            url.insert_str(0, "https://");
        }
    }

    fn guard(&self, arguments: &Map<String, Value>) -> Result<(), ToolFailure> {
        check(&parse(text(arguments, "url"))?, self.client.local())?;
        Ok(carries_no_secret(text(arguments, "url"))?)
    }

    /// An allowance is for one host: another one may belong to anybody.
    fn granted_within(&self, arguments: &Map<String, Value>) -> Option<String> {
        Some(parse(text(arguments, "url")).ok()?.origin().ascii_serialization())
    }

    fn title(&self, arguments: &Map<String, Value>) -> Option<String> {
        let url = text(arguments, "url");
        Some(format!("Fetch {}", url.split_once("://").map_or(url, |(_, rest)| rest)))
    }

    async fn execute(&self, context: &ToolContext, arguments: &Map<String, Value>) -> ToolResult {
        self.fetch(context, arguments).await.into()
    }
}

/// A host, perhaps with a port and a path, and nothing before it.
fn is_without_scheme(url: &str) -> bool {
    let host = url.split(['/', '?', '#']).next().unwrap_or_default();
    let (host, port) = host.split_once(':').unwrap_or((host, "0"));
    let is_name = |part: &str| part.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '-'));
    host.contains('.') && is_name(host) && !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit())
}
