//! A language model decides, in the way that it can: by calling tools itself, or stage by stage. Without a model, the
//! reasoner that needs none does.

use std::sync::Arc;

use switchboard_protocol::{ReasonerInfo, ReasonerKind};

use super::native::{NativeTurn, WritesCalls};
use super::staged::StagedTurn;
use super::{Reasoner, Reasoning};
use switchboard_llm::LlmClient;

/// Gives the model that is configured now, if there is one; asked at each turn's beginning.
pub type CurrentModel = Box<dyn Fn() -> Option<Arc<dyn LlmClient>> + Send + Sync>;

/// Decides with a language model.
pub struct ByModel {
    kind: Option<ReasonerKind>,
    model: CurrentModel,
    writes_calls: WritesCalls,
    without: Arc<dyn Reasoner>,
}

impl ByModel {
    /// A reasoner with this model. Without `kind` the model's abilities decide: `native` if it calls functions, else
    /// `staged`. While there is no model, `without` decides.
    #[must_use]
    pub fn new(
        kind: Option<ReasonerKind>,
        model: CurrentModel,
        writes_calls: WritesCalls,
        without: Arc<dyn Reasoner>,
    ) -> Self {
        Self { kind, model, writes_calls, without }
    }

    fn kind_for(&self, model: &dyn LlmClient) -> ReasonerKind {
        let able = if model.model().supports_tools { ReasonerKind::Native } else { ReasonerKind::Staged };
        self.kind.unwrap_or(able)
    }
}

impl Reasoner for ByModel {
    fn info(&self) -> ReasonerInfo {
        match (self.model)() {
            Some(model) => ReasonerInfo {
                kind: self.kind_for(model.as_ref()),
                model: Some(model.model().name.clone()),
                about: None,
            },
            None => self.without.info(),
        }
    }

    fn begin_turn(&self) -> Reasoning {
        let Some(model) = (self.model)() else { return self.without.begin_turn() };
        match self.kind_for(model.as_ref()) {
            ReasonerKind::Rules => self.without.begin_turn(),
            ReasonerKind::Staged => Reasoning::ByStages(Box::new(StagedTurn::new(model))),
            ReasonerKind::Native => {
                Reasoning::ByCalls(Box::new(NativeTurn::new(model, Arc::clone(&self.writes_calls))))
            }
        }
    }
}
