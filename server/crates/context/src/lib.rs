//! What the session knows: named artifacts with their versions and origins, `@name` references, and previews.
//!
//! [`ContextManager`] is an immutable view that is cheap to clone. A change to it is planned here as a
//! [`ContextChange`], recorded as one `context-update` event, and applied when the event is in the log.

mod artifacts;
mod change;
mod error;
mod index;
mod names;
mod preview;
mod prompt;
mod reference;
mod resolve;
mod staleness;

pub use artifacts::{ContextManager, Entry, MAX_VARIABLES, Version, letters};
pub use change::{ContextChange, OutputName, is_stored, user_origin};
pub use error::{ContextError, UnresolvedReference};
pub use names::{byte_length, corrected_name, valid_name, validate_context_variable};
pub use preview::{
    asked_arguments, get_variable_preview, preview_arguments, preview_json, preview_text, said_arguments,
};
pub use reference::{Reference, Step, literal, reference, references};
pub use resolve::Resolved;
