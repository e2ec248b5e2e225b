//! What a question asks of a table: which rows, and what of them. Every word must have a meaning: a column, a cell, a
//! comparison, or one of the words that people put around them.

use super::group::By;
use super::measure::number;
use super::table::Table;
use super::vocabulary::{AGES, COMPARISONS, DATES, EXTREMES, FILLERS, PRICES, SIZES, TURNS};
use crate::clause::Clause;
use crate::lexer::Kind;
use crate::numbers::number_word;
use crate::words::{STOP, name_words, stem};

/// How many cells are checked against the words of a question.
const MAX_CELLS: usize = 200_000;

/// How many words of a question are looked at.
const MAX_WORDS: usize = 60;

/// What is asked of the rows that fit.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Asked {
    Count,
    /// How many different cells.
    Distinct(usize),
    Extreme {
        column: usize,
        most: bool,
        word: String,
    },
    Sum(usize),
    Average(usize),
    Median(usize),
    Values(Vec<usize>),
    Rows,
    Sorted {
        column: usize,
        down: bool,
    },
}

/// A question to a table.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Wanted {
    pub(super) asked: Asked,
    /// Of each group of rows, not of all together.
    pub(super) by: Option<By>,
    /// The rows that fit.
    pub(super) rows: Vec<usize>,
    /// Why these: `city Berlin`, `age over 40`.
    pub(super) conditions: Vec<String>,
    /// What the user calls a row.
    pub(super) noun: Option<String>,
}

/// A word of a question.
pub(super) struct Word {
    pub(super) lower: String,
    pub(super) stem: String,
    /// It has a meaning.
    pub(super) used: bool,
}

impl Wanted {
    /// Whether it could be a question to a table at all.
    pub(super) fn is_likely(clause: &Clause) -> bool {
        let first = |words: &[&str]| clause.tokens.iter().take(3).any(|token| token.is(words));
        Self::measures(clause)
            || first(&["what", "what's", "which", "who", "whose", "list", "show", "where", "when", "give", "tell"])
    }

    /// Whether it counts, compares or measures.
    pub(super) fn measures(clause: &Clause) -> bool {
        clause.tokens.iter().any(|token| {
            EXTREMES.iter().chain(COMPARISONS).any(|(word, ..)| token.is(&[word]))
                || token.is(&["average", "mean", "avg", "median", "sum", "total", "sort", "many"])
        })
    }

    /// How many rows there are, no more.
    pub(super) fn is_plain_count(&self) -> bool {
        self.asked == Asked::Count && self.conditions.is_empty()
    }

    /// What the clause asks of the table, if all of it has a meaning.
    pub(super) fn of(clause: &Clause, table: &Table, label: &str) -> Option<Self> {
        let mut words = words_of(clause);
        if words.iter().any(|word| TURNS.contains(&word.lower.as_str())) {
            return None;
        }
        let noun = noun_of(&words);
        let (mut rows, mut conditions) = ((0..table.rows.len()).collect::<Vec<_>>(), Vec::new());
        let columns = mentioned(&mut words, table);
        compare(&mut words, table, &columns, &mut rows, &mut conditions)?;
        let equal = equal(&mut words, table, &columns, &mut rows, &mut conditions);
        let by = By::take(&mut words, table, &columns, &equal);
        let others: Vec<_> =
            columns.into_iter().filter(|(column, _)| by.as_ref().is_none_or(|by| by.column != *column)).collect();
        let asked = asked(&mut words, table, &others, &equal, !conditions.is_empty())?;
        let known: Vec<String> =
            name_words(label).iter().chain(&name_words(&table.name)).map(|word| stem(word)).collect();
        let noun_stem = noun.as_deref().map(stem);
        let says_nothing = |word: &&Word| {
            !word.used
                && !STOP.contains(&word.lower.as_str())
                && !FILLERS.contains(&word.lower.as_str())
                && !known.contains(&word.stem)
        };
        let open: Vec<&Word> = words.iter().filter(says_nothing).collect();
        // What rows are called may be any word where something else shows that this table is meant.
        let anchored = asked != Asked::Count || !conditions.is_empty() || by.is_some();
        if !anchored && !noun.as_deref().is_some_and(|noun| FILLERS.contains(&noun) || known.contains(&stem(noun))) {
            return None;
        }
        let excused = |word: &&&Word| !(anchored && noun_stem.as_ref() == Some(&word.stem));
        (open.iter().filter(excused).count() == 0).then_some(Self { asked, by, rows, conditions, noun })
    }
}

fn words_of(clause: &Clause) -> Vec<Word> {
    let mut words = Vec::new();
    for token in &clause.tokens {
        match token.kind {
            Kind::Path | Kind::Reference | Kind::Mark | Kind::Json | Kind::Url | Kind::Glob => {}
            Kind::Quoted | Kind::Code => words.extend(token.text.split_whitespace().map(word)),
            _ => words.push(word(&token.text)),
        }
        if words.len() >= MAX_WORDS {
            break;
        }
    }
    words
}

fn word(text: &str) -> Word {
    let lower = text.to_lowercase().replace('’', "'");
    let lower = lower.strip_suffix("'s").unwrap_or(&lower).trim_matches(['"', '\'', '?', '!', ',', '.']).to_owned();
    Word { stem: stem(&lower), lower, used: false }
}

/// What follows `how many`, `which` or `what`.
fn noun_of(words: &[Word]) -> Option<String> {
    let at = words.iter().position(|word| matches!(word.lower.as_str(), "many" | "which" | "what"))?;
    let noun = words.get(at + 1).filter(|word| !STOP.contains(&word.lower.as_str()))?;
    let plain = noun.lower.len() > 2 && noun.lower.chars().all(char::is_alphabetic);
    let measures = EXTREMES.iter().chain(COMPARISONS).any(|(word, ..)| *word == noun.lower);
    (plain && !measures).then(|| noun.lower.clone())
}

/// The columns that the words name, in the order of the words: each with the place behind its name.
fn mentioned(words: &mut [Word], table: &Table) -> Vec<(usize, usize)> {
    let mut order: Vec<usize> = (0..table.columns.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(table.columns[at].stems.len()));
    let mut found = Vec::new();
    for column in order {
        let stems = &table.columns[column].stems;
        if stems.is_empty() || stems.len() > words.len() {
            continue;
        }
        let fits = |at: &usize| {
            words[*at..*at + stems.len()].iter().zip(stems).all(|(word, stem)| !word.used && word.stem == *stem)
        };
        if let Some(at) = (0..=words.len() - stems.len()).find(fits) {
            words[at..at + stems.len()].iter_mut().for_each(|word| word.used = true);
            found.push((column, at + stems.len()));
        }
    }
    found.sort_by_key(|(_, at)| *at);
    found
}

/// Takes the comparisons; `None` if one of them compares what nobody knows.
fn compare(
    words: &mut [Word],
    table: &Table,
    columns: &[(usize, usize)],
    rows: &mut Vec<usize>,
    conditions: &mut Vec<String>,
) -> Option<()> {
    for at in 0..words.len() {
        let Some((from, more, equal, hints)) = comparison(words, at) else { continue };
        let Some(limit) = words.get(from).and_then(|word| figure(&word.lower)) else { continue };
        let before = columns.iter().rev().find(|(column, end)| *end <= at && table.columns[*column].measures);
        let after = columns.iter().find(|(column, _)| table.columns[*column].measures);
        let column = before.or(after).map(|(column, _)| *column).or_else(|| hinted(table, hints))?;
        words[at..=from].iter_mut().for_each(|word| word.used = true);
        let fits = |value: f64| if more { value > limit } else { value < limit };
        #[expect(clippy::float_cmp, reason = "what is written alike is read alike")]
        rows.retain(|&row| {
            number(table.cell(row, column)).is_some_and(|read| fits(read.value) || (equal && read.value == limit))
        });
        let said = match (more, equal) {
            (true, false) => "over",
            (false, false) => "under",
            (true, true) => "at least",
            (false, true) => "at most",
        };
        conditions.push(format!("{} {said} {}", table.columns[column].name, super::measure::written(limit)));
    }
    Some(())
}

type Compared = (usize, bool, bool, &'static [&'static str]);

/// A comparison that begins here: where its number stands, whether it says more, whether the number itself fits.
fn comparison(words: &[Word], at: usize) -> Option<Compared> {
    let is = |at: usize, word: &str| words.get(at).is_some_and(|found| found.lower == word);
    if is(at, "at") && (is(at + 1, "least") || is(at + 1, "most")) {
        return Some((at + 2, is(at + 1, "least"), true, &[]));
    }
    let (word, more, hints) = COMPARISONS.iter().find(|(word, ..)| is(at, word))?;
    let bare = matches!(*word, "over" | "above" | "under" | "below");
    match (bare, is(at + 1, "than")) {
        (_, true) => Some((at + 2, *more, false, hints)),
        (true, false) => Some((at + 1, *more, false, hints)),
        _ => None,
    }
}

fn figure(word: &str) -> Option<f64> {
    number(word).map(|read| read.value).or_else(|| number_word(word).map(f64::from))
}

/// The column that a word measures by its meaning; the only one that measures at all, if none is called so.
fn hinted(table: &Table, hints: &[&str]) -> Option<usize> {
    let called = |hint: &&str| {
        let stem = stem(hint);
        table.columns.iter().position(|column| column.measures && column.stems.contains(&stem))
    };
    let mut measuring =
        table.columns.iter().enumerate().filter(|(_, column)| column.measures && column.stems != ["id"]);
    hints.iter().find_map(called).or_else(|| match (measuring.next(), measuring.next()) {
        (Some((only, _)), None) => Some(only),
        _ => None,
    })
}

/// Takes the cells that the words name; the columns that they stand in.
fn equal(
    words: &mut [Word],
    table: &Table,
    columns: &[(usize, usize)],
    rows: &mut Vec<usize>,
    conditions: &mut Vec<String>,
) -> Vec<usize> {
    let mut found = Vec::new();
    if table.rows.len() * table.columns.len() > MAX_CELLS {
        return found;
    }
    for column in 0..table.columns.len() {
        let named = columns.iter().any(|(named, _)| *named == column);
        let mut cells: Vec<(usize, Vec<String>, &str)> = Vec::new();
        for row in 0..table.rows.len() {
            let cell = table.cell(row, column);
            // A number alone says which column only if that is named.
            if cell.is_empty() || cell.len() > 80 || (table.columns[column].measures && !named) {
                continue;
            }
            let parts: Vec<String> = cell.split_whitespace().map(|part| word(part).lower).collect();
            if parts.len() == 1 && STOP.contains(&parts[0].as_str()) {
                continue;
            }
            if let Some(at) = stands(words, &parts)
                && !cells.iter().any(|(_, _, known)| known.eq_ignore_ascii_case(cell))
            {
                cells.push((at, parts, cell));
            }
        }
        if cells.is_empty() {
            continue;
        }
        cells
            .iter()
            .for_each(|(at, parts, _)| words[*at..*at + parts.len()].iter_mut().for_each(|word| word.used = true));
        rows.retain(|&row| cells.iter().any(|(_, _, cell)| cell.eq_ignore_ascii_case(table.cell(row, column))));
        let said: Vec<&str> = cells.iter().map(|(_, _, cell)| *cell).collect();
        conditions.push(format!("{} {}", table.columns[column].name, said.join(" and ")));
        found.push(column);
    }
    found
}

/// Where the parts stand in the words, one behind the other, and mean nothing else.
fn stands(words: &[Word], parts: &[String]) -> Option<usize> {
    if parts.is_empty() || parts.len() > words.len() {
        return None;
    }
    let fits = |at: &usize| words[*at..].iter().zip(parts).all(|(word, part)| !word.used && word.lower == *part);
    (0..=words.len() - parts.len()).find(fits)
}

fn asked(
    words: &mut [Word],
    table: &Table,
    columns: &[(usize, usize)],
    equal: &[usize],
    conditioned: bool,
) -> Option<Asked> {
    let mut take = |wanted: &[&str]| {
        let found = words.iter_mut().find(|word| !word.used && wanted.contains(&word.lower.as_str()));
        found.map(|word| {
            word.used = true;
            word.lower.clone()
        })
    };
    let measuring: Vec<usize> =
        columns.iter().map(|(column, _)| *column).filter(|column| table.columns[*column].measures).collect();
    let measured = |hints: &[&str]| measuring.first().copied().or_else(|| hinted(table, hints));
    let amount = |column: usize| (!table.columns[column].dates).then_some(column);
    if take(&["sort", "rank"]).is_some() {
        let down = take(&["descending", "desc", "highest", "largest", "decreasing", "newest", "latest"]).is_some();
        take(&["ascending", "asc", "lowest", "smallest", "increasing", "oldest", "earliest"]);
        return Some(Asked::Sorted { column: columns.last().map(|(column, _)| *column)?, down });
    }
    if take(&["average", "mean", "avg"]).is_some() {
        return measured(&[]).and_then(amount).map(Asked::Average);
    }
    if take(&["median"]).is_some() {
        return measured(&[]).and_then(amount).map(Asked::Median);
    }
    let many = take(&["many"]).is_some();
    if !many && take(&["total", "sum"]).is_some() {
        return measured(&[]).and_then(amount).map(Asked::Sum);
    }
    if many || take(&["count"]).is_some() {
        take(&["how"]);
        let named: Vec<usize> =
            columns.iter().map(|(column, _)| *column).filter(|column| !equal.contains(column)).collect();
        return match named.as_slice() {
            [] => Some(Asked::Count),
            [only] if !table.columns[*only].measures && Some(*only) != table.subject() => Some(Asked::Distinct(*only)),
            [only] if table.columns[*only].measures && !conditioned => None,
            [only] if table.columns[*only].measures && !equal.is_empty() => Some(Asked::Values(vec![*only])),
            _ => Some(Asked::Count),
        };
    }
    let extreme = EXTREMES.iter().find_map(|extreme| take(&[extreme.0]).map(|_| extreme));
    if let Some((word, most, hints)) = extreme {
        // `most expensive`, `least recent`
        let adjective = take(&["expensive", "recent", "valuable", "populous", "old"]);
        let hints = match adjective.as_deref() {
            Some("expensive" | "valuable") => PRICES,
            Some("recent") => DATES,
            Some("populous") => SIZES,
            Some("old") => AGES,
            _ => hints,
        };
        let column = measured(hints)?;
        let turned = table.columns[column].dates && matches!(*word, "oldest" | "youngest");
        return Some(Asked::Extreme { column, most: *most != turned, word: (*word).to_owned() });
    }
    let targets: Vec<usize> =
        columns.iter().map(|(column, _)| *column).filter(|column| !equal.contains(column)).collect();
    match (equal.is_empty(), targets.is_empty(), conditioned) {
        (false, false, _) => Some(Asked::Values(targets)),
        (_, _, true) => Some(Asked::Rows),
        _ => None,
    }
}
