//! What a piece of text between two spaces is, by its characters alone.

use super::kind::Kind;

/// Endings of names that are domains or abbreviations rather than files when nothing else speaks for a file.
const NO_EXTENSIONS: &[&str] = &["g", "e"];

/// Endings of hosts of the web that no file has; `org` is one of notes, too.
const HOSTS: &[&str] = &["com", "edu", "gov", "net"];

/// What the chunk is.
pub(super) fn classify(chunk: &str) -> Kind {
    let has = |wanted: &[char]| chunk.contains(wanted);
    let digits = chunk.contains(|c: char| c.is_ascii_digit());
    if chunk.starts_with('@') && is_reference(chunk) {
        Kind::Reference
    } else if chunk.contains("://") || chunk.starts_with("www.") || is_host(chunk) {
        Kind::Url
    } else if is_number(chunk) {
        Kind::Number
    } else if chunk.chars().all(|c| "+-*/^%=<>×÷·−–&|".contains(c)) {
        if chunk == "*" || chunk == "**" || !has(&['*']) { Kind::Operator } else { Kind::Glob }
    } else if is_product(chunk) || ((digits || chunk.contains('@')) && is_math(chunk)) {
        Kind::Math
    } else if is_email(chunk) {
        Kind::Email
    } else if has(&['*']) || (has(&['?', '{']) && has(&['.', '/']) && !chunk.ends_with('?')) {
        Kind::Glob
    } else if is_filter(chunk) {
        Kind::Filter
    } else if is_path(chunk) {
        Kind::Path
    } else {
        Kind::Word
    }
}

/// `42`, `-3.5`, `1,000`, `1e6`, `15%`, `$5`.
fn is_number(chunk: &str) -> bool {
    let bare = chunk.strip_prefix(['-', '+', '$', '€', '£', '#']).unwrap_or(chunk);
    let bare = bare.strip_suffix('%').unwrap_or(bare);
    bare.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && bare.contains(|c: char| c.is_ascii_digit())
        && bare.replace(',', "").parse::<f64>().is_ok()
        && !bare.ends_with(',')
}

/// `42x37`; `0x10` is one number.
pub(super) fn is_product(chunk: &str) -> bool {
    let number = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit() || c == '.');
    chunk.split_once(['x', 'X']).is_some_and(|(left, right)| number(left) && number(right) && left != "0")
}

fn is_math(chunk: &str) -> bool {
    let named = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '@';
    let marks = "+-*/^%()×÷·−!,.=";
    chunk.chars().all(|c| named(c) || marks.contains(c))
        && chunk.contains(['+', '*', '^', '×', '÷', '·', '(', '−', '%', '!', '/', '-'])
        && !chunk.contains("..")
        && words_of(chunk).all(is_operand)
        && words_of(chunk).any(|word| word.starts_with(|c: char| c.is_ascii_digit() || c == '@'))
        && !is_date(chunk)
}

fn words_of(chunk: &str) -> impl Iterator<Item = &str> {
    chunk.split(|c: char| !(c.is_ascii_alphanumeric() || "_@.".contains(c))).filter(|word| !word.is_empty())
}

/// A number, a number with its unit, a function or a reference.
fn is_operand(word: &str) -> bool {
    let after = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    word.starts_with('@')
        || (after.len() < word.len() && after.chars().all(|c| c.is_ascii_alphabetic()) && after.len() <= 3)
        || super::words::FUNCTIONS.contains(&word)
}

fn is_date(chunk: &str) -> bool {
    let parts: Vec<&str> = chunk.split('-').collect();
    parts.len() == 3 && parts[0].len() == 4 && parts.iter().all(|part| part.chars().all(|c| c.is_ascii_digit()))
}

/// `example.com`, without a path.
fn is_host(chunk: &str) -> bool {
    chunk.rsplit_once('.').is_some_and(|(name, ending)| {
        HOSTS.contains(&ending.to_ascii_lowercase().as_str())
            && name.starts_with(|c: char| c.is_ascii_alphanumeric())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '.')
    })
}

fn is_email(chunk: &str) -> bool {
    chunk.split_once('@').is_some_and(|(name, host)| {
        !name.is_empty() && host.contains('.') && !host.contains(['@', '/', '(']) && !host.starts_with('.')
    })
}

/// `@name` with `.field` and `[n]` steps.
fn is_reference(chunk: &str) -> bool {
    let name = &chunk[1..];
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || "_.[]-".contains(c))
        && !name.contains("--")
}

/// `.db.host`, `.[0].name`; not `.env` of its own, which is a file: that is decided by whoever reads it.
fn is_filter(chunk: &str) -> bool {
    let Some(rest) = chunk.strip_prefix('.') else { return false };
    if rest.starts_with(['.', '/']) || rest.contains('/') || rest.is_empty() {
        return false;
    }
    rest.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '[')
        && rest.chars().all(|c| c.is_alphanumeric() || "_.[]\"|-".contains(c))
}

/// Something with a slash or an extension: `src/main.rs`, `./x`, `config.json`, `~/notes`.
fn is_path(chunk: &str) -> bool {
    if chunk == ".." || chunk == "." || chunk.starts_with("./") || chunk.starts_with("../") || chunk.starts_with('/') {
        return true;
    }
    if chunk.contains(['(', ')', '<', '>', '"', '=', '|', '$', ';']) {
        return false;
    }
    if chunk.contains('/') {
        // "and/or" is no path; "src/agent" is one, and so is all that has more than words in it.
        return !matches!(
            chunk.to_lowercase().as_str(),
            "and/or" | "he/she" | "either/or" | "yes/no" | "n/a" | "true/false"
        );
    }
    if chunk.contains('\\') {
        return true;
    }
    chunk.rsplit_once('.').is_some_and(|(stem, extension)| {
        !stem.is_empty()
            && (1..=8).contains(&extension.len())
            && extension.chars().all(|c| c.is_ascii_alphanumeric())
            && !extension.chars().all(|c| c.is_ascii_digit())
            && !NO_EXTENSIONS.contains(&extension.to_lowercase().as_str())
            && stem.chars().all(|c| c.is_alphanumeric() || "_-.+@ ".contains(c))
    })
}
