//! How a rule is written: `file_read`, `bash(git status *)`, `file_write(docs/**)`, `module:files`, `risk:read`,
//! `network(example.org)`.

use switchboard_protocol::Risk;

use super::rule::{Effect, Pattern, Rule, RuleSource, Subject};
use super::text::TextPattern;
use switchboard_workspace::PathPattern;

/// The longest rule, in characters.
const MAX_CHARS: usize = 1000;

/// The risks, as they are written.
pub(super) const RISKS: [(&str, Risk); 5] = [
    ("read", Risk::Read),
    ("write", Risk::Write),
    ("execute", Risk::Execute),
    ("network", Risk::Network),
    ("ui", Risk::Ui),
];

/// The word of rules about domains.
const NETWORK: &str = "network";

const FORMS: &str = "write a tool, `module:NAME`, `risk:NAME` or `network`, followed in parentheses by what it is about, as in \
                     `bash(git status *)`";

impl Rule {
    /// Reads a rule.
    ///
    /// # Errors
    /// Says what is wrong and what would be right.
    pub fn parse(effect: Effect, text: &str, source: RuleSource) -> Result<Self, String> {
        let text = text.trim();
        let wrong = |what: String| Err(format!("the rule \"{text}\" {what}"));
        if text.is_empty() {
            return Err(format!("a rule is empty: {FORMS}"));
        }
        if text.chars().count() > MAX_CHARS || text.chars().any(char::is_control) {
            return Err(format!("a rule is one line of at most {MAX_CHARS} characters"));
        }
        let (subject, pattern) = match text.split_once('(') {
            None => (text, None),
            Some((subject, rest)) => match rest.strip_suffix(')') {
                Some(pattern) if !pattern.trim().is_empty() => (subject.trim_end(), Some(pattern.trim())),
                Some(_) => return wrong("has nothing between its parentheses: leave them out".to_owned()),
                None => return wrong("has no \")\" at its end".to_owned()),
            },
        };
        let subject = match parse_subject(subject) {
            Ok(subject) => subject,
            Err(what) => return wrong(what),
        };
        let pattern = match subject {
            // Names of domains are in lowercase letters.
            Subject::Network => pattern.map(|pattern| parse_pattern(&pattern.to_lowercase())),
            _ => pattern.map(parse_pattern),
        };
        Ok(Self { effect, subject, pattern, text: text.to_owned(), source })
    }

    /// Reads rules that are in one text, separated by commas or line ends outside of parentheses.
    #[must_use]
    pub fn split(text: &str) -> Vec<&str> {
        let (mut depth, mut from, mut parts) = (0_usize, 0, Vec::new());
        for (at, sign) in text.char_indices() {
            match sign {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                '\n' => {
                    depth = 0;
                    parts.push(&text[from..at]);
                    from = at + 1;
                }
                ',' if depth == 0 => {
                    parts.push(&text[from..at]);
                    from = at + 1;
                }
                _ => {}
            }
        }
        parts.push(&text[from..]);
        parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
    }
}

fn parse_subject(text: &str) -> Result<Subject, String> {
    let is_name = |name: &str| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
    };
    if let Some(module) = text.strip_prefix("module:") {
        return match is_name(module) {
            true => Ok(Subject::Module(module.to_owned())),
            false => Err("names no module after `module:`, as in `module:files`".to_owned()),
        };
    }
    if let Some(risk) = text.strip_prefix("risk:") {
        let names = RISKS.map(|(name, _)| name).join(", ");
        let found = RISKS.into_iter().find(|(name, _)| *name == risk);
        return found
            .map(|(_, risk)| Subject::Risk(risk))
            .ok_or_else(|| format!("can never match: there is no risk \"{risk}\"; the risks are {names}"));
    }
    if text == NETWORK {
        return Ok(Subject::Network);
    }
    if is_name(text) {
        return Ok(Subject::Tool(text.to_owned()));
    }
    if text.contains('*') && is_name(&text.replace('*', "x")) {
        return Ok(Subject::Tools(TextPattern::new(text)));
    }
    Err(format!("is not a rule: {FORMS}"))
}

fn parse_pattern(text: &str) -> Pattern {
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    match text.split_once('=') {
        Some((name, value)) if is_name(name) => {
            Pattern::Argument { name: name.to_owned(), text: TextPattern::new(value) }
        }
        _ => Pattern::Main { text: TextPattern::new(text), files: PathPattern::new(text) },
    }
}
