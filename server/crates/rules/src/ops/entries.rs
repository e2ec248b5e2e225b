//! Where the values of a settings file stand, so that one can be read or changed and all else stays as it is: JSON by a
//! scanner over its text; TOML, INI, YAML and `key=value` files line by line.

use std::collections::HashMap;
use std::ops::Range;

use super::names::{assignments, directives, has_directives, has_pairs, pairs};
use super::rows::placed_lines;

/// A file is looked at up to this many entries.
const MAX_ENTRIES: usize = 20_000;

/// How deep JSON may be nested.
const MAX_DEPTH: usize = 100;

/// How a settings file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Json,
    Toml,
    Yaml,
    /// Sections in brackets or none, `key = value` or `key: value`.
    Ini,
    /// Names that source code gives values to.
    Code,
    /// `name value;`.
    Directives,
    /// `Name value`.
    Pairs,
}

impl Format {
    /// The format that a file's name and text speak for.
    pub(crate) fn of(path: &str, text: &str) -> Option<Self> {
        let name = path.rsplit('/').next().unwrap_or_default().to_lowercase();
        match name.rsplit('.').next().unwrap_or_default() {
            "json" | "jsonc" | "webmanifest" => return Some(Self::Json),
            "toml" => return Some(Self::Toml),
            "yaml" | "yml" => return Some(Self::Yaml),
            "conf" if has_directives(text) => return Some(Self::Directives),
            "conf" | "cnf" if has_pairs(text) => return Some(Self::Pairs),
            _ if (name.ends_with("config") || name == "dockerfile") && has_pairs(text) => return Some(Self::Pairs),
            "ini" | "cfg" | "conf" | "properties" | "env" | "editorconfig" => return Some(Self::Ini),
            _ if name.starts_with(".env") => return Some(Self::Ini),
            _ => {}
        }
        let begins = text.trim_start();
        if begins.starts_with(['{', '[']) && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok() {
            return Some(Self::Json);
        }
        let lines = text.lines().filter(|line| !line.trim().is_empty() && !is_comment(line));
        let lines: Vec<&str> = lines.take(50).collect();
        let set =
            |line: &&&str| line.split_once('=').is_some_and(|(key, _)| is_key(key.trim())) || line.starts_with('[');
        if !lines.is_empty() && lines.iter().filter(set).count() == lines.len() {
            return Some(Self::Ini);
        }
        (is_code(&name) && !assignments(text).is_empty()).then_some(Self::Code)
    }
}

/// A value and its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The keys that lead to it.
    pub(crate) path: Vec<String>,
    /// Where its key stands; empty for the items of a list.
    pub(crate) key: Range<usize>,
    /// Where its value stands, without a comment behind it.
    pub(crate) value: Range<usize>,
    /// Whether it holds others rather than a value of its own.
    pub(crate) group: bool,
}

impl Entry {
    /// The keys with points between them.
    pub(crate) fn name(&self) -> String {
        self.path.join(".")
    }
}

/// The entries in their order.
pub(crate) fn entries(format: Format, text: &str) -> Vec<Entry> {
    match format {
        Format::Json => Scanner::new(text).entries,
        Format::Yaml => by_indent(text),
        Format::Toml | Format::Ini => by_section(text, format),
        Format::Code => by_name(text, assignments(text)),
        Format::Directives => by_name(text, directives(text)),
        Format::Pairs => by_name(text, pairs(text)),
    }
}

fn by_name(text: &str, named: Vec<(Range<usize>, Range<usize>)>) -> Vec<Entry> {
    let entry = |(key, value): (Range<usize>, Range<usize>)| Entry {
        path: vec![text[key.clone()].to_owned()],
        key,
        value,
        group: false,
    };
    named.into_iter().take(MAX_ENTRIES).map(entry).collect()
}

/// A scanner over JSON; what is not JSON ends it.
struct Scanner<'t> {
    text: &'t str,
    at: usize,
    path: Vec<String>,
    entries: Vec<Entry>,
}

impl<'t> Scanner<'t> {
    fn new(text: &'t str) -> Self {
        let mut scanner = Self { text, at: 0, path: Vec::new(), entries: Vec::new() };
        let _ended = scanner.value();
        scanner
    }

    fn peek(&mut self) -> Option<u8> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text.as_bytes().get(self.at).copied()
    }

    /// Goes over a value; where it stands and whether it holds others.
    fn value(&mut self) -> Option<(Range<usize>, bool)> {
        let first = self.peek()?;
        let start = self.at;
        match first {
            b'{' | b'[' if self.path.len() < MAX_DEPTH => {
                self.at += 1;
                self.members(first == b'{')?;
                Some((start..self.at, true))
            }
            b'"' => self.string().map(|span| (span, false)),
            _ => {
                let rest = &self.text[start..];
                let length = rest.find([',', '}', ']', '\n', ' ', '\r', '\t']).unwrap_or(rest.len());
                self.at += length;
                (length > 0).then_some((start..self.at, false))
            }
        }
    }

    fn members(&mut self, keyed: bool) -> Option<()> {
        let close = if keyed { b'}' } else { b']' };
        let mut place = 0_usize;
        while self.peek()? != close {
            let key = if keyed { self.string()? } else { self.at..self.at };
            let name: String = if keyed {
                let name = serde_json::from_str(&self.text[key.clone()]).ok()?;
                (self.peek()? == b':').then_some(())?;
                self.at += 1;
                name
            } else {
                place.to_string()
            };
            self.path.push(name);
            let (entry, path) = (self.entries.len(), self.path.clone());
            (entry < MAX_ENTRIES).then_some(())?;
            self.entries.push(Entry { path, key, value: 0..0, group: false });
            let (value, group) = self.value()?;
            self.entries[entry] = Entry { value, group, ..self.entries[entry].clone() };
            self.path.pop();
            place += 1;
            if self.peek()? == b',' {
                self.at += 1;
            }
        }
        self.at += 1;
        Some(())
    }

    fn string(&mut self) -> Option<Range<usize>> {
        (self.peek()? == b'"').then_some(())?;
        let start = self.at;
        let mut escaped = false;
        for (place, byte) in self.text.bytes().enumerate().skip(start + 1) {
            match byte {
                b'"' if !escaped => {
                    self.at = place + 1;
                    return Some(start..self.at);
                }
                b'\\' => escaped = !escaped,
                _ => escaped = false,
            }
        }
        None
    }
}

/// Whether a file holds no prose, by its name.
fn is_code(name: &str) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    !matches!(ending, Some("md" | "txt" | "rst" | "log" | "csv" | "tsv" | "html" | "xml" | "jsonl"))
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with(['#', ';']) || line.trim_start().starts_with("//")
}

fn is_key(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || "_-. \"'".contains(c))
}

fn by_section(text: &str, format: Format) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut section: Vec<String> = Vec::new();
    let mut items: HashMap<Vec<String>, usize> = HashMap::new();
    let mut inside: Option<&str> = None;
    for (start, line) in placed_lines(text).take(MAX_ENTRIES) {
        if let Some(end) = inside {
            if line.contains(end) {
                inside = None;
            }
            continue;
        }
        let plain = line.trim();
        if plain.is_empty() || is_comment(line) {
            continue;
        }
        if let Some(name) = plain.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
            section = name.trim_matches('[').split('.').map(unquoted).collect();
            if plain.starts_with("[[") {
                let place = items.entry(section.clone()).or_default();
                section.push(place.to_string());
                *place += 1;
            }
            continue;
        }
        let separators: &[char] = if format == Format::Toml { &['='] } else { &['=', ':'] };
        let Some(sign) = line.find(separators) else { continue };
        let key = line[..sign].trim().trim_start_matches("export ").trim();
        if !is_key(key) {
            continue;
        }
        let own = key.split('.').filter(|_| format == Format::Toml).map(unquoted).collect::<Vec<_>>();
        let own = if own.is_empty() { vec![unquoted(key)] } else { own };
        let at = start + line.find(key).unwrap_or_default();
        let value = value_in(line, sign + 1, format);
        let shown = &line[value.clone()];
        inside = ["\"\"\"", "'''"].into_iter().find(|mark| shown.starts_with(mark) && shown.matches(mark).count() < 2);
        if inside.is_none() && shown.starts_with('[') && !shown.contains(']') {
            inside = Some("]");
        }
        entries.push(Entry {
            path: section.iter().cloned().chain(own).collect(),
            key: at..at + key.len(),
            value: start + value.start..start + value.end,
            group: inside.is_some(),
        });
    }
    entries
}

fn names(above: &[(usize, String)]) -> Vec<String> {
    above.iter().map(|(_, name)| name.clone()).collect()
}

fn by_indent(text: &str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    // Groups by how far in they stand: a key twice its indent, an item of a list one more than its dash.
    let mut above: Vec<(usize, String)> = Vec::new();
    let mut items: HashMap<Vec<String>, usize> = HashMap::new();
    let mut block: Option<usize> = None;
    for (start, line) in placed_lines(text).take(MAX_ENTRIES) {
        let indent = line.len() - line.trim_start().len();
        if line.trim().is_empty() || is_comment(line) || line.starts_with("---") {
            continue;
        }
        if block.is_some_and(|outer| indent > outer) {
            continue;
        }
        block = None;
        let mut indent = indent;
        while line[indent..].starts_with("- ") {
            above.retain(|(outer, _)| *outer < 2 * indent + 1);
            let place = items.entry(names(&above)).or_default();
            above.push((2 * indent + 1, place.to_string()));
            *place += 1;
            indent += 1 + line[indent + 1..].len() - line[indent + 1..].trim_start().len();
        }
        let Some(sign) = line[indent..].find(':').map(|place| indent + place) else { continue };
        let follows = line[sign + 1..].chars().next();
        let key = line[indent..sign].trim();
        if follows.is_some_and(|c| !c.is_whitespace()) || !is_key(key) {
            continue;
        }
        above.retain(|(outer, _)| *outer < 2 * indent);
        let value = value_in(line, sign + 1, Format::Yaml);
        let shown = &line[value.clone()];
        if shown.starts_with(['|', '>']) {
            block = Some(indent);
        }
        let path = names(&above).into_iter().chain([unquoted(key)]).collect();
        let group = shown.is_empty() || block.is_some();
        let at = start + indent;
        entries.push(Entry { path, key: at..at + key.len(), value: start + value.start..start + value.end, group });
        above.push((2 * indent, unquoted(key)));
    }
    entries
}

/// Where the value stands in its line: without the blanks around it and a comment behind it.
fn value_in(line: &str, from: usize, format: Format) -> Range<usize> {
    let rest = &line[from..];
    let start = from + rest.len() - rest.trim_start().len();
    let value = &line[start..];
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
    let end = match quote.and_then(|quote| value[1..].rfind(quote)) {
        Some(end) if is_closed(&value[end + 2..]) => end + 2,
        _ => {
            let marks: &[&str] = if format == Format::Ini { &[" #", " ;"] } else { &[" #"] };
            marks.iter().filter_map(|mark| value.find(mark)).min().unwrap_or(value.len())
        }
    };
    start..start + value[..end].trim_end().len()
}

fn is_closed(rest: &str) -> bool {
    rest.trim().is_empty() || rest.trim_start().starts_with(['#', ';'])
}

/// Without the quotation marks around it.
pub(super) fn unquoted(text: &str) -> String {
    let text = text.trim();
    let inner = ['"', '\''].iter().find_map(|mark| text.strip_prefix(*mark)?.strip_suffix(*mark));
    inner.unwrap_or(text).to_owned()
}
