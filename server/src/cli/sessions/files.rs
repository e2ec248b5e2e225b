//! Sessions out to files and in from files.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use switchboard_protocol::SessionId;

use super::store::Store;
use super::summary::Pieces;
use switchboard_session::from_openai;

/// What an export is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    Session,
    Openai,
    Html,
}

/// The largest conversation from another program, in bytes.
const MAX_TRANSCRIPT: u64 = 256 * 1024 * 1024;

/// The end of a file in which its last line is, if that one says that the log is damaged.
const LAST_LINE: usize = 8 * 1024;

/// How much of a file is read at once.
const PIECE: usize = 64 * 1024;

/// Writes a session to a file that is whole or not there, or to standard output.
pub(super) async fn export(
    store: &Store,
    session: SessionId,
    format: Format,
    output: Option<&Path>,
) -> anyhow::Result<()> {
    let pieces = match format {
        Format::Session => store.export(session).await?,
        Format::Openai => store.transcript(session).await?,
        Format::Html => store.page(session).await?,
    };
    let Some(path) = output else {
        return write(pieces, &mut std::io::stdout().lock(), "standard output").await;
    };
    let part = beside(path);
    let result = export_to(pieces, &part, path).await;
    if result.is_err() {
        // What is there of it is of no use; the error says why.
        let _ = fs::remove_file(&part);
    }
    result
}

/// Takes in a file, or standard input, and prints the new session's id.
pub(super) async fn import(store: &Store, path: &Path, format: Format) -> anyhow::Result<()> {
    let mut reader: Box<dyn Read + Send> = if path == Path::new("-") {
        Box::new(std::io::stdin())
    } else {
        Box::new(File::open(path).with_context(|| format!("cannot read {}", path.display()))?)
    };
    let file = match format {
        Format::Session => pieces(reader),
        Format::Html => bail!("a page is for reading: it cannot be imported; export the session in its own format"),
        Format::Openai => {
            let mut text = Vec::new();
            reader.by_ref().take(MAX_TRANSCRIPT).read_to_end(&mut text).context("the file cannot be read")?;
            let (file, left_out) = from_openai(&text).map_err(anyhow::Error::msg)?;
            if left_out > 0 {
                let messages = if left_out == 1 { "message" } else { "messages" };
                eprintln!("left out {left_out} system {messages}: a session's instructions come from the settings");
            }
            stream::iter([Ok(file)]).boxed()
        }
    };
    let session = store.import(file).await?;
    println!("{session}");
    Ok(())
}

async fn export_to(pieces: Pieces, part: &Path, path: &Path) -> anyhow::Result<()> {
    let name = path.display().to_string();
    let cannot = || format!("cannot write {name}");
    // A session holds what files and programs said: readable by its owner only.
    let options = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).clone();
    let mut file = options.open(part).with_context(cannot)?;
    write(pieces, &mut file, &name).await?;
    file.sync_all().with_context(cannot)?;
    fs::rename(part, path).with_context(cannot)
}

async fn write(mut pieces: Pieces, out: &mut impl Write, name: &str) -> anyhow::Result<()> {
    let mut end = Vec::new();
    while let Some(piece) = pieces.try_next().await? {
        out.write_all(&piece).with_context(|| format!("cannot write {name}"))?;
        end.extend_from_slice(&piece[piece.len().saturating_sub(LAST_LINE)..]);
        end.drain(..end.len().saturating_sub(LAST_LINE));
    }
    out.flush().with_context(|| format!("cannot write {name}"))?;
    if let Some(seq) = damaged_from(&end) {
        eprintln!("warning: the session's log is damaged from event {seq} on; the file ends in front of it");
    }
    Ok(())
}

/// What the last line of a session's file says, if it says that the log is damaged.
fn damaged_from(end: &[u8]) -> Option<u64> {
    let line = end.trim_ascii_end().rsplit(|byte| *byte == b'\n').next()?;
    let line: serde_json::Value = serde_json::from_slice(line).ok()?;
    line.get("damaged")?.get("fromSeq")?.as_u64()
}

/// The file's content; reading waits, and there is nothing else to do meanwhile.
fn pieces(mut reader: Box<dyn Read + Send>) -> Pieces {
    let mut ended = false;
    stream::iter(std::iter::from_fn(move || {
        let mut piece = vec![0; PIECE];
        match reader.read(&mut piece) {
            _ if ended => None,
            Ok(0) => None,
            Ok(length) => {
                piece.truncate(length);
                Some(Ok(Bytes::from(piece)))
            }
            Err(error) => {
                ended = true;
                Some(Err(anyhow::Error::from(error).context("the file cannot be read")))
            }
        }
    }))
    .boxed()
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}
