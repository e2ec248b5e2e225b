//! How well a piece of the request suits a parameter.

use std::ops::Range;
use std::rc::Rc;

use super::mention::{Mention, Piece};
use super::param::{Param, Takes, Wants};
use super::request::Request;
use super::stems::stem;

/// Prepositions, and the parameters that they lead to.
const LEADS: &[(&[&str], &[&str])] = &[
    (&["to", "into"], &["to", "recipi", "target", "destin", "receiv", "end", "languag", "arriv", "new"]),
    (&["from"], &["from", "sourc", "origin", "sender", "start", "base", "departur", "begin"]),
    (&["until", "till", "through"], &["to", "end", "until"]),
    (&["about", "regarding"], &["subject", "topic", "about", "theme"]),
    (&["named", "called", "titled"], &["name", "titl", "label"]),
    (&["by"], &["author", "by", "artist", "user", "director"]),
    (&["with"], &["with", "particip", "attende"]),
    (&["as"], &["as", "format", "type", "role"]),
    (&["since", "starting"], &["start", "from", "begin"]),
];

/// The words of money and of shares of a hundred.
const MONEY: &[&str] = &[
    "price", "amount", "cost", "budget", "salari", "incom", "money", "usd", "dollar", "invest", "fee", "balanc",
    "princip", "loan", "payment", "revenu", "fund", "expens", "bid", "rent", "deposit", "valu",
];
const SHARES: &[&str] = &[
    "rate",
    "percent",
    "percentag",
    "interest",
    "yield",
    "discount",
    "probabl",
    "growth",
    "return",
    "tax",
    "frequenc",
    "ratio",
];

/// What stands behind one of these after a piece speaks rather of what comes next: `Ada of type person`.
const ONWARD: &[&str] = &["of", "with", "for", "in", "at", "to", "from", "by", "as", "on"];

/// How much of its weight is left to such a word.
const ONWARD_WEIGHT: f64 = 0.3;

/// How far words are looked for.
const REACH: usize = 9;

/// What a piece of this kind is worth to the parameter, whatever stands around it; `None` when it cannot be its value.
pub(super) fn kind(param: &Param<'_>, takes: Takes, mention: &Mention) -> Option<f64> {
    match (takes, &mention.piece) {
        (_, Piece::Reference) => Some(2.0),
        (Takes::Text, Piece::Earlier) => match param.wants {
            Wants::Words => Some(1.5),
            Wants::Anything => Some(1.0),
            Wants::Id | Wants::Name => Some(0.4),
            _ => None,
        },
        (Takes::Integer | Takes::Number, Piece::Earlier) => Some(0.5),
        (_, Piece::Earlier) => None,
        (Takes::Integer | Takes::Number, Piece::Number(number)) => {
            let mut worth = if number.ordinal { 0.3 } else { 1.0 };
            if number.spelled {
                worth = if mention.text.eq_ignore_ascii_case("one") { 0.1 } else { 0.7 };
            }
            worth += trait_worth(param, number.percent, SHARES) + trait_worth(param, number.money, MONEY);
            Some(worth + number.unit.as_deref().map_or(0.0, |unit| unit_worth(param, unit)))
        }
        (Takes::Integer | Takes::Number, Piece::Date(_) | Piece::Time(_)) => Some(1.2),
        (Takes::Integer | Takes::Number, Piece::Quoted) => Some(0.5),
        (Takes::Text, piece) => text(param, piece),
        (Takes::List, Piece::Json(json)) if json.is_array() => Some(2.0),
        (Takes::Object, Piece::Json(json)) if json.is_object() => Some(2.0),
        _ => None,
    }
}

fn trait_worth(param: &Param<'_>, has: bool, words: &[&str]) -> f64 {
    let fits = |own: &Rc<str>| words.contains(&&**own);
    match (has, param.words.iter().any(fits), param.notes.iter().any(fits)) {
        (true, true, _) => 1.2,
        (true, false, true) => 0.5,
        (true, false, false) => -0.8,
        (false, ..) => 0.0,
    }
}

/// A unit that the parameter names; short forms count as what they stand for.
fn unit_worth(param: &Param<'_>, unit: &str) -> f64 {
    let long = match unit {
        "km" | "kms" => "kilometers",
        "m" => "meters",
        "cm" => "centimeters",
        "kg" => "kilograms",
        "g" => "grams",
        "s" | "sec" | "secs" => "seconds",
        "min" | "mins" => "minutes",
        "h" | "hr" | "hrs" => "hours",
        "°" | "°c" | "c" | "celsius" => "temperature",
        "lb" | "lbs" => "pounds",
        "n" => "force",
        "j" => "energy",
        "w" => "power",
        "v" => "voltage",
        "hz" => "frequency",
        "l" => "liters",
        "m/s" | "km/h" | "mph" => "speed",
        "yo" => "age",
        "days" | "day" => "days",
        other => other,
    };
    let stem = stem(long);
    if param.words.contains(&stem) {
        1.6
    } else if param.notes.contains(&stem) {
        0.8
    } else {
        0.0
    }
}

fn text(param: &Param<'_>, piece: &Piece) -> Option<f64> {
    let wants = param.wants;
    let pick = |pairs: &[(Wants, f64)], other: f64| {
        Some(pairs.iter().find(|(wanted, _)| *wanted == wants).map_or(other, |(_, worth)| *worth))
    };
    if wants == Wants::Telephone {
        return match piece {
            Piece::Number(_) | Piece::Code => Some(2.0),
            Piece::Quoted | Piece::Reference => Some(1.6),
            _ => None,
        };
    }
    let worth = match piece {
        Piece::Quoted => pick(&[(Wants::Email, 0.5), (Wants::Date, 0.6), (Wants::Time, 0.6), (Wants::Place, 1.2)], 1.6),
        Piece::Email => {
            pick(&[(Wants::Email, 3.0), (Wants::Id, 0.6), (Wants::Name, 0.6), (Wants::Anything, 0.2)], -1.0)
        }
        Piece::Url => pick(&[(Wants::Url, 3.0), (Wants::Path, 1.0), (Wants::Anything, 0.6)], 0.1),
        Piece::Path => pick(
            &[(Wants::Path, 3.0), (Wants::Url, 1.5), (Wants::Id, 1.0), (Wants::Anything, 0.8), (Wants::Date, -1.0)],
            0.5,
        ),
        Piece::Date(_) => {
            pick(&[(Wants::Date, 3.0), (Wants::Time, 0.6), (Wants::Anything, 0.2), (Wants::Words, 0.1)], -1.0)
        }
        Piece::Time(_) => pick(&[(Wants::Time, 3.0), (Wants::Date, 0.4), (Wants::Anything, 0.2)], -1.0),
        Piece::Number(_) => pick(
            &[(Wants::Id, 1.2), (Wants::Anything, 0.2), (Wants::Date, 0.4), (Wants::Time, 0.2), (Wants::Words, -0.2)],
            -0.6,
        ),
        Piece::Code => pick(
            &[
                (Wants::Id, 2.0),
                (Wants::Anything, 0.8),
                (Wants::Name, 0.8),
                (Wants::Path, 0.6),
                (Wants::Url, -0.5),
                (Wants::Email, -1.0),
                (Wants::Date, -0.5),
            ],
            0.3,
        ),
        Piece::Name => pick(
            &[
                (Wants::Name, 2.0),
                (Wants::Place, 1.6),
                (Wants::Anything, 1.0),
                (Wants::Words, 0.6),
                (Wants::Id, 0.5),
                (Wants::Url, 0.1),
                (Wants::Path, 0.0),
            ],
            -1.0,
        ),
        Piece::Place => match wants {
            Wants::Place if param.name.to_lowercase().ends_with("city") && !param.about.contains("state") => Some(1.2),
            Wants::Place => Some(2.2),
            Wants::Anything => Some(0.5),
            _ => Some(-1.0),
        },
        Piece::Phrase => {
            pick(&[(Wants::Words, 0.9), (Wants::Anything, 0.7), (Wants::Name, 0.4), (Wants::Place, 0.3)], 0.05)
        }
        Piece::Json(_) => pick(&[(Wants::Words, 0.8)], 0.2),
        Piece::Reference | Piece::Earlier => Some(2.0),
    };
    worth.filter(|worth| *worth > -0.9)
}

/// How much what stands around a piece speaks for the parameter.
pub(super) fn around(
    request: &Request,
    range: &Range<usize>,
    param: &Param<'_>,
    mention: &Mention,
    rivals: &[Param<'_>],
) -> f64 {
    let from = mention.from.saturating_sub(REACH).max(range.start);
    let to = (mention.to + 5).min(range.end);
    let sentence = request.numbers[mention.from];
    let mut seen: Vec<&str> = Vec::new();
    let mut total = 0.0;
    let mut places: Vec<usize> = (from..mention.from).rev().chain(mention.to..to).collect();
    places.sort_by_key(|place| distance(mention, *place));
    for place in places {
        let stem = &request.stems[place];
        if stem.is_empty() || request.numbers[place] != sentence || seen.contains(&&**stem) {
            continue;
        }
        let weight = word_weight(param, stem, rivals);
        if weight == 0.0 {
            continue;
        }
        seen.push(stem);
        let onward = (mention.to..place).any(|before| request.is(before, ONWARD));
        let weight = if onward { weight * ONWARD_WEIGHT } else { weight };
        let between = between(request, mention, place);
        #[expect(clippy::cast_precision_loss, reason = "a few words")]
        let nearness = 1.0 / (1.0 + 0.35 * distance(mention, place) as f64 + 0.8 * between as f64);
        total += weight * nearness;
    }
    total + inside(param, mention, request) + lead(request, param, mention, range)
}

/// A word of the parameter is worth less the more parameters have it.
fn word_weight(param: &Param<'_>, stem: &Rc<str>, rivals: &[Param<'_>]) -> f64 {
    let named = param.words.contains(stem);
    if !named && !param.notes.contains(stem) {
        return 0.0;
    }
    let shared = rivals
        .iter()
        .filter(|rival| {
            if named { rival.words.contains(stem) } else { rival.notes.contains(stem) || rival.words.contains(stem) }
        })
        .count();
    #[expect(clippy::cast_precision_loss, reason = "a few parameters")]
    let shared = shared.max(1) as f64;
    (if named { 2.4 } else { 0.9 }) / shared
}

fn distance(mention: &Mention, place: usize) -> usize {
    if place < mention.from { mention.from - place - 1 } else { place - mention.to + 1 }
}

/// How many other pieces stand between.
fn between(request: &Request, mention: &Mention, place: usize) -> usize {
    let (from, to) = if place < mention.from { (place + 1, mention.from) } else { (mention.to, place) };
    request
        .mentions
        .iter()
        .filter(|other| other.from >= from && other.to <= to && other.from > from.saturating_sub(1))
        .count()
}

/// A name that holds a word of the parameter: `Lake View Hotel` for `hotel`.
fn inside(param: &Param<'_>, mention: &Mention, request: &Request) -> f64 {
    let words = &request.stems[mention.from..mention.to];
    let has = mention.piece == Piece::Name && param.words.iter().any(|word| words.contains(word));
    if has { 0.6 } else { 0.0 }
}

/// What leads to the piece: `from`, `to`, `in`.
fn lead(request: &Request, param: &Param<'_>, mention: &Mention, range: &Range<usize>) -> f64 {
    let mut place = mention.from;
    while place > range.start && request.is(place - 1, &["the", "a", "an", "my", "our", "his", "her"]) {
        place -= 1;
    }
    let Some(before) = place.checked_sub(1).filter(|before| *before >= range.start) else { return 0.0 };
    let leads = |words: &&(&[&str], &[&str])| request.is(before, words.0);
    let led = LEADS.iter().filter(leads).any(|(_, names)| param.words.iter().any(|word| names.contains(&&**word)));
    let place_lead = param.wants == Wants::Place
        && matches!(mention.piece, Piece::Name | Piece::Place | Piece::Phrase)
        && request.is(before, &["in", "at", "near", "for", "around", "of"]);
    f64::from(u8::from(led)) * 1.6 + f64::from(u8::from(place_lead)) * 0.8
}
