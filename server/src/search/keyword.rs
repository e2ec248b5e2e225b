//! BM25 over the words of tools, and how sure a match is.
//!
//! The ranking is relative: it orders what was found. The confidence is absolute: it says how much of what was asked
//! for a tool speaks of, whatever the others do, so that a request that no tool fits finds nothing.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::query::{Kind, Query, Word};
use super::words::stems;

/// How fast more of the same word stops counting.
const K1: f64 = 1.2;

/// How much a long text is held against it.
const B: f64 = 0.75;

/// What is left of a request that matches nothing counts this much against a match …
const MISSED: f64 = 1.1;

/// … but never more than so many words: people say more than they ask for.
const MOST_MISSED: f64 = 2.0;

/// Confidence reckons as if there were so many tools more, each word in a few of them: in a small registry every word
/// is rare or common by chance.
const OTHER_TOOLS: f64 = 500.0;

/// In how many of those a word is.
const OTHER_USES: f64 = 5.0;

/// How sure a match is when the request names the tool.
const NAMED: f64 = 0.95;

/// Where in a tool a word stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Name,
    /// The first clause of the description: what the tool does.
    Summary,
    /// The rest of the description.
    Details,
    Module,
    Parameters,
}

impl Field {
    const ALL: [Self; 5] = [Self::Name, Self::Summary, Self::Details, Self::Module, Self::Parameters];

    /// How often a word there counts for the ranking.
    fn weight(self) -> f64 {
        match self {
            Self::Name => 1.5,
            Self::Summary | Self::Details | Self::Module | Self::Parameters => 1.0,
        }
    }

    /// How much a match there says if it stands alone.
    fn trust(self) -> f64 {
        match self {
            Self::Name => 1.0,
            Self::Summary => 0.8,
            Self::Details | Self::Module => 0.6,
            Self::Parameters => 0.5,
        }
    }

    fn bit(self) -> u8 {
        1 << self as u8
    }

    fn place(self) -> &'static str {
        match self {
            Self::Name => "the name",
            Self::Summary | Self::Details => "the description",
            Self::Module => "the module",
            Self::Parameters => "the parameters",
        }
    }
}

/// The texts of a tool, by field.
pub(super) type Texts = [(Field, String)];

/// A tool that was found.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Hit {
    pub(super) name: String,
    pub(super) score: f64,
    pub(super) confidence: f64,
    pub(super) reasons: Vec<String>,
}

/// The tools by their words.
#[derive(Debug, Default)]
pub(super) struct KeywordIndex {
    documents: Vec<Option<Document>>,
    by_name: HashMap<String, usize>,
    free: Vec<usize>,
    postings: HashMap<String, Vec<Posting>>,
    length: f64,
}

#[derive(Debug)]
struct Document {
    name: String,
    length: f64,
    stems: Vec<String>,
}

#[derive(Debug, Clone, Copy)]
struct Posting {
    document: usize,
    count: f64,
    fields: u8,
}

/// What a tool has gathered during a search.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    score: f64,
    matched: f64,
    trusted: f64,
    words: i32,
}

/// A word of the query that some tool has.
struct Known<'a> {
    word: &'a Word,
    idf: f64,
    worth: f64,
    postings: &'a [Posting],
}

impl KeywordIndex {
    pub(super) fn len(&self) -> usize {
        self.by_name.len()
    }

    pub(super) fn insert(&mut self, name: &str, texts: &Texts) {
        self.remove(name);
        let mut counts: HashMap<String, (f64, u8)> = HashMap::new();
        let mut length = 0.0;
        for (field, text) in texts {
            for stem in stems(text) {
                length += field.weight();
                let (count, fields) = counts.entry(stem).or_default();
                *count += field.weight();
                *fields |= field.bit();
            }
        }
        let document = self.free.pop().unwrap_or_else(|| {
            self.documents.push(None);
            self.documents.len() - 1
        });
        for (stem, (count, fields)) in &counts {
            self.postings.entry(stem.clone()).or_default().push(Posting { document, count: *count, fields: *fields });
        }
        let stems = counts.into_keys().collect();
        self.length += length;
        self.documents[document] = Some(Document { name: name.to_owned(), length, stems });
        self.by_name.insert(name.to_owned(), document);
    }

    pub(super) fn remove(&mut self, name: &str) -> bool {
        let Some(number) = self.by_name.remove(name) else { return false };
        let Some(document) = self.documents[number].take() else { return false };
        for stem in document.stems {
            if let Entry::Occupied(mut postings) = self.postings.entry(stem) {
                postings.get_mut().retain(|posting| posting.document != number);
                if postings.get().is_empty() {
                    postings.remove();
                }
            }
        }
        self.length -= document.length;
        self.free.push(number);
        true
    }

    /// The tools that have a word of the query, the best first; those of the same score by name.
    pub(super) fn search(&self, query: &str, limit: usize, threshold: f64) -> Vec<Hit> {
        let query = Query::from(query);
        let known = self.known(&query.words);
        let asked = query.words.iter().map(|word| word.kind.weight_if_missed() * self.worth_of(&word.stem)).sum();
        let mut hits: Vec<(usize, f64, f64)> = self
            .tally(&known)
            .iter()
            .enumerate()
            .filter(|(_, tally)| tally.score > 0.0)
            .map(|(document, tally)| (document, tally.score, self.confidence(tally, asked)))
            .collect();
        for name in &query.identifiers {
            self.raise(name, &mut hits);
        }
        hits.retain(|(.., confidence)| *confidence >= threshold);
        hits.sort_by(|left, right| right.1.total_cmp(&left.1).then_with(|| self.name(left.0).cmp(self.name(right.0))));
        hits.truncate(limit);
        level(&mut hits);
        hits.into_iter()
            .map(|(document, score, confidence)| Hit {
                name: self.name(document).to_owned(),
                score,
                confidence,
                reasons: reasons(&known, document),
            })
            .collect()
    }

    fn name(&self, document: usize) -> &str {
        self.documents[document].as_ref().map_or("", |document| &document.name)
    }

    /// A tool that the request names comes first.
    fn raise(&self, name: &str, hits: &mut [(usize, f64, f64)]) {
        let best = hits.iter().map(|(_, score, _)| *score).fold(0.0, f64::max);
        if let Some(hit) = hits.iter_mut().find(|hit| self.name(hit.0) == name) {
            hit.1 = best + 1.0;
            hit.2 = hit.2.max(NAMED);
        }
    }

    fn known<'a>(&'a self, words: &'a [Word]) -> Vec<Known<'a>> {
        words
            .iter()
            .filter_map(|word| {
                let postings = self.postings.get(&word.stem)?;
                Some(Known { word, idf: self.idf(postings.len()), worth: self.worth(postings.len()), postings })
            })
            .collect()
    }

    fn tally(&self, known: &[Known<'_>]) -> Vec<Tally> {
        let mut tallies = vec![Tally::default(); self.documents.len()];
        let average = self.length / as_f64(self.len().max(1));
        for Known { word, idf, worth, postings } in known {
            let weight = word.kind.weight();
            for posting in *postings {
                let length = self.documents[posting.document].as_ref().map_or(average, |document| document.length);
                let norm = K1 * (1.0 - B + B * length / average);
                let tally = &mut tallies[posting.document];
                tally.score += weight * idf * posting.count * (K1 + 1.0) / (posting.count + norm);
                tally.matched += word.kind.weight_if_missed() * worth;
                tally.trusted += word.kind.weight_if_missed() * worth * trust(posting.fields);
                tally.words += i32::from(word.kind == Kind::Asked);
            }
        }
        tallies
    }

    /// The share of what was asked for that matched. Words that match together vouch for each other: each halves the
    /// doubt that is left about where the others stand.
    fn confidence(&self, tally: &Tally, asked: f64) -> f64 {
        let missed = (asked - tally.matched).clamp(0.0, MOST_MISSED * self.worth(0));
        let doubt = (tally.matched - tally.trusted) * 0.5_f64.powi((tally.words - 1).max(0));
        let confidence = (tally.matched - doubt) / (tally.matched + MISSED * missed);
        if confidence.is_finite() { confidence.clamp(0.0, 1.0) } else { 0.0 }
    }

    /// What a word that this many tools have says, for the ranking.
    fn idf(&self, tools: usize) -> f64 {
        inverse_frequency(as_f64(self.len()), as_f64(tools))
    }

    /// What a word that this many tools have says, for the confidence.
    fn worth(&self, tools: usize) -> f64 {
        inverse_frequency(as_f64(self.len()) + OTHER_TOOLS, as_f64(tools) + OTHER_USES)
    }

    fn worth_of(&self, stem: &str) -> f64 {
        self.worth(self.postings.get(stem).map_or(0, Vec::len))
    }
}

/// What stands before is at least as sure as what stands behind it.
fn level(hits: &mut [(usize, f64, f64)]) {
    let mut surest: f64 = 0.0;
    for (.., confidence) in hits.iter_mut().rev() {
        surest = surest.max(*confidence);
        *confidence = surest;
    }
}

fn inverse_frequency(all: f64, with: f64) -> f64 {
    (1.0 + (all - with + 0.5) / (with + 0.5)).ln()
}

#[expect(clippy::cast_precision_loss, reason = "there are never so many tools")]
fn as_f64(number: usize) -> f64 {
    number as f64
}

fn trust(fields: u8) -> f64 {
    Field::ALL.into_iter().filter(|field| fields & field.bit() != 0).map(Field::trust).fold(0.0, f64::max)
}

fn reasons(known: &[Known<'_>], document: usize) -> Vec<String> {
    let mut reasons = Vec::new();
    for word in known {
        if let Some(posting) = word.postings.iter().find(|posting| posting.document == document) {
            let mut places: Vec<&str> =
                Field::ALL.into_iter().filter(|field| posting.fields & field.bit() != 0).map(Field::place).collect();
            places.dedup();
            reasons.push(format!("\"{}\" in {}", word.word.written, places.join(", ")));
        }
    }
    reasons
}

#[cfg(test)]
#[path = "keyword_tests.rs"]
mod tests;
