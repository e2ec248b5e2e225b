//! Passages: the smallest parts of texts in which all sought words stand.
//!
//! A text is read as an outline: what stands under a heading, a key, a line that ends in a colon or at a deeper indentation
//! belongs to it, and a file's path stands over all of it. So `guests` in `wifi.txt` is where the wifi of guests is told.

use std::collections::BTreeSet;

use regex::Regex;
use switchboard_search::stem;

use super::done::{Done, Reply};
use super::kin::{days_in, kin_of};
use super::show::block;

/// The reply that shows passages.
pub(super) const REPLIES: &[(&str, Reply)] = &[("passages", passages)];

/// How passages are led in.
pub(crate) const FOUND: &str = "This is what I found:";

/// More passages than this are no answer.
const MAX_PASSAGES: usize = 8;

/// How many lines of one passage are shown.
const MAX_LINES: usize = 24;

/// The stems of a text's words; of `Wi-Fi` also as one word.
pub(crate) fn word_stems(text: &str) -> BTreeSet<String> {
    stems_by(text, stem).collect()
}

/// The same, with one stem for all words that mean the same, the parts of `camelCase`, and each day as one word. Only
/// for what is read: what is changed is called by its own words.
pub(crate) fn kin_stems(text: &str) -> BTreeSet<String> {
    let kin = |word: &str| stem(kin_of(word));
    let mut stems: BTreeSet<String> = stems_by(text, kin).collect();
    let divided = divided(text);
    if divided.len() > text.len() {
        stems.extend(stems_by(&divided, kin));
    }
    // Each line of a text comes by here, and most have none.
    if text.contains(char::is_numeric) {
        stems.extend(days_in(text));
    }
    stems
}

fn stems_by(text: &str, stem: impl Fn(&str) -> String) -> impl Iterator<Item = String> {
    let lower = text.to_lowercase().replace(['\'', '’'], "");
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(&stem);
    let joined = lower.split(|c: char| !(c.is_alphanumeric() || c == '-')).filter(|word| word.contains('-'));
    let stems: Vec<String> = words.chain(joined.map(|word| stem(&word.replace('-', "")))).collect();
    stems.into_iter()
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
pub(crate) fn has_word(stems: &BTreeSet<String>, word: &str) -> bool {
    stems.contains(word) || stems.iter().any(|stem| is_form(stem, word))
}

fn is_form(one: &str, other: &str) -> bool {
    let same: usize = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum();
    same >= ROOT && one.len() - same <= ENDING && other.len() - same <= ENDING
}

/// `passages`: of the texts that were read, those that have all of `words`, and of these those that have most of `beside`;
/// `has`: what an answer has; `code`: which files are code, of which only lines like `constant` answer.
fn passages(done: &Done<'_>) -> Result<String, String> {
    let words = |slot: &str| done.slots.text(slot).unwrap_or_default().split_whitespace().map(str::to_owned).collect();
    let (sought, beside): (BTreeSet<String>, BTreeSet<String>) = (words("words"), words("beside"));
    let pattern = |slot: &str| done.slots.text(slot).and_then(|pattern| Regex::new(pattern).ok());
    let (answers, code, constant) = (pattern("has"), pattern("code"), pattern("constant"));
    let fits = |pattern: &Option<Regex>, text: &str| pattern.as_ref().is_none_or(|pattern| pattern.is_match(text));
    let mut found = Vec::new();
    for (path, text) in done.texts()? {
        let outline = Outline::of(&path, &text);
        let is_code = code.as_ref().is_some_and(|code| code.is_match(&path));
        for lines in outline.passages(&sought) {
            let text = lines.iter().map(|line| outline.lines[*line].text).collect::<Vec<_>>().join("\n");
            let is_told = !is_code || (lines.len() == 1 && fits(&constant, &text));
            if is_told && fits(&answers, &text) {
                let told = outline.told(&lines);
                let nearby = kin_stems(&format!("{path} {told}"));
                found.push((beside.iter().filter(|word| has_word(&nearby, word)).count(), path.clone(), told));
            }
        }
    }
    let most = found.iter().map(|(near, ..)| *near).max().unwrap_or_default();
    found.retain(|(near, ..)| *near == most);
    match found.len() {
        0 => return Err("I found no place that has it all.".to_owned()),
        count if count > MAX_PASSAGES => return Err(format!("I found {count} places that have it; say more.")),
        _ => {}
    }
    let parts = found.chunk_by(|(_, one, _), (_, other, _)| one == other).map(|of_file| {
        let told: Vec<&str> = of_file.iter().map(|(.., told)| told.as_str()).collect();
        format!("`{}`:\n\n{}", of_file[0].1, block(&told.join("\n"), "text"))
    });
    Ok(format!("{FOUND}\n\n{}", parts.collect::<Vec<_>>().join("\n\n")))
}

/// A text with what each line stands under.
struct Outline<'t> {
    path: BTreeSet<String>,
    /// Whether its lines are rows under a heading: all of them are no answer.
    rows: bool,
    lines: Vec<Line<'t>>,
}

struct Line<'t> {
    text: &'t str,
    /// How deep: headings first, then by indentation.
    depth: usize,
    /// The line that it stands under.
    under: Option<usize>,
    words: BTreeSet<String>,
}

/// How code begins that says what it is.
const COMMENTS: &[&str] = &["\"\"\"", "//", "/*", "<!--"];

/// Deeper than any heading of markdown.
const BODY: usize = 8;

impl<'t> Outline<'t> {
    fn of(path: &str, text: &'t str) -> Self {
        let rows = path.ends_with(".csv") || path.ends_with(".tsv");
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
            lines.push(Line { text, depth, under: open.last().copied(), words: kin_stems(text) });
            if !blank {
                open.push(number);
            }
        }
        // What a text says of itself at its top stands over all of it.
        let title = text.lines().next().filter(|line| COMMENTS.iter().any(|mark| line.starts_with(mark)));
        let path = kin_stems(path).into_iter().chain(title.map(kin_stems).unwrap_or_default()).collect();
        let mut outline = Self { path, rows, lines };
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

    /// What stands under a line, itself first.
    fn below(&self, line: usize) -> Vec<usize> {
        let depth = self.lines[line].depth;
        let rest = (line + 1..self.lines.len()).take_while(|next| self.lines[*next].depth > depth);
        std::iter::once(line).chain(rest).filter(|line| !self.lines[*line].text.trim().is_empty()).collect()
    }

    /// The smallest parts that have all the words, with what they stand under; each as its lines.
    fn passages(&self, words: &BTreeSet<String>) -> Vec<Vec<usize>> {
        let missing: BTreeSet<&String> = words.iter().filter(|word| !has_word(&self.path, word)).collect();
        if missing.is_empty() && self.rows {
            return Vec::new();
        }
        if missing.is_empty() {
            return vec![(0..self.lines.len()).filter(|line| !self.lines[*line].text.trim().is_empty()).collect()];
        }
        let mut lacks: Vec<BTreeSet<&String>> = Vec::with_capacity(self.lines.len());
        let mut found = Vec::new();
        for (number, line) in self.lines.iter().enumerate() {
            let above = line.under.map_or_else(|| missing.clone(), |under| lacks[under].clone());
            let own: BTreeSet<&String> = above.iter().filter(|word| !has_word(&line.words, word)).copied().collect();
            // The heading of rows is no row: what stands only there is not asked of any.
            let is_head = self.rows && number == 0;
            if own.is_empty() && !above.is_empty() && !is_head {
                found.push(self.below(number));
            }
            lacks.push(own);
        }
        found
    }

    /// A passage under its headings.
    fn told(&self, lines: &[usize]) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, text: &str, words: &str, expected: &[&str]) {
        let outline = Outline::of(path, text);
        let words = kin_stems(words);
        let told: Vec<String> = outline.passages(&words).iter().map(|lines| outline.told(lines)).collect();
        assert_eq!(told, expected, "{words:?}");
    }

    #[test]
    fn the_smallest_part_that_has_all_words_is_shown_under_its_headings() {
        let house = "# House\n\n## Heating\nengineer: Ivo Petrak\ncode 77\n\n## Lift\nengineer: Lea Brandt\n";
        check("notes/house.md", house, "engineer heating", &["1: # House\n3: ## Heating\n4: engineer: Ivo Petrak"]);
        check("notes/house.md", house, "lift", &["1: # House\n7: ## Lift\n8: engineer: Lea Brandt"]);
        check("notes/house.md", house, "lift heating", &[]);
    }

    #[test]
    fn the_path_stands_over_all_of_a_text_and_indentation_over_what_is_deeper() {
        check("wifi.txt", "home: blue\nguests: green", "wifi guests", &["2: guests: green"]);
        check(
            "stack.yml",
            "web:\n  ports:\n    - 80\ndb:\n  ports:\n    - 5432",
            "db ports",
            &["4: db:\n5:   ports:\n6:     - 5432"],
        );
        check("firms.txt", "Rohrmax, plumbing, 0800 5\nKern, painting", "plumber", &["1: Rohrmax, plumbing, 0800 5"]);
        check("soup.txt", "Salt\nWater", "soup", &["1: Salt\n2: Water"]);
    }

    #[test]
    fn an_object_of_a_list_is_told_as_a_whole() {
        let firms = "[\n  {\n    \"name\": \"Dairy\",\n    \"days\": \"mon\"\n  },\n  {\n    \"name\": \"Mill\",\n    \"days\": \"fri\"\n  }\n]";
        let dairy = "1: [\n2:   {\n3:     \"name\": \"Dairy\",\n4:     \"days\": \"mon\"";
        check("firms.json", firms, "dairy", &[dairy]);
        check("firms.json", firms, "dairy days", &[dairy]);
        check("firms.json", firms, "dairy fri", &[]);
    }

    #[test]
    fn a_row_is_shown_with_its_columns_and_a_whole_table_is_no_answer() {
        let keys = "room,holder\nattic,Noa\ncellar,Kim\n";
        check("keys.csv", keys, "attic holder", &["1: room,holder\n2: attic,Noa"]);
        check("keys.csv", keys, "keys", &[]);
    }
}
