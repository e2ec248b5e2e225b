//! Numbers in words: `three`, `second`, `#2`.

/// A number in words, up to twenty and the tens.
pub(super) fn number_word(word: &str) -> Option<u32> {
    const WORDS: &[(&str, u32)] = &[
        ("zero", 0),
        ("one", 1),
        ("two", 2),
        ("three", 3),
        ("four", 4),
        ("five", 5),
        ("six", 6),
        ("seven", 7),
        ("eight", 8),
        ("nine", 9),
        ("ten", 10),
        ("eleven", 11),
        ("twelve", 12),
        ("thirteen", 13),
        ("fourteen", 14),
        ("fifteen", 15),
        ("sixteen", 16),
        ("seventeen", 17),
        ("eighteen", 18),
        ("nineteen", 19),
        ("twenty", 20),
        ("thirty", 30),
        ("forty", 40),
        ("fifty", 50),
        ("sixty", 60),
        ("seventy", 70),
        ("eighty", 80),
        ("ninety", 90),
        ("hundred", 100),
        ("thousand", 1000),
        ("million", 1_000_000),
        ("dozen", 12),
    ];
    WORDS.iter().find(|(name, _)| *name == word).map(|(_, number)| *number)
}
