//! What the command line accepts, and what it starts.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Context;
use switchboard_protocol::SessionId;
use tokio::runtime::Builder;

use super::files::Format;
use super::store::Store;
use super::{confirm, files, list, search, show};
use crate::config::Loader;

const AFTER_HELP: &str = "\
Without --url, the command works on the sessions in this machine's data folder. While a server is using that folder, \
the command asks that server.

Examples:
  switchboard sessions list
  switchboard sessions search quarterly report
  switchboard sessions export 6b0d2c62-4f0e-4a3f-9a51-2f1f0f2f9c11 --output session.jsonl
  switchboard sessions import session.jsonl --url http://127.0.0.1:7878";

/// List, search, show, export, import and delete sessions
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(in crate::cli) struct Args {
    #[command(subcommand)]
    action: Action,
    #[command(flatten)]
    at: Place,
}

/// Where the sessions are.
#[derive(Debug, clap::Args)]
struct Place {
    /// Ask the server at this address instead of opening the data folder
    #[arg(long, global = true, value_name = "URL")]
    url: Option<String>,
    /// The server's token, if it has one [default: auth-token of this machine's settings, for its own server only]
    #[arg(long, global = true, value_name = "TOKEN")]
    token: Option<String>,
    /// The data folder [default: where this machine's settings say it is]
    #[arg(long, global = true, value_name = "DIR", value_hint = clap::ValueHint::DirPath, conflicts_with = "url")]
    data: Option<String>,
}

/// Show a session as it stood at one of its events
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Replay {
    /// The session
    session: SessionId,
    /// Stop after this event, by its `seq` [default: the last one]
    #[arg(long, value_name = "SEQ", value_parser = clap::value_parser!(u64).range(1..))]
    until: Option<u64>,
    /// One line of JSON per event, exactly as clients received it
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    at: Place,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// List the sessions, most recently changed first
    List {
        /// One line of JSON per session
        #[arg(long)]
        json: bool,
    },
    /// Find what was said: every word, each by its beginning, in one message or in the title
    Search {
        /// The words
        #[arg(required = true)]
        words: Vec<String>,
        /// The maximum number of sessions
        #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=50))]
        limit: u64,
        /// One line of JSON per session
        #[arg(long)]
        json: bool,
    },
    /// Show what was said and done in a session
    Show {
        /// The session
        session: SessionId,
        /// One line of JSON per event, exactly as clients received it
        #[arg(long)]
        json: bool,
    },
    /// Write a session and everything that belongs to it to a file
    Export {
        /// The session
        session: SessionId,
        /// The file [default: standard output]
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// `session`: everything, for import elsewhere; `openai`: the messages, for other programs; `html`: a page
        /// to be read by anybody
        #[arg(long, value_enum, default_value_t = Format::Session)]
        format: Format,
    },
    /// Import an exported session as a new one
    Import {
        /// The file; `-` is standard input
        file: PathBuf,
        /// `session`: what `export` wrote; `openai`: messages from another program
        #[arg(long, value_enum, default_value_t = Format::Session)]
        format: Format,
    },
    /// Delete sessions and everything that belongs to them
    Delete {
        /// The sessions
        #[arg(required = true)]
        sessions: Vec<SessionId>,
        /// Delete without asking
        #[arg(short, long)]
        yes: bool,
    },
}

impl Place {
    /// The settings among the arguments, by key.
    fn settings(&self) -> BTreeMap<String, String> {
        self.data.iter().map(|folder| ("data".to_owned(), folder.clone())).collect()
    }

    /// Opens it, and closes it after the work.
    fn with(self, loader: &Loader, work: impl AsyncFnOnce(&Store) -> anyhow::Result<()>) -> anyhow::Result<()> {
        let runtime = Builder::new_current_thread().enable_all().build().context("cannot start the runtime")?;
        runtime.block_on(async {
            let store = Store::open(self.url.as_deref(), self.token, loader)?;
            let result = work(&store).await;
            store.close().await;
            result
        })
    }
}

impl Args {
    /// The settings among the arguments, by key.
    pub(in crate::cli) fn settings(&self) -> BTreeMap<String, String> {
        self.at.settings()
    }
}

impl Replay {
    /// The settings among the arguments, by key.
    pub(in crate::cli) fn settings(&self) -> BTreeMap<String, String> {
        self.at.settings()
    }
}

/// Does it.
pub(in crate::cli) fn run(args: Args, loader: &Loader) -> anyhow::Result<()> {
    args.at.with(loader, async |store| act(args.action, store).await)
}

/// Shows the session and how it stood.
pub(in crate::cli) fn replay(replay: Replay, loader: &Loader) -> anyhow::Result<()> {
    let Replay { session, until, json, at } = replay;
    at.with(loader, async |store| {
        let until = match until {
            Some(until) => until,
            None => store.get(session).await?.last_seq,
        };
        show::run(store, session, Some(until), json).await
    })
}

async fn act(action: Action, store: &Store) -> anyhow::Result<()> {
    match action {
        Action::List { json } => list::run(store, json).await,
        Action::Search { words, limit, json } => search::run(store, &words, limit, json).await,
        Action::Show { session, json } => show::run(store, session, None, json).await,
        Action::Export { session, output, format } => files::export(store, session, format, output.as_deref()).await,
        Action::Import { file, format } => files::import(store, &file, format).await,
        Action::Delete { sessions, yes } => confirm::delete(store, &sessions, yes).await,
    }
}
