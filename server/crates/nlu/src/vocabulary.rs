//! The words of all sentences, and which of them a typed word may be.

use std::collections::HashMap;

use crate::costs;
use crate::lexicon::{Lexicon, Weight};
use crate::text::{APOSTROPHE_S, Kind, Token, letters, stem, typos};

/// The number of a word in the vocabulary.
pub(crate) type WordId = u32;

/// The words of all sentences.
#[derive(Clone, Default)]
pub(crate) struct Vocabulary {
    words: Vec<Word>,
    ids: HashMap<String, WordId>,
    by_stem: HashMap<String, Vec<WordId>>,
    by_group: HashMap<u16, Vec<WordId>>,
    by_length: Vec<Vec<WordId>>,
}

#[derive(Clone)]
pub(crate) struct Word {
    pub(crate) text: String,
    /// The number of its stem, shared by "line" and "lines".
    pub(crate) stem: u32,
    pub(crate) weight: Weight,
    /// 1 for a word of one intent, 0 for one of all.
    pub(crate) rarity: f32,
    /// Whether a sentence can begin with it.
    pub(crate) starts: bool,
    letters: u32,
}

impl Vocabulary {
    /// The word's number; a new one if it is not there yet.
    pub(crate) fn add(&mut self, word: &str, lexicon: &Lexicon) -> WordId {
        if let Some(id) = self.ids.get(word) {
            return *id;
        }
        let id = WordId::try_from(self.words.len()).unwrap_or(WordId::MAX);
        let stem = stem(word);
        let same = self.by_stem.len();
        let family = self.by_stem.entry(stem.clone()).or_default();
        let number =
            family.first().map_or_else(|| u32::try_from(same).unwrap_or(0), |first| self.words[*first as usize].stem);
        family.push(id);
        if let Some(group) = lexicon.groups.get(&stem) {
            self.by_group.entry(*group).or_default().push(id);
        }
        let length = word.chars().count();
        if self.by_length.len() <= length {
            self.by_length.resize(length + 1, Vec::new());
        }
        self.by_length[length].push(id);
        let weight = lexicon.weight(word);
        self.words.push(Word {
            text: word.to_owned(),
            stem: number,
            weight,
            rarity: 1.0,
            starts: false,
            letters: letters(word),
        });
        self.ids.insert(word.to_owned(), id);
        id
    }

    /// The number of a word that sentences have.
    pub(crate) fn id(&self, word: &str) -> Option<WordId> {
        self.ids.get(word).copied()
    }

    pub(crate) fn word(&self, id: WordId) -> &Word {
        &self.words[id as usize]
    }

    pub(crate) fn words(&self) -> impl Iterator<Item = &Word> {
        self.words.iter()
    }

    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// Notes how rare each word is and which words sentences begin with.
    pub(crate) fn note_uses(&mut self, rarity: &[f32], starts: impl Iterator<Item = WordId>) {
        for (word, rarity) in self.words.iter_mut().zip(rarity) {
            word.rarity = *rarity;
        }
        for id in starts {
            let word = &mut self.words[id as usize];
            word.starts = word.weight == Weight::Plain;
        }
    }

    /// How common a typed word is in sentences, as it is or inflected: 0 for one that none has.
    pub(crate) fn commonness(&self, word: &str) -> f32 {
        let id = self.ids.get(word).or_else(|| self.by_stem.get(&stem(word))?.first());
        id.map_or(0.0, |id| 1.0 - self.words[*id as usize].rarity)
    }

    /// Whether a sentence has the word as it is.
    pub(crate) fn has(&self, word: &str) -> bool {
        self.ids.contains_key(word)
    }

    /// The words that the token may be, each with its cost; the cheapest first.
    pub(crate) fn readings(&self, token: &Token, lexicon: &Lexicon) -> Vec<(WordId, f32)> {
        let mut readings = Vec::new();
        if token.kind != Kind::Word {
            return readings;
        }
        if token.lower == APOSTROPHE_S {
            readings.extend(self.ids.get("is").map(|id| (*id, 0.0)));
            readings.extend(self.ids.get("has").map(|id| (*id, costs::INFLECTED)));
            return readings;
        }
        let stem = stem(&token.lower);
        let mut add = |id: WordId, cost: f32| {
            if !readings.iter().any(|(other, _)| *other == id) {
                readings.push((id, cost));
            }
        };
        if let Some(id) = self.ids.get(&token.lower) {
            add(*id, 0.0);
        }
        self.by_stem.get(&stem).into_iter().flatten().for_each(|id| add(*id, costs::INFLECTED));
        let alike = lexicon.groups.get(&stem).and_then(|group| self.by_group.get(group));
        alike.into_iter().flatten().for_each(|id| add(*id, costs::ALIKE));
        if readings.is_empty()
            && !crate::text::is_stop_word(&token.lower)
            && token.lower.chars().all(char::is_alphabetic)
        {
            readings = self.misspelled(&token.lower);
        }
        readings
    }

    /// The known words that it is a misspelling of.
    fn misspelled(&self, typed: &str) -> Vec<(WordId, f32)> {
        let length = typed.chars().count();
        if !(4..=24).contains(&length) {
            return Vec::new();
        }
        let has = letters(typed);
        let near = length.saturating_sub(2)..=(length + 2);
        let ids = near.filter_map(|length| self.by_length.get(length)).flatten();
        let mut found = Vec::new();
        for id in ids {
            let word = &self.words[*id as usize];
            if (word.letters ^ has).count_ones() <= 4
                && let Some(wrong) = typos(typed, &word.text)
            {
                found.push((*id, costs::typo(wrong)));
            }
        }
        found.sort_by(|left, right| left.1.total_cmp(&right.1));
        found.truncate(8);
        found
    }
}
