//! Another model than the one in use, for whoever brings one of its own: with the addresses and keys that are known.

use std::sync::{Arc, Mutex, PoisonError};

use super::catalogue;
use super::choose::{endpoint, known};
use super::client::{LlmClient, ModelInfo};
use super::config::LlmLimits;
use super::models::Models;
use super::providers::{Endpoint, Gates};
use switchboard_runtime::nearest;

/// The most clients that are kept.
const MAX_KEPT: usize = 16;

/// The clients that were asked for last: with each its connections, and what its provider turned out not to take.
#[derive(Default)]
pub(super) struct Others(Mutex<Vec<Kept>>);

struct Kept {
    endpoint: Endpoint,
    client: Arc<dyn LlmClient>,
}

impl Others {
    /// The one for this model at this endpoint, address and key the same; a new one if there is none.
    fn client(&self, gates: &Gates, endpoint: &Endpoint, model: &ModelInfo, limits: LlmLimits) -> Arc<dyn LlmClient> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |kept: &Kept| kept.endpoint == *endpoint && kept.client.model() == model;
        let kept = match all.iter().position(same) {
            Some(position) => all.remove(position),
            None => Kept { endpoint: endpoint.clone(), client: gates.client(endpoint, model.clone(), limits) },
        };
        let client = Arc::clone(&kept.client);
        if all.len() == MAX_KEPT {
            all.remove(0);
        }
        all.push(kept);
        client
    }
}

impl Models {
    /// A model of this provider, or of the one in use; without a name, the provider's usual one. Nothing is asked for it:
    /// whether the model answers is seen when it is used.
    ///
    /// # Errors
    /// When there is no such provider, no key for it, or no such model in its list; says which.
    pub fn other(&self, provider: Option<&str>, model: Option<&str>) -> Result<Arc<dyn LlmClient>, String> {
        let inner = self.inner();
        if inner.config.off {
            return Err("language models are disabled by SWITCHBOARD_LLM (--llm off)".to_owned());
        }
        let provider = provider.map(known).transpose().map_err(|error| error.to_string())?;
        let state = self.lock();
        let in_use = state.active.as_ref().map(|active| &active.endpoint);
        let endpoint = match (provider, in_use) {
            (None, Some(endpoint)) => endpoint.clone(),
            (Some(provider), Some(endpoint)) if endpoint.provider == provider => endpoint.clone(),
            (Some(provider), _) => endpoint(provider, &inner.config, &state.stored)
                .map(|(found, _)| found)
                .map_err(|error| error.to_string())?,
            (None, None) => return Err("no provider is in use, so there is none to ask for another model".to_owned()),
        };
        let listed = state.listed.get(endpoint.provider.id).map(Vec::as_slice).unwrap_or_default();
        let usual = endpoint.provider.default_model.or(listed.first().map(|first| first.name.as_str()));
        let name = model.or(usual).ok_or_else(|| format!("{} has no usual model; name one", endpoint.provider.name))?;
        let found = listed.iter().find(|model| model.name == name);
        if found.is_none() && !listed.is_empty() {
            let near = nearest(name, listed.iter().map(|model| model.name.as_str()), 1);
            let near = near.first().map(|near| format!("; did you mean {near}?")).unwrap_or_default();
            return Err(format!("{} lists no model {name}{near}", endpoint.provider.name));
        }
        let info = catalogue::info(endpoint.provider, name, found);
        Ok(inner.others.client(&inner.gates, &endpoint, &info, inner.config.limits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::providers::provider;
    use switchboard_runtime::Secret;

    #[test]
    fn the_same_model_is_asked_by_the_same_client_and_only_the_latest_are_kept() {
        let (others, gates) = (Others::default(), Gates::default());
        let client = |key: &str, model: &str| {
            let provider = provider("openai").expect("it is known");
            let base_url = "http://127.0.0.1:1/v1/".parse().expect("an address");
            let endpoint = Endpoint { provider, base_url, key: Some(Secret::new(key)) };
            let info = catalogue::info(provider, model, None);
            others.client(&gates, &endpoint, &info, LlmLimits::default())
        };
        let first = client("key", "a");

        assert!(Arc::ptr_eq(&first, &client("key", "a")));
        assert!(!Arc::ptr_eq(&first, &client("another key", "a")), "a new key is a new client");
        for number in 0..MAX_KEPT {
            client("key", &number.to_string());
        }
        assert!(!Arc::ptr_eq(&first, &client("key", "a")), "it was the oldest");
        assert_eq!(others.0.lock().expect("nobody panicked").len(), MAX_KEPT);
    }
}
