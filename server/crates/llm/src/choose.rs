//! Which model is used: what the settings say, else what was chosen in the dialog, else a provider whose key is in the
//! environment. Nothing here asks anybody; a local Ollama is looked for elsewhere, when all of this finds nothing.

use url::Url;

use super::config::LlmConfig;
use super::providers::{Endpoint, PROVIDERS, Provider, provider};
use super::store::Stored;
use switchboard_runtime::{Secret, nearest};

/// Why what was asked for cannot be had; the text says what is missing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChooseError {
    /// There is no such provider.
    #[error("there is no provider \"{id}\"{near}; the providers are {known}")]
    UnknownProvider {
        /// What was asked for.
        id: String,
        /// What may have been meant.
        near: String,
        /// All there are.
        known: String,
    },
    /// A key is needed.
    #[error("no API key found for provider {provider}; set {variable} or --llm-api-key")]
    NoKey {
        /// The provider.
        provider: &'static str,
        /// The variable that would hold it.
        variable: &'static str,
    },
    /// There is a key, for another address.
    #[error(
        "the known key of provider {provider} belongs to {own} and is not sent to {asked}; set --llm-base-url to the \
         intended address and --llm-api-key to its key"
    )]
    KeyElsewhere {
        /// The provider.
        provider: &'static str,
        /// Where its key goes.
        own: String,
        /// Where it does not.
        asked: String,
    },
    /// The provider has no address of its own.
    #[error("provider {0} needs the address of its API; set --llm-base-url URL, such as http://127.0.0.1:8000/v1")]
    NoAddress(&'static str),
    /// The address cannot be used.
    #[error("\"{0}\" is not an http or https address, or it contains a user name or password")]
    BadAddress(String),
    /// A key and nothing that says whose it is.
    #[error("--llm-api-key does not say which provider the key is for; set --llm-provider too")]
    WhoseKey,
}

/// Where a key comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyFrom {
    /// There is none.
    Nowhere,
    /// `--llm-api-key` or its like.
    Setting,
    /// This variable of the environment.
    Environment(&'static str),
    /// The dialog.
    Stored,
}

/// What is to be used.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Choice {
    pub(super) endpoint: Endpoint,
    pub(super) key_from: KeyFrom,
    /// None: the first that the provider lists.
    pub(super) model: Option<String>,
    /// The settings ask for it: then nothing else will do.
    pub(super) is_explicit: bool,
}

/// What the settings, the dialog or the environment ask for.
///
/// # Errors
/// When the settings ask for what cannot be had.
pub(super) fn choose(config: &LlmConfig, stored: &Stored) -> Result<Option<Choice>, ChooseError> {
    if let Some(provider) = of_settings(config)? {
        return endpoint(provider, config, stored).map(|(endpoint, key_from)| {
            let model = config.model.clone().or_else(|| stored.model_of(&endpoint)).or_else(|| default_model(provider));
            Some(Choice { endpoint, key_from, model, is_explicit: true })
        });
    }
    let is_explicit = config.model.is_some();
    let in_dialog = stored.chosen.as_ref().and_then(|chosen| provider(&chosen.provider));
    let in_environment = || PROVIDERS.iter().find(|provider| in_environment(provider, config).is_some());
    let ollama = || provider("ollama").filter(|_| is_explicit);
    let Some(provider) = in_dialog.or_else(in_environment).or_else(ollama) else { return Ok(None) };
    match endpoint(provider, config, stored) {
        Ok((endpoint, key_from)) => {
            let model = config.model.clone().or_else(|| stored.model_of(&endpoint)).or_else(|| default_model(provider));
            Ok(Some(Choice { endpoint, key_from, model, is_explicit }))
        }
        // What was stored may need a key that is gone: that is no reason not to start.
        Err(error) if is_explicit => Err(error),
        Err(error) => {
            tracing::warn!("no language model: {error}");
            Ok(None)
        }
    }
}

/// The provider that the settings mean: by its name, else by its address, else by how its key begins.
fn of_settings(config: &LlmConfig) -> Result<Option<&'static Provider>, ChooseError> {
    match (&config.provider, &config.base_url, &config.api_key) {
        (Some(id), _, _) => known(id).map(Some),
        (None, Some(url), _) => of_address(url).map(Some),
        (None, None, Some(key)) => of_key(key).map(Some).ok_or(ChooseError::WhoseKey),
        (None, None, None) => Ok(None),
    }
}

/// Where a provider is and with which key, as settings, dialog and environment have it. The key is one that belongs to
/// this address: a key that was given for another one stays where it is.
///
/// # Errors
/// When it needs an address or a key that nobody gave.
pub(super) fn endpoint(
    provider: &'static Provider,
    config: &LlmConfig,
    stored: &Stored,
) -> Result<(Endpoint, KeyFrom), ChooseError> {
    let base_url = known_address(provider, config, stored)?.ok_or(ChooseError::NoAddress(provider.id))?;
    let keys = known_keys(provider, config, stored);
    match keys.iter().find(|known| known.is_for(&base_url)) {
        Some(known) => Ok((Endpoint { provider, base_url, key: Some(known.key.clone()) }, known.from)),
        None if provider.needs_key => Err(no_key(provider, &keys, &base_url)),
        None => Ok((Endpoint { provider, base_url, key: None }, KeyFrom::Nowhere)),
    }
}

/// Where a provider is, with what the dialog was told. A new address gets the key that was given with it, and no other.
///
/// # Errors
/// As [`endpoint`], and when a key is known and the new address comes without one: nobody said which is meant.
pub(super) fn proposed(
    provider: &'static Provider,
    config: &LlmConfig,
    stored: &Stored,
    new_address: Option<&str>,
    new_key: Option<&Secret>,
) -> Result<Endpoint, ChooseError> {
    let (base_url, key) = match (new_address, new_key) {
        (None, None) => return endpoint(provider, config, stored).map(|(endpoint, _)| endpoint),
        (None, Some(key)) => {
            let known = known_address(provider, config, stored)?;
            (known.ok_or(ChooseError::NoAddress(provider.id))?, Some(key.clone()))
        }
        (Some(text), Some(key)) => (address(text)?, Some(key.clone())),
        (Some(text), None) => {
            let base_url = address(text)?;
            let keys = known_keys(provider, config, stored);
            let key = keys.iter().find(|known| known.is_for(&base_url)).map(|known| known.key.clone());
            if key.is_none() && (provider.needs_key || !keys.is_empty()) {
                return Err(no_key(provider, &keys, &base_url));
            }
            (base_url, key)
        }
    };
    Ok(Endpoint { provider, base_url, key })
}

/// A key, and the one address that it is sent to.
struct KnownKey {
    key: Secret,
    from: KeyFrom,
    /// None: nobody said where the provider is, so the key goes nowhere.
    address: Option<Url>,
}

impl KnownKey {
    fn is_for(&self, address: &Url) -> bool {
        self.address.as_ref().is_some_and(|own| normal(own) == normal(address))
    }
}

/// All keys of a provider, the one that overrides the others first. Those of settings and environment are for the
/// address that stands there too, one of the dialog is for the address that it was given for.
fn known_keys(provider: &'static Provider, config: &LlmConfig, stored: &Stored) -> Vec<KnownKey> {
    let configured = configured_address(provider, config).ok().flatten();
    let set = config.api_key.clone().filter(|_| is_meant(provider, config)).map(|key| (key, KeyFrom::Setting));
    let in_environment =
        in_environment(provider, config).map(|(variable, key)| (Secret::new(key), KeyFrom::Environment(variable)));
    let kept = stored.key_of(provider.id).map(|(key, given_for)| {
        let given_for = given_for.or_else(|| provider.base_url.map(ToOwned::to_owned));
        let address = given_for.and_then(|text| address(&text).ok());
        KnownKey { key, from: KeyFrom::Stored, address }
    });
    let configured =
        set.into_iter().chain(in_environment).map(|(key, from)| KnownKey { key, from, address: configured.clone() });
    configured.chain(kept).collect()
}

/// Where a provider is: settings that give an address or a key mean the configured one, else what the dialog was told
/// overrides it.
fn known_address(provider: &'static Provider, config: &LlmConfig, stored: &Stored) -> Result<Option<Url>, ChooseError> {
    let is_set = is_meant(provider, config) && (config.base_url.is_some() || config.api_key.is_some());
    match stored.base_url_of(provider.id).filter(|_| !is_set) {
        Some(in_dialog) => address(&in_dialog).map(Some),
        None => configured_address(provider, config),
    }
}

/// The address that the settings give, else the provider's variable of the environment, else the provider's own.
fn configured_address(provider: &'static Provider, config: &LlmConfig) -> Result<Option<Url>, ChooseError> {
    let from_environment = || match provider.id {
        "openai" => config.environment.get("OPENAI_BASE_URL").map(ToOwned::to_owned),
        "anthropic" => config.environment.get("ANTHROPIC_BASE_URL").map(anthropic_base),
        "ollama" => config.environment.get("OLLAMA_HOST").map(ollama_host),
        _ => None,
    };
    let set = config.base_url.clone().filter(|_| is_meant(provider, config));
    let known = set.or_else(from_environment).or_else(|| provider.base_url.map(ToOwned::to_owned));
    known.as_deref().map(address).transpose()
}

/// Whether address and key of the settings are those of this provider: they are one provider's, and no other's.
fn is_meant(provider: &'static Provider, config: &LlmConfig) -> bool {
    of_settings(config) == Ok(Some(provider))
}

/// An address is the same with and without a slash at its end.
fn normal(address: &Url) -> Url {
    let mut address = address.clone();
    address.set_path(&format!("{}/", address.path().trim_end_matches('/')));
    address
}

/// Why there is no key for this address.
fn no_key(provider: &'static Provider, known: &[KnownKey], address: &Url) -> ChooseError {
    let variable = provider.key_variables.first().copied().unwrap_or("SWITCHBOARD_LLM_API_KEY");
    match known.first() {
        None => ChooseError::NoKey { provider: provider.id, variable },
        Some(known) => ChooseError::KeyElsewhere {
            provider: provider.id,
            own: known.address.as_ref().map_or_else(|| "no address yet".to_owned(), clipped),
            asked: clipped(address),
        },
    }
}

/// An address as far as it is shown.
fn clipped(address: &Url) -> String {
    address.as_str().chars().take(200).collect()
}

/// A provider by its id.
///
/// # Errors
/// When there is none; says which one may be meant.
pub(super) fn known(id: &str) -> Result<&'static Provider, ChooseError> {
    let ids = || PROVIDERS.iter().map(|provider| provider.id);
    provider(id).ok_or_else(|| ChooseError::UnknownProvider {
        id: id.chars().take(40).collect(),
        near: nearest(id, ids(), 1).first().map(|near| format!(", did you mean {near}")).unwrap_or_default(),
        known: ids().collect::<Vec<_>>().join(", "),
    })
}

/// An address that requests can be sent to.
///
/// # Errors
/// When it is none, or holds a password, which would be shown.
pub(super) fn address(text: &str) -> Result<Url, ChooseError> {
    let bad = || ChooseError::BadAddress(switchboard_runtime::redact(text).chars().take(200).collect());
    let url: Url = text.trim().parse().map_err(|_| bad())?;
    let is_plain = url.username().is_empty() && url.password().is_none() && url.query().is_none();
    match url.scheme() {
        "http" | "https" if is_plain && url.host_str().is_some() => Ok(url),
        _ => Err(bad()),
    }
}

/// The provider that has this address; one that nobody knows is just OpenAI-compatible.
fn of_address(text: &str) -> Result<&'static Provider, ChooseError> {
    let url = address(text)?;
    let is_there = |provider: &&Provider| {
        let own = provider.base_url.and_then(|own| own.parse::<Url>().ok());
        own.is_some_and(|own| own.origin() == url.origin())
    };
    Ok(PROVIDERS.iter().find(|provider| provider.needs_key && is_there(provider)).unwrap_or(compatible()))
}

fn compatible() -> &'static Provider {
    &PROVIDERS[PROVIDERS.len() - 1]
}

/// Whose key this is, by how it begins.
fn of_key(key: &Secret) -> Option<&'static Provider> {
    let beginnings = [("sk-ant-", "anthropic"), ("sk-or-", "openrouter"), ("sk-", "openai"), ("AIza", "gemini")];
    let (_, id) = beginnings.iter().find(|(beginning, _)| key.reveal().starts_with(beginning))?;
    provider(id)
}

fn in_environment<'a>(provider: &Provider, config: &'a LlmConfig) -> Option<(&'static str, &'a str)> {
    provider.key_variables.iter().find_map(|&variable| Some((variable, config.environment.get(variable)?)))
}

fn default_model(provider: &Provider) -> Option<String> {
    provider.default_model.map(ToOwned::to_owned)
}

/// `ANTHROPIC_BASE_URL`: Anthropic's own libraries put the version behind it.
fn anthropic_base(text: &str) -> String {
    let text = text.trim_end_matches('/');
    if text.ends_with("/v1") { format!("{text}/") } else { format!("{text}/v1/") }
}

/// `OLLAMA_HOST`: a host, a host with a port, or an address; all addresses of the machine mean this machine.
fn ollama_host(text: &str) -> String {
    let with_scheme = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
    let Ok(mut url) = with_scheme.parse::<Url>() else { return with_scheme };
    if url.port().is_none() && url.scheme() == "http" && !text.contains("://") {
        let _ = url.set_port(Some(11434));
    }
    if url.host_str() == Some("0.0.0.0") {
        let _ = url.set_host(Some("127.0.0.1"));
    }
    url.join("v1/").map(String::from).unwrap_or(with_scheme)
}

#[cfg(test)]
#[path = "choose_tests.rs"]
mod tests;
