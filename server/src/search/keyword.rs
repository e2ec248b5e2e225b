//! BM25 over the words of tools, and how much of what was asked for they speak of.
//!
//! The score is relative: it orders what was found. The coverage is absolute: it says how much of what was asked
//! for a tool speaks of, whatever the others do, so that a request that no tool fits finds nothing.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::query::{Kind, Query, Word};
use super::words::stems;

/// How fast more of the same word stops counting.
const K1: f64 = 0.8;

/// How much a long text is held against it.
const B: f64 = 0.8;

/// What is left of a request that matches nothing counts this much against a match …
const MISSED: f64 = 1.1;

/// … but never more than so many words: people say more than they ask for.
const MOST_MISSED: f64 = 2.0;

/// Confidence reckons as if there were so many tools more, each word in a few of them: in a small registry every word
/// is rare or common by chance.
const OTHER_TOOLS: f64 = 500.0;

/// In how many of those a word is.
const OTHER_USES: f64 = 5.0;

/// Where in a tool a word stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Name,
    /// The first clause of the description: what the tool does.
    Summary,
    /// The rest of the description.
    Details,
    Module,
    /// The names of the parameters.
    Parameters,
    /// What is said of the parameters.
    Notes,
}

impl Field {
    const ALL: [Self; 6] = [Self::Name, Self::Summary, Self::Details, Self::Module, Self::Parameters, Self::Notes];

    /// How often a word there counts for the ranking.
    fn weight(self) -> f32 {
        match self {
            Self::Name => 1.5,
            Self::Summary | Self::Details | Self::Module | Self::Parameters => 1.0,
            Self::Notes => 0.5,
        }
    }

    /// How much a match there says if it stands alone.
    fn trust(self) -> f64 {
        match self {
            Self::Name => 1.0,
            Self::Summary => 0.8,
            Self::Details | Self::Module => 0.6,
            Self::Parameters | Self::Notes => 0.5,
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
            Self::Parameters | Self::Notes => "the parameters",
        }
    }
}

/// Where a description is.
const DESCRIPTION: u8 = 1 << Field::Summary as u8 | 1 << Field::Details as u8;

/// The texts of a tool, by field.
pub(super) type Texts = [(Field, String)];

/// How well a tool's words match a query.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Match {
    /// BM25: 0 without a common word, comparable within a search.
    pub(super) score: f64,
    /// The share of the query that the description speaks of, from 0 to 1, comparable between searches.
    pub(super) described: f64,
    /// How much of what was asked for it speaks of, from 0 to 1, comparable between searches.
    pub(super) coverage: f64,
}

/// The tools by their words.
#[derive(Debug, Default)]
pub(super) struct KeywordIndex {
    documents: Vec<Option<Document>>,
    /// How long each document is, beside the rest of it: a search reads nothing else.
    lengths: Vec<f64>,
    by_name: HashMap<String, usize>,
    free: Vec<usize>,
    postings: HashMap<String, Vec<Posting>>,
    length: f64,
}

#[derive(Debug)]
struct Document {
    name: String,
    stems: Vec<String>,
}

/// Small, for a search runs through all those of its words.
#[derive(Debug, Clone, Copy)]
struct Posting {
    document: usize,
    count: f32,
    fields: u8,
}

/// What a tool has gathered during a search.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    score: f64,
    described: f64,
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

    /// Takes a tool in and tells its slot; one of the same name is replaced.
    pub(super) fn insert(&mut self, name: &str, texts: &Texts) -> usize {
        self.remove(name);
        let mut counts: HashMap<String, (f32, u8)> = HashMap::new();
        let mut length = 0.0;
        for (field, text) in texts {
            for stem in stems(text) {
                length += f64::from(field.weight());
                let (count, fields) = counts.entry(stem).or_default();
                *count += field.weight();
                *fields |= field.bit();
            }
        }
        let document = self.free.pop().unwrap_or_else(|| {
            self.documents.push(None);
            self.lengths.push(0.0);
            self.documents.len() - 1
        });
        for (stem, (count, fields)) in &counts {
            self.postings.entry(stem.clone()).or_default().push(Posting { document, count: *count, fields: *fields });
        }
        let stems = counts.into_keys().collect();
        self.length += length;
        self.lengths[document] = length;
        self.documents[document] = Some(Document { name: name.to_owned(), stems });
        self.by_name.insert(name.to_owned(), document);
        document
    }

    /// Takes a tool out; the slot that is free now.
    pub(super) fn remove(&mut self, name: &str) -> Option<usize> {
        let number = self.by_name.remove(name)?;
        let document = self.documents[number].take()?;
        for stem in document.stems {
            if let Entry::Occupied(mut postings) = self.postings.entry(stem) {
                postings.get_mut().retain(|posting| posting.document != number);
                if postings.get().is_empty() {
                    postings.remove();
                }
            }
        }
        self.length -= self.lengths[number];
        self.free.push(number);
        Some(number)
    }

    /// How well each slot's tool matches the query.
    pub(super) fn matches(&self, query: &Query) -> Vec<Match> {
        let known = self.known(&query.words);
        let asked = query.words.iter().map(|word| word.kind.weight_if_missed() * self.worth_of(&word.stem)).sum();
        let weighed = |word: &Word| word.kind.weight() * self.idf(self.postings.get(&word.stem).map_or(0, Vec::len));
        let total: f64 = query.words.iter().map(weighed).sum();
        let judge = |tally: &Tally| match tally.score > 0.0 {
            true => Match {
                score: tally.score,
                described: tally.described / total,
                coverage: coverage(tally, asked, self.worth(0)),
            },
            false => Match::default(),
        };
        self.tally(&known).iter().map(judge).collect()
    }

    /// Which words of the query the slot's tool has, and where: the name before the description before the rest.
    pub(super) fn reasons(&self, query: &Query, document: usize) -> Vec<String> {
        reasons(&self.known(&query.words), document)
    }

    /// The name of the tool in a slot.
    pub(super) fn name(&self, slot: usize) -> &str {
        self.documents[slot].as_ref().map_or("", |document| &document.name)
    }

    /// The slot of a tool.
    pub(super) fn slot(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
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
                let norm = K1 * (1.0 - B + B * self.lengths[posting.document] / average);
                let count = f64::from(posting.count);
                let tally = &mut tallies[posting.document];
                tally.score += weight * idf * count * (K1 + 1.0) / (count + norm);
                if posting.fields & DESCRIPTION != 0 {
                    tally.described += weight * idf;
                }
                tally.matched += word.kind.weight_if_missed() * worth;
                tally.trusted += word.kind.weight_if_missed() * worth * trust(posting.fields);
                tally.words += i32::from(word.kind == Kind::Asked);
            }
        }
        tallies
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

/// The share of what was asked for that matched. Words that match together vouch for each other: each halves the doubt
/// that is left about where the others stand. `unknown` is what a word says that no tool has.
fn coverage(tally: &Tally, asked: f64, unknown: f64) -> f64 {
    let missed = (asked - tally.matched).clamp(0.0, MOST_MISSED * unknown);
    let doubt = (tally.matched - tally.trusted) * 0.5_f64.powi((tally.words - 1).max(0));
    let coverage = (tally.matched - doubt) / (tally.matched + MISSED * missed);
    if coverage.is_finite() { coverage.clamp(0.0, 1.0) } else { 0.0 }
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
            // The place that says most is enough: people read this.
            let place = Field::ALL.into_iter().find(|field| posting.fields & field.bit() != 0).map(Field::place);
            reasons.push(format!("\"{}\" in {}", word.word.written, place.unwrap_or("the tool")));
        }
    }
    reasons
}

#[cfg(test)]
#[path = "keyword_tests.rs"]
mod tests;
