//! How NATS is reached, and how the connection is made.

use std::path::PathBuf;
use std::time::Duration;

use async_nats::{ConnectOptions, Event, ServerAddr};
use switchboard_events::LogError;
use tokio::sync::watch;

use super::jetstream::JetStream;

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(5);
/// How often the server is asked whether it is there.
const PING: Duration = Duration::from_secs(5);
/// The longest pause between two attempts to connect again.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// Where NATS is, and what the log is to be there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NatsOptions {
    /// `nats://host:port` or `tls://host:port`, one or several of a cluster.
    pub servers: Vec<String>,
    /// A file with credentials, as `nsc` and `nats` write it, or one line `user:password`.
    pub credentials: Option<PathBuf>,
    /// Certificates that are trusted beside the system's.
    pub certificates: Option<PathBuf>,
    /// How many NATS servers keep each message, when the streams are made.
    pub replicas: u32,
    /// How many sessions there may be.
    pub max_sessions: Option<u64>,
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
        let failed = |error: &dyn std::fmt::Display| {
            LogError::Store(format!("NATS cannot be reached at {} ({error}); see --store", self.servers.join(", ")))
        };
        let (losses, lost) = watch::channel(0);
        let mut options = ConnectOptions::new()
            .name("switchboard")
            .connection_timeout(CONNECT)
            .ping_interval(PING)
            .max_reconnects(None)
            .reconnect_delay_callback(|attempts| {
                let pause = Duration::from_millis(20).saturating_mul(u32::try_from(attempts).unwrap_or(u32::MAX));
                pause.min(LONGEST_PAUSE)
            })
            .event_callback(move |event| {
                match event {
                    Event::Connected => tracing::info!("connected to NATS"),
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
        if let Some(file) = &self.credentials {
            let text = std::fs::read_to_string(file).map_err(|error| {
                LogError::Store(format!("the credentials for NATS in {} cannot be read: {error}", file.display()))
            })?;
            options = match text.trim().split_once(':').filter(|_| !text.contains("-----BEGIN")) {
                Some((user, password)) => options.user_and_password(user.to_owned(), password.to_owned()),
                None => options.credentials(&text).map_err(|error| {
                    LogError::Store(format!("the credentials for NATS in {} cannot be used: {error}", file.display()))
                })?,
            };
        }
        let addresses: Result<Vec<ServerAddr>, _> = self.servers.iter().map(|server| server.parse()).collect();
        let client =
            options.connect(addresses.map_err(|error| failed(&error))?).await.map_err(|error| failed(&error))?;
        Ok(JetStream::new(client, lost))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
