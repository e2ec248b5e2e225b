//! What words may name: files, numbers, dates, programs. Several things may begin at one word.

mod anaphora;
mod arithmetic;
mod context;
mod lines;
mod names;
mod numbers;
mod paths;
mod times;
mod typed;

pub(crate) use context::{Context, Found};

use crate::runs::Runs;
use crate::slots::Given;
use crate::text::{Kind, Token};

/// What begins at each token.
pub(crate) fn find(context: &Context) -> Vec<Vec<Found>> {
    (0..context.tokens.len()).map(|at| at_token(context, at)).collect()
}

fn at_token(context: &Context, at: usize) -> Vec<Found> {
    /// The most that may begin at one token.
    const MOST: usize = 24;
    let mut found = Vec::new();
    match context.tokens[at].kind {
        Kind::Mark => arithmetic::find(context, at, &mut found),
        Kind::Quoted | Kind::Code => typed::find(context, at, &mut found),
        Kind::Word => {
            paths::find(context, at, &mut found);
            numbers::find(context, at, &mut found);
            lines::find(context, at, &mut found);
            times::find(context, at, &mut found);
            arithmetic::find(context, at, &mut found);
            names::find(context, at, &mut found);
            anaphora::find(context, at, &mut found);
        }
    }
    found.truncate(MOST);
    found
}

/// For each token, where text to be written begins if it is taken from there: after a colon, or after words such as
/// "saying". Such words may be part of what is taken or stand before it.
pub(crate) fn content_starts(tokens: &[Token], runs: &Runs) -> Vec<Option<(usize, Given)>> {
    let mut starts = vec![None; tokens.len()];
    for at in 0..tokens.len() {
        let colon = tokens[at].kind == Kind::Mark && tokens[at].text == ":";
        let lead = || runs.listed("content_leads", at, 4);
        let (length, how) = if colon { (Some(1), Given::Colon) } else { (lead(), Given::Lead) };
        let Some(mut begin) = length.map(|length| at + length) else { continue };
        let mut how = how;
        while tokens
            .get(begin)
            .is_some_and(|token| token.kind == Kind::Mark && matches!(token.text.as_str(), ":" | "\n" | ","))
        {
            how = Given::Colon;
            begin += 1;
        }
        if begin < tokens.len() {
            starts[at] = Some((begin, how));
            starts[begin] = starts[begin].or(Some((begin, how)));
        }
    }
    starts
}
