//! Every setting, declared once in `declared.rs`, taken from four places: flags over environment over the settings
//! file over defaults. A wrong value is an error that says where it is and what would be right.

mod commands;
mod declared;
mod env;
mod error;
mod file;
mod loader;
mod models;
mod plain;
mod sections;
mod settings;
mod show;
mod storage;

pub use declared::SETTINGS;
pub use env::Environment;
pub use error::ConfigError;
pub use loader::{Loaded, Loader, Resolved, Source};
pub use sections::{NetworkChoice, ReasonerChoice, RetentionConfig, SandboxChoice, StoreConfig};
pub use settings::{Config, Kind, ON_OFF, Setting};
pub use show::{SETTINGS_TABLE_END, SETTINGS_TABLE_START, list, sample_file, settings_table};
#[cfg(not(feature = "nats"))]
pub(crate) use storage::WITHOUT_NATS;
