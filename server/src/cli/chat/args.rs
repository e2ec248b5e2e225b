//! What the command line accepts, and where everything else comes from.

use std::io::{IsTerminal, Read};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, ensure};
use switchboard_protocol::SessionId;
use switchboard_protocol::client::{ClientConfig, Start};
use tokio::runtime::Builder;

use super::style::Style;
use super::{EXIT_CONNECTION, interactive, print};
use crate::config::{Environment, Loader};

/// Events of an old session that are shown when it is opened.
const TAIL: u32 = 60;
/// How long a script waits for a connection that was lost.
const REPLY_TIMEOUT: Duration = Duration::from_secs(120);
/// The longest message that is read from the standard input.
const LONGEST_MESSAGE: u64 = 1024 * 1024;

const AFTER_HELP: &str = "\
At the prompt: /help lists the commands, @ names a variable, Tab completes both, a line that ends in \\ continues on \
the next line. Ctrl-C stops the running turn; Ctrl-D leaves; open questions stay open until somebody answers them.

With --print, the exit code is 0 if the message was answered, 1 if the agent failed, 2 for wrong usage or no \
connection, and 3 if something was asked that a script cannot answer.

Examples:
  switchboard chat
  switchboard chat http://127.0.0.1:7878 --session 6b0d2c62-4f0e-4a3f-9a51-2f1f0f2f9c11
  switchboard chat --print 'Read config.json and tell me the port number'
  git diff | switchboard chat --print -";

/// Talk to a server in the terminal
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(in crate::cli) struct Args {
    /// The server's address [default: where this machine's settings say it listens]
    url: Option<String>,
    /// Continue this session instead of beginning a new one
    #[arg(long, value_name = "ID")]
    session: Option<SessionId>,
    /// The server's token, if it has one [default: auth-token of this machine's settings, for its own server only]
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
    /// Send one message, print the reply and exit; `-` reads the message from standard input
    #[arg(short, long, value_name = "MESSAGE")]
    print: Option<String>,
    /// With --print: print every frame as a line of JSON
    #[arg(long, requires = "print")]
    json: bool,
}

/// Runs the client and says how it ended.
pub(in crate::cli) fn run(args: Args, loader: &Loader) -> ExitCode {
    let environment = Environment::of_process();
    let result = Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the runtime")
        .and_then(|runtime| runtime.block_on(talk(args, loader, &environment)));
    result.unwrap_or_else(|error| {
        eprintln!("switchboard: {}", super::sanitize::visible(&format!("{error:#}")));
        ExitCode::from(EXIT_CONNECTION)
    })
}

async fn talk(args: Args, loader: &Loader, environment: &Environment) -> anyhow::Result<ExitCode> {
    let mut config = config(&args, loader);
    if let Some(message) = args.print {
        // What is there already is not part of the answer.
        config.start = Start::Tail(0);
        config.give_up_after = Some(REPLY_TIMEOUT);
        return print::run(config, message_of(message)?, args.json).await;
    }
    let colors = std::io::stdout().is_terminal() && !environment.no_color();
    let history = environment.data_dir().map(|folder| folder.join("chat-history"));
    interactive::run(config, Style::new(colors), history).await
}

fn config(args: &Args, loader: &Loader) -> ClientConfig {
    let own = own_server(loader);
    let mut config = match &args.url {
        Some(url) if url.trim_end_matches('/') != own.url => ClientConfig::new(url),
        _ => own,
    };
    if let Some(token) = &args.token {
        config.token = Some(token.clone());
    }
    match args.session {
        Some(session) => config.session(session, Start::Tail(TAIL)),
        None => config,
    }
}

/// The server that these settings describe. Its token goes to no other.
fn own_server(loader: &Loader) -> ClientConfig {
    let Ok(loaded) = loader.load() else { return ClientConfig::new("http://127.0.0.1:7878") };
    let listen = loaded.config.service.listen;
    let ip = if listen.ip().is_unspecified() { IpAddr::V4(Ipv4Addr::LOCALHOST) } else { listen.ip() };
    let mut config = ClientConfig::new(format!("http://{}", SocketAddr::new(ip, listen.port())));
    config.token = loaded.config.http.find_token().map(|token| token.reveal().to_owned());
    config
}

fn message_of(given: String) -> anyhow::Result<String> {
    let text = if given == "-" {
        let mut text = String::new();
        let read = std::io::stdin().lock().take(LONGEST_MESSAGE + 1).read_to_string(&mut text);
        let bytes = read.context("the message on standard input cannot be read; it must be UTF-8 text")?;
        ensure!(
            bytes as u64 <= LONGEST_MESSAGE,
            "the message is longer than 1 MiB; put it into a file in the workspace"
        );
        text
    } else {
        given
    };
    ensure!(!text.trim().is_empty(), "the message is empty; say what the agent should do");
    Ok(text)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    const TOKEN: &str = "a-token-of-this-server";

    /// Where it connects to and with which token, where a server at 0.0.0.0:7000 is configured.
    fn check(url: Option<&str>, token: Option<&str>, expected: (&str, Option<&str>)) {
        let environment = Environment::of([("HOME", "/nowhere"), ("SWITCHBOARD_AUTH_TOKEN", TOKEN)]);
        let loader = Loader::new(BTreeMap::from([("listen".to_owned(), "0.0.0.0:7000".to_owned())]), environment);
        let text = |text: &str| text.to_owned();
        let args = Args { url: url.map(text), session: None, token: token.map(text), print: None, json: false };

        let config = config(&args, &loader);

        assert_eq!((config.url.as_str(), config.token.as_deref()), expected);
    }

    #[test]
    fn without_an_address_it_is_this_machines_server_with_its_token() {
        check(None, None, ("http://127.0.0.1:7000", Some(TOKEN)));
        check(Some("http://127.0.0.1:7000/"), None, ("http://127.0.0.1:7000", Some(TOKEN)));
    }

    #[test]
    fn the_token_of_this_machines_server_goes_to_no_other() {
        check(Some("http://elsewhere:7000"), None, ("http://elsewhere:7000", None));
        check(Some("http://elsewhere:7000"), Some("its own"), ("http://elsewhere:7000", Some("its own")));
    }
}
