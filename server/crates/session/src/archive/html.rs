//! A session as a page to be read by anybody: one file, without scripts, addresses of pictures or anything else that is
//! loaded, in light and dark. It has what was said and which tools ran, not what only the server knows.
//!
//! It is made a page of events at a time, as an export is.

use std::collections::{HashMap, VecDeque};
use std::fmt::Write as _;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::{Stream, stream};
use serde_json::{Map, Value};
use switchboard_protocol::{Attachment, CallId, ServerFrame, ServerMessage};

use super::markdown::{escaped, to_html};
use crate::error::SessionError;
use switchboard_events::{LogError, SessionLog, SessionRow, StoredEvent};

/// How many events are read at once.
const PAGE: u64 = 64;
/// How much of a call's arguments is shown, in bytes.
const ARGUMENTS: usize = 8 * 1024;
/// The page forbids itself whatever it does not need, wherever it is opened.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// A session being made into a page: what it was when that began.
pub struct HtmlPage {
    log: Arc<dyn SessionLog>,
    row: SessionRow,
    read: u64,
    pieces: VecDeque<String>,
    /// Calls that have begun, with what they were asked.
    begun: HashMap<CallId, String>,
}

impl HtmlPage {
    /// The session with this row in this log.
    #[must_use]
    pub fn of(log: Arc<dyn SessionLog>, row: SessionRow) -> Self {
        let mut page = Self { log, pieces: VecDeque::from([head(&row)]), row, read: 0, begun: HashMap::new() };
        page.end_if_read();
        page
    }

    /// The page as a stream, for a response's body or a file.
    pub fn into_stream(self) -> impl Stream<Item = Result<Bytes, SessionError>> + Send {
        stream::try_unfold(
            self,
            |mut page| async move { Ok(page.next().await?.map(|piece| (Bytes::from(piece), page))) },
        )
    }

    async fn next(&mut self) -> Result<Option<String>, SessionError> {
        while self.pieces.is_empty() && self.read < self.row.last_seq {
            self.read_page().await?;
        }
        Ok(self.pieces.pop_front())
    }

    fn end_if_read(&mut self) {
        if self.read >= self.row.last_seq {
            self.pieces.push_back("</main></body></html>\n".to_owned());
        }
    }

    async fn read_page(&mut self) -> Result<(), SessionError> {
        let count = PAGE.min(self.row.last_seq - self.read);
        let page = match self.log.read(self.row.session, self.read, count).await {
            Err(LogError::Damaged { seq, .. }) => {
                self.pieces.push_back(damaged(seq));
                self.row.last_seq = self.read;
                self.end_if_read();
                return Ok(());
            }
            page => page?,
        };
        let Some(last) = page.last() else { return Err(SessionError::UnknownSession(self.row.session)) };
        self.read = last.seq;
        for event in &page {
            let entry = self.entry(event)?;
            self.pieces.extend(entry);
        }
        self.end_if_read();
        Ok(())
    }

    fn entry(&mut self, event: &StoredEvent) -> Result<Option<String>, LogError> {
        let session = self.row.session;
        let frame: ServerFrame = serde_json::from_str(&event.frame).map_err(|error| LogError::Damaged {
            session,
            seq: event.seq,
            detail: error.to_string(),
        })?;
        Ok(match &frame.message {
            ServerMessage::ToolCallStart { call_id, title, arguments, .. } => {
                self.begun.insert(call_id.clone(), asked(title.as_deref(), arguments));
                None
            }
            ServerMessage::ToolCallEnd { call_id, tool, success, preview, error, .. } => {
                let asked = self.begun.remove(call_id).unwrap_or_default();
                Some(call(tool, &asked, &outcome(*success, preview, error)))
            }
            _ => entry(&frame),
        })
    }
}

fn head(row: &SessionRow) -> String {
    let title = escaped(row.title.as_deref().unwrap_or("Conversation"));
    let (from, to) = (time(&row.created_at), time(&row.updated_at));
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"referrer\" content=\"no-referrer\">\
         <meta name=\"robots\" content=\"noindex\"><title>{title}</title><style>{}</style></head><body>\
         <header><h1>{title}</h1><p>A conversation with Switchboard, {from} to {to}</p></header><main>\n",
        include_str!("page.css")
    )
}

/// What the page shows of a frame.
fn entry(frame: &ServerFrame) -> Option<String> {
    let at = time(&frame.timestamp);
    match &frame.message {
        ServerMessage::UserMessage { text, attachments, .. } => Some(format!(
            "<article class=\"user\"><p class=\"by\">You · {at}</p><div class=\"text\">{}</div>{}</article>\n",
            escaped(text),
            attached(attachments.as_deref().unwrap_or_default())
        )),
        ServerMessage::AgentResponse { text, .. } => Some(reply("agent", &at, text)),
        ServerMessage::AgentError { message_ids: Some(_), text, .. } => Some(reply("agent failed", &at, text)),
        ServerMessage::CommandResponse { command, text, .. } => Some(format!(
            "<details><summary>/{}</summary>{}</details>\n",
            escaped(command.trim_start_matches('/')),
            to_html(text)
        )),
        ServerMessage::ContextCleared {} => Some("<p class=\"note\">All variables were cleared.</p>\n".to_owned()),
        ServerMessage::ConversationSummary(summary) => Some(format!(
            "<details><summary>Summary of what came before</summary><p class=\"note\">{}</p></details>\n",
            escaped(&summary.text)
        )),
        _ => None,
    }
}

/// What belongs to a message.
fn attached(attachments: &[Attachment]) -> String {
    let names: Vec<String> = attachments.iter().map(|one| escaped(&one.name)).collect();
    if names.is_empty() { String::new() } else { format!("<p class=\"note\">Attached: {}</p>", names.join(", ")) }
}

/// What stands where the log is damaged.
fn damaged(seq: u64) -> String {
    format!(
        "<p class=\"note\">The log of this conversation is damaged from event {seq} on: what came then cannot be read.</p>\n"
    )
}

fn reply(class: &str, at: &str, text: &str) -> String {
    format!("<article class=\"{class}\"><p class=\"by\">Agent · {at}</p>{}</article>\n", to_html(text))
}

/// What a call was to do, as the rest of its summary and what stands below it.
fn asked(title: Option<&str>, arguments: &Map<String, Value>) -> String {
    let mut shown = serde_json::to_string_pretty(arguments).unwrap_or_default();
    if shown.len() > ARGUMENTS {
        shown.truncate(shown.floor_char_boundary(ARGUMENTS));
        shown.push_str("\n…");
    }
    let title = title.map(|title| format!(" · {}", escaped(title))).unwrap_or_default();
    format!("{title}</summary><pre tabindex=\"0\">{}</pre>", escaped(&shown))
}

fn outcome(success: bool, preview: &[String], error: &str) -> String {
    let mut text = preview.join("\n");
    if !success {
        let _ = write!(text, "{}{error}", if text.is_empty() { "" } else { "\n" });
    }
    let words = if success { "Result" } else { "It did not work" };
    format!("<p class=\"note\">{words}</p><pre tabindex=\"0\">{}</pre>", escaped(&text))
}

fn call(tool: &str, asked: &str, outcome: &str) -> String {
    let asked = if asked.is_empty() { "</summary>" } else { asked };
    format!("<details><summary>{}{asked}{outcome}</details>\n", escaped(tool))
}

/// Date and minute, in UTC: the reader's clock is not known.
fn time(at: &str) -> String {
    match at.parse::<jiff::Timestamp>() {
        Ok(time) => time.strftime("%Y-%m-%d %H:%M UTC").to_string(),
        Err(_) => String::new(),
    }
}

#[cfg(test)]
#[path = "html_tests.rs"]
mod tests;
