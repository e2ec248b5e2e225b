//! Texts as tables: CSV, TSV, JSON, JSON lines, markdown and logs. Everything has a limit, and what is larger is an error
//! rather than half a table, for half a table answers wrongly.

mod json;
mod lines;
mod markdown;

use crate::error::TableError;
use crate::log;
use crate::table::Table;

pub(crate) use self::json::record;
pub use self::lines::divider;

/// Larger texts are not read as tables.
pub(crate) const MAX_BYTES: usize = 8 * 1024 * 1024;

impl Table {
    /// The tables of a text, the outermost first; none if it holds none. `source` is its path or its name, whose ending
    /// tells what to expect.
    ///
    /// # Errors
    ///
    /// Tells which limit a table is beyond.
    pub fn read(source: &str, text: &str) -> Result<Vec<Self>, TableError> {
        if text.len() > MAX_BYTES {
            return Err(TableError::TooLarge { source_name: source.to_owned(), bytes: text.len(), most: MAX_BYTES });
        }
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let ending =
            source.rsplit(['/', '\\']).next().and_then(|name| name.rsplit_once('.')).map_or("", |(_, end)| end);
        match ending.to_ascii_lowercase().as_str() {
            "json" => json::tables(source, text),
            "jsonl" | "ndjson" => Ok(json::lines(source, text)?.into_iter().collect()),
            "csv" | "tsv" | "tab" | "psv" => Ok(lines::table(source, text)?.into_iter().collect()),
            "md" | "markdown" => markdown::tables(source, text),
            _ => anything(source, text),
        }
    }
}

fn anything(source: &str, text: &str) -> Result<Vec<Table>, TableError> {
    let start = text.trim_start();
    if start.starts_with(['{', '[']) {
        let tables = json::tables(source, text)?;
        if !tables.is_empty() {
            return Ok(tables);
        }
        if let Some(table) = json::lines(source, text)? {
            return Ok(vec![table]);
        }
    }
    if let Some(table) = log::table(source, text)? {
        return Ok(vec![table]);
    }
    let tables = markdown::tables(source, text)?;
    if !tables.is_empty() {
        return Ok(tables);
    }
    let table = match lines::table_in_text(source, text)? {
        Some(table) => Some(table),
        None => lines::amounts(source, text)?,
    };
    Ok(table.into_iter().collect())
}

/// What the rows of a file are called: its name without folder and ending.
fn base_name(source: &str) -> String {
    let name = source.rsplit(['/', '\\']).next().unwrap_or(source);
    name.split_once('.').map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem }).to_owned()
}

#[cfg(test)]
mod tests;
