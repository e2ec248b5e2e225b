//! Servers of models on this machine, looked for when somebody wants to choose: what answers at the usual address of Ollama and
//! of llama.cpp, and the models that it lists. Nothing is taken into use by being found.

use std::time::Duration;

use super::catalogue;
use super::choose::endpoint;
use super::models::Models;
use super::providers::provider;
use super::transport::may_answer;

/// How long one may take to answer.
const LIST_LIMIT: Duration = Duration::from_secs(1);

impl Models {
    /// Looks for them, unless nothing is to be probed; [`Models::providers`] lists what they have.
    pub async fn look_for_local(&self) {
        if !self.inner().config.off {
            tokio::join!(self.look_for("ollama"), self.look_for("llamacpp"));
        }
    }

    async fn look_for(&self, id: &str) {
        let Some(local) = provider(id) else { return };
        let found = {
            let state = self.lock();
            // What the one in use lists is known already.
            let is_active = state.active.as_ref().is_some_and(|active| active.endpoint.provider == local);
            (!is_active).then(|| endpoint(local, &self.inner().config, &state.stored).ok()).flatten()
        };
        let Some((endpoint, _)) = found else { return };
        let listed = if may_answer(&endpoint.base_url, LIST_LIMIT).await {
            let transport = self.inner().limiters.transport(&endpoint, self.inner().config.limits);
            catalogue::models(&transport, &endpoint, LIST_LIMIT).await.unwrap_or_default()
        } else {
            Vec::new()
        };
        self.note(local, listed);
    }
}
