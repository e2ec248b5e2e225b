//! `display_resource`: shows a file, folder, variable or picture in a window (seed 003).

use async_trait::async_trait;
use serde_json::{Map, Value, json};
use switchboard_protocol::{Resource, Risk, ToolDefinition, ViewerType};

use super::paths::{rename, text};
use super::schema;
use super::viewer::{self, VIEWERS};
use switchboard_events::ArtifactValue;
use switchboard_tools::text::sanitize_line;
use switchboard_tools::{
    DisplayRequest, Displayed, FoundResource, ResourceHandle, Tool, ToolContext, ToolFailure, ToolResult, ToolSpec,
};
use switchboard_workspace::{EntryKind, WorkspaceError};

/// Where objects that other tools give name a file or a resource.
const NAMES_OF_HANDLES: &[&str] = &["handle", "resource_handle", "resourceHandle", "path", "file_path", "resourcePath"];

/// The longest text that is tried as a path, in bytes.
const MAX_PATH_BYTES: usize = 1024;

/// Shows resources.
pub(super) struct DisplayResource {
    spec: ToolSpec,
}

/// What is shown, and how if nobody says otherwise.
struct Found {
    resource: Resource,
    viewer_type: ViewerType,
    title: String,
    /// The path, or the handle of what is no file.
    path: String,
}

impl DisplayResource {
    pub(super) fn new() -> Self {
        let mut spec = ToolSpec::new(definition());
        spec.repeatable = true;
        spec.quiet = true;
        spec.for_viewers = true;
        spec.only_named = true;
        Self { spec }
    }
}

fn definition() -> ToolDefinition {
    let mut viewers = vec!["auto"];
    viewers.extend(VIEWERS.iter().map(|(name, _)| *name));
    ToolDefinition {
        name: "display_resource".to_owned(),
        description:
            "Display any resource handle in appropriate viewer. Opens a window beside the conversation in which \
                      the user sees a file, image, folder, table or value. Remember the windowId that it returns to \
                      replace the content of that window later."
                .to_owned(),
        module: "agent-tools".to_owned(),
        parameters: schema::arguments(
            &["resource_handle"],
            json!({
                "resource_handle": {
                    "type": "string",
                    "minLength": 1,
                    "description": "What is shown: the path of a file or folder in the workspace, or `@name` for a \
                                    variable that an earlier tool made.",
                },
                "viewer_type": {
                    "type": "string",
                    "enum": viewers,
                    "default": "auto",
                    "description": "How it is shown; auto chooses by the kind of resource.",
                },
                "window_id": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 1024,
                    "description": "An existing window whose content it replaces, by its windowId or the path that it \
                                    shows. Without one, a new window opens, unless one shows the resource already.",
                },
            }),
        ),
        output: Some(schema::object(json!({
            "windowId": {"type": "string", "description": "For later calls about the same window."},
            "viewerType": {"type": "string"},
            "resourcePath": {"type": "string"},
            "viewers": {"type": "integer", "description": "How many clients show windows now."},
        }))),
        example: json!({"resource_handle": "README.md"}),
        risk: Risk::Ui,
        examples: Vec::new(),
    }
}

#[async_trait]
impl Tool for DisplayResource {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn normalise(&self, arguments: &mut Map<String, Value>) {
        if let Some(Value::Object(options)) = arguments.shift_remove("options") {
            options.into_iter().for_each(|(name, value)| {
                arguments.entry(name).or_insert(value);
            });
        }
        rename(arguments, &["resourceHandle", "handle", "resource", "path", "file_path"], "resource_handle");
        rename(arguments, &["viewerType", "viewer"], "viewer_type");
        rename(arguments, &["windowId"], "window_id");
        arguments.retain(|_, value| !value.is_null());
        if let Some(given) = arguments.get_mut("resource_handle") {
            as_handle(given);
        }
        if let Some(Value::String(viewer)) = arguments.get_mut("viewer_type") {
            *viewer = viewer::known(viewer).to_owned();
        }
        window_of(arguments);
    }

    fn title(&self, arguments: &Map<String, Value>) -> Option<String> {
        let handle = text(arguments, "resource_handle");
        let shown = handle.strip_prefix("file:").or_else(|| handle.strip_prefix("var:")).unwrap_or(handle);
        Some(format!("Show {shown}"))
    }

    async fn execute(&self, context: &ToolContext, arguments: &Map<String, Value>) -> ToolResult {
        display(context, arguments).await.into()
    }
}

/// `@name` names the variable, not its value; an object that names a file or resource stands for it.
fn as_handle(given: &mut Value) {
    let handle = match given {
        Value::String(text) => text.strip_prefix('@').and_then(|name| {
            let handle = ResourceHandle::Variable { name: name.to_owned(), version: None }.to_string();
            handle.parse::<ResourceHandle>().is_ok().then_some(handle)
        }),
        Value::Object(object) => named_in(object),
        _ => None,
    };
    if let Some(handle) = handle {
        *given = handle.into();
    }
}

fn named_in(object: &Map<String, Value>) -> Option<String> {
    let named = NAMES_OF_HANDLES.iter().find_map(|name| object.get(*name)?.as_str());
    named.filter(|handle| !handle.is_empty()).map(str::to_owned)
}

/// The window may be given as what `display_resource` returned.
pub(super) fn window_of(arguments: &mut Map<String, Value>) {
    if let Some(given) = arguments.get_mut("window_id")
        && let Some(id) = given.get("windowId").or_else(|| given.get("window_id")).and_then(Value::as_str)
    {
        *given = id.to_owned().into();
    }
}

async fn display(context: &ToolContext, arguments: &Map<String, Value>) -> Result<ToolResult, ToolFailure> {
    let found = find(context, text(arguments, "resource_handle")).await?;
    let viewer_type = viewer::named(text(arguments, "viewer_type")).unwrap_or(found.viewer_type);
    let window = arguments.get("window_id").and_then(Value::as_str).map(str::to_owned);
    let Found { resource, title, path, .. } = found;
    let request = DisplayRequest { resource, viewer_type, title: title.clone(), window };
    let Displayed { window_id, replaced, closed, viewers } = context.resource_service.display_resource(request).await?;
    let viewer = viewer::name_of(viewer_type);
    let mut view = match replaced {
        Some(before) => format!("Showed {title} in window {window_id} ({viewer}), in place of {before}."),
        None => format!("Showed {title} in window {window_id} ({viewer})."),
    };
    if let Some(title) = closed {
        view.push_str(&format!(" The window of {title} was closed, because no more than 12 are open at once."));
    }
    if viewers == 0 {
        view.push_str(" No attached client shows windows (viewers: 0), so the user does not see it yet.");
    }
    let value = json!({"windowId": window_id, "viewerType": viewer, "resourcePath": path, "viewers": viewers});
    let result = ToolResult::success(ArtifactValue::Json(value)).with_view(view);
    Ok(result.with_field("windowId", window_id).with_field("viewers", viewers))
}

/// What a handle, a path or a variable's name stands for.
async fn find(context: &ToolContext, given: &str) -> Result<Found, ToolFailure> {
    match given.parse() {
        Ok(ResourceHandle::File(path)) => Ok(file(context, &path).await?),
        Ok(handle) => value(context, context.resource_service.find(&handle).await?).await,
        Err(_) => match file(context, given).await {
            Ok(found) => Ok(found),
            Err(error) => match variable(context, given).await {
                Some(found) => value(context, found).await,
                None => Err(error.into()),
            },
        },
    }
}

/// The variable of that name, with or without its `@`.
async fn variable(context: &ToolContext, given: &str) -> Option<FoundResource> {
    let handle: ResourceHandle = format!("var:{}", given.trim_start_matches('@')).parse().ok()?;
    context.resource_service.find(&handle).await.ok()
}

async fn file(context: &ToolContext, given: &str) -> Result<Found, WorkspaceError> {
    let path = context.workspace.relative(given)?.to_string();
    let metadata = context.workspace.metadata(&path).await?;
    let (viewer_type, mime_type, bytes) = match metadata.kind {
        EntryKind::Directory => (ViewerType::Directory, viewer::FOLDER.to_owned(), 0),
        _ => (viewer::of_path(&path), viewer::media_type(&path), metadata.bytes),
    };
    let title = match path.as_str() {
        "." | "" => "Workspace".to_owned(),
        path => sanitize_line(path.rsplit('/').next().unwrap_or(path)),
    };
    let handle = ResourceHandle::File(path.clone()).to_string();
    Ok(Found { resource: Resource { handle, mime_type, bytes }, viewer_type, title, path })
}

async fn value(context: &ToolContext, found: FoundResource) -> Result<Found, ToolFailure> {
    let FoundResource { handle, name, value } = found;
    // A tool that made a file gives its path.
    let path = match value.as_ref() {
        ArtifactValue::Json(Value::Object(object)) => named_in(object),
        ArtifactValue::Json(Value::String(text)) | ArtifactValue::Text(text) => Some(text.clone()),
        _ => None,
    };
    let path = path.filter(|path| path.len() <= MAX_PATH_BYTES && !path.trim().is_empty() && !path.contains('\n'));
    if let Some(path) = path
        && let Ok(found) = file(context, path.strip_prefix("file:").unwrap_or(&path)).await
    {
        return Ok(found);
    }
    let (viewer_type, mime_type, bytes) = viewer::of_value(&value);
    let handle = handle.to_string();
    Ok(Found {
        resource: Resource { handle: handle.clone(), mime_type: mime_type.to_owned(), bytes },
        viewer_type,
        title: name,
        path: handle,
    })
}

#[cfg(test)]
#[path = "display_resource_tests.rs"]
mod tests;
