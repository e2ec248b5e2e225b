//! Questions for a value under a key: `tell me the port number`, `which port does it use?`, `what's my name?`.

use super::Known;
use super::pieces::is_path;
use crate::clause::Clause;
use crate::goal::{About, Given, Goal, Question, Source};
use crate::lexer::{Kind, Token};
use crate::words::{ACTIONS, PRONOUNS, QUESTIONS, STOP};

const LEADS: &str = "what|which|who|where|when|tell|give|show|get|return|print|report|extract|find|do|does|is|are|can|display|look|how|name|say|pick|read|fetch|retrieve|my|whose|output";

/// Words of a question that are not part of the key.
const AROUND: &[&str] = &[
    "called",
    "run",
    "runs",
    "running",
    "listen",
    "listens",
    "listening",
    "exactly",
    "says",
    "say",
    "value",
    "under",
    "file",
    "files",
    "pick",
    "retrieve",
    "fetch",
    "go",
    "goes",
    "live",
    "lives",
    "want",
    "need",
    "if",
    "whether",
    "name's",
    "result",
    "output",
    "too",
    "configured",
    "using",
    "has",
    "per",
];

/// A question for one value.
pub(super) fn lookup(clause: &Clause, known: &Known<'_>) -> Option<Vec<Goal>> {
    if clause.starts("who am i").is_some() && clause.tokens.len() == 3 {
        let about = About::Field(vec!["name".to_owned()]);
        return Some(vec![Goal::Ask(Question { about, source: Source::Context, clause: clause.clone() })]);
    }
    let told = clause.starts("my").is_some() && !clause.asks();
    if told || (clause.starts(LEADS).is_none() && !is_fragment(clause)) {
        return None;
    }
    let source = source(clause, known);
    // Of `db.port in config.json` the first is a key, though it looks like a file.
    let file = clause.tokens.iter().rposition(is_path);
    let of_file = |place: usize| clause.tokens.get(place + 1).is_some_and(|next| next.is(&["in", "of", "from"]));
    let dotted = |place: usize, token: &Token| {
        is_path(token) && file != Some(place) && of_file(place) && !token.text.contains('/')
    };
    if clause
        .tokens
        .iter()
        .enumerate()
        .any(|(place, token)| is_path(token) && file != Some(place) && !dotted(place, token))
    {
        return None;
    }
    let words = clause.tokens.iter().enumerate().filter(|(place, token)| is_key(token, known) || dotted(*place, token));
    let keys: Vec<String> = words.flat_map(|(_, token)| token.lower.split('.')).map(str::to_owned).collect();
    if keys.is_empty() || keys.len() > 5 {
        return None;
    }
    let about = About::Field(keys);
    Some(vec![Goal::Ask(Question { about, source, clause: clause.clone() })])
}

/// `the port in config.json`, `config.json port`: no verb, but a file and a word or two.
fn is_fragment(clause: &Clause) -> bool {
    let first = clause.tokens.first().is_some_and(|token| !token.is(ACTIONS) && !token.is(QUESTIONS));
    let words = clause.tokens.iter().filter(|token| token.kind == Kind::Word).count();
    // `raed notes.txt` is rather a slip.
    let bound = clause.has(&["in", "of", "from", "for"]) || clause.tokens.first().is_some_and(is_path);
    first && bound && clause.tokens.iter().any(is_path) && (1..=5).contains(&words) && clause.tokens.len() <= 6
}

fn is_key(token: &Token, known: &Known<'_>) -> bool {
    let word =
        token.kind == Kind::Word || token.kind == Kind::Quoted || (token.kind == Kind::Code && token.text.len() < 64);
    let variable_place = known.is_variable(&token.text) && known.variables > 1 && token.text.contains('_');
    word && !is_path(token) && !token.is(STOP) && !token.is(AROUND) && !variable_place
}

/// Where to look: a file or variable that is named, the last result, or wherever there is something.
fn source(clause: &Clause, known: &Known<'_>) -> Source {
    if let Some(token) = clause.tokens.iter().find(|token| token.kind == Kind::Reference) {
        return Source::Variable(token.text[1..].to_owned());
    }
    if let Some(token) = clause.tokens.iter().rfind(|token| is_path(token)) {
        return Source::File(Given::text(&token.text));
    }
    let last_is_variable =
        clause.tokens.iter().rev().take(1).find(|token| known.is_variable(&token.text) && token.text.contains('_'));
    if let Some(token) = last_is_variable {
        return Source::Variable(token.text.clone());
    }
    let mine = clause.has(&["my", "i", "our", "me"]) && clause.starts("tell|give|show").is_none();
    let points =
        clause.tokens.iter().any(|token| token.is(PRONOUNS) || token.is(&["its", "there", "file", "result", "output"]));
    if !mine && (known.follows || points) { Source::That } else { Source::Context }
}
