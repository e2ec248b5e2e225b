//! A model other than the one in use, for a specialist that names its own: with the addresses and keys that are known.

use std::sync::Arc;

use super::catalogue;
use super::choose::{endpoint, known};
use super::client::LlmClient;
use super::models::Models;
use switchboard_runtime::nearest;

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
            (None, None) => return Err("no provider is in use, so no other model can be used".to_owned()),
        };
        let listed = state.listed.get(endpoint.provider.id).map(Vec::as_slice).unwrap_or_default();
        let usual = endpoint.provider.default_model.or(listed.first().map(|first| first.name.as_str()));
        let name =
            model.or(usual).ok_or_else(|| format!("{} has no default model; name one", endpoint.provider.name))?;
        let found = listed.iter().find(|model| model.name == name);
        if found.is_none() && !listed.is_empty() {
            let near = nearest(name, listed.iter().map(|model| model.name.as_str()), 1);
            let near = near.first().map(|near| format!("; did you mean {near}?")).unwrap_or_default();
            return Err(format!("{} does not list the model {name}{near}", endpoint.provider.name));
        }
        let info = catalogue::info(endpoint.provider, name, found, &inner.config);
        Ok(inner.others.client(&inner.limiters, &endpoint, &info, inner.config.limits))
    }
}
