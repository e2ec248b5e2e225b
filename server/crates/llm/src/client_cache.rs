//! The clients of models that somebody brought beside the one in use.

use std::sync::{Arc, Mutex, PoisonError};

use super::client::{LlmClient, ModelInfo};
use super::config::LlmLimits;
use super::providers::{Endpoint, RateLimiters};

/// The most clients that are kept.
const MAX_KEPT: usize = 16;

/// The clients that were asked for last: with each its connections, and what its provider turned out not to take.
#[derive(Default)]
pub(super) struct ClientCache(Mutex<Vec<CachedClient>>);

struct CachedClient {
    endpoint: Endpoint,
    client: Arc<dyn LlmClient>,
}

impl ClientCache {
    /// The one for this model at this endpoint, address and key the same; a new one if there is none.
    pub(super) fn client(
        &self,
        limiters: &RateLimiters,
        endpoint: &Endpoint,
        model: &ModelInfo,
        limits: LlmLimits,
    ) -> Arc<dyn LlmClient> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |kept: &CachedClient| kept.endpoint == *endpoint && kept.client.model() == model;
        let kept = match all.iter().position(same) {
            Some(position) => all.remove(position),
            None => {
                CachedClient { endpoint: endpoint.clone(), client: limiters.client(endpoint, model.clone(), limits) }
            }
        };
        let client = Arc::clone(&kept.client);
        if all.len() == MAX_KEPT {
            all.remove(0);
        }
        all.push(kept);
        client
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue;
    use crate::config::LlmConfig;
    use crate::providers::provider;
    use switchboard_runtime::Secret;

    #[test]
    fn the_same_model_is_asked_by_the_same_client_and_only_the_latest_are_kept() {
        let (cache, limiters) = (ClientCache::default(), RateLimiters::default());
        let client = |key: &str, model: &str| {
            let provider = provider("openai").expect("it is known");
            let base_url = "http://127.0.0.1:1/v1/".parse().expect("an address");
            let endpoint = Endpoint { provider, base_url, key: Some(Secret::new(key)) };
            let info = catalogue::info(provider, model, None, &LlmConfig::default());
            cache.client(&limiters, &endpoint, &info, LlmLimits::default())
        };
        let first = client("key", "a");

        assert!(Arc::ptr_eq(&first, &client("key", "a")));
        assert!(!Arc::ptr_eq(&first, &client("another key", "a")), "a new key is a new client");
        for number in 0..MAX_KEPT {
            client("key", &number.to_string());
        }
        assert!(!Arc::ptr_eq(&first, &client("key", "a")), "it was the oldest");
        assert_eq!(cache.0.lock().expect("nobody panicked").len(), MAX_KEPT);
    }
}
