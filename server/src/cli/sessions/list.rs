//! The list of sessions, for people and for programs.

use std::io::Write;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::store::Store;
use super::summary::Summary;
use crate::cli::chat::short;

/// How much of a title is shown.
const TITLE: usize = 60;

/// Prints it.
pub(super) async fn run(store: &Store, json: bool) -> anyhow::Result<()> {
    let sessions = store.list().await?;
    let mut text = String::new();
    for session in &sessions {
        text.push_str(&if json { serde_json::to_string(session)? } else { line(session) });
        text.push('\n');
    }
    if sessions.is_empty() && !json {
        eprintln!("There are no sessions yet.");
    }
    let mut out = std::io::stdout().lock();
    Ok(out.write_all(text.as_bytes()).and_then(|()| out.flush())?)
}

/// Id, time of the last event, number of events, title.
fn line(session: &Summary) -> String {
    let Summary { session_id, title, updated_at, last_seq, .. } = session;
    let title = title.as_deref().unwrap_or("(no title)");
    format!("{session_id}  {}  {last_seq:>6}  {}", local(updated_at), short(title, TITLE))
}

/// A time as the clock on the wall showed it.
pub(super) fn local(at: &str) -> String {
    match at.parse::<Timestamp>() {
        Ok(time) => time.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string(),
        Err(_) => short(at, 16),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_no_control_characters_and_is_not_too_long() {
        let session = Summary {
            session_id: switchboard_protocol::SessionId::random(),
            title: Some(format!("\u{1b}[2J{}", "x".repeat(100))),
            created_at: "2026-01-02T03:04:05Z".to_owned(),
            updated_at: "nonsense".to_owned(),
            last_seq: 12,
            pinned: None,
            forked_from: None,
        };
        let id = session.session_id;
        assert_eq!(line(&session), format!("{id}  nonsense      12  ␛[2J{}…", "x".repeat(55)));
    }
}
