//! Nothing is written that was not understood: the last look at a call that changes a file, whatever it was planned by.
//!
//! Every word of the request must have its part in the call. What is written is quoted, marked as code, behind a colon, or
//! a value; other words only make a new file, and only where they do not describe something. A file that is there is
//! replaced only if the request says so: [`understood`] tells `file_write`, which looks when it writes.

use std::ops::Range;

use serde_json::{Map, Value};

use super::clause::Clause;
use super::goal::{Act, Skill};
use super::lexer::{Kind, Token};
use super::roles::is_reference;
use super::show::cut_line;
use super::words::{PRONOUNS, RESULT_NOUNS};
use switchboard_context::literal;

/// Say that what is there is to be replaced.
const REPLACES: &str = "overwrite overwrites overwriting replace replaces replacing";

/// Say that something is not to be done.
const DENIES: &str = "not no never without don't dont doesn't instead unless avoid";

/// Have their part in a request to write, whatever is written.
const PARTS: &str = "\
    write save put create make store produce generate export dump output touch copy duplicate place add insert \
    file_write use using call tool please can could you me a an the my new empty blank text plain json file \
    document word words line string message content contents following whole entire old current to into in as at \
    under onto called named containing with by that which says say contains contain reads read has have should \
    must saying reading having and also then now only just exactly but do does if exist exists already last \
    previous your its";

/// Lead to words that are meant as they stand.
const LEADS: &str = "saying says say reading reads text word words line string message content contents";

/// Lead to words that are meant as they stand, or to what they describe.
const OPEN_LEADS: &str = "with containing contains contain has have having";

/// Words that speak of something instead of being it.
const DESCRIBING: &str = "\
    a an the its his her their my our your this that these those it them all every each any some both everything \
    anything something nothing what which whatever how whose of from about in between for by like into as and \
    current latest new same following previous last first next random today now import backup copy summary list \
    table report documentation docstring comment test function class script program code poem haiku story essay \
    joke song letter email readme license changelog date time number sum total average count result output answer \
    data content text sorted better funny nice information config";

/// Whether the token is one of these words, which are divided by spaces.
fn is_one(token: &Token, words: &str) -> bool {
    !token.is_literal() && words.split_ascii_whitespace().any(|word| word == token.lower)
}

/// Whether the request says all that this call of a tool that changes files does; tells `file_write` whether it may replace
/// a file.
///
/// # Errors
/// What to ask the user.
pub(super) fn understood(act: &Act, tool: &str, arguments: &mut Map<String, Value>) -> Result<(), String> {
    // The arguments were given as they are, or are those of a call that was made before.
    let given = act.exactly.is_some() && !act.planned;
    let writes = tool == "file_write" || (act.skill == Skill::Write && arguments.contains_key("content"));
    match tool {
        _ if writes => {
            let text = Written::of(&act.clause, arguments);
            if !given && !text.is_understood() {
                return Err(text.question());
            }
            let said = arguments.get("overwrite") == Some(&Value::Bool(true));
            let replaces = if given { said } else { text.replaces() };
            if tool == "file_write" {
                arguments.insert("overwrite".to_owned(), Value::Bool(replaces));
            }
            Ok(())
        }
        "file_edit" if !given && edits_what_is_described(&act.clause, arguments) => Err(
            "I cannot tell which text is to be replaced by which, so nothing is changed. Put both in quotation marks, for \
             example: Replace \"…\" with \"…\" in a file"
                .to_owned(),
        ),
        "apply_patch" if !given && !arguments.get("patch").is_some_and(|patch| is_marked(&act.clause, patch)) => {
            Err("Which change is to be made, and in which file? I have changed nothing. Put a patch between ``` and ```, or \
                 say, for example: Replace \"…\" with \"…\" in notes.txt"
                .to_owned())
        }
        _ => Ok(()),
    }
}

/// What a call writes, in the words of its request.
struct Written<'c> {
    clause: &'c Clause,
    path: &'c str,
    content: Content,
}

enum Content {
    /// Quoted, code, JSON, or behind a colon: the tokens that it stands in.
    Marked(Range<usize>),
    /// A variable or the last result.
    Value,
    /// Words as they stand.
    Words(Range<usize>),
    Empty,
    /// It does not stand in the request.
    Unknown,
}

impl<'c> Written<'c> {
    fn of(clause: &'c Clause, arguments: &'c Map<String, Value>) -> Self {
        let path = arguments.get("path").and_then(Value::as_str).unwrap_or_default();
        let content = arguments.get("content").map_or(Content::Unknown, |content| Content::of(clause, content));
        Self { clause, path, content }
    }

    /// The tokens around the content.
    fn around(&self) -> Vec<(usize, &'c Token)> {
        let inside = match &self.content {
            Content::Marked(place) | Content::Words(place) => place.clone(),
            Content::Value | Content::Empty | Content::Unknown => 0..0,
        };
        self.clause.tokens.iter().enumerate().filter(|(place, _)| !inside.contains(place)).collect()
    }

    fn replaces(&self) -> bool {
        let says = |words| self.around().into_iter().any(|(_, token)| is_one(token, words));
        says(REPLACES) && !says(DENIES) && matches!(self.content, Content::Marked(_) | Content::Value)
    }

    fn is_understood(&self) -> bool {
        let words = match &self.content {
            Content::Words(place) => {
                self.says_itself(place) && !self.around().iter().any(|(_, word)| is_one(word, REPLACES))
            }
            Content::Unknown => false,
            Content::Marked(_) | Content::Value | Content::Empty => true,
        };
        words && self.around().into_iter().all(|(place, token)| self.has_part(place, token))
    }

    /// Whether the words are led to as words, and do not describe something.
    fn says_itself(&self, place: &Range<usize>) -> bool {
        let led = |words| place.start.checked_sub(1).is_some_and(|before| is_one(&self.clause.tokens[before], words));
        let plural = |word: &str| word.len() > 3 && word.ends_with('s') && !word.ends_with("ss");
        let describes = |token: &Token| match token.kind {
            Kind::Word => is_one(token, DESCRIBING) || (!led(LEADS) && plural(&token.lower)),
            Kind::Number | Kind::Math | Kind::Operator | Kind::Mark => false,
            _ => true,
        };
        let plain = led(LEADS) || led(OPEN_LEADS) || self.clause.starts("write|put|place").is_some();
        plain && !self.clause.tokens[place.clone()].iter().any(describes)
    }

    fn has_part(&self, place: usize, token: &Token) -> bool {
        let copies = self.clause.has(&["copy", "duplicate"]) || self.clause.find("contents|content of").is_some();
        let of_that = |before: &Token| before.is(&["content", "contents", "text", "copy"]);
        match token.kind {
            Kind::Mark => true,
            _ if token.text == self.path => true,
            Kind::Reference => matches!(self.content, Content::Value),
            Kind::Path => copies && matches!(self.content, Content::Value),
            _ if token.is_literal() => copies && matches!(self.content, Content::Value),
            _ if token.is(&["of", "from"]) => place > 0 && of_that(&self.clause.tokens[place - 1]),
            _ => {
                token.is(PRONOUNS)
                    || token.is(RESULT_NOUNS)
                    || [PARTS, REPLACES, DENIES].iter().any(|words| is_one(token, words))
            }
        }
    }

    fn question(&self) -> String {
        // Of `create a.txt with the names from b.txt` the rules have taken the last file.
        let first = self.clause.first(Kind::Path).filter(|_| self.clause.starts("create|make").is_some());
        let path = first.map_or(self.path, |first| first.text.as_str());
        let again = match self.clause.tokens.iter().any(|token| is_one(token, REPLACES)) {
            true => format!("Overwrite {path} with \"…\""),
            false => format!("Write \"…\" to {path}"),
        };
        let unclear = self.around().into_iter().filter(|(place, token)| !self.has_part(*place, token));
        let unclear: Vec<String> = unclear.take(5).map(|(_, token)| format!("\"{}\"", cut_line(&token.text))).collect();
        match &self.content {
            Content::Marked(_) | Content::Value if !unclear.is_empty() => format!(
                "What do you mean by {} here? I do not know what it has to do with writing to `{path}`, so I have written \
                 nothing. Say just which text goes into which file, for example: {again}",
                unclear.join(", ")
            ),
            _ => format!(
                "What exactly is to be written to `{path}`? \"{}\" leaves that open for me, so I have written nothing. I am \
                 not a language model: put the text itself in quotation marks, for example: {again}",
                cut_line(&self.clause.text)
            ),
        }
    }
}

impl Content {
    fn of(clause: &Clause, content: &Value) -> Self {
        let text = match content {
            Value::String(text) if text.is_empty() => return Self::Empty,
            Value::String(text) if is_reference(text) => return Self::Value,
            Value::String(text) => text.as_str(),
            other => return of_json(clause, other),
        };
        let is = |part: &str| literal(part).trim_end_matches('!') == text.trim_end_matches('!');
        let count = clause.tokens.len();
        if let Some(place) = clause.tokens.iter().position(|token| token.is_literal() && is(&token.text)) {
            return Self::Marked(place..place + 1);
        }
        let colon = (1..count).find(|&place| clause.tokens[place - 1].is_mark(":"));
        if let Some(from) = colon.filter(|&from| is(clause.from(from))) {
            return Self::Marked(from..count);
        }
        let begins = |from: &usize| literal(clause.from(*from)).starts_with(text.trim_end_matches('!'));
        let ending = |from: usize| (from + 1..=count).find(|&to| is(clause.part(from, to)));
        let words = (0..count).rev().filter(begins).find_map(|from| Some(from..ending(from)?));
        words.map_or(Self::Unknown, Self::Words)
    }
}

fn of_json(clause: &Clause, content: &Value) -> Content {
    let is = |token: &Token| serde_json::from_str::<Value>(&token.text).is_ok_and(|value| value == *content);
    match clause.tokens.iter().position(is) {
        Some(place) => Content::Marked(place..place + 1),
        None => Content::Unknown,
    }
}

/// A reference, or quoted, or code.
fn is_marked(clause: &Clause, value: &Value) -> bool {
    let Some(text) = value.as_str() else { return false };
    is_reference(text) || clause.tokens.iter().any(|token| token.is_literal() && literal(&token.text) == *text)
}

/// `change the title to something better`: neither is a text that stands somewhere.
fn edits_what_is_described(clause: &Clause, arguments: &Map<String, Value>) -> bool {
    let (Some(find), Some(replace)) = (arguments.get("find"), arguments.get("replace")) else { return true };
    let words = |value: &Value| value.as_str().unwrap_or_default().split_whitespace().next().map(str::to_lowercase);
    let open = words(replace).is_some_and(|word| ["something", "anything", "whatever", "its"].contains(&word.as_str()));
    let first = words(find).unwrap_or_default();
    let places = (1..clause.tokens.len()).filter(|&place| clause.tokens[place].lower == first);
    let described =
        places.into_iter().any(|place| clause.tokens[place - 1].is(&["the", "its", "my", "our", "a", "an"]));
    (open && !is_marked(clause, replace)) || (described && !is_marked(clause, find))
}

#[cfg(test)]
#[path = "written_tests.rs"]
mod tests;
