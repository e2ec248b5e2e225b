//! What the session's memory of files allows.

use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::test_support::workspace;

struct TestManager {
    folder: tempfile::TempDir,
    workspace: Arc<Workspace>,
    tracker: FileTracker,
}

impl TestManager {
    fn new() -> Self {
        let (folder, workspace) = workspace();
        Self { folder, workspace, tracker: FileTracker::default() }
    }

    fn write(&self, path: &str, text: &str) {
        std::fs::write(Path::new(self.folder.path()).join(path), text).expect("a file can be written");
    }

    async fn see(&self, path: &str) {
        let (_, fingerprint) = self.workspace.read_tracked(path, 1000).await.expect("the file is there");
        let path = self.workspace.unlinked(path).await.expect("a path inside");
        self.tracker.saw(&ToolResult { read_files: vec![SeenFile { path, fingerprint }], ..ToolResult::default() });
    }

    async fn claim(&self, path: &str) -> Vec<Claim> {
        self.tracker.claim(&self.workspace, &[path.to_owned()]).await.expect("a path inside")
    }

    async fn check(&self, path: &str, rule: Rule<'_>) -> Result<bool, ToolFailure> {
        let claims = self.claim(path).await;
        self.tracker.check(&self.workspace, &claims, rule).await
    }
}

#[tokio::test]
async fn a_file_that_is_there_must_be_read_before_it_is_changed() {
    let manager = TestManager::new();
    manager.write("a.txt", "one");

    let unread = manager.check("a.txt", Rule::Read).await.expect_err("nobody has read it");
    let by_user = manager.check("a.txt", Rule::ByUser).await;
    let new = manager.check("new/b.txt", Rule::Overwrite).await;
    let names = manager.tracker.unread(&manager.workspace, &manager.claim("./a.txt").await).await;
    manager.see("a.txt").await;

    assert_eq!(unread.message, "a.txt already exists and has not been read in this session");
    let next = "Read it first with file_read(path=\"a.txt\"), then make the same call again.";
    assert_eq!(unread.suggestion.as_deref(), Some(next));
    assert_eq!((by_user, new, names), (Ok(true), Ok(true), vec!["a.txt".to_owned()]));
    assert_eq!(manager.check("a.txt", Rule::Overwrite).await, Ok(true));
}

#[tokio::test]
async fn a_call_that_only_creates_leaves_alone_what_is_there_whoever_has_read_it() {
    let manager = TestManager::new();
    manager.write("a.txt", "one");
    manager.see("a.txt").await;

    let refused = manager.check("a.txt", Rule::New).await.expect_err("it is there");
    let new = manager.check("b.txt", Rule::New).await;

    assert_eq!(refused.message, "a.txt already exists, and the request does not say to replace it");
    assert!(refused.suggestion.is_some_and(|next| next.contains("Overwrite a.txt with \"…\"")));
    assert_eq!((new, manager.check("a.txt", Rule::Overwrite).await), (Ok(true), Ok(true)));
}

#[tokio::test]
async fn a_file_that_changed_since_it_was_seen_must_be_read_again() {
    let manager = TestManager::new();
    manager.write("a.txt", "one");
    manager.see("a.txt").await;
    let before = manager.check("./a.txt", Rule::Read).await;

    manager.write("a.txt", "two!");
    let changed = manager.check("a.txt", Rule::Read).await;
    let by_user = manager.check("a.txt", Rule::ByUser).await;
    let named = manager.check("a.txt", Rule::NamedBase).await;
    manager.see("a.txt").await;
    let after = manager.check("a.txt", Rule::Read).await;

    assert_eq!((before, named, after), (Ok(true), Ok(true), Ok(true)));
    let refused = changed.expect_err("it has changed");
    assert_eq!(refused.message, "a.txt has changed since it was last read or written here");
    let next = "Read it again with file_read(path=\"a.txt\"), then decide.";
    assert_eq!(refused.suggestion.as_deref(), Some(next));
    assert_eq!(by_user.expect_err("he cannot know of it"), refused);
}

#[tokio::test]
async fn a_file_that_is_gone_may_be_made_again_and_one_that_is_forgotten_must_be_read() {
    let manager = TestManager::new();
    for path in ["a.txt", "b.txt"] {
        manager.write(path, "one");
        manager.see(path).await;
    }

    std::fs::remove_file(manager.folder.path().join("a.txt")).expect("it was there");
    let gone = manager.check("a.txt", Rule::Read).await;
    manager.tracker.clear();

    assert_eq!(gone, Ok(true));
    assert!(manager.check("b.txt", Rule::Read).await.is_err());
}

#[tokio::test]
async fn a_file_is_the_same_by_every_name_that_links_give_it() {
    let manager = TestManager::new();
    manager.write("a.txt", "one");
    std::fs::create_dir(manager.folder.path().join("real")).expect("made");
    manager.write("real/b.txt", "one");
    std::os::unix::fs::symlink("a.txt", manager.folder.path().join("link.txt")).expect("linked");
    std::os::unix::fs::symlink("real", manager.folder.path().join("alias")).expect("linked");
    manager.see("link.txt").await;
    manager.see("real/b.txt").await;

    assert_eq!(manager.check("a.txt", Rule::Read).await, Ok(true));
    assert_eq!(manager.check("alias/b.txt", Rule::Read).await, Ok(true));
    assert_eq!(manager.claim("link.txt").await, manager.claim("a.txt").await);
    assert_eq!(manager.claim("alias/new/c.txt").await[0].path.as_str(), "real/new/c.txt");
}

#[tokio::test]
async fn what_is_too_large_to_keep_is_known_before() {
    let manager = TestManager::new();
    let large = std::fs::File::create(manager.folder.path().join("large")).expect("made");
    large.set_len(MAX_VALUE_BYTES as u64 + 1).expect("it has holes");

    assert_eq!(manager.check("large", Rule::ByUser).await, Ok(false));
}

#[tokio::test]
async fn a_path_outside_is_a_matter_of_security() {
    let manager = TestManager::new();
    let refused = manager.tracker.claim(&manager.workspace, &["../a.txt".to_owned()]).await.expect_err("it is outside");

    assert_eq!(refused.error_type, ErrorType::Security);
}

#[tokio::test]
async fn g23_content_of_ones_own_does_not_go_over_what_another_call_wrote() {
    let manager = TestManager::new();
    manager.write("a.txt", "one");
    manager.see("a.txt").await;
    let (first, second) = (manager.claim("a.txt").await, manager.claim("a.txt").await);

    let may = manager.tracker.check(&manager.workspace, &first, Rule::Overwrite).await;
    manager.write("a.txt", "first");
    manager.see("a.txt").await;
    let refused = manager.tracker.check(&manager.workspace, &second, Rule::Overwrite).await;

    assert_eq!(may, Ok(true));
    assert_eq!(
        refused.expect_err("it would be lost").message,
        "another call has changed a.txt since this one was made"
    );
    // Baseline: without that rule the second would go over the first.
    assert_eq!(manager.tracker.check(&manager.workspace, &second, Rule::Read).await, Ok(true));
}
