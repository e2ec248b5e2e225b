//! One connection to one server, from its greeting to its end: asked for its tools, called, closed. Whatever is asked
//! ends: with an answer, with the connection, or with a time limit.

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{
    ClientCapabilities, ClientConfig, ClientRequest, ElicitRequestParams, ElicitResult, ElicitationAction,
    ElicitationCapability, FormElicitationCapability, Implementation, ListToolsRequest, PaginatedRequestParams,
    PingRequest, ProtocolVersion, ServerResult,
};
use rmcp::service::{PeerRequestOptions, RequestHandle, RoleClient, RunningService};
use rmcp::{ClientHandler, ErrorData, Peer, ServiceError};
use tokio::time::timeout;

use super::elicit::ElicitationRegistry;
use super::error::ServerFault;
use super::fault_text::error_text;
use super::names::sanitized;
use super::process::Process;
use super::watch::Watch;

/// How many pages of tools are asked for.
const MAX_PAGES: usize = 100;

/// How many tools of one server are taken.
pub(super) const MAX_TOOLS: usize = 1000;

/// How long closing may take.
const CLOSE_LIMIT: Duration = Duration::from_secs(3);

/// How long what a server takes, and how long it may be silent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// From the start of a server to its greeting.
    pub(super) greeting: Duration,
    /// One page of a list, one ping.
    pub(super) answer: Duration,
    /// All pages of a list.
    pub(super) list: Duration,
    /// A call without progress.
    pub(super) timeout: Duration,
    /// A call in all.
    pub(super) total: Duration,
    /// From closing a server's input to its end, before it is ended by force.
    pub(super) end: Duration,
    /// Between two lists of tools.
    pub(super) between_lists: Duration,
    /// Between two pings over HTTP.
    pub(super) between_pings: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            greeting: Duration::from_secs(10),
            answer: Duration::from_secs(10),
            list: Duration::from_secs(30),
            timeout: Duration::from_secs(60),
            total: Duration::from_secs(600),
            end: Duration::from_secs(8),
            between_lists: Duration::from_secs(1),
            between_pings: Duration::from_secs(60),
        }
    }
}

/// What calls go by; cheap to share, and of no use any more once the connection is over.
pub(super) struct Connection {
    peer: Peer<RoleClient>,
    pub(super) watch: Arc<Watch>,
    /// Where the server's questions go.
    pub(super) elicitations: Arc<ElicitationRegistry>,
}

/// A connection with what must be ended with it.
pub(super) struct Opened {
    pub(super) connection: Arc<Connection>,
    service: RunningService<RoleClient, Host>,
    process: Option<(Process, Duration)>,
}

/// The tools that a server has, and what was left out.
#[derive(Debug, Default)]
pub(super) struct Listed {
    pub(super) tools: Vec<rmcp::model::Tool>,
    pub(super) skipped: Vec<String>,
}

impl Limits {
    /// Nothing takes too long, however busy the machine is; for tests.
    #[cfg(test)]
    pub(super) fn none() -> Self {
        let long = Duration::from_secs(3600);
        let (greeting, answer, list, timeout, total, end) = (long, long, long, long, long, long);
        Self { greeting, answer, list, timeout, total, end, ..Self::default() }
    }
}

/// What a server may ask of us: questions to the user of a call that runs. It gets no roots and no model.
#[derive(Default)]
pub(super) struct Host(Arc<ElicitationRegistry>);

impl ClientHandler for Host {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = Some(ElicitationCapability::new().with_form(FormElicitationCapability::new()));
        ClientConfig::new(capabilities, Implementation::new("switchboard", env!("CARGO_PKG_VERSION")))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        context: rmcp::service::RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        tokio::select! {
            answer = self.0.ask(request) => Ok(answer),
            () = context.ct.cancelled() => Ok(ElicitResult::new(ElicitationAction::Cancel)),
        }
    }

    #[expect(deprecated, reason = "what is deprecated is refused here")]
    async fn list_roots(
        &self,
        _context: rmcp::service::RequestContext<RoleClient>,
    ) -> Result<rmcp::model::ListRootsResult, ErrorData> {
        Err(ErrorData::method_not_found::<rmcp::model::ListRootsRequestMethod>())
    }
}

impl Opened {
    /// A server that was greeted, with its process and how long that gets to end.
    pub(super) fn new(
        service: RunningService<RoleClient, Host>,
        watch: Arc<Watch>,
        process: Option<(Process, Duration)>,
    ) -> Self {
        let elicitations = Arc::clone(&service.service().0);
        let connection = Arc::new(Connection { peer: service.peer().clone(), watch, elicitations });
        Self { connection, service, process }
    }

    /// Closes the connection, ends the process, and says how it was over.
    pub(super) async fn close(self) -> String {
        let watch = &self.connection.watch;
        let by_itself = watch.reason();
        watch.end("the connection was closed");
        if timeout(CLOSE_LIMIT, self.service.cancel()).await.is_err() {
            tracing::debug!("a connection to an MCP server did not close in time");
        }
        let ended = match self.process {
            Some((process, limit)) => Some(process.end(limit).await),
            None => None,
        };
        match (by_itself.as_deref(), ended) {
            (None | Some("the connection was closed"), Some(ended)) => ended,
            (Some(reason), _) => reason.to_owned(),
            (None, None) => "it was stopped".to_owned(),
        }
    }
}

impl Connection {
    /// What the server says of itself.
    pub(super) fn about(&self) -> Option<String> {
        let info = self.peer.peer_info()?;
        let about = info.server_info.as_ref()?;
        Some(sanitized(&format!("{} {}", about.name, about.version)).0)
    }

    /// The version of MCP that it speaks.
    pub(super) fn version(&self) -> Option<ProtocolVersion> {
        self.peer.peer_info().map(|info| info.protocol_version.clone())
    }

    /// Whether it keeps nothing between two requests: it knows no ping, and does not say when its lists change.
    pub(super) fn is_stateless(&self) -> bool {
        self.version().is_some_and(|version| !version.has_initialize())
    }

    /// All its tools.
    pub(super) async fn list_tools(&self, limits: &Limits) -> Result<Listed, ServerFault> {
        let mut listed = Listed::default();
        if self.peer.peer_info().is_some_and(|info| info.capabilities.tools.is_none()) {
            return Ok(listed);
        }
        let mut cursor = None;
        for _ in 0..MAX_PAGES {
            let params = PaginatedRequestParams::default().with_cursor(cursor.take());
            let request = ClientRequest::ListToolsRequest(ListToolsRequest::with_param(params));
            cursor = listed.take_page(self.ask(request, limits.answer).await.map_err(ServerFault::NoTools)?)?;
            if cursor.is_none() {
                return Ok(listed);
            }
            if listed.tools.len() >= MAX_TOOLS {
                listed.skipped.push(format!("it has more than {MAX_TOOLS} tools; the rest are skipped"));
                return Ok(listed);
            }
        }
        listed.skipped.push(format!("its list of tools has more than {MAX_PAGES} pages; the rest are skipped"));
        Ok(listed)
    }

    /// Asks whether it is still there.
    pub(super) async fn ping(&self, limits: &Limits) -> Result<(), String> {
        let request = ClientRequest::PingRequest(PingRequest::default());
        match self.send(request, PeerRequestOptions::with_timeout(limits.answer)).await?.await_response().await {
            // It need not know what a ping is.
            Ok(_) | Err(ServiceError::McpError(_)) => Ok(()),
            Err(error) => Err(error_text(&error)),
        }
    }

    /// Sends a call; the answer comes by the handle.
    pub(super) async fn send_call(&self, request: ClientRequest) -> Result<RequestHandle<RoleClient>, String> {
        self.send(request, PeerRequestOptions::no_options()).await
    }

    /// Whether it has prompts.
    pub(super) fn has_prompts(&self) -> bool {
        self.peer.peer_info().is_some_and(|info| info.capabilities.prompts.is_some())
    }

    /// Whether it has resources.
    pub(super) fn has_resources(&self) -> bool {
        self.peer.peer_info().is_some_and(|info| info.capabilities.resources.is_some())
    }

    /// Asks and waits for the answer.
    pub(super) async fn ask(&self, request: ClientRequest, limit: Duration) -> Result<ServerResult, String> {
        let handle = self.send(request, PeerRequestOptions::with_timeout(limit)).await?;
        tokio::select! {
            biased;
            answer = handle.await_response() => answer.map_err(|error| error_text(&error)),
            () = self.watch.ended() => Err(self.watch.reason().unwrap_or_default()),
        }
    }

    async fn send(
        &self,
        request: ClientRequest,
        options: PeerRequestOptions,
    ) -> Result<RequestHandle<RoleClient>, String> {
        if let Some(reason) = self.watch.reason() {
            return Err(reason);
        }
        self.peer.send_cancellable_request(request, options).await.map_err(|error| error_text(&error))
    }
}

impl Listed {
    /// Takes a page; what is not a tool is left out. Answers where the next page begins.
    fn take_page(&mut self, answer: ServerResult) -> Result<Option<String>, ServerFault> {
        match answer {
            ServerResult::ListToolsResult(page) => {
                self.tools.extend(page.tools);
                Ok(page.next_cursor)
            }
            // One wrong tool makes the whole page look like something else.
            ServerResult::CustomResult(page) if page.0.get("tools").is_some_and(serde_json::Value::is_array) => {
                for (index, tool) in page.0["tools"].as_array().into_iter().flatten().enumerate() {
                    match serde_json::from_value(tool.clone()) {
                        Ok(tool) => self.tools.push(tool),
                        Err(error) => self.skipped.push(format!("entry {index} of its list is not a tool: {error}")),
                    }
                }
                Ok(page.0["nextCursor"].as_str().map(ToOwned::to_owned))
            }
            _ => Err(ServerFault::NoTools("it answered with something else".to_owned())),
        }
    }
}
