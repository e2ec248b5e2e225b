//! The data folder itself, while no server has it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::anyhow;
use futures_util::StreamExt;
use switchboard_protocol::SessionId;

use super::summary::{Pieces, Summary};
use crate::http::SearchResults;
use switchboard_accounts::Principal;
use switchboard_events::{ConversationSearch, ListPage, LogError, SessionIndex, SessionLog, SessionRow};
use switchboard_session::{Export, Forks, HtmlPage, Import, transcript};
use switchboard_store::{ConversationIndex, SqliteLog, SqliteOptions};

/// How many rows are read at once.
const PAGE: u64 = 500;

/// An open data folder.
pub(super) struct Folder {
    log: Arc<SqliteLog>,
    forks: Forks,
    path: PathBuf,
    owner: Principal,
}

impl Folder {
    /// Opens it; no server can have it until it is closed.
    pub(super) fn open(folder: &Path) -> Result<Self, LogError> {
        let log = Arc::new(SqliteLog::open(folder, SqliteOptions::default())?);
        if let Some(report) = log.report() {
            eprintln!("warning: {report}");
        }
        let forks = Forks::new(Arc::<SqliteLog>::clone(&log));
        Ok(Self { log, forks, path: folder.to_owned(), owner: Principal::local() })
    }

    pub(super) async fn list(&self) -> anyhow::Result<Vec<Summary>> {
        let mut sessions: Vec<Summary> = Vec::new();
        let mut page = ListPage::first(PAGE);
        loop {
            let rows = self.log.list(&self.owner, &page).await?;
            let Some(last) = rows.last() else { return Ok(sessions) };
            page = page.behind(last);
            sessions.extend(self.forks.summaries(rows).await?);
        }
    }

    /// Reads what is new into the index first.
    pub(super) async fn search(&self, words: &str, limit: u64) -> anyhow::Result<SearchResults> {
        let index = ConversationIndex::caught_up(&self.path, Arc::<SqliteLog>::clone(&self.log)).await?;
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        Ok(index.search(&self.owner, words, limit).await?.into())
    }

    pub(super) async fn get(&self, session: SessionId) -> anyhow::Result<Summary> {
        let row = self.row(session).await?;
        let summary = self.forks.summaries(vec![row]).await?.pop();
        summary.ok_or_else(|| LogError::UnknownSession(session).into())
    }

    pub(super) async fn frames(&self, session: SessionId, after: u64) -> anyhow::Result<Vec<String>> {
        let page = self.log.read(session, after, PAGE).await?;
        Ok(page.iter().map(|event| event.frame.to_string()).collect())
    }

    pub(super) async fn export(&self, session: SessionId) -> anyhow::Result<Pieces> {
        let export = Export::of(Arc::<SqliteLog>::clone(&self.log), self.row(session).await?);
        Ok(export.into_stream().map(|piece| piece.map_err(anyhow::Error::from)).boxed())
    }

    pub(super) async fn page(&self, session: SessionId) -> anyhow::Result<Pieces> {
        let page = HtmlPage::of(Arc::<SqliteLog>::clone(&self.log), self.row(session).await?);
        Ok(page.into_stream().map(|piece| piece.map_err(anyhow::Error::from)).boxed())
    }

    pub(super) async fn transcript(&self, session: SessionId) -> anyhow::Result<Pieces> {
        let row = self.row(session).await?;
        let said = transcript(self.log.as_ref(), row.session).await?;
        Ok(futures_util::stream::iter([Ok(serde_json::to_vec(&said)?.into())]).boxed())
    }

    pub(super) async fn import(&self, file: Pieces) -> anyhow::Result<SessionId> {
        Ok(Import::new(Arc::<SqliteLog>::clone(&self.log), self.owner.clone()).read(file).await?)
    }

    pub(super) async fn delete(&self, session: SessionId) -> anyhow::Result<()> {
        self.row(session).await?;
        self.log.delete(session).await?;
        Ok(())
    }

    pub(super) async fn close(self) {
        self.log.close().await;
    }

    async fn row(&self, session: SessionId) -> anyhow::Result<SessionRow> {
        let row = self.log.get(session, &self.owner).await?;
        row.ok_or_else(|| anyhow!("there is no session {session}; `switchboard sessions list` lists them"))
    }
}
