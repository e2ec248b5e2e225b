//! The tools that come with the server: one file a tool, one line here.

mod arithmetic;
mod ask_user;
mod bash;
mod blocking;
mod calculator;
mod current_time;
mod file_read;
mod file_write;
mod glob;
mod grep;
mod json_parse;
pub(super) mod json_query;
mod list_directory;
mod paths;
mod search;
mod store_variable;
#[cfg(test)]
mod testing;

use std::sync::Arc;

pub use self::bash::{Sandbox, ShellConfig};
use super::Tool;

/// All of them.
#[must_use]
pub fn all(shell: &ShellConfig) -> Vec<Arc<dyn Tool>> {
    vec![
        Arc::new(file_read::FileRead::new()),
        Arc::new(file_write::FileWrite::new()),
        Arc::new(list_directory::ListDirectory::new()),
        Arc::new(glob::Glob::new()),
        Arc::new(grep::Grep::new()),
        Arc::new(bash::Bash::new(shell.clone())),
        Arc::new(json_parse::JsonParse::new()),
        Arc::new(json_query::JsonQuery::new()),
        Arc::new(calculator::Calculator::new()),
        Arc::new(current_time::CurrentTime::new()),
        Arc::new(store_variable::StoreVariable::new()),
        Arc::new(ask_user::AskUser::new()),
    ]
}
