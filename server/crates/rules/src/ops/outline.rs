//! Texts as outlines: what stands under a heading, a key, a line that ends in a colon or at a deeper indentation belongs to
//! it, and a file's path stands over all of it. So `guests` in `wifi.txt` is where the wifi of guests is told.

use std::collections::{BTreeMap, BTreeSet};

use switchboard_search::stem;

use super::kin::{days_in, kin_of};
use super::rows::is_table;

/// The stems of a text's words; of `Wi-Fi` also as one word.
pub(crate) fn word_stems(text: &str) -> BTreeSet<String> {
    words_of(text).map(|word| stem(&word)).collect()
}

/// The words of a text by what is compared of them: one stem for all that mean the same, the parts of `camelCase`, and each
/// day as one word. Only for what is read: what is changed is called by its own words.
pub(crate) fn kin_words(text: &str) -> BTreeMap<String, String> {
    let kin = |word: String| (stem(kin_of(&word)), word);
    let mut words: BTreeMap<String, String> = words_of(text).map(kin).collect();
    let divided = divided(text);
    if divided.len() > text.len() {
        words.extend(words_of(&divided).map(kin));
    }
    // Each line of a text comes by here, and most have none.
    if text.contains(char::is_numeric) {
        let dotted = text.split(|c: char| !(c.is_alphanumeric() || c == '.')).map(|word| word.trim_matches('.'));
        let dotted = dotted.filter(|word| is_dotted(word)).map(str::to_lowercase);
        words.extend(days_in(text).chain(dotted).map(|word| (word.clone(), word)));
    }
    words
}

/// What is compared of a text's words.
pub(crate) fn kin_stems(text: &str) -> BTreeSet<String> {
    kin_words(text).into_keys().collect()
}

/// Whether a word is a version, or a number with a point: one word.
fn is_dotted(word: &str) -> bool {
    word.contains('.') && word.starts_with(|c: char| c.is_ascii_digit()) && !word.contains(char::is_alphabetic)
}

fn words_of(text: &str) -> impl Iterator<Item = String> {
    let lower = text.to_lowercase().replace(['\'', '’'], "");
    // A number with a point is one word: 37.6 is not called "6".
    let words = lower.split(|c: char| !(c.is_alphanumeric() || c == '.')).map(|word| word.trim_matches('.'));
    let parts = words.flat_map(|word| match is_dotted(word) && word.matches('.').count() == 1 {
        true => vec![word],
        false => word.split('.').collect(),
    });
    let words = parts.filter(|word| !word.is_empty()).map(str::to_owned);
    let joined = lower.split(|c: char| !(c.is_alphanumeric() || c == '-')).filter(|word| word.contains('-'));
    let words: Vec<String> = words.chain(joined.map(|word| word.replace('-', ""))).collect();
    words.into_iter()
}

/// A text whose `camelCase` names are divided.
pub(super) fn divided(text: &str) -> String {
    let mut divided = String::with_capacity(text.len() + 4);
    let mut before = ' ';
    for letter in text.chars() {
        if before.is_lowercase() && letter.is_uppercase() {
            divided.push(' ');
        }
        divided.push(letter);
        before = letter;
    }
    divided
}

/// The beginning that words must share to be forms of one: `plumber` and `plumbing`.
const ROOT: usize = 5;

/// How much two forms of a word may differ at the end.
const ENDING: usize = 3;

/// Whether one of these stems is the word's, or one that begins like it.
pub(super) fn has_word(stems: &BTreeSet<String>, word: &str) -> bool {
    stems.contains(word) || stems.iter().any(|stem| is_form(stem, word))
}

/// Whether two stems may be of one word.
pub(super) fn is_form(one: &str, other: &str) -> bool {
    let same: usize = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum();
    same >= ROOT && one.len() - same <= ENDING && other.len() - same <= ENDING
}

/// A text with what each line stands under.
pub(super) struct Outline<'t> {
    pub(super) path: &'t str,
    /// The words of the path, and of what the text says of itself at its top.
    pub(super) about: BTreeMap<String, String>,
    /// Whether its lines are rows under a heading: all of them are no answer.
    pub(super) rows: bool,
    pub(super) lines: Vec<Line<'t>>,
}

/// A line of an outline.
pub(super) struct Line<'t> {
    pub(super) text: &'t str,
    /// How deep: headings first, then by indentation.
    depth: usize,
    /// The line that it stands under.
    pub(super) under: Option<usize>,
    pub(super) words: BTreeMap<String, String>,
}

/// How code begins that says what it is.
const COMMENTS: &[&str] = &["\"\"\"", "//", "/*", "<!--"];

/// Deeper than any heading of markdown.
const BODY: usize = 8;

/// How many lines of one passage are shown.
const MAX_LINES: usize = 24;

impl<'t> Outline<'t> {
    pub(super) fn of(path: &'t str, text: &'t str) -> Self {
        let rows = is_table(path);
        let mut lines: Vec<Line<'t>> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let mut labelled = false;
        for (number, text) in text.lines().enumerate() {
            let indent = text.len() - text.trim_start().len();
            let marks = text.bytes().take_while(|byte| *byte == b'#').count();
            let is_heading = (1..BODY).contains(&marks) && text.as_bytes().get(marks) == Some(&b' ');
            let is_section = text.starts_with('[') && text.trim_end().ends_with(']');
            let blank = text.trim().is_empty();
            // "Ingredients:" stands over the lines until the next empty one.
            let is_label = text.trim_end().ends_with(':') && indent == 0;
            labelled &= !blank && !is_label;
            let depth = match (is_heading, is_section) {
                _ if rows => usize::from(number > 0),
                (true, _) => marks - 1,
                (_, true) => BODY - 1,
                _ if blank => usize::MAX,
                _ => BODY + 2 * indent + usize::from(labelled),
            };
            labelled |= is_label;
            while !blank && open.last().is_some_and(|last| lines[*last].depth >= depth) {
                open.pop();
            }
            lines.push(Line { text, depth, under: open.last().copied(), words: kin_words(text) });
            if !blank {
                open.push(number);
            }
        }
        let title = text.lines().next().filter(|line| COMMENTS.iter().any(|mark| line.starts_with(mark)));
        let about = kin_words(path).into_iter().chain(title.map(kin_words).unwrap_or_default()).collect();
        let mut outline = Self { path, about, rows, lines };
        outline.gather_records();
        outline
    }

    /// The members of an object that has no name of its own tell each other: `days` of the one whose `name` is Dairy.
    fn gather_records(&mut self) {
        let is_record = |line: &Line<'_>| matches!(line.text.trim(), "{" | "- {");
        for at in (0..self.lines.len()).rev() {
            let Some(record) = self.lines[at].under.filter(|under| is_record(&self.lines[*under])) else { continue };
            let words = self.lines[at].words.clone();
            self.lines[record].words.extend(words);
        }
    }

    pub(super) fn is_blank(&self, line: usize) -> bool {
        self.lines[line].text.trim().is_empty()
    }

    /// All lines that have something.
    pub(super) fn all(&self) -> Vec<usize> {
        (0..self.lines.len()).filter(|line| !self.is_blank(*line)).collect()
    }

    /// The words of all that a line stands under, and of the comment on it.
    pub(super) fn above(&self, line: usize) -> BTreeSet<String> {
        let mut words = self.comment_on(line);
        let mut next = self.lines.get(line).and_then(|line| line.under);
        while let Some(line) = next.and_then(|at| self.lines.get(at)) {
            words.extend(line.words.keys().cloned());
            next = line.under;
        }
        words
    }

    /// The words of the comment on the line above, and behind a line.
    pub(super) fn comment_on(&self, line: usize) -> BTreeSet<String> {
        let text = |at: usize| self.lines.get(at).map_or("", |line| line.text).trim();
        let above = line.checked_sub(1).map(text).filter(|text| text.starts_with(['#', ';']) || text.starts_with("//"));
        let behind = [" #", " //", " ;"].iter().find_map(|mark| text(line).split_once(mark)).map(|(_, behind)| behind);
        above.into_iter().chain(behind).flat_map(kin_stems).collect()
    }

    /// What stands under a line, itself first.
    pub(super) fn below(&self, line: usize) -> Vec<usize> {
        let depth = self.lines[line].depth;
        let rest = (line + 1..self.lines.len()).take_while(|next| self.lines[*next].depth > depth);
        std::iter::once(line).chain(rest).filter(|line| !self.is_blank(*line)).collect()
    }

    /// The lines just before and behind one, in the same paragraph: sentences run on.
    pub(super) fn beside(&self, line: usize) -> impl Iterator<Item = usize> + '_ {
        let under = self.lines[line].under;
        let is_beside = move |other: &usize| {
            !self.rows && self.lines.get(*other).is_some_and(|found| found.under == under) && !self.is_blank(*other)
        };
        [line.checked_sub(1), Some(line + 1)].into_iter().flatten().filter(is_beside)
    }

    /// Of a row, what was asked of it, or `all` of it: the columns whose headings have something of the question, and those
    /// whose cells have. Nothing if the headings only tell where the row is found.
    pub(super) fn cells(&self, line: usize, all: bool, has: impl Fn(&str) -> bool) -> Option<String> {
        let (head, row) = (self.lines.first().filter(|_| self.rows && line > 0)?.text, self.lines[line].text);
        let count = |sign: &u8| head.bytes().filter(|byte| byte == sign).count();
        let delimiter = [b',', b';', b'\t'].into_iter().max_by_key(count)?;
        let fields = |text: &str| -> Option<Vec<String>> {
            let mut reader =
                csv::ReaderBuilder::new().has_headers(false).delimiter(delimiter).from_reader(text.as_bytes());
            Some(reader.records().next()?.ok()?.iter().map(str::to_owned).collect())
        };
        let (head, row) = (fields(head)?, fields(row)?);
        let columns: Vec<(&String, &String)> = head.iter().zip(&row).collect();
        let asked = |(head, cell): &(&String, &String)| has(head) && !has(cell);
        if head.len() != row.len() || !columns.iter().any(asked) {
            return None;
        }
        let (head, row): (Vec<&str>, Vec<&str>) = columns
            .iter()
            .filter(|(head, cell)| all || has(head) || has(cell))
            .map(|(head, cell)| (head.as_str(), cell.as_str()))
            .unzip();
        Some(format!("1: {}\n{}: {}", head.join(", "), line + 1, row.join(", ")))
    }

    /// Whether its lines are members of lists or tables.
    pub(super) fn is_data(&self) -> bool {
        self.rows
            || self.lines.iter().any(|line| {
                line.text.starts_with(['{', '[']) && line.text.trim_end().ends_with(['{', '[', ']', '}', ','])
            })
    }

    /// A passage under its headings.
    pub(super) fn told(&self, lines: &[usize]) -> String {
        let mut above = Vec::new();
        let mut next = lines.first().and_then(|line| self.lines[*line].under);
        while let Some(line) = next {
            above.push(line);
            next = self.lines[line].under;
        }
        let shown = above.iter().rev().chain(lines.iter().take(MAX_LINES));
        let mut told: Vec<String> = shown.map(|line| format!("{}: {}", line + 1, self.lines[*line].text)).collect();
        if lines.len() > MAX_LINES {
            told.push(format!("… and {} more", lines.len() - MAX_LINES));
        }
        told.join("\n")
    }
}
