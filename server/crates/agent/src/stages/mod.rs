//! The five stages, one file each. A stage enters, asks or does one thing, and says what came of it in an
//! `agent-thinking` frame.

mod calls;
mod decision;
mod execution;
mod need;
mod search;
mod selection;

pub(super) use calls::{make_calls, names, tools_of};
pub(super) use decision::decide_continue_or_complete;
pub(super) use execution::{execute_tool, make_again, store_error};
pub(super) use need::analyze_tool_need;
pub(super) use search::{candidates_for, search_for_tools, search_with, shown_with};
pub(super) use selection::select_best_tool;
