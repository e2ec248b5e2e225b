//! Texts in conditions: quoted ones, words behind `contains`, and words of a log's messages.

use super::meanings::Meaning;
use super::parse::{NoPart, Parser};
use crate::log::TEXT;
use crate::query::Test;
use crate::table::{ColumnKind, TableKind};
use crate::tokens::TokenKind;
use crate::vocabulary::Role;

/// How many words without quotation marks are a text that is looked for.
const MAX_TEXT: usize = 4;

impl Parser<'_> {
    /// A text that is looked for: quoted, or the few words that end the question.
    pub(crate) fn contains(&mut self, column: Option<usize>, role: Role) -> Result<(), NoPart> {
        let texts = |at: &usize| self.schema.columns[*at].kind == ColumnKind::Text;
        let whole = self.schema.columns.iter().position(|column| column.name == TEXT);
        let log = whole.filter(|_| self.schema.kind == TableKind::Log);
        let column = column.or(log).or_else(|| self.schema.about("searched").into_iter().find(texts));
        // What something starts with may be a word that says nothing elsewhere.
        let next = match role {
            Role::Contains => self.after(self.at + 1),
            _ => Some(self.at + 1).filter(|next| *next < self.items.len()),
        };
        let (Some(column), Some(next)) = (column, next) else { return self.fail() };
        let (text, end) = match self.meaning(next) {
            Some(Meaning::Quoted(text)) => (text.clone(), next + 1),
            _ => {
                let tokens = &self.tokens[self.items[next].from..];
                let plain = tokens.iter().all(|token| !matches!(token.kind, TokenKind::Mark));
                if !plain || tokens.len() > MAX_TEXT {
                    return self.fail();
                }
                let words: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
                let known: f32 = self.items[next..].iter().map(|item| item.cost).sum();
                self.parts.cost -= known;
                (words.join(" "), self.items.len())
            }
        };
        self.test(
            column,
            match role {
                Role::Starts => Test::StartsWith(text),
                Role::Ends => Test::EndsWith(text),
                _ => Test::Contains(text),
            },
        );
        self.at = end;
        Ok(())
    }

    /// `"desk" in the name`: a text within the cells of a column, also if it is a cell by itself.
    pub(crate) fn within(&mut self) -> bool {
        let item = &self.items[self.at];
        let token = &self.tokens[item.from];
        if token.kind != TokenKind::Quoted {
            return false;
        }
        let Some(next) = self.after(self.at + 1).filter(|next| *next > self.at + 1) else { return false };
        let Some(Meaning::Column(column)) = self.meaning(next) else { return false };
        if self.schema.columns[*column].kind != ColumnKind::Text {
            return false;
        }
        self.test(*column, Test::Contains(token.text.clone()));
        self.at = next + 1;
        true
    }

    /// A quoted text that is not a cell: in a log it is looked for.
    pub(crate) fn quoted(&mut self, text: &str) -> Result<(), NoPart> {
        let column = self.schema.columns.iter().position(|column| column.name == TEXT);
        match column.filter(|_| self.schema.kind == TableKind::Log) {
            Some(column) => {
                self.test(column, Test::Contains(text.to_owned()));
                Ok(())
            }
            None => self.fail(),
        }
    }

    /// Words that are not known, but stand so in a log's messages; what is asked for (`what port`), or is not so, does not.
    pub(crate) fn unknown(&mut self) -> Result<(), NoPart> {
        if self.not || self.which {
            return self.wanted_unit();
        }
        let messages = self.schema.columns.iter().position(|column| column.name == "message");
        let Some(column) = messages.filter(|_| self.schema.kind == TableKind::Log) else { return self.wanted_unit() };
        let from = self.items[self.at].from;
        let values = &self.schema.columns[column].values;
        let unknown = self.items[self.at..].iter().take_while(|item| item.meaning == Meaning::Unknown).count();
        for count in (1..=unknown).rev() {
            let words: Vec<&str> = self.tokens[from..from + count].iter().map(|token| token.lower.as_str()).collect();
            let text = words.join(" ");
            let stem = text.strip_suffix('s').filter(|stem| stem.len() > 3).unwrap_or(&text);
            let found = [text.as_str(), stem].into_iter().find(|text| values.iter().any(|value| has(value, text)));
            if let Some(text) = found.map(str::to_owned) {
                self.parts.cost -= self.items[self.at..self.at + count].iter().map(|item| item.cost).sum::<f32>();
                self.test(column, Test::Contains(text));
                self.at += count;
                return Ok(());
            }
        }
        self.fail()
    }
}

/// Whether a word of a value begins so.
fn has(value: &str, text: &str) -> bool {
    let value = value.to_lowercase();
    value.match_indices(text).any(|(at, _)| !value[..at].ends_with(char::is_alphanumeric))
}
