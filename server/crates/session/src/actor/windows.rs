//! The windows and notifications of the session. They are events, so that every tab has the same ones.

use switchboard_protocol::{EarlierView, MessageId, Notification, OpenWindow, ServerMessage};

use super::ChatServerToolAgent;
use switchboard_events::NewEvent;
use switchboard_tools::{DisplayRequest, Displayed};

/// How many windows are open at most.
const MAX_WINDOWS: usize = 12;

/// How many earlier views a window has at most.
const MAX_EARLIER: usize = 9;

impl ChatServerToolAgent {
    /// Shows something: in the window that is named, else in the one that shows it already, else in a new one.
    pub(super) fn display(&mut self, turn_id: Option<MessageId>, request: DisplayRequest) -> Displayed {
        let DisplayRequest { resource, viewer_type, title, window } = request;
        let open = match window.as_deref() {
            Some(name) => self.window(name),
            None => self.state.shown.windows.iter().rfind(|open| is_same(&open.resource.handle, &resource.handle)),
        }
        .cloned();
        let closed = if open.is_none() { self.make_room(turn_id.as_ref()) } else { None };
        let window_id = match &open {
            Some(open) => open.window_id.clone(),
            None => window.filter(|id| is_id(id)).unwrap_or_else(|| self.new_window_id()),
        };
        let mut earlier = Vec::new();
        let mut replaced = None;
        if let Some(OpenWindow { viewer_type, title, resource: before, earlier: views, .. }) = open {
            earlier = views.unwrap_or_default();
            if before.handle != resource.handle {
                replaced = Some(title.clone());
                earlier.retain(|view| view.resource.handle != resource.handle);
                earlier.push(EarlierView { viewer_type, title, resource: before });
                earlier.drain(..earlier.len().saturating_sub(MAX_EARLIER));
            }
        }
        let earlier = Some(earlier).filter(|earlier| !earlier.is_empty());
        let shown = OpenWindow { window_id: window_id.clone(), viewer_type, title, resource, earlier };
        self.show(turn_id, ServerMessage::DisplayResource(shown));
        Displayed { window_id, replaced, closed, viewers: self.clients.viewers() }
    }

    pub(super) fn notify(&mut self, turn_id: Option<MessageId>, notification: Notification) {
        let Notification { notification_id, level, message, duration_ms, progress, turn_id: _ } = notification;
        let message = ServerMessage::Notification { notification_id, level, message, duration_ms, progress };
        self.show(turn_id, message);
    }

    /// Closes the window with this id, or that shows this.
    pub(super) fn close_named_window(&mut self, turn_id: Option<MessageId>, window: &str) -> Option<OpenWindow> {
        let open = self.window(window)?.clone();
        self.show(turn_id, ServerMessage::CloseWindow { window_id: open.window_id.clone() });
        Some(open)
    }

    /// The user closed it: other clients close the window too; one that is not open is closed already.
    pub(super) fn close_window(&mut self, window_id: String) {
        if self.state.shown.windows.iter().any(|window| window.window_id == window_id) {
            self.show(None, ServerMessage::CloseWindow { window_id });
        }
    }

    pub(super) fn close_all_windows(&mut self) {
        let open: Vec<String> = self.state.shown.windows.iter().map(|window| window.window_id.clone()).collect();
        for window_id in open {
            self.close_window(window_id);
        }
    }

    /// The window with this id; else the one shown last whose resource or title is called so.
    fn window(&self, name: &str) -> Option<&OpenWindow> {
        let windows = &self.state.shown.windows;
        let path = name.trim_start_matches("./").trim_end_matches('/');
        let shows = |open: &&OpenWindow| {
            let handle = &open.resource.handle;
            is_same(handle, name) || handle.strip_prefix("file:") == Some(path)
        };
        let by_id = windows.iter().find(|open| open.window_id == name);
        by_id.or_else(|| windows.iter().rfind(shows)).or_else(|| windows.iter().rfind(|open| open.title == name))
    }

    /// Closes the window that was shown longest ago if there is no room for another one; its title.
    fn make_room(&mut self, turn_id: Option<&MessageId>) -> Option<String> {
        let oldest = self.state.shown.windows.first().filter(|_| self.state.shown.windows.len() >= MAX_WINDOWS)?;
        let (window_id, title) = (oldest.window_id.clone(), oldest.title.clone());
        self.show(turn_id.cloned(), ServerMessage::CloseWindow { window_id });
        Some(title)
    }

    fn new_window_id(&self) -> String {
        let taken = |id: &String| self.state.shown.windows.iter().any(|open| open.window_id == *id);
        let next = self.state.shown.opened + 1;
        let ids = (next..).map(|number| format!("w{number}"));
        ids.into_iter().find(|id| !taken(id)).unwrap_or_default()
    }

    fn show(&mut self, turn_id: Option<MessageId>, message: ServerMessage) {
        self.append_urgent(NewEvent { turn_id, message, private: None, blobs: Vec::new() });
    }
}

/// Whether two handles name the same thing, perhaps in another version.
fn is_same(one: &str, other: &str) -> bool {
    let thing = |handle: &str| match handle.strip_prefix("var:").and_then(|variable| variable.split_once('@')) {
        Some((name, _)) => format!("var:{name}"),
        None => handle.to_owned(),
    };
    thing(one) == thing(other)
}

/// Whether an id that somebody made up can be a window's.
fn is_id(id: &str) -> bool {
    (1..=64).contains(&id.len()) && id.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
}
