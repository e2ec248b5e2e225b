//! The command line: a file per subcommand or family of them; without one, the server runs. Flags of settings are made from their
//! declarations in `config/`.

mod backup;
mod chat;
mod completions;
mod config;
mod flags;
#[cfg(feature = "nats")]
mod migrate;
#[cfg(feature = "nats")]
mod nats;
#[cfg(feature = "nats")]
mod rebuild_list;
mod serve;
mod sessions;
mod tools;

use std::collections::BTreeMap;
use std::convert;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;

use crate::app::OverLog;
use crate::config::{ConfigError, Environment, Loader};

/// What went wrong is in the settings or the command line.
const EXIT_USAGE: u8 = 2;

/// A chat server whose agent uses tools and shows every step.
#[derive(Debug, Parser)]
#[command(name = "switchboard", version, max_term_width = 110, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

const AFTER_HELP: &str = "\
Without a command, the server starts and prints its address. Every setting can also be given in the environment \
(SWITCHBOARD_LISTEN for --listen) or in the settings file; flags take precedence over the environment, and the \
environment over the file. `switchboard config` shows each setting, its value, and where it came from.

Examples:
  switchboard                                   serve the current folder at http://127.0.0.1:7878
  switchboard --workspace ~/project --listen 127.0.0.1:0
  switchboard chat                              talk to the server in the terminal
  switchboard sessions list                     list the stored sessions
  switchboard backup sessions.backup            copy all sessions to a file, even while the server runs
  switchboard tools read a file                 list the tools that fit these words
  switchboard config --init                     write a commented settings file";

#[derive(Debug, Subcommand)]
enum Command {
    Chat(chat::Args),
    Sessions(sessions::Args),
    Replay(sessions::Replay),
    #[command(flatten)]
    Backup(backup::Action),
    #[cfg(feature = "nats")]
    Migrate(migrate::Args),
    #[cfg(feature = "nats")]
    RebuildList(rebuild_list::Args),
    #[cfg(not(feature = "nats"))]
    #[command(name = "migrate", alias = "rebuild-list", hide = true, disable_help_flag = true)]
    WithoutNats {
        #[arg(allow_hyphen_values = true, trailing_var_arg = true)]
        arguments: Vec<String>,
    },
    /// List the tools, or those that fit a request
    Tools {
        /// A request in plain words
        query: Vec<String>,
        /// Print them as JSON
        #[arg(long)]
        json: bool,
    },
    /// Show each setting, its value, and where it came from
    Config {
        /// Write a commented settings file instead
        #[arg(long)]
        init: bool,
    },
    /// Print completions for a shell, for example: switchboard completions bash
    Completions {
        /// The shell
        shell: Shell,
    },
}

impl Command {
    /// The settings among its own arguments, by key.
    fn settings(&self) -> BTreeMap<String, String> {
        match self {
            Self::Sessions(args) => args.settings(),
            Self::Replay(replay) => replay.settings(),
            Self::Backup(action) => action.settings(),
            #[cfg(feature = "nats")]
            Self::Migrate(args) => args.settings(),
            #[cfg(feature = "nats")]
            Self::RebuildList(args) => args.settings(),
            #[cfg(not(feature = "nats"))]
            Self::WithoutNats { .. } => BTreeMap::new(),
            Self::Chat(_) | Self::Tools { .. } | Self::Config { .. } | Self::Completions { .. } => BTreeMap::new(),
        }
    }
}

/// Runs the program and says how it ended: 0 well, 1 not, 2 wrong use or settings.
#[must_use]
pub fn run() -> ExitCode {
    run_over(convert::identity)
}

/// The same with a log of the caller's over the server's own: for the tests of what happens when the server ends in the middle of
/// its work.
#[must_use]
pub fn run_over(over: OverLog) -> ExitCode {
    let matches = flags::add(Cli::command()).get_matches();
    let cli = match Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(error) => error.exit(),
    };
    let mut given = flags::given(&matches);
    given.extend(cli.command.as_ref().map(Command::settings).unwrap_or_default());
    let loader = Loader::new(given, Environment::of_process());
    let result = match cli.command {
        Some(Command::Chat(args)) => return chat::run(args, &loader),
        Some(Command::Sessions(args)) => sessions::run(args, &loader),
        Some(Command::Replay(replay)) => sessions::replay(replay, &loader),
        Some(Command::Backup(action)) => action.run(&loader),
        #[cfg(feature = "nats")]
        Some(Command::Migrate(args)) => args.run(&loader),
        #[cfg(feature = "nats")]
        Some(Command::RebuildList(args)) => args.run(&loader),
        #[cfg(not(feature = "nats"))]
        Some(Command::WithoutNats { .. }) => Err(anyhow::anyhow!(crate::config::WITHOUT_NATS)),
        None => serve::run(loader, over),
        Some(Command::Tools { query, json }) => tools::list(&query.join(" "), json),
        Some(Command::Config { init: false }) => config::show(&loader),
        Some(Command::Config { init: true }) => config::init(&loader),
        Some(Command::Completions { shell }) => completions::print_for(shell, flags::add(Cli::command())),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("switchboard: {error:#}");
            ExitCode::from(if error.is::<ConfigError>() { EXIT_USAGE } else { 1 })
        }
    }
}
