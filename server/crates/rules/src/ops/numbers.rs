//! Replies about numbers, and small things that need no tool: dice, coins, other ways to write a text.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::done::{Done, Reply};
use super::keys::number_value;
use super::lines::in_case;
use super::shape::counted;
use super::show::{block, cut_line, escaped, inline};
use super::slots::{as_text, listed};
use switchboard_context::letters;
use switchboard_events::ArtifactValue;

/// The largest number that is taken apart.
const MAX_FACTORED: u64 = 1_000_000_000_000;

/// How many rolls, values or numbers one answer has.
const MAX_ROLLS: usize = 100;

/// The replies about numbers.
pub(super) const REPLIES: &[(&str, Reply)] = &[
    ("calculate", calculate),
    ("convert", calculate),
    ("number", number),
    ("of_numbers", of_numbers),
    ("random", random),
    ("convert_text", convert_text),
    ("count_text", count_text),
    ("sort_list", sort_list),
    ("unique_list", unique_list),
    ("shuffle", shuffle),
    ("palindrome", palindrome),
];

/// `calculate`: the expression and its result.
fn calculate(done: &Done<'_>) -> Result<String, String> {
    let last = done.last()?;
    let mut expression = last.given(&["expression"]).concat();
    let variables = last.arguments.get("variables").and_then(Value::as_object).cloned().unwrap_or_default();
    let mut names: Vec<(&String, &Value)> = variables.iter().collect();
    names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    // The user's own way to write a variable stays.
    for (name, value) in names {
        expression = expression.replace(name.as_str(), &as_text(value));
    }
    let value = match done.value()? {
        ArtifactValue::Text(text) => Value::String(text),
        ArtifactValue::Json(json) => json,
        ArtifactValue::Bytes(_) => Value::Null,
    };
    Ok(format!("`{expression}` = {}", inline(&value)))
}

fn is_prime(number: u64) -> bool {
    number > 1 && factors(number) == [number]
}

fn factors(mut number: u64) -> Vec<u64> {
    let mut found = Vec::new();
    let mut by = 2;
    while by * by <= number {
        while number.is_multiple_of(by) {
            found.push(by);
            number /= by;
        }
        by += 1;
    }
    if number > 1 {
        found.push(number);
    }
    found
}

const ROMAN: &[(u64, &str)] = &[
    (1000, "M"),
    (900, "CM"),
    (500, "D"),
    (400, "CD"),
    (100, "C"),
    (90, "XC"),
    (50, "L"),
    (40, "XL"),
    (10, "X"),
    (9, "IX"),
    (5, "V"),
    (4, "IV"),
    (1, "I"),
];

fn roman(mut number: u64) -> String {
    let mut written = String::new();
    for (value, sign) in ROMAN {
        while number >= *value {
            written.push_str(sign);
            number -= value;
        }
    }
    written
}

fn from_roman(text: &str) -> Option<u64> {
    let mut rest = text.trim().to_uppercase();
    let mut number = 0;
    for (value, sign) in ROMAN {
        while let Some(after) = rest.strip_prefix(sign) {
            number += value;
            rest = after.to_owned();
        }
    }
    (rest.is_empty() && roman(number).eq_ignore_ascii_case(text.trim())).then_some(number)
}

/// `number`: what there is to say of one.
fn number(done: &Done<'_>) -> Result<String, String> {
    let what = done.slots.text("what").unwrap_or("factors");
    if what == "from_roman" {
        let text = done.slots.need("text")?;
        let number = from_roman(&text).ok_or_else(|| format!("`{text}` is no Roman numeral."))?;
        return Ok(format!("{text} is **{number}**."));
    }
    let number = done.slots.number("n").ok_or("You did not say which number.")?;
    let whole = done.slots.whole("n").and_then(|number| u64::try_from(number).ok());
    let whole = whole.ok_or_else(|| format!("{number} is no whole number above zero."))?;
    if whole > MAX_FACTORED && matches!(what, "prime" | "factors" | "divisors") {
        return Err(format!("{whole} is too large for me to take apart."));
    }
    let joined =
        |numbers: Vec<u64>, between: &str| numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(between);
    Ok(match what {
        "prime" if is_prime(whole) => format!("Yes, {whole} is a prime."),
        "prime" if whole < 2 => format!("No, {whole} is no prime."),
        "prime" => format!("No, {whole} is no prime: {whole} = {}.", joined(factors(whole), " × ")),
        "factors" => format!("{whole} = **{}**", joined(factors(whole), " × ")),
        "divisors" => {
            let small: Vec<u64> = (1..).take_while(|by| by * by <= whole).filter(|by| whole % by == 0).collect();
            let mut all: Vec<u64> = small.iter().map(|by| whole / by).chain(small.iter().copied()).collect();
            all.sort_unstable();
            all.dedup();
            format!("The divisors of {whole}: **{}**", joined(all, ", "))
        }
        "roman" if (1..4000).contains(&whole) => format!("{whole} is **{}**.", roman(whole)),
        "roman" => return Err("Roman numerals go from 1 to 3999.".to_owned()),
        "binary" => format!("{whole} is **{whole:b}** in binary."),
        "hex" => format!("{whole} is **0x{whole:x}** in hexadecimal."),
        "octal" => format!("{whole} is **0o{whole:o}** in octal."),
        "even" => format!("{whole} is **{}**.", if whole % 2 == 0 { "even" } else { "odd" }),
        "factorial" if whole <= 34 => {
            format!("{whole}! = **{}**", (1..=u128::from(whole)).product::<u128>())
        }
        "fibonacci" if whole <= 180 => {
            let (mut one, mut next) = (0_u128, 1_u128);
            (0..whole).for_each(|_| (one, next) = (next, one + next));
            format!("Fibonacci number {whole} is **{one}**.")
        }
        other => return Err(format!("I cannot say that of {whole}: {other}.")),
    })
}

fn numbers(done: &Done<'_>) -> Result<Vec<f64>, String> {
    let text = match done.slots.told("numbers") {
        Some(text) => text,
        None => match done.json() {
            Ok(Value::Array(items)) => items.iter().map(as_text).collect::<Vec<_>>().join("\n"),
            _ => done.text()?,
        },
    };
    let parts = text.split(|c: char| c.is_whitespace() || ",;[]".contains(c)).filter(|part| !part.is_empty());
    let read: Vec<Result<f64, &str>> =
        parts.filter(|part| *part != "and").map(|part| part.parse::<f64>().map_err(|_| part)).collect();
    if let Some(Err(part)) = read.iter().find(|part| part.is_err()) {
        return Err(format!("`{}` is not a number.", cut_line(part)));
    }
    let numbers: Vec<f64> = read.into_iter().flatten().collect();
    if numbers.is_empty() { Err("There are no numbers.".to_owned()) } else { Ok(numbers) }
}

/// `of_numbers`: one figure of several.
fn of_numbers(done: &Done<'_>) -> Result<String, String> {
    let mut numbers = numbers(done)?;
    let what = done.slots.text("what").unwrap_or("sum");
    #[expect(clippy::cast_precision_loss, reason = "a few numbers")]
    let count = numbers.len() as f64;
    let shown = |number: f64| as_text(&number_value((number * 1e10).round() / 1e10));
    numbers.sort_by(f64::total_cmp);
    let whole = || {
        let whole = |number: &f64| (number.fract() == 0.0 && (1.0..9e15).contains(number)).then(|| as_whole(*number));
        let whole: Option<Vec<u64>> = numbers.iter().map(whole).collect();
        whole.ok_or("These are not all whole numbers above zero.")
    };
    let result = match what {
        "average" => shown(numbers.iter().sum::<f64>() / count),
        "median" => {
            let middle = numbers.len() / 2;
            let both = if numbers.len().is_multiple_of(2) { numbers[middle - 1] } else { numbers[middle] };
            shown(f64::midpoint(both, numbers[middle]))
        }
        "min" => shown(numbers[0]),
        "max" => shown(numbers[numbers.len() - 1]),
        "sort" => numbers.iter().map(|number| shown(*number)).collect::<Vec<_>>().join(", "),
        "gcd" => whole()?.into_iter().fold(0, gcd).to_string(),
        "lcm" => {
            let lcm = |all: u64, number: u64| (all / gcd(all, number)).checked_mul(number);
            whole()?.into_iter().try_fold(1, lcm).ok_or("It is too large.")?.to_string()
        }
        _ => shown(numbers.iter().sum()),
    };
    Ok(format!("The {what} is **{result}**.").replacen("The sort is", "In order:", 1))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and within the range")]
fn as_whole(number: f64) -> u64 {
    number as u64
}

fn gcd(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { gcd(other, one % other) }
}

/// `random`.
fn random(done: &Done<'_>) -> Result<String, String> {
    let slots = &done.slots;
    let times = slots.count("n").unwrap_or(1).clamp(1, MAX_ROLLS);
    Ok(match slots.text("what") {
        Some("coin") => {
            let flips: Vec<&str> = (0..times).map(|_| if fastrand::bool() { "heads" } else { "tails" }).collect();
            format!("**{}**", flips.join(", "))
        }
        Some("dice") => {
            let sides = u64::try_from(slots.whole("sides").unwrap_or(6)).unwrap_or(6).max(2);
            let rolls: Vec<u64> = (0..times).map(|_| fastrand::u64(1..=sides)).collect();
            let all = rolls.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
            if times == 1 { format!("**{all}**") } else { format!("**{all}** (sum {})", rolls.iter().sum::<u64>()) }
        }
        Some("uuid") => format!("`{}`", uuid::Uuid::new_v4()),
        Some("password") => {
            let length = slots.count("length").unwrap_or(20).clamp(8, 128);
            let signs = b"ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789-_+=.";
            // Two random bits of a UUID are fixed, the rest comes from the system.
            let bytes = std::iter::repeat_with(|| uuid::Uuid::new_v4().as_bytes()[15]);
            let fair = bytes.filter(|byte| usize::from(*byte) < 256 - 256 % signs.len());
            let text: String =
                fair.take(length).map(|byte| char::from(signs[usize::from(byte) % signs.len()])).collect();
            format!("`{text}`")
        }
        Some("pick") => {
            let options = slots.need("options")?;
            let parts =
                options.split([',', ';']).flat_map(|part| part.split(" or ")).flat_map(|part| part.split(" and "));
            let options: Vec<&str> = parts.map(str::trim).filter(|part| !part.is_empty()).collect();
            if options.len() < 2 {
                return Err("One of what? Name them with commas between.".to_owned());
            }
            let chosen = options.get(fastrand::usize(..options.len().max(1))).ok_or("There is nothing to choose.")?;
            format!("**{}**", escaped(chosen))
        }
        _ => {
            let (from, to) = (slots.whole("from").unwrap_or(1), slots.whole("to").unwrap_or(100));
            format!("**{}**", fastrand::i64(from.min(to)..=from.max(to)))
        }
    })
}

/// `convert_text`: another way to write it.
fn convert_text(done: &Done<'_>) -> Result<String, String> {
    let text = match done.slots.told("text") {
        Some(text) => text,
        None => done.text()?,
    };
    let words = || text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase);
    let written = match done.slots.text("to").unwrap_or("upper") {
        "base64" => STANDARD.encode(&text),
        "from_base64" => {
            let bytes = STANDARD.decode(text.trim()).ok();
            bytes.and_then(|bytes| String::from_utf8(bytes).ok()).ok_or("This is no base64 of a text.")?
        }
        "hex" => switchboard_tools::hex(text.as_bytes()),
        "url" => url_encoded(&text),
        "from_url" => url_decoded(&text).ok_or("This is no URL-encoded text.")?,
        "reversed" => text.chars().rev().collect(),
        "slug" => words().collect::<Vec<_>>().join("-"),
        "snake" => words().collect::<Vec<_>>().join("_"),
        "camel" => {
            let titled = |(at, word): (usize, String)| if at == 0 { word } else { in_case(&word, "title") };
            words().enumerate().map(titled).collect()
        }
        case => in_case(&text, case),
    };
    Ok(if written.contains('\n') { block(&written, "text") } else { format!("`{written}`") })
}

/// `count_text`: `unit` of the `given` text, or how often `text` stands in it.
fn count_text(done: &Done<'_>) -> Result<String, String> {
    let given = done.slots.need("given")?;
    if let Some(text) = done.slots.told("text") {
        let count = given.to_lowercase().matches(&text.to_lowercase()).count();
        if count == 0 && text.chars().count() > 1 {
            return Err(format!("`{text}` does not stand in `{}`.", cut_line(&given)));
        }
        return Ok(format!("`{text}` stands **{}** in `{}`.", counted(count, "time"), cut_line(&given)));
    }
    let count = match done.slots.text("unit") {
        Some("words") => counted(given.split_whitespace().count(), "word"),
        Some("letters") => counted(given.chars().filter(|c| c.is_alphabetic()).count(), "letter"),
        Some("vowels") => counted(given.chars().filter(|c| "aeiouAEIOU".contains(*c)).count(), "vowel"),
        Some("bytes") => counted(given.len(), "byte"),
        Some("sentences") => {
            let parts = given.split(['.', '!', '?']);
            counted(parts.filter(|part| part.chars().any(char::is_alphabetic)).count(), "sentence")
        }
        Some("lines") => counted(given.lines().count(), "line"),
        _ => counted(given.chars().count(), "character"),
    };
    Ok(format!("`{}` has **{count}**.", cut_line(&given)))
}

/// The `items` that the request lists.
fn items(done: &Done<'_>) -> Result<Vec<String>, String> {
    let text = done.slots.need("items")?;
    let items = listed(&text);
    Ok(items.into_iter().map(escaped).collect())
}

/// `sort_list`: by number if all are; `order` other than ascending turns it.
fn sort_list(done: &Done<'_>) -> Result<String, String> {
    let mut items = items(done)?;
    let number = |item: &String| item.parse::<f64>().unwrap_or(f64::NAN);
    match items.iter().any(|item| number(item).is_nan()) {
        true => items.sort_by_key(|item| item.to_lowercase()),
        false => items.sort_by(|one, other| number(one).total_cmp(&number(other))),
    }
    if done.slots.get("order").is_some_and(|order| order != "ascending") {
        items.reverse();
    }
    Ok(items.join(", "))
}

/// `unique_list`.
fn unique_list(done: &Done<'_>) -> Result<String, String> {
    let mut items = items(done)?;
    let mut seen = std::collections::HashSet::new();
    items.retain(|item| seen.insert(item.clone()));
    Ok(items.join(", "))
}

/// `shuffle`.
fn shuffle(done: &Done<'_>) -> Result<String, String> {
    let mut items = items(done)?;
    fastrand::shuffle(&mut items);
    Ok(items.join(", "))
}

/// `palindrome`: whether `text` is one.
fn palindrome(done: &Done<'_>) -> Result<String, String> {
    let text = done.slots.need("text")?;
    let plain: Vec<char> = letters(&text).collect();
    let is_one = plain.iter().eq(plain.iter().rev());
    Ok(format!(
        "{} `{}` is {}palindrome.",
        if is_one { "Yes," } else { "No," },
        cut_line(&text),
        if is_one { "a " } else { "no " }
    ))
}

fn url_encoded(text: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(byte);
    text.bytes().map(|byte| if plain(&byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

fn url_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let pair = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&pair).ok()?, 16).ok()?
            }
            b'+' => b' ',
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
#[path = "numbers_tests.rs"]
mod tests;
