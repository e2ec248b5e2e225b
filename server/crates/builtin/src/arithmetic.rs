//! Puts what people write into what fend reads, where the two would differ without a word: `6 x 7`, `200 + 10%`,
//! `100 km / 2 hours`. What cannot be understood is refused; a wrong number would be worse.

use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde_json::{Map, Value};
use switchboard_protocol::ErrorType;

use switchboard_tools::ToolFailure;

macro_rules! pattern {
    ($name:ident, $regex:literal) => {
        static $name: LazyLock<Regex> = LazyLock::new(|| Regex::new($regex).expect("the pattern is a constant"));
    };
}

pattern!(REFERENCE, r"@([A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*|\[[0-9]+\])*)");
pattern!(TIMES, r"([0-9.)])\s*[xX]\s*([0-9.(])");
pattern!(HEXADECIMAL, r"\b0[xX][0-9a-fA-F]");
pattern!(PER_QUANTITY, r"/\s*([0-9][0-9.]*)[ ]+([A-Za-z]+)");
pattern!(PERCENT_OF_ALL, r"^(.*[^\s+\-*/^])\s*([+-])\s*([0-9][0-9.]*)\s*%\s*$");
pattern!(THOUSANDS, r"([0-9]{1,3})((?:,[0-9]{3})+)($|[^0-9,])");

/// Words after a number that are not units.
const NO_UNITS: &[&str] = &["to", "in", "as", "of", "mod", "per", "and", "or", "xor", "x", "X", "choose", "permute"];

/// The expression as fend reads it.
pub(super) fn readable(expression: &str, variables: &Map<String, Value>) -> Result<String, ToolFailure> {
    let expression = with_plain_names(expression, variables)?;
    let expression = expression.replace(['×', '·'], "*").replace('÷', "/").replace('−', "-");
    let expression = expression.trim().trim_end_matches(['=', '?']).trim_end();
    refuse_unclear(expression)?;
    let expression = without_thousands(expression)?;
    let expression =
        if variables.contains_key("x") || variables.contains_key("X") { expression } else { with_times(&expression) };
    let expression = PER_QUANTITY.replace_all(&expression, |found: &Captures<'_>| {
        if NO_UNITS.contains(&&found[2]) { found[0].to_owned() } else { format!("/ ({} {})", &found[1], &found[2]) }
    });
    Ok(with_percent_of_all(&expression))
}

/// Gives what an expression takes from a variable a name of its own in `variables`: `@answer + 1`, `@config.port * 2`. One that
/// is nothing but a reference stays, for it is resolved as a whole.
pub(super) fn name_references(expression: &str, variables: &mut Map<String, Value>) -> String {
    if REFERENCE.find(expression).is_some_and(|found| found.as_str() == expression) {
        return expression.to_owned();
    }
    let references = || REFERENCE.captures_iter(expression);
    // Whole variables first: they keep their names, and what is given under one stays.
    for found in references().filter(|found| is_name(&found[1])) {
        variables.entry(&found[1]).or_insert_with(|| found[0].into());
    }
    let named = REFERENCE.replace_all(expression, |found: &Captures<'_>| {
        if is_name(&found[1]) {
            return found[0].to_owned();
        }
        let flat = found[1].replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        let flat = flat.trim_end_matches('_');
        let free = (1..)
            .map(|number| if number == 1 { flat.to_owned() } else { format!("{flat}_{number}") })
            .find(|name| variables.get(name).is_none_or(|value| *value == found[0]));
        let name = free.unwrap_or_else(|| flat.to_owned());
        variables.entry(&name).or_insert_with(|| found[0].into());
        format!("@{name}")
    });
    named.into_owned()
}

/// Whether it is nothing but a name.
pub(super) fn is_name(path: &str) -> bool {
    path.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// `@answer + 1` as `answer + 1`: a name with `@` is one of the variables.
fn with_plain_names(expression: &str, variables: &Map<String, Value>) -> Result<String, ToolFailure> {
    let mut pieces = expression.split('@');
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let end = piece.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(piece.len());
        let name = &piece[..end];
        if !variables.contains_key(name) {
            let message = format!("`expression` uses @{name}, but `variables` has no value for it");
            let example =
                format!("Example: calculator(expression=\"{name} + 1\", variables={{\"{name}\": \"@{name}\"}})");
            return Err(ToolFailure::new(ErrorType::Validation, message).suggesting(example));
        }
        plain.push_str(piece);
    }
    Ok(plain)
}

fn refuse_unclear(expression: &str) -> Result<(), ToolFailure> {
    let (opened, closed) = (expression.matches('(').count(), expression.matches(')').count());
    if opened != closed {
        let message = format!("cannot calculate {expression:?}: it has {opened} ( but {closed} )");
        return Err(ToolFailure::new(ErrorType::User, message).suggesting("Close every parenthesis that is opened."));
    }
    if expression.contains("//") {
        let message = format!("cannot calculate {expression:?}: // has no meaning here");
        let next = "For a whole quotient, write floor(17 / 5); for the remainder, 17 mod 5.";
        return Err(ToolFailure::new(ErrorType::User, message).suggesting(next));
    }
    Ok(())
}

/// `1,000,000` as `1000000`; any other comma could be a decimal one or a list, so it is refused.
fn without_thousands(expression: &str) -> Result<String, ToolFailure> {
    let plain = THOUSANDS.replace_all(expression, |found: &Captures<'_>| {
        format!("{}{}{}", &found[1], found[2].replace(',', ""), &found[3])
    });
    if plain.contains(',') {
        let message = format!("cannot calculate {expression:?}: a comma only separates thousands, as in 1,000,000");
        let next = "Write decimals with a point (1.5), and add the items of a list with +: (1 + 2 + 3) / 3.";
        return Err(ToolFailure::new(ErrorType::User, message).suggesting(next));
    }
    Ok(plain.into_owned())
}

/// `6 x 7` as `6 * 7`, but not `0x10`.
fn with_times(expression: &str) -> String {
    if HEXADECIMAL.is_match(expression) {
        return expression.to_owned();
    }
    // Twice, because matches that share a digit do not overlap: `2 x 3 x 4`.
    let once = TIMES.replace_all(expression, "$1 * $2");
    TIMES.replace_all(&once, "$1 * $2").into_owned()
}

/// `200 + 10%` as `(200) * (1 + 10 / 100)`, as every pocket calculator has it.
fn with_percent_of_all(expression: &str) -> String {
    match PERCENT_OF_ALL.captures(expression) {
        Some(found) if !found[1].contains('%') && balanced(&found[1]) => {
            format!("({}) * (1 {} {} / 100)", found[1].trim(), &found[2], &found[3])
        }
        _ => expression.to_owned(),
    }
}

fn balanced(text: &str) -> bool {
    text.matches('(').count() == text.matches(')').count()
}
