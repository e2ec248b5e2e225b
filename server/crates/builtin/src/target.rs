//! The file that a call changes: found once, before anything is read of it, and written as it was found.

use serde_json::{Map, Value};

use super::paths::text;
use switchboard_tools::{SeenFile, ToolContext, ToolFailure};
use switchboard_workspace::{RelativePath, Written};

/// The file in `path`.
pub(super) struct Target {
    /// As the call names it.
    pub(super) path: RelativePath,
    /// Where it is behind links: that is what counts as seen.
    real: RelativePath,
}

impl Target {
    pub(super) async fn open(context: &ToolContext, arguments: &Map<String, Value>) -> Result<Self, ToolFailure> {
        let path = context.workspace.relative(text(arguments, "path"))?;
        let real = context.workspace.unlinked(path.as_str()).await?;
        Ok(Self { path, real })
    }

    /// Writes all of it; whoever wrote it has seen what is in it.
    pub(super) async fn write(
        &self,
        context: &ToolContext,
        bytes: Vec<u8>,
    ) -> Result<(Written, SeenFile), ToolFailure> {
        let written = context.workspace.write_atomic(self.path.as_str(), bytes).await?;
        let seen = SeenFile { path: self.real.clone(), fingerprint: written.fingerprint.clone() };
        Ok((written, seen))
    }
}
