//! How often tools were called, kept in the data folder: read at the start, written beside everything else.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use switchboard_runtime::Shutdown;
use switchboard_tools::{ToolRegistry, UsageLedger, UsageRecord};

/// Its name in the data folder.
const FILE: &str = "tool-usage.json";

/// How often it is written, if something was called.
const EVERY: Duration = Duration::from_secs(2);

/// Goes on from what is in the data folder, and keeps writing it until the server stops. What cannot be read begins anew:
/// nothing depends on it.
pub(super) fn keep_tool_usage(registry: &ToolRegistry, data: &Path, shutdown: &Shutdown) {
    let (ledger, file) = (registry.usage_ledger(), data.join(FILE));
    match read(&file) {
        Ok(records) => ledger.restore(records),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => tracing::warn!("{} cannot be read, so calls are counted from 0: {error}", file.display()),
    }
    let stopping = shutdown.stopping().clone();
    drop(shutdown.spawn(async move {
        let mut written = ledger.changes();
        loop {
            let last = tokio::select! {
                () = stopping.cancelled() => true,
                () = tokio::time::sleep(EVERY) => false,
            };
            written = keep(&ledger, &file, written).await;
            if last {
                return;
            }
        }
    }));
}

/// Writes it if it has changed since it was written; what is written then.
async fn keep(ledger: &Arc<UsageLedger>, file: &Path, written: u64) -> u64 {
    let changes = ledger.changes();
    if changes == written {
        return written;
    }
    let (ledger, path) = (Arc::clone(ledger), file.to_owned());
    let kept = tokio::task::spawn_blocking(move || write(&path, &ledger)).await;
    match kept {
        Ok(Ok(())) => changes,
        Ok(Err(error)) => {
            tracing::warn!("{} cannot be written: {error}", file.display());
            changes
        }
        Err(_) => written,
    }
}

fn read(file: &Path) -> io::Result<BTreeMap<String, UsageRecord>> {
    Ok(serde_json::from_slice(&std::fs::read(file)?)?)
}

/// All of it or nothing.
fn write(path: &Path, ledger: &UsageLedger) -> io::Result<()> {
    let text = serde_json::to_vec(&*ledger.records())?;
    let mut file = tempfile::NamedTempFile::new_in(path.parent().unwrap_or(Path::new(".")))?;
    file.write_all(&text)?;
    file.persist(path)?;
    Ok(())
}
