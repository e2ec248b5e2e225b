//! What the index must do beside finding: follow the log, survive its file, and tell nobody what is somebody else's.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use switchboard_accounts::Principal;
use switchboard_events::test_support::append;
use switchboard_events::{Append, ConversationSearch, EncodedEvent, LogError, SaidBy, SearchResult};
use switchboard_protocol::SessionId;
use switchboard_runtime::Shutdown;
use tempfile::TempDir;
use tokio::time::{sleep, timeout};

use super::{ConversationIndex, IndexedLog};
#[cfg(feature = "nats")]
use crate::test_support::NatsServer;
#[cfg(feature = "nats")]
use crate::{NatsLog, NatsOptions};
use crate::{SqliteLog, SqliteOptions};

/// How long something may take that is a moment's work.
const LIMIT: Duration = Duration::from_secs(20);
/// When it is asked again, whatever the index says of itself.
const AGAIN: Duration = Duration::from_millis(500);

/// Tests that hold for an index of each log.
macro_rules! on_each_store {
    ($($name:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test]
            async fn $name() {
                super::$name(crate::search::tests::Store::Sqlite).await;
            })+
        }
        #[cfg(feature = "nats")]
        mod nats {
            $(#[tokio::test]
            async fn $name() {
                super::$name(crate::search::tests::Store::Nats(crate::test_support::NatsServer::start())).await;
            })+
        }
    };
}

mod files;

on_each_store!(
    what_was_said_is_found_with_its_place,
    a_word_is_found_by_its_beginning_in_any_case_and_with_or_without_umlauts,
    nothing_that_is_typed_is_an_operator,
    a_title_counts_more_than_a_later_message,
    a_deleted_session_is_found_no_more_and_its_text_leaves_the_file,
    another_owner_finds_nothing,
    answers_are_bounded_and_say_that_there_is_more,
    a_long_message_is_found_wherever_the_word_stands,
    what_is_being_imported_is_nobodys_until_it_is_handed_over,
    a_session_of_several_slices_is_read_to_its_end,
);

/// Where a log is.
enum Store {
    Sqlite,
    #[cfg(feature = "nats")]
    Nats(NatsServer),
}

impl Store {
    /// Opens the log of this folder. A program that another test starts holds the folder's lock until it runs.
    async fn open(&self, folder: &Path) -> Arc<dyn IndexedLog> {
        let opened = async {
            loop {
                match self.try_open(folder).await {
                    Err(LogError::InUse { .. }) => sleep(Duration::from_millis(10)).await,
                    opened => return opened.expect("a log"),
                }
            }
        };
        timeout(LIMIT, opened).await.expect("the folder's lock is free")
    }

    async fn try_open(&self, folder: &Path) -> Result<Arc<dyn IndexedLog>, LogError> {
        match self {
            Self::Sqlite => Ok(Arc::new(SqliteLog::open(folder, SqliteOptions::default())?)),
            #[cfg(feature = "nats")]
            Self::Nats(server) => {
                let options = NatsOptions { servers: vec![server.url()], replicas: 1, ..NatsOptions::default() };
                Ok(Arc::new(NatsLog::open(folder, options).await?))
            }
        }
    }
}

/// A log with its index, which is kept up to date.
struct Bench {
    store: Store,
    folder: TempDir,
    log: Arc<dyn IndexedLog>,
    index: ConversationIndex,
    shutdown: Shutdown,
}

impl Bench {
    async fn new(store: Store) -> Self {
        Self::on((store, tempfile::tempdir().expect("a folder"))).await
    }

    async fn on((store, folder): (Store, TempDir)) -> Self {
        let log = store.open(folder.path()).await;
        let shutdown = Shutdown::new();
        let index = ConversationIndex::start(folder.path(), Arc::clone(&log), &shutdown);
        Self { store, folder, log, index, shutdown }
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
                // A file that goes away in the middle of a pass is noticed by who asks next.
                if let Ok(changed) = timeout(AGAIN, passes.changed()).await {
                    changed.expect("the index is kept up to date");
                }
            }
        };
        let found = timeout(LIMIT, asked).await;
        found.unwrap_or_else(|_| panic!("\"{words}\" is not found as it should be"))
    }

    async fn count(&self, words: &str, count: usize) -> SearchResult {
        self.until(words, |found| found.sessions.len() == count).await
    }

    async fn stop(self) -> (Store, TempDir) {
        self.shutdown.stop();
        self.shutdown.ended().await;
        self.log.close().await;
        (self.store, self.folder)
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

async fn what_was_said_is_found_with_its_place(store: Store) {
    let bench = Bench::new(store).await;
    let session = bench.session(&Principal::local(), "Numbers", &["Add up\tsales.csv", "The sum is 42."]).await;

    let found = bench.count("sum 42", 1).await;

    let hit = &found.sessions[0];
    assert_eq!((hit.row.session, hit.row.title.as_deref(), hit.title.is_none()), (session, Some("Numbers"), true));
    assert_eq!((hit.places[0].seq, hit.places[0].by), (2, SaidBy::Agent));
    assert_eq!(hit.places[0].at, "2026-11-25T12:00:00Z");
    assert_eq!(shown(&found), ["The [sum] is [42]."]);
    assert_eq!(shown(&bench.find("sales.c").await), ["Add up [sales.csv]"]);
}

async fn a_word_is_found_by_its_beginning_in_any_case_and_with_or_without_umlauts(store: Store) {
    let bench = Bench::new(store).await;
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

async fn nothing_that_is_typed_is_an_operator(store: Store) {
    let bench = Bench::new(store).await;
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

async fn a_title_counts_more_than_a_later_message(store: Store) {
    let bench = Bench::new(store).await;
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

async fn a_deleted_session_is_found_no_more_and_its_text_leaves_the_file(store: Store) {
    let bench = Bench::new(store).await;
    let session = bench.session(&Principal::local(), "zanzibar", &["the password is xylophone"]).await;
    bench.count("xyloph", 1).await;

    bench.log.delete(session).await.expect("deleted");
    assert_eq!(bench.find("xylophone").await.sessions.len(), 0, "at once, whether or not it was read into the index");
    let kept = bench.session(&Principal::local(), "kept", &["something else"]).await;
    bench.count("something", 1).await;

    let (_store, folder) = bench.stop().await;
    let index = rusqlite::Connection::open(folder.path().join("search.db")).expect("the file");
    index.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").expect("taken over");
    drop(index);
    let bytes = std::fs::read(folder.path().join("search.db")).expect("the file");
    let has = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(has(&kept.to_string()), "the file is the right one");
    assert!(!has("xylophone") && !has("zanzibar") && !has(&session.to_string()), "deleted text is still in the file");
}

async fn another_owner_finds_nothing(store: Store) {
    let bench = Bench::new(store).await;
    let other = Principal::named("other");
    bench.session(&Principal::local(), "secret title", &["secret words"]).await;
    bench.count("secret", 1).await;

    assert_eq!(bench.index.search(&other, "secret", 20).await.expect("an answer").sessions, []);
    bench.session(&other, "own", &["secret of the other"]).await;
    bench.session(&Principal::local(), "more", &["a secret more"]).await;
    let found = bench.count("secret", 2).await;
    assert!(found.sessions.iter().all(|hit| hit.row.owner == Principal::local()), "{found:?}");
}

async fn answers_are_bounded_and_say_that_there_is_more(store: Store) {
    let bench = Bench::new(store).await;
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

async fn a_long_message_is_found_wherever_the_word_stands(store: Store) {
    let bench = Bench::new(store).await;
    let long = format!("{} haystack {}", "straw ".repeat(60_000), "straw ".repeat(60_000));
    bench.session(&Principal::local(), "t", &[&long]).await;

    let found = bench.count("haystack", 1).await;

    let text: usize = found.sessions[0].places[0].pieces.iter().map(|piece| piece.text.len()).sum();
    assert!(text < 500, "{text}");
}

async fn what_is_being_imported_is_nobodys_until_it_is_handed_over(store: Store) {
    let bench = Bench::new(store).await;
    let session = bench.session(&Principal::importing(), "t", &["one apple"]).await;
    bench.session(&Principal::local(), "t", &["two pears"]).await;
    bench.count("pears", 1).await;

    assert_eq!(bench.find("apple").await.sessions, []);
    let found = bench.index.search(&Principal::importing(), "apple", 5).await.expect("an answer");
    assert_eq!(found.sessions, []);

    assert!(bench.log.hand_over(session, &Principal::local()).await.expect("handed over"));
    bench.count("apple", 1).await;
}

async fn a_session_of_several_slices_is_read_to_its_end(store: Store) {
    let bench = Bench::new(store).await;
    let said: Vec<String> = (1..=4500).map(|number| format!("word{number}")).collect();
    let said: Vec<&str> = said.iter().map(String::as_str).collect();
    let session = bench.session(&Principal::local(), "long", &said).await;

    bench.count("word4500", 1).await;
    for word in ["word1999", "word2001", "word4001"] {
        assert_eq!(shown(&bench.find(word).await), [format!("[{word}]")], "{word}");
    }
    bench.say(session, 4500, None, &["behind all of it"]).await;
    bench.count("behind", 1).await;
}
