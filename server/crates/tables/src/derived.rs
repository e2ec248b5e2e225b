//! Columns that a question makes of others: `quantity times unit price`, `all four tasks added up`, `spent over budget`.
//! Such a column is called by its expression, so that a query that names it can be put to the table again.

use crate::known::Known;
use crate::query::Query;
use crate::schema::Schema;
use crate::table::Table;
use crate::tokens::{Token, TokenKind};
use crate::value::rounded;
use crate::vocabulary::{Role, vocabulary};

/// Digits behind the point of a quotient, and at most.
const MAX_DECIMALS: usize = 6;

/// What a column costs that nobody described.
const UNSAID: f32 = 0.12;

/// What is done with two columns, or with several of one name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Times,
    Minus,
    Plus,
    Over,
}

const OPERATORS: &[(Operator, &str, &str)] = &[
    (Operator::Times, " × ", "times"),
    (Operator::Minus, " − ", "minus"),
    (Operator::Plus, " + ", "plus"),
    (Operator::Over, " ÷ ", "over"),
];

/// The table with the columns that a query makes of others.
pub(crate) fn with_derived(table: &Table, query: &Query) -> Option<Table> {
    let names: Vec<&String> = query.names().filter(|name| table.column(name).is_none()).collect();
    let mut wide: Option<Table> = None;
    for name in names {
        let known = wide.as_ref().unwrap_or(table);
        if known.column(name).is_none()
            && let Some(cells) = cells(known, name)
        {
            let mut table = known.clone();
            table.add(name, cells);
            wide = Some(table);
        }
    }
    wide
}

fn cells(table: &Table, name: &str) -> Option<Vec<String>> {
    let (operator, sign, _) = OPERATORS.iter().find(|(_, sign, _)| name.contains(sign))?;
    let columns: Vec<usize> = name.split(sign).map(|part| table.column(part)).collect::<Option<_>>()?;
    let decimals = columns.iter().map(|at| table.columns[*at].decimals);
    let decimals = match operator {
        Operator::Times => decimals.sum(),
        Operator::Over => MAX_DECIMALS,
        Operator::Minus | Operator::Plus => decimals.max().unwrap_or(0),
    };
    let cell = |row: &Vec<String>| {
        let mut values = columns.iter().map(|at| table.columns[*at].value(&row[*at]).number());
        let first = values.next()??;
        let all = values.try_fold(first, |all, value| {
            Some(match operator {
                Operator::Times => all * value?,
                Operator::Minus => all - value?,
                Operator::Plus => all + value?,
                Operator::Over => all / value.filter(|value| *value != 0.0)?,
            })
        });
        all.map(|value| rounded(value, decimals.min(MAX_DECIMALS)))
    };
    Some(table.rows.iter().map(|row| cell(row).unwrap_or_default()).collect())
}

/// The schema with the columns that a question makes of others, the question with their names in it, and what that costs.
pub(crate) fn derive(schema: &Schema, tokens: &[Token]) -> Option<(Schema, Vec<Token>, f32)> {
    let said = expression(schema, tokens).or_else(|| family(schema, tokens)).or_else(|| remainder(schema, tokens));
    let said = said.map(|(wide, told)| (wide, told, 0.0));
    said.or_else(|| revenue(schema, tokens).map(|(wide, told)| (wide, told, UNSAID)))
}

/// `quantity times unit price`
fn expression(schema: &Schema, tokens: &[Token]) -> Option<(Schema, Vec<Token>)> {
    let words = vocabulary();
    for at in 1..tokens.len() {
        for (operator, sign, set) in OPERATORS {
            let taken = (1..=2).rev().find(|taken| {
                let phrase = tokens.get(at..at + taken).map(phrase).unwrap_or_default();
                let priced = *operator == Operator::Times && words.is_relative("operator_by", &phrase);
                words.set(&format!("operator_{set}")).contains(&phrase) || priced
            });
            let Some(taken) = taken else { continue };
            let before = (0..at).find_map(|from| Some((from, number_called(schema, &tokens[from..at])?)));
            let start = at + taken;
            let behind =
                (start + 1..=tokens.len()).rev().find_map(|to| Some((to, number_called(schema, &tokens[start..to])?)));
            let (Some((from, one)), Some((to, other))) = (before, behind) else { continue };
            let priced = || schema.about("price").contains(&other) && schema.about("quantity").contains(&one);
            if one == other || (words.is_relative("operator_by", &tokens[at].lower) && !priced()) {
                continue;
            }
            let name = format!("{}{sign}{}", schema.columns[one].name, schema.columns[other].name);
            return Some(put(schema, one, &name, set, tokens, (from, to)));
        }
    }
    None
}

/// `all four tasks added up`: columns of one name, which are numbered.
fn family(schema: &Schema, tokens: &[Token]) -> Option<(Schema, Vec<Token>)> {
    let words = vocabulary();
    let averages = tokens.iter().any(|token| words.roles(&token.lower).contains(&Role::Average));
    let numbered = |known: &Known| match known.words.as_slice() {
        [name] => Some(name.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned()).filter(|base| base != name),
        [name, number] if number.chars().all(|c| c.is_ascii_digit()) => Some(name.clone()),
        _ => None,
    };
    let base = schema.columns.iter().filter(|known| known.kind.is_number()).find_map(numbered)?;
    let all = schema.of_kind(|known| known.kind.is_number() && numbered(known).as_ref() == Some(&base));
    if all.len() < 2 || averages {
        return None;
    }
    let is_name = |token: &Token| {
        token.lower.strip_prefix(&base).is_some_and(|end| matches!(end, "s" | "es" | "zes")) && token.lower != base
    };
    let named = tokens.iter().position(is_name);
    let (mut from, mut to) = match named {
        Some(at) => (at, at + 1),
        None => (tokens.len(), tokens.len()),
    };
    if named.is_some() {
        if let Some(number) = from.checked_sub(1).and_then(|at| counted(&tokens[at])) {
            #[expect(clippy::cast_precision_loss, reason = "columns are few")]
            let fits = number == all.len() as f64;
            fits.then_some(())?;
            from -= 1;
        }
        while from > 0 && words.is_relative("all_of", &tokens[from - 1].lower) {
            from -= 1;
        }
        let added = (1..=3).rev().find(|taken| {
            let phrase = tokens.get(to..to + taken).map(phrase).unwrap_or_default();
            words.set("added_up").contains(&phrase)
        });
        to += added.unwrap_or(0);
    }
    let name = all.iter().map(|at| schema.columns[*at].name.as_str()).collect::<Vec<_>>().join(" + ");
    Some(put(schema, all[0], &name, "plus", tokens, (from, to)))
}

/// `how many seats are left`, where it stands how many there are and how many were sold.
fn remainder(schema: &Schema, tokens: &[Token]) -> Option<(Schema, Vec<Token>)> {
    let number = |at: &usize| schema.columns[*at].kind.is_number();
    let called = |names: &[String]| {
        let place = |name: &String| schema.columns.iter().position(|known| known.words.join("_") == *name);
        names.iter().filter_map(place).find(number)
    };
    vocabulary().remainders.iter().find_map(|known| {
        let (of, less) = (called(&known.of)?, called(&known.less)?);
        let all = (0..tokens.len()).flat_map(|from| (1..=4).rev().map(move |taken| (from, from + taken)));
        let said = |(from, to): &(usize, usize)| {
            tokens.get(*from..*to).is_some_and(|tokens| known.words.contains(&phrase(tokens)))
        };
        let (mut from, to) = all.filter(|(_, to)| *to <= tokens.len()).find(said)?;
        // What there is of in all is named, too: `seats are left`.
        let fills = |token: &Token| vocabulary().roles(&token.lower).contains(&Role::Fill);
        let before = tokens[..from].iter().rposition(|token| !fills(token));
        from = before.filter(|at| number_called(schema, &tokens[*at..=*at]) == Some(of)).unwrap_or(from);
        let name = format!("{} − {}", schema.columns[of].name, schema.columns[less].name);
        Some(put(schema, of, &name, "minus", tokens, (from, to)))
    })
}

/// What was sold, times its price, where the table has no amounts.
fn revenue(schema: &Schema, tokens: &[Token]) -> Option<(Schema, Vec<Token>)> {
    if !schema.about("revenue").is_empty() {
        return None;
    }
    let (sold, price) = schema.sold()?;
    let name = format!("{} × {}", schema.columns[sold].name, schema.columns[price].name);
    Some(put(schema, price, &name, "revenue", tokens, (tokens.len(), tokens.len())))
}

fn counted(token: &Token) -> Option<f64> {
    token.lower.parse().ok().or_else(|| vocabulary().number(&token.lower))
}

/// The column of numbers that a phrase names.
fn number_called(schema: &Schema, tokens: &[Token]) -> Option<usize> {
    let (name, stems) = (phrase(tokens), tokens.iter().map(|token| token.stem.as_str()).collect::<Vec<_>>().join(" "));
    let number = |at: &usize| schema.columns[*at].kind.is_number() && !schema.columns[*at].is_id();
    let exact = schema.columns.iter().position(|known| known.words.join(" ") == name);
    let only = |having: &dyn Fn(&Known) -> bool| {
        let having: Vec<usize> = schema.of_kind(having).into_iter().filter(number).collect();
        <[usize; 1]>::try_from(having).ok().map(|[only]| only).filter(|_| tokens.len() == 1)
    };
    // `hours` are hours_per_week before they are hourly.
    let worded = || only(&|known| known.words.len() > 1 && known.words.contains(&name));
    let stemmed = || schema.columns.iter().position(|known| known.stems == stems).filter(number);
    let part = || worded().or_else(stemmed).or_else(|| only(&|known| known.stems.split(' ').any(|part| part == stems)));
    let about = || {
        let places = vocabulary().called(&name);
        places.iter().find_map(|place| schema.about_place(*place).into_iter().find(number))
    };
    exact.filter(number).or_else(part).or_else(about)
}

fn phrase(tokens: &[Token]) -> String {
    tokens.iter().map(|token| token.lower.as_str()).collect::<Vec<_>>().join(" ")
}

/// The schema with one more column, which is like another, and the tokens with its name in the place of some.
fn put(
    schema: &Schema,
    like: usize,
    name: &str,
    kind: &str,
    tokens: &[Token],
    (from, to): (usize, usize),
) -> (Schema, Vec<Token>) {
    let mut wide = schema.clone();
    wide.columns.push(schema.columns[like].derived(name, vocabulary().set(&format!("concepts_{kind}"))));
    let mut told = tokens[..from].to_vec();
    if from < to {
        let text = name.to_owned();
        told.push(Token { lower: text.clone(), stem: text.clone(), text, kind: TokenKind::Word });
    }
    told.extend_from_slice(&tokens[to..]);
    (wide, told)
}
