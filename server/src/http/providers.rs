//! `/api/providers`: the language models that can be used, and which one is. They belong to the server and not to a
//! session, so every client that is let in sees the same; a key goes in and never comes out.

use std::time::Duration;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::{StatusCode, Uri};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::time::timeout;

use super::ApiState;
use super::body::JsonBody;
use super::error::Problem;
use super::path::ProviderPath;
use super::query::Query;
use super::rights::EveryRight;
use switchboard_llm::{KeyFrom, ModelInfo, ProbeError, Proposal, ProviderStatus};
use switchboard_runtime::Secret;

/// How long a proof may take with all that is asked around it.
const PROBE_TIMEOUT: Duration = Duration::from_secs(90);

/// Providers of language models.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ProviderList {
    /// The model in use.
    #[serde(skip_serializing_if = "Option::is_none")]
    active: Option<ActiveModel>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    /// All providers; those that can be used at once come first.
    providers: Vec<ProviderEntry>,
}

/// A model that is in use.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ActiveModel {
    /// The provider's id.
    provider: String,
    /// The model, as the provider calls it.
    model: String,
    /// How many tokens its window has, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    context_tokens: Option<u64>,
    /// Whether it calls tools itself.
    supports_tools: bool,
    /// Whether it can be shown pictures.
    sees_pictures: bool,
    /// How long it took to answer, when it was tried just now.
    #[serde(skip_serializing_if = "Option::is_none")]
    took_ms: Option<u64>,
}

/// A provider.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ProviderEntry {
    /// Its id, as settings name it.
    id: String,
    /// Its name for people.
    name: String,
    /// Where its API is, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    base_url: Option<String>,
    /// Whether it needs a key.
    needs_key: bool,
    /// The environment variable for its key.
    key_variable: String,
    /// Where its key comes from.
    key_from: KeySource,
    /// Whether it is in use.
    active: bool,
    /// The model that is used when none is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    default_model: Option<String>,
    /// Its models, as far as it was asked.
    models: Vec<String>,
}

/// Where a key comes from.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum KeySource {
    /// There is none.
    None,
    /// The settings.
    Settings,
    /// The environment.
    Environment,
    /// Given here, and stored.
    Stored,
}

/// A model to be used.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct NewProvider {
    /// The provider's id.
    #[schemars(length(min = 1, max = 40))]
    provider: String,
    /// The address of its API; without it, the known one.
    #[schemars(length(max = 2048))]
    base_url: Option<String>,
    /// Its key; without it, the known one.
    #[schemars(length(max = 1024))]
    api_key: Option<String>,
    /// The model; without it, the provider's default model, or the first that it lists.
    #[schemars(length(max = 200))]
    model: Option<String>,
}

/// `GET /api/providers`; with `look`, what runs on this machine is looked for first.
pub(super) async fn list(State(state): State<ApiState>, uri: Uri) -> Result<Json<ProviderList>, Problem> {
    let query = Query::of(&uri, &["look"])?;
    let models = &state.sessions.services().models;
    if query.text("look").is_some_and(|value| value != "0") {
        models.look_for_local().await;
    }
    let active = models.current().map(|client| active(client.model(), None));
    let providers = models.providers().into_iter().map(ProviderEntry::from).collect();
    Ok(Json(ProviderList { why: models.why_none().filter(|_| active.is_none()), active, providers }))
}

/// `POST /api/providers`: tries it with one live call; if that works, it is kept and used.
pub(super) async fn choose(
    State(state): State<ApiState>,
    _: EveryRight,
    request: Request,
) -> Result<Json<ActiveModel>, Problem> {
    Query::of(request.uri(), &[])?;
    let JsonBody(new) = JsonBody::<NewProvider>::from(request).await?;
    let given = |text: Option<String>| text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    let proposal = Proposal {
        provider: new.provider,
        base_url: given(new.base_url),
        key: given(new.api_key).map(Secret::new),
        model: given(new.model),
    };
    let proved = timeout(PROBE_TIMEOUT, state.sessions.services().models.probe(proposal)).await;
    match proved {
        Ok(Ok(proved)) => Ok(Json(active(&proved.model, Some(proved.took)))),
        Ok(Err(problem)) => Err(problem.into()),
        Err(_) => Err(Problem::try_later("the provider took too long", 10)),
    }
}

/// `DELETE /api/providers/{provider}`: forgets the key, the address and the choice that were given here.
pub(super) async fn forget(
    State(state): State<ApiState>,
    _: EveryRight,
    ProviderPath(provider): ProviderPath,
    uri: Uri,
) -> Result<StatusCode, Problem> {
    Query::of(&uri, &[])?;
    match state.sessions.services().models.forget(provider).await {
        Ok(true) => Ok(StatusCode::NO_CONTENT),
        Ok(false) => Err(Problem::not_found("nothing is stored for this provider").in_field("provider")),
        Err(problem) => Err(Problem::internal(&problem)),
    }
}

fn active(model: &ModelInfo, took: Option<Duration>) -> ActiveModel {
    ActiveModel {
        provider: model.provider.clone(),
        model: model.name.clone(),
        context_tokens: model.context_tokens,
        supports_tools: model.supports_tools,
        sees_pictures: model.sees_pictures,
        took_ms: took.map(|took| u64::try_from(took.as_millis()).unwrap_or(u64::MAX)),
    }
}

impl From<ProviderStatus> for ProviderEntry {
    fn from(status: ProviderStatus) -> Self {
        let provider = status.provider;
        Self {
            id: provider.id.to_owned(),
            name: provider.name.to_owned(),
            base_url: status.base_url,
            needs_key: provider.needs_key,
            key_variable: provider.key_variables.first().copied().unwrap_or_default().to_owned(),
            key_from: match status.key_from {
                KeyFrom::Nowhere => KeySource::None,
                KeyFrom::Setting => KeySource::Settings,
                KeyFrom::Environment(_) => KeySource::Environment,
                KeyFrom::Stored => KeySource::Stored,
            },
            active: status.active,
            default_model: provider.default_model.map(ToOwned::to_owned),
            models: status.models,
        }
    }
}

impl From<ProbeError> for Problem {
    fn from(problem: ProbeError) -> Self {
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        Self::new(status, problem.problem).in_field(problem.field).suggest(problem.suggestion)
    }
}
