//! What requests can name in the workspace and on the machine, as it is now: paths and programs. Never what files hold.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use switchboard_nlu::Paths;
use switchboard_rules::WorkspaceNames;
use switchboard_workspace::{EntryKind, WalkEntry, WalkOptions, Workspace};

/// How many files and folders are known by name; whatever lies behind them can be named by its whole path only.
const MAX_NAMES: usize = 20_000;

/// The longest that looking takes,
const LOOKING: Duration = Duration::from_millis(300);

/// but for as many names as this it takes as long as it must: what is answered in a usual workspace does not depend on how busy
/// the machine is.
const AT_LEAST: u64 = 2_000;

/// The names of a workspace and of the programs that commands find.
pub(super) struct Names {
    workspace: Arc<Workspace>,
    programs: HashSet<String>,
}

impl Names {
    pub(super) fn new(workspace: Arc<Workspace>) -> Self {
        Self { workspace, programs: programs() }
    }
}

#[async_trait]
impl WorkspaceNames for Names {
    async fn paths(&self) -> Arc<Paths> {
        let workspace = Arc::clone(&self.workspace);
        let looked = tokio::task::spawn_blocking(move || look(&workspace, LOOKING));
        Arc::new(looked.await.unwrap_or_default())
    }

    fn is_program(&self, name: &str) -> bool {
        self.programs.contains(name)
    }
}

/// All paths but what lies in folders that `.gitignore` names; hidden and ignored files too, since people ask about their `.env`.
fn look(workspace: &Workspace, looking: Duration) -> Paths {
    let options = WalkOptions { hidden: true, ignored_files: true, ..WalkOptions::default() };
    let Ok(walk) = workspace.walk(".", options) else { return Paths::default() };
    let begun = Instant::now();
    let note = |(): &mut (), entry: &WalkEntry, found: &mut Vec<(String, bool)>| {
        found.push((entry.path.as_str().to_owned(), entry.kind == EntryKind::Directory));
    };
    let all = walk.find(MAX_NAMES, || (), note, |looked_at| looked_at < AT_LEAST || begun.elapsed() < looking).found;
    let (folders, files): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, folder)| *folder);
    Paths::new(files.into_iter().map(|(path, _)| path), folders.into_iter().map(|(path, _)| path))
}

/// The names of what can be run, from the folders that commands are looked for in.
fn programs() -> HashSet<String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let names = |folder| std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
    std::env::split_paths(&path).flat_map(names).filter_map(|name| name.into_string().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_usual_workspace_is_known_however_long_it_takes() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("data")).expect("a folder");
        std::fs::create_dir(folder.path().join("target")).expect("a folder");
        for (path, text) in [
            ("data/people.csv", "name\n"),
            (".env", "PORT=1\n"),
            ("target/a.txt", "a\n"),
            (".gitignore", ".env\n/target\n"),
        ] {
            std::fs::write(folder.path().join(path), text).expect("a file");
        }
        let workspace = Workspace::open(folder.path(), &[]).expect("a workspace");

        let known = look(&workspace, Duration::ZERO);

        assert_eq!(known.files().collect::<Vec<_>>(), [".env", ".gitignore", "data/people.csv"]);
    }
}
