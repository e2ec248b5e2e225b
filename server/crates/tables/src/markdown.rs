//! Texts of others in markdown: nothing of a cell becomes a heading, a link or a column.

/// How much of a cell is shown.
const MAX_CELL: usize = 100;

/// A cell as text that markdown leaves alone.
pub(crate) fn plain(cell: &str) -> String {
    let line: String = cell.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut: String = line.chars().take(MAX_CELL).collect();
    let end = if cut.len() < line.len() { "…" } else { "" };
    format!("{}{end}", escaped(&cut))
}

pub(crate) fn plain_long(text: &str) -> String {
    escaped(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => escaped.push_str("&lt;"),
            '`' => escaped.push('\''),
            '*' | '|' | '[' | ']' | '\\' | '#' | '~' => {
                escaped.push('\\');
                escaped.push(letter);
            }
            _ => escaped.push(letter),
        }
    }
    escaped
}
