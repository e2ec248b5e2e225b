//! What other servers choose where all of them share the choice: this one then uses it, too.

use super::choose::{Choice, choose};
use super::models::Models;
use super::store::StoredChoice;

impl Models {
    /// Uses what other servers choose, until the shutdown.
    pub(super) async fn follow(self) {
        let mut changes = self.inner().store.changes();
        loop {
            tokio::select! {
                changed = changes.changed() => if changed.is_err() { return },
                () = self.inner().shutdown.stopping().cancelled() => return,
            }
            if let Err(error) = self.take_up().await {
                tracing::error!("the model that another server has chosen cannot be used: {error}");
            }
        }
    }

    async fn take_up(&self) -> Result<(), String> {
        let stored = self.inner().store.load()?;
        let chosen_before = {
            let mut state = self.lock();
            if state.stored == stored {
                return Ok(());
            }
            std::mem::replace(&mut state.stored, stored.clone()).chosen
        };
        match choose(&self.inner().config, &stored).map_err(|error| error.to_string())? {
            Some(choice) if self.uses(&choice) => Ok(()),
            Some(choice) => {
                self.begin_with(choice).await?;
                self.learn().await;
                Ok(())
            }
            None => {
                if let Some(StoredChoice { provider, .. }) = chosen_before {
                    self.end_use(&provider);
                }
                Ok(())
            }
        }
    }

    /// Whether the model in use is what this asks for.
    fn uses(&self, choice: &Choice) -> bool {
        self.lock().active.as_ref().is_some_and(|active| {
            active.endpoint == choice.endpoint
                && choice.model.as_deref().is_none_or(|model| model == active.client.model().name)
        })
    }
}
