//! What `file_undo` puts back, through the manager and a session's memory: only there are images and changes.

use std::path::PathBuf;

use super::*;
use crate::test_support::{Bench, map};
use crate::{apply_patch::ApplyPatch, file_edit::FileEdit, file_read::FileRead, file_write::FileWrite};
use switchboard_events::MAX_VALUE_BYTES;
use switchboard_protocol::ServerMessage;
use switchboard_tools::test_support::{TestManager, failure, manager, suggestion};
use switchboard_tools::{ApproveMode, CallOutcome};

fn bench() -> Bench<FileUndo> {
    Bench::new(FileUndo::new())
}

struct Session(TestManager);

impl Session {
    fn new() -> Self {
        Self(manager(
            ApproveMode::Ask,
            [
                std::sync::Arc::new(FileRead::new()) as std::sync::Arc<dyn Tool>,
                std::sync::Arc::new(FileWrite::new()),
                std::sync::Arc::new(FileEdit::new()),
                std::sync::Arc::new(ApplyPatch::new()),
                std::sync::Arc::new(FileUndo::new()),
            ],
        ))
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.folder().join(path)
    }

    fn text(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.path(path)).ok()
    }

    async fn write(&self, path: &str, content: &str) -> String {
        self.done("file_write", json!({"path": path, "content": content})).await
    }

    /// A call that works: its id.
    async fn done(&self, tool: &str, arguments: Value) -> String {
        let outcome = self.0.call(tool, arguments).await;
        assert_eq!(outcome.result.failure, None);
        outcome.operation.call_id.to_string()
    }

    async fn undo(&self, arguments: Value) -> CallOutcome {
        self.0.call("file_undo", arguments).await
    }

    /// Of the last call: what can be undone, and what was.
    fn ended(&self) -> (bool, Vec<CallId>) {
        let end = self.0.host.messages().into_iter().rev().find_map(|message| match message {
            ServerMessage::ToolCallEnd { undoable, undid, .. } => Some((undoable, undid.unwrap_or_default())),
            _ => None,
        });
        end.expect("a call has ended")
    }
}

#[test]
fn its_definition_is_whole() {
    bench().definition_is_whole();
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_named() {
    let bench = bench();
    assert!(bench.problems(json!({"count": 0})).await.contains("`count`"));
    assert!(bench.problems(json!({"count": 21})).await.contains("`count`"));
    assert!(bench.problems(json!({"call_ids": []})).await.contains("`call_ids`"));
    assert_eq!(bench.tool.undoes(&map(json!({}))), Some(UndoTarget::Last(1)));
    assert_eq!(bench.tool.undoes(&map(json!({"call_ids": ["a"]}))), Some(UndoTarget::Calls(vec!["a".into()])));
}

#[tokio::test]
async fn created_and_changed_files_are_put_back_one_by_one_and_forward_again() {
    let session = Session::new();
    session.write("a.txt", "one").await;
    let second = session.write("a.txt", "two").await;

    let undo = session.undo(json!({})).await;
    let (text, ended) = (session.text("a.txt"), session.ended());
    session.undo(json!({})).await;
    let gone = session.text("a.txt");
    let redo = session.undo(json!({"call_ids": [undo.operation.call_id.to_string()]})).await;

    assert_eq!(text.as_deref(), Some("one"));
    assert_eq!(ended, (true, vec![second.as_str().into()]));
    assert_eq!(undo.result.view.as_deref(), Some("Put back 1 file as before: a.txt."));
    assert_eq!(gone, None);
    assert!(failure(&redo).1.contains("nothing was put back, because a.txt no longer exists"), "{redo:?}");
}

#[tokio::test]
async fn several_changes_are_put_back_at_once_and_that_too() {
    let session = Session::new();
    session.write("a.txt", "one").await;
    session.write("b.txt", "b").await;
    session.done("file_edit", json!({"path": "a.txt", "find": "one", "replace": "two"})).await;

    let undo = session.undo(json!({"count": 3})).await;
    let after = (session.text("a.txt"), session.text("b.txt"));
    session.undo(json!({"call_ids": [undo.operation.call_id.to_string()]})).await;

    assert_eq!(after, (None, None));
    assert_eq!((session.text("a.txt").as_deref(), session.text("b.txt").as_deref()), (Some("two"), Some("b")));
    // What was put back and brought back again is there to be undone.
    session.done("file_undo", json!({})).await;
    assert_eq!(session.text("a.txt").as_deref(), Some("one"));
}

#[tokio::test]
async fn deleted_and_renamed_files_come_back_with_their_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let session = Session::new();
    session.write("a.sh", "a\n").await;
    session.write("b.txt", "b\n").await;
    std::fs::set_permissions(session.path("a.sh"), std::fs::Permissions::from_mode(0o750)).expect("set");
    let patch = "diff --git a/a.sh b/c.sh\nrename from a.sh\nrename to c.sh\n--- a/a.sh\n+++ b/c.sh\n@@ -1 +1 @@\n-a\n+c\n\
                 diff --git a/b.txt b/b.txt\ndeleted file mode 100644\n--- a/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n";
    session.done("apply_patch", json!({"patch": patch})).await;
    let patched = (session.text("a.sh"), session.text("c.sh"), session.text("b.txt"));

    session.done("file_undo", json!({})).await;

    assert_eq!(patched, (None, Some("c\n".to_owned()), None));
    let back = (session.text("a.sh"), session.text("c.sh"), session.text("b.txt"));
    assert_eq!(back, (Some("a\n".to_owned()), None, Some("b\n".to_owned())));
    let mode = std::fs::metadata(session.path("a.sh")).expect("back").permissions().mode();
    assert_eq!(mode & 0o777, 0o750);
}

#[tokio::test]
async fn a_file_that_changed_meanwhile_is_named_and_nothing_is_put_back() {
    let session = Session::new();
    session.write("a.txt", "one").await;
    let patch = "--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1 @@\n+b\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n\\ No newline at end of file\n+two\n";
    session.done("apply_patch", json!({"patch": patch})).await;
    std::fs::write(session.path("a.txt"), "by hand").expect("written");

    let refused = session.undo(json!({})).await;

    assert!(failure(&refused).1.ends_with("nothing was put back, because a.txt has changed since then"), "{refused:?}");
    assert!(suggestion(&refused).contains("Undo the changes that came later first"));
    assert!(!refused.started);
    assert_eq!((session.text("a.txt").as_deref(), session.text("b.txt").as_deref()), (Some("by hand"), Some("b\n")));
}

#[tokio::test]
async fn what_cannot_be_undone_says_so() {
    let session = Session::new();
    let nothing = session.undo(json!({})).await;
    let call = session.write("a.txt", "one").await;
    let unknown = session.undo(json!({"call_ids": ["x"]})).await;
    session.done("file_undo", json!({"call_ids": [call]})).await;
    let twice = session.undo(json!({"call_ids": [call], "count": 1})).await;

    assert!(failure(&nothing).1.contains("there is nothing to undo"), "{nothing:?}");
    assert!(failure(&unknown).1.ends_with("the call x changed no file that can be restored"), "{unknown:?}");
    assert!(failure(&twice).1.contains(&format!("the call {call} has already been undone by the call")), "{twice:?}");
}

#[tokio::test]
async fn whether_it_can_be_undone_is_known_before_it_is_asked() {
    let session = Session::new();
    let large = std::fs::File::create(session.path("large")).expect("made");
    large.set_len(MAX_VALUE_BYTES as u64 + 1).expect("it has holes");

    session.write("a.txt", "one").await;
    session.0.call_with("file_write", json!({"path": "large", "content": "x"}), |call| call.by_user = true).await;

    let asked: Vec<bool> = session.0.host.asks().iter().map(|ask| ask.undoable).collect();
    assert_eq!(asked, [true]);
    assert_eq!(session.ended(), (false, Vec::new()));
    assert_eq!(session.text("large").as_deref(), Some("x"));
}

#[tokio::test]
async fn whoever_is_asked_sees_which_calls_are_meant_and_what_becomes_of_the_files() {
    let session = Session::new();
    session.write("a.txt", "one\n").await;
    let call = session.write("a.txt", "two\n").await;

    session.done("file_undo", json!({"n": 1})).await;

    let ask = session.0.host.asks().pop().expect("it was asked");
    assert_eq!((ask.tool.as_str(), ask.undoable), ("file_undo", true));
    assert_eq!(Value::Object(ask.arguments), json!({"call_ids": [call]}));
    assert_eq!(ask.diff.as_deref(), Some("--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-two\n+one\n"));
}

#[tokio::test]
async fn a_file_that_was_not_read_is_neither_asked_about_nor_changed() {
    let session = Session::new();
    std::fs::write(session.path("a.txt"), "by hand").expect("written");

    let refused = session.0.call("file_write", json!({"path": "a.txt", "content": "x"})).await;
    let asked = session.0.host.asks().len();
    session.done("file_read", json!({"path": "a.txt"})).await;
    session.write("a.txt", "x").await;
    session.write("a.txt", "y").await;

    assert!(failure(&refused).1.ends_with("a.txt already exists and has not been read in this session"));
    assert!(suggestion(&refused).contains("file_read(path=\"a.txt\")"));
    assert_eq!((asked, refused.started), (0, false));
    assert_eq!(session.text("a.txt").as_deref(), Some("y"));
}

#[tokio::test]
async fn g23_two_calls_on_one_file_lose_no_update() {
    let session = Session::new();
    session.write("a.txt", "0\n").await;
    let edit = |number: u32| {
        session.0.call("file_edit", json!({"path": "a.txt", "find": "0", "replace": format!("0\n{number}")}))
    };

    let ended = futures_util::future::join_all((1..=8).map(edit)).await;

    let failed: Vec<_> = ended.iter().filter_map(|ended| ended.result.failure.as_ref()).collect();
    assert!(failed.is_empty(), "{failed:#?}");
    let text = session.text("a.txt").expect("there");
    let lines: std::collections::BTreeSet<&str> = text.lines().collect();
    assert_eq!(lines.len(), 9, "{text}");
}

#[tokio::test]
async fn its_preview_says_what_was_put_back() {
    let session = Session::new();
    session.write("a.txt", "a").await;

    let undone = session.undo(json!({})).await;

    let preview = bench().tool.preview(&undone.result, 3);
    assert!(preview[0].contains("a.txt") || preview[0].contains("1 file"), "{preview:?}");
}
