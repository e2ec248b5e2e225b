//! Tables that are one, cut into files: those of a folder with the same columns, as the months of a year, and records that
//! have a file each.

use crate::error::TableError;
use crate::read::record;
use crate::table::Table;

/// What stands between the paths of a table's files.
pub(crate) const BETWEEN: &str = ", ";

/// More files than these are named by their folder.
const MAX_NAMED: usize = 3;

impl Table {
    /// The tables of all these texts, each with its path, and those that several of them make together. Texts without
    /// tables give none.
    #[must_use]
    pub fn read_all(texts: &[(String, String)]) -> Vec<Self> {
        let read = |(path, text): &(String, String)| Self::read(path, text).unwrap_or_default();
        let mut tables: Vec<Self> = texts.iter().flat_map(read).filter(|table| !table.rows.is_empty()).collect();
        let records: Vec<Self> = texts.iter().filter_map(|(path, text)| record(path, text)).collect();
        let united: Vec<Self> = [&tables, &records].into_iter().flat_map(|parts| united(parts)).collect();
        tables.extend(united);
        tables
    }

    /// The files that it was read from, if it stands in several.
    pub(crate) fn parts(&self) -> &[String] {
        &self.files
    }
}

/// The tables that some of these make together.
fn united(tables: &[Table]) -> Vec<Table> {
    let mut groups: Vec<Vec<&Table>> = Vec::new();
    for table in tables.iter().filter(|table| !folder(&table.source).is_empty()) {
        match groups.iter_mut().find(|group| belong(group[0], table)) {
            Some(group) => group.push(table),
            None => groups.push(vec![table]),
        }
    }
    groups.iter().filter(|group| group.len() > 1).filter_map(|group| unite(group).ok()).collect()
}

fn folder(source: &str) -> &str {
    source.rsplit_once(['/', '\\']).map_or("", |(folder, _)| folder)
}

fn belong(one: &Table, other: &Table) -> bool {
    let names = |table: &Table| table.columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>();
    one.source != other.source && folder(&one.source) == folder(&other.source) && names(one) == names(other)
}

fn unite(parts: &[&Table]) -> Result<Table, TableError> {
    let first = parts[0];
    let files: Vec<String> = parts.iter().map(|part| part.source.clone()).collect();
    let folder = folder(&first.source);
    let source = if files.len() > MAX_NAMED { folder.to_owned() } else { files.join(BETWEEN) };
    let name = folder.rsplit(['/', '\\']).next().unwrap_or(folder);
    let columns = first.columns.iter().map(|column| column.name.clone()).collect();
    let rows = parts.iter().flat_map(|part| part.rows.iter().cloned()).collect();
    Ok(Table { files, ..Table::new(name, &source, first.kind, columns, rows)? })
}
