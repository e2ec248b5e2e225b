//! Names of programs, and which of them are shells.

/// Shells: what they are given to run is a script again.
pub(super) const SHELLS: &[&str] = &["sh", "bash", "dash", "zsh", "ksh", "ash", "fish"];

/// The base name of a command's program.
pub fn program(words: &[String]) -> &str {
    words.first().map_or("", |first| base_name(first))
}

/// The name without the folders before it.
pub(super) fn base_name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}
