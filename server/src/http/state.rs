//! What the routes share.

use std::sync::Arc;

use axum::extract::FromRef;
use switchboard_events::ConversationSearch;
use switchboard_runtime::Secret;
use switchboard_session::Sessions;

use super::auth::Auth;

/// What the routes need; cheap to clone.
#[derive(Clone)]
pub struct ApiState {
    /// Who is let in.
    pub auth: Auth,
    /// The sessions and what they work with.
    pub sessions: Sessions,
    /// Where what was said is found.
    pub search: Arc<dyn ConversationSearch>,
    /// What the servers that share the log prove to each other with who they are, if it is shared.
    pub node_secret: Option<Secret>,
}

impl FromRef<ApiState> for Auth {
    fn from_ref(state: &ApiState) -> Self {
        state.auth.clone()
    }
}
