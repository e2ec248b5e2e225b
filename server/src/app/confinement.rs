//! How commands are confined: as the settings ask, as far as the kernel can do it.

use std::path::{Path, PathBuf};

use crate::config::Config;
use switchboard_builtin::Sandbox;
use switchboard_sandbox::{self as sandbox, Confinement, Network, WorkerProgram};

/// How commands are kept in; where that cannot be done they do not run, unless `--sandbox off` was said. `port` is the
/// server's own.
pub(super) async fn sandboxed(config: &Config, denied: &[PathBuf], port: u16) -> Sandbox {
    let workspace = config.paths.workspace.canonicalize().unwrap_or_else(|_| config.paths.workspace.clone());
    if !config.commands.sandbox {
        return Sandbox::Off;
    }
    tell_about_denied(&workspace, denied);
    let readable = config.commands.readable.clone();
    let confinement = Confinement {
        writable: vec![workspace],
        readable: readable.clone(),
        denied: denied.to_vec(),
        read_only: Vec::new(),
        network: Network::Closed,
    };
    match sandbox::probe(&WorkerProgram::own(), confinement).await {
        Ok(()) => Sandbox::On { readable, denied: denied.to_vec(), network: network(config, port) },
        Err(why) => {
            tracing::warn!("commands do not run, because the kernel cannot confine them to the workspace: {why}");
            Sandbox::Unavailable(why)
        }
    }
}

/// What commands get that ask for the network: never the server's own port, where approvals are answered. Where the kernel
/// cannot close it, a token must.
fn network(config: &Config, port: u16) -> Network {
    let has_token = config.http.auth_token.is_some() || config.http.token_file.is_some();
    match sandbox::closes_ports() {
        Ok(()) => Network::AllBut(port),
        Err(_) if has_token => Network::Open,
        Err(why) => {
            tracing::warn!("commands get no network: no token is set, and the kernel cannot block a port ({why})");
            Network::Closed
        }
    }
}

fn tell_about_denied(workspace: &Path, denied: &[PathBuf]) {
    if let Some(inside) = denied.iter().find(|path| path.starts_with(workspace)) {
        let inside = inside.display();
        tracing::warn!(
            "{inside} lies inside the workspace: commands cannot create files in the folders that contain it"
        );
    }
}
