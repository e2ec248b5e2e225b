//! A piece of the request as the value that a schema wants.

use serde_json::Value;

use super::dates::{time_written, written};
use super::mention::{EARLIER, Mention, Piece};
use super::numbers;
use super::param::{Param, Takes, Wants};
use super::places::as_wanted;
use super::request::Request;

/// The value, if the piece can be one.
pub(super) fn value(request: &Request, param: &Param<'_>, takes: Takes, mention: &Mention) -> Option<Value> {
    if mention.piece == Piece::Reference {
        return Some(Value::from(mention.text.as_str()));
    }
    if mention.piece == Piece::Earlier {
        return Some(Value::from(EARLIER));
    }
    match takes {
        Takes::Integer | Takes::Number => number(param, takes == Takes::Integer, mention),
        Takes::Text => text(request, param, mention).map(Value::from),
        Takes::Object => match &mention.piece {
            Piece::Json(json) if json.is_object() => Some(json.clone()),
            _ => None,
        },
        Takes::List => match &mention.piece {
            Piece::Json(json) if json.is_array() => Some(json.clone()),
            _ => None,
        },
        Takes::Boolean => None,
    }
}

fn number(param: &Param<'_>, integer: bool, mention: &Mention) -> Option<Value> {
    let named = |word: &str| param.words.iter().any(|own| &**own == word);
    match &mention.piece {
        Piece::Number(number) => numbers::value(number, integer, !integer && takes_fraction(param)),
        Piece::Date(date) if named("year") => date.year.map(Value::from),
        Piece::Date(date) if named("month") => Some(Value::from(date.month)),
        Piece::Date(date) if named("day") => date.day.map(Value::from),
        Piece::Time(time) if named("hour") => Some(Value::from(time.hour)),
        Piece::Quoted => mention.text.trim().parse::<i64>().ok().map(Value::from),
        _ => None,
    }
}

/// Whether 5 % are 0.05 for the parameter.
fn takes_fraction(param: &Param<'_>) -> bool {
    let decimal = param.about.contains("decimal") || param.about.contains("fraction") || param.about.contains("0.");
    decimal || !(param.says("percent") || param.about.contains('%'))
}

fn text(request: &Request, param: &Param<'_>, mention: &Mention) -> Option<String> {
    Some(match &mention.piece {
        Piece::Date(date) => {
            let time = request.mentions.iter().find_map(|other| match &other.piece {
                Piece::Time(time) if other.from >= mention.to && other.from <= mention.to + 2 => Some(time),
                _ => None,
            });
            written(date, time, &param.about, &mention.text)
        }
        Piece::Time(time) => time_written(time, &param.about, &mention.text),
        Piece::Number(number) => {
            let measured = [
                "duration", "period", "length", "size", "weight", "height", "time", "timefram", "interv", "dosag",
                "dose", "distanc",
            ];
            let with_unit = param.words.iter().any(|word| measured.contains(&&**word)) && number.unit.is_some();
            let end = if with_unit && request.token(mention.to).is_some() { mention.to + 1 } else { mention.to };
            let text = request.written(mention.from, end);
            if with_unit { text.to_owned() } else { text.trim_matches(['$', '€', '£', '#']).to_owned() }
        }
        Piece::Place | Piece::Name if param.wants == Wants::Place => as_wanted(&mention.text, param),
        Piece::Json(_) => mention.text.clone(),
        Piece::Quoted => mention.text.trim_end_matches([',', '.']).to_owned(),
        Piece::Name | Piece::Phrase => {
            let text = without_own(request, param, mention);
            text.trim_end_matches("'s").trim_end_matches("’s").to_owned()
        }
        _ => mention.text.clone(),
    })
}

/// A name without the parameter's own word at its end: `Lat Phrao District` for `district`.
fn without_own<'m>(request: &'m Request, param: &Param<'_>, mention: &'m Mention) -> &'m str {
    let last = mention.to - 1;
    let own = param.words.len() > 1 && param.words.iter().any(|word| *word == request.stems[last]);
    if own && last > mention.from { request.written(mention.from, last) } else { &mention.text }
}
