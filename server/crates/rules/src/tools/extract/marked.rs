//! What a request marks as text to be sent or kept: behind a colon, behind "saying", behind "with the subject". Such words
//! count as if they were quoted, so that nothing of them is read as a request.

use std::ops::Range;

use switchboard_nlu::Engine;

use crate::tools::heed::Heed;
use crate::tools::lexer::{Kind, Token};

/// How many words a mark has at most.
const MAX_MARK: usize = 4;

/// A request's tokens with what is marked as one piece each, and which of them only mark.
pub(super) fn marked(tokens: &[Token], text: &str) -> (Vec<Token>, Vec<bool>) {
    let marks = marks(tokens);
    let mut kept: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut framing: Vec<bool> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    for (number, mark) in marks.iter().enumerate() {
        kept.extend_from_slice(&tokens[at..mark.end]);
        framing.resize(at.max(framing.len()) + mark.start.saturating_sub(at), false);
        framing.resize(kept.len(), true);
        at = mark.end;
        let next = marks.get(number + 1).map_or(tokens.len(), |next| next.start);
        let end = end_of(tokens, mark.end, next);
        if tokens[mark.end..end].iter().all(|token| token.is_literal() || token.kind == Kind::Reference) {
            continue;
        }
        let (from, to) = (tokens[mark.end].start, tokens[end - 1].end);
        let quoted = text.get(from..to).unwrap_or_default();
        let token = Token { start: from, end: to, ..Token::new(Kind::Quoted, quoted, from, to) };
        kept.push(token);
        framing.push(false);
        at = end;
    }
    kept.extend_from_slice(&tokens[at..]);
    framing.resize(kept.len(), false);
    (kept, framing)
}

/// Where marks stand, in order and apart from each other, each with something behind it.
fn marks(tokens: &[Token]) -> Vec<Range<usize>> {
    let mut marks: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let Some(mark) = mark_at(tokens, at, marks.last().map_or(0, |last| last.end)) else {
            at += 1;
            continue;
        };
        let more = tokens[mark.end..].iter().take_while(|token| token.is_mark(":,\n")).count();
        let end = mark.end + more;
        if end >= tokens.len() {
            break;
        }
        // What is quoted or pointed to ends by itself; behind it another mark may follow.
        at = end + usize::from(tokens[end].is_literal() || tokens[end].kind == Kind::Reference);
        at = at.max(mark.end);
        marks.push(mark.start..end);
    }
    marks
}

/// The mark that begins here: a colon with the word before it, words such as "saying", or "with the" and what it labels.
fn mark_at(tokens: &[Token], at: usize, from: usize) -> Option<Range<usize>> {
    if tokens[at].is_literal() {
        return None;
    }
    if tokens[at].is_mark(":") {
        let label = at > from && tokens[at - 1].kind == Kind::Word;
        return Some(at - usize::from(label)..at + 1);
    }
    let words = |length: usize| {
        let words = tokens.get(at..at + length)?;
        let plain = words.iter().all(|token| token.kind == Kind::Word);
        plain.then(|| words.iter().map(|token| token.lower.as_str()).collect::<Vec<_>>().join(" "))
    };
    let leads = |length: &usize| {
        words(*length)
            .is_some_and(|words| Engine::shipped().lists("content_leads", &words) || Heed::get().leads(&words))
    };
    (1..=MAX_MARK).rev().find(leads).map(|length| at..at + length)
}

/// Where what is marked ends: before the next mark, without the address or the marks at its end.
fn end_of(tokens: &[Token], from: usize, next: usize) -> usize {
    if tokens[from].is_literal() || tokens[from].kind == Kind::Reference {
        return from + 1;
    }
    let mut end = next;
    let target = |token: &Token| matches!(token.kind, Kind::Email | Kind::Url | Kind::Reference);
    let trim = |end: &mut usize| {
        while *end > from + 1 && (tokens[*end - 1].kind == Kind::Mark || tokens[*end - 1].is(&["and"])) {
            *end -= 1;
        }
    };
    trim(&mut end);
    if end > from + 2 && target(&tokens[end - 1]) && tokens[end - 2].is(&["to", "at", "from", "for"]) {
        end -= 2;
        trim(&mut end);
    }
    end
}
