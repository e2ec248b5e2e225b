//! How a connection begins. A server of 2026-07-28 is asked what it is (`server/discover`), and each request says all
//! that the server needs; an older one is greeted once (`initialize`). What a server is shows only in its answer, so
//! whichever greeting most servers of its transport understand comes first, and the other has a connection of its own.

use std::collections::HashMap;
use std::sync::Arc;

use rmcp::ClientServiceExt;
use rmcp::model::{ErrorCode, ProtocolVersion};
use rmcp::service::{ClientInitializeError, ClientLifecycleMode, RoleClient, RunningService};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::streamable_http_client::{StreamableHttpClientTransport, StreamableHttpClientTransportConfig};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::client::{Host, Limits, Opened};
use super::error::ServerFault;
use super::fault_text::{greeting_text, takes_nothing};
use super::file::{HttpTransport, ServerConfig, ServerTransport, StdioTransport};
use super::lines::{Lines, MAX_MESSAGE_BYTES};
use super::names::sanitized;
use super::process::{LastLines, Process};
use super::transport::Watched;
use super::watch::Watch;
use switchboard_runtime::Shutdown;
use switchboard_sandbox::WorkerProgram;

/// Which greeting a server gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Greeting {
    /// `server/discover`, since 2026-07-28.
    Discover,
    /// `initialize`, until 2025-11-25.
    Initialize,
}

/// Why a greeting failed, and whether the server may know the other one.
struct Refused {
    fault: ServerFault,
    may_know_other: bool,
}

/// What a connection to a server is made with.
pub(super) struct Opening<'a> {
    pub(super) server: &'a ServerConfig,
    pub(super) subreaper: &'a WorkerProgram,
    pub(super) limits: &'a Limits,
    /// Where the server's standard error goes.
    pub(super) errors: &'a Arc<LastLines>,
    pub(super) stop: &'a CancellationToken,
    pub(super) shutdown: &'a Shutdown,
}

impl From<ServerFault> for Refused {
    fn from(fault: ServerFault) -> Self {
        Self { fault, may_know_other: false }
    }
}

impl Opening<'_> {
    /// Starts a server's command, or reaches its address, and greets it.
    pub(super) async fn open(&self) -> Result<Opened, ServerFault> {
        let (first, second) = match &self.server.transport {
            ServerTransport::Http(_) => (Greeting::Discover, Greeting::Initialize),
            // Older commands may end when anything else comes first.
            ServerTransport::Stdio(_) => (Greeting::Initialize, Greeting::Discover),
        };
        let opened = match self.by(first).await {
            Err(refused) if refused.may_know_other => {
                // What is wrong is told in the words of the greeting that most servers know.
                self.by(second).await.map_err(|other| match second {
                    Greeting::Initialize => other.fault,
                    Greeting::Discover => refused.fault,
                })
            }
            opened => opened.map_err(|refused| refused.fault),
        }?;
        match opened.connection.version() {
            Some(version) if !ProtocolVersion::KNOWN_VERSIONS.contains(&version) => {
                opened.close().await;
                let version = sanitized(version.as_str()).0;
                Err(ServerFault::Greeting(format!("it uses version {version:?} of MCP, which is not supported")))
            }
            _ => Ok(opened),
        }
    }

    async fn by(&self, greeting: Greeting) -> Result<Opened, Refused> {
        match &self.server.transport {
            ServerTransport::Http(transport) => {
                let watch = Arc::<Watch>::default();
                let transport = http(transport).map_err(|error| ServerFault::NotStarted(error.to_string()))?;
                Ok(Opened::new(greet(transport, &watch, self.limits, self.stop, greeting).await?, watch, None))
            }
            ServerTransport::Stdio(transport) => self.start(transport, greeting).await,
        }
    }

    async fn start(&self, transport: &StdioTransport, greeting: Greeting) -> Result<Opened, Refused> {
        let Self { server, subreaper, limits, errors, stop, shutdown } = self;
        let not_started = |error: std::io::Error| ServerFault::NotStarted(format!("{}: {error}", transport.program));
        let (process, pipes) =
            Process::start(subreaper, &server.name, transport, errors, shutdown).map_err(not_started)?;
        let watch = Arc::<Watch>::default();
        let lines = Lines::new(pipes.stdout, &server.name, Arc::clone(&watch), MAX_MESSAGE_BYTES);
        let transport = AsyncRwTransport::new(lines, pipes.stdin).with_max_line_length(usize::MAX);
        match greet(transport, &watch, limits, stop, greeting).await {
            Ok(service) => Ok(Opened::new(service, watch, Some((process, limits.end)))),
            Err(refused) => {
                let how = process.end(limits.end).await;
                Err(if watch.has_ended() { ServerFault::Ended(how).into() } else { refused })
            }
        }
    }
}

async fn greet<T: Transport<RoleClient> + 'static>(
    transport: T,
    watch: &Arc<Watch>,
    limits: &Limits,
    stop: &CancellationToken,
    greeting: Greeting,
) -> Result<RunningService<RoleClient, Host>, Refused> {
    let transport = Watched::new(transport, Arc::clone(watch));
    let greeted = Host::default().serve_with_lifecycle(transport, greeting.lifecycle());
    tokio::select! {
        greeted = timeout(limits.greeting, greeted) => match greeted {
            Ok(Ok(service)) => Ok(service),
            Ok(Err(error)) => {
                if takes_nothing(&error) {
                    watch.end("it no longer accepts input");
                }
                let fault = ServerFault::Greeting(greeting_text(&error));
                Err(Refused { fault, may_know_other: greeting.other_may_help(&error) })
            }
            Err(_) => Err(ServerFault::NoAnswer(limits.greeting).into()),
        },
        () = stop.cancelled() => Err(ServerFault::Ended("it was stopped".to_owned()).into()),
    }
}

impl Greeting {
    fn lifecycle(self) -> ClientLifecycleMode {
        match self {
            Self::Discover => ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] },
            Self::Initialize => ClientLifecycleMode::Initialize,
        }
    }

    /// Whether a server that refused this greeting so may take the other.
    fn other_may_help(self, error: &ClientInitializeError) -> bool {
        match (self, error) {
            // These codes are as new as the greeting.
            (Self::Discover, ClientInitializeError::JsonRpcError(error)) => {
                ![ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY, ErrorCode::HEADER_MISMATCH].contains(&error.code)
            }
            (Self::Discover, error) => !error.is_authorization_required(),
            (Self::Initialize, ClientInitializeError::JsonRpcError(error)) => {
                [ErrorCode::METHOD_NOT_FOUND, ErrorCode::UNSUPPORTED_PROTOCOL_VERSION].contains(&error.code)
            }
            (Self::Initialize, _) => false,
        }
    }
}

fn http(transport: &HttpTransport) -> Result<StreamableHttpClientTransport<reqwest::Client>, reqwest::Error> {
    // Redirects are not followed: the headers are meant for this address only.
    let mut client =
        switchboard_net::http_client().redirect(reqwest::redirect::Policy::none()).pool_max_idle_per_host(0);
    if is_local(&transport.url) {
        client = client.no_proxy();
    }
    let headers: HashMap<_, _> = transport
        .headers
        .iter()
        .filter_map(|(name, value)| Some((name.parse().ok()?, value.reveal().parse().ok()?)))
        .collect();
    // A session that the server forgot is opened anew by the supervisor, so that no call is sent twice.
    let config = StreamableHttpClientTransportConfig::with_uri(transport.url.as_str())
        .custom_headers(headers)
        .max_sse_event_size(MAX_MESSAGE_BYTES)
        .reinit_on_expired_session(false);
    Ok(StreamableHttpClientTransport::with_client(client.build()?, config))
}

fn is_local(url: &str) -> bool {
    let url = reqwest::Url::parse(url).ok();
    let host = url.as_ref().and_then(reqwest::Url::host_str).unwrap_or_default();
    let address = host.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

/// A connection over anything, for tests.
#[cfg(test)]
pub(super) async fn open_over<R, W>((read, write): (R, W)) -> Result<Opened, ServerFault>
where
    R: tokio::io::AsyncRead + Send + Unpin + 'static,
    W: tokio::io::AsyncWrite + Send + Unpin + 'static,
{
    let watch = Arc::<Watch>::default();
    let transport = AsyncRwTransport::new(read, write);
    let stop = CancellationToken::new();
    let greeted = greet(transport, &watch, &Limits::default(), &stop, Greeting::Initialize).await;
    Ok(Opened::new(greeted.map_err(|refused| refused.fault)?, watch, None))
}
