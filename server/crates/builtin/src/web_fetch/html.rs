//! HTML as Markdown, in a worker: a page that is nested without end, or made to take all memory, only ends the worker.

use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use htmd::element_handler::{HandlerResult, Handlers};
use htmd::{Element, HtmlToMarkdown};
use serde::{Deserialize, Serialize};
use switchboard_protocol::ErrorType;
use url::Url;

use crate::helper;
use switchboard_sandbox::WorkerProgram;
use switchboard_tools::{ToolContext, ToolFailure};

/// The argument that makes the binary this worker.
pub const WORKER_ARGUMENT: &str = "__html";

/// The longest answer of a worker.
const MAX_ANSWER_BYTES: u64 = 32 * 1024 * 1024;

/// How long the worker may take; pages that people write are read in a blink.
const READ_LIMIT: Duration = Duration::from_secs(5);

/// What is not for readers.
const SKIPPED: &[&str] = &[
    "script", "style", "noscript", "template", "svg", "math", "iframe", "object", "embed", "canvas", "audio", "video",
    "select", "button", "input", "dialog",
];

/// A page as Markdown.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Markdown {
    pub(super) title: Option<String>,
    pub(super) text: String,
    /// Only the text, because the page was too much for the worker.
    pub(super) plain: bool,
}

#[derive(Serialize, Deserialize)]
struct PageToConvert {
    html: String,
    base: String,
}

/// The page as Markdown, links made whole.
///
/// # Errors
/// When the worker cannot be started, or the call is canceled.
pub(super) async fn markdown(
    html: &str,
    base: &Url,
    worker: &WorkerProgram,
    context: &ToolContext,
) -> Result<Markdown, ToolFailure> {
    let question = PageToConvert { html: html.to_owned(), base: base.to_string() };
    let broken =
        |error: std::io::Error| ToolFailure::new(ErrorType::System, format!("the page could not be read: {error}"));
    let text = serde_json::to_vec(&question).map_err(|error| broken(error.into()))?;
    let answer = helper::ask(worker, WORKER_ARGUMENT, &text, MAX_ANSWER_BYTES, &context.cancellation);
    // When the time is over, the worker ends with the future.
    let answer = tokio::time::timeout(READ_LIMIT, answer).await.unwrap_or_else(|_| Ok(Some(Vec::new())));
    let Some(answer) = answer.map_err(broken)? else {
        return Err(ToolFailure::new(ErrorType::User, "was cancelled"));
    };
    Ok(serde_json::from_slice(&answer).unwrap_or_else(|_| Markdown {
        title: None,
        text: without_tags(html),
        plain: true,
    }))
}

/// Answers the question that comes in by standard input.
pub fn run_worker() -> ExitCode {
    helper::run(|text| {
        let question: PageToConvert = serde_json::from_slice(&text).ok()?;
        drop(text);
        serde_json::to_vec(&convert(&question.html, &question.base)).ok()
    })
}

fn convert(html: &str, base: &str) -> Markdown {
    let title = Arc::new(Mutex::new(None));
    let (found, base) = (Arc::clone(&title), Url::parse(base).ok());
    let converter = HtmlToMarkdown::builder()
        .skip_tags(SKIPPED.to_vec())
        .add_handler(vec!["title"], move |handlers: &dyn Handlers, element: Element| {
            let text = handlers.walk_children(element.node).content;
            found.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(unescaped(&text));
            None
        })
        .add_handler(vec!["a"], move |handlers: &dyn Handlers, element: Element| {
            Some(link(handlers, &element, base.as_ref()))
        })
        .add_handler(vec!["img"], |_: &dyn Handlers, element: Element| Some(image(&element)))
        .build();
    let text = converter.convert(html).unwrap_or_default();
    let title = title.lock().unwrap_or_else(PoisonError::into_inner).take();
    Markdown { title: title.filter(|title| !title.is_empty()), text: squeezed(&text), plain: false }
}

/// A link with its whole address; one that leads nowhere on the web is only its text.
fn link(handlers: &dyn Handlers, element: &Element, base: Option<&Url>) -> HandlerResult {
    let text = handlers.walk_children(element.node).content;
    let text = text.trim();
    let target = attribute(element, "href").and_then(|target| match base {
        Some(base) => base.join(&target).ok(),
        None => Url::parse(&target).ok(),
    });
    let target = target.filter(|target| matches!(target.scheme(), "http" | "https" | "mailto"));
    match target {
        Some(target) if !text.is_empty() && !text.contains('\n') => {
            let target = target.as_str().replace('(', "%28").replace(')', "%29");
            format!("[{text}]({target})").into()
        }
        _ => text.into(),
    }
}

/// What a picture shows, in words: nothing is to be loaded from elsewhere.
fn image(element: &Element) -> HandlerResult {
    match attribute(element, "alt").map(|alt| alt.trim().to_owned()) {
        Some(alt) if !alt.is_empty() => format!("(image: {alt})").into(),
        _ => "".into(),
    }
}

fn attribute(element: &Element, name: &str) -> Option<String> {
    element.attrs.iter().find(|attribute| &*attribute.name.local == name).map(|attribute| attribute.value.to_string())
}

/// Text without the backslashes that Markdown needs.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.trim().chars().peekable();
    while let Some(character) = characters.next() {
        let escapes = character == '\\' && characters.peek().is_some_and(char::is_ascii_punctuation);
        if !escapes {
            out.push(if character.is_whitespace() { ' ' } else { character });
        } else if let Some(next) = characters.next() {
            out.push(next);
        }
    }
    out
}

/// At most one empty line at once, and no spaces at the ends of lines.
fn squeezed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut empty = 0;
    for line in text.lines().map(str::trim_end) {
        empty = if line.is_empty() { empty + 1 } else { 0 };
        if empty < 2 {
            out.push_str(line);
            out.push('\n');
        }
    }
    out.trim().to_owned()
}

/// The text between the tags, for pages that nothing else can be made of. Linear, whatever comes.
fn without_tags(html: &str) -> String {
    let mut out = String::new();
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        out.push_str(&rest[..start]);
        let Some(end) = rest[start..].find('>') else {
            rest = "";
            break;
        };
        let tag = rest[start + 1..start + end].to_ascii_lowercase();
        rest = &rest[start + end + 1..];
        let hidden = ["script", "style"].into_iter().find(|name| tag.starts_with(name));
        if let Some(name) = hidden {
            let close = format!("</{name}");
            let skipped = rest.find(&close).or_else(|| rest.find(&close.to_uppercase()));
            rest = skipped.map_or("", |skipped| &rest[skipped..]);
        }
        if !out.ends_with(['\n', ' ']) {
            out.push(' ');
        }
    }
    out.push_str(rest);
    squeezed(&out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn markdown(html: &str) -> Markdown {
        convert(html, "https://example.com/docs/page")
    }

    #[test]
    fn a_page_becomes_markdown_with_its_title() {
        let page = markdown(
            "<html><head><title> A_b &amp; c </title><style>p{}</style></head><body><h1>Head</h1><p>One <b>two</b></p>\
             <script>alert(1)</script><ul><li>x</ul></body></html>",
        );

        assert_eq!(page.title.as_deref(), Some("A_b & c"));
        assert_eq!(page.text, "# Head\n\nOne **two**\n\n*   x");
    }

    #[test]
    fn links_are_made_whole_and_lead_to_the_web_only() {
        let page =
            markdown("<p><a href='../x?y=(1)'>up</a> <a href='javascript:alert(1)'>js</a> <a href='//e.org'>e</a>");

        assert_eq!(page.text, "[up](https://example.com/x?y=%281%29) js [e](https://e.org/)");
    }

    #[test]
    fn h02_images_of_a_page_are_words() {
        let page =
            markdown("<p>a <img src='https://evil.example/?q=secret' alt='a cat'> <img src='https://evil.example/'>b");

        assert_eq!(page.text, "a (image: a cat) b");
    }

    #[test]
    fn the_text_alone_is_what_stands_between_tags() {
        let text = without_tags("<p>One<br>two</p><SCRIPT>x < y</SCRIPT><style>p{}</style>three <unfinished");

        assert_eq!(text, "One two three");
    }
}
