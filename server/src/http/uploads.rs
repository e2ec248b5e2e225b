//! `POST /api/sessions/{session}/uploads?name=…`: a file that the user brings becomes a file of the workspace, under `uploads/`, and a
//! variable of the session. `DELETE …/uploads?path=…&variable=…` takes it back, as long as nothing was made of it.
//!
//! It never takes the place of anything: where the name is taken, it gets a number. Of the name that the client says only
//! letters, digits and a few signs are left, so that it names a file in that folder and nothing else.

use std::collections::HashSet;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Extension, Request, State};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;

use super::ApiState;
use super::deadline;
use super::error::Problem;
use super::path::SessionPath;
use super::query::Query;
use super::resources;
use super::variables::body_of;
use switchboard_accounts::Principal;
use switchboard_context::user_origin;
use switchboard_events::{ArtifactValue, MAX_VALUE_BYTES};
use switchboard_workspace::{Workspace, WorkspaceError, WorkspaceErrorKind};

/// The folder of the workspace that they go into.
const FOLDER: &str = "uploads";

/// More files than these are not kept there.
const MAX_FILES: usize = 1000;

/// The longest name of a file, in bytes, without the number that it may get.
const MAX_NAME: usize = 100;

/// What became of the file.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub(super) struct Upload {
    /// Where it is in the workspace.
    pub(super) path: String,
    /// The variable that holds it.
    pub(super) variable: String,
    /// Its size.
    pub(super) bytes: usize,
}

/// Takes the file in.
pub(super) async fn upload(
    State(state): State<ApiState>,
    Extension(owner): Extension<Principal>,
    SessionPath(session): SessionPath,
    request: Request,
) -> Result<Response, Problem> {
    let query = Query::of(request.uri(), &["name"])?;
    let name = safe_name(query.text("name").unwrap_or_default());
    let session = state.sessions.open(&owner, Some(session)).await?;
    let bytes = deadline::read(request.into_body(), MAX_VALUE_BYTES).await?;
    if bytes.is_empty() {
        return Err(Problem::bad_request("body", "the file is empty").suggest("send the content of a file"));
    }
    let path = saved(&session.workspace(), &name, &bytes).await?;
    let size = bytes.len();
    let stem = name.split_once('.').map_or(name.as_str(), |(stem, _)| stem);
    let variable = session.keep(stem, value_of(bytes)).await?;
    Ok((StatusCode::CREATED, Json(Upload { path, variable, bytes: size })).into_response())
}

/// Takes it back: the file goes while it is as it came, and the variable while no message has it.
pub(super) async fn discard(
    State(state): State<ApiState>,
    Extension(owner): Extension<Principal>,
    SessionPath(session): SessionPath,
    uri: Uri,
) -> Result<StatusCode, Problem> {
    let query = Query::of(&uri, &["path", "variable"])?;
    let path = query.text("path").unwrap_or_default();
    let name = path.strip_prefix(FOLDER).and_then(|path| path.strip_prefix('/'));
    if name.is_none_or(|name| name.is_empty() || name.contains(['/', '\\']) || [".", ".."].contains(&name)) {
        let detail = format!("no file in {FOLDER}/ is called this");
        return Err(Problem::not_found(detail)
            .in_field("path")
            .suggest("send the path that the upload was answered with"));
    }
    let session = state.sessions.open(&owner, Some(session)).await?;
    let (variable, value) = session.variable(query.text("variable").unwrap_or_default()).await?;
    let workspace = session.workspace();
    let file = workspace.relative(path).map_err(|error| resources::refused(&error).in_field("path"))?;
    let _held = workspace.lock(&[file]).await;
    let limit = MAX_VALUE_BYTES as u64;
    let bytes = workspace.read(path, limit).await.map_err(|error| resources::refused(&error).in_field("path"))?;
    if variable.origin.tool != user_origin().tool || body_of(&value).1 != bytes {
        let detail = format!("{path} and the variable {} are not the same any more", variable.name);
        return Err(Problem::new(StatusCode::CONFLICT, detail).suggest("remove them one by one"));
    }
    session.discard(&variable.name).await?;
    workspace.remove(path).await.map_err(|error| resources::refused(&error).in_field("path"))?;
    Ok(StatusCode::NO_CONTENT)
}

/// Writes the file under the first name that is free; its path.
async fn saved(workspace: &Workspace, name: &str, bytes: &Bytes) -> Result<String, Problem> {
    let taken: HashSet<String> = match workspace.list(FOLDER).await {
        Ok(listing) => listing.entries.into_iter().map(|entry| entry.name).collect(),
        Err(error) if error.kind() == WorkspaceErrorKind::NotFound => HashSet::new(),
        Err(error) => return Err(refused(&error)),
    };
    if taken.len() >= MAX_FILES {
        let full = format!("{FOLDER}/ holds {} files, and no more are taken in", taken.len());
        return Err(Problem::new(StatusCode::CONFLICT, full).suggest(format!("remove some of the files in {FOLDER}/")));
    }
    let (stem, ending) = name.rsplit_once('.').map_or((name, String::new()), |(stem, end)| (stem, format!(".{end}")));
    for number in 1..=MAX_FILES + 1 {
        let file = if number == 1 { name.to_owned() } else { format!("{stem}_{number}{ending}") };
        if taken.contains(&file) {
            continue;
        }
        let path = format!("{FOLDER}/{file}");
        let file = workspace.relative(&path).map_err(|error| refused(&error))?;
        // Two uploads of one name do not both find it free.
        let _held = workspace.lock(&[file]).await;
        match workspace.metadata(&path).await {
            Ok(_) => continue,
            Err(error) if error.kind() == WorkspaceErrorKind::NotFound => {}
            Err(error) => return Err(refused(&error)),
        }
        workspace.write_atomic(&path, bytes.to_vec()).await.map_err(|error| refused(&error))?;
        return Ok(path);
    }
    Err(Problem::new(StatusCode::CONFLICT, "no name is free for this file").suggest("give it another name"))
}

fn refused(error: &WorkspaceError) -> Problem {
    resources::refused(error).in_field("name")
}

/// Text as text, anything else as bytes.
fn value_of(bytes: Bytes) -> ArtifactValue {
    match String::from_utf8(bytes.into()) {
        Ok(text) if !text.contains('\0') => ArtifactValue::Text(text),
        Ok(text) => ArtifactValue::Bytes(text.into_bytes().into()),
        Err(error) => ArtifactValue::Bytes(error.into_bytes().into()),
    }
}

/// What is left of a name: its last part, without what means anything to a shell, a path or a listing.
fn safe_name(given: &str) -> String {
    let last = given.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain = |letter: char| if letter.is_alphanumeric() || "._-".contains(letter) { letter } else { '_' };
    let name: String = last.chars().map(plain).collect();
    let name = name.trim_matches(['.', '_', '-', ' ']);
    let (stem, ending) = name.rsplit_once('.').filter(|(_, ending)| ending.len() <= 16).unwrap_or((name, ""));
    let room = MAX_NAME - ending.len() - 1;
    let stem = stem[..stem.floor_char_boundary(room.min(stem.len()))].trim_end_matches(['.', '_', '-']);
    match (stem.is_empty(), ending.is_empty()) {
        (true, _) => "file".to_owned(),
        (false, true) => stem.to_owned(),
        (false, false) => format!("{stem}.{ending}"),
    }
}

#[cfg(test)]
mod tests {
    use super::safe_name;

    #[test]
    fn a_name_is_one_of_a_file_in_the_folder() {
        let (long, cut) = (format!("{}.txt", "x".repeat(300)), format!("{}.txt", "x".repeat(96)));
        for (given, name) in [
            ("cat.png", "cat.png"),
            ("../../etc/passwd", "passwd"),
            ("C:\\Users\\me\\Fotos\\Käse 1.JPG", "Käse_1.JPG"),
            (".bashrc", "bashrc"),
            ("..", "file"),
            ("", "file"),
            ("a\u{0}b\n$(rm -rf).txt", "a_b___rm_-rf.txt"),
            ("-rf", "rf"),
            (long.as_str(), cut.as_str()),
        ] {
            assert_eq!(safe_name(given), name, "{given:?}");
        }
    }
}
