//! The window that a request means when it names none: the one that was shown last.

use serde_json::Value;
use switchboard_protocol::OpenWindow;

use super::plan::Plan;

/// The value of a plan that stands for the window shown last.
const WINDOW: &str = "window";

/// The plan with the window that it means.
///
/// # Errors
/// When it is about a window and none is open; what a plan shows goes into a new window then.
pub(super) fn in_window(mut plan: Plan, windows: &[OpenWindow]) -> Result<Plan, String> {
    if !plan.values.contains_key(WINDOW) {
        return Ok(plan);
    }
    let shows = plan.slots.values().next().is_some();
    match windows.last() {
        Some(window) => {
            plan.values.insert(WINDOW.to_owned(), Value::String(window.window_id.clone()));
        }
        None if shows => {
            plan.values.shift_remove(WINDOW);
        }
        None => return Err("No window is open, so there is none to close.".to_owned()),
    }
    Ok(plan)
}
