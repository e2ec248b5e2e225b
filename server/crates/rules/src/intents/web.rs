//! The web: `fetch https://…`, `summarise https://…`, `search the web for …`, `google …`.

use super::{Known, act};
use crate::clause::Clause;
use crate::goal::{Act, Goal, Role, Skill};
use crate::lexer::{Kind, Token};
use switchboard_context::literal;

/// What one does with a page.
const FETCHES: &str = "fetch|get|download|open|read|load|visit|browse|summarise|summarize|show|retrieve|what|what's|check|\
                       access|see|view|go|look|curl|wget|grab|scrape|display|tell|give|pull|let|title|explain|describe";

/// The pages that the clause wants, or an address alone.
pub(super) fn fetch(clause: &Clause, _: &Known<'_>) -> Option<Vec<Goal>> {
    let is_page = |token: &&Token| token.kind == Kind::Url && is_web(&token.lower, &token.text);
    let pages: Vec<&Token> = clause.tokens.iter().filter(is_page).collect();
    let alone = clause.tokens.len() == pages.len();
    if pages.is_empty() || !(alone || clause.starts(FETCHES).is_some()) {
        return None;
    }
    let goal = |page: &&Token| Goal::Act(Act::new(Skill::Fetch, clause).with_text(Role::Url, &page.text));
    Some(pages.iter().map(goal).collect())
}

fn is_web(lower: &str, text: &str) -> bool {
    [lower, text].iter().any(|text| text.starts_with("http://") || text.starts_with("https://"))
}

/// What the clause wants to have looked for on the web.
pub(super) fn search(clause: &Clause, _: &Known<'_>) -> Option<Vec<Goal>> {
    let before = clause
        .starts("do|make|run|perform a web|internet|online search")
        .or_else(|| clause.starts("search|browse|look|check|ask the? web|internet|net"))
        .or_else(|| clause.starts("search|look online|google"))
        .or_else(|| clause.starts("search|look on the? web|internet|net|google"))
        .or_else(|| clause.starts("search|ask google"))
        .or_else(|| clause.starts("web|internet|online search"))
        .or_else(|| clause.starts("google"));
    let (from, to) = match before {
        Some(from) => (from, clause.tokens.len()),
        None => (clause.starts("search|look|find|see")?, at_the_end(clause)?),
    };
    let from = clause.matches_at(from, "up|out").unwrap_or(from);
    let from = clause
        .matches_at(from, "for|about|on|what|to")
        .filter(|end| *end < to)
        .map_or(from, |end| if clause.tokens[from].is(&["what"]) { from } else { end });
    let wanted = match clause.tokens.get(from..to)? {
        [] => return act(Act::new(Skill::Search, clause)),
        [quoted] if quoted.is_literal() => quoted.text.as_str(),
        _ => clause.part(from, to),
    };
    act(Act::new(Skill::Search, clause).with_text(Role::Query, &literal(wanted)))
}

/// Where `online` or `on the web` begins, when the clause ends with it.
fn at_the_end(clause: &Clause) -> Option<usize> {
    let ways =
        ["online", "on|in the? web|internet|net", "on|with|in google", "using|via|with the? web|internet|google"];
    let ends = |place: &usize| ways.iter().any(|way| clause.matches_at(*place, way) == Some(clause.tokens.len()));
    (1..clause.tokens.len()).find(ends)
}
