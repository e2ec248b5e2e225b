//! Deleting, which cannot be undone, and so asks first.

use std::io::{IsTerminal, Write};

use anyhow::bail;
use switchboard_protocol::SessionId;

use super::store::Store;
use super::summary::Summary;
use crate::cli::chat::short;

/// Deletes the sessions, each after a yes.
pub(super) async fn delete(store: &Store, sessions: &[SessionId], yes: bool) -> anyhow::Result<()> {
    if !yes && !std::io::stdin().is_terminal() {
        bail!("there is nobody to confirm the deletion; use --yes");
    }
    for session in sessions {
        let summary = store.get(*session).await?;
        if yes || ask(&summary)? {
            store.delete(*session).await?;
            println!("{session}");
        }
    }
    Ok(())
}

fn ask(summary: &Summary) -> anyhow::Result<bool> {
    let title = short(summary.title.as_deref().unwrap_or("no title"), 60);
    let mut out = std::io::stderr().lock();
    write!(out, "Delete {} ({title}, {} events)? [y/N] ", summary.session_id, summary.last_seq)?;
    out.flush()?;
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}
