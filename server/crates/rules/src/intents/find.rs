//! Finding files by name, and text in files.

use serde_json::Value;

use super::pieces::{COMMON_FOLDERS, FILE_WORDS, FOLDER_WORDS, HERE, bare_name, folder_at, is_path};
use super::{Known, act};
use crate::clause::Clause;
use crate::goal::{Act, Given, Goal, Role, Skill};
use crate::lexer::{Kind, Token};
use crate::words::{LANGUAGES, PRONOUNS};

/// Words before a name or pattern that say nothing about it.
const AROUND: &[&str] = &[
    "the", "a", "an", "all", "any", "every", "some", "me", "files", "file", "for", "my", "our", "of", "that", "which",
];

const INSIDE: &[&str] = &["in", "inside", "within", "under", "from", "below", "across", "throughout", "through"];

/// `find all *.rs files`, `find files named todo.md`, `where is config.json?`, `all rust files in src`.
pub(super) fn by_name(clause: &Clause, _: &Known<'_>) -> Option<Vec<Goal>> {
    let finds =
        clause.starts("find|glob|list|show|locate|search|get|count|give|look|ls|which|what|are|is|all|how|where");
    finds?;
    let pattern = pattern_of_names(clause)?;
    let found = Act::new(Skill::Glob, clause).with_text(Role::Glob, &pattern);
    act(match location(clause, 1) {
        Some((_, folder)) if !is_the_pattern(&folder, &pattern) => found.with(Role::Folder, folder),
        _ => found,
    })
}

fn is_the_pattern(folder: &Given, pattern: &str) -> bool {
    matches!(folder, Given::Value(Value::String(text)) if pattern.ends_with(text.as_str()))
}

fn pattern_of_names(clause: &Clause) -> Option<String> {
    if let Some(glob) = clause.first(Kind::Glob) {
        return Some(glob.text.clone());
    }
    let quoted_glob =
        clause.tokens.iter().find(|token| token.is_literal() && token.text.contains('*') && !token.text.contains(' '));
    if let Some(glob) = quoted_glob
        && clause.has(FILE_WORDS)
    {
        return Some(glob.text.clone());
    }
    if clause.has(&["containing", "contain", "contains", "mention", "mentioning", "text", "word", "string"]) {
        return None;
    }
    for words in ["named|called", "ending|end|ends in|with", "with? the? extension|suffix|ending"] {
        let Some((_, end)) = clause.find(words).filter(|_| clause.has(FILE_WORDS)) else { continue };
        let Some(token) = clause.tokens.get(end) else { continue };
        let extension = words != "named|called";
        return Some(if extension {
            format!("*.{}", token.text.trim_start_matches(['.', '*']))
        } else {
            token.text.clone()
        });
    }
    let language = clause.tokens.windows(2).find_map(|pair| {
        let (_, extension) = LANGUAGES.iter().find(|(name, _)| pair[0].is(&[name]))?;
        pair[1].is(&["files", "sources", "scripts"]).then_some(extension)
    });
    if let Some(extension) = language {
        return Some(format!("*.{extension}"));
    }
    let whole = clause.starts("find|locate the? file?").or_else(|| clause.starts("where is|are the? file?"))?;
    let only = clause.tokens.get(whole).filter(|token| is_path(token))?;
    let ends =
        clause.tokens.len() == whole + 1 || location(clause, whole + 1).is_some_and(|(place, _)| place == whole + 1);
    ends.then(|| only.text.clone())
}

/// `find TODO in src`, `which files contain the word port`, `where is parse used?`, `grep TODO src`.
pub(super) fn by_text(clause: &Clause, _: &Known<'_>) -> Option<Vec<Goal>> {
    let search = search(clause)?;
    let pattern = pattern(clause, &search)?;
    // Who writes lowercase letters means capital ones, too.
    let small = !matches!(&pattern, Given::Value(Value::String(text)) if text.contains(char::is_uppercase));
    let found = Act::new(Skill::Grep, clause).with(Role::Pattern, pattern);
    let found = if small { found.with(Role::AnyCase, Given::Value(Value::Bool(true))) } else { found };
    let found = Act { tentative: search.tentative, ..found };
    act(match search.folder {
        Some(folder) => found.with(Role::Path, folder),
        None => found,
    })
}

/// Where the text that is looked for is in the clause, and where to look for it.
struct Search {
    from: usize,
    to: usize,
    folder: Option<Given>,
    /// Only a word was given: it may be meant for another tool.
    tentative: bool,
}

impl Search {
    fn new(from: usize, to: usize, folder: Option<Given>) -> Self {
        Self { from, to, folder, tentative: false }
    }
}

const CONTAIN: &str = "contain|contains|containing|mention|mentions|mentioning|include|includes|including|use|uses|using|have|has|reference|references";

fn search(clause: &Clause) -> Option<Search> {
    let length = clause.tokens.len();
    if let Some(from) = clause.starts("grep|rg for?") {
        return Some(grep(clause, from));
    }
    // "which files contain X", "find all files containing X in src"
    if let Some((files, _)) = clause.find("files|file|documents|document|anything|anyone|lines|line")
        && files <= 4
        && let Some((_, from)) =
            (files..(files + 4).min(length)).find_map(|place| Some((place, clause.matches_at(place, CONTAIN)?)))
        && !clause.tokens[files..from].iter().any(is_path)
    {
        let place = location(clause, from + 1);
        return Some(Search::new(from, place.as_ref().map_or(length, |(at, _)| *at), place.map(|(_, folder)| folder)));
    }
    // "where is X used"
    if clause.starts("where is|are|do|does").is_some()
        && let Some(last) = clause.tokens.iter().rposition(|token| {
            token.is(&[
                "used",
                "mentioned",
                "defined",
                "referenced",
                "called",
                "appear",
                "appears",
                "occur",
                "occurs",
                "declared",
            ])
        })
    {
        let folder = location(clause, last + 1).map(|(_, folder)| folder);
        return Some(Search::new(2, last, folder));
    }
    // "search notes.txt for X"
    if let Some(after) = clause.starts("search|scan|check|look through|in?")
        && let Some((place, from)) = (after..length)
            .find_map(|place| Some((place, clause.matches_at(place, "for")?)))
            .filter(|(place, _)| *place > after)
        && let Some((folder, _)) = folder_at(clause, after)
        && is_place(clause, after, place)
    {
        return Some(Search::new(from, length, Some(folder)));
    }
    let from = clause.starts("search|look|scan|hunt for|after").or_else(|| clause.starts("find|locate|search"))?;
    found(clause, from)
}

/// Whether what stands here is certainly a place to look in.
fn is_place(clause: &Clause, from: usize, to: usize) -> bool {
    clause.tokens[from..to].iter().any(|token| {
        is_path(token) || token.is(FOLDER_WORDS) || token.is(HERE) || token.is(FILE_WORDS) || token.is(PRONOUNS)
    }) || to - from <= 1
}

/// `grep TODO src`: as on a command line, or in words.
fn grep(clause: &Clause, from: usize) -> Search {
    let length = clause.tokens.len();
    let from = (from..length).find(|&place| !clause.tokens[place].text.starts_with('-')).unwrap_or(from);
    if let Some((to, folder)) = location(clause, from + 1) {
        return Search::new(from, to, Some(folder));
    }
    let last = length.saturating_sub(1);
    let bare = last == from + 1 && !clause.tokens[last].is(&["word", "text"]);
    match folder_at(clause, last).filter(|_| bare || (last > from && is_path(&clause.tokens[last]))) {
        Some((folder, _)) => Search::new(from, last, Some(folder)),
        None => Search::new(from, length, None),
    }
}

/// `find X in Y`: needs a place, a quotation, or a word that stands out.
fn found(clause: &Clause, from: usize) -> Option<Search> {
    let length = clause.tokens.len();
    if let Some((to, folder)) = location(clause, from + 1)
        && (is_folder_like(clause, to)
            || clause.tokens[from..to].iter().any(Token::is_literal)
            || stands_out(clause, from, to))
    {
        return Some(Search::new(from, to, Some(folder)));
    }
    let clear = clause.tokens[from..].iter().any(Token::is_literal) || stands_out(clause, from, length);
    let says = clause
        .find("text|word|string|phrase|occurrences|lines|term|pattern")
        .is_some_and(|(place, _)| place < length - 1);
    // `find todo`, `search for cats`: one word alone.
    let from = clause.matches_at(from, "for").unwrap_or(from);
    let word = clause.tokens.len() == from + 1 && bare_name(&clause.tokens[from]).is_some();
    (clear || says || word).then_some(Search { tentative: !(clear || says), ..Search::new(from, length, None) })
}

/// Whether the place after `in` is certainly one in the workspace.
fn is_folder_like(clause: &Clause, preposition: usize) -> bool {
    let rest = &clause.tokens[preposition + 1..];
    let known = |token: &Token| {
        is_path(token)
            || token.is(FOLDER_WORDS)
            || token.is(FILE_WORDS)
            || token.is(HERE)
            || token.is(PRONOUNS)
            || token.is(&["there"])
            || token.is(COMMON_FOLDERS)
    };
    rest.iter().any(known)
        || (rest.len() == 1 && rest[0].text.chars().all(|c| c.is_ascii_lowercase() || "_-".contains(c)))
}

/// `TODO`, `parse_config`, `fooBar`: a word that is not a word of the language.
fn stands_out(clause: &Clause, from: usize, to: usize) -> bool {
    let words: Vec<&Token> = clause.tokens[from..to].iter().filter(|token| !token.is(AROUND)).collect();
    let odd = |text: &str| {
        (text.len() > 1 && text.chars().all(|c| c.is_ascii_uppercase() || "_!".contains(c)))
            || text.contains('_')
            || text.chars().skip(1).any(|c| c.is_ascii_uppercase())
                && text.starts_with(|c: char| c.is_ascii_lowercase())
            || text.contains("()")
    };
    words.len() == 1 && words[0].kind == Kind::Word && odd(&words[0].text)
}

/// The last `in …` from this token on: where it stands, and the folder or file.
fn location(clause: &Clause, from: usize) -> Option<(usize, Given)> {
    let places = (from..clause.tokens.len()).rev().filter(|&place| clause.tokens[place].is(INSIDE));
    places.into_iter().find_map(|place| {
        let (folder, end) = folder_at(clause, place + 1)?;
        // "in src in the files" and the like end the clause; more words mean that this was another "in".
        (end + 1 >= clause.tokens.len()).then_some((place, folder))
    })
}

/// The text that is looked for.
fn pattern(clause: &Clause, search: &Search) -> Option<Given> {
    let tokens = clause.tokens.get(search.from..search.to)?;
    if let Some(token) = tokens.iter().find(|token| matches!(token.kind, Kind::Quoted | Kind::Code | Kind::Reference)) {
        return Some(text_or_regex(&token.text, clause));
    }
    let mut from = search.from;
    let lead = [
        "the",
        "word",
        "words",
        "text",
        "string",
        "phrase",
        "term",
        "pattern",
        "all",
        "any",
        "every",
        "occurrences",
        "occurrence",
        "instances",
        "lines",
        "line",
        "matches",
        "references",
        "to",
        "of",
        "with",
        "containing",
        "that",
        "contain",
        "regex",
        "regexp",
        "expression",
        "regular",
        "a",
        "an",
        "for",
        "each",
        "which",
        "mention",
    ];
    while from + 1 < search.to && clause.tokens[from].is(&lead) {
        from += 1;
    }
    let mut to = search.to;
    while to > from + 1
        && clause.tokens[to - 1].is(&["comments", "occurrences", "files", "file", "anywhere", "everywhere"])
    {
        to -= 1;
    }
    let text = clause.part(from, to);
    let only_pronoun = to == from + 1 && clause.tokens[from].is(PRONOUNS);
    (!text.is_empty() && text.len() <= 500 && !only_pronoun).then(|| text_or_regex(text, clause))
}

/// A regular expression only when the user says so: other text is looked for as it is.
fn text_or_regex(text: &str, clause: &Clause) -> Given {
    let said = clause.has(&["regex", "regexp", "pattern", "expression"]);
    if said || crate::roles::is_reference(text) {
        return Given::text(text);
    }
    Given::text(&switchboard_context::literal(&escaped(text)))
}

/// The text as a regular expression that finds just this text.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if r"\.+*?()|[]{}^$".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
