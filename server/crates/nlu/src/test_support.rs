//! A small corpus and a small world to read it in.

use jiff::Zoned;

use crate::{Candidate, Engine, Paths, Reading, World};

/// The words of this crate and a few intents.
pub(crate) fn engine() -> Engine {
    let words = include_str!("../intents/words.toml");
    Engine::from_sources([("words.toml", words), ("desk.toml", include_str!("test_support.toml"))])
        .unwrap_or_else(|error| panic!("{error}"))
}

/// A workspace on Wednesday, the 4th of March 2026.
pub(crate) struct Desk(Paths);

impl Desk {
    pub(crate) fn new() -> Self {
        let files = [
            "config.json",
            "notes.txt",
            "data/orders.csv",
            "README.md",
            "shopping-list.md",
            "minutes/2025-02-11.md",
            "minutes/2025-03-02.md",
            "a/util.rs",
            "b/util.rs",
            "src/main.rs",
            "old/docs/plan.txt",
        ];
        Self(Paths::new(files, ["docs"]))
    }
}

impl World for Desk {
    fn paths(&self) -> &Paths {
        &self.0
    }

    fn now(&self) -> Zoned {
        "2026-03-04T10:00:00[UTC]".parse().unwrap_or_else(|error| panic!("{error}"))
    }

    fn is_program(&self, name: &str) -> bool {
        ["git", "ls", "find", "make"].contains(&name)
    }
}

/// What the engine makes of a text over the desk.
pub(crate) fn read(text: &str) -> Reading {
    engine().read(text, &Desk::new())
}

/// The best meaning of a text that is one request.
pub(crate) fn best(text: &str) -> Candidate {
    let mut reading = read(text);
    assert_eq!(reading.clauses.len(), 1, "{text}: one request");
    let candidates = &mut reading.clauses[0].candidates;
    assert!(!candidates.is_empty(), "{text}: it is not understood at all");
    candidates.swap_remove(0)
}
