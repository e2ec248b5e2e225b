//! Routes that only a client with every right may use: an argument of their handlers.

use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;

use super::error::Problem;
use switchboard_accounts::Rights;

/// The client may do everything.
pub(super) struct EveryRight;

impl<S: Sync> FromRequestParts<S> for EveryRight {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        match parts.extensions.get::<Rights>() {
            Some(Rights::All) => Ok(Self),
            _ => Err(Problem::new(StatusCode::FORBIDDEN, "this token only chats (chat-token): it cannot change this")
                .suggest("use the server's own token (auth-token)")),
        }
    }
}
