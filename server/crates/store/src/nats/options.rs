//! How NATS is reached, and how the connection is made.

use std::error::Error;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use async_nats::rustls::{AlertDescription, Error as TlsError};
use async_nats::{ConnectError, ConnectErrorKind, ConnectOptions, Event, ReconnectToServer, Server, ServerAddr};
use switchboard_events::LogError;
use tokio::sync::watch;

use super::jetstream::JetStream;

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(2);
/// How often the server is asked whether it is there; it is taken for gone when three questions are not answered, in time for
/// the lease to be renewed over another one.
const PING: Duration = Duration::from_secs(1);
/// The longest pause between two attempts to connect again to the same server.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
/// How the seed of a user's NKey begins.
const SEED: &str = "SU";

/// Where NATS is, and what the log is to be there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NatsOptions {
    /// `nats://host:port` or `tls://host:port`, one or several of a cluster.
    pub servers: Vec<String>,
    /// A file with credentials, as `nsc` and `nats` write it, or with one line: `user:password`, the seed of an NKey, or a token.
    pub credentials: Option<PathBuf>,
    /// Certificates that are trusted instead of the system's.
    pub certificates: Option<PathBuf>,
    /// The server's own certificate with its key, as PEM, for NATS servers that ask clients for one.
    pub identity: Option<PathBuf>,
    /// How many NATS servers keep each message, when the streams are made.
    pub replicas: u32,
    /// How many sessions there may be.
    pub max_sessions: Option<u64>,
    /// The name of the workspace that this server offers: its sessions go on only at servers that offer the same one.
    pub workspace: String,
}

impl NatsOptions {
    /// Reads `nats://host:port,…`: the servers of one cluster, separated by commas; the scheme may be left out after the first.
    ///
    /// # Errors
    /// Says what would be right.
    pub fn parse_servers(text: &str) -> Result<Vec<String>, String> {
        let scheme = if text.starts_with("tls://") { "tls://" } else { "nats://" };
        let servers = text.split(',').map(|server| {
            let server = if server.contains("://") { server.to_owned() } else { format!("{scheme}{server}") };
            let address: ServerAddr = server.parse().map_err(|_| {
                format!("\"{server}\" is not the address of a NATS server; write it like nats://10.0.0.1:4222")
            })?;
            if !matches!(address.scheme(), "nats" | "tls") || address.host().is_empty() {
                return Err(format!(
                    "\"{server}\" is not the address of a NATS server; write it like nats://10.0.0.1:4222"
                ));
            }
            if address.has_user_pass() {
                return Err(
                    "a password does not belong into the address of NATS; put it into a file, and name that with \
                            store-credentials"
                        .to_owned(),
                );
            }
            Ok(server)
        });
        servers.collect()
    }

    /// Connects; from then on the connection comes back by itself.
    pub(super) async fn connect(&self) -> Result<JetStream, LogError> {
        let (losses, lost) = watch::channel(0);
        let next = Arc::new(Rotation::default());
        let connected = Arc::clone(&next);
        let mut options = ConnectOptions::new()
            .name("switchboard")
            .connection_timeout(CONNECT)
            .ping_interval(PING)
            .max_reconnects(None)
            .reconnect_delay_callback(pause_after)
            .reconnect_to_server_callback(move |servers, _| std::future::ready(next.next_of(&servers)))
            .event_callback(move |event| {
                match event {
                    Event::Connected => {
                        connected.begin();
                        tracing::info!("connected to NATS");
                    }
                    Event::Disconnected => {
                        losses.send_modify(|losses| *losses += 1);
                        tracing::warn!("the connection to NATS is lost; it is made again");
                    }
                    other => tracing::debug!("NATS: {other}"),
                }
                std::future::ready(())
            });
        if let Some(file) = &self.certificates {
            options = options.add_root_certificates(file.clone());
        }
        if let Some(file) = &self.identity {
            check_identity(file)?;
            options = options.add_client_certificate(file.clone(), file.clone());
        }
        if let Some(file) = &self.credentials {
            options = with_credentials(options, file)?;
        }
        let addresses: Result<Vec<ServerAddr>, _> = self.servers.iter().map(|server| server.parse()).collect();
        let addresses = addresses.map_err(|error| self.unreachable(&error, "see --store"))?;
        let client =
            options.connect(addresses).await.map_err(|error| self.unreachable(&error, &self.advice(&error)))?;
        Ok(JetStream::new(client, lost))
    }

    fn unreachable(&self, error: &dyn Display, advice: &str) -> LogError {
        LogError::Store(format!("NATS cannot be reached at {} ({error}); {advice}", self.servers.join(", ")))
    }

    /// Which setting is to be looked at.
    fn advice(&self, error: &ConnectError) -> String {
        let is_about_certificates = error.kind() == ConnectErrorKind::Tls || is_untrusted(error);
        match (error.kind(), &self.credentials, &self.certificates) {
            (ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication, Some(file), _) => {
                format!("it does not take the credentials in {} (--store-credentials)", file.display())
            }
            (ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication, None, _) => {
                "it asks for credentials: name the file that has them with --store-credentials".to_owned()
            }
            _ if is_refused(error) => match &self.identity {
                Some(file) => format!("it does not take the certificate in {} (--store-identity)", file.display()),
                None => "it asks for a certificate: name the file that has one, and its key, with --store-identity"
                    .to_owned(),
            },
            (_, _, Some(file)) if is_about_certificates => {
                format!("its certificate is checked with those in {} (--store-ca)", file.display())
            }
            (_, _, None) if is_about_certificates => {
                "its certificate is checked with those of the system; name the file that has others with --store-ca"
                    .to_owned()
            }
            _ => "see --store".to_owned(),
        }
    }
}

/// Whether TLS does not trust whoever is at the other end.
fn is_untrusted(error: &ConnectError) -> bool {
    matches!(tls_error(error), Some(TlsError::InvalidCertificate(_)))
}

/// Whether the other end wants another certificate, or one at all.
fn is_refused(error: &ConnectError) -> bool {
    use AlertDescription::{BadCertificate, CertificateRequired, CertificateUnknown, UnknownCA};
    matches!(
        tls_error(error),
        Some(TlsError::AlertReceived(BadCertificate | CertificateRequired | CertificateUnknown | UnknownCA))
    )
}

/// What TLS says is wrong.
fn tls_error(error: &ConnectError) -> Option<&TlsError> {
    let causes = std::iter::successors(error.source(), |cause: &&(dyn Error + 'static)| (*cause).source());
    let mut inner = causes.filter_map(|cause| cause.downcast_ref::<std::io::Error>()?.get_ref());
    inner.find_map(|inner| inner.downcast_ref::<TlsError>())
}

/// Looks whether a file has a certificate and its key.
fn check_identity(file: &Path) -> Result<(), LogError> {
    let failed = |why: &dyn Display| {
        let file = file.display();
        Err(LogError::Store(format!("the certificate for NATS in {file} cannot be used: {why}; see --store-identity")))
    };
    match std::fs::read_to_string(file) {
        Err(error) => failed(&error),
        Ok(text) if !text.contains("BEGIN CERTIFICATE") => failed(&"the file has no certificate"),
        Ok(text) if !text.contains("PRIVATE KEY") => failed(&"the file has no key beside it"),
        Ok(_) => Ok(()),
    }
}

/// Takes what lets the server in from a file; what stands in it is told nobody.
fn with_credentials(options: ConnectOptions, file: &Path) -> Result<ConnectOptions, LogError> {
    let failed = |why: &dyn Display| {
        LogError::Store(format!(
            "the credentials for NATS in {} cannot be used: {why}; see --store-credentials",
            file.display()
        ))
    };
    let text = std::fs::read_to_string(file).map_err(|error| failed(&error))?;
    if text.contains("-----BEGIN") {
        return options.credentials(&text).map_err(|_| failed(&"they are not as `nsc` writes them"));
    }
    let line = text.trim();
    if line.is_empty() || line.contains(char::is_whitespace) && !line.contains(':') || line.contains('\n') {
        return Err(failed(
            &"the file has neither what `nsc` writes nor one line with user:password, the seed of an NKey, or a token",
        ));
    }
    Ok(match line.split_once(':') {
        Some((user, password)) => options.user_and_password(user.to_owned(), password.to_owned()),
        None if line.starts_with(SEED) => options.nkey(line.to_owned()),
        None => options.token(line.to_owned()),
    })
}

/// Which server is tried next when the connection is lost: one after the other, so that the one that has just stopped answering
/// is not the first.
#[derive(Debug, Default)]
struct Rotation {
    tried: AtomicUsize,
    /// There was a connection; until then all are tried at random.
    has_begun: AtomicBool,
}

impl Rotation {
    fn begin(&self) {
        self.has_begun.store(true, Ordering::Relaxed);
    }

    fn next_of(&self, servers: &[Server]) -> Option<ReconnectToServer> {
        if !self.has_begun.load(Ordering::Relaxed) || servers.is_empty() {
            return None;
        }
        let server = &servers[self.tried.fetch_add(1, Ordering::Relaxed) % servers.len()];
        Some(ReconnectToServer { addr: server.addr.clone(), delay: Some(pause_after(server.failed_attempts)) })
    }
}

fn pause_after(attempts: usize) -> Duration {
    let pause = Duration::from_millis(20).saturating_mul(u32::try_from(attempts).unwrap_or(u32::MAX));
    pause.min(LONGEST_PAUSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_a_loss_one_server_is_tried_after_the_other() {
        let server = |port: u16| Server {
            addr: format!("nats://10.0.0.1:{port}").parse().expect("an address"),
            failed_attempts: 0,
            did_connect: true,
            is_discovered: false,
            last_error: None,
        };
        let (servers, rotation) = ([4221, 4222, 4223].map(server), Rotation::default());
        assert!(rotation.next_of(&servers).is_none(), "the first connection is made to any of them");

        rotation.begin();

        let tried = [(); 4].map(|()| rotation.next_of(&servers).map(|next| next.addr.port()));
        assert_eq!(tried, [4221, 4222, 4223, 4221].map(Some));
    }

    #[test]
    fn servers_are_read_as_one_list_and_what_is_wrong_is_said() {
        let read = |text: &str| NatsOptions::parse_servers(text);
        assert_eq!(read("nats://10.0.0.1:4222").as_deref(), Ok(&["nats://10.0.0.1:4222".to_owned()][..]));
        let cluster = ["tls://a.example:4222", "tls://b.example:4223"].map(str::to_owned);
        assert_eq!(read("tls://a.example:4222,b.example:4223").as_deref(), Ok(&cluster[..]));
        for wrong in ["http://10.0.0.1:4222", "nats://", "nats://a b", "nats://a:4222,"] {
            let error = read(wrong).expect_err(wrong);
            assert!(error.contains("write it like nats://10.0.0.1:4222"), "{wrong}: {error}");
        }
        let error = read("nats://ada:secret@10.0.0.1:4222").expect_err("refused");
        assert!(error.contains("store-credentials") && !error.contains("secret"), "{error}");
    }
}
