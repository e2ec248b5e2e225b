//! What a turn says of itself while it runs and when it ends.

words! {
    /// Where a turn is.
    pub enum Step {
        /// Stage 1: are tools needed?
        Analyzing,
        /// Stage 2: which tools could do it?
        Searching,
        /// Stage 3: which one, with which arguments?
        Selecting,
        /// Stage 4: it runs.
        Executing,
        /// Stage 5: is it done?
        Deciding,
        /// The reply is being written.
        Responding,
    }
}

wire! {
    /// A tool that the search found.
    pub struct Candidate {
        /// Its name.
        pub name: String,
        /// From 0 to 1.
        pub confidence: f64,
        /// Why it was found, such as the words that matched.
        pub reasons: Vec<String>,
    }
}

words! {
    /// What a chunk of a tool's output is.
    pub enum Stream {
        /// Standard output.
        Stdout,
        /// Standard error.
        Stderr,
        /// A note on its progress.
        Progress,
    }
}

wire! {
    /// The tokens that a turn used.
    pub struct Usage {
        /// Tokens sent.
        pub input_tokens: u64,
        /// Tokens received.
        pub output_tokens: u64,
    }
}
