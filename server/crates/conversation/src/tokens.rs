//! About how many tokens a text has. No vocabulary is loaded: it would cost more memory than the whole server, and each
//! model has another one. The count is made to be too high rather than too low, so that a request fits.

use switchboard_events::ChatMessage;

/// What a message costs beside its texts: its role, and the marks around it.
const MESSAGE: u64 = 4;
/// What a call costs beside its name and arguments: its id, and the marks around it.
const CALL: u64 = 8;

/// Letters of a word that are one token.
const LETTERS: u64 = 5;
/// Equal signs in a row, such as a line of dashes or an indentation, that are one token.
const SAME_SIGNS: u64 = 4;

/// The message's tokens; what it calls, and with what, counts too.
pub(super) fn estimate(message: &ChatMessage) -> u64 {
    let calls: u64 = message.tool_calls.iter().map(|call| CALL + text(&call.name) + arguments(call)).sum();
    MESSAGE + text(&message.content) + calls
}

fn arguments(call: &switchboard_events::ToolCall) -> u64 {
    serde_json::to_string(&call.arguments).map_or(0, |json| text(&json))
}

/// About how many tokens a text has: words of letters in pieces of five, every digit and sign one, signs in a row fewer,
/// a space before a word none, two letters of other scripts one, and every sign of those without spaces one.
#[must_use]
pub fn text(text: &str) -> u64 {
    let mut counter = Counter::default();
    text.chars().for_each(|sign| counter.take(sign));
    counter.end()
}

/// A run of signs of one kind.
#[derive(Clone, Copy, PartialEq)]
enum Run {
    Letters,
    OtherLetters,
    Same(char),
}

#[derive(Default)]
struct Counter {
    tokens: u64,
    run: Option<Run>,
    length: u64,
}

impl Counter {
    fn take(&mut self, sign: char) {
        let run = match sign {
            'a'..='z' | 'A'..='Z' => Some(Run::Letters),
            '0'..='9' => None,
            sign if sign.is_ascii() => Some(Run::Same(sign)),
            // Up to the scripts of East Asia, letters make words.
            sign if sign < '\u{2e80}' && sign.is_alphabetic() => Some(Run::OtherLetters),
            _ => None,
        };
        if run.is_none() || run != self.run {
            self.close();
            self.run = run;
        }
        match run {
            Some(_) => self.length += 1,
            None => self.tokens += if sign.len_utf8() > 3 { 2 } else { 1 },
        }
    }

    fn close(&mut self) {
        self.tokens += match self.run.take() {
            None => 0,
            Some(Run::Letters) => self.length.div_ceil(LETTERS),
            Some(Run::OtherLetters) => self.length.div_ceil(2),
            // A single space goes with the word behind it.
            Some(Run::Same(' ')) if self.length == 1 => 0,
            Some(Run::Same(_)) => self.length.div_ceil(SAME_SIGNS),
        };
        self.length = 0;
    }

    fn end(mut self) -> u64 {
        self.close();
        self.tokens
    }
}
