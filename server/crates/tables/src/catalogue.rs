//! What tables, keys and logs there are, so that people can ask without naming a file. It keeps what is needed to
//! understand a question, not the rows; whoever asks reads the file again to answer. All of it is bounded, and a file
//! whose size and time have not changed is not read again.

use std::collections::BTreeMap;

use crate::answer::Answer;
use crate::error::TableError;
use crate::keys::{Key, keys};
use crate::query::{Function, Measure, Query};
use crate::question::{Asking, Misread, Understood};
use crate::schema::Schema;
use crate::table::{ColumnKind, Table, TableKind};
use crate::tell::answer;
use crate::tokens::{Token, tokens};
use crate::vocabulary::vocabulary;

/// More files than these are not looked at; the newest come first.
pub(crate) const MAX_FILES: usize = 200;

/// Larger files are not looked at.
pub(crate) const MAX_FILE_BYTES: u64 = 2 * 1024 * 1024;

/// All files together.
pub(crate) const MAX_ALL_BYTES: u64 = 24 * 1024 * 1024;

/// Understandings whose costs are nearer than this are equally good.
const MARGIN: f32 = 0.06;

/// A file as a listing of the workspace shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// Where it is in the workspace.
    pub path: String,
    /// How many bytes it has.
    pub size: u64,
    /// When it was written, in any unit that grows.
    pub modified: u64,
}

/// What is known of the workspace's tables.
#[derive(Debug, Default)]
pub struct Catalogue {
    files: BTreeMap<String, File>,
}

#[derive(Debug)]
struct File {
    size: u64,
    modified: u64,
    tables: Vec<Schema>,
    keys: Vec<Key>,
}

/// What became of a question.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome<T> {
    /// It was understood.
    Understood(T),
    /// It may mean either of these; each has a label to ask with.
    Ambiguous(Vec<(String, Query)>),
    /// These words have no meaning, or no part in the question; none if the question is about no table.
    NotUnderstood(Vec<String>),
}

impl Catalogue {
    /// The files of a listing that must be read, because they are new or have changed; forgets those that are gone.
    pub fn refresh(&mut self, listing: &[Seen]) -> Vec<String> {
        let mut wanted: Vec<&Seen> =
            listing.iter().filter(|seen| seen.size <= MAX_FILE_BYTES && may_hold_tables(&seen.path)).collect();
        wanted.sort_by(|one, other| other.modified.cmp(&one.modified).then_with(|| one.path.cmp(&other.path)));
        wanted.truncate(MAX_FILES);
        let mut bytes = 0;
        wanted.retain(|seen| {
            bytes += seen.size;
            bytes <= MAX_ALL_BYTES
        });
        self.files.retain(|path, _| wanted.iter().any(|seen| seen.path == *path));
        let known = |seen: &&&Seen| {
            let file = self.files.get(&seen.path);
            file.is_none_or(|file| (file.size, file.modified) != (seen.size, seen.modified))
        };
        wanted.iter().filter(known).map(|seen| seen.path.clone()).collect()
    }

    /// Takes in a file's content. A file without tables and keys is remembered, too, so that it is not read again.
    pub fn insert(&mut self, seen: &Seen, content: &str) {
        let tables = Table::read(&seen.path, content).unwrap_or_default();
        let schemas = tables.iter().filter(|table| !table.rows.is_empty()).map(Schema::of).collect();
        let file = File { size: seen.size, modified: seen.modified, tables: schemas, keys: keys(&seen.path, content) };
        self.files.insert(seen.path.clone(), file);
    }

    /// The tables, by path.
    pub fn tables(&self) -> impl Iterator<Item = &Schema> {
        self.files.values().flat_map(|file| &file.tables)
    }

    /// The logs, by path.
    pub fn logs(&self) -> impl Iterator<Item = &Schema> {
        self.tables().filter(|schema| schema.kind == TableKind::Log)
    }

    /// The keys of files of settings, with their paths.
    pub fn keys(&self) -> impl Iterator<Item = (&str, &Key)> {
        self.files.iter().flat_map(|(path, file)| file.keys.iter().map(move |key| (path.as_str(), key)))
    }

    /// The tables of a file.
    #[must_use]
    pub fn tables_of(&self, path: &str) -> &[Schema] {
        self.files.get(path).map_or(&[], |file| &file.tables)
    }

    /// What a question asks of which table.
    #[must_use]
    pub fn understand(&self, text: &str, asking: Asking<'_>) -> Outcome<Understood> {
        choose(self.tables().collect::<Vec<_>>().as_slice(), text, asking)
    }
}

/// What a question asks of which of these tables.
#[must_use]
pub fn understand(schemas: &[Schema], text: &str, asking: Asking<'_>) -> Outcome<Understood> {
    choose(&schemas.iter().collect::<Vec<_>>(), text, asking)
}

/// Understands a question about one of these tables and answers it.
///
/// # Errors
///
/// Tells why a query that was understood did not run.
pub fn ask(tables: &[Table], text: &str, asking: Asking<'_>) -> Result<Outcome<Answer>, TableError> {
    let schemas: Vec<Schema> = tables.iter().map(Schema::of).collect();
    Ok(match understand(&schemas, text, asking) {
        Outcome::Understood(understood) => {
            let query = &understood.query;
            let table = tables.iter().find(|table| table.source == query.source && table.name == query.table);
            match table {
                Some(table) => Outcome::Understood(answer(table, query)?),
                None => Outcome::NotUnderstood(Vec::new()),
            }
        }
        Outcome::Ambiguous(choices) => Outcome::Ambiguous(choices),
        Outcome::NotUnderstood(words) => Outcome::NotUnderstood(words),
    })
}

fn choose(schemas: &[&Schema], text: &str, asking: Asking<'_>) -> Outcome<Understood> {
    let tokens = tokens(text);
    let mut found: Vec<Understood> = Vec::new();
    let mut either: Vec<Query> = Vec::new();
    let mut unsure = f32::INFINITY;
    let mut unknown: Option<Vec<String>> = None;
    for schema in schemas {
        match schema.understand_tokens(&tokens, asking) {
            Ok(understood) => found.push(understood),
            Err(Misread::Either(queries, cost)) => {
                either.extend(queries);
                unsure = unsure.min(cost);
            }
            Err(Misread::Words(words)) => {
                // The table that knows most of the words is the one that they are about.
                if unknown.as_ref().is_none_or(|known| words.len() < known.len()) {
                    unknown = Some(words);
                }
            }
        }
    }
    // What several files make together is asked as a whole, unless the question is about one of them.
    let whole: Vec<&String> = schemas
        .iter()
        .filter(|schema| found.iter().any(|understood| understood.query.source == schema.source))
        .flat_map(|schema| &schema.files)
        .collect();
    found.retain(|understood| understood.follows || !whole.contains(&&understood.query.source));
    if let Some(at) = found.iter().position(|understood| understood.follows) {
        return Outcome::Understood(found.swap_remove(at));
    }
    // Where a table has two of the columns that were said, one that has none of them is not asked.
    let said = |schema: &Schema| {
        let is_said = |column: &String| tokens.iter().any(|token| token.lower == column.to_lowercase());
        schema.columns.iter().filter(|column| is_said(&column.name)).count()
    };
    if schemas.iter().any(|schema| said(schema) > 1) {
        let has_one = |query: &Query| schemas.iter().any(|schema| schema.is_asked(query) && said(schema) > 0);
        found.retain(|understood| has_one(&understood.query));
    }
    found.sort_by(|one, other| one.cost.total_cmp(&other.cost));
    let Some(best) = found.first().map(|best| best.cost) else {
        return match either.is_empty() {
            true => Outcome::NotUnderstood(unknown.unwrap_or_default()),
            false => Outcome::Ambiguous(labelled(either)),
        };
    };
    // A table whose rows are named and that is nearer, but for which it means two things, is not passed over.
    if unsure + MARGIN < best {
        return Outcome::Ambiguous(labelled(either));
    }
    let same = asking.previous.map(|query| (&query.source, &query.table));
    let near: Vec<&Understood> = found.iter().filter(|other| other.cost <= best + MARGIN).collect();
    // What is no longer current is asked only by its path, and rows that are called by their name before others.
    let near = kept(near, |other| !is_archived(schemas, &other.query.source, &tokens));
    let near = kept(near, |other| other.named);
    // Juniors are members before they are days on which juniors met.
    let near = kept(near, |other| !asks_for_some(&other.query) || is_of_things(schemas, &other.query));
    // The table of the question before is still the subject.
    let subject = near.iter().find(|other| same == Some((&other.query.source, &other.query.table)));
    match (near.as_slice(), subject) {
        (_, Some(only)) | ([only], None) => Outcome::Understood((*only).clone()),
        (several, None) => Outcome::Ambiguous(labelled(several.iter().map(|other| other.query.clone()).collect())),
    }
}

/// Those that fit, if some do.
fn kept(all: Vec<&Understood>, fits: impl Fn(&Understood) -> bool) -> Vec<&Understood> {
    let some: Vec<&Understood> = all.iter().copied().filter(|one| fits(one)).collect();
    if some.is_empty() { all } else { some }
}

/// Whether it asks which or how many rows are of some kind.
fn asks_for_some(query: &Query) -> bool {
    let counts = |measure: &Measure| measure.function == Function::Count;
    !query.filter.is_empty() && query.group.is_empty() && query.measures.iter().all(counts)
}

/// Whether the table's rows are things of which each has a name or a number of its own.
fn is_of_things(schemas: &[&Schema], query: &Query) -> bool {
    let schema = schemas.iter().find(|schema| schema.is_asked(query));
    let own = schema.and_then(|schema| schema.subject.map(|at| &schema.columns[at]));
    own.is_some_and(|own| own.unique && own.kind != ColumnKind::Date)
}

/// Whether a file lies where old ones do, and the question does not speak of that place.
fn is_archived(schemas: &[&Schema], source: &str, tokens: &[Token]) -> bool {
    let archives = vocabulary().set("archives");
    let Some(schema) = schemas.iter().find(|schema| schema.source == source) else { return false };
    let said = |word: &String| tokens.iter().any(|token| token.lower == *word);
    archives.iter().any(|word| schema.place.contains(word)) && !archives.iter().any(said)
}

/// Each query with what tells it from the others: its file, its table, its conditions.
fn labelled(queries: Vec<Query>) -> Vec<(String, Query)> {
    let one_source = queries.iter().all(|query| query.source == queries[0].source);
    let one_table = one_source && queries.iter().all(|query| query.table == queries[0].table);
    let label = |query: &Query| match (one_source, one_table) {
        (false, _) => query.source.clone(),
        (true, false) => query.table.clone(),
        (true, true) => {
            let told: Vec<String> = query.filter.iter().map(crate::query::Condition::told).collect();
            let columns = query.measures.iter().map(Measure::name).chain(query.columns.iter().cloned());
            let by = query.group.iter().map(|group| format!("by {}", group.column));
            columns.chain(by).chain(told).collect::<Vec<_>>().join(", ")
        }
    };
    queries.into_iter().map(|query| (label(&query), query)).collect()
}

/// Whether a file's ending is one of those that hold tables, keys or logs; those without one may be logs.
fn may_hold_tables(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
    let known = [
        "", "csv", "tsv", "tab", "psv", "json", "jsonl", "ndjson", "md", "markdown", "log", "txt", "toml", "yaml",
        "yml", "ini", "cfg", "conf",
    ];
    // `access.log.1`
    known.contains(&ending.as_str()) || (ending.parse::<u32>().is_ok() && name.contains(".log"))
}
