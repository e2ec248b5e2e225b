//! What a piece of a message is: a word, a number, a path, a quotation.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Number,
    /// Digits and operators in one piece: `2+2`.
    Math,
    /// A single operator: `*`.
    Operator,
    Path,
    Glob,
    Url,
    Email,
    /// `@name` with steps, the `@` included.
    Reference,
    /// A path into JSON: `.db.host`.
    Filter,
    Quoted,
    /// Between back-quotes, or a fenced block.
    Code,
    /// A JSON object or array.
    Json,
    /// The end of a sentence, a comma, a colon, a line's end.
    Mark,
}
