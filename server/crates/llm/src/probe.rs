//! A choice made in the dialog: tested with one live call before it is stored.

use std::time::{Duration, Instant};

use tokio::time::timeout;

use super::catalogue::{self, ListedModel};
use super::choose::{ChooseError, known, proposed};
use super::client::ModelInfo;
use super::config::LlmLimits;
use super::error::LlmError;
use super::models::{LIST_LIMIT, Models};
use super::providers::Endpoint;
use super::request::{LlmRequest, Pictures};
use switchboard_events::{ChatMessage, ChatRole};
use switchboard_runtime::Secret;

/// The longest name of a model, and the longest key, in bytes.
const MAX_NAME_BYTES: usize = 200;
const MAX_KEY_BYTES: usize = 1024;

/// How long a proof may take; a local model may have to be loaded.
const PROBE_TIMEOUT: Duration = Duration::from_secs(60);

/// What somebody wants to use.
#[derive(Debug, Clone)]
pub struct Proposal {
    /// The provider's id.
    pub provider: String,
    /// Where its API is; none: as it is known.
    pub base_url: Option<String>,
    /// Its key; none: as it is known.
    pub key: Option<Secret>,
    /// The model; none: the provider's usual one, or the first it lists.
    pub model: Option<String>,
}

/// What was proved, and is in use now.
#[derive(Debug, Clone)]
pub struct Probed {
    /// The model.
    pub model: ModelInfo,
    /// How long it took to answer.
    pub took: Duration,
}

/// Why a choice is not taken: the field that is wrong, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProbeError {
    /// `provider`, `baseUrl`, `apiKey` or `model`.
    pub field: &'static str,
    /// What is wrong.
    pub problem: String,
    /// What to do.
    pub suggestion: String,
}

impl Models {
    /// Asks the model one thing; if it answers, it is kept and used.
    ///
    /// # Errors
    /// When a field is wrong or nothing answers; then nothing has changed.
    pub async fn probe(&self, proposal: Proposal) -> Result<Probed, ProbeError> {
        check(&proposal)?;
        let inner = self.inner();
        if inner.config.off {
            return Err(wrong(
                "provider",
                "language models are disabled by SWITCHBOARD_LLM (--llm off)",
                "start without it",
            ));
        }
        let provider = known(&proposal.provider).map_err(|error| refused(&error))?;
        let Ok(_alone) = inner.proving.try_lock() else {
            return Err(wrong("provider", "another choice is being tried", "try again in a moment"));
        };
        let stored = self.lock().stored.clone();
        let endpoint = proposed(provider, &inner.config, &stored, proposal.base_url.as_deref(), proposal.key.as_ref())
            .map_err(|error| refused(&error))?;
        let transport = inner.limiters.transport(&endpoint, inner.config.limits);
        let listed = catalogue::models(&transport, &endpoint, LIST_LIMIT).await;
        let name = match (proposal.model.clone().or_else(|| provider.default_model.map(ToOwned::to_owned)), &listed) {
            (Some(name), _) => name,
            (None, Ok(listed)) if !listed.is_empty() => listed[0].name.clone(),
            (None, Ok(_)) => return Err(wrong("model", "the provider lists no models", "name one")),
            (None, Err(error)) => return Err(failed(error)),
        };
        let found = listed.as_ref().ok().and_then(|listed| listed.iter().find(|model| model.name == name));
        let info = catalogue::info(provider, &name, found, &inner.config);
        let info = catalogue::learned(&transport, &endpoint, info, &inner.config, LIST_LIMIT).await;
        let limits = LlmLimits { retries: 0, total: PROBE_TIMEOUT, ..inner.config.limits };
        let client = inner.limiters.client(&endpoint, info.clone(), limits);
        let begun = Instant::now();
        let answered = timeout(PROBE_TIMEOUT, client.complete(&question())).await;
        match answered {
            // An empty answer is one too: some models think longer than the few tokens they are given here.
            Ok(Ok(_) | Err(LlmError::Empty)) => {}
            Ok(Err(error)) => return Err(failed(&error)),
            Err(_) => {
                return Err(wrong("model", "the model did not answer within 60 s", "try again, or try another model"));
            }
        }
        let took = begun.elapsed();
        // Beside the caller, who may go away: what is kept is used, and what is not kept is not.
        let taking = self.clone().take(proposal, endpoint, info.clone(), listed.ok());
        let taken = inner.shutdown.spawn(taking).await.unwrap_or_else(|error| Err(std::io::Error::other(error)));
        taken.map_err(|error| {
            wrong("provider", &format!("it cannot be saved: {error}"), "check the data folder, and try again")
        })?;
        Ok(Probed { model: info, took })
    }

    /// Keeps what was proved, and uses it; when it cannot be kept, nothing has changed.
    async fn take(
        self,
        proposal: Proposal,
        endpoint: Endpoint,
        info: ModelInfo,
        listed: Option<Vec<ListedModel>>,
    ) -> std::io::Result<()> {
        let (provider, base_url, name) = (endpoint.provider, endpoint.base_url.clone(), info.name.clone());
        self.keep_changed(move |stored| {
            stored.choose(provider.id, &name);
            if let Some(key) = &proposal.key {
                stored.keep_key(provider.id, key, &base_url);
            }
            if proposal.base_url.is_some() {
                stored.keep_address(provider.id, &base_url);
            }
        })
        .await?;
        if let Some(listed) = listed {
            self.note(provider, listed);
        }
        self.activate(endpoint, info);
        Ok(())
    }
}

fn question() -> LlmRequest {
    LlmRequest {
        situation: "".into(),
        system: "Answer with one word.".into(),
        messages: vec![std::sync::Arc::new(ChatMessage::new(ChatRole::User, "Say OK."))],
        pictures: Pictures::new(),
        tools: Vec::new(),
        web_search: false,
        schema: None,
        temperature: 0.0,
        max_tokens: 16,
    }
}

fn check(proposal: &Proposal) -> Result<(), ProbeError> {
    if proposal.key.as_ref().is_some_and(|key| key.reveal().is_empty() || !key.fits_header(MAX_KEY_BYTES)) {
        let problem = "a key has no spaces, and only unaccented letters, digits and symbols";
        return Err(wrong("apiKey", problem, "copy the key again"));
    }
    match &proposal.model {
        Some(name) if name.trim().is_empty() || name.len() > MAX_NAME_BYTES || name.chars().any(char::is_control) => {
            Err(wrong("model", "this is not a model name", "leave it out to see what the provider has"))
        }
        _ => Ok(()),
    }
}

fn wrong(field: &'static str, problem: &str, suggestion: &str) -> ProbeError {
    ProbeError { field, problem: problem.to_owned(), suggestion: suggestion.to_owned() }
}

/// The dialog has fields, and no flags of a command line.
fn refused(error: &ChooseError) -> ProbeError {
    let said = error.to_string();
    let (field, problem, suggestion) = match error {
        ChooseError::UnknownProvider { .. } => ("provider", said, "GET /api/providers lists them"),
        ChooseError::NoKey { provider, .. } => {
            ("apiKey", format!("no API key found for provider {provider}"), "enter the provider's key")
        }
        ChooseError::KeyElsewhere { provider, own, asked } => (
            "apiKey",
            format!("the known key of provider {provider} belongs to {own} and is not sent to {asked}"),
            "enter the key for this address as well; if it needs none, enter any text",
        ),
        ChooseError::WhoseKey => {
            ("apiKey", "the key does not say which provider it is for".to_owned(), "choose its provider")
        }
        ChooseError::NoAddress(provider) => (
            "baseUrl",
            format!("provider {provider} needs the address of its API"),
            "enter it, such as http://127.0.0.1:8000/v1",
        ),
        ChooseError::BadAddress(_) => ("baseUrl", said, "enter the address of its API"),
    };
    wrong(field, &problem, suggestion)
}

fn failed(error: &LlmError) -> ProbeError {
    let (field, suggestion) = match error {
        LlmError::Authentication { .. } => ("apiKey", "check the key, and that it belongs to this provider"),
        LlmError::UnknownModel(_) => ("model", "choose one that the provider lists, and check the address"),
        LlmError::ContextTooLong(_) | LlmError::Filtered(_) | LlmError::TooLong(_) | LlmError::Empty => {
            ("model", "try another model")
        }
        LlmError::Unreachable(_) => ("baseUrl", "check that the provider is running and that the address is right"),
        LlmError::Malformed(_) | LlmError::BrokenOff(_) => {
            ("baseUrl", "check that this is the address of this kind of API; most end in /v1")
        }
        LlmError::Timeout { .. } => ("baseUrl", "check the address, and try again"),
        LlmError::RateLimited { .. } | LlmError::Overloaded { .. } => ("provider", "wait, and try again"),
        LlmError::BadRequest { .. } => ("provider", "read what the provider says, or try another model"),
    };
    wrong(field, &format!("failed to {error}"), suggestion)
}
