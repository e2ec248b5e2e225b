//! What specialists think with: the server's reasoner, or a model of their own.

use std::sync::Arc;

use super::definition::AgentDefinition;
use crate::reasoner::Reasoner;
use switchboard_conversation::ChatConfig;
use switchboard_llm::ModelInfo;

/// How conversations are held with this model, without it with the server's; a specialist adds its instructions.
pub type ChatNow = Arc<dyn Fn(Option<&ModelInfo>) -> ChatConfig + Send + Sync>;

/// Gives a reasoner with another model than the server's, by provider and model; without a provider, the one in use. Else
/// why it cannot be had.
pub type OwnModel =
    Arc<dyn Fn(Option<&str>, Option<&str>) -> Result<(Arc<dyn Reasoner>, ModelInfo), String> + Send + Sync>;

/// What specialists think with. Cheap to clone.
#[derive(Clone)]
pub struct ReasonerFactory {
    /// The server's reasoner.
    pub reasoner: Arc<dyn Reasoner>,
    /// How conversations are held.
    pub chat: ChatNow,
    /// Other models.
    pub own: OwnModel,
    /// How many calls a specialist and all those below it may make.
    pub rounds: u32,
}

impl ReasonerFactory {
    /// The specialist's reasoner, and how it holds its conversation.
    ///
    /// # Errors
    /// Why its model cannot be had.
    pub(super) fn of(&self, definition: &AgentDefinition) -> Result<(Arc<dyn Reasoner>, ChatConfig), String> {
        let (reasoner, chat) = match definition.has_own_model() {
            true => {
                let (reasoner, model) = (self.own)(definition.provider.as_deref(), definition.model.as_deref())?;
                (reasoner, (self.chat)(Some(&model)))
            }
            false => (Arc::clone(&self.reasoner), (self.chat)(None)),
        };
        Ok((reasoner, ChatConfig { system_prompt: Some(definition.instructions.clone()), ..chat }))
    }
}
