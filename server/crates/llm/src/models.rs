//! [`Models`]: the language model in use, one for the whole server, and how it is changed while the server runs.
//!
//! What the settings ask for is there before the server is ready, or the start fails. A local Ollama is looked for in
//! the background, so that nobody waits for it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use super::catalogue::{self, ListedModel};
use super::choose::{Choice, KeyFrom, choose, endpoint, known};
use super::client::{LlmClient, ModelInfo};
use super::client_cache::ClientCache;
use super::config::LlmConfig;
use super::providers::{Endpoint, PROVIDERS, Provider, RateLimiters};
use super::store::{Store, Stored};
use super::transport::may_answer;
use switchboard_runtime::{FileValues, KeyValueStore, Shutdown, nearest};

/// How long a start waits for a provider that is named without a model.
const LIST_AT_START: Duration = Duration::from_secs(2);

/// How long a list of models may take otherwise.
pub(super) const LIST_LIMIT: Duration = Duration::from_secs(10);

/// The models; cheap to clone.
#[derive(Clone)]
pub struct Models(Arc<Inner>);

pub(super) struct Inner {
    pub(super) config: LlmConfig,
    pub(super) store: Store,
    pub(super) limiters: RateLimiters,
    pub(super) others: ClientCache,
    pub(super) state: Mutex<ModelState>,
    changes: watch::Sender<u64>,
    /// One at a time is proved.
    pub(super) proving: tokio::sync::Mutex<()>,
    writing: Mutex<()>,
    pub(super) shutdown: Shutdown,
}

#[derive(Default)]
pub(super) struct ModelState {
    pub(super) stored: Stored,
    pub(super) active: Option<Active>,
    /// Why there is no model.
    why_none: Option<String>,
    /// What providers said they have.
    pub(super) listed: BTreeMap<&'static str, Vec<ListedModel>>,
}

#[derive(Clone)]
pub(super) struct Active {
    pub(super) endpoint: Endpoint,
    pub(super) client: Arc<dyn LlmClient>,
}

/// A provider, as the dialog shows it.
#[derive(Debug, Clone)]
pub struct ProviderStatus {
    /// The provider.
    pub provider: &'static Provider,
    /// Where its API is, if that is known.
    pub base_url: Option<String>,
    /// Where its key comes from.
    pub key_from: KeyFrom,
    /// Whether it is in use.
    pub active: bool,
    /// The names of its models, as far as it was asked.
    pub models: Vec<String>,
}

impl Models {
    /// The model that settings, dialog and environment ask for; what the dialog is told is among these values.
    ///
    /// # Errors
    /// When the settings ask for what cannot be had; the text says what is missing.
    pub async fn start(config: LlmConfig, values: Arc<dyn KeyValueStore>, shutdown: &Shutdown) -> Result<Self, String> {
        let store = Store::new(values);
        let models = Self::with(config, store, shutdown);
        if models.0.config.off {
            models.lock().why_none = Some("language models are disabled by SWITCHBOARD_LLM (--llm off)".to_owned());
            return Ok(models);
        }
        let stored = models.0.store.load()?;
        let choice = choose(&models.0.config, &stored).map_err(|error| error.to_string())?;
        models.lock().stored = stored;
        match choice {
            Some(choice) => models.begin_with(choice).await?,
            None => {
                let why = "no provider is configured, and no key is in the environment";
                models.lock().why_none = Some(why.to_owned());
            }
        }
        let looking = models.clone();
        drop(shutdown.spawn(async move { looking.look_around().await }));
        drop(shutdown.spawn(models.clone().follow()));
        Ok(models)
    }

    /// No model, and none will come.
    #[must_use]
    pub fn none() -> Self {
        let config = LlmConfig { off: true, ..LlmConfig::default() };
        Self::with(config, Store::new(Arc::new(FileValues::new(Path::new("")))), &Shutdown::new())
    }

    fn with(config: LlmConfig, store: Store, shutdown: &Shutdown) -> Self {
        Self(Arc::new(Inner {
            config,
            store,
            limiters: RateLimiters::default(),
            others: ClientCache::default(),
            state: Mutex::default(),
            changes: watch::Sender::new(0),
            proving: tokio::sync::Mutex::default(),
            writing: Mutex::default(),
            shutdown: shutdown.clone(),
        }))
    }

    /// The model in use, if there is one.
    #[must_use]
    pub fn current(&self) -> Option<Arc<dyn LlmClient>> {
        self.lock().active.as_ref().map(|active| Arc::clone(&active.client))
    }

    /// The model in use, for a reasoner that needs one: a local Ollama is waited for.
    ///
    /// # Errors
    /// When there is none; says why.
    pub async fn required(&self) -> Result<(), String> {
        if self.current().is_none() && !self.0.config.off {
            self.look_for_ollama().await;
        }
        let state = self.lock();
        match (&state.active, &state.why_none) {
            (Some(_), _) => Ok(()),
            (None, Some(why)) => Err(why.clone()),
            (None, None) => Err("no model was found".to_owned()),
        }
    }

    /// Counts the changes of the model in use.
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.0.changes.subscribe()
    }

    /// Where the model in use is: the provider and its address.
    #[must_use]
    pub fn endpoint(&self) -> Option<(&'static Provider, String)> {
        let state = self.lock();
        state.active.as_ref().map(|active| (active.endpoint.provider, active.endpoint.base_url.to_string()))
    }

    /// Why there is no model.
    #[must_use]
    pub fn why_none(&self) -> Option<String> {
        let state = self.lock();
        state.why_none.clone().filter(|_| state.active.is_none())
    }

    /// All providers, those that could be used at once first.
    #[must_use]
    pub fn providers(&self) -> Vec<ProviderStatus> {
        let state = self.lock();
        let status = |provider: &'static Provider| {
            let active = state.active.as_ref().filter(|active| active.endpoint.provider == provider);
            let found = endpoint(provider, &self.0.config, &state.stored).ok();
            let base_url =
                active.map(|active| &active.endpoint.base_url).or(found.as_ref().map(|(found, _)| &found.base_url));
            let key_from = found.as_ref().map_or(KeyFrom::Nowhere, |(_, from)| *from);
            let listed = state.listed.get(provider.id);
            ProviderStatus {
                provider,
                base_url: base_url.map(ToString::to_string).or_else(|| provider.base_url.map(ToOwned::to_owned)),
                key_from,
                active: active.is_some(),
                models: listed.into_iter().flatten().map(|model| model.name.clone()).collect(),
            }
        };
        let mut all: Vec<ProviderStatus> = PROVIDERS.iter().map(status).collect();
        all.sort_by_key(|status| (!status.active, status.key_from == KeyFrom::Nowhere, status.models.is_empty()));
        all
    }

    /// Uses another model of the provider in use.
    ///
    /// # Errors
    /// When there is no provider, or it has no such model.
    pub fn use_model(&self, name: &str) -> Result<ModelInfo, String> {
        let (endpoint, listed) = {
            let state = self.lock();
            let Some(active) = &state.active else {
                let why = state.why_none.clone().unwrap_or_else(|| "no provider is in use".to_owned());
                return Err(format!("There is no provider to use it with: {why}."));
            };
            let listed = state.listed.get(active.endpoint.provider.id).cloned().unwrap_or_default();
            (active.endpoint.clone(), listed)
        };
        let found = listed.iter().find(|model| model.name == name);
        if found.is_none() && !listed.is_empty() {
            let near = nearest(name, listed.iter().map(|model| model.name.as_str()), 1);
            let near = near.first().map(|near| format!(" Did you mean `{near}`?")).unwrap_or_default();
            return Err(format!("{} does not list this model.{near}", endpoint.provider.name));
        }
        let info = catalogue::info(endpoint.provider, name, found, &self.0.config);
        self.lock().stored.choose(endpoint.provider.id, name);
        self.activate(endpoint.clone(), info.clone());
        // Beside the caller, which may be a session.
        let (models, provider, name) = (self.clone(), endpoint.provider.id, name.to_owned());
        drop(self.0.shutdown.spawn(async move {
            if let Err(error) = models.keep_changed(move |stored| stored.choose(provider, &name)).await {
                tracing::error!("the choice of a model cannot be saved: {error}");
            }
        }));
        Ok(info)
    }

    /// Forgets the key, the address and the choice of a provider that were given in the dialog; whether there were any.
    ///
    /// # Errors
    /// When it cannot be written down.
    pub async fn forget(&self, provider: &'static Provider) -> std::io::Result<bool> {
        if !self.lock().stored.forget(provider.id) {
            return Ok(false);
        }
        self.end_use(provider.id);
        let forgotten = self.keep_changed(move |stored| {
            stored.forget(provider.id);
        });
        forgotten.await.map(|()| true)
    }

    /// Ends the use of a provider whose settings are gone, if it is in use.
    pub(super) fn end_use(&self, id: &str) {
        {
            let mut state = self.lock();
            let Some(Active { endpoint, .. }) = state.active.take_if(|active| active.endpoint.provider.id == id) else {
                return;
            };
            state.why_none = Some(format!("the settings for {} were deleted", endpoint.provider.name));
        }
        self.told();
    }

    /// Takes note of a model that was offered functions and wrote its calls into its text: it is one that does not call
    /// functions, and whether it is. Of providers whose models all do, one slip says nothing.
    pub fn writes_calls(&self, model: &ModelInfo) -> bool {
        let Some(Active { endpoint, client }) = self.lock().active.clone() else { return false };
        if endpoint.provider.needs_key || client.model().name != model.name {
            return false;
        }
        if client.model().supports_tools {
            tracing::info!("{} writes its calls as text; from now on it is asked stage by stage", model.name);
            self.activate(endpoint, ModelInfo { supports_tools: false, ..model.clone() });
        }
        true
    }

    /// Takes a model into use.
    pub(super) fn activate(&self, endpoint: Endpoint, info: ModelInfo) {
        let client = self.0.limiters.client(&endpoint, info, self.0.config.limits);
        self.lock().active = Some(Active { endpoint, client });
        self.told();
    }

    /// Writes down a change of what was chosen, and makes it only once it is written.
    pub(super) async fn keep_changed(&self, change: impl Fn(&mut Stored) + Send + 'static) -> std::io::Result<()> {
        let models = self.clone();
        let kept = tokio::task::spawn_blocking(move || {
            // One after the other, so that the last one writes the last choice.
            let _writing = models.0.writing.lock().unwrap_or_else(PoisonError::into_inner);
            let in_use = models.lock().stored.clone();
            models.0.store.change(&in_use, &change)?;
            // To what is there by now: who changed it meanwhile writes it down after this.
            change(&mut models.lock().stored);
            Ok(())
        });
        kept.await.unwrap_or_else(|error| Err(std::io::Error::other(error)))
    }

    /// Notes what a provider has.
    pub(super) fn note(&self, provider: &'static Provider, models: Vec<ListedModel>) {
        self.lock().listed.insert(provider.id, models);
    }

    pub(super) fn inner(&self) -> &Inner {
        &self.0
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, ModelState> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn told(&self) {
        self.0.changes.send_modify(|count| *count += 1);
    }

    pub(super) async fn begin_with(&self, choice: Choice) -> Result<(), String> {
        let Choice { endpoint, model, is_explicit, .. } = choice;
        if endpoint.key.is_some()
            && endpoint.base_url.scheme() == "http"
            && !super::transport::is_loopback(&endpoint.base_url)
        {
            tracing::warn!("the key for {} travels unencrypted", endpoint.base_url);
        }
        if let Some(model) = model {
            let info = catalogue::info(endpoint.provider, &model, None, &self.0.config);
            self.activate(endpoint, info);
            return Ok(());
        }
        let id = endpoint.provider.id;
        let transport = self.0.limiters.transport(&endpoint, self.0.config.limits);
        match catalogue::models(&transport, &endpoint, LIST_AT_START).await {
            Ok(listed) => match listed.first().cloned() {
                Some(first) => {
                    let info = catalogue::info(endpoint.provider, &first.name, Some(&first), &self.0.config);
                    self.note(endpoint.provider, listed);
                    self.activate(endpoint, info);
                    Ok(())
                }
                None => Err(format!("provider {id} at {} has no model; set --llm-model NAME", endpoint.base_url)),
            },
            Err(error) if is_explicit => Err(format!(
                "provider {id} at {} cannot be asked for its models: failed to {error}; start it, or set --llm-model NAME",
                endpoint.base_url
            )),
            Err(error) => {
                self.lock().why_none = Some(format!("failed to {error}"));
                Ok(())
            }
        }
    }

    /// What can be found out without anybody waiting: a local Ollama, what the provider lists, what the model can do.
    async fn look_around(&self) {
        if self.current().is_none() {
            self.look_for_ollama().await;
        }
        self.learn().await;
    }

    async fn look_for_ollama(&self) {
        let found = {
            let state = self.lock();
            known("ollama").and_then(|ollama| endpoint(ollama, &self.0.config, &state.stored))
        };
        let Ok((endpoint, _)) = found else { return };
        if !may_answer(&endpoint.base_url, LIST_AT_START).await {
            return;
        }
        let transport = self.0.limiters.transport(&endpoint, self.0.config.limits);
        let Ok(listed) = catalogue::models(&transport, &endpoint, LIST_AT_START).await else { return };
        let Some(first) = listed.first().cloned() else { return };
        let info = catalogue::info(endpoint.provider, &first.name, Some(&first), &self.0.config);
        let info = catalogue::learned(&transport, &endpoint, info, &self.0.config, LIST_AT_START).await;
        self.note(endpoint.provider, listed);
        if self.current().is_none() {
            tracing::info!("using {} at a local Ollama", info.name);
            self.activate(endpoint, info);
        }
    }

    /// Asks the provider in use what it has and what the model can do.
    pub(super) async fn learn(&self) {
        let Some(Active { endpoint, client }) = self.lock().active.clone() else { return };
        let before = client.model().clone();
        let transport = self.0.limiters.transport(&endpoint, self.0.config.limits);
        let listed = match catalogue::models(&transport, &endpoint, LIST_LIMIT).await {
            Ok(listed) => listed,
            Err(error) => {
                tracing::info!("{} does not list its models: failed to {error}", endpoint.provider.id);
                Vec::new()
            }
        };
        let found = listed.iter().find(|model| model.name == before.name);
        let info = catalogue::info(endpoint.provider, &before.name, found, &self.0.config);
        let info = catalogue::learned(&transport, &endpoint, info, &self.0.config, LIST_LIMIT).await;
        if !listed.is_empty() {
            self.note(endpoint.provider, listed);
        }
        let is_still = self.lock().active.as_ref().is_some_and(|active| Arc::ptr_eq(&active.client, &client));
        if is_still && info != before {
            self.activate(endpoint, info);
        }
    }
}

#[cfg(test)]
#[path = "models_tests.rs"]
mod tests;
