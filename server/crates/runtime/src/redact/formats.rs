//! The table of what secrets look like. Formats with a distinctive mark are recognized by it; a value after
//! `password=` and the like must also look like one: letters and digits mixed, and no name, path or placeholder.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex, RegexSet};

/// What a secret looks like.
struct Format {
    /// What it is, for people.
    kind: &'static str,
    /// The group `secret` is the secret; without one all of it is.
    pattern: &'static str,
    /// What the text must be like beyond the pattern.
    is_secret: fn(&str) -> bool,
}

/// Any text.
const ALWAYS: fn(&str) -> bool = |_| true;

/// In the order in which they are looked for.
const FORMATS: &[Format] = &[
    Format {
        kind: "private key",
        pattern: r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?s:.*?)(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|\z)",
        is_secret: ALWAYS,
    },
    Format { kind: "AWS access key", pattern: r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b", is_secret: ALWAYS },
    Format {
        kind: "AWS secret key",
        pattern: r#"(?i)\baws_?secret_?(?:access_?)?key["']?\s*[:=]\s*["']?(?P<secret>[A-Za-z0-9/+=]{40})"#,
        is_secret: ALWAYS,
    },
    Format {
        kind: "GitHub token",
        pattern: r"\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})",
        is_secret: ALWAYS,
    },
    Format {
        kind: "GitLab token",
        pattern: r"\bgl(?:pat|dt|rt|soat|cbt|ptt|agent|ft|imt)-[A-Za-z0-9_-]{20,}",
        is_secret: ALWAYS,
    },
    Format {
        kind: "Slack token",
        pattern: r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-[0-9]-[A-Za-z0-9-]{10,}|\bhooks\.slack\.com/services/[A-Za-z0-9/_-]{20,}",
        is_secret: ALWAYS,
    },
    Format { kind: "Stripe key", pattern: r"\b(?:[sr]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,}", is_secret: ALWAYS },
    Format {
        kind: "Google key",
        pattern: r"\bAIza[A-Za-z0-9_-]{35}|\bya29\.[A-Za-z0-9_-]{20,}|\bGOCSPX-[A-Za-z0-9_-]{20,}",
        is_secret: ALWAYS,
    },
    Format { kind: "Anthropic key", pattern: r"\bsk-ant-[A-Za-z0-9_-]{20,}", is_secret: ALWAYS },
    Format {
        kind: "OpenAI key",
        pattern: r"\bsk-(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{20,}",
        is_secret: is_mixed,
    },
    Format {
        kind: "access token",
        pattern: r"\b(?:npm_[A-Za-z0-9]{36}|pypi-[A-Za-z0-9_-]{50,}|hf_[A-Za-z0-9]{30,}|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{32,}|do[por]_v1_[a-f0-9]{64}|tvly-[A-Za-z0-9-]{20,}|dckr_pat_[A-Za-z0-9_-]{20,}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|AGE-SECRET-KEY-1[A-Z0-9]{58})",
        is_secret: ALWAYS,
    },
    Format {
        kind: "JSON web token",
        pattern: r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?",
        is_secret: ALWAYS,
    },
    Format {
        kind: "password",
        pattern: r"://[^\s:/@'\x22]{0,100}:(?P<secret>[^\s/@'\x22]{3,200})@",
        is_secret: is_no_placeholder,
    },
    Format {
        kind: "access token",
        pattern: r"(?i)\b(?:bearer|basic)\s+(?P<secret>[A-Za-z0-9._~+/=-]{16,})",
        is_secret: is_random,
    },
    Format { kind: "secret", pattern: NAMED, is_secret: is_random },
];

/// What each of the formats, and each of the names, has in it somewhere. Without quotes, line ends and word boundaries,
/// so that a text that is written as JSON has them too.
const SIGNS: &str = r"(?i)private key|AKIA|ASIA|ABIA|ACCA|gh[pousr]_|github_pat_|gl(?:pat|dt|rt|soat|cbt|ptt|agent|ft|imt)-|xox[abeoprs]-|xapp-|hooks\.slack|[sr]k_(?:live|test)|whsec|AIza|ya29|GOCSPX|sk-|npm_|pypi-|hf_|SG\.|do[por]_v1|tvly-|dckr_pat|shp(?:at|ca|pa|ss)_|eyJ|://|bearer|basic|pass|pwd|secret|token|key|credential";

/// A name that says secret, a sign, and a value.
const NAMED: &str = r#"(?i)(?:pass(?:word|wd|phrase)|\bpwd|_pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key|credential)\\?["']?\s*(?:=>|:=|[:=])\s*\\?["']?(?P<secret>[^\s"'`,;\\<>(){}\[\]]{6,})"#;

/// A name alone that says so.
const NAME: &str = r"(?i)(?:pass(?:word|wd|phrase)|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key|credential)$";

/// Those that are made are made when they are first needed: all of them take 4 MiB, and most texts need the signs only.
static NAMES: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(NAME).ok());
static ANY_SIGN: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(SIGNS).ok());
static ANY_FORMAT: LazyLock<RegexSet> =
    LazyLock::new(|| RegexSet::new(FORMATS.iter().map(|format| format.pattern)).unwrap_or_default());
static EACH_FORMAT: LazyLock<Vec<Option<Regex>>> =
    LazyLock::new(|| FORMATS.iter().map(|format| Regex::new(format.pattern).ok()).collect());

/// Whether something is in the text without which there is no secret.
pub(super) fn has_sign(text: &str) -> bool {
    ANY_SIGN.as_ref().is_none_or(|regex| regex.is_match(text))
}

/// The kinds of secrets in the text.
pub(super) fn kinds(text: &str) -> impl Iterator<Item = &'static str> {
    found(text)
        .filter(move |(format, regex)| secrets(format, regex, text).next().is_some())
        .map(|(format, _)| format.kind)
}

/// The text with a mark in place of each secret.
pub(super) fn redact(text: &str) -> Cow<'_, str> {
    let mut out = Cow::Borrowed(text);
    for (format, regex) in found(text) {
        let places: Vec<(usize, usize)> = secrets(format, regex, &out).collect();
        if let Some(marked) = marked(&out, &places, format.kind) {
            out = Cow::Owned(marked);
        }
    }
    out
}

/// The value of a field whose name says that it is secret.
pub(super) fn redact_named<'t>(name: &str, value: &'t str) -> Cow<'t, str> {
    let says_so = NAMES.as_ref().is_some_and(|regex| regex.is_match(name));
    if says_so && value.len() >= 6 && !value.contains(char::is_whitespace) && is_random(value) {
        return Cow::Owned(mark("secret"));
    }
    Cow::Borrowed(value)
}

fn found(text: &str) -> impl Iterator<Item = (&'static Format, &'static Regex)> {
    let matches = has_sign(text).then(|| ANY_FORMAT.matches(text)).filter(regex::SetMatches::matched_any);
    matches.into_iter().flatten().filter_map(|place| Some((FORMATS.get(place)?, EACH_FORMAT.get(place)?.as_ref()?)))
}

fn secrets<'t>(
    format: &'static Format,
    regex: &'static Regex,
    text: &'t str,
) -> impl Iterator<Item = (usize, usize)> + 't {
    let place = |captures: Captures<'t>| captures.name("secret").or_else(|| captures.get(0));
    let is_secret = |text: &str| (format.is_secret)(text) && !text.starts_with('[');
    regex
        .captures_iter(text)
        .filter_map(place)
        .filter(move |found| is_secret(found.as_str()))
        .map(|found| (found.start(), found.end()))
}

fn marked(text: &str, places: &[(usize, usize)], kind: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (start, end) in places {
        out.push_str(&text[at..*start]);
        out.push_str(&mark(kind));
        at = *end;
    }
    (!places.is_empty()).then(|| out + &text[at..])
}

fn mark(kind: &str) -> String {
    format!("{}{kind}]", super::REDACTED)
}

/// Letters and digits both.
fn is_mixed(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit()) && text.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// No word that stands for a secret: `<password>`, `${TOKEN}`, `****`, `changeme`.
fn is_no_placeholder(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let stands_for = ["example", "changeme", "change-me", "placeholder", "redacted", "your_", "your-", "xxxx", "dummy"];
    let signs = text.starts_with(['$', '<', '{', '%', '[', '@', '&']);
    let distinct = text.bytes().collect::<std::collections::BTreeSet<_>>().len();
    !signs && distinct >= 3 && !stands_for.iter().any(|word| lower.contains(word))
}

/// Mixed, of many different signs, and no name, version, path or number of a program.
fn is_random(text: &str) -> bool {
    is_mixed(text) && is_no_placeholder(text) && !is_path(text) && entropy(text) >= enough(text.len())
}

/// `process.env.TOKEN_2`, `./keys/k1`, `v1.2.3`, `1024px`, `s3://bucket`.
fn is_path(text: &str) -> bool {
    let word = |part: &str| {
        let mut characters = part.chars();
        characters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
            && characters.all(|c| c.is_ascii_alphanumeric() || c == '_')
            && part.len() <= 24
    };
    let dotted = text.contains('.') && text.split('.').all(word);
    let version =
        text.trim_start_matches('v').chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '-' | 'k' | 'K' | 'M'));
    dotted || version || text.starts_with(['/', '.', '~']) || text.contains("://")
}

/// How many bits a sign of the text carries.
fn entropy(text: &str) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in text.bytes() {
        counts[usize::from(byte)] += 1;
    }
    #[expect(clippy::cast_precision_loss, reason = "texts are short")]
    let length = text.len() as f64;
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| f64::from(*count) / length)
        .map(|share| -share * share.log2())
        .sum()
}

/// What a random text of this length surely carries a sign.
fn enough(length: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "texts are short")]
    let most = (length as f64).log2();
    (0.75 * most).min(3.0)
}
