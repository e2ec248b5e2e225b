//! Permission rules, as people write them.

use switchboard_tools::{Effect, Rule, RuleSource};

use super::bytes::text;

/// What rules are made of.
const PARTS: [&str; 24] = [
    "bash",
    "file_read",
    "module:",
    "risk:",
    "network",
    "write",
    "files",
    "*",
    "**",
    "(",
    ")",
    "git status *",
    ".env",
    "docs/**",
    "=",
    "expression=",
    "https://",
    ",",
    "\n",
    " ",
    "\\",
    "[",
    "{a,b}",
    "ß",
];

/// A rule is refused in words, or it is read as what it says that it is, and is one rule; whether there is one.
pub fn rules(data: &[u8]) -> bool {
    let text = text(data, &PARTS, "");
    let mut found = false;
    for part in Rule::split(&text) {
        for effect in Effect::ALL {
            match Rule::parse(effect, part, RuleSource::Session) {
                Err(why) => assert!(!why.is_empty(), "{part:?}"),
                Ok(rule) => {
                    found = true;
                    assert_eq!((rule.effect(), rule.text()), (effect, part));
                    assert_eq!(Rule::split(rule.text()), [part], "{part:?} is one rule");
                }
            }
        }
    }
    found
}
