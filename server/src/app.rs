//! The composition root: together with its folder, the one place that names every room. What is built first ends last.

mod admission;
mod check;
mod confinement;
mod folders;
mod listening;
mod login_key;
mod names;
mod reasoner_factory;
mod retention;
mod store;
mod tool_usage;
mod tools;
mod unfinished;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{anyhow, bail};
use switchboard_protocol::{ReasonerInfo, SandboxState};
use tokio::net::TcpListener;
use tokio::time::{Instant, sleep, timeout, timeout_at};

use crate::config::{Config, SandboxChoice};
use crate::http::{self, ApiState};
use crate::socket::SocketConfig;
use admission::{auth, peers, warn_of_plain_http};
use check::check;
use confinement::wait_for_earlier_workers;
use folders::{agents_folder, checkpoints, denied, workspace};
use listening::bind;
use names::Names;
use reasoner_factory::{chat, chat_now, own_model, reasoner, summaries, tell_changes};
use retention::keep_within;
use store::Stored;
use switchboard_agent::{Reasoner, ReasonerFactory, Specialists, ToolUsingChatAgent};
use switchboard_builtin::CustomTools;
use switchboard_conversation::ChatConfig;
use switchboard_events::{ConversationSearch, EventLog};
use switchboard_llm::Models;
use switchboard_mcp::McpServers;
use switchboard_rules::Rules;
use switchboard_runtime::{KeyValueStore, Live, Secret, Shutdown, announce};
use switchboard_sandbox as sandbox;
use switchboard_session::{SessionConfig, SessionServices, Sessions};
use switchboard_tools::{Effect, Policy, RuleSet, RuleSource, ToolRegistry};
use switchboard_workspace::Workspace;
use tool_usage::keep_tool_usage;
use tools::Toolbox;
pub use tools::{tool_index, tools};
use unfinished::keep_going;

/// How long tasks may take to end once they were cut off.
const CUT_OFF_LIMIT: Duration = Duration::from_secs(10);

/// How long it may take to tell other servers that this one stops.
const LEAVE_LIMIT: Duration = Duration::from_secs(1);

/// How often it is looked whether sessions have come to rest.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// The server, not yet started.
pub struct App;

/// The server while it runs.
pub struct RunningApp {
    address: SocketAddr,
    config: Config,
    token_made: bool,
    reasoner: ReasonerInfo,
    sandbox: SandboxState,
    drain: Live<Duration>,
    policy: Arc<Policy>,
    registry: Arc<ToolRegistry>,
    shutdown: Shutdown,
    mcp: McpServers,
    agents: Specialists,
    custom: Option<CustomTools>,
    sessions: Sessions,
    log: Arc<dyn EventLog>,
}

/// Makes the log that sessions write to of the one that is opened.
pub type OverLog = fn(Arc<dyn EventLog>) -> Arc<dyn EventLog>;

impl App {
    /// Builds everything and listens; ready when this returns.
    ///
    /// # Errors
    /// When a setting asks for what is not there, or a folder or the address cannot be used.
    pub async fn start(mut config: Config, over: OverLog) -> anyhow::Result<RunningApp> {
        check(&config)?;
        let shutdown = Shutdown::new();
        let stored = Stored::open(&config).await?;
        let log = over(stored.log());
        let values = stored.values(&config).await?;
        let denied = denied(&config);
        let workspace = Arc::new(workspace(&config, &denied)?);
        sandbox::make_room();
        sandbox::sweep_groups();
        wait_for_earlier_workers(&config);
        let checkpoints = checkpoints(&config, &workspace)?;

        // Early, because commands are kept from the port that it comes to be; who connects waits until all is built.
        let (listener, address) = bind(config.service.listen)?;
        let toolbox = Toolbox::start(&config, &denied, address.port(), &values, &shutdown).await?;
        let Toolbox { sandbox, registry, index, mcp, custom } = toolbox;
        let Deciders { models, decides, chat, agents } =
            Deciders::start(&config, &values, (&workspace, &registry), &shutdown).await?;

        let rules = rules(&config, &registry, &mcp)?;
        let policy =
            Policy::with_rules(config.permissions.approve, rules).confirming(&config.permissions.always_confirm);
        let policy = Arc::new(policy);
        let rounds = config.reasoning.max_iterations;
        let agent = ToolUsingChatAgent::new(decides, Arc::clone(&registry), Arc::clone(&index), rounds);
        let files = agents.clone();
        let agent = agent.with_primary_tools(Arc::new(move || files.primary_tools()));
        keep_tool_usage(&registry, &config.paths.data, &shutdown);
        let reasoner = agent.info();
        let sessions = Sessions::new(SessionServices {
            log: Arc::clone(&log),
            agent: Arc::new(agent),
            registry: Arc::clone(&registry),
            index,
            mcp: mcp.clone(),
            models: models.clone(),
            agents: agents.clone(),
            policy: Arc::clone(&policy),
            workspace,
            checkpoints,
            sandbox,
            shutdown: shutdown.clone(),
            chat,
            summarizer: Arc::new(summaries(&config, &models)),
            config: SessionConfig {
                idle_close: config.service.idle,
                approval_limit: config.permissions.approval_limit,
                ..SessionConfig::default()
            },
        });

        let search = stored.search(&config, &shutdown);
        let node_secret = stored.join(&config, address, &values).await?;
        let served = Served { sessions: &sessions, search, values: &values, node_secret };
        let token_made = serve(&mut config, (listener, address), served, &shutdown)?;
        drop(shutdown.spawn(tell_changes(models, sessions.clone(), shutdown.clone())));
        keep_within(config.retention, sessions.clone(), &shutdown);
        keep_going(&sessions, &shutdown);
        let drain = Live::new(config.service.drain);
        Ok(RunningApp {
            address,
            config,
            token_made,
            reasoner,
            sandbox,
            drain,
            policy,
            registry,
            shutdown,
            mcp,
            agents,
            custom,
            sessions,
            log,
        })
    }
}

impl RunningApp {
    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its address for a browser on this machine.
    #[must_use]
    pub fn url(&self) -> String {
        url_of(self.address)
    }

    /// What a person wants to know at the start: names and values.
    #[must_use]
    pub fn about(&self) -> Vec<(&'static str, String)> {
        let page = match http::has_ui() {
            true => None,
            false => Some(("page", "none in this build; `npm ci && npm run build` in web/ builds it".to_owned())),
        };
        let kind = serde_json::to_value(self.reasoner.kind).ok();
        let kind = kind.as_ref().and_then(|kind| kind.as_str()).unwrap_or_default();
        let reasoner = match &self.reasoner.model {
            Some(model) => format!("{kind}, with {model}"),
            None => format!("{kind}, without a language model"),
        };
        let store = self.config.store.is_nats().then(|| format!("NATS at {}", self.config.store.servers.join(", ")));
        let workspace = self.config.paths.workspace.display().to_string();
        let sandbox = match &self.sandbox {
            SandboxState::On => None,
            SandboxState::SharedProcesses => Some("weaker here: commands see other processes"),
            SandboxState::LandlockOnly => Some("weaker here: commands have no namespaces of their own"),
            SandboxState::Off => Some("off: commands can do everything the server can"),
            SandboxState::Unavailable => Some("not available here: commands do not run"),
        };
        [("workspace", workspace), ("data", self.config.paths.data.display().to_string()), ("reasoner", reasoner)]
            .into_iter()
            .chain(store.map(|store| ("store", store)))
            .chain(sandbox.map(|state| ("sandbox", state.to_owned())))
            .chain(self.log.report().map(|report| ("log", report)))
            .chain(page)
            .chain(self.login())
            .collect()
    }

    /// How to log in with a token that nobody chose: the address with the token when it was made at this start, later
    /// only the file.
    fn login(&self) -> Option<(&'static str, String)> {
        let http = &self.config.http;
        let file = http.token_file.as_ref().filter(|_| http.auth_token.is_none())?;
        match http.token().filter(|_| self.token_made) {
            Some(token) => Some(("log in once at", format!("{}/?token={}", self.url(), token.reveal()))),
            None => Some(("token", format!("in {}", file.display()))),
        }
    }

    /// Takes up what can change; the names of settings that changed but need a new start.
    ///
    /// # Errors
    /// When a rule can never match; then nothing has changed.
    pub fn reload(&self, config: &Config) -> anyhow::Result<Vec<&'static str>> {
        // A rule may be about a tool whose file is new.
        if let Some(custom) = &self.custom {
            custom.reload();
        }
        let rules = rules(config, &self.registry, &self.mcp)?;
        self.agents.reload();
        self.drain.set(config.service.drain);
        self.policy.set(config.permissions.approve, rules, &config.permissions.always_confirm);
        let now = &self.config;
        let fixed = [
            ("listen", now.service.listen != config.service.listen),
            ("workspace", now.paths.workspace != config.paths.workspace),
            ("data", now.paths.data != config.paths.data),
            ("store-…", now.store != config.store),
            ("cluster-address or workspace-id", now.cluster != config.cluster),
            ("sandbox", now.commands.sandbox != config.commands.sandbox),
            ("checkpoints", now.commands.checkpoints != config.commands.checkpoints),
            ("bash-timeout", now.commands.timeout != config.commands.timeout),
            ("sandbox-read", now.commands.readable != config.commands.readable),
            ("web-allow-local", now.web.local != config.web.local),
            ("web-search", now.web.search != config.web.search),
            ("web-search-url", now.web.search_url != config.web.search_url),
            ("web-search-key", now.web.search_key != config.web.search_key),
            ("mcp", now.mcp.file != config.mcp.file),
            ("reasoner", now.reasoning.reasoner != config.reasoning.reasoner),
            ("llm-…, temperature or max-tokens", now.llm != config.llm),
            ("context-tokens", now.conversation.context_tokens != config.conversation.context_tokens),
            ("tool-tokens", now.conversation.tool_tokens != config.conversation.tool_tokens),
            ("max-history", now.conversation.max_history != config.conversation.max_history),
            ("embeddings-…", now.embeddings != config.embeddings),
            ("system-prompt", now.conversation.system_prompt != config.conversation.system_prompt),
            ("summarize", now.conversation.summarize != config.conversation.summarize),
            ("max-iterations", now.reasoning.max_iterations != config.reasoning.max_iterations),
            ("auth-token", now.http.auth_token != config.http.auth_token),
            ("auth-token-file", now.http.token_file != config.http.token_file),
            ("chat-token", now.http.chat_token != config.http.chat_token),
            ("public-url", now.http.public_url != config.http.public_url),
            ("idle-minutes", now.service.idle != config.service.idle),
            ("approval-minutes", now.permissions.approval_limit != config.permissions.approval_limit),
        ];
        Ok(fixed.into_iter().filter_map(|(key, changed)| changed.then_some(key)).collect())
    }

    /// Ends it: no new work, running turns drain to the deadline, the rest is cut off, the log is flushed.
    pub async fn stop(self) {
        let deadline = Instant::now() + self.drain.get();
        if timeout(LEAVE_LIMIT, self.log.leave()).await == Ok(true) {
            self.shutdown.hand_over();
            let _ = timeout_at(deadline, self.handed_over()).await;
        }
        self.shutdown.stop();
        if timeout_at(deadline, self.shutdown.ended()).await.is_err() {
            tracing::warn!("what is still running is cut off");
            self.shutdown.cut_off();
            if timeout(CUT_OFF_LIMIT, self.shutdown.ended()).await.is_err() {
                tracing::error!("some tasks did not end");
            }
        }
        self.mcp.stop().await;
        self.log.close().await;
    }

    /// Waits until each session has come to rest, and another server can have it.
    async fn handed_over(&self) {
        while !self.sessions.have_ended() {
            sleep(LOOK_AGAIN).await;
        }
    }
}

/// The reasoner that decides, and the models and agents that it uses.
struct Deciders {
    models: Models,
    decides: Arc<dyn Reasoner>,
    chat: Live<Arc<ChatConfig>>,
    agents: Specialists,
}

impl Deciders {
    /// Finds the model, and the specialist agents, which use the same model unless they name one of
    /// their own.
    async fn start(
        config: &Config,
        values: &Arc<dyn KeyValueStore>,
        (workspace, registry): (&Arc<Workspace>, &Arc<ToolRegistry>),
        shutdown: &Shutdown,
    ) -> anyhow::Result<Self> {
        let models =
            Models::start(config.llm.clone(), Arc::clone(values), shutdown).await.map_err(|error| anyhow!(error))?;
        let rules: Arc<dyn Reasoner> = Arc::new(Rules::new(Arc::new(Names::new(Arc::clone(workspace)))));
        let decides = reasoner(config, &models, &rules).await?;
        let chat = Live::new(Arc::new(chat(config)));
        let (reasoner, held, own) =
            (Arc::clone(&decides), chat_now(&chat, &models), own_model(config, &models, &rules));
        let thinks = ReasonerFactory { reasoner, chat: held, own, rounds: config.reasoning.max_iterations };
        let agents = Specialists::new(registry, thinks, agents_folder(config));
        agents.watch(shutdown);
        Ok(Self { models, decides, chat, agents })
    }
}

/// What clients are served with.
struct Served<'a> {
    sessions: &'a Sessions,
    search: Arc<dyn ConversationSearch>,
    values: &'a Arc<dyn KeyValueStore>,
    node_secret: Option<Secret>,
}

/// Tells other programs where the server is, and answers who connects; whether a token was made.
fn serve(
    config: &mut Config,
    (listener, address): (TcpListener, SocketAddr),
    Served { sessions, search, values, node_secret }: Served<'_>,
    shutdown: &Shutdown,
) -> anyhow::Result<bool> {
    if let Err(error) = announce(&config.paths.data, &url_of(address)) {
        tracing::warn!("other programs will not find this server through its data folder: {error}");
    }
    // Last, when nothing else can fail: a token that was made is printed at this start and never again.
    let token_made = config.http.open_token_file().map_err(anyhow::Error::msg)?;
    let auth = auth(config, values, shutdown)?;
    let state = ApiState { auth, sessions: sessions.clone(), search, node_secret };
    let router = http::router(
        state,
        &config.http,
        SocketConfig { echo: config.service.echo, ..SocketConfig::default() },
        address.ip().is_loopback(),
    );
    warn_of_plain_http(config, address);
    drop(shutdown.spawn(http::serve(listener, router, peers(config, address), shutdown.clone())));
    Ok(token_made)
}

/// The rules of the settings, once each of them can match something.
fn rules(config: &Config, registry: &ToolRegistry, mcp: &McpServers) -> anyhow::Result<RuleSet> {
    let rules = RuleSet::new(config.permissions.rules.clone());
    if let Some((rule, why)) = rules.never_matching(&registry.definitions(), &mcp.modules()) {
        match rule.source() {
            RuleSource::Settings(place) => bail!("{place}: {}: {why}", rule.effect()),
            RuleSource::Session => bail!("{}: {why}", rule.effect()),
        }
    }
    if config.commands.sandbox == SandboxChoice::Off
        && rules.all().iter().any(|rule| rule.effect() == Effect::Deny && rule.text().contains('('))
    {
        tracing::warn!("with --sandbox off, files that rules deny are denied to the file tools only, not to commands");
    }
    Ok(rules)
}

fn url_of(mut address: SocketAddr) -> String {
    if address.ip().is_unspecified() {
        address.set_ip(std::net::Ipv4Addr::LOCALHOST.into());
    }
    format!("http://{address}")
}
