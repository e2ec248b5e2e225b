//! Everything over HTTP: the socket, the API, the UI and health, in one router. Every request passes the guard (who
//! may talk to the server at all), then the login; every answer carries the same security headers.

mod agents;
mod answers;
mod archive;
mod assets;
mod attempts;
mod auth;
mod body;
mod config;
mod deadline;
mod describe;
mod docs;
mod error;
mod events;
mod exchange;
mod guard;
mod headers;
mod health;
mod listener;
mod logins;
mod mcp;
mod messages;
mod path;
mod peer;
mod providers;
mod query;
mod resources;
mod rights;
mod router;
mod search;
mod sessions;
mod state;
mod token;
mod tools;
mod uploads;
mod variables;

pub use assets::has_ui;
pub use auth::Auth;
pub use config::{HttpConfig, PublicUrl};
pub use error::{Problem, ProblemDetails};
pub use listener::serve;
pub use peer::Peers;
pub use router::router;
pub(crate) use search::{FoundPlace, FoundSession, SaidBy, SearchResults, TextPiece};
pub use state::ApiState;
pub use token::check_token;
