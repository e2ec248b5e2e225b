//! The requests that the rules must understand, in many words.

use crate::agent::test_host::TestSession;

#[tokio::test]
async fn what_was_written_can_be_read_and_copied() {
    let session = TestSession::with_files(&[]);

    session.say("Write \"Hello, World!\" to file notes/hello.txt").await;
    session.say("Read the file notes/hello.txt").await;
    let turned = session.say("save that to copy.txt").await;

    assert_eq!(turned.tools, ["file_write"]);
    assert_eq!(session.file("copy.txt").as_deref(), Some("Hello, World!"));
}
