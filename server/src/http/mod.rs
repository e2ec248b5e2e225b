//! Everything over HTTP: the socket, the API, the UI and health, in one router. Every request passes the guard (who
//! may talk to the server at all), then the login; every answer carries the same security headers.

mod assets;
mod attempts;
mod auth;
mod body;
mod config;
mod error;
mod guard;
mod headers;
mod health;
mod listener;
mod router;

pub use assets::has_ui;
pub use auth::Auth;
pub use config::{HttpConfig, PublicUrl};
pub use error::{Problem, ProblemDetails};
pub use listener::serve;
pub use router::{ApiState, router};
