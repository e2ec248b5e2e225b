//! Words that say nothing about what is wanted.
//!
//! Words for what to do (`find`, `show`, `read`, `run`) are not among them: they tell tools apart.

/// In alphabetical order, without apostrophes.
const STOP_WORDS: &[&str] = &[
    "a", "about", "after", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "because", "been",
    "before", "being", "between", "both", "but", "by", "can", "cant", "could", "did", "do", "does", "doing", "dont",
    "each", "either", "for", "from", "had", "has", "have", "having", "he", "hello", "help", "her", "here", "hers",
    "hey", "hi", "him", "his", "how", "i", "id", "if", "ill", "im", "in", "into", "is", "isnt", "it", "its", "ive",
    "just", "kindly", "know", "let", "lets", "like", "made", "make", "may", "me", "might", "more", "most", "must",
    "my", "need", "needs", "no", "nor", "not", "now", "of", "on", "only", "or", "other", "our", "ours", "out", "over",
    "own", "please", "s", "shall", "she", "should", "so", "some", "such", "t", "tell", "than", "thank", "thanks",
    "that", "thats", "the", "their", "them", "then", "there", "these", "they", "this", "those", "through", "to", "too",
    "under", "until", "up", "us", "very", "want", "was", "we", "were", "what", "whats", "when", "where", "which",
    "while", "who", "whom", "why", "will", "with", "would", "you", "your", "yours",
];

/// Whether the word, in lower case and without apostrophes, says nothing about what is wanted.
#[must_use]
pub fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_in_order_so_that_it_can_be_searched() {
        assert!(STOP_WORDS.is_sorted());
        assert!(is_stop_word("the") && !is_stop_word("read"));
    }
}
