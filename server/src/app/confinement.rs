//! How commands are confined: as the settings ask, as far as the kernel can do it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::config::{Config, NetworkChoice, SandboxChoice};
use switchboard_builtin::Sandbox;
use switchboard_sandbox::{self as sandbox, Confinement, Isolation, Network, WorkerProgram};

/// How long workers of an earlier server are waited for.
const EARLIER_WORKERS_LIMIT: Duration = Duration::from_secs(10);

/// How commands are kept in; where that cannot be done they do not run, unless `--sandbox off` was said. `port` is the
/// server's own.
pub(super) async fn sandboxed(config: &Config, denied: &[PathBuf], port: u16) -> Sandbox {
    let workspace = config.paths.workspace.canonicalize().unwrap_or_else(|_| config.paths.workspace.clone());
    let ways = match config.commands.sandbox {
        SandboxChoice::Off => return Sandbox::Off,
        SandboxChoice::Strict => &Isolation::ALL[..1],
        SandboxChoice::On => &Isolation::ALL[..],
    };
    tell_about_denied(&workspace, denied);
    let readable = config.commands.readable.clone();
    let confinement = Confinement {
        writable: vec![workspace],
        readable: readable.clone(),
        denied: denied.to_vec(),
        read_only: Vec::new(),
        network: Network::Closed,
        isolation: Isolation::Namespaces,
    };
    match sandbox::strongest(&WorkerProgram::own(), &confinement, ways).await {
        Ok((isolation, why_not_stronger)) => {
            if let Some(why) = why_not_stronger {
                tracing::warn!("commands are confined less than they could be ({isolation:?}): {why}");
            }
            let host_network = host_network(config, port);
            Sandbox::On {
                readable,
                denied: denied.to_vec(),
                network: network(config, host_network, isolation),
                host_network,
                isolation,
            }
        }
        Err(why) => {
            tracing::warn!("commands do not run, because the kernel cannot confine them to the workspace: {why}");
            Sandbox::Unavailable(why)
        }
    }
}

/// The file that the workers of this data folder hold locked.
pub(super) fn worker_lock(config: &Config) -> PathBuf {
    config.paths.data.join("workers.lock")
}

/// Waits for the workers of a server that was here before: they end at once when it is gone, but what came of their
/// commands must not be asked about earlier.
pub(super) fn wait_for_earlier_workers(config: &Config) {
    if !sandbox::workers_have_ended(&worker_lock(config), EARLIER_WORKERS_LIMIT) {
        tracing::warn!("a command of an earlier server may still run: its worker does not end");
    }
}

/// What commands get that ask for the network: the server's proxy or, where that was said or there are no namespaces, the
/// machine's own network.
fn network(config: &Config, host_network: Network, isolation: Isolation) -> Network {
    if (config.commands.network, isolation.has_namespaces()) == (NetworkChoice::Proxy, true) {
        return Network::Proxied;
    }
    if host_network == Network::Closed {
        tracing::warn!("commands get no network: no token is set, and the kernel cannot block a port");
    } else if config.commands.network == NetworkChoice::Proxy {
        tracing::warn!(
            "commands that may use the network get this machine's own, without questions about domains: a proxy needs \
             namespaces"
        );
    }
    host_network
}

/// The machine's own network without the server's own port, where approvals are answered. Where the kernel cannot close it,
/// a token must.
fn host_network(config: &Config, port: u16) -> Network {
    let has_token = config.http.auth_token.is_some() || config.http.token_file.is_some();
    match sandbox::closes_ports() {
        Ok(()) => Network::AllBut(port),
        Err(_) if has_token => Network::Open,
        Err(_) => Network::Closed,
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
