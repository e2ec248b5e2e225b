//! The sentences' notation, read by descent.

use std::sync::Arc;

use crate::slots::SlotType;
use crate::vocabulary::WordId;

/// A part of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    /// A word.
    Word(WordId),
    /// A slot.
    Slot(SlotNode),
    /// One of these.
    OneOf(Vec<Parts>),
    /// Perhaps one of these.
    Perhaps(Vec<Parts>),
    /// A phrase of `words.toml`, before it is put in.
    Phrase(String),
    /// A phrase of `words.toml`.
    Shared(Arc<Parts>),
}

/// Parts in their order.
pub(crate) type Parts = Vec<Node>;

/// `{name:type}`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SlotNode {
    pub(crate) name: String,
    pub(crate) kind: SlotType,
    /// For a choice: what is said and what it then holds.
    pub(crate) choices: Vec<(String, String)>,
}

/// Reads a sentence; `word` gives the numbers of its words, which are in lower case.
pub(crate) fn parse(text: &str, word: &mut dyn FnMut(&str) -> WordId) -> Result<Parts, String> {
    let mut reader = Reader { text, at: 0, depth: 0, word };
    let mut ways = vec![reader.parts()?];
    while reader.peek() == Some('|') {
        reader.take();
        ways.push(reader.parts()?);
    }
    match reader.peek() {
        None if ways.len() > 1 => Ok(vec![Node::OneOf(ways)]),
        None => Ok(ways.swap_remove(0)),
        Some(other) => Err(format!("`{other}` at character {} has nothing that it closes", reader.column())),
    }
}

/// How deep brackets may nest.
const MAX_DEPTH: usize = 16;

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    word: &'a mut dyn FnMut(&str) -> WordId,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn take(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    fn column(&self) -> usize {
        self.text[..self.at].chars().count() + 1
    }

    fn parts(&mut self) -> Result<Parts, String> {
        let mut parts = Parts::new();
        while let Some(next) = self.peek() {
            match next {
                ')' | ']' | '|' => break,
                '(' => parts.push(Node::OneOf(self.bracket(')')?)),
                '[' => parts.push(Node::Perhaps(self.bracket(']')?)),
                '{' => parts.push(Node::Slot(slot(&self.until('}')?)?)),
                '<' => parts.push(Node::Phrase(self.until('>')?)),
                space if space.is_whitespace() => {
                    self.take();
                }
                _ => parts.push(self.word()),
            }
        }
        Ok(parts)
    }

    fn bracket(&mut self, close: char) -> Result<Vec<Parts>, String> {
        let opened = self.column();
        self.take();
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(format!("brackets nest deeper than {MAX_DEPTH}"));
        }
        let mut ways = vec![self.parts()?];
        loop {
            match self.take() {
                Some('|') => ways.push(self.parts()?),
                Some(found) if found == close => break,
                Some(found) => {
                    return Err(format!("expected `{close}`, found `{found}` at character {}", self.column() - 1));
                }
                None => return Err(format!("the bracket at character {opened} lacks its `{close}`")),
            }
        }
        self.depth -= 1;
        Ok(ways)
    }

    fn until(&mut self, close: char) -> Result<String, String> {
        let opened = self.column();
        self.take();
        let rest = &self.text[self.at..];
        let end = rest.find(close).ok_or_else(|| format!("the bracket at character {opened} lacks its `{close}`"))?;
        let inside = rest[..end].trim().to_owned();
        self.at += end + close.len_utf8();
        Ok(inside)
    }

    /// `line[s]`: an ending that may be there.
    fn ending(&mut self) -> Option<String> {
        let inside = self.text[self.at..].strip_prefix('[')?.split_once(']')?.0;
        let ending = inside.chars().all(char::is_alphabetic).then(|| inside.to_lowercase())?;
        self.at += inside.len() + 2;
        Some(ending)
    }

    /// A word, or a word with and without its ending.
    fn word(&mut self) -> Node {
        let mut word = String::new();
        while let Some(next) = self.peek() {
            if next.is_whitespace() || "()[]{<|".contains(next) {
                break;
            }
            word.extend(next.to_lowercase());
            self.take();
        }
        let plain = Node::Word((self.word)(&word));
        match self.ending() {
            Some(ending) => Node::OneOf(vec![vec![plain], vec![Node::Word((self.word)(&(word + &ending)))]]),
            None => plain,
        }
    }
}

/// `name:type`, `type`, or `name:choice=a,b:b|c`.
fn slot(inside: &str) -> Result<SlotNode, String> {
    let (named, choices) = inside.split_once('=').map_or((inside, ""), |(named, choices)| (named, choices));
    let (name, kind) = named.split_once(':').unwrap_or((named, named));
    let (name, kind) = (name.trim(), kind.trim());
    let snake = |text: &str| {
        !text.is_empty()
            && text
                .chars()
                .all(|character| character.is_ascii_lowercase() || character.is_ascii_digit() || character == '_')
    };
    if !snake(name) {
        return Err(format!("`{{{inside}}}`: a slot's name is snake_case"));
    }
    let kind: SlotType =
        serde_json::from_value(kind.into()).map_err(|_| format!("`{{{inside}}}`: there is no slot type `{kind}`"))?;
    let choices = self::choices(choices);
    if (kind == SlotType::Choice) == choices.is_empty() {
        return Err(format!(
            "`{{{inside}}}`: a choice, and only a choice, lists its words: {{order:choice=largest,smallest}}"
        ));
    }
    Ok(SlotNode { name: name.to_owned(), kind, choices })
}

/// What is said and what it holds: `desc:largest|top,asc:smallest`.
fn choices(text: &str) -> Vec<(String, String)> {
    let mut choices = Vec::new();
    for group in text.split(',').map(str::trim).filter(|group| !group.is_empty()) {
        let (value, said) = group.split_once(':').map_or((None, group), |(value, said)| (Some(value.trim()), said));
        for said in said.split('|').map(str::trim).filter(|said| !said.is_empty()) {
            choices.push((said.to_lowercase(), value.unwrap_or(said).to_owned()));
        }
    }
    choices
}
