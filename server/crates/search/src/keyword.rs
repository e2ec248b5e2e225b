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

/// How much the length of a text counts against it.
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

    /// How often a word there counts for the ranking, in halves.
    fn halves(self) -> u16 {
        match self {
            Self::Name => 3,
            Self::Summary | Self::Details | Self::Module | Self::Parameters => 2,
            Self::Notes => 1,
        }
    }

    /// How much a match there says if it stands alone.
    const fn trust(self) -> f32 {
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

/// How much a match says if it stands alone, by the fields that the word is in: the best of them.
static TRUST: [f32; 64] = {
    let mut trust = [0.0_f32; 64];
    let mut fields = 0;
    while fields < trust.len() {
        let mut place = 0;
        while place < Field::ALL.len() {
            let field = Field::ALL[place];
            if fields & (1 << field as usize) != 0 {
                trust[fields] = trust[fields].max(field.trust());
            }
            place += 1;
        }
        fields += 1;
    }
    trust
};

/// Where a description is.
const DESCRIPTION: u8 = 1 << Field::Summary as u8 | 1 << Field::Details as u8;

/// The texts of a tool, by field.
pub(super) type Texts = [(Field, String)];

/// The tools by their words.
#[derive(Debug, Default)]
pub(super) struct KeywordIndex {
    documents: Vec<Option<Document>>,
    /// How long each document is, in halves of a word, beside the rest of it: a search reads nothing else.
    lengths: Vec<f32>,
    by_name: HashMap<String, usize>,
    free: Vec<usize>,
    /// In the order of their documents.
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
    document: u32,
    halves: u16,
    fields: u8,
}

/// What a tool has gathered during a search; small, for there is one for each tool.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tally {
    /// BM25: 0 without a common word.
    pub(super) score: f32,
    /// What those words weigh that its description has.
    pub(super) described: f32,
    matched: f32,
    trusted: f32,
    words: u32,
}

/// The words of a query as the index knows them.
pub(super) struct QueryWords<'a> {
    words: Vec<Known<'a>>,
    /// What all of them weigh.
    pub(super) weight: f32,
    /// What all of them say, for the confidence.
    worth: f32,
    /// What a word says that no tool has.
    unknown: f32,
}

struct Known<'a> {
    word: &'a Word,
    weight: f32,
    worth: f32,
    postings: &'a [Posting],
}

impl KeywordIndex {
    pub(super) fn len(&self) -> usize {
        self.by_name.len()
    }

    /// Takes a tool in and tells its slot; one of the same name is replaced.
    pub(super) fn insert(&mut self, name: &str, texts: &Texts) -> usize {
        self.remove(name);
        let mut counts: HashMap<String, (u16, u8)> = HashMap::new();
        let mut length = 0.0;
        for (field, text) in texts {
            for stem in stems(text) {
                length += f32::from(field.halves());
                let (halves, fields) = counts.entry(stem).or_default();
                *halves = halves.saturating_add(field.halves());
                *fields |= field.bit();
            }
        }
        let number = self.free.pop().unwrap_or_else(|| {
            self.documents.push(None);
            self.lengths.push(0.0);
            self.documents.len() - 1
        });
        let document = numbered(number);
        for (stem, (halves, fields)) in &counts {
            let postings = self.postings.entry(stem.clone()).or_default();
            let place = postings.partition_point(|before| before.document < document);
            postings.insert(place, Posting { document, halves: *halves, fields: *fields });
        }
        let stems = counts.into_keys().collect();
        self.length += f64::from(length);
        self.lengths[number] = length;
        self.documents[number] = Some(Document { name: name.to_owned(), stems });
        self.by_name.insert(name.to_owned(), number);
        number
    }

    /// Takes a tool out; the slot that is free now.
    pub(super) fn remove(&mut self, name: &str) -> Option<usize> {
        let number = self.by_name.remove(name)?;
        let document = self.documents[number].take()?;
        for stem in document.stems {
            if let Entry::Occupied(mut postings) = self.postings.entry(stem) {
                if let Ok(place) = place_of(number, postings.get()) {
                    postings.get_mut().remove(place);
                }
                if postings.get().is_empty() {
                    postings.remove();
                }
            }
        }
        self.length -= f64::from(self.lengths[number]);
        self.free.push(number);
        Some(number)
    }

    /// What the index knows of the query's words.
    pub(super) fn asked<'a>(&'a self, query: &'a Query) -> QueryWords<'a> {
        let known = |word: &'a Word| {
            let postings = self.postings.get(&word.stem).map_or(&[][..], Vec::as_slice);
            let weight = word.kind.weight() * self.idf(postings.len());
            let worth = word.kind.weight_if_missed() * self.worth(postings.len());
            Known { word, weight: as_f32(weight), worth: as_f32(worth), postings }
        };
        let words: Vec<Known<'a>> = query.words.iter().map(known).collect();
        let weight = words.iter().map(|word| word.weight).sum();
        let worth = words.iter().map(|word| word.worth).sum();
        QueryWords { words, weight, worth, unknown: as_f32(self.worth(0)) }
    }

    /// Gathers what each slot's tool has of the words.
    pub(super) fn tally(&self, asked: &QueryWords<'_>, tallies: &mut Vec<Tally>) {
        tallies.clear();
        tallies.resize(self.documents.len(), Tally::default());
        let average = self.length / as_f64(self.len().max(1));
        // Both in halves, like the counts.
        let (least, each) = (as_f32(2.0 * K1 * (1.0 - B)), as_f32(2.0 * K1 * B / average));
        for Known { word, weight, worth, postings } in &asked.words {
            let (most, counted) = (weight * as_f32(K1 + 1.0), u32::from(word.kind == Kind::Asked));
            for posting in *postings {
                let document = posting.document as usize;
                let (count, length) = (f32::from(posting.halves), self.lengths[document]);
                let tally = &mut tallies[document];
                tally.score += most * count / (count + least + each * length);
                if posting.fields & DESCRIPTION != 0 {
                    tally.described += weight;
                }
                tally.matched += worth;
                tally.trusted += worth * TRUST[usize::from(posting.fields) % TRUST.len()];
                tally.words += counted;
            }
        }
    }

    /// The name of the tool in a slot.
    pub(super) fn name(&self, slot: usize) -> &str {
        self.documents[slot].as_ref().map_or("", |document| &document.name)
    }

    /// The slot of a tool.
    pub(super) fn slot(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// What a word that this many tools have says, for the ranking.
    fn idf(&self, tools: usize) -> f64 {
        inverse_frequency(as_f64(self.len()), as_f64(tools))
    }

    /// What a word that this many tools have says, for the confidence.
    fn worth(&self, tools: usize) -> f64 {
        inverse_frequency(as_f64(self.len()) + OTHER_TOOLS, as_f64(tools) + OTHER_USES)
    }
}

impl QueryWords<'_> {
    /// The share of what was asked for that the tool of this tally speaks of, from 0 to 1, comparable between searches.
    /// Words that match together vouch for each other: each halves the doubt that is left about where the others stand.
    pub(super) fn coverage(&self, tally: &Tally) -> f64 {
        let [matched, trusted, worth, unknown] =
            [tally.matched, tally.trusted, self.worth, self.unknown].map(f64::from);
        let missed = (worth - matched).clamp(0.0, MOST_MISSED * unknown);
        let doubt = (matched - trusted) * 0.5_f64.powi(tally.words.saturating_sub(1).cast_signed());
        let coverage = (matched - doubt) / (matched + MISSED * missed);
        if coverage.is_finite() { coverage.clamp(0.0, 1.0) } else { 0.0 }
    }

    /// Which words of the query the slot's tool has, and where: the name before the description before the rest.
    pub(super) fn reasons(&self, document: usize) -> Vec<String> {
        let reason = |word: &Known<'_>| {
            let posting = &word.postings[place_of(document, word.postings).ok()?];
            // The place that says most is enough: people read this.
            let place = Field::ALL.into_iter().find(|field| posting.fields & field.bit() != 0).map(Field::place);
            Some(format!("\"{}\" in {}", word.word.written, place.unwrap_or("the tool")))
        };
        self.words.iter().filter_map(reason).collect()
    }
}

/// Where the document's posting is, or would be.
fn place_of(document: usize, postings: &[Posting]) -> Result<usize, usize> {
    postings.binary_search_by_key(&numbered(document), |posting| posting.document)
}

fn numbered(document: usize) -> u32 {
    u32::try_from(document).expect("there are never so many tools")
}

fn inverse_frequency(all: f64, with: f64) -> f64 {
    (1.0 + (all - with + 0.5) / (with + 0.5)).ln()
}

#[expect(clippy::cast_precision_loss, reason = "there are never so many tools")]
fn as_f64(number: usize) -> f64 {
    number as f64
}

#[expect(clippy::cast_possible_truncation, reason = "seven digits of a weight are enough")]
fn as_f32(number: f64) -> f32 {
    number as f32
}

#[cfg(test)]
#[path = "keyword_tests.rs"]
mod tests;
