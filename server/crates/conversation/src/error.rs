//! Why a conversation cannot be read back.

/// Why a transcript is not a conversation; fragments finish "failed to …".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TranscriptError {
    /// A message is not as it should be.
    #[error("read message {number} of the transcript: {problem}")]
    Message {
        /// Which one, from 1.
        number: usize,
        /// What is wrong with it.
        problem: String,
    },
}
