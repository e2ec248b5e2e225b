//! What the index must do beside finding: follow the log, survive its file, and tell nobody what is somebody else's.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use switchboard_accounts::Principal;
use switchboard_events::test_support::append;
use switchboard_events::{Append, ConversationSearch, EncodedEvent, SaidBy, SearchResult, SessionLog};
use switchboard_protocol::SessionId;
use switchboard_runtime::Shutdown;
use tempfile::TempDir;
use tokio::time::timeout;

use super::ConversationIndex;
use super::file::IndexFile;
use crate::{SqliteLog, SqliteOptions};

/// A log with its index, which is kept up to date.
struct Bench {
    folder: TempDir,
    log: Arc<SqliteLog>,
    index: ConversationIndex,
    shutdown: Shutdown,
}

impl Bench {
    fn new() -> Self {
        Self::on(tempfile::tempdir().expect("a folder"))
    }

    fn on(folder: TempDir) -> Self {
        let log = Arc::new(SqliteLog::open(folder.path(), SqliteOptions::default()).expect("a log"));
        let shutdown = Shutdown::new();
        let index = ConversationIndex::start(folder.path(), &log, &shutdown);
        Self { folder, log, index, shutdown }
    }

    /// A session in which this was said, by the user and the agent in turns.
    async fn session(&self, owner: &Principal, title: &str, said: &[&str]) -> SessionId {
        let session = SessionId::random();
        self.log.create(session, owner).await.expect("made");
        self.say(session, 0, Some(title), said).await;
        session
    }

    async fn say(&self, session: SessionId, expected: u64, title: Option<&str>, said: &[&str]) {
        let events = said.iter().zip(0..).map(|(text, at)| event(at % 2 == 1, expected + at + 1, text)).collect();
        let title = title.map(str::to_owned);
        self.log.append(Append { events, title, ..append(session, expected, 0) }).await.expect("written");
    }

    async fn find(&self, words: &str) -> SearchResult {
        self.index.search(&Principal::local(), words, 20).await.expect("an answer")
    }

    /// Asks until the index is as the claim says; changes are gathered for a moment.
    async fn until(&self, words: &str, claim: impl Fn(&SearchResult) -> bool) -> SearchResult {
        let mut passes = self.index.passes();
        let asked = async {
            loop {
                let found = self.find(words).await;
                if !found.indexing && claim(&found) {
                    return found;
                }
                passes.changed().await.expect("the index is kept up to date");
            }
        };
        let found = timeout(Duration::from_secs(20), asked).await;
        found.unwrap_or_else(|_| panic!("\"{words}\" is not found as it should be"))
    }

    async fn count(&self, words: &str, count: usize) -> SearchResult {
        self.until(words, |found| found.sessions.len() == count).await
    }

    async fn stop(self) -> TempDir {
        self.shutdown.stop();
        self.shutdown.ended().await;
        self.log.close().await;
        self.folder
    }
}

fn event(by_agent: bool, seq: u64, text: &str) -> EncodedEvent {
    let kind = if by_agent { "agent-response" } else { "user-message" };
    let frame = serde_json::json!({"type": kind, "seq": seq, "text": text}).to_string();
    EncodedEvent { at: "2026-11-25T12:00:00Z".to_owned(), frame: frame.into(), private: None }
}

/// The found place as a line, what was found in brackets.
fn shown(found: &SearchResult) -> Vec<String> {
    let places = found.sessions.iter().flat_map(|session| &session.places);
    places
        .map(|place| {
            let text = place.pieces.iter().map(|piece| match piece.found {
                true => format!("[{}]", piece.text),
                false => piece.text.clone(),
            });
            text.collect()
        })
        .collect()
}

#[tokio::test]
async fn what_was_said_is_found_with_its_place() {
    let bench = Bench::new();
    let session = bench.session(&Principal::local(), "Numbers", &["Add up\tsales.csv", "The sum is 42."]).await;

    let found = bench.count("sum 42", 1).await;

    let hit = &found.sessions[0];
    assert_eq!((hit.row.session, hit.row.title.as_deref(), hit.title.is_none()), (session, Some("Numbers"), true));
    assert_eq!((hit.places[0].seq, hit.places[0].by), (2, SaidBy::Agent));
    assert_eq!(hit.places[0].at, "2026-11-25T12:00:00Z");
    assert_eq!(shown(&found), ["The [sum] is [42]."]);
    assert_eq!(shown(&bench.find("sales.c").await), ["Add up [sales.csv]"]);
}

#[tokio::test]
async fn a_word_is_found_by_its_beginning_in_any_case_and_with_or_without_umlauts() {
    let bench = Bench::new();
    bench.session(&Principal::local(), "t", &["Die Größe der Überschrift für die Straße in ÄÖÜ"]).await;
    bench.count("größe", 1).await;

    for words in [
        "GRÖ",
        "grösse",
        "grosse",
        "große",
        "groß",
        "über",
        "uberschrift",
        "ÜBERSCHR",
        "strasse",
        "STRASSE",
        "äöü",
        "aou",
    ] {
        assert_eq!(bench.find(words).await.sessions.len(), 1, "{words}");
    }
    for words in ["schrift", "röße", "überschriften"] {
        assert_eq!(bench.find(words).await.sessions.len(), 0, "{words}");
    }
}

#[tokio::test]
async fn nothing_that_is_typed_is_an_operator() {
    let bench = Bench::new();
    bench.session(&Principal::local(), "one", &["bread AND butter", "text: NEAR the \"end\""]).await;
    bench.session(&Principal::local(), "two", &["bread or jam"]).await;
    bench.count("bread", 2).await;

    for (words, finds) in [
        ("bread AND", 1),
        ("bread OR", 1),
        ("bread NOT butter", 0),
        ("text:", 1),
        ("NEAR(the, 2)", 0),
        ("\"end\"", 1),
        ("\"end", 1),
        ("bread*", 2),
        ("^bread", 2),
        ("-bread", 2),
        ("{text} : bread", 0),
        ("'; DROP TABLE words; --", 0),
        ("( ) * ^ \"", 0),
        ("\u{0}bread\u{2}", 2),
    ] {
        assert_eq!(bench.find(words).await.sessions.len(), finds, "{words}");
    }
}

#[tokio::test]
async fn a_title_counts_more_than_a_later_message() {
    let bench = Bench::new();
    let titled = bench.session(&Principal::local(), "The budget of May", &["hello"]).await;
    let said = bench.session(&Principal::local(), "Other", &["what is a budget"]).await;

    let found = bench.count("budg", 2).await;

    let order: Vec<_> = found.sessions.iter().map(|hit| (hit.row.session, hit.places.len())).collect();
    assert_eq!(order, [(titled, 0), (said, 1)]);
    let title = found.sessions[0].title.as_ref().expect("it is in the title");
    assert!(title.iter().any(|piece| piece.found && piece.text == "budget"), "{title:?}");

    bench.say(titled, 1, Some("Renamed"), &[]).await;
    bench.count("budget", 1).await;
    bench.count("renam", 1).await;
}

#[tokio::test]
async fn a_deleted_session_is_found_no_more_and_its_text_leaves_the_file() {
    let bench = Bench::new();
    let session = bench.session(&Principal::local(), "zanzibar", &["the password is xylophone"]).await;
    bench.count("xyloph", 1).await;

    bench.log.delete(session).await.expect("deleted");
    assert_eq!(bench.find("xylophone").await.sessions.len(), 0, "at once, whether or not it was read into the index");
    let kept = bench.session(&Principal::local(), "kept", &["something else"]).await;
    bench.count("something", 1).await;

    let folder = bench.stop().await;
    let index = rusqlite::Connection::open(folder.path().join("search.db")).expect("the file");
    index.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").expect("taken over");
    drop(index);
    let bytes = std::fs::read(folder.path().join("search.db")).expect("the file");
    let has = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(has(&kept.to_string()), "the file is the right one");
    assert!(!has("xylophone") && !has("zanzibar") && !has(&session.to_string()), "deleted text is still in the file");
}

#[tokio::test]
async fn another_owner_finds_nothing() {
    let bench = Bench::new();
    let other = Principal::named("other");
    bench.session(&Principal::local(), "secret title", &["secret words"]).await;
    bench.count("secret", 1).await;

    assert_eq!(bench.index.search(&other, "secret", 20).await.expect("an answer").sessions, []);
    bench.session(&other, "own", &["secret of the other"]).await;
    bench.session(&Principal::local(), "more", &["a secret more"]).await;
    let found = bench.count("secret", 2).await;
    assert!(found.sessions.iter().all(|hit| hit.row.owner == Principal::local()), "{found:?}");
}

#[tokio::test]
async fn a_damaged_entry_leads_to_no_text_of_another_owner() {
    let bench = Bench::new();
    let other = Principal::named("other");
    bench.session(&Principal::local(), "own", &["plain words"]).await;
    bench.session(&other, "theirs", &["secret words"]).await;
    bench.count("plain", 1).await;
    let folder = bench.stop().await;
    std::fs::remove_file(folder.path().join("search.db")).expect("removed");
    let file = rusqlite::Connection::open(folder.path().join("switchboard.db")).expect("the file");
    file.execute("UPDATE sessions SET number = 2 WHERE owner <> 'other'", []).expect("damaged");
    drop(file);

    let bench = Bench::on(folder);

    bench.count("own", 1).await;
    assert_eq!(bench.find("secret").await.sessions, []);
    assert_eq!(bench.index.search(&other, "secret", 20).await.expect("an answer").sessions.len(), 1);
}

#[tokio::test]
async fn answers_are_bounded_and_say_that_there_is_more() {
    let bench = Bench::new();
    for at in 0..8 {
        bench
            .session(&Principal::local(), &format!("{at}"), &["needle one", "needle two", "needle", "needle", "needle"])
            .await;
    }
    bench.count("needle", 8).await;

    let found = bench.index.search(&Principal::local(), "needle", 5).await.expect("an answer");

    let titles: Vec<_> = found.sessions.iter().map(|hit| hit.row.title.as_deref().unwrap_or_default()).collect();
    assert_eq!((titles, found.more), (vec!["7", "6", "5", "4", "3"], true));
    assert!(found.sessions.iter().all(|hit| hit.places.len() <= 3), "{found:?}");
    assert!(!bench.find("needle").await.more);
    assert_eq!(shown(&bench.find(&"needle ".repeat(500)).await).len(), 24);
}

#[tokio::test]
async fn a_long_message_is_found_wherever_the_word_stands() {
    let bench = Bench::new();
    let long = format!("{} haystack {}", "straw ".repeat(60_000), "straw ".repeat(60_000));
    bench.session(&Principal::local(), "t", &[&long]).await;

    let found = bench.count("haystack", 1).await;

    let text: usize = found.sessions[0].places[0].pieces.iter().map(|piece| piece.text.len()).sum();
    assert!(text < 500, "{text}");
}

/// What the index finds when its file was changed while no server ran.
async fn after(change: impl FnOnce(&Path)) -> (Bench, SessionId) {
    let bench = Bench::new();
    let session = bench.session(&Principal::local(), "t", &["one apple", "two pears"]).await;
    bench.count("apple", 1).await;
    let folder = bench.stop().await;
    change(&folder.path().join("search.db"));
    (Bench::on(folder), session)
}

/// What is done to the file.
type Change = fn(&Path);

#[tokio::test]
async fn a_lost_broken_or_foreign_file_is_built_again_and_nothing_is_lost() {
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
        let (bench, session) = after(change).await;
        // Damage is noticed by who meets it: by what is read into the index, or by a question.
        bench.say(session, 2, None, &["three plums"]).await;

        let found = bench.count("apple", 1).await;
        bench.count("plums", 1).await;

        assert_eq!(found.sessions[0].row.session, session, "{what}");
        assert_eq!(bench.log.read(session, 0, 10).await.expect("the log is whole").len(), 3, "{what}");
    }
}

#[tokio::test]
async fn what_happened_without_the_index_is_read_at_the_next_start() {
    let (bench, session) = after(|_| {}).await;
    bench.count("apple", 1).await;
    let folder = bench.stop().await;
    let log = Arc::new(SqliteLog::open(folder.path(), SqliteOptions::default()).expect("a log"));
    let other = SessionId::random();
    log.create(other, &Principal::local()).await.expect("made");
    let late = Append { events: vec![event(false, 1, "a late cherry")], ..append(other, 0, 0) };
    log.append(late).await.expect("written");
    log.delete(session).await.expect("deleted");

    let index = ConversationIndex::caught_up(folder.path(), &log).await.expect("read");

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

#[tokio::test]
async fn a_file_that_is_taken_away_while_the_server_runs_is_built_again() {
    let bench = Bench::new();
    let session = bench.session(&Principal::local(), "t", &["one apple"]).await;
    bench.count("apple", 1).await;

    bench.index.shared_file().remove();
    bench.say(session, 1, None, &["two plums"]).await;

    bench.count("plums", 1).await;
    bench.count("apple", 1).await;
}
