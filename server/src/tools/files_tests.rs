//! What the session's memory of files allows.

use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::tools::test_tools::workspace;

struct Desk {
    folder: tempfile::TempDir,
    workspace: Arc<Workspace>,
    tracker: FileTracker,
}

impl Desk {
    fn new() -> Self {
        let (folder, workspace) = workspace();
        Self { folder, workspace, tracker: FileTracker::default() }
    }

    fn write(&self, path: &str, text: &str) {
        std::fs::write(Path::new(self.folder.path()).join(path), text).expect("a file can be written");
    }

    async fn see(&self, path: &str) {
        let (_, fingerprint) = self.workspace.read_tracked(path, 1000).await.expect("the file is there");
        let path = self.workspace.relative(path).expect("a path inside");
        self.tracker.saw(&ToolResult { read_files: vec![SeenFile { path, fingerprint }], ..ToolResult::default() });
    }

    async fn take(&self, path: &str) -> Result<(), ToolFailure> {
        self.tracker.take(&self.workspace, &[path.to_owned()]).await.map(drop)
    }
}

#[tokio::test]
async fn a_file_never_seen_may_be_written() {
    let desk = Desk::new();
    desk.write("a.txt", "one");

    assert_eq!(desk.take("a.txt").await, Ok(()));
    assert_eq!(desk.take("new/b.txt").await, Ok(()));
}

#[tokio::test]
async fn a_file_that_changed_since_it_was_seen_must_be_read_again() {
    let desk = Desk::new();
    desk.write("a.txt", "one");
    desk.see("a.txt").await;
    let before = desk.take("./a.txt").await;

    desk.write("a.txt", "two!");
    let changed = desk.take("a.txt").await;
    desk.see("a.txt").await;
    let after = desk.take("a.txt").await;

    assert_eq!((before, after), (Ok(()), Ok(())));
    let refused = changed.expect_err("it has changed");
    assert_eq!(refused.message, "a.txt has changed since it was last read or written here");
    let next = "Read it again with file_read(path=\"a.txt\"), then decide.";
    assert_eq!(refused.suggestion.as_deref(), Some(next));
}

#[tokio::test]
async fn a_file_that_is_gone_or_forgotten_may_be_written() {
    let desk = Desk::new();
    desk.write("a.txt", "one");
    desk.write("b.txt", "one");
    desk.see("a.txt").await;
    desk.see("b.txt").await;

    std::fs::remove_file(desk.folder.path().join("a.txt")).expect("it was there");
    desk.write("b.txt", "two!");
    let gone = desk.take("a.txt").await;
    desk.tracker.clear();

    assert_eq!(gone, Ok(()));
    assert_eq!(desk.take("b.txt").await, Ok(()));
}

#[tokio::test]
async fn a_path_outside_is_a_matter_of_security() {
    let refused = Desk::new().take("../a.txt").await.expect_err("it is outside");

    assert_eq!(refused.error_type, ErrorType::Security);
}
