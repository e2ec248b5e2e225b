//! The word vectors inside the binary: a word or a piece of one to a row of small integers.
//!
//! The words stand in the order of their bytes, so that one is found without anything being loaded or built first. Where
//! they come from is said in `table/ATTRIBUTION.txt`.

use std::sync::LazyLock;

/// How many figures a vector has.
pub(super) const DIMENSIONS: usize = 128;

static WORDS: &[u8] = include_bytes!("table/words.txt");
static VECTORS: &[u8] = include_bytes!("table/vectors.i8");
static SCALES: &[u8] = include_bytes!("table/scales.f32");

/// Where each word begins and, last, where all end.
static STARTS: LazyLock<Vec<usize>> = LazyLock::new(|| {
    let ends = WORDS.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(place, _)| place + 1);
    std::iter::once(0).chain(ends).collect()
});

/// The row of a word; a piece that continues one begins with `##`.
pub(super) fn row_of(word: &[u8]) -> Option<usize> {
    let starts = STARTS.as_slice();
    let (mut low, mut high) = (0, starts.len() - 1);
    while low < high {
        let middle = usize::midpoint(low, high);
        match WORDS[starts[middle]..starts[middle + 1] - 1].cmp(word) {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
            std::cmp::Ordering::Equal => return Some(middle),
        }
    }
    None
}

/// Adds a row to a sum.
pub(super) fn add(row: usize, sum: &mut [f32; DIMENSIONS]) {
    let vector = &VECTORS[row * DIMENSIONS..(row + 1) * DIMENSIONS];
    let scale: [u8; 4] = std::array::from_fn(|byte| SCALES[row * 4 + byte]);
    let scale = f32::from_le_bytes(scale);
    for (total, figure) in sum.iter_mut().zip(vector) {
        *total += scale * f32::from(figure.cast_signed());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_found_in_its_row_and_has_a_vector() {
        let words: Vec<&[u8]> = WORDS[..WORDS.len() - 1].split(|byte| *byte == b'\n').collect();
        assert_eq!((words.len() * DIMENSIONS, words.len() * 4), (VECTORS.len(), SCALES.len()));
        assert!(words.iter().enumerate().all(|(row, word)| row_of(word) == Some(row)));
        assert_eq!((row_of(b""), row_of(b"nosuchword"), row_of("\u{10ffff}".as_bytes())), (None, None, None));
    }

    #[test]
    fn words_of_like_meaning_have_like_vectors() {
        let vector = |word: &[u8]| {
            let mut sum = [0.0; DIMENSIONS];
            add(row_of(word).expect("a word"), &mut sum);
            sum
        };
        let cosine = |one: [f32; DIMENSIONS], other: [f32; DIMENSIONS]| {
            let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
            dot(&one, &other) / (dot(&one, &one) * dot(&other, &other)).sqrt()
        };
        let (rain, snow, tax) = (vector(b"rain"), vector(b"snow"), vector(b"tax"));
        assert!(cosine(rain, snow) > cosine(rain, tax) + 0.2);
    }
}
