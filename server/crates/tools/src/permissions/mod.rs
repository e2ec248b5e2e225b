//! Rules: what runs without asking, what is asked about, and what is denied, by tool, module, risk and arguments.
//!
//! A rule reads text, so for commands it is a convenience; the sandbox is the barrier. A rule that denies *files*
//! closes them for every tool, and for commands as far as the kernel can
//! ([`DeniedPaths`](switchboard_workspace::DeniedPaths)).

mod call;
mod check;
mod domains;
mod parse;
mod rule;
mod rules;
mod start_files;
mod text;

pub use self::call::CallTraits;
pub use self::rule::{Effect, Rule, RuleSource};
pub use self::rules::RuleSet;
pub use self::rules::Ruling;
