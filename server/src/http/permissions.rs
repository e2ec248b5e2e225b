//! `GET /api/permissions`: what runs without asking, what asks and what is denied in every session. A session's own rules
//! are shown by its `/permissions`.

use axum::Json;
use axum::extract::State;
use axum::http::Uri;
use schemars::JsonSchema;
use serde::Serialize;
use switchboard_tools::{ApproveMode, Effect, Rule, RuleSource};

use super::ApiState;
use super::error::Problem;
use super::query::Query;

/// The rules of the settings.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct PermissionList {
    /// What decides where no rule applies (`--approve`).
    mode: PermissionMode,
    /// In the order in which they are written; deny overrides ask, and ask overrides allow.
    rules: Vec<PermissionRule>,
}

/// What happens with calls that change something.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum PermissionMode {
    /// Reading runs; everything else asks.
    Ask,
    /// Everything runs.
    Auto,
    /// Reading runs; everything else is denied.
    Deny,
}

/// One rule.
#[derive(Debug, Serialize, JsonSchema)]
struct PermissionRule {
    /// What it says.
    effect: RuleEffect,
    /// What it is about, as it is written, such as `bash(git status *)`.
    rule: String,
    /// The file or flag that it is from, without its folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
}

/// What a rule says.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum RuleEffect {
    /// It runs without asking.
    Allow,
    /// The user is asked.
    Ask,
    /// It does not run.
    Deny,
}

/// Lists them.
pub(super) async fn list(State(state): State<ApiState>, uri: Uri) -> Result<Json<PermissionList>, Problem> {
    Query::of(&uri, &[])?;
    let policy = &state.sessions.services().policy;
    let mode = match policy.mode() {
        ApproveMode::Ask => PermissionMode::Ask,
        ApproveMode::Auto => PermissionMode::Auto,
        ApproveMode::Deny => PermissionMode::Deny,
    };
    Ok(Json(PermissionList { mode, rules: policy.rules().all().iter().map(PermissionRule::from).collect() }))
}

impl From<&Rule> for PermissionRule {
    fn from(rule: &Rule) -> Self {
        let effect = match rule.effect() {
            Effect::Allow => RuleEffect::Allow,
            Effect::Ask => RuleEffect::Ask,
            Effect::Deny => RuleEffect::Deny,
        };
        let place = match rule.source() {
            RuleSource::Settings(place) => place.rsplit('/').next().map(ToOwned::to_owned),
            RuleSource::Session => None,
        };
        Self { effect, rule: rule.text().to_owned(), place }
    }
}
