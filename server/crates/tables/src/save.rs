//! Answers as files: CSV, JSON and markdown.

use serde_json::{Map, Value as Json};

use crate::answer::Answer;

const MAX_DIGITS: usize = 16;

/// How an answer can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Cells divided by commas.
    Csv,
    /// Cells divided by tabs.
    Tsv,
    /// An array of objects.
    Json,
    /// A table.
    Markdown,
}

impl Format {
    /// The format that a path's ending asks for.
    #[must_use]
    pub fn of(path: &str) -> Option<Self> {
        let (_, ending) = path.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "csv" => Some(Self::Csv),
            "tsv" | "tab" => Some(Self::Tsv),
            "json" => Some(Self::Json),
            "md" | "markdown" => Some(Self::Markdown),
            _ => None,
        }
    }
}

impl Answer {
    /// All cells of the answer as the text of a file.
    #[must_use]
    pub fn saved(&self, format: Format) -> String {
        match format {
            Format::Csv => self.divided(b','),
            Format::Tsv => self.divided(b'\t'),
            Format::Json => format!("{:#}\n", self.records()),
            Format::Markdown => format!("{}\n", self.table(usize::MAX)),
        }
    }

    fn divided(&self, sign: u8) -> String {
        let mut writer = csv::WriterBuilder::new().delimiter(sign).from_writer(Vec::new());
        let mut lines = std::iter::once(&self.columns).chain(&self.rows);
        let written = lines.try_for_each(|line| writer.write_record(line));
        // Nothing but a lack of memory keeps bytes from going into a vector.
        let bytes = written.ok().and_then(|()| writer.into_inner().ok()).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// All cells of the answer as a list of objects.
    #[must_use]
    pub fn records(&self) -> Json {
        let object = |row: &Vec<String>| {
            let cells = self.columns.iter().zip(row).map(|(name, cell)| (name.clone(), json_of(cell)));
            Json::Object(cells.collect::<Map<_, _>>())
        };
        Json::Array(self.rows.iter().map(object).collect())
    }
}

/// A number if it is written as JSON writes one; 007 is not, and neither is what has more digits than a number keeps.
fn json_of(cell: &str) -> Json {
    let number = serde_json::from_str::<Json>(cell).ok().filter(|json| json.is_number() && cell.len() <= MAX_DIGITS);
    match cell {
        "" => Json::Null,
        "true" => Json::Bool(true),
        "false" => Json::Bool(false),
        cell => number.unwrap_or_else(|| Json::String(cell.to_owned())),
    }
}
