//! Questions in plain English about a table: phrases get meanings, meanings find their part, parts make a query. Of all
//! ways to read a question the cheapest counts; where two say different things at the same cost, none does.

mod columns;
mod compose;
mod conditions;
mod follow_up;
mod grouping;
mod likeness;
mod meanings;
mod mentions;
mod mistyped;
mod naming;
mod numbers;
mod parse;
mod parts;
mod passing;
mod ranked;
mod rows;
mod said;
mod second;
mod steps;
mod texts;
mod times;
mod totals;
mod units;
mod when;

use jiff::civil::DateTime;

use self::compose::Composer;
use self::meanings::{Item, Meaning, Words};
use self::parse::{NoPart, Parser};
use self::parts::Parts;
use crate::derived::derive;
use crate::query::Query;
use crate::schema::Schema;
use crate::tokens::{Token, TokenKind, tokens};
use crate::vocabulary::{Role, vocabulary};

/// Readings whose costs are nearer than this are equally good.
const MARGIN: f32 = 0.03;

/// What costs more is more guessed than read.
const MAX_COST: f32 = 0.5;

/// What a question is asked in.
#[derive(Debug, Clone, Copy)]
pub struct Asking<'a> {
    /// What time it is, for `today` and `last month`.
    pub now: DateTime,
    /// The question before, which this one may change.
    pub previous: Option<&'a Query>,
    /// The table is known to be meant; else the question itself must speak of it.
    pub given: bool,
}

/// A question that was understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Understood {
    /// What it asks.
    pub query: Query,
    /// How far its words are from those of the table: 0 is exact.
    pub cost: f32,
    /// It changes the question before.
    pub follows: bool,
    /// It calls the table's rows by their name.
    pub named: bool,
}

/// Why a question was not understood.
#[derive(Debug, Clone, PartialEq)]
pub enum Misread {
    /// These words have no meaning for the table, or no part in the question.
    Words(Vec<String>),
    /// It may mean either of these, and how far its words are from those of the table if they name its rows.
    Either(Vec<Query>, f32),
}

impl Schema {
    /// What a question asks of the table.
    ///
    /// # Errors
    ///
    /// Names the words that were not understood, or what it may mean.
    pub fn understand(&self, text: &str, asking: Asking<'_>) -> Result<Understood, Misread> {
        self.understand_tokens(&tokens(text), asking)
    }

    pub(crate) fn understand_tokens(&self, tokens: &[Token], asking: Asking<'_>) -> Result<Understood, Misread> {
        let excepted = excepted(tokens);
        let tokens = excepted.as_deref().unwrap_or(tokens);
        if let Some(told) = asking.previous.and_then(|_| there(tokens)) {
            let plain = || self.of_columns(tokens, asking).ok().filter(|understood| understood.follows);
            return self.of_columns(&told, asking).or_else(|misread| plain().ok_or(misread));
        }
        self.of_columns(tokens, asking)
    }

    /// The same of a question whose columns may have to be made.
    fn of_columns(&self, tokens: &[Token], asking: Asking<'_>) -> Result<Understood, Misread> {
        let derived = derive(self, tokens);
        let Some((schema, tokens, cost)) = derived else { return self.of_parts(tokens, asking) };
        let understood = schema.of_parts(&tokens, asking)?;
        // The column that was made is worth its cost only where it is needed.
        let made = understood.query.names().any(|name| self.columns.iter().all(|known| known.name != *name));
        Ok(Understood { cost: understood.cost + if made { cost } else { 0.0 }, ..understood })
    }

    /// The same of a question whose columns are all there.
    fn of_parts(&self, tokens: &[Token], asking: Asking<'_>) -> Result<Understood, Misread> {
        let tokens: Vec<Token> = tokens.iter().filter(|token| !is_sign(token)).cloned().collect();
        let words = Words::new(self, &tokens, asking.now);
        if let Some((first, columns)) = second::asked(&words) {
            let understood = self.read(&unasked(&tokens[..first]), asking)?;
            return match second::with(self, understood.query, &columns) {
                Some(query) => Ok(Understood { query, ..understood }),
                None => Err(Misread::Words(Vec::new())),
            };
        }
        self.read(&unasked(&tokens), asking)
    }

    /// The same of a question of one part; a verb that means nothing may be passed over.
    fn read(&self, tokens: &[Token], asking: Asking<'_>) -> Result<Understood, Misread> {
        let readings = Words::new(self, tokens, asking.now).readings();
        let understood = self.choose(&readings, tokens, asking);
        let Some(verb) = readings.first().and_then(|items| passing::verb(self, items, tokens)) else {
            return understood;
        };
        if understood.is_ok() {
            return understood;
        }
        let without: Vec<Token> = [&tokens[..verb], &tokens[verb + 1..]].concat();
        let readings = Words::new(self, &without, asking.now).readings();
        match self.choose(&readings, &without, Asking { previous: None, ..asking }) {
            Ok(found) if passing::is_certain(self, &found.query) => {
                Ok(Understood { cost: found.cost + passing::COST, ..found })
            }
            _ => understood,
        }
    }

    fn choose(&self, readings: &[Vec<Item>], tokens: &[Token], asking: Asking<'_>) -> Result<Understood, Misread> {
        let previous = asking.previous.filter(|query| query.source == self.source && query.table == self.name);
        let mut found: Vec<Understood> = Vec::new();
        let mut stuck: Option<usize> = None;
        for (at, items) in readings.iter().enumerate() {
            match Parser::parse(self, tokens, items) {
                Ok(parts) => found.extend(understood(self, &parts, previous, asking.given)),
                Err(NoPart(item)) if at == 0 => stuck = Some(item),
                Err(_) => {}
            }
        }
        found.retain(|understood| understood.cost <= MAX_COST);
        found.sort_by(|one, other| one.cost.total_cmp(&other.cost));
        // A question that is whole by itself is taken for that rather than for a change of the one before.
        let near = found.first().map_or(0.0, |best| best.cost) + MARGIN;
        if found.iter().any(|other| other.cost < near && !other.follows) {
            found.retain(|other| other.cost >= near || !other.follows);
        }
        let named = |best: &Understood| found.iter().any(|other| other.named && alike(&other.query, &best.query));
        let named = found.first().is_some_and(named);
        let mut found = found.into_iter();
        let Some(best) = found.next().map(|best| Understood { named, ..best }) else {
            return Err(Misread::Words(unknown(readings.first().map_or(&[], Vec::as_slice), tokens, stuck)));
        };
        let rivals: Vec<Query> = found
            .filter(|other| other.cost < best.cost + MARGIN && !alike(&other.query, &best.query))
            .map(|other| other.query)
            .collect();
        if rivals.is_empty() {
            return Ok(best);
        }
        let cost = if best.named { best.cost } else { f32::INFINITY };
        let mut either = vec![best.query];
        for rival in rivals {
            if !either.iter().any(|known| alike(known, &rival)) {
                either.push(rival);
            }
        }
        Err(Misread::Either(either, cost))
    }
}

/// `…, absent people don't count` is said as an exception.
fn excepted(tokens: &[Token]) -> Option<Vec<Token>> {
    let words = vocabulary();
    let said = |from: usize| {
        let phrase = tokens[from..].iter().map(|token| token.lower.as_str()).collect::<Vec<_>>().join(" ");
        words.set("not_counted").contains(&phrase)
    };
    let end = (tokens.len().saturating_sub(4)..tokens.len()).find(|from| said(*from))?;
    let comma =
        (1..end).rev().find(|at| words.roles(&tokens[*at].lower).contains(&Role::And) || tokens[*at].text == ",")?;
    let mut told = tokens[..end].to_vec();
    let except = words.set("except").first()?.clone();
    told[comma] = Token { text: except.clone(), stem: except.clone(), lower: except, kind: TokenKind::Word };
    Some(told)
}

/// `… and the income there` is that of the rows that were spoken of.
fn there(tokens: &[Token]) -> Option<Vec<Token>> {
    let words = vocabulary();
    let [said, meant] = words.set("there") else { return None };
    let at = tokens.iter().rposition(|token| token.kind != TokenKind::Mark)?;
    let before = tokens.get(at.checked_sub(1)?)?;
    if tokens[at].lower != *said || words.set("copulas").contains(&before.lower) {
        return None;
    }
    let mut told = tokens.to_vec();
    told[at] = Token { text: meant.clone(), stem: meant.clone(), lower: meant.clone(), kind: TokenKind::Word };
    Some(told)
}

/// Whether it is a sign between columns of which none was made another.
fn is_sign(token: &Token) -> bool {
    token.kind == TokenKind::Mark && matches!(token.text.as_str(), "*" | "×" | "÷" | "+" | "-" | "−")
}

/// Tokens without the sign between two questions.
fn unasked(tokens: &[Token]) -> Vec<Token> {
    tokens.iter().filter(|token| token.text != "?").cloned().collect()
}

/// Whether two queries ask the same; the word that they repeat is not asked.
fn alike(one: &Query, other: &Query) -> bool {
    Query { word: None, ..one.clone() } == Query { word: None, ..other.clone() }
}

fn understood(schema: &Schema, parts: &Parts, previous: Option<&Query>, given: bool) -> Option<Understood> {
    let fresh = || {
        let anchored = parts.is_anchored() || (given && previous.is_none());
        // Whose `its` is, the question itself must say.
        let its = parts.its && (previous.is_some() || !given || parts.whose);
        let adrift = (its || (parts.one && (parts.whose || (parts.how_much && parts.extreme.is_none()))))
            && parts.conditions.is_empty();
        let others = parts.few.is_some_and(|few| few != schema.rows);
        let anchored = anchored && !adrift && !others;
        let (query, cost) = Composer::new(schema, parts).compose().filter(|_| anchored)?;
        let query = with_place(schema, query, parts).filter(|query| is_whole(schema, query, parts))?;
        Some(Understood { query, cost, follows: false, named: parts.rows })
    };
    let follow = || {
        let (query, cost) = follow_up::follow_up(schema, previous?, parts)?;
        let query = with_place(schema, query, parts).filter(|query| is_whole(schema, query, parts))?;
        Some(Understood { query, cost, follows: true, named: true })
    };
    // `Ada's phone and her email` says itself whose it is.
    let refers = parts.refers() && (parts.them || parts.further || parts.conditions.is_empty());
    match parts.is_follow_up() {
        // `their phone numbers` are those of people who were spoken of, not of some table's.
        true if refers && !parts.rows && previous.is_none() && !given => None,
        true if refers && previous.is_some() => follow(),
        true => follow().or_else(fresh),
        false => fresh()
            .filter(|_| previous.is_none() || parts.is_question() || parts.rows || parts.conditions.len() > 1)
            .or_else(follow),
    }
}

/// Whether all that was said has its part in the query: what a verb is about that says something of its own, the unit in
/// which figures are wanted, and how many rows there are.
fn is_whole(schema: &Schema, query: &Query, parts: &Parts) -> bool {
    let is = |name: &String, columns: &Vec<usize>| columns.iter().any(|at| schema.columns[*at].name == *name);
    let needed = parts.needed.iter().all(|columns| query.names().any(|name| is(name, columns)));
    let unit = parts.unit.as_ref().is_none_or(|unit| units::are_in(schema, query, unit));
    needed && unit && (!parts.whole || query.filter.is_empty())
}

/// The query with the column of places, if it is asked where that is.
fn with_place(schema: &Schema, mut query: Query, parts: &Parts) -> Option<Query> {
    if !parts.place {
        return Some(query);
    }
    let place = schema.columns.get(*schema.about("place").first()?)?.name.clone();
    if !query.is_rows() {
        return None;
    }
    if !query.columns.is_empty() && !query.columns.contains(&place) {
        query.columns.insert(query.columns.len().saturating_sub(1), place);
    }
    Some(query)
}

/// The words without a meaning; if all have one, those that found no part.
fn unknown(items: &[Item], tokens: &[Token], stuck: Option<usize>) -> Vec<String> {
    let text =
        |item: &Item| tokens[item.from..item.to].iter().map(|token| token.text.clone()).collect::<Vec<_>>().join(" ");
    let words: Vec<String> = items.iter().filter(|item| item.meaning == Meaning::Unknown).map(text).collect();
    if !words.is_empty() {
        return words;
    }
    stuck.and_then(|at| items.get(at)).map(text).into_iter().collect()
}
