//! The folders and files of the settings: where tools work, what they never reach, where the user's agents are.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;

use crate::config::Config;
use switchboard_sandbox as sandbox;
use switchboard_workspace::Workspace;
use switchboard_workspace::checkpoint::Checkpoints;

/// Where the user's agents are: beside the settings.
pub(super) fn agents_folder(config: &Config) -> Option<PathBuf> {
    Some(config.paths.settings.as_ref()?.parent()?.join("agents"))
}

/// Where the user's own tools are: beside the settings.
pub(super) fn tools_folder(config: &Config) -> Option<PathBuf> {
    Some(config.paths.settings.as_ref()?.parent()?.join("tools"))
}

/// The folder that tools work in, without what an earlier run left behind in it.
pub(super) fn workspace(config: &Config, denied: &[PathBuf]) -> anyhow::Result<Workspace> {
    let workspace = Workspace::open(&config.paths.workspace, denied).context("the workspace cannot be used")?;
    let workspace = workspace.noting_writes_in(&config.paths.data).context("the data folder cannot be used")?;
    match workspace.remove_left_behind() {
        0 => {}
        removed => tracing::info!("removed {removed} half-written files from a run that was killed"),
    }
    Ok(workspace)
}

/// Where it is noted what commands change, unless that is off. What a kill cut off is finished first: an undo as a whole,
/// and what a command had changed until then.
pub(super) fn checkpoints(config: &Config, workspace: &Workspace) -> anyhow::Result<Option<Arc<Checkpoints>>> {
    let checkpoints = Checkpoints::open(&config.paths.data).context("the data folder cannot be used")?;
    match checkpoints.finish_restores(workspace) {
        0 => {}
        finished => tracing::info!("finished {finished} undos that were cut off"),
    }
    checkpoints.finish_cut_off(workspace);
    Ok(config.commands.checkpoints.then(|| Arc::new(checkpoints)))
}

/// What no tool may reach: the server's own folders and files, and the credentials that lie where tools may go.
pub(super) fn denied(config: &Config) -> Vec<PathBuf> {
    let agents = agents_folder(config);
    let own = std::iter::once(&config.paths.data)
        .chain(&config.paths.settings)
        .chain(&config.mcp.file)
        .chain(&config.http.token_file)
        .chain(&config.store.credentials)
        .chain(&config.store.cluster_key);
    let tools = tools_folder(config);
    let own = own.chain(&agents).chain(&tools);
    let reachable: Vec<PathBuf> =
        std::iter::once(&config.paths.workspace).chain(&config.commands.readable).cloned().collect();
    let credentials = sandbox::credentials(config.paths.home.as_deref(), &reachable);
    own.map(|path| path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.clone()))
        .chain(credentials)
        .collect()
}
