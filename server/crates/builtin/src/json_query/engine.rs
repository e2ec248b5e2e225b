//! The jq language, by jaq. Bounded in what it gives; in time and memory only by the process it runs in.

use jaq_core::load::{Arena, File, Loader};
use jaq_core::{Compiler, Ctx, RcIter, load};
use jaq_json::Val;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use switchboard_events::MAX_VALUE_BYTES;

/// How many results are given.
const MAX_RESULTS: usize = 10_000;

/// What is asked.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct QueryJob {
    pub(super) data: Value,
    pub(super) query: String,
}

/// What comes of it.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum QueryResult {
    /// The results; `more` if there were more than can be given.
    Results { values: Vec<Value>, more: bool },
    /// The query is none.
    BadQuery(String),
    /// It failed on this data.
    Failed(String),
    /// The results are too large.
    TooLarge,
}

/// Answers; a filter without an end is ended by whoever runs this.
pub(super) fn answer(question: QueryJob) -> QueryResult {
    let arena = Arena::default();
    let loader = Loader::new(jaq_std::defs().chain(jaq_json::defs()));
    let modules = match loader.load(&arena, File { code: question.query.as_str(), path: () }) {
        Ok(modules) => modules,
        Err(errors) => return QueryResult::BadQuery(load_errors(errors)),
    };
    let compiler = Compiler::default().with_funs(jaq_std::funs().chain(jaq_json::funs()));
    let filter = match compiler.compile(modules) {
        Ok(filter) => filter,
        Err(errors) => {
            let undefined = errors.into_iter().flat_map(|(_, errors)| errors);
            let texts: Vec<String> =
                undefined.map(|(name, kind)| format!("there is no {} {name}", kind.as_str())).collect();
            return QueryResult::BadQuery(texts.join(", "));
        }
    };
    let inputs = RcIter::new(core::iter::empty());
    let results = filter.run((Ctx::new([], &inputs), Val::from(question.data)));
    gather(results.map(|result| result.map_err(|error| error.to_string())))
}

fn gather(results: impl Iterator<Item = Result<Val, String>>) -> QueryResult {
    let mut values = Vec::new();
    let mut bytes = 0;
    for result in results {
        if values.len() == MAX_RESULTS {
            return QueryResult::Results { values, more: true };
        }
        match result {
            Ok(result) => {
                let text = result.to_string();
                bytes += text.len();
                if bytes > MAX_VALUE_BYTES {
                    return QueryResult::TooLarge;
                }
                values.push(Value::from(result));
            }
            Err(error) => return QueryResult::Failed(error),
        }
    }
    QueryResult::Results { values, more: false }
}

fn load_errors(errors: load::Errors<&str, ()>) -> String {
    let texts = errors.into_iter().flat_map(|(file, error)| match error {
        load::Error::Io(errors) => errors.into_iter().map(|(_, error)| error).collect::<Vec<_>>(),
        load::Error::Lex(errors) => {
            errors.into_iter().map(|(expected, found)| expected_at(expected.as_str(), found, file.code)).collect()
        }
        load::Error::Parse(errors) => {
            errors.into_iter().map(|(expected, found)| expected_at(expected.as_str(), found, file.code)).collect()
        }
    });
    texts.collect::<Vec<_>>().join(", ")
}

fn expected_at(expected: &str, found: &str, code: &str) -> String {
    let at = found.as_ptr().addr().wrapping_sub(code.as_ptr().addr());
    match found.chars().next() {
        Some(_) if at < code.len() => {
            let rest: String = found.chars().take(20).collect();
            format!("expected {expected} at character {}, but found {rest:?}", code[..at].chars().count() + 1)
        }
        _ => format!("expected {expected} at its end"),
    }
}
