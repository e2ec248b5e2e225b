//! Where the sessions are: a data folder that no server has, or a server.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use switchboard_protocol::SessionId;

use super::folder::Folder;
use super::server::Server;
use super::summary::{Pieces, Summary};
use crate::config::{Config, Loader};
use crate::http::SearchResults;
use switchboard_events::LogError;
use switchboard_runtime::discover;

/// Where the sessions are.
pub(super) enum Store {
    Folder(Folder),
    Server(Server),
}

impl Store {
    /// The server at this address; without one, the data folder of the settings, or the server that has it.
    pub(super) fn open(url: Option<&str>, token: Option<String>, loader: &Loader) -> anyhow::Result<Self> {
        if let Some(url) = url {
            return Ok(Self::Server(Server::at(url, token)?));
        }
        let config = loader.load()?.config;
        if config.store.is_nats() {
            // What is in NATS is reached through a server that has it.
            return Ok(Self::Server(own_server(&config, token)?));
        }
        match Folder::open(&config.paths.data) {
            Ok(folder) => Ok(Self::Folder(folder)),
            Err(LogError::InUse { .. }) => Ok(Self::Server(own_server(&config, token)?)),
            Err(error) => Err(error.into()),
        }
    }

    /// All sessions, the one that changed last first.
    pub(super) async fn list(&self) -> anyhow::Result<Vec<Summary>> {
        match self {
            Self::Folder(folder) => folder.list().await,
            Self::Server(server) => server.list().await,
        }
    }

    /// What was said with these words.
    pub(super) async fn search(&self, words: &str, limit: u64) -> anyhow::Result<SearchResults> {
        match self {
            Self::Folder(folder) => folder.search(words, limit).await,
            Self::Server(server) => server.search(words, limit).await,
        }
    }

    /// One session.
    pub(super) async fn get(&self, session: SessionId) -> anyhow::Result<Summary> {
        match self {
            Self::Folder(folder) => folder.get(session).await,
            Self::Server(server) => server.get(session).await,
        }
    }

    /// The first frames after event `after`, each as its exact text; none at the end.
    pub(super) async fn frames(&self, session: SessionId, after: u64) -> anyhow::Result<Vec<String>> {
        match self {
            Self::Folder(folder) => folder.frames(session, after).await,
            Self::Server(server) => server.frames(session, after).await,
        }
    }

    /// A session as a file.
    pub(super) async fn export(&self, session: SessionId) -> anyhow::Result<Pieces> {
        match self {
            Self::Folder(folder) => folder.export(session).await,
            Self::Server(server) => server.export(session).await,
        }
    }

    /// A session as a page to be read by anybody.
    pub(super) async fn page(&self, session: SessionId) -> anyhow::Result<Pieces> {
        match self {
            Self::Folder(folder) => folder.page(session).await,
            Self::Server(server) => server.page(session).await,
        }
    }

    /// What was said in a session, in OpenAI's format.
    pub(super) async fn transcript(&self, session: SessionId) -> anyhow::Result<Pieces> {
        match self {
            Self::Folder(folder) => folder.transcript(session).await,
            Self::Server(server) => server.transcript(session).await,
        }
    }

    /// A file as a new session.
    pub(super) async fn import(&self, file: Pieces) -> anyhow::Result<SessionId> {
        match self {
            Self::Folder(folder) => folder.import(file).await,
            Self::Server(server) => server.import(file).await,
        }
    }

    /// Deletes a session.
    pub(super) async fn delete(&self, session: SessionId) -> anyhow::Result<()> {
        match self {
            Self::Folder(folder) => folder.delete(session).await,
            Self::Server(server) => server.delete(session).await,
        }
    }

    /// Lets go of it; everything is on the disk then.
    pub(super) async fn close(self) {
        if let Self::Folder(folder) = self {
            folder.close().await;
        }
    }
}

/// The server that has the data folder. The settings' token goes to no other.
fn own_server(config: &Config, token: Option<String>) -> anyhow::Result<Server> {
    let url = discover(&config.paths.data).unwrap_or_else(|| {
        let listen = config.service.listen;
        let ip = if listen.ip().is_unspecified() { IpAddr::V4(Ipv4Addr::LOCALHOST) } else { listen.ip() };
        format!("http://{}", SocketAddr::new(ip, listen.port()))
    });
    let own_token = || config.http.find_token().map(|token| token.reveal().to_owned());
    Server::at(&url, token.or_else(own_token))
}
