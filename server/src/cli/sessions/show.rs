//! A session as the terminal client would have shown it.

use std::io::{BufWriter, IsTerminal, Write};

use anyhow::{Context, bail};
use switchboard_protocol::{ServerFrame, SessionId};

use super::list::local;
use super::standing::Standing;
use super::store::Store;
use super::summary::Summary;
use crate::cli::chat::{Renderer, Style, short};
use crate::config::Environment;

/// Prints it, event by event; up to one of them, also how the session stood then.
pub(super) async fn run(store: &Store, session: SessionId, until: Option<u64>, json: bool) -> anyhow::Result<()> {
    let summary = store.get(session).await?;
    let last = until.unwrap_or(u64::MAX);
    if until.is_some_and(|until| until > summary.last_seq) {
        bail!("--until {last}: the last event of the session is {}", summary.last_seq);
    }
    let stdout = std::io::stdout();
    let style = Style::new(stdout.is_terminal() && !Environment::of_process().no_color());
    let mut out = BufWriter::new(stdout.lock());
    let mut renderer = Renderer::new(style, None);
    if !json {
        writeln!(out, "{}\n", head(&summary, style))?;
    }
    let (mut after, mut standing) = (0, Standing::default());
    while after < last {
        let frames = store.frames(session, after).await?;
        if frames.is_empty() {
            break;
        }
        for text in &frames {
            if after == last {
                break;
            }
            after += 1;
            if json {
                writeln!(out, "{text}")?;
                continue;
            }
            let frame: ServerFrame = serde_json::from_str(text).with_context(|| format!("event {after} is damaged"))?;
            standing.apply(&frame);
            for line in renderer.frame(&frame) {
                writeln!(out, "{line}")?;
            }
        }
    }
    if until.is_some() && !json {
        writeln!(out)?;
        for line in standing.lines(after, summary.last_seq, style) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(out.flush()?)
}

fn head(summary: &Summary, style: Style) -> String {
    let Summary { session_id, title, created_at, updated_at, last_seq, .. } = summary;
    let title = short(title.as_deref().unwrap_or("(no title)"), 200);
    let (from, to) = (local(created_at), local(updated_at));
    format!("{}\n{}", style.bold(&title), style.dim(&format!("{session_id}, {last_seq} events, {from} to {to}")))
}
