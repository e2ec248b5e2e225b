//! What handles of variables and calls stand for in a session, and the way from its tools to its windows.

use async_trait::async_trait;
use switchboard_protocol::{ErrorType, Notification, OpenWindow};

use super::host::{SessionHost, WorkRequest};
use std::sync::Arc;
use switchboard_agent::{TurnHost, TurnView};
use switchboard_events::{ArtifactValue, LogError, StoredValue, Values};
use switchboard_tools::{
    DisplayRequest, Displayed, FoundResource, ResourceHandle, ResourceService, ToolFailure, not_found,
};

/// What a handle stands for; none if there is no such thing, or it is a file.
pub(super) async fn find(
    handle: &ResourceHandle,
    view: &TurnView,
    values: &Values,
) -> Result<Option<FoundResource>, LogError> {
    match handle {
        ResourceHandle::File(_) => Ok(None),
        ResourceHandle::Variable { name, version } => {
            let Some((version, value)) = version_of(view, name, *version) else { return Ok(None) };
            let handle = ResourceHandle::Variable { name: name.clone(), version: Some(version) };
            Ok(Some(FoundResource { handle, name: name.clone(), value: values.load(&value).await? }))
        }
        ResourceHandle::Call { id, index } => {
            let of_call = view.pictures.iter().rev().find(|of_call| of_call.call_id == *id);
            let Some(picture) = of_call.and_then(|of_call| of_call.pictures.get(*index)) else { return Ok(None) };
            let name = format!("{} picture", picture.format.name());
            let value = Arc::new(ArtifactValue::Bytes(values.picture(picture).await?));
            Ok(Some(FoundResource { handle: handle.clone(), name, value }))
        }
    }
}

/// A version of a variable, and its value.
fn version_of(view: &TurnView, name: &str, wanted: Option<u32>) -> Option<(u32, Arc<StoredValue>)> {
    let entry = view.context.get(name)?;
    let now = entry.variable.version;
    if wanted.is_none_or(|wanted| wanted == now) {
        return Some((now, Arc::clone(&entry.value)));
    }
    let earlier = entry.earlier.iter().find(|earlier| Some(earlier.variable.version) == wanted)?;
    Some((earlier.variable.version, Arc::clone(&earlier.value)))
}

#[async_trait]
impl ResourceService for SessionHost {
    async fn find(&self, handle: &ResourceHandle) -> Result<FoundResource, ToolFailure> {
        let view = self.view().await.map_err(|error| failed(&error))?;
        let found = find(handle, &view, &self.values).await.map_err(|error| failed(&error))?;
        found.ok_or_else(|| not_found(handle))
    }

    async fn display_resource(&self, request: DisplayRequest) -> Result<Displayed, ToolFailure> {
        self.asked(|reply| WorkRequest::Display(request, reply)).await.map_err(|error| failed(&error))
    }

    async fn show_notification(&self, notification: Notification) -> Result<usize, ToolFailure> {
        self.asked(|reply| WorkRequest::Notify(notification, reply)).await.map_err(|error| failed(&error))
    }

    async fn close_window(&self, window: &str) -> Result<Option<OpenWindow>, ToolFailure> {
        self.asked(|reply| WorkRequest::CloseWindow(window.to_owned(), reply)).await.map_err(|error| failed(&error))
    }

    async fn open_windows(&self) -> Result<Vec<OpenWindow>, ToolFailure> {
        Ok(self.view().await.map_err(|error| failed(&error))?.windows.clone())
    }
}

fn failed(error: &dyn std::fmt::Display) -> ToolFailure {
    ToolFailure::new(ErrorType::System, format!("the session failed to {error}"))
}
