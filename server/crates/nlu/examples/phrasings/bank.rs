//! The requests of outsiders, and what becomes of them.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

use jiff::Zoned;
use switchboard_nlu::{Candidate, Engine, Intent, Paths, Risk, SlotValue, World};

/// A request and what it means.
pub(crate) struct Line {
    workspace: String,
    pub(crate) intent: String,
    pub(crate) text: String,
}

/// What came of a request.
pub(crate) enum Outcome {
    /// It is done.
    Read,
    /// Its plan is shown.
    Asked(String),
    /// Something else is done.
    Wrong(String),
    /// Nothing is done.
    Unread(String),
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Self::Read => out.write_str("is read"),
            Self::Asked(how) => write!(out, "is asked about: {how}"),
            Self::Wrong(how) => write!(out, "IS WRONG: {how}"),
            Self::Unread(how) => write!(out, "is not read: {how}"),
        }
    }
}

/// The requests, and what reads them.
pub(crate) struct Bank<'a> {
    pub(crate) engine: &'a Engine,
    worlds: HashMap<String, Desk>,
    /// Intents that do and say the same for such requests.
    alike: HashSet<(String, String)>,
}

impl<'a> Bank<'a> {
    pub(crate) fn new(engine: &'a Engine) -> io::Result<Self> {
        let mut alike = HashSet::new();
        for group in fs::read_to_string(folder().join("phrasings/alike.txt"))?.lines() {
            let names: Vec<&str> = group.split_whitespace().take_while(|word| !word.starts_with('#')).collect();
            for one in &names {
                alike.extend(names.iter().map(|other| ((*one).to_owned(), (*other).to_owned())));
            }
        }
        Ok(Self {
            engine,
            worlds: HashMap::from(["hutbook", "webshop"].map(|name| (name.to_owned(), Desk::of(name)))),
            alike,
        })
    }

    pub(crate) fn lines(&self, part: &str) -> io::Result<Vec<Line>> {
        let text = fs::read_to_string(folder().join(format!("phrasings/{part}.tsv")))?;
        let line = |line: &str| {
            let mut fields = line.split('\t').map(str::to_owned);
            Some(Line { workspace: fields.next()?, intent: fields.next()?, text: fields.next()? })
        };
        Ok(text.lines().filter_map(line).collect())
    }

    pub(crate) fn topic(&self, intent: &str) -> &str {
        self.engine.intent(intent).map_or("(unknown)", |intent| &intent.topic)
    }

    pub(crate) fn is_about(&self, line: &Line, word: &str) -> bool {
        word == "all" || line.intent == word || self.topic(&line.intent) == word
    }

    /// What the dialogue does with the request, as far as it depends on the reading.
    pub(crate) fn outcome(&self, line: &Line) -> Outcome {
        let Some(world) = self.worlds.get(&line.workspace) else {
            return Outcome::Unread(format!("there is no workspace {}", line.workspace));
        };
        let reading = self.engine.read(&line.text, world);
        if reading.command.as_ref().is_some_and(|command| command.sure) {
            return Outcome::Read;
        }
        let [clause] = reading.clauses.as_slice() else {
            let taken = |candidates: &[Candidate]| {
                best(candidates).filter(|best| acts(best) && !asks_any_table(best)).map(told)
            };
            let parts: Option<Vec<_>> = reading.clauses.iter().map(|clause| taken(&clause.candidates)).collect();
            return parts.map_or_else(
                || Outcome::Unread(format!("as {} parts", reading.clauses.len())),
                |parts| Outcome::Wrong(parts.join("; ")),
            );
        };
        let Some(best) = best(&clause.candidates) else { return Outcome::Unread("no sentence is near".to_owned()) };
        let intent = self.engine.intent(&line.intent);
        let meant = |candidate: &&Candidate| {
            let name = &candidate.intent.name;
            // Tables and logs read their questions themselves, whichever of their intents takes them.
            let asked = intent.and_then(|intent| about_tables(intent));
            *name == line.intent
                || self.alike.contains(&(name.clone(), line.intent.clone()))
                || (asked.is_some() && about_tables(&candidate.intent) == asked)
        };
        let how = || match clause.candidates.iter().find(meant) {
            Some(own) if own.intent.name != best.intent.name => format!("{} | {}", told(best), told(own)),
            _ => told(best),
        };
        match (meant(&best), acts(best)) {
            (true, true) => Outcome::Read,
            (true, false) if best.score < ASKED => Outcome::Asked(how()),
            (false, true) if !asks_any_table(best) => Outcome::Wrong(how()),
            _ => Outcome::Unread(how()),
        }
    }
}

/// Below this cost a plan is shown.
const ASKED: f32 = 0.5;
/// What the dialogue adds to the cost of a question to tables that names none, and to a value that any words may name.
const LOOSE: f32 = 0.1;
/// Below this cost a refusal is said.
const REFUSED: f32 = 0.2;

/// The candidate that the dialogue takes.
fn best(candidates: &[Candidate]) -> Option<&Candidate> {
    let said = |candidate: &&Candidate| !is_refusal(&candidate.intent) || candidate.score <= REFUSED;
    // As the dialogue leans: a value by its words is meant only if nothing is called just that.
    let leaning = |candidate: &Candidate| {
        let by_words = candidate.intent.constants.contains_key("tables") && candidate.intent.risk >= Risk::Write;
        candidate.score + if asks_any_table(candidate) || by_words { LOOSE } else { 0.0 }
    };
    candidates.iter().filter(said).min_by(|one, other| leaning(one).total_cmp(&leaning(other)))
}

/// Whether it is a question to tables or logs that names none: only one that knows each of its words answers.
fn asks_any_table(candidate: &Candidate) -> bool {
    let names = candidate.slots.values().any(|slot| matches!(slot, SlotValue::Path { .. } | SlotValue::Paths { .. }));
    about_tables(&candidate.intent).is_some() && !names
}

/// What the dialogue asks for the intent, if that reads the question itself.
fn about_tables(intent: &Intent) -> Option<&str> {
    intent.reply.as_deref().filter(|reply| matches!(*reply, "table" | "log"))
}

fn is_refusal(intent: &Intent) -> bool {
    intent.constants.get("complete") == Some(&false.into())
}

/// Whether something is done at that cost.
fn acts(candidate: &Candidate) -> bool {
    candidate.score < if candidate.intent.risk <= Risk::Read { 0.38 } else { 0.25 }
}

fn told(candidate: &Candidate) -> String {
    let sentence = &candidate.intent.sentences[candidate.sentence];
    let unread = if candidate.unread.is_empty() { String::new() } else { format!(", unread {:?}", candidate.unread) };
    let missing = if candidate.missing.is_empty() { String::new() } else { format!(", no {:?}", candidate.missing) };
    format!("{} at {:.2}{unread}{missing} by {sentence:?}", candidate.intent.name, candidate.score)
}

/// A workspace of the requests' writers.
struct Desk(Paths);

impl Desk {
    fn of(name: &str) -> Self {
        let workspaces = folder().join("../../../tests/requests/workspaces");
        let own = ["a-", "f-"].map(|before| workspaces.join(format!("{before}{name}")));
        let mut files = Vec::new();
        own.iter().for_each(|folder| walk(folder, "", &mut files));
        Self(Paths::new(files, Vec::<String>::new()))
    }
}

impl World for Desk {
    fn paths(&self) -> &Paths {
        &self.0
    }

    fn now(&self) -> Zoned {
        "2026-09-01T10:00:00[UTC]".parse().unwrap_or_else(|error| panic!("{error}"))
    }

    fn is_program(&self, name: &str) -> bool {
        const PROGRAMS: [&str; 73] = [
            "awk",
            "base64",
            "bash",
            "cal",
            "cat",
            "chmod",
            "clear",
            "cp",
            "cut",
            "date",
            "df",
            "diff",
            "dig",
            "docker",
            "du",
            "echo",
            "env",
            "file",
            "find",
            "free",
            "git",
            "grep",
            "head",
            "host",
            "hostname",
            "id",
            "kill",
            "less",
            "ls",
            "lscpu",
            "lsof",
            "make",
            "md5sum",
            "mkdir",
            "more",
            "mv",
            "nproc",
            "npm",
            "nslookup",
            "paste",
            "ping",
            "pip",
            "pip3",
            "printenv",
            "printf",
            "ps",
            "pwd",
            "python3",
            "rm",
            "rmdir",
            "sed",
            "seq",
            "sh",
            "sha256sum",
            "shuf",
            "sleep",
            "sort",
            "ss",
            "stat",
            "tail",
            "tar",
            "test",
            "top",
            "touch",
            "tr",
            "tree",
            "uname",
            "uniq",
            "uptime",
            "wc",
            "which",
            "who",
            "whoami",
        ];
        PROGRAMS.contains(&name)
    }
}

fn walk(folder: &Path, before: &str, files: &mut Vec<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        match entry.path().is_dir() {
            true => walk(&entry.path(), &format!("{before}{name}/"), files),
            false => files.push(format!("{before}{name}")),
        }
    }
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
