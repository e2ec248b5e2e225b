//! Who decides: the reasoner that the settings ask for, and how conversations are held for it.

use std::sync::Arc;

use anyhow::anyhow;
use switchboard_protocol::ReasonerKind;

use crate::config::{Config, ReasonerChoice};
use switchboard_agent::{ByModel, ChatNow, CurrentModel, ModelSummaries, OwnModel, Reasoner};
use switchboard_conversation::ChatConfig;
use switchboard_llm::Models;
use switchboard_runtime::{Live, Shutdown};
use switchboard_session::Sessions;

/// Who makes the decisions.
///
/// # Errors
/// When a reasoner is asked for that needs a language model, and there is none; says what is missing.
pub(super) async fn reasoner(
    config: &Config,
    models: &Models,
    rules: &Arc<dyn Reasoner>,
) -> anyhow::Result<Arc<dyn Reasoner>> {
    let (kind, name) = match config.reasoning.reasoner {
        ReasonerChoice::Rules => return Ok(Arc::clone(rules)),
        ReasonerChoice::Auto => (None, ""),
        ReasonerChoice::Staged => (Some(ReasonerKind::Staged), "staged"),
        ReasonerChoice::Native => (Some(ReasonerKind::Native), "native"),
    };
    if kind.is_some() {
        models.required().await.map_err(|why| {
            anyhow!("--reasoner {name} needs a language model, and there is none: {why}. See docs/models.md")
        })?;
    }
    let current = models.clone();
    Ok(by_model(kind, models, Box::new(move || current.current()), rules))
}

/// A reasoner by this model; how it writes its calls is learnt for all that use it.
fn by_model(
    kind: Option<ReasonerKind>,
    models: &Models,
    model: CurrentModel,
    rules: &Arc<dyn Reasoner>,
) -> Arc<dyn Reasoner> {
    let models = models.clone();
    let writes_calls = Arc::new(move |model: &_| models.writes_calls(model));
    Arc::new(ByModel::new(kind, model, writes_calls, Arc::clone(rules)))
}

/// When another model is used, every session that somebody looks at says so.
pub(super) async fn tell_changes(models: Models, sessions: Sessions, shutdown: Shutdown) {
    let mut changes = models.changes();
    loop {
        tokio::select! {
            changed = changes.changed() => match changed {
                Ok(()) => sessions.reasoner_changed().await,
                Err(_) => return,
            },
            () = shutdown.stopping().cancelled() => return,
        }
    }
}

/// How conversations are held with a model, or with the one in use; agents bring their own instructions.
pub(super) fn chat_now(chat: &Live<Arc<ChatConfig>>, models: &Models) -> ChatNow {
    let (chat, models) = (chat.clone(), models.clone());
    Arc::new(move |own| {
        let base = (*chat.get()).clone();
        match own {
            Some(own) => base.with_model(Some(own)),
            None => base.with_model(models.current().as_ref().map(|client| client.model())),
        }
    })
}

/// Reasoners with a model of an agent's own, in the way that the settings ask for.
pub(super) fn own_model(config: &Config, models: &Models, rules: &Arc<dyn Reasoner>) -> OwnModel {
    let (choice, models, rules) = (config.reasoning.reasoner, models.clone(), Arc::clone(rules));
    Arc::new(move |provider, model| {
        let kind = match choice {
            ReasonerChoice::Rules => return Err("--reasoner rules uses no language model".to_owned()),
            ReasonerChoice::Auto => None,
            ReasonerChoice::Staged => Some(ReasonerKind::Staged),
            ReasonerChoice::Native => Some(ReasonerKind::Native),
        };
        let client = models.other(provider, model)?;
        let info = client.model().clone();
        Ok((by_model(kind, &models, Box::new(move || Some(Arc::clone(&client))), &rules), info))
    })
}

/// Who writes summaries: the model that reasons, if one does.
pub(super) fn summaries(config: &Config, models: &Models) -> ModelSummaries {
    let rules = config.reasoning.reasoner == ReasonerChoice::Rules;
    let models = models.clone();
    ModelSummaries::new(Box::new(move || models.current().filter(|_| !rules)))
}

/// How conversations are held.
pub(super) fn chat(config: &Config) -> ChatConfig {
    ChatConfig {
        max_history: config.conversation.max_history,
        context_tokens: config.conversation.context_tokens,
        tool_tokens: config.conversation.tool_tokens,
        enable_summarization: config.conversation.summarize,
        temperature: config.llm.temperature,
        max_tokens: config.llm.max_tokens,
        system_prompt: config.conversation.system_prompt.clone(),
        ..ChatConfig::default()
    }
}
