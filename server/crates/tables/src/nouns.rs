//! What the rows of a table may be called, and the words of its path.

use std::collections::HashSet;

use switchboard_search::stem;

use crate::table::{Table, TableKind};
use crate::tokens::key;
use crate::tokens::{name_words, tokens};
use crate::vocabulary::vocabulary;

/// Shorter words of a path are not what rows are called.
const MIN_NOUN: usize = 3;

/// The words of a table's path; of one in several files those of all their paths.
pub(crate) fn place(table: &Table) -> HashSet<String> {
    let words = |path: &str| {
        let path = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
        let words = path.split(['/', '\\']).flat_map(name_words);
        words.flat_map(|word| [stem(&word), word]).collect::<HashSet<String>>()
    };
    match table.parts() {
        [] => words(&table.source),
        [first, others @ ..] => others.iter().fold(words(first), |shared, path| &shared & &words(path)),
    }
}

/// What rows may be called: the name of the table, of the file, and what people say for it.
pub(crate) fn nouns(table: &Table) -> HashSet<String> {
    let words = vocabulary();
    // The name of one of several files is not what the rows of all are called.
    let source = if table.parts().is_empty() { table.source.as_str() } else { "" };
    let file = source.rsplit(['/', '\\']).next().unwrap_or_default();
    let file = file.split_once('.').map_or(file, |(stem, _)| stem);
    let mut names: HashSet<String> = HashSet::new();
    for name in [table.name.as_str(), file] {
        let parts = name_words(name);
        names.extend(parts.last().filter(|last| last.chars().any(char::is_alphabetic)).cloned());
        names.insert(parts.join(" "));
    }
    // `tickets-2024-03.csv` has tickets, and so has `tickets/2024-03.csv`.
    let columns: HashSet<String> = table.columns.iter().flat_map(|column| name_words(&column.name)).collect();
    let is_thing = |word: &String| {
        word.len() >= MIN_NOUN
            && word.chars().all(char::is_alphabetic)
            && !columns.contains(word)
            && words.roles(word).is_empty()
            && words.called(word).is_empty()
    };
    // What several files are all called is what their rows are.
    let of_all = |word: &String| table.parts().iter().all(|path| name_words(path).contains(word));
    let path = table.parts().first().unwrap_or(&table.source);
    let last = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let last = last.split_once('.').map_or(last, |(stem, _)| stem);
    let mut things: Vec<String> = name_words(last).into_iter().filter(|word| is_thing(word) && of_all(word)).collect();
    if things.is_empty() {
        let folder = path.rsplit(['/', '\\']).nth(1).unwrap_or_default();
        things.extend(name_words(folder).into_iter().filter(|word| is_thing(word)));
    }
    names.extend(things);
    let long: Vec<String> = names.iter().filter_map(|name| words.long(name)).map(str::to_owned).collect();
    names.extend(long);
    let alike = words.rows.iter().filter(|rows| rows.tables.iter().any(|known| names.contains(known)));
    let others: Vec<String> = alike.flat_map(|rows| rows.words.iter().map(|word| key(word))).collect();
    names.extend(others);
    if table.kind == TableKind::Log {
        names.extend(words.log.nouns.iter().cloned());
    }
    let requests = table.column("path").is_some() && table.column("status").is_some();
    names.extend(words.log.requests.iter().filter(|_| requests).cloned());
    let stemmed: Vec<String> = names
        .iter()
        .map(|name| tokens(name).iter().map(|token| token.stem.clone()).collect::<Vec<_>>().join(" "))
        .collect();
    names.extend(stemmed);
    names.retain(|name| name.len() > 1);
    names
}
