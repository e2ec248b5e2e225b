//! What each phrase of a question may mean for a table, and the best ways to read the whole as a row of such phrases.

use jiff::civil::DateTime;

use super::likeness::likeness;
use super::parts::Step;
use super::said::condition;
use super::when::{When, when};
use crate::number::{Number, Style};
use crate::query::{Condition, Test};
use crate::schema::{MAX_PHRASE, Schema, in_any_order};
use crate::table::{ColumnKind, TableKind};
use crate::tokens::{Token, TokenKind, key};
use crate::value::Value;
use crate::vocabulary::{Role, vocabulary};

/// A meaning of a phrase.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Meaning {
    Role(Role),
    /// A column that is named.
    Column(usize),
    /// A column that a verb is about, if one is looked for; else it says nothing.
    Hint(Vec<usize>),
    /// A column in a verb's form: it must begin a condition, for `delayed` is not `the delay`.
    Verb(usize),
    /// Cells of a column.
    Cell(usize, Vec<String>),
    Number(Number),
    When(When),
    /// What the table's rows are called.
    Rows,
    /// The table's file.
    Source,
    /// A condition that is said by a phrase.
    Condition(Condition),
    /// A place in an order, from the second on.
    Nth(u32),
    /// On from what was asked before.
    Step(Step),
    Quoted(String),
    /// Nothing that is known.
    Unknown,
}

/// A phrase of a question and one of its meanings.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Item {
    pub(crate) meaning: Meaning,
    /// The tokens, from and to.
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) cost: f32,
}

impl Item {
    pub(crate) fn is(&self, role: Role) -> bool {
        self.meaning == Meaning::Role(role)
    }
}

/// How many ways to read a question are tried.
const MAX_READINGS: usize = 40;

/// What each further phrase costs: fewer and longer ones come first.
const PHRASE: f32 = 0.004;
pub(crate) const CONCEPT: f32 = 0.08;
pub(crate) const PART: f32 = 0.06;
const AROUND: f32 = 0.2;
const PIECE: f32 = 0.18;
const PLACE: f32 = 0.04;
const ALSO_PLACE: f32 = 0.15;
const UNKNOWN: f32 = 10.0;

/// A question as tokens, with what is needed to give them meanings.
pub(crate) struct Words<'a> {
    pub(crate) schema: &'a Schema,
    pub(crate) tokens: &'a [Token],
    pub(crate) now: DateTime,
    lowers: Vec<&'a str>,
}

impl<'a> Words<'a> {
    pub(crate) fn new(schema: &'a Schema, tokens: &'a [Token], now: DateTime) -> Self {
        let lowers = tokens.iter().map(|token| token.lower.as_str()).collect();
        Self { schema, tokens, now, lowers }
    }

    /// The best ways to read the question, the best first.
    pub(crate) fn readings(&self) -> Vec<Vec<Item>> {
        let count = self.tokens.len();
        let mut best: Vec<Vec<(f32, Vec<Item>)>> = vec![Vec::new(); count + 1];
        best[0].push((0.0, Vec::new()));
        for at in 0..count {
            let mut here = std::mem::take(&mut best[at]);
            here.sort_by(|one, other| one.0.total_cmp(&other.0));
            here.truncate(MAX_READINGS);
            if here.is_empty() {
                continue;
            }
            for item in self.at(at) {
                for (cost, before) in &here {
                    let mut path = before.clone();
                    path.push(item.clone());
                    best[item.to].push((cost + item.cost + PHRASE, path));
                }
            }
        }
        let mut all = std::mem::take(&mut best[count]);
        all.sort_by(|one, other| one.0.total_cmp(&other.0));
        all.truncate(MAX_READINGS);
        all.into_iter().map(|(_, path)| path).collect()
    }

    /// What may begin at a token: the longest phrases, and shorter ones where a longer one is only a guess.
    fn at(&self, at: usize) -> Vec<Item> {
        let mut found = Vec::new();
        let most = (self.tokens.len() - at).min(MAX_PHRASE);
        let when = self.when_at(at);
        for length in (1..=most).rev() {
            self.phrase(at, at + length, &mut found);
            if let Some((when, taken)) = when.as_ref().filter(|(_, taken)| *taken == length) {
                put(&mut found, at, at + taken, Meaning::When(when.clone()), 0.0);
            }
            if let Some(taken) = self.own_year(at).filter(|taken| *taken == length) {
                put(&mut found, at, at + taken, Meaning::Source, 0.0);
            }
            if length == 1 {
                self.number(at, &mut found);
                self.nth(at, &mut found);
            }
            if let Some(step) = self.step(at).filter(|_| at + length == self.tokens.len()) {
                put(&mut found, at, at + length, Meaning::Step(step), 0.0);
            }
            // A longer phrase says what its words say, and not what each of them would alone; one that says nothing may
            // hold a column's name: `the value of the vouchers`.
            if found.iter().any(|item: &Item| length == 1 || !item.is(Role::Fill)) {
                break;
            }
        }
        if found.is_empty() {
            self.single(at, &mut found);
        }
        if found.is_empty() {
            self.mistyped(at, &mut found);
        }
        if found.is_empty() {
            put(&mut found, at, at + 1, Meaning::Unknown, UNKNOWN);
        }
        found
    }

    fn when_at(&self, at: usize) -> Option<(When, usize)> {
        let dated = self.schema.columns.iter().any(|column| column.kind == ColumnKind::Date);
        let short = || {
            // `in oct`
            let before = at.checked_sub(1).map(|before| self.tokens[before].lower.as_str())?;
            let word = self.tokens[at].kind == TokenKind::Word;
            let stands = vocabulary().is_relative("year_places", before);
            // `the may bookings`
            let rows = self.tokens.get(at + 1).is_some_and(|next| self.is_noun(&next.lower, &next.stem));
            vocabulary()
                .month(&self.tokens[at].lower)
                .filter(|_| word && (stands || rows))
                .map(|month| (When::Month(month), 1))
        };
        // `may I` is no month.
        let asks = self.lowers.get(at + 1).is_some_and(|next| vocabulary().is_relative("pronouns", next));
        when(&self.tokens[at..], self.now).or_else(short).filter(|_| dated && !asks)
    }

    /// The year that a table without dates is of, by its path: `this year` is `2026.csv`. How many tokens say it.
    fn own_year(&self, at: usize) -> Option<usize> {
        let dated = self.schema.columns.iter().any(|column| column.kind == ColumnKind::Date);
        let (when, taken) = when(&self.tokens[at..], self.now).filter(|_| !dated)?;
        when.year().filter(|year| self.schema.place.contains(*year)).map(|_| taken)
    }

    fn phrase(&self, from: usize, to: usize, found: &mut Vec<Item>) {
        let words = vocabulary();
        let tokens = &self.tokens[from..to];
        let phrase = self.lowers[from..to].join(" ");
        let stems = tokens.iter().map(|token| token.stem.as_str()).collect::<Vec<_>>().join(" ");
        let plain = tokens.iter().all(|token| token.kind != TokenKind::Quoted);
        let before = found.len();
        if plain {
            for role in words.roles(&phrase).iter().filter(|role| self.admits(**role)) {
                // Whose the maximum is says more than the figure alone; `=` compares before it says nothing.
                let figure = matches!(role, Role::Minimum | Role::Maximum);
                // `its` is rather that of what was found before than one of the words around others.
                let fills = *role == Role::Fill;
                let beside = fills
                    && (tokens[0].kind == TokenKind::Mark
                        || words.roles(&phrase).iter().any(|role| matches!(role, Role::One | Role::Them)));
                put(found, from, to, Meaning::Role(*role), if figure || beside { PART } else { 0.0 });
            }
            self.columns(&phrase, &stems, from, to, found);
            self.conditions(&phrase, from, to, found);
            // `10000 entries` are no so many rows where a column counts them.
            let counted = from.checked_sub(1).is_some_and(|at| self.tokens[at].kind == TokenKind::Number)
                && found.iter().any(|item| match item.meaning {
                    Meaning::Column(at) => {
                        item.from == from && item.cost <= CONCEPT && self.schema.columns[at].kind.is_number()
                    }
                    _ => false,
                });
            if self.is_noun(&phrase, &stems) && !counted {
                put(found, from, to, Meaning::Rows, 0.0);
            }
            self.source(&phrase, from, to, found);
        }
        let taken = found.len() > before;
        self.cells(tokens, &phrase, &stems, taken, (from, to), found);
        // A cell or a column of that name is nearer than the path.
        if plain && self.is_place(from, to) {
            let cost = if found.len() > before { ALSO_PLACE } else { PLACE };
            put(found, from, to, Meaning::Source, cost);
        }
    }

    /// Whether the table has what the word measures.
    pub(crate) fn admits(&self, role: Role) -> bool {
        let words = vocabulary();
        let (measures, things) = match role {
            Role::Extreme(at) | Role::Further(at) => (&words.extremes[at].measures, words.extremes[at].things),
            Role::Compare(at) => (&words.compares[at].measures, words.compares[at].things),
            _ => return true,
        };
        // How old people are is not told by the day on which they were hired.
        let people = things && self.schema.nouns.contains("people");
        let dates = || self.schema.columns.iter().any(|column| column.kind == ColumnKind::Date);
        let has = |concept: &String| (concept == "date" && dates()) || !self.schema.about(concept).is_empty();
        !people && (measures.is_empty() || measures.iter().any(has))
    }

    fn conditions(&self, phrase: &str, from: usize, to: usize, found: &mut Vec<Item>) {
        for known in vocabulary().conditions(phrase) {
            if known.log && self.schema.kind != TableKind::Log {
                continue;
            }
            // What a log calls its levels are not its codes.
            let levels = self.schema.columns.iter().any(|column| column.name == "level");
            if known.log && levels {
                continue;
            }
            // The first that the table has is what is said of it.
            if let Some(condition) = condition(self.schema, known, self.now) {
                put(found, from, to, Meaning::Condition(condition), 0.0);
                break;
            }
        }
        // `404s`
        let code = phrase.strip_suffix('s').and_then(|code| code.parse().ok());
        let status = self.schema.columns.iter().find(|column| column.name == "status" && column.kind.is_number());
        if let (Some(code @ 100..600), Some(column)) = (code, status) {
            let test = Test::Is(vec![Value::Integer(code)]);
            let condition = Condition { column: column.name.clone(), test, negated: false };
            put(found, from, to, Meaning::Condition(condition), 0.0);
        }
    }

    fn source(&self, phrase: &str, from: usize, to: usize, found: &mut Vec<Item>) {
        let source = self.schema.source.to_lowercase();
        let base = source.rsplit(['/', '\\']).next().unwrap_or(&source);
        let stem = base.split_once('.').map_or(base, |(stem, _)| stem);
        let is = phrase == source || phrase == base || phrase.trim_start_matches("./") == source;
        let called = phrase.split_once(' ').is_some_and(|(name, kind)| {
            (name == stem || self.schema.nouns.contains(name)) && vocabulary().roles(kind).contains(&Role::File)
        });
        if is || called {
            put(found, from, to, Meaning::Source, 0.0);
        }
    }

    /// Whether it is a word of the table's path: `week 1` is `week1`, `7b` is `grades/7b.csv`. A year is rather a time.
    fn is_place(&self, from: usize, to: usize) -> bool {
        let place = &self.schema.place;
        match &self.tokens[from..to] {
            [only] if only.lower.chars().any(char::is_alphabetic) => {
                place.contains(&only.lower) || place.contains(&only.stem)
            }
            [name, number] => place.contains(&format!("{}{}", name.lower, number.lower)),
            _ => false,
        }
    }

    fn cells(
        &self,
        tokens: &[Token],
        phrase: &str,
        stems: &str,
        taken: bool,
        (from, to): (usize, usize),
        found: &mut Vec<Item>,
    ) {
        let (phrase, stems) = match tokens {
            [only] if only.kind == TokenKind::Quoted => (key(&only.text), crate::tokens::stems(&only.text)),
            _ => (phrase.to_owned(), stems.to_owned()),
        };
        let quoted = tokens.iter().any(|token| token.kind == TokenKind::Quoted);
        // `we ordered` is what we did, where `ordered` is a cell, too.
        let before = from.checked_sub(1).map(|before| self.lowers[before]);
        let does = before.is_some_and(|before| vocabulary().is_relative("pronouns", before));
        let does = if does && to == from + 1 { AROUND } else { 0.0 };
        for (column, values) in self.schema.cells.get(&stems).into_iter().flatten() {
            // `US` is a country, `us` are we: a cell that is also one of the words around it must be written as it is.
            let common = taken
                && vocabulary()
                    .roles(&phrase)
                    .iter()
                    .any(|role| matches!(role, Role::Fill | Role::Ask | Role::And | Role::Or | Role::Not));
            let text = tokens.iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ");
            if common && !quoted && !values.iter().any(|value| *value == text && text.chars().any(char::is_uppercase)) {
                continue;
            }
            if let Some(cost) = likeness(&phrase, values) {
                put(found, from, to, Meaning::Cell(*column, values.clone()), cost + does);
            }
        }
        // What is a cell is not a word around it: `paid` is a status before it is what people do.
        if found.iter().any(|item| matches!(item.meaning, Meaning::Cell(..) | Meaning::Condition(_))) {
            let around = |item: &&mut Item| matches!(item.meaning, Meaning::Hint(_) | Meaning::Role(Role::Fill));
            found.iter_mut().filter(around).for_each(|item| item.cost += AROUND);
        }
        // `the grey hoodie` is the hoodie grey.
        if tokens.len() > 1 && !found.iter().any(|item| item.to == to && matches!(item.meaning, Meaning::Cell(..))) {
            for (column, values) in self.schema.cells.get(&in_any_order(&stems)).into_iter().flatten() {
                put(found, from, to, Meaning::Cell(*column, values.clone()), PART);
            }
        }
        if quoted && tokens.len() == 1 && !found.iter().any(|item| item.from == from && item.to == to) {
            put(found, from, to, Meaning::Quoted(tokens[0].text.clone()), 0.0);
        }
    }

    /// Whether it stands where a name does: behind a word such as `from`, or in front of what the rows are called.
    fn is_described(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1).map(|before| self.lowers[before]) else { return false };
        let words = vocabulary();
        words.is_relative("prepositions", before)
            || self.tokens.get(at + 1).is_some_and(|next| self.is_noun(&next.lower, &next.stem))
    }

    fn number(&self, at: usize, found: &mut Vec<Item>) {
        let token = &self.tokens[at];
        let named = || {
            vocabulary().number(&token.lower).map(|value| Number {
                value,
                decimals: 0,
                sign: None,
                unit: String::new(),
            })
        };
        let is = matches!(token.kind, TokenKind::Number | TokenKind::Word);
        if let Some(number) = Number::parse(&token.text, Style::Point).or_else(named).filter(|_| is) {
            put(found, at, at + 1, Meaning::Number(number), 0.0);
        }
    }

    /// What a single word is where no phrase begins: a sign, a part of a name.
    fn single(&self, at: usize, found: &mut Vec<Item>) {
        let token = &self.tokens[at];
        let words = vocabulary();
        if words.money(&token.lower).is_some() || words.units.iter().any(|unit| unit.words.contains(&token.lower)) {
            // The number in front takes it.
            put(found, at, at + 1, Meaning::Unknown, PART);
        }
        if words.is_relative("names", &token.lower) {
            // The customers' names are the customers, where there is no column of names.
            put(found, at, at + 1, Meaning::Role(Role::Fill), PART);
        }
        if matches!(token.text.as_str(), "," | ";") {
            put(found, at, at + 1, Meaning::Role(Role::And), 0.0);
        }
        for (column, values) in self.schema.parts.get(&token.stem).into_iter().flatten() {
            put(found, at, at + 1, Meaning::Cell(*column, values.clone()), PART);
        }
        // `the photos requests` are those to photos.example.org: a word of the cells of one column only.
        if let (true, Some([(column, values)])) =
            (found.is_empty() && self.is_described(at), self.schema.pieces.get(&token.stem).map(Vec::as_slice))
        {
            put(found, at, at + 1, Meaning::Cell(*column, values.clone()), PIECE);
        }
    }
}

pub(crate) fn put(found: &mut Vec<Item>, from: usize, to: usize, meaning: Meaning, cost: f32) {
    if !found.iter().any(|item| item.to == to && item.meaning == meaning) {
        found.push(Item { meaning, from, to, cost });
    }
}
