//! What people say around a request for the sake of good manners. Nothing is asked with it, so it is left out.

use regex::Regex;

use super::roles::Roles;

/// What is left is a request of at least so many words.
const LEAST: usize = 2;

/// A message without greetings, excuses and thanks around it. What stands at the end of a text that is written is not said
/// to anybody here.
pub(super) fn without_courtesy(text: &str) -> String {
    let roles = Roles::get();
    let plain = without(text, &roles.courtesy);
    let writes = plain.trim_end_matches([')', '(']).contains([':', '"', '`', '“']);
    if writes { plain } else { without(plain, &roles.thanks) }.to_owned()
}

/// A text without what a pattern finds at its beginning or end, as often as it does.
pub(super) fn without<'t>(text: &'t str, pattern: &Regex) -> &'t str {
    let mut rest = text;
    while let Some(found) = pattern.find(rest) {
        let left = if found.start() == 0 { &rest[found.end()..] } else { &rest[..found.start()] };
        if left.split_whitespace().count() < LEAST {
            break;
        }
        rest = left;
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manners_are_left_out_on_both_sides() {
        let check = |text: &str, expected: &str| assert_eq!(without_courtesy(text), expected, "{text}");
        check("Hello, sorry to bother you again. When does it end? Thanks a lot!", "When does it end?");
        check("hi! the number of the crane guy please, thanks", "the number of the crane guy please");
        check("Good morning! Where is it?", "Where is it?");
        check("Anneliese here. What is the total of the fees?", "What is the total of the fees?");
        check("Which members have yet to pay their dues. Yours, W. Pike", "Which members have yet to pay their dues");
        check("Which of them are below the minimum, please? Carol", "Which of them are below the minimum, please");
        check("When is Dr. Rossi in? Is it Monday", "When is Dr. Rossi in? Is it Monday");
        for text in ["hello", "ok thanks", "thanks a lot", "set port to 80", "good morning all", "do it again"] {
            check(text, text);
        }
    }
}
