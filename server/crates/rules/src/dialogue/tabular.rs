//! Questions to tables and logs: which files are read for one, and what `tables` answers from their texts. The question
//! before is found by reading the requests before it again, so that a resumed session follows up, too.

use jiff::Zoned;
use switchboard_nlu::{Candidate, Clause, Engine, World};
use switchboard_tables::{Answer, Asking, Outcome, Query, Schema, Table, Understood, Value, ask, understand};

use super::look_up::LookUp;
use super::plan::Plan;
use super::roles::Roles;
use super::world::Seen;
use crate::ops::{Done, FOUND, UNSURE};
use switchboard_search::stem;

/// How many files are read for a question that names none.
const MAX_FILES: usize = 40;

/// How many files are read at once.
const MAX_READ: usize = 50;

/// A question that does not follow the one before is about the same table if its words are this near to it.
const NEAR: f32 = 0.3;

/// How many requests are looked back at for a table.
const MAX_BACK: usize = 4;

/// What a plan is told whose files nobody named.
const UNNAMED: &str = "unnamed";

/// What the user said before, and what the reply to it was, as far as that is known.
#[derive(Debug, Clone, Default)]
pub(super) struct Heard {
    pub(super) text: String,
    pub(super) reply: Option<String>,
}

impl Heard {
    /// Each of these texts with its reply: the last reply is that to the last text but so many that have none yet.
    pub(super) fn all(texts: &[String], replies: &[String], open: usize) -> Vec<Self> {
        let place = |at: usize| (replies.len() + open).checked_sub(texts.len() - at);
        let replied = |at: usize| place(at).and_then(|at| replies.get(at).cloned());
        texts.iter().enumerate().map(|(at, text)| Self { text: text.clone(), reply: replied(at) }).collect()
    }

    /// Whether the reply may tell what a table holds that was read there: such replies name it.
    pub(super) fn may_tell(&self, source: &str) -> bool {
        self.reply.as_ref().is_none_or(|reply| reply.contains(&format!("`{source}`")))
    }
}

/// Whether a plan's reply is made from tables.
pub(super) fn is_about_tables(reply: Option<&str>) -> bool {
    matches!(reply, Some("table" | "log"))
}

/// Whether a clause is like a question to a table, however far.
pub(super) fn may_ask_tables(clause: &Clause) -> bool {
    let about = |candidate: &Candidate| is_about_tables(candidate.intent.reply.as_deref());
    clause.text.trim_end().ends_with('?') || clause.candidates.iter().any(about)
}

/// Whether a file may hold tables or a log.
pub(super) fn may_hold(path: &str) -> bool {
    let roles = Roles::get();
    let name = path.rsplit('/').next().unwrap_or_default().to_lowercase();
    let held = [&roles.tables, &roles.logs, &roles.texts];
    held.iter().any(|endings| ends_in(path, endings)) && !roles.no_tables.contains(&name)
}

/// Whether a path ends in one of these, which are in lower case.
fn ends_in(path: &str, endings: &[String]) -> bool {
    let lower = path.to_lowercase();
    endings.iter().any(|ending| lower.ends_with(ending.as_str()))
}

/// The files that a question may be about which names none, the last ones first.
pub(super) fn files_for(reply: &str, world: &Seen<'_>, last: &[String], request: &str) -> Vec<String> {
    let is_log = |path: &str| ends_in(path, &Roles::get().logs);
    let is_text = |path: &str| Roles::get().texts.iter().any(|ending| path.ends_with(ending.as_str()));
    let fits = |path: &str| may_hold(path) && !is_text(path) && (reply != "log" || is_log(path));
    let last = last.iter().map(String::as_str).filter(|path| fits(path));
    let all = world.paths().files().filter(|path| fits(path) && !path.split('/').any(|part| part.starts_with('.')));
    let words: Vec<String> =
        request.split(|c: char| !c.is_alphanumeric()).map(|word| stem(&word.to_lowercase())).collect();
    let called = |path: &&str| reply == "table" && may_hold(path) && is_text(path) && is_called(path, &words);
    let mut files: Vec<String> = Vec::new();
    for path in last.chain(world.paths().files().filter(called)).chain(all) {
        if files.len() < MAX_FILES && !files.iter().any(|known| known == path) {
            files.push(path.to_owned());
        }
    }
    files
}

/// Whether these are the files that are read for a question that names none.
pub(super) fn are_all(files: &[String], world: &Seen<'_>) -> bool {
    let all = |reply| files_for(reply, world, &[], "");
    let beside = files.iter().filter(|path| is_text(path)).count();
    ["table", "log"]
        .into_iter()
        .map(all)
        .any(|all| all.len() + beside == files.len() && all.iter().all(|path| files.contains(path)))
}

/// Whether a text is called by words that are all said: `subscriptions.txt` of "what do my subscriptions cost".
fn is_called(path: &str, said: &[String]) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let name = name.split('.').next().unwrap_or(name).to_lowercase();
    let mut words = name.split(|c: char| !c.is_alphabetic()).filter(|word| word.len() > 3).peekable();
    words.peek().is_some() && words.all(|word| said.contains(&stem(word)))
}

/// Whether a file holds a table, by its ending.
pub(super) fn is_table(path: &str) -> bool {
    let lower = path.to_lowercase();
    lower.ends_with(".csv") || lower.ends_with(".tsv")
}

/// Whether a file is text that may hold a table among other things, by its ending.
pub(super) fn is_text(path: &str) -> bool {
    ends_in(path, &Roles::get().texts)
}

/// Whether a file holds settings, by its ending.
pub(super) fn is_settings(path: &str) -> bool {
    ends_in(path, &Roles::get().settings)
}

/// Whether a package manager wrote it, and nobody else does: `Cargo.lock`, `package-lock.json`, `pnpm-lock.yaml`.
fn is_lock(path: &str) -> bool {
    path.ends_with(".lock") || path.contains("-lock.")
}

/// The files of settings that a question may be about which names none.
pub(super) fn settings(world: &Seen<'_>) -> Vec<String> {
    let all = world.paths().files().filter(|path| is_settings(path) && !is_lock(path));
    all.take(MAX_FILES).map(str::to_owned).collect()
}

/// All files that may hold a value in whatever way, those of settings and tables first.
pub(super) fn holding_values(world: &Seen<'_>) -> Vec<String> {
    let is_open = |path: &&str| !path.split('/').any(|part| part == ".git") && !is_lock(path);
    let mut files: Vec<String> = Vec::new();
    for fits in HOLDING {
        for path in world.paths().files().filter(is_open).filter(|path| fits(path)) {
            if files.len() < MAX_READ && !files.iter().any(|known| known == path) {
                files.push(path.to_owned());
            }
        }
    }
    files
}

/// Whether a file is of a kind that holds values.
pub(super) fn holds_values(path: &str) -> bool {
    HOLDING.iter().any(|fits| fits(path))
}

/// The kinds of files that hold values, those first in which they are looked for first.
const HOLDING: [fn(&str) -> bool; 5] = [is_settings, is_table, is_text, is_code, has_values_in_lines];

fn has_values_in_lines(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default().to_lowercase();
    // A name without an ending is that of a crontab, a Makefile, an .env.
    let bare = !name.trim_start_matches('.').contains('.');
    bare || ends_in(&name, &Roles::get().lines)
}

/// The files that hold values which a request may change that names none.
fn changeable(world: &Seen<'_>) -> Vec<String> {
    let mut files = settings(world);
    let tables = world.paths().files().filter(|path| is_table(path));
    files.extend(tables.take(MAX_FILES).map(str::to_owned));
    // Code names values, too; of so much of it that not all is read none is.
    let code: Vec<String> = world.paths().files().filter(|path| is_code(path)).map(str::to_owned).collect();
    if files.len() + code.len() <= MAX_READ {
        files.extend(code);
    }
    files
}

/// Whether a file is source code, by its ending.
pub(super) fn is_code(path: &str) -> bool {
    ends_in(path, &Roles::get().code)
}

/// All files of the kind that an intent's constant names and a request does not, if they can all be read: those with values,
/// with lists, with records, with either.
pub(super) fn all_of(kind: &str, world: &Seen<'_>) -> Option<Vec<String>> {
    let has_records = |path: &str| is_table(path) || path.to_lowercase().ends_with(".json");
    match kind {
        "tables" => Some(changeable(world)),
        "lists" => Some(all_such(world, is_text)),
        "rows" => Some(all_such(world, has_records)),
        "entries" => Some(all_such(world, |path| is_text(path) || has_records(path))),
        _ => None,
    }
}

fn all_such(world: &Seen<'_>, fits: impl Fn(&str) -> bool) -> Vec<String> {
    let files: Vec<String> = world.paths().files().filter(|path| fits(path)).map(str::to_owned).collect();
    if files.len() <= MAX_READ { files } else { Vec::new() }
}

/// A plan that asks the tables of files that nobody named: the question itself must speak of what is in one.
pub(super) fn unnamed(files: &[String], request: &str) -> Plan {
    let mut plan = Roles::get().tables("table", files, request);
    plan.values.insert(UNNAMED.to_owned(), true.into());
    plan
}

/// The question for all rows of a table.
pub(super) const ALL: &str = "*";

/// What the tables answer to a question; `earlier`: the requests before it, the latest last. No question at all is the one
/// before, or that for all rows.
pub(super) fn answered(done: &Done<'_>, question: &str, earlier: &[Heard], now: &Zoned) -> Result<Answer, String> {
    let texts = done.texts()?;
    if let [(path, text)] = texts.as_slice()
        && let Err(error) = Table::read(path, text)
    {
        return Err(format!("`{path}` holds no table that I can read: {error}."));
    }
    let tables = Table::read_all(&texts);
    if tables.is_empty() {
        return Err(match texts.as_slice() {
            [(path, _)] => format!("`{path}` holds no table."),
            _ => "I found no table that this could be about.".to_owned(),
        });
    }
    let given = texts.len() == 1 && !done.slots.flag(UNNAMED);
    let mut schemas: Vec<Schema> = tables.iter().map(Schema::of).collect();
    let subject = if given { None } else { subject(&schemas, earlier, now) };
    let subject = subject.unwrap_or_else(|| tables[0].source.clone());
    schemas.retain(|schema| schema.source == subject);
    let (previous, lost) = before(&schemas, earlier, now);
    // What goes on with a question that these tables did not answer is none to them by itself.
    let untold = lost || (!given && previous.is_none() && !earlier.is_empty());
    if untold && Roles::get().leans(question) {
        return Err(not_understood(&[], &schemas, given));
    }
    let answer_to = |query: &Query| {
        let is_asked = |table: &&Table| table.source == query.source && table.name == query.table;
        let table = tables.iter().find(is_asked).ok_or("The table is not there any more.")?;
        switchboard_tables::answer(table, query).map_err(|error| error.to_string())
    };
    if question.is_empty() || question == ALL {
        let first = schemas.first().ok_or_else(|| not_understood(&[], &schemas, given))?;
        let all = Query { source: first.source.clone(), table: first.name.clone(), ..Query::default() };
        let query = previous.filter(|_| question.is_empty()).unwrap_or(all);
        return answer_to(&query);
    }
    let asking = Asking { now: now.datetime(), previous: previous.as_ref(), given };
    match ask(&tables, question, asking).map_err(|error| error.to_string())? {
        // What no row tells is not told.
        Outcome::Understood(answer) if answer.value == Some(Value::Null) => Err(answer.sentence),
        // That nothing fits tells something of a table that was named; of one that was not, that it is another's matter.
        Outcome::Understood(answer) if !given && is_nothing(&answer) => Err(not_understood(&[], &schemas, given)),
        // Who asks two things of a row is not told one of them as if it were all: "where is it and what time does it start?"
        Outcome::Understood(Answer { query, .. })
            if query.is_rows() && query.columns.len() == 1 && LookUp::get().asks_two(question) =>
        {
            answer_to(&Query { columns: Vec::new(), distinct: false, ..query })
        }
        Outcome::Understood(answer) => Ok(answer),
        Outcome::Ambiguous(choices) => {
            let labels: Vec<String> = choices.iter().map(|(label, _)| format!("`{label}`")).collect();
            Err(format!("Which do you mean: {}?", labels.join(" or ")))
        }
        Outcome::NotUnderstood(words) => Err(not_understood(&words, &schemas, given)),
    }
}

/// Whether nothing was found.
fn is_nothing(answer: &Answer) -> bool {
    match &answer.value {
        Some(value) => value.number() == Some(0.0),
        None => answer.rows.is_empty(),
    }
}

/// The table that the last request that any of them understands is about.
pub(super) fn subject(schemas: &[Schema], earlier: &[Heard], now: &Zoned) -> Option<String> {
    schemas.first()?;
    earlier.iter().rev().take(MAX_BACK).find_map(|heard| {
        let asking = Asking { now: now.datetime(), previous: None, given: false };
        match understand(schemas, &Engine::shipped().spelled(&heard.text), asking) {
            Outcome::Understood(understood) => Some(understood.query.source).filter(|source| heard.may_tell(source)),
            _ => None,
        }
    })
}

/// The rows of a text's table that a question asks for, whole ones.
pub(super) fn rows(path: &str, text: &str, question: &str, now: &Zoned) -> Result<Answer, String> {
    let tables = Table::read_all(&[(path.to_owned(), text.to_owned())]);
    let asking = Asking { now: now.datetime(), previous: None, given: true };
    match ask(&tables, question, asking).map_err(|error| error.to_string())? {
        Outcome::Understood(answer)
            if answer.query.is_rows() && answer.query.columns.is_empty() && !answer.rows.is_empty() =>
        {
            Ok(answer)
        }
        Outcome::Understood(_) => Err(format!("I cannot tell which rows of `{path}` \"{question}\" are.")),
        Outcome::Ambiguous(_) => Err(format!("\"{question}\" may mean more than one thing in `{path}`.")),
        Outcome::NotUnderstood(words) => {
            let tables: Vec<Schema> = tables.iter().map(Schema::of).collect();
            Err(not_understood(&words, &tables, true))
        }
    }
}

/// The cells of a line of a table under this heading.
pub(super) fn cells(path: &str, head: &str, line: &str) -> Option<Vec<String>> {
    let table = Table::read(path, &format!("{head}\n{line}\n")).ok()?.pop()?;
    table.rows.into_iter().next()
}

fn not_understood(words: &[String], schemas: &[Schema], given: bool) -> String {
    let words: Vec<String> = words.iter().take(5).map(|word| format!("`{word}`")).collect();
    let what = if words.is_empty() { "that question".to_owned() } else { words.join(", ") };
    match schemas.first().filter(|_| given) {
        Some(schema) => {
            let columns: Vec<String> = schema.columns.iter().map(|column| format!("`{}`", column.name)).collect();
            format!("I cannot tell what {what} means for `{}`. Its columns: {}.", schema.source, columns.join(", "))
        }
        None => format!("I found no table here that {what} could be about."),
    }
}

/// The tables of a text that was read.
pub(super) fn schemas(path: &str, text: &str) -> Vec<Schema> {
    let tables = Table::read(path, text).unwrap_or_default();
    tables.iter().filter(|table| !table.rows.is_empty()).map(Schema::of).collect()
}

/// Whether a text asks these tables, and goes on with what was asked of them; if it `asks` some table, any reading does.
pub(super) fn follows(schemas: &[Schema], text: &str, earlier: &[Heard], now: &Zoned, asks: bool) -> Option<bool> {
    // Most sessions have no tables, and their turns do not pay for any.
    schemas.first()?;
    let (previous, lost) = before(schemas, earlier, now);
    let asking = Asking { now: now.datetime(), previous: previous.as_ref(), given: true };
    let text = Engine::shipped().spelled(text);
    if lost && Roles::get().leans(&text) {
        return None;
    }
    let found = schemas.iter().filter_map(|schema| schema.understand(&text, asking).ok());
    let near = |understood: &Understood| asks || understood.follows || understood.cost < NEAR;
    found.filter(near).map(|found| found.follows).max()
}

/// The question that was asked of these tables last, and whether something went on with it that is not understood.
fn before(schemas: &[Schema], earlier: &[Heard], now: &Zoned) -> (Option<Query>, bool) {
    let (mut previous, mut lost): (Option<Query>, bool) = (None, false);
    for heard in earlier {
        let asking = Asking { now: now.datetime(), previous: previous.as_ref(), given: true };
        let text = Engine::shipped().spelled(&heard.text);
        // What something else answered was no question to these.
        let told = schemas.iter().filter(|schema| heard.may_tell(&schema.source));
        let readings = told.filter_map(|schema| schema.understand(&text, asking).ok());
        match readings.min_by(|one, other| one.cost.total_cmp(&other.cost)) {
            Some(understood) => (previous, lost) = (Some(understood.query), false),
            // What went on with it in words that are not understood was answered by something else.
            None if previous.is_some() && Roles::get().leans(&text) => (previous, lost) = (None, true),
            None => {}
        }
    }
    // Of passages that were found by their words nobody knows whether they are rows, and which.
    let looked_up =
        |heard: &Heard| heard.reply.as_ref().is_some_and(|reply| reply.starts_with(FOUND) || reply.starts_with(UNSURE));
    let lost = lost || (previous.is_none() && earlier.last().is_some_and(looked_up));
    (previous, lost)
}
