//! The tools and the index that finds them, with the settings' embeddings in the place of its table where there are any.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use switchboard_builtin::{ShellConfig, WebConfig};
use switchboard_llm::{Embeddings, EmbeddingsConfig};
use switchboard_search::{Encoder, ToolIndex};
use switchboard_tools::{ToolChange, ToolRegistry};

/// The longest that anything may take; the search itself waits less.
const LIMIT: Duration = Duration::from_secs(120);

/// The registry with all tools, and the index that hears of every change in it.
///
/// # Errors
/// When a tool's definition is wrong.
pub fn tools(
    shell: &ShellConfig,
    web: &WebConfig,
    embeddings: &EmbeddingsConfig,
) -> anyhow::Result<(Arc<ToolRegistry>, Arc<ToolIndex>)> {
    let registry = Arc::new(ToolRegistry::new());
    let index = Arc::new(tool_index(embeddings));
    let told = Arc::clone(&index);
    registry.on_change(move |change| match change {
        ToolChange::Added(definition) => told.insert(definition),
        ToolChange::Removed(name) => {
            told.remove(name);
        }
    });
    for tool in switchboard_builtin::all(shell, web) {
        registry.insert(tool)?;
    }
    Ok((registry, index))
}

/// An index without tools, with the settings' embeddings if there are any.
#[must_use]
pub fn tool_index(embeddings: &EmbeddingsConfig) -> ToolIndex {
    match Embeddings::new(embeddings.clone()) {
        Some(embeddings) => ToolIndex::with_encoder(Arc::new(Encoding(embeddings))),
        None => ToolIndex::new(),
    }
}

struct Encoding(Embeddings);

#[async_trait]
impl Encoder for Encoding {
    async fn encode(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, String> {
        self.0.embed(texts, LIMIT).await
    }
}
