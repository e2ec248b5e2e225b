//! The reader of requests: its parser of sentences (`template`), the alignment of words with them (`align`), and what the
//! sentences that are shipped take out of a request (`arguments`).

use std::sync::LazyLock;

use jiff::Zoned;
use switchboard_nlu::{Engine, Paths, Slots, World};

use super::bytes::text;

/// The words that the engine must know; few, so that it is made in no time.
const WORDS: &str = r#"
[phrases]
see = "[please] (show|list|what is)"
[lists]
filler = ["the", "please"]
light = ["is", "are"]
joining = ["in", "of", "to"]
weighty = ["not", "except"]
joints = ["and", "then", "and then"]
"#;

/// Sentences with each kind of part: words, choices, what may be left out, slots that find and slots that take any words.
const SENTENCES: &str = r#"
[[intent]]
name = "show"
risk = "read"
sentences = ["<see> {file:file}", "(show|read) {lines:lines} (of|in) {file}", "{file:file} [please]"]
[[intent]]
name = "add"
risk = "write"
sentences = ["add {text:content} to {file:file}", "add {n:count} [more] {key:key} [to {file:file}]"]
[[intent]]
name = "about"
risk = "read"
sentences = ["[what] about {what:phrase} [(in|of) {where:text}]", "{order:choice=desc:largest|most,asc:smallest} {what:phrase}"]
[[intent]]
name = "reckon"
risk = "none"
sentences = ["{expression:expression}", "how much is {percent:percent} of {n:number}", "{date:date} [at {time:time}]"]
"#;

/// Parts of sentences, for inputs that go beyond the first character.
const PARTS: [&str; 24] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "|",
    "<",
    ">",
    ":",
    "=",
    ",",
    " ",
    "a",
    "b",
    "s",
    "{x:text}",
    "{file}",
    "<see>",
    "[s]",
    "{o:choice=a,b:c|d}",
    "ß",
    "(a|b c)",
    "{n:count}",
];

/// Words of requests.
const REQUEST: [&str; 48] = [
    "show",
    "shwo",
    "list",
    "notes.txt",
    "note.txt",
    "the",
    "last",
    "3",
    "lines",
    ":",
    "\"",
    "'s",
    "it",
    "and",
    "then",
    "to",
    "5-7",
    "@x.y",
    "in",
    "half",
    "an",
    "hour",
    "march",
    "31",
    "february",
    "30",
    "%",
    "of",
    "*",
    "-",
    "(",
    ")",
    "`",
    "\n",
    "not",
    "add",
    "saying",
    "»",
    "’s",
    "ß",
    "1e999",
    "99999999999999999999",
    "largest",
    "what",
    "about",
    "except",
    ".",
    "é\u{301}",
];

struct Desk(Paths);

impl World for Desk {
    fn paths(&self) -> &Paths {
        &self.0
    }

    fn now(&self) -> Zoned {
        "2026-03-04T10:00:00[UTC]".parse().expect("a time")
    }

    fn is_program(&self, name: &str) -> bool {
        name == "list"
    }
}

static DESK: LazyLock<Desk> =
    LazyLock::new(|| Desk(Paths::new(["notes.txt", "data/a.csv", "a/util.rs", "b/util.rs"], ["docs"])));

static ENGINE: LazyLock<Engine> =
    LazyLock::new(|| engine(SENTENCES).unwrap_or_else(|error| panic!("the sentences are read: {error}")));

fn engine(sentences: &str) -> Result<Engine, switchboard_nlu::CorpusError> {
    Engine::from_sources([("words.toml", WORDS), ("any.toml", sentences)])
}

/// No text makes the parser panic, and a sentence that it takes can be read with.
pub fn template(data: &[u8]) -> bool {
    let sentence = text(data, &PARTS, "");
    let quoted = serde_json::to_string(&sentence).expect("a text");
    // What JSON escapes and TOML does not know is no sentence either.
    let source = format!("[[intent]]\nname = \"x\"\nrisk = \"read\"\nsentences = [{quoted}]\n");
    let Ok(engine) = engine(&source) else { return false };
    for request in ["a b c", "", "a notes.txt 3", &sentence] {
        hold(&engine, request);
    }
    true
}

/// The same with the sentences that are shipped: what a request's words stand for is read out of it.
pub fn arguments(data: &[u8]) -> bool {
    hold(Engine::shipped(), &text(data, &REQUEST, " "))
}

/// Whatever is read costs something or nothing, stands where it says it does, and is written and read back as it is.
pub fn align(data: &[u8]) -> bool {
    hold(&ENGINE, &text(data, &REQUEST, " "))
}

/// Whether something was read.
fn hold(engine: &Engine, request: &str) -> bool {
    let reading = engine.read(request, &*DESK);
    for clause in &reading.clauses {
        assert_eq!(&request[clause.span.clone()], clause.text, "a clause stands where it says");
        let mut before = 0.0;
        for candidate in &clause.candidates {
            assert!(candidate.score.is_finite() && candidate.score >= before, "{request:?}: the cheapest comes first");
            before = candidate.score;
            assert!(candidate.sentence < candidate.intent.sentences.len());
            for name in &candidate.missing {
                assert!(!candidate.slots.contains_key(name), "{request:?}: {name} is not missing");
            }
            let written = serde_json::to_string(&candidate.slots).expect("slots are JSON");
            let read: Slots = serde_json::from_str(&written).expect("slots are read back");
            assert_eq!(read, candidate.slots, "{request:?}");
        }
    }
    let again = engine.read(request, &*DESK);
    assert_eq!(format!("{:?}", reading.clauses), format!("{:?}", again.clauses), "{request:?} reads the same again");
    reading.clauses.iter().any(|clause| !clause.candidates.is_empty())
}
