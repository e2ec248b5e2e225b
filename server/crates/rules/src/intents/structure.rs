//! How something is built: `analyze its structure`, `what does config.json look like?`, `summarize notes.txt`.

use super::Known;
use super::pieces::{is_path, is_pronoun};
use crate::clause::Clause;
use crate::goal::{About, Given, Goal, Question, Source};
use crate::lexer::{Kind, Token};

const LEADS: &[&str] = &[
    "analyze|analyse|describe|inspect|examine|explain|summarize|summarise|characterize|outline",
    "what does",
    "what is|'s the? structure|shape|schema|layout",
    "show|tell|give me? the? structure|shape|schema|layout|overview|summary|outline",
    "what|which keys|fields|sections|columns|properties|headings",
    "how is|are|does",
    "tell me about",
    "what is",
    "the? structure|shape|schema of",
    "give|make me? an? overview|summary|analysis|outline",
    "list|show me? the|all|its? keys|fields|sections|columns|properties|headings",
];

/// Words that belong to such a request.
const AROUND: &[&str] = &[
    "analyze",
    "analyse",
    "describe",
    "inspect",
    "examine",
    "explain",
    "summarize",
    "summarise",
    "characterize",
    "outline",
    "what",
    "does",
    "look",
    "looks",
    "like",
    "is",
    "are",
    "the",
    "structure",
    "structured",
    "shape",
    "schema",
    "layout",
    "organized",
    "organised",
    "show",
    "tell",
    "give",
    "me",
    "which",
    "keys",
    "fields",
    "sections",
    "columns",
    "properties",
    "headings",
    "how",
    "of",
    "its",
    "it",
    "that",
    "this",
    "file",
    "in",
    "at",
    "has",
    "have",
    "do",
    "we",
    "there",
    "make",
    "an",
    "a",
    "overview",
    "summary",
    "analysis",
    "list",
    "all",
    "them",
    "json",
    "data",
    "for",
    "contents",
    "content",
    "us",
    "built",
    "from",
    "my",
    "result",
    "output",
    "document",
    "top-level",
    "top",
    "level",
    "top",
    "these",
    "those",
    "first",
    "then",
    "detail",
    "you",
    "find",
    "about",
];

/// A request for how something is built.
pub(super) fn structure(clause: &Clause, known: &Known<'_>) -> Option<Vec<Goal>> {
    LEADS.iter().find_map(|lead| clause.starts(lead))?;
    let first = &clause.tokens[0];
    let verb = first.is(&[
        "analyze",
        "analyse",
        "describe",
        "inspect",
        "examine",
        "summarize",
        "summarise",
        "outline",
        "explain",
        "characterize",
    ]);
    let noun = clause.has(&[
        "structure",
        "structured",
        "shape",
        "schema",
        "layout",
        "keys",
        "fields",
        "sections",
        "columns",
        "properties",
        "headings",
        "overview",
        "summary",
        "outline",
        "analysis",
        "organized",
        "organised",
    ]);
    let about =
        clause.starts("tell me about").is_some() || clause.tokens.last().is_some_and(|last| last.is(&["about"]));
    let looks = clause.find("look|looks like").is_some() || about;
    if !(verb || noun || looks) {
        return None;
    }
    let others: Vec<&Token> =
        clause.tokens.iter().filter(|token| !token.is(AROUND) && token.kind != Kind::Mark).collect();
    let source = match others.as_slice() {
        [] if known.follows
            || clause.tokens.iter().any(|token| is_pronoun(std::slice::from_ref(token)))
            || noun
            || clause.has(&["file", "result", "output", "data", "json", "document"]) =>
        {
            Source::That
        }
        [one] if one.kind == Kind::Reference => Source::Variable(one.text[1..].to_owned()),
        [one] if is_path(one) => Source::File(Given::text(&one.text)),
        [one] if looks && one.kind == Kind::Word && !known.is_variable(&one.text) => Source::That,
        [one] if known.is_variable(&one.text) => Source::Variable(one.text.clone()),
        _ => return None,
    };
    Some(vec![Goal::Ask(Question { about: About::Structure, source, clause: clause.clone() })])
}
