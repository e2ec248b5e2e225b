//! How long it takes to find what was said in many conversations, letter by letter, and to build the index.
//!
//! `cargo bench -p switchboard-store --bench search [-- SESSIONS]`; 10,000 sessions of 20 messages unless another number is
//! given. Words are drawn as in real text: few are very common, most are rare.

use std::sync::Arc;
use std::time::{Duration, Instant};

use switchboard_accounts::Principal;
use switchboard_events::{Append, ConversationSearch, EncodedEvent, SessionLog};
use switchboard_protocol::SessionId;
use switchboard_store::{ConversationIndex, SqliteLog, SqliteOptions};

/// Messages of a session.
const MESSAGES: u64 = 20;
/// Words of a message.
const WORDS: usize = 40;
/// What is typed, letter by letter: common words, rare ones, several, and none that exist.
const TYPED: [&str; 8] = [
    "the report",
    "sales by region",
    "Überschrift",
    "configuration of the server",
    "word123 word77",
    "word4999",
    "zanzibar xylophone",
    "th re sa",
];
const COMMON: [&str; 24] = [
    "the",
    "a",
    "report",
    "and",
    "sales",
    "of",
    "region",
    "is",
    "server",
    "to",
    "configuration",
    "in",
    "file",
    "Überschrift",
    "read",
    "write",
    "table",
    "sum",
    "total",
    "error",
    "test",
    "name",
    "value",
    "date",
];

fn main() {
    let sessions = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(10_000);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    runtime.block_on(async {
        let options = SqliteOptions { sync: false, ..SqliteOptions::default() };
        let log = Arc::new(SqliteLog::open(folder.path(), options).expect("a log"));
        fill(&log, sessions).await;

        let building = Instant::now();
        let index = ConversationIndex::caught_up(folder.path(), Arc::<SqliteLog>::clone(&log)).await.expect("built");
        let bytes = std::fs::metadata(folder.path().join("search.db")).expect("the file").len();
        let (took, mebibytes) = (building.elapsed().as_secs_f64(), bytes / 1024 / 1024);
        println!(
            "building the index of {sessions} sessions, {} messages: {took:.1} s, {mebibytes} MiB",
            sessions * MESSAGES
        );

        println!("{:<32} {:>8} {:>10} {:>10}", "typed, letter by letter", "found", "median ms", "slowest ms");
        let mut all = Vec::new();
        for typed in TYPED {
            let (found, times) = type_out(&index, typed).await;
            print(typed, found, times.clone());
            all.extend(times);
        }
        print("all", 0, all);
        log.close().await;
    });
}

fn print(typed: &str, found: usize, mut times: Vec<Duration>) {
    times.sort();
    let ms = |at: usize| times[at].as_secs_f64() * 1000.0;
    println!("{typed:<32} {found:>8} {:>10.1} {:>10.1}", ms(times.len() / 2), ms(times.len() - 1));
}

/// Looks for each beginning, from two letters on; how many the whole finds, and how long each took.
async fn type_out(index: &ConversationIndex, typed: &str) -> (usize, Vec<Duration>) {
    let mut found = 0;
    let mut times = Vec::new();
    for end in typed.char_indices().map(|(at, letter)| at + letter.len_utf8()).filter(|end| *end > 1) {
        let begun = Instant::now();
        let result = index.search(&Principal::local(), &typed[..end], 20).await.expect("an answer");
        times.push(begun.elapsed());
        found = result.sessions.len();
    }
    (found, times)
}

async fn fill(log: &SqliteLog, sessions: u64) {
    let mut random = Random(42);
    for number in 0..sessions {
        let session = SessionId::random();
        log.create(session, &Principal::local()).await.expect("made");
        let events = (1..=MESSAGES).map(|seq| event(seq, &mut random)).collect();
        let title = Some(format!("{} {number}", random.text(4)));
        let (blobs, opened, closed) = (Vec::new(), Vec::new(), Vec::new());
        log.append(Append { session, expected: 0, events, blobs, opened, closed, title, urgent: true })
            .await
            .expect("written");
    }
}

fn event(seq: u64, random: &mut Random) -> EncodedEvent {
    let kind = if seq % 2 == 1 { "user-message" } else { "agent-response" };
    let frame = format!(r#"{{"type":"{kind}","seq":{seq},"text":"{}"}}"#, random.text(WORDS));
    EncodedEvent { at: "2026-11-25T12:00:00.000Z".to_owned(), frame: frame.into(), private: None }
}

/// Numbers that look random and are the same at each run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    /// Every second word is one of few.
    fn text(&mut self, words: usize) -> String {
        let word = |random: &mut Self| match random.below(2) {
            0 => {
                let common = random.below(COMMON.len() as u64);
                COMMON[usize::try_from(random.below(common + 1)).unwrap_or(0)].to_owned()
            }
            _ => format!("word{}", random.below(20_000)),
        };
        (0..words).map(|_| word(self)).collect::<Vec<_>>().join(" ")
    }
}
