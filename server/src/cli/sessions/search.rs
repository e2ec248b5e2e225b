//! Finding what was said, for people and for programs.

use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};

use anyhow::ensure;

use super::list::local;
use super::store::Store;
use super::summary::Summary;
use crate::cli::chat::{Style, short};
use crate::config::Environment;
use crate::http::{FoundPlace, FoundSession, SaidBy, TextPiece};

/// How much of a title is shown.
const TITLE: usize = 60;

/// Prints what is found.
pub(super) async fn run(store: &Store, words: &[String], limit: u64, json: bool) -> anyhow::Result<()> {
    let words = words.join(" ");
    ensure!(words.chars().any(char::is_alphanumeric), "there is nothing to look for; give words");
    let found = store.search(&words, limit).await?;
    let mut text = String::new();
    let style = Style::new(std::io::stdout().is_terminal() && !Environment::of_process().no_color());
    for result in &found.results {
        text.push_str(&if json { serde_json::to_string(result)? + "\n" } else { lines(result, style) });
    }
    if !json && found.results.is_empty() {
        eprintln!("Nothing was found; every word must stand in one message, or in the title.");
    }
    if found.more {
        eprintln!("There are more; look for more words, or use --limit.");
    }
    if found.indexing {
        eprintln!("The index is still being built: sessions may be missing. Try again in a moment.");
    }
    let mut out = std::io::stdout().lock();
    Ok(out.write_all(text.as_bytes()).and_then(|()| out.flush())?)
}

/// The session, and below it the places.
fn lines(found: &FoundSession, style: Style) -> String {
    let Summary { session_id, title, updated_at, .. } = &found.session;
    let title = match &found.title {
        Some(pieces) => said(pieces, style),
        None => short(title.as_deref().unwrap_or("(no title)"), TITLE),
    };
    let mut text = format!("{session_id}  {}  {title}\n", local(updated_at));
    for FoundPlace { seq, by, pieces, .. } in &found.places {
        let by = match by {
            SaidBy::User => "you",
            SaidBy::Agent => "agent",
        };
        let _ = writeln!(text, "  {} {}", style.dim(&format!("{by}, event {seq}:")), said(pieces, style));
    }
    text
}

fn said(pieces: &[TextPiece], style: Style) -> String {
    let piece = |piece: &TextPiece| {
        let text = short(&piece.text, usize::MAX);
        if piece.found { style.bold(&text) } else { text }
    };
    pieces.iter().map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_stands_below_its_session_without_control_characters() {
        let piece = |text: &str, found| TextPiece { text: text.to_owned(), found };
        let session = Summary {
            session_id: switchboard_protocol::SessionId::random(),
            title: Some("Numbers".to_owned()),
            created_at: "2026-01-02T03:04:05Z".to_owned(),
            updated_at: "nonsense".to_owned(),
            last_seq: 12,
            pinned: None,
            forked_from: None,
        };
        let id = session.session_id;
        let pieces = vec![piece("the \u{1b}[2J", false), piece("sum", true), piece(" is 42", false)];
        let place = |by, pieces| FoundPlace { seq: 7, by, at: String::new(), pieces };
        let places = vec![place(SaidBy::Agent, pieces), place(SaidBy::User, vec![piece("sum", true)])];
        let found = FoundSession { session, title: None, places };

        let expected = format!("{id}  nonsense  Numbers\n  agent, event 7: the ␛[2Jsum is 42\n  you, event 7: sum\n");
        assert_eq!(lines(&found, Style::new(false)), expected);
    }
}
