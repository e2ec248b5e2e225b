//! A text as words: where they stand, what is quoted or code, and how far typed words are from known ones.

use std::collections::HashMap;
use std::ops::Range;

pub use switchboard_search::{is_stop_word, stem};

/// A word, number, quoted text or mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Where it stands in the text, in bytes.
    pub span: Range<usize>,
    /// As it was typed, without quotes.
    pub text: String,
    /// In lower case.
    pub lower: String,
    /// What it is.
    pub kind: Kind,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A word, a path, a number: whatever stands between spaces.
    Word,
    /// Text in quotes.
    Quoted,
    /// Text marked as code.
    Code,
    /// Punctuation.
    Mark,
}

/// The most tokens that are made of a text; what follows is left out.
pub const MAX_TOKENS: usize = 2048;

/// Words longer than this are taken as they are, with their punctuation.
const MAX_PEELED: usize = 256;

/// The possessive or short "is" of `what's` and `package.json's`, which reads as either or is passed over.
pub const APOSTROPHE_S: &str = "'s";

/// The words of a text. `spellings` says how some are read: `whats` is `what is`; such words share their span.
#[must_use]
pub fn tokens(text: &str, spellings: &HashMap<String, String>) -> Vec<Token> {
    let mut reader = Reader { text, spellings, tokens: Vec::new() };
    let mut at = 0;
    while at < text.len() && reader.tokens.len() < MAX_TOKENS {
        at = reader.next(at);
    }
    reader.tokens
}

/// Words that are typed with this many wrong letters can still be meant; none where a digit differs.
///
/// A letter left out, put in, replaced or swapped is one; short words have none.
#[must_use]
pub fn typos(typed: &str, meant: &str) -> Option<usize> {
    // Most words differ in more letters than two typing errors change.
    if (letters(typed) ^ letters(meant)).count_ones() > 4 {
        return None;
    }
    let (length, other) = (typed.chars().count(), meant.chars().count());
    let (length, between) = (length.min(other), length.abs_diff(other));
    let most = if length < 4 { 0 } else { 1 + usize::from(length > 6) };
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    if between > most || most == 0 || digits(typed) != digits(meant) {
        return None;
    }
    // Of a short word only two letters may have changed places: `hall` is no `half`.
    let sorted = |text: &str| {
        let mut letters: Vec<char> = text.chars().collect();
        letters.sort_unstable();
        letters
    };
    if length < 5 && sorted(typed) != sorted(meant) {
        return None;
    }
    let distance = strsim::osa_distance(typed, meant);
    (distance <= most).then_some(distance)
}

/// The parts that are not empty, as one text.
pub(crate) fn join<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Which letters a word has, as bits.
pub(crate) fn letters(word: &str) -> u32 {
    word.bytes().filter(u8::is_ascii_lowercase).fold(0, |bits, letter| bits | 1 << (letter - b'a'))
}

struct Reader<'a> {
    text: &'a str,
    spellings: &'a HashMap<String, String>,
    tokens: Vec<Token>,
}

impl Reader<'_> {
    /// Reads what begins at this byte; gives where it ends.
    fn next(&mut self, at: usize) -> usize {
        let rest = &self.text[at..];
        let Some(first) = rest.chars().next() else { return self.text.len() };
        if first == '\n' {
            self.push(at..at + 1, "\n", Kind::Mark);
            return at + 1;
        }
        if first.is_whitespace() {
            return at + first.len_utf8();
        }
        if let Some((inside, length, kind)) = quoted(rest) {
            let inside = inside.to_owned();
            self.push(at..at + length, &inside, kind);
            return at + length;
        }
        let length = chunk(rest);
        self.chunk(at, at + length);
        at + length
    }

    /// What stands between spaces: its punctuation is taken off, and lists are divided at their commas.
    fn chunk(&mut self, mut from: usize, to: usize) {
        if to - from > MAX_PEELED {
            return self.word(from..to);
        }
        if is_file_in_brackets(&self.text[from..to]) {
            self.push_mark(from..from + 1);
            self.word(from + 1..to - 1);
            return self.push_mark(to - 1..to);
        }
        while let Some(first) = self.text[from..to].chars().next().filter(|first| opens(*first, &self.text[from..to])) {
            self.push_mark(from..from + first.len_utf8());
            from += first.len_utf8();
        }
        let mut end = to;
        let mut marks = Vec::new();
        while let Some(last) =
            self.text[from..end].chars().next_back().filter(|last| closes(*last, &self.text[from..end]))
        {
            marks.push(end - last.len_utf8()..end);
            end -= last.len_utf8();
        }
        while let Some(comma) = comma(&self.text[from..end]) {
            self.word(from..from + comma);
            self.push_mark(from + comma..from + comma + 1);
            from += comma + 1;
        }
        self.word(from..end);
        marks.into_iter().rev().for_each(|mark| self.push_mark(mark));
    }

    /// A word as it is read: with its short forms written out.
    fn word(&mut self, span: Range<usize>) {
        let text = &self.text[span.clone()];
        if text.is_empty() {
            return;
        }
        if !text.chars().any(|character| character.is_alphanumeric() || "*+-/%=<>.~$@#&|^\\_".contains(character)) {
            return self.push_mark(span);
        }
        let lower = text.to_lowercase().replace('’', "'");
        let spelled = self.spellings.get(&lower).or_else(|| self.spellings.get(&lower.replace('\'', "")));
        if let Some(read) = spelled.cloned() {
            read.split(' ').for_each(|word| self.push(span.clone(), word, Kind::Word));
        } else if let Some(owner) = lower.strip_suffix("'s").filter(|owner| !owner.is_empty()) {
            let middle = span.start + text.char_indices().rev().nth(1).map_or(0, |(place, _)| place);
            let (owner, after) = (owner.len(), middle..span.end);
            let owner = self.text.get(span.start..middle).map_or(0..owner, |_| span.start..middle);
            self.push(owner.clone(), &self.text[owner], Kind::Word);
            self.push(after, APOSTROPHE_S, Kind::Word);
        } else if let Some(verb) = lower.strip_suffix("n't").filter(|verb| !verb.is_empty()) {
            self.push(span.clone(), verb, Kind::Word);
            self.push(span, "not", Kind::Word);
        } else {
            self.push(span.clone(), &self.text[span], Kind::Word);
        }
    }

    fn push_mark(&mut self, span: Range<usize>) {
        self.push(span.clone(), &self.text[span], Kind::Mark);
    }

    fn push(&mut self, span: Range<usize>, text: &str, kind: Kind) {
        self.tokens.push(Token { span, text: text.to_owned(), lower: text.to_lowercase().replace('’', "'"), kind });
    }
}

/// The inside of what is quoted here, how many bytes it takes with its quotes, and which it is.
fn quoted(rest: &str) -> Option<(&str, usize, Kind)> {
    if let Some(fenced) = rest.strip_prefix("```") {
        let end = fenced.find("```")?;
        let inside = &fenced[..end];
        let language = inside.find('\n').filter(|line| !inside[..*line].contains(' ')).map_or(0, |line| line + 1);
        return Some((inside[language..].trim_end_matches('\n'), end + 6, Kind::Code));
    }
    let first = rest.chars().next()?;
    let (close, kind) = match first {
        '"' => ('"', Kind::Quoted),
        '“' | '„' => ('”', Kind::Quoted),
        '‘' => ('’', Kind::Quoted),
        '«' => ('»', Kind::Quoted),
        '\'' => ('\'', Kind::Quoted),
        '`' => ('`', Kind::Code),
        _ => return None,
    };
    let begin = first.len_utf8();
    let mut from = begin;
    while let Some(found) = rest[from..].find(|character| character == close || (first == '„' && character == '“'))
    {
        let end = from + found;
        let length = end + rest[end..].chars().next().map_or(1, char::len_utf8);
        let escaped = kind == Kind::Quoted && rest[..end].ends_with('\\');
        let in_word = first == '\'' && rest[length..].chars().next().is_some_and(char::is_alphanumeric);
        if !escaped && !in_word {
            return (end > begin || first == '"').then(|| (&rest[begin..end], length, kind));
        }
        from = length;
    }
    None
}

/// How many bytes stand before the next space or the next quoted text.
fn chunk(rest: &str) -> usize {
    let ends = |(place, character): (usize, char)| {
        let quote = matches!(character, '"' | '`' | '“') && place > 0 && !rest[..place].ends_with('=');
        (character.is_whitespace() || (quote && quoted(&rest[place..]).is_some())).then_some(place)
    };
    rest.char_indices().find_map(ends).unwrap_or(rest.len())
}

/// "(deploy.env)": a file's name, and nothing to be reckoned.
fn is_file_in_brackets(chunk: &str) -> bool {
    let inner = chunk.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let named = |inner: &str| {
        let ending = inner.rsplit_once('.').map_or("", |(_, ending)| ending);
        ending.len() > 1
            && ending.chars().all(char::is_alphabetic)
            && inner.chars().all(|c| c.is_alphanumeric() || "._-/".contains(c))
    };
    inner.is_some_and(named)
}

/// Whether the first character of a chunk is punctuation before it.
fn opens(first: char, chunk: &str) -> bool {
    match first {
        '(' => count(chunk, '(') > count(chunk, ')'),
        '[' => count(chunk, '[') > count(chunk, ']'),
        '{' => count(chunk, '{') > count(chunk, '}'),
        '"' | '`' | '“' | '”' | '\'' | '‘' | '¿' | '¡' | ',' | ';' | ':' => true,
        _ => false,
    }
}

/// Whether the last character of a chunk is punctuation after it.
fn closes(last: char, chunk: &str) -> bool {
    match last {
        ',' | ';' | ':' | '?' | '"' | '`' | '“' | '”' | '\'' | '’' | '…' => true,
        '!' => chunk.len() > 1,
        '.' => chunk.chars().any(char::is_alphanumeric) || chunk.len() > 2,
        ')' => count(chunk, ')') > count(chunk, '('),
        ']' => count(chunk, ']') > count(chunk, '['),
        '}' => count(chunk, '}') > count(chunk, '{'),
        _ => false,
    }
}

/// Where a list without spaces is divided: not in brackets, not within a number.
fn comma(chunk: &str) -> Option<usize> {
    let bytes = chunk.as_bytes();
    let bracket = |byte: u8| b"([{*".contains(&byte);
    if bytes.iter().copied().any(bracket) {
        return None;
    }
    let digit = |place: usize| bytes.get(place).is_some_and(u8::is_ascii_digit);
    (1..bytes.len()).find(|place| bytes[*place] == b',' && !(digit(place - 1) && digit(place + 1)))
}

fn count(chunk: &str, character: char) -> usize {
    chunk.chars().filter(|other| *other == character).count()
}

/// Whether a word is an e-mail address: `ann@mail.example`.
pub(crate) fn is_mail_address(text: &str) -> bool {
    let plain = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || "._+-".contains(c));
    text.split_once('@').is_some_and(|(name, host)| plain(name) && plain(host) && host.trim_matches('.').contains('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let spellings = HashMap::from([("whats".to_owned(), "what is".to_owned())]);
        tokens(text, &spellings).into_iter().map(|token| token.text).collect()
    }

    #[test]
    fn words_keep_what_belongs_to_them() {
        assert_eq!(words("Read data/orders.csv, please!"), ["Read", "data/orders.csv", ",", "please", "!"]);
        assert_eq!(words("a.txt,b.txt and 1,000"), ["a.txt", ",", "b.txt", "and", "1,000"]);
        assert_eq!(words("what is (3+4)*2?"), ["what", "is", "(3+4)*2", "?"]);
        assert_eq!(words("ls . and .."), ["ls", ".", "and", ".."]);
        assert_eq!(words("on (deploy.env)"), ["on", "(", "deploy.env", ")"]);
    }

    #[test]
    fn short_forms_are_written_out() {
        assert_eq!(words("what's up"), ["what", "is", "up"]);
        assert_eq!(words("package.json's version"), ["package.json", "'s", "version"]);
        assert_eq!(words("it isn't there"), ["it", "is", "not", "there"]);
    }

    #[test]
    fn quotes_and_code_are_one_word() {
        assert_eq!(words("write \"hi there\" to 'my file.txt'"), ["write", "hi there", "to", "my file.txt"]);
        assert_eq!(words("run `ls -l` and don't"), ["run", "ls -l", "and", "do", "not"]);
        assert_eq!(words("```sh\nls\n```"), ["ls"]);
        assert_eq!(words("the users' file"), ["the", "users", "'", "file"]);
    }

    #[test]
    fn a_digit_is_no_typo() {
        assert_eq!(typos("cofig.json", "config.json"), Some(1));
        assert_eq!(typos("a1.txt", "a2.txt"), None);
        assert_eq!(typos("cat", "car"), None);
    }
}
