//! What a text means, as a vector of length 1 in small integers, and all tools' vectors side by side.
//!
//! The vectors lie flat behind each other and are compared as integers, so that the compiler turns the comparison into
//! the processor's wide instructions. A text of which the table knows no word has no vector and is like nothing.

use super::table::{DIMENSIONS, add, row_of};
use super::wordpiece::each_row;

/// The largest figure of a vector.
const LARGEST: f32 = 127.0;

/// What a text means.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Vector {
    figures: [i8; DIMENSIONS],
    /// What each figure is multiplied by.
    scale: f32,
}

impl Vector {
    /// The mean of the text's words.
    pub(super) fn of(text: &str) -> Option<Self> {
        let mut sum = [0.0_f32; DIMENSIONS];
        each_row(text, |row| add(row, &mut sum));
        let length = sum.iter().map(|figure| figure * figure).sum::<f32>().sqrt();
        let largest = sum.iter().fold(0.0_f32, |largest, figure| largest.max(figure.abs()));
        if length <= f32::EPSILON || !length.is_finite() {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "a figure is at most the largest")]
        let figures = sum.map(|figure| (figure / largest * LARGEST).round() as i8);
        Some(Self { figures, scale: largest / LARGEST / length })
    }
}

/// How alike two words are by their vectors, from -1 to 1; 0 if the table does not have both as they are.
#[must_use]
pub fn similarity(one: &str, other: &str) -> f32 {
    let vector = |word: &str| {
        let mut figures = [0.0_f32; DIMENSIONS];
        add(row_of(word.as_bytes())?, &mut figures);
        Some(figures)
    };
    let (Some(one), Some(other)) = (vector(one), vector(other)) else { return 0.0 };
    let product = |one: &[f32], other: &[f32]| one.iter().zip(other).map(|(one, other)| one * other).sum::<f32>();
    let lengths = (product(&one, &one) * product(&other, &other)).sqrt();
    if lengths > f32::EPSILON { product(&one, &other) / lengths } else { 0.0 }
}

/// A vector that many are compared with.
#[derive(Debug)]
pub(super) struct Wide {
    figures: [i16; DIMENSIONS],
    scale: f32,
}

impl From<&Vector> for Wide {
    fn from(vector: &Vector) -> Self {
        Self { figures: vector.figures.map(i16::from), scale: vector.scale }
    }
}

/// The vectors of all tools, each in its slot.
#[derive(Debug, Default)]
pub(super) struct EmbeddingIndex {
    figures: Vec<[i8; DIMENSIONS]>,
    /// 0 for a slot without a vector: it is like nothing.
    scales: Vec<f32>,
}

impl EmbeddingIndex {
    /// Fills a slot, or empties it.
    pub(super) fn set(&mut self, slot: usize, vector: Option<&Vector>) {
        if self.scales.len() <= slot {
            self.figures.resize(slot + 1, [0; DIMENSIONS]);
            self.scales.resize(slot + 1, 0.0);
        }
        self.figures[slot] = vector.map_or([0; DIMENSIONS], |vector| vector.figures);
        self.scales[slot] = vector.map_or(0.0, |vector| vector.scale);
    }

    /// How many slots there are.
    pub(super) fn slots(&self) -> usize {
        self.scales.len()
    }

    /// How alike each slot is to the text, from -1 to 1.
    pub(super) fn compare(&self, text: &Wide, alike: &mut Vec<f32>) {
        let each = self.figures.iter().zip(&self.scales);
        alike.extend(each.map(|(own, scale)| dot(own, &text.figures) * scale * text.scale));
    }

    /// How alike one slot is to the text, from -1 to 1.
    pub(super) fn alike(&self, slot: usize, text: &Wide) -> f32 {
        self.figures.get(slot).map_or(0.0, |own| dot(own, &text.figures) * self.scales[slot] * text.scale)
    }
}

/// What a text means, to be checked against other texts.
#[derive(Debug, Clone, PartialEq)]
pub struct Meaning(Option<Vector>);

impl Meaning {
    /// The mean of the text's words.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self(Vector::of(text))
    }

    /// How alike two texts are, from -1 to 1; 0 if the table knows no word of one of them.
    #[must_use]
    pub fn alike(&self, other: &Self) -> f64 {
        let (Some(one), Some(other)) = (&self.0, &other.0) else { return 0.0 };
        let wide = Wide::from(other);
        f64::from(dot(&one.figures, &wide.figures) * one.scale * wide.scale)
    }
}

/// By pieces, for the compiler finds the processor's instructions for these only in a loop that it does not unroll as a whole.
#[expect(clippy::cast_precision_loss, reason = "the sum of 128 products of bytes is exact")]
fn dot(own: &[i8; DIMENSIONS], other: &[i16; DIMENSIONS]) -> f32 {
    const PIECE: usize = 32;
    let product = |(own, other): (&i8, &i16)| i32::from(i16::from(*own)) * i32::from(*other);
    let pieces = own.chunks_exact(PIECE).zip(other.chunks_exact(PIECE));
    pieces.map(|(own, other)| own.iter().zip(other).map(product).sum::<i32>()).sum::<i32>() as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(one: &str, other: &str) -> Option<f32> {
        let mut index = EmbeddingIndex::default();
        index.set(2, Vector::of(one).as_ref());
        let mut alike = Vec::new();
        index.compare(&Wide::from(&Vector::of(other)?), &mut alike);
        Some(alike[2])
    }

    #[test]
    fn words_that_the_table_does_not_have_are_like_nothing() {
        assert!(similarity("sells", "sold") > similarity("sells", "phone") + 0.3);
        assert!((similarity("fuel", "fuel") - 1.0).abs() < 0.001);
        assert_eq!(similarity("fuel", "nosuchword").to_bits(), 0.0_f32.to_bits());
    }

    #[test]
    fn a_text_is_like_itself_and_like_what_means_the_same() {
        assert!((alike("current weather", "current weather").expect("a vector") - 1.0).abs() < 0.01);
        let of = |text| alike(text, "weather").expect("a vector");
        assert!(of("forecast of rain") > of("income tax") + 0.2);
    }

    #[test]
    fn a_text_without_known_words_is_like_nothing() {
        assert_eq!(Vector::of(""), None);
        assert_eq!((alike("", "weather"), alike("weather", "")), (Some(0.0), None));
    }

    #[test]
    fn two_texts_are_compared_without_an_index() {
        let rain = Meaning::of("forecast of rain");
        assert!((rain.alike(&Meaning::of("forecast of rain")) - 1.0).abs() < 0.01);
        assert!(rain.alike(&Meaning::of("weather")) > rain.alike(&Meaning::of("income tax")) + 0.2);
        assert_eq!(rain.alike(&Meaning::of("")), 0.0);
    }

    #[test]
    fn an_emptied_slot_is_like_nothing() {
        let mut index = EmbeddingIndex::default();
        let vector = Vector::of("weather").expect("a vector");
        index.set(0, Some(&vector));
        index.set(0, None);
        let mut alike = Vec::new();
        index.compare(&Wide::from(&vector), &mut alike);
        assert_eq!(alike, [0.0]);
    }
}
