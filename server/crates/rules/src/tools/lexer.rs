//! Text into tokens: words, numbers, paths, globs, addresses, quotations, code, JSON and `@references`.
//!
//! One pass, at most [`MAX_TOKENS`] tokens and [`MAX_BYTES`] of text outside quotations: what lies behind is not looked
//! at, and [`Lexed::cut`] says so. A quotation may be as long as the message.

use serde_json::Value;

use super::chunk::classify;
pub(super) use super::kind::Kind;

/// How many tokens are looked at.
pub(super) const MAX_TOKENS: usize = 600;

/// How much text outside quotations is looked at.
const MAX_BYTES: usize = 32 * 1024;

/// Longer pieces between two spaces are not taken apart.
const MAX_WORD_BYTES: usize = 2048;

/// How often JSON is looked for.
const MAX_JSON_TRIES: usize = 8;

/// Words that `'s` after them makes a question or a statement of: `what's`, `it's`.
const CONTRACTED: &[&str] = &["what", "where", "who", "how", "when", "that", "it", "there", "here", "which"];

/// A piece of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// What it says: a quotation without its quotes.
    pub(super) text: String,
    /// The same in lower case; empty for long quotations.
    pub(super) lower: String,
    /// Where it stands in the text.
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Token {
    pub(super) fn new(kind: Kind, text: &str, start: usize, end: usize) -> Self {
        let lower = if text.len() <= 256 { text.to_lowercase().replace('’', "'") } else { String::new() };
        Self { kind, text: text.to_owned(), lower, start, end }
    }

    /// Whether it is one of these words.
    pub(super) fn is(&self, words: &[&str]) -> bool {
        !self.is_literal() && words.contains(&self.lower.as_str())
    }

    /// Whether it is this mark.
    pub(super) fn is_mark(&self, marks: &str) -> bool {
        self.kind == Kind::Mark && marks.contains(self.text.as_str())
    }

    /// Whether it was quoted: its words are not for the rules.
    pub(super) fn is_literal(&self) -> bool {
        matches!(self.kind, Kind::Quoted | Kind::Code | Kind::Json)
    }
}

/// A text in tokens.
#[derive(Debug, Default)]
pub(super) struct Lexed {
    pub(super) tokens: Vec<Token>,
    /// There was more than the rules look at.
    #[cfg_attr(not(test), expect(dead_code, reason = "the bounds are the lexer's own; its tests look at them"))]
    pub(super) cut: bool,
}

/// Cuts a text into tokens.
pub(super) fn lex(text: &str) -> Lexed {
    let mut lexer = Lexer { text, at: 0, tokens: Vec::new(), unclosed: Vec::new(), json_tries: 0, plain: 0 };
    let cut = lexer.run();
    Lexed { tokens: lexer.tokens, cut }
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    tokens: Vec<Token>,
    /// Closing quotes that do not come any more: they are looked for once.
    unclosed: Vec<&'static str>,
    json_tries: usize,
    plain: usize,
}

impl Lexer<'_> {
    /// Whether something was left.
    fn run(&mut self) -> bool {
        while let Some(first) = self.text[self.at..].chars().next() {
            if self.tokens.len() >= MAX_TOKENS || self.plain >= MAX_BYTES {
                return true;
            }
            let before = self.at;
            if first == '\n' {
                self.push(Kind::Mark, before, before + 1, before + 1);
            } else if first.is_whitespace() {
                self.at += first.len_utf8();
            } else if !self.quotation(first) && !self.json(first) {
                self.chunk();
            } else {
                continue;
            }
            self.plain += self.at - before;
        }
        false
    }

    fn push(&mut self, kind: Kind, start: usize, end: usize, next: usize) {
        self.tokens.push(Token::new(kind, &self.text[start..end], start, end));
        self.at = next;
    }

    /// A fenced block, code, or a quotation that begins here and ends somewhere.
    fn quotation(&mut self, first: char) -> bool {
        if self.text[self.at..].starts_with("```") && self.fence() {
            return true;
        }
        let (close, kind) = match first {
            '`' => ("`", Kind::Code),
            '"' => ("\"", Kind::Quoted),
            '\'' => ("'", Kind::Quoted),
            '“' | '„' => ("”", Kind::Quoted),
            '‘' => ("’", Kind::Quoted),
            '«' => ("»", Kind::Quoted),
            _ => return false,
        };
        let inside = self.at + first.len_utf8();
        let Some(length) = self.closing(inside, close) else { return false };
        let (start, end) = (self.at, inside + length + close.len());
        self.tokens.push(Token { start, end, ..Token::new(kind, &self.text[inside..inside + length], start, end) });
        self.at = end;
        true
    }

    fn fence(&mut self) -> bool {
        let inside = self.at + 3;
        if self.unclosed.contains(&"```") {
            return false;
        }
        let Some(length) = self.text[inside..].find("```") else {
            self.unclosed.push("```");
            return false;
        };
        let body = &self.text[inside..inside + length];
        // The first line of a block names its language.
        let body = match body.split_once('\n') {
            Some((language, rest)) if language.trim().chars().all(|c| c.is_alphanumeric() || "+-_#.".contains(c)) => {
                rest
            }
            _ => body,
        };
        let (start, end) = (self.at, inside + length + 3);
        self.tokens.push(Token::new(Kind::Code, body.strip_suffix('\n').unwrap_or(body), start, end));
        self.at = end;
        true
    }

    /// How long the quotation is: its end stands before a space, a mark or the end of the text.
    fn closing(&mut self, inside: usize, close: &'static str) -> Option<usize> {
        if self.unclosed.contains(&close) {
            return None;
        }
        let mut from = inside;
        while let Some(found) = self.text[from..].find(close) {
            let end = from + found;
            let after = self.text[end + close.len()..].chars().next();
            let escaped = close == "\"" && self.text[..end].ends_with('\\');
            if !escaped && after.is_none_or(|next| !next.is_alphanumeric() && next != '_') {
                return Some(end - inside);
            }
            from = end + close.len();
        }
        self.unclosed.push(close);
        None
    }

    /// One token; of `what's` two, the second of which is `is`.
    fn word(&mut self, bare: &str, from: usize, next: usize) {
        let end = from + bare.len();
        let straight = bare.replace('’', "'").to_lowercase();
        let stem = straight.strip_suffix("'s").filter(|stem| CONTRACTED.contains(stem));
        let Some(stem) = stem.or_else(|| (straight == "whats").then_some("what")) else {
            return self.push(classify(bare), from, end, next);
        };
        let middle = from + stem.len();
        self.push(Kind::Word, from, middle, next);
        self.push(Kind::Word, middle, end, next);
        if let Some(second) = self.tokens.last_mut() {
            "is".clone_into(&mut second.lower);
        }
    }

    fn json(&mut self, first: char) -> bool {
        if !matches!(first, '{' | '[') || self.json_tries >= MAX_JSON_TRIES {
            return false;
        }
        self.json_tries += 1;
        let mut values = serde_json::Deserializer::from_str(&self.text[self.at..]).into_iter::<Value>();
        if !matches!(values.next(), Some(Ok(Value::Object(_) | Value::Array(_)))) {
            return false;
        }
        let end = self.at + values.byte_offset();
        self.push(Kind::Json, self.at, end, end);
        true
    }

    /// What stands up to the next space; marks at its end are tokens of their own.
    fn chunk(&mut self) {
        let rest = &self.text[self.at..];
        let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (start, end) = (self.at, self.at + length);
        let chunk = &self.text[start..end];
        if chunk.len() > MAX_WORD_BYTES {
            return self.push(Kind::Word, start, end, end);
        }
        let quotes = ['"', '\'', '“', '‘'];
        let unquoted = chunk.trim_start_matches(quotes);
        let wrapped = unquoted.starts_with('(') && (!balanced(unquoted) || is_wrapped(trim_marks(unquoted)));
        let opened = if wrapped { unquoted.trim_start_matches(['(', '"', '\'', '“', '‘']) } else { unquoted };
        let opened = if opened.is_empty() { chunk } else { opened };
        let bare = trim_marks(opened);
        let from = start + (chunk.len() - opened.len());
        for (offset, mark) in chunk[..from - start].char_indices().filter(|(_, mark)| *mark == '(') {
            self.push(Kind::Mark, start + offset, start + offset + mark.len_utf8(), end);
        }
        if !bare.is_empty() {
            self.word(bare, from, end);
        }
        for (offset, mark) in chunk[from - start + bare.len()..].char_indices() {
            if ".,;:!?)".contains(mark) {
                let place = from + bare.len() + offset;
                self.push(Kind::Mark, place, place + mark.len_utf8(), end);
            }
        }
        self.at = end;
    }
}

/// A chunk without the marks that end a clause: `config.json,` and `really?!`, but not `..`, `5!` and `f(x)`.
fn trim_marks(chunk: &str) -> &str {
    if chunk.chars().all(|c| c == '.') && chunk.len() <= 2 {
        return if chunk.len() == 2 { chunk } else { "" };
    }
    let mut bare = chunk.trim_end_matches(['.', ',', ';', ':', '?', '"', '\'', '”', '’']);
    if !bare.trim_end_matches('!').ends_with(|c: char| c.is_ascii_digit()) {
        bare = bare.trim_end_matches(['.', ',', ';', ':', '!', '?', '"', '\'', '”', '’']);
    }
    if balanced(bare) { bare } else { bare.trim_end_matches([')', '.', ',', ';', ':', '!', '?']) }
}

/// Whether the first parenthesis closes at the end: `(b.txt)`, but not `(3+4)*(5+6)`.
fn is_wrapped(chunk: &str) -> bool {
    let inside = chunk.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    inside.is_some_and(|inside| !inside.is_empty() && !inside.contains(['(', ')']))
}

fn balanced(chunk: &str) -> bool {
    chunk.matches('(').count() == chunk.matches(')').count()
}

#[cfg(test)]
#[path = "lexer_tests.rs"]
mod tests;
