//! What a command reaches of the network: the proxy that it goes through, and the questions about domains that are new.
//!
//! All of it runs in one future beside the command, so that nothing of it outlives the call.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::net::TcpListener;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::future::BoxFuture;
use serde_json::json;
use switchboard_net::{ConnectionEnd, Destination, Dialer, Journal, Proxy, ProxyGate, ProxyReach};
use switchboard_protocol::{Choice, QueryKind, Stream};
use switchboard_sandbox::PROXY_PORT;
use tokio::sync::{mpsc, oneshot, watch};

use switchboard_tools::{
    DomainPolicy, DomainVerdict, OutputSink, QueryAnswer, Question, SessionRule, ToolContext, UserLine,
};

/// How many domains one command may ask about.
const MAX_DOMAINS: usize = 32;

/// The answers to choose from.
const ONCE: &str = "allow-once";
const SESSION: &str = "allow-session";
const DENY: &str = "deny";

/// Whether a domain may be reached, or why not; none while that is not decided.
type Answer = Option<Result<(), String>>;

/// The network of one command.
pub(super) struct CommandNetwork {
    proxy: Proxy,
    /// What became of its connections.
    pub(super) journal: Arc<Journal>,
    asks: mpsc::Receiver<Asked>,
    listener: oneshot::Receiver<TcpListener>,
}

/// A domain that is to be asked about.
struct Asked {
    to: Destination,
    /// Why it is asked about beyond its being new.
    reason: String,
    answer: watch::Sender<Answer>,
}

struct DomainGate {
    policy: Arc<dyn DomainPolicy>,
    output: Arc<dyn OutputSink>,
    /// What was asked in this call, by domain.
    answers: Mutex<BTreeMap<String, watch::Receiver<Answer>>>,
    asks: mpsc::Sender<Asked>,
}

impl CommandNetwork {
    /// The network of a call's command, and where the listener goes at which the command finds it.
    pub(super) fn new(context: &ToolContext, reach: &ProxyReach) -> (Self, oneshot::Sender<TcpListener>) {
        let (sender, listener) = oneshot::channel();
        let (asking, asks) = mpsc::channel(MAX_DOMAINS);
        let (policy, output) = (Arc::clone(&context.domain_policy), Arc::clone(&context.output));
        let gate = DomainGate { policy, output, answers: Mutex::default(), asks: asking };
        let journal = Arc::<Journal>::default();
        let proxy = Proxy::new(Dialer::new(reach.clone()), Arc::new(gate), Arc::clone(&journal));
        (Self { proxy, journal, asks, listener }, sender)
    }

    /// Serves the command's connections and asks its user, until the future is dropped.
    pub(super) async fn serve(self, user: &UserLine) -> Infallible {
        let Self { proxy, mut asks, listener, .. } = self;
        // A command without a proxy has no listener.
        let Ok(listener) = listener.await else { return std::future::pending().await };
        let asking = async {
            while let Some(asked) = asks.recv().await {
                let answer = ask(user, &asked).await;
                asked.answer.send_replace(Some(answer));
            }
        };
        let serving = async {
            // It only ends because it cannot listen.
            let Err(error) = proxy.serve(listener).await;
            tracing::warn!("a command has no network, because its proxy cannot listen: {error}");
        };
        tokio::join!(asking, serving);
        std::future::pending().await
    }
}

impl ProxyGate for DomainGate {
    fn admit<'a>(&'a self, to: &'a Destination) -> BoxFuture<'a, Result<(), String>> {
        Box::pin(async move {
            match self.policy.decide(to) {
                DomainVerdict::Allow => Ok(()),
                DomainVerdict::Deny(reason) => Err(reason),
                DomainVerdict::Ask(reason) => self.asked(to, reason).await,
            }
        })
    }

    fn heard(&self, to: &Destination, end: &ConnectionEnd) {
        let line = match end {
            ConnectionEnd::Connected => format!("network: connected to {to}\n"),
            ConnectionEnd::Refused(why) => format!("network: {to} was denied: {why}\n"),
            ConnectionEnd::Failed(why) => format!("network: {to} failed: {why}\n"),
        };
        self.output.chunk(Stream::Progress, &line);
    }
}

impl DomainGate {
    /// The user's answer about a domain, who is asked once in a call, however many connections wait for it and however
    /// many of them give up.
    async fn asked(&self, to: &Destination, reason: String) -> Result<(), String> {
        let mut answer = self.answer(to, reason)?;
        let answered = answer.wait_for(Option::is_some).await;
        answered.ok().and_then(|answer| answer.clone()).unwrap_or_else(|| Err("the call has ended".to_owned()))
    }

    fn answer(&self, to: &Destination, reason: String) -> Result<watch::Receiver<Answer>, String> {
        let mut answers = self.answers();
        let domain = to.domain();
        if let Some(answer) = answers.get(&domain) {
            return Ok(answer.clone());
        }
        if answers.len() >= MAX_DOMAINS {
            return Err(format!("this command has asked about {MAX_DOMAINS} domains already"));
        }
        let (sender, answer) = watch::channel(None);
        let asked = Asked { to: to.clone(), reason, answer: sender };
        self.asks.try_send(asked).map_err(|_| "the call has ended".to_owned())?;
        answers.insert(domain, answer.clone());
        Ok(answer)
    }

    fn answers(&self) -> MutexGuard<'_, BTreeMap<String, watch::Receiver<Answer>>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn ask(user: &UserLine, asked: &Asked) -> Result<(), String> {
    let question = question(&asked.to, &asked.reason)?;
    match user.ask(question).await {
        QueryAnswer::Given(answer) if answer == ONCE || answer == SESSION => Ok(()),
        QueryAnswer::Given(_) | QueryAnswer::Dismissed => Err("the user did not allow it".to_owned()),
        QueryAnswer::Expired => Err("nobody allowed it in time".to_owned()),
        QueryAnswer::Cancelled => Err("the call has ended".to_owned()),
    }
}

fn question(to: &Destination, reason: &str) -> Result<Question, String> {
    let (domain, port) = (to.domain(), to.port());
    let message = format!("A command wants to connect to {domain} (port {port}). {reason}");
    let choices = [
        (ONCE, "Allow for this call".to_owned()),
        (SESSION, format!("Allow {} for this session", short(&domain))),
        (DENY, "Deny".to_owned()),
    ];
    let choices = choices.map(|(value, label)| Choice { value: json!(value), label }).into();
    let question = Question::new(QueryKind::Network, &message, choices).map_err(|failure| failure.message)?;
    Ok(question.allowing(SessionRule { answer: json!(SESSION), rule: format!("network({domain})") }))
}

/// A domain on a button.
fn short(domain: &str) -> String {
    if domain.len() <= 60 { domain.to_owned() } else { format!("…{}", &domain[domain.len() - 59..]) }
}

/// How programs find the proxy. Most know it as an HTTP proxy; the same port speaks SOCKS5.
pub(super) fn variables() -> impl Iterator<Item = (String, String)> {
    let proxy = format!("http://127.0.0.1:{PROXY_PORT}");
    let near = "localhost,127.0.0.1,::1";
    let both = |name: &str, value: &str| [name.to_owned(), name.to_uppercase()].map(|name| (name, value.to_owned()));
    let proxies = ["http_proxy", "https_proxy", "all_proxy"].into_iter().flat_map(move |name| both(name, &proxy));
    let node = ("NODE_USE_ENV_PROXY".to_owned(), "1".to_owned());
    proxies.chain(both("no_proxy", near)).chain([node])
}
