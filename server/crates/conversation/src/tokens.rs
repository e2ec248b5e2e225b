//! About how many tokens a text has. No vocabulary is loaded: it would cost more memory than the whole server, and each
//! model has another one. The count is made to be too high rather than too low, so that a request fits; over
//! `token_samples.jsonl` it is 0.8 to 2 times what o200k counts.

use switchboard_events::{ChatMessage, Picture};

/// What a message costs beside its texts: its role, and the marks around it.
const MESSAGE: u64 = 4;
/// What a call costs beside its name and arguments: its id, and the marks around it.
const CALL: u64 = 8;

/// What a picture costs at least, how many of its pixels are one token more, and what it costs at most.
const PICTURE: u64 = 85;
const PIXELS: u64 = 600;
const LARGEST_PICTURE: u64 = 2560;

/// Equal signs in a row, such as a line of dashes or an indentation, that are one token.
const SAME_SIGNS: u64 = 4;
/// A letter with an accent weighs as much as this many without.
const ACCENTED: u64 = 4;
/// From this length on, a stretch of letters, digits and signs without a space may be encoded data.
const ENCODED: u64 = 24;

/// The message's tokens; what it calls, and with what, counts too.
pub(super) fn estimate(message: &ChatMessage) -> u64 {
    let calls: u64 = message.tool_calls.iter().map(|call| CALL + text(&call.name) + arguments(call)).sum();
    MESSAGE + text(message.content.text()) + message.content.pictures().map(picture).sum::<u64>() + calls
}

/// About how many tokens a picture has. Providers shrink large ones, each in another way, and count by the pixels that are
/// left: most of them 750 to 850 pixels a token, newer models of OpenAI 630.
#[must_use]
pub fn picture(picture: &Picture) -> u64 {
    let pixels = u64::from(picture.width) * u64::from(picture.height);
    (PICTURE + pixels / PIXELS).min(LARGEST_PICTURE)
}

fn arguments(call: &switchboard_events::ToolCall) -> u64 {
    serde_json::to_string(&call.arguments).map_or(0, |json| text(&json))
}

/// About how many tokens a text has: words in pieces of five letters, a new one at each change of case; two digits one;
/// signs in a row fewer; a space before a word none; letters of other scripts by the script; and three quarters of a
/// token a sign where letters and digits change as in base64.
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
    Digits,
    /// Letters of a script that has an alphabet, so many a token.
    Alphabet(u64),
    Same(char),
}

#[derive(Default)]
struct Counter {
    tokens: u64,
    run: Option<Run>,
    length: u64,
    last_is_upper: bool,
    stretch: Stretch,
}

/// Signs without a space, as encoded data has them.
#[derive(Default)]
struct Stretch {
    /// The tokens before it.
    before: u64,
    length: u64,
    /// How often a run ended within it.
    changes: u64,
}

/// What a sign is a part of; else the tokens that it is by itself.
fn run_of(sign: char) -> Result<Run, u64> {
    match sign {
        'a'..='z' | 'A'..='Z' => Ok(Run::Letters),
        '0'..='9' => Ok(Run::Digits),
        sign if sign.is_ascii() => Ok(Run::Same(sign)),
        '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' if sign.is_alphabetic() => Ok(Run::Letters),
        '\u{400}'..='\u{52f}' => Ok(Run::Alphabet(3)),
        // Ethiopic and Cherokee, and what mathematicians write, are not in the vocabularies.
        '\u{1200}'..='\u{13ff}' | '\u{2070}'..='\u{209f}' | '\u{2190}'..='\u{22ff}' | '\u{27c0}'..='\u{27ff}' => Err(2),
        '\u{300}'..='\u{1fff}' => Ok(Run::Alphabet(2)),
        // The signs of East Asia have no spaces between words.
        sign => Err(if sign.len_utf8() > 3 { 2 } else { 1 }),
    }
}

impl Counter {
    fn take(&mut self, sign: char) {
        let may_be_encoded = sign.is_ascii_alphanumeric() || "+/=_-".contains(sign);
        if !may_be_encoded {
            self.end_stretch();
        }
        let run = run_of(sign);
        // `getElementById` is four words, and `HTTPServer` two.
        let is_upper = sign.is_uppercase();
        let is_hump = run == Ok(Run::Letters)
            && if is_upper { !self.last_is_upper } else { self.last_is_upper && self.length > 1 };
        let changes = run.ok() != self.run || is_hump;
        if changes {
            self.close(run == Ok(Run::Digits));
        }
        if may_be_encoded {
            self.stretch.take(self.tokens, changes);
        }
        self.last_is_upper = is_upper;
        self.run = run.ok();
        match run {
            Ok(Run::Letters) if !sign.is_ascii() => self.length += ACCENTED,
            Ok(_) => self.length += 1,
            Err(tokens) => self.tokens += tokens,
        }
    }

    fn close(&mut self, before_a_digit: bool) {
        self.tokens += match self.run.take() {
            None => 0,
            Some(Run::Letters) => self.length.div_ceil(5),
            Some(Run::Digits) => self.length.div_ceil(2),
            Some(Run::Alphabet(letters)) => self.length.div_ceil(letters),
            // A single space goes with the word behind it.
            Some(Run::Same(' ')) if self.length == 1 && !before_a_digit => 0,
            Some(Run::Same(_)) => self.length.div_ceil(SAME_SIGNS),
        };
        self.length = 0;
    }

    fn end_stretch(&mut self) {
        let Stretch { before, length, changes } = std::mem::take(&mut self.stretch);
        if length >= ENCODED && changes * 3 >= length {
            self.close(false);
            self.tokens = self.tokens.max(before + (length * 3).div_ceil(4));
        }
    }

    fn end(mut self) -> u64 {
        self.end_stretch();
        self.close(false);
        self.tokens
    }
}

impl Stretch {
    fn take(&mut self, before: u64, changes: bool) {
        if self.length == 0 {
            self.before = before;
        } else if changes {
            self.changes += 1;
        }
        self.length += 1;
    }
}
