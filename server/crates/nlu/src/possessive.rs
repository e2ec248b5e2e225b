//! "its lines" and "notes.txt's lines" as "lines of it" and "lines of notes.txt", as sentences say it.

use std::ops::Range;

use crate::lexicon::{Lexicon, Weight};
use crate::scan::Scan;
use crate::text::{APOSTROPHE_S, join};

/// The text of these tokens with what is owned before its owner; nothing if there is no possessive among them.
pub(crate) fn turned(scan: &Scan, range: &Range<usize>, lexicon: &Lexicon) -> Option<String> {
    let (owner, owned) = range.clone().find_map(|at| owner(scan, range, at, lexicon))?;
    let end = (owned..range.end).find(|at| *at > owned && ends(scan, *at)).unwrap_or(range.end);
    if end == owned {
        return None;
    }
    let name = if lexicon.lists("owning", &scan.tokens[owner.start].lower) {
        // "which members have not paid their fee" says itself whose.
        if scan.tokens[range.start..owner.start].iter().any(|token| lexicon.lists("choosing", &token.lower)) {
            return None;
        }
        lexicon.means("references", &scan.tokens[owner.start].lower)?
    } else {
        scan.typed(owner.clone())
    };
    let parts = [scan.typed(range.start..owner.start), scan.typed(owned..end), "of", name, scan.typed(end..range.end)];
    Some(join(parts))
}

/// The owner that begins at this token, and where what it owns begins.
fn owner(scan: &Scan, range: &Range<usize>, at: usize, lexicon: &Lexicon) -> Option<(Range<usize>, usize)> {
    if lexicon.lists("owning", &scan.tokens[at].lower) {
        return Some((at..at + 1, at + 1));
    }
    let named = scan.found[at].iter().map(|found| at + found.length);
    let mut named = named.filter(|end| *end < range.end && scan.tokens[*end].lower == APOSTROPHE_S);
    named.next().map(|end| (at..end, end + 1))
}

/// Whether what is owned ends before this token.
fn ends(scan: &Scan, at: usize) -> bool {
    scan.weights[at] == Weight::Joining
}
