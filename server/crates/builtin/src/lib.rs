//! The tools that come with the server: one file per tool, and one line here.

mod apply_patch;
mod arithmetic;
mod ask_user;
mod bash;
mod blocking;
mod calculator;
mod close_window;
mod command;
mod current_time;
mod custom;
mod display_resource;
mod file_edit;
mod file_read;
mod file_undo;
mod file_write;
mod glob;
mod grep;
mod helper;
mod json_parse;
pub mod json_query;
mod lines;
mod list_directory;
mod make_chart;
mod notify_user;
mod paths;
mod schema;
mod search;
mod store_variable;
mod target;
#[cfg(test)]
mod test_support;
mod transaction;
mod variables;
mod viewer;
mod web_config;
pub mod web_fetch;
mod web_search;

use std::sync::Arc;

pub use self::command::{Sandbox, ShellConfig};
pub use self::custom::{Check, CustomTools, EnvironmentSource};
pub use self::web_config::WebConfig;
pub use self::web_search::SearchProvider;
use switchboard_net::{WebClient, WebLimits};
use switchboard_tools::Tool;

/// All of them; `web_search` only when a service for it is set.
#[must_use]
pub fn all(shell: &ShellConfig, web: &WebConfig) -> Vec<Arc<dyn Tool>> {
    let client = WebClient::new(web.local.clone(), WebLimits::default());
    let search = web_search::WebSearch::new(web, client.clone()).map(|search| Arc::new(search) as Arc<dyn Tool>);
    let mut tools: Vec<Arc<dyn Tool>> = vec![
        Arc::new(file_read::FileRead::new()),
        Arc::new(file_write::FileWrite::new()),
        Arc::new(file_edit::FileEdit::new()),
        Arc::new(apply_patch::ApplyPatch::new()),
        Arc::new(file_undo::FileUndo::new()),
        Arc::new(list_directory::ListDirectory::new()),
        Arc::new(glob::Glob::new()),
        Arc::new(grep::Grep::new()),
        Arc::new(bash::Bash::new(shell.clone())),
        Arc::new(json_parse::JsonParse::new()),
        Arc::new(json_query::JsonQuery::new(Some(shell.workers.program().clone()))),
        Arc::new(make_chart::MakeChart::new()),
        Arc::new(calculator::Calculator::new()),
        Arc::new(current_time::CurrentTime::new()),
        Arc::new(store_variable::StoreVariable::new()),
        Arc::new(variables::DeleteVariable::new()),
        Arc::new(variables::RenameVariable::new()),
        Arc::new(ask_user::AskUser::new()),
        Arc::new(display_resource::DisplayResource::new()),
        Arc::new(notify_user::NotifyUser::new()),
        Arc::new(close_window::CloseWindow::new()),
        Arc::new(web_fetch::WebFetch::new(client, shell.workers.program().clone())),
    ];
    tools.extend(search);
    tools
}

#[cfg(test)]
mod every_tool_tests;
#[cfg(test)]
mod permissions_tests;
