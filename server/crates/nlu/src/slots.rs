//! What a slot of a sentence may hold, and what it then holds.

use std::collections::BTreeMap;

use jiff::civil::{Date, Time};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The slots of a request by their names in the sentences.
pub type Slots = BTreeMap<String, SlotValue>;

/// What a slot may hold, as sentences name it: `{file:file}`, `{file:new_path}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SlotType {
    /// A file of the workspace.
    File,
    /// A folder of the workspace.
    Folder,
    /// A path that may not exist yet.
    NewPath,
    /// A pattern of paths, also "all python files".
    Glob,
    /// Several files.
    Files,
    /// Text to be written: quoted, code, after a colon or a lead such as "saying", or a reference. Never plain words.
    Content,
    /// Text to be searched or replaced: quoted, code, or one to four plain words.
    Text,
    /// Any words.
    Phrase,
    /// What is told before something is asked for: "box 4 was sold, delete it". Any words, of which the operation must make
    /// out which thing they are about.
    Told,
    /// One word.
    Word,
    /// A number, also as a word.
    Number,
    /// A number of things, also "a", "a dozen".
    Count,
    /// A share of a hundred.
    Percent,
    /// A number with a unit.
    Quantity,
    /// A unit.
    Unit,
    /// A currency.
    Currency,
    /// A day.
    Date,
    /// A time of the day.
    Time,
    /// How long.
    Duration,
    /// A time zone, also as a city.
    Zone,
    /// Arithmetic.
    Expression,
    /// One line of a file.
    Line,
    /// A range of lines.
    Lines,
    /// `@name`, or a name that is known.
    Variable,
    /// A new identifier.
    Name,
    /// A name in code: `max_qty`, `taxFor`.
    Identifier,
    /// The key of something remembered.
    Memory,
    /// A column of a table.
    Column,
    /// A value in a column.
    Cell,
    /// A key of a settings file.
    Key,
    /// A new value for a key: quoted, a number, true, false, or one to three plain words.
    Value,
    /// An address with a scheme.
    Url,
    /// A host's name or address.
    Host,
    /// A port's number.
    Port,
    /// A program that can be started.
    Program,
    /// A command line.
    Command,
    /// A branch.
    Branch,
    /// A commit.
    Commit,
    /// A kind of file: `python`, `.md`.
    Extension,
    /// A file's size.
    Size,
    /// A tool.
    Tool,
    /// What was spoken of: "it", "the second one".
    Ref,
    /// One of the words that stand in the sentence: `{order:choice=largest,smallest}`.
    Choice,
}

impl SlotType {
    /// Every type, in the order of their declaration.
    pub const ALL: [Self; 43] = [
        Self::File,
        Self::Folder,
        Self::NewPath,
        Self::Glob,
        Self::Files,
        Self::Content,
        Self::Text,
        Self::Phrase,
        Self::Told,
        Self::Word,
        Self::Number,
        Self::Count,
        Self::Percent,
        Self::Quantity,
        Self::Unit,
        Self::Currency,
        Self::Date,
        Self::Time,
        Self::Duration,
        Self::Zone,
        Self::Expression,
        Self::Line,
        Self::Lines,
        Self::Variable,
        Self::Name,
        Self::Identifier,
        Self::Memory,
        Self::Column,
        Self::Cell,
        Self::Key,
        Self::Value,
        Self::Url,
        Self::Host,
        Self::Port,
        Self::Program,
        Self::Command,
        Self::Branch,
        Self::Commit,
        Self::Extension,
        Self::Size,
        Self::Tool,
        Self::Ref,
        Self::Choice,
    ];
}

/// How a text was given, which tells what may be done with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Given {
    /// In quotes.
    Quoted,
    /// As code.
    Code,
    /// After a colon.
    Colon,
    /// After words such as "saying" or "the line".
    Lead,
    /// As plain words.
    Plain,
    /// As something that was spoken of before.
    Reference,
    /// By the data: a default or a constant of the intent.
    Data,
}

/// A line: from the beginning (1 is the first) or, below zero, from the end (-1 is the last).
pub type Line = i64;

/// Something spoken of before, to be resolved by the dialogue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "refers", rename_all = "snake_case")]
pub enum Anaphor {
    /// "it", "that", "this"; with a noun, "that file".
    It {
        /// What it must be, if that was said.
        noun: Option<String>,
    },
    /// "them", "these", "those files".
    Them {
        /// What they must be, if that was said.
        noun: Option<String>,
    },
    /// "the second one", "the last file": counted as [`Line`] is.
    Nth {
        /// Which one.
        place: i64,
        /// What it must be, if that was said.
        noun: Option<String>,
    },
    /// "the other one".
    Other {
        /// What it must be, if that was said.
        noun: Option<String>,
    },
    /// "the result", "the output", "the total", "the answer".
    Result {
        /// The word that was used.
        noun: String,
    },
}

/// What a slot holds. It is written to the log and read back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SlotValue {
    /// A file or folder.
    Path {
        /// As the workspace writes it, or as it was typed where it does not exist.
        path: String,
        /// Whether it is there.
        exists: bool,
        /// Whether it is a folder.
        folder: bool,
        /// As it was typed, which may be misspelled; empty where it was not.
        said: String,
    },
    /// A name that several files have.
    Ambiguous {
        /// The name as it was typed.
        said: String,
        /// The files.
        paths: Vec<String>,
    },
    /// Several files.
    Paths {
        /// Each as in [`SlotValue::Path`].
        paths: Vec<String>,
    },
    /// A pattern of paths.
    Glob {
        /// As `glob` takes it.
        pattern: String,
    },
    /// A text.
    Text {
        /// Without its quotes.
        text: String,
        /// How it was given.
        how: Given,
    },
    /// A number.
    Number {
        /// Its value.
        value: f64,
    },
    /// A percentage.
    Percent {
        /// 15 for 15 %.
        value: f64,
    },
    /// A number with a unit.
    Quantity {
        /// How much.
        value: f64,
        /// Of what, as the calculator names it.
        unit: String,
    },
    /// A unit or currency.
    Unit {
        /// As the calculator names it.
        unit: String,
    },
    /// A day.
    Date {
        /// The day.
        date: Date,
    },
    /// A time of the day.
    Time {
        /// The time.
        time: Time,
    },
    /// A length of time.
    Duration {
        /// In seconds.
        seconds: f64,
        /// As the calculator takes it: `3 days`.
        text: String,
    },
    /// A time zone.
    Zone {
        /// As the IANA names it.
        zone: String,
        /// As it was said.
        name: String,
    },
    /// Arithmetic.
    Expression {
        /// As the calculator takes it.
        text: String,
    },
    /// Lines of a file, both ends included.
    Lines {
        /// The first.
        from: Line,
        /// The last.
        to: Line,
    },
    /// A named artifact, and the place in it.
    Variable {
        /// Its name, without `@`.
        name: String,
        /// What follows the name: `.db.port`; empty for the whole.
        path: String,
    },
    /// A new value for a key.
    Value {
        /// As JSON.
        value: Value,
        /// How it was given.
        how: Given,
    },
    /// A size in bytes.
    Size {
        /// How many.
        bytes: u64,
    },
    /// A command line.
    Command {
        /// As it was typed.
        line: String,
    },
    /// A word out of a set: a choice, a tool, a key, a program, a kind of file.
    Word {
        /// The word as the set has it.
        word: String,
    },
    /// Something spoken of before.
    Reference {
        /// What.
        anaphor: Anaphor,
        /// As it was said.
        said: String,
    },
}

impl SlotValue {
    /// As it stands in the middle of other text.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Path { path, .. } => path.clone(),
            Self::Paths { paths } => paths.join(", "),
            Self::Glob { pattern } => pattern.clone(),
            Self::Text { text, .. } | Self::Expression { text } | Self::Duration { text, .. } => text.clone(),
            Self::Number { value } => plain(*value),
            Self::Percent { value } => format!("{}%", plain(*value)),
            Self::Quantity { value, unit } => format!("{} {unit}", plain(*value)),
            Self::Unit { unit } => unit.clone(),
            Self::Date { date } => date.to_string(),
            Self::Time { time } => time.to_string(),
            Self::Zone { zone, .. } => zone.clone(),
            Self::Lines { from, to } if from == to => from.to_string(),
            Self::Lines { from, to } => format!("{from}-{to}"),
            Self::Variable { name, path } => format!("@{name}{path}"),
            Self::Value { value: Value::String(text), .. } => text.clone(),
            Self::Value { value, .. } => value.to_string(),
            Self::Size { bytes } => bytes.to_string(),
            Self::Command { line } => line.clone(),
            Self::Word { word } => word.clone(),
            Self::Reference { said, .. } | Self::Ambiguous { said, .. } => said.clone(),
        }
    }

    /// As an argument of a tool: a number where it is one.
    #[must_use]
    pub fn json(&self) -> Value {
        match self {
            Self::Number { value } | Self::Percent { value } => number(*value),
            Self::Paths { paths } => json!(paths),
            Self::Value { value, .. } => value.clone(),
            Self::Size { bytes } => json!(bytes),
            Self::Lines { from, to } if from == to => json!(from),
            _ => Value::String(self.text()),
        }
    }
}

/// A number without a fraction where it has none.
fn number(value: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() < EXACT {
        return plain(value).parse::<i64>().map_or_else(|_| json!(value), |whole| json!(whole));
    }
    json!(value)
}

fn plain(value: f64) -> String {
    format!("{value}")
}
