//! What becomes of the index when its file is lost, broken or another one's, and when the log is damaged.

use std::path::Path;

use switchboard_accounts::Principal;
use switchboard_events::test_support::append;
use switchboard_events::{Append, ConversationSearch};
use switchboard_protocol::SessionId;

use super::{Bench, Store, event};
use crate::search::ConversationIndex;
use crate::search::file::IndexFile;

on_each_store!(
    a_lost_broken_or_foreign_file_is_built_again_and_nothing_is_lost,
    what_happened_without_the_index_is_read_at_the_next_start,
    a_file_that_is_taken_away_while_the_server_runs_is_built_again,
);

/// What the index finds when its file was changed while no server ran.
async fn after(store: Store, change: impl FnOnce(&Path)) -> (Bench, SessionId) {
    let bench = Bench::new(store).await;
    let session = bench.session(&Principal::local(), "t", &["one apple", "two pears"]).await;
    bench.count("apple", 1).await;
    let (store, folder) = bench.stop().await;
    change(&folder.path().join("search.db"));
    let bench = Bench::on((store, folder)).await;
    // Whoever starts again has to claim what it writes.
    bench.log.claim(session).await.expect("claimed");
    (bench, session)
}

/// What is done to the file.
type Change = fn(&Path);

async fn a_lost_broken_or_foreign_file_is_built_again_and_nothing_is_lost(mut store: Store) {
    let changes: [(&str, Change); 5] = [
        ("lost", |file| std::fs::remove_file(file).expect("removed")),
        ("garbage", |file| {
            std::fs::write(file, "this is not a database, as everybody can see".repeat(100)).expect("written");
        }),
        ("empty", |file| std::fs::write(file, "").expect("written")),
        ("another version", |file| {
            let index = rusqlite::Connection::open(file).expect("the file");
            index.execute_batch("DELETE FROM places; PRAGMA user_version = 77").expect("changed");
        }),
        ("damaged inside", |file| {
            let mut bytes = std::fs::read(file).expect("read");
            let size = bytes.len();
            bytes[4096..size].fill(0x5a);
            std::fs::write(file, bytes).expect("written");
        }),
    ];
    for (what, change) in changes {
        let (bench, session) = after(store, change).await;
        // Damage is noticed by who meets it: by what is read into the index, or by a question.
        bench.say(session, 2, None, &["three plums"]).await;

        let found = bench.count("apple", 1).await;
        bench.count("plums", 1).await;

        assert_eq!(found.sessions[0].row.session, session, "{what}");
        assert_eq!(bench.log.read(session, 0, 10).await.expect("the log is whole").len(), 3, "{what}");
        bench.log.delete(session).await.expect("deleted");
        store = bench.stop().await.0;
    }
}

async fn what_happened_without_the_index_is_read_at_the_next_start(store: Store) {
    let (bench, session) = after(store, |_| {}).await;
    bench.count("apple", 1).await;
    let (store, folder) = bench.stop().await;
    let log = store.open(folder.path()).await;
    let other = SessionId::random();
    log.create(other, &Principal::local()).await.expect("made");
    let late = Append { events: vec![event(false, 1, "a late cherry")], ..append(other, 0, 0) };
    log.append(late).await.expect("written");
    log.delete(session).await.expect("deleted");

    let index = ConversationIndex::caught_up(folder.path(), log).await.expect("read");

    let find = async |words| index.search(&Principal::local(), words, 5).await.expect("an answer");
    assert_eq!(find("cherry").await.sessions.len(), 1);
    assert_eq!(find("apple").await.sessions.len(), 0);
    assert!(!find("cherry").await.indexing);
}

#[test]
fn a_file_that_cannot_be_opened_for_now_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = IndexFile::in_folder(folder.path(), "g-1");
    let (connection, is_new) = file.open_writer().expect("made");
    drop(connection);
    // As when there are no descriptors left: the file is fine, and what belongs to it does not open.
    let beside = folder.path().join("search.db-wal");
    std::fs::create_dir(&beside).expect("a folder in its place");

    assert!(is_new && file.open_writer().is_err());

    std::fs::remove_dir(&beside).expect("gone");
    assert!(!file.open_writer().expect("opened").1, "it is the same as before");
}

async fn a_file_that_is_taken_away_while_the_server_runs_is_built_again(store: Store) {
    let bench = Bench::new(store).await;
    let session = bench.session(&Principal::local(), "t", &["one apple"]).await;
    bench.count("apple", 1).await;

    bench.index.shared_file().remove();
    bench.say(session, 1, None, &["two plums"]).await;

    bench.count("plums", 1).await;
    bench.count("apple", 1).await;
}

#[tokio::test]
async fn a_damaged_entry_leads_to_no_text_of_another_owner() {
    let bench = Bench::new(Store::Sqlite).await;
    let other = Principal::named("other");
    bench.session(&Principal::local(), "own", &["plain words"]).await;
    bench.session(&other, "theirs", &["secret words"]).await;
    bench.count("plain", 1).await;
    let (store, folder) = bench.stop().await;
    std::fs::remove_file(folder.path().join("search.db")).expect("removed");
    let file = rusqlite::Connection::open(folder.path().join("switchboard.db")).expect("the file");
    file.execute("UPDATE sessions SET number = 2 WHERE owner <> 'other'", []).expect("damaged");
    drop(file);

    let bench = Bench::on((store, folder)).await;

    bench.count("own", 1).await;
    assert_eq!(bench.find("secret").await.sessions, []);
    assert_eq!(bench.index.search(&other, "secret", 20).await.expect("an answer").sessions.len(), 1);
}
