//! Changes of all lines of a text: their order, their blanks, their case, whether they are comments.

use super::edited::{Edit, Edited};
use super::edits::{line_at, meant};
use super::rows::line_end;
use super::shape::counted;
use super::slots::Slots;
use super::unmade::Unmade;

/// The edits of lines, by name.
pub(super) const EDITS: &[(&str, Edit)] = &[
    ("sort_lines", sort_lines),
    ("unique_lines", unique_lines),
    ("drop_blank_lines", drop_blank_lines),
    ("trim_lines", trim_lines),
    ("change_case", change_case),
    ("end_in_newline", end_in_newline),
    ("reverse_lines", reverse_lines),
    ("move_line", move_line),
    ("comment_out", comment_out),
    ("uncomment", uncomment),
];

/// The lines worked on as a list; the last one keeps or lacks its line end.
fn relined<'t>(text: &'t str, change: impl FnOnce(Vec<&'t str>) -> Vec<String>) -> String {
    let end = line_end(text);
    let changed = change(text.lines().collect()).join(end);
    if text.ends_with('\n') && !changed.is_empty() { changed + end } else { changed }
}

fn changed(text: String, before: &str, said: String, already: String) -> Result<Edited, Unmade> {
    if text == before { Err(already.into()) } else { Ok(Edited { text, said }) }
}

/// `sort_lines`: order = ascending (default) or descending, `numeric`, `keep_first` for a table's heading.
fn sort_lines(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let sorted = relined(text, |lines| {
        let heading = usize::from(slots.flag("keep_first")).min(lines.len());
        let mut body: Vec<&str> = lines[heading..].to_vec();
        body.sort_by(|one, other| {
            let number = |line: &str| line.trim().parse::<f64>().unwrap_or(f64::MAX);
            let by_number = number(one).total_cmp(&number(other));
            let by_text = one.to_lowercase().cmp(&other.to_lowercase()).then(one.cmp(other));
            if slots.flag("numeric") { by_number.then(by_text) } else { by_text }
        });
        if slots.is("order", "descending") {
            body.reverse();
        }
        lines[..heading].iter().chain(&body).map(|line| (*line).to_owned()).collect()
    });
    changed(
        sorted,
        text,
        format!("I sorted the lines of `{path}`."),
        format!("The lines of `{path}` are sorted already."),
    )
}

/// `unique_lines`.
fn unique_lines(path: &str, text: &str, _: &Slots<'_>) -> Result<Edited, Unmade> {
    let mut seen = std::collections::HashSet::new();
    let kept = relined(text, |lines| lines.into_iter().filter(|line| seen.insert(*line)).map(str::to_owned).collect());
    let gone = text.lines().count() - kept.lines().count();
    let said = format!("I removed {} from `{path}` that stood there before.", counted(gone, "line"));
    changed(kept, text, said, format!("No line stands twice in `{path}`."))
}

/// `drop_blank_lines`.
fn drop_blank_lines(path: &str, text: &str, _: &Slots<'_>) -> Result<Edited, Unmade> {
    let kept =
        relined(text, |lines| lines.into_iter().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect());
    let gone = text.lines().count() - kept.lines().count();
    let said = format!("I removed {} from `{path}`.", counted(gone, "empty line"));
    changed(kept, text, said, format!("`{path}` has no empty lines."))
}

/// `trim_lines`: blanks at the ends of lines.
fn trim_lines(path: &str, text: &str, _: &Slots<'_>) -> Result<Edited, Unmade> {
    let kept = relined(text, |lines| lines.into_iter().map(|line| line.trim_end().to_owned()).collect());
    let said = format!("I removed the blanks at the ends of lines in `{path}`.");
    changed(kept, text, said, format!("No line of `{path}` ends in blanks."))
}

/// `change_case`: case = upper, lower or title.
fn change_case(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let case = slots.text("case").unwrap_or("upper");
    let said = format!("I put `{path}` into {case} case.");
    changed(in_case(text, case), text, said, format!("`{path}` is in {case} case already."))
}

/// A text in upper, lower or title case.
pub(super) fn in_case(text: &str, case: &str) -> String {
    match case {
        "lower" => text.to_lowercase(),
        "title" => {
            let mut starts = true;
            let titled = |c: char| {
                let first = std::mem::replace(&mut starts, !c.is_alphanumeric() && c != '\'');
                if first { c.to_uppercase().collect::<String>() } else { c.to_lowercase().collect() }
            };
            text.chars().map(titled).collect()
        }
        _ => text.to_uppercase(),
    }
}

/// `end_in_newline`.
fn end_in_newline(path: &str, text: &str, _: &Slots<'_>) -> Result<Edited, Unmade> {
    let ended = format!("{}{}", text.trim_end_matches(['\n', '\r']), line_end(text));
    changed(ended, text, format!("`{path}` ends in one line end now."), format!("`{path}` ends in a line end already."))
}

/// `reverse_lines`.
fn reverse_lines(path: &str, text: &str, _: &Slots<'_>) -> Result<Edited, Unmade> {
    let turned = relined(text, |lines| lines.into_iter().rev().map(str::to_owned).collect());
    changed(turned, text, format!("I reversed the lines of `{path}`."), format!("`{path}` stays the same reversed."))
}

/// `move_line`: line, to: it becomes this line.
fn move_line(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let count = text.lines().count();
    let at = |slot: &str| line_at(slots.whole(slot).ok_or("You did not say which line.")?, count, path);
    let (from, to) = (at("line")?, at("to")?);
    let moved = relined(text, |lines| {
        let mut lines: Vec<String> = lines.into_iter().map(str::to_owned).collect();
        let line = lines.remove(from);
        lines.insert(to, line);
        lines
    });
    let said = format!("I moved line {} of `{path}` to line {}.", from + 1, to + 1);
    changed(moved, text, said, format!("It is line {} already.", to + 1))
}

/// How a comment begins in a file of this name.
fn comment_sign(path: &str) -> Result<&'static str, String> {
    match path.rsplit('.').next().unwrap_or_default() {
        "rs" | "js" | "ts" | "jsx" | "tsx" | "go" | "c" | "h" | "cpp" | "java" | "kt" | "swift" | "php" | "scss" => {
            Ok("//")
        }
        "sql" | "lua" => Ok("--"),
        "ini" => Ok(";"),
        "json" | "md" | "html" | "xml" | "css" | "csv" | "txt" => {
            Err(format!("`{path}` has no comments that take one line, so I left it as it is."))
        }
        _ => Ok("#"),
    }
}

/// `comment_out`: line or lines.
pub(super) fn comment_out(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    // A text may have comments all the same, such as one with a table of jobs.
    let has_some = || path.ends_with(".txt") && text.lines().any(|line| line.starts_with('#'));
    let sign = comment_sign(path).or_else(|why| if has_some() { Ok("#") } else { Err(why) })?;
    let put = |line: &str| {
        let indent = line.len() - line.trim_start().len();
        (!line.trim().is_empty()).then(|| format!("{}{sign} {}", &line[..indent], &line[indent..]))
    };
    in_lines(path, text, slots, "commented out", put)
}

/// `uncomment`: line or lines.
pub(super) fn uncomment(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let sign = comment_sign(path)?;
    let bare = |line: &str| {
        let indent = line.len() - line.trim_start().len();
        let rest = line[indent..].strip_prefix(sign)?;
        Some(format!("{}{}", &line[..indent], rest.strip_prefix(' ').unwrap_or(rest)))
    };
    in_lines(path, text, slots, "uncommented", bare)
}

fn in_lines(
    path: &str,
    text: &str,
    slots: &Slots<'_>,
    what: &str,
    change: impl Fn(&str) -> Option<String>,
) -> Result<Edited, Unmade> {
    let meant = meant(text.lines().count(), path, slots)?;
    let mut done = 0;
    let after = relined(text, |lines| {
        let line = |(at, line): (usize, &str)| match change(line).filter(|_| meant.contains(&at)) {
            Some(new) => {
                done += 1;
                new
            }
            None => line.to_owned(),
        };
        lines.into_iter().enumerate().map(line).collect()
    });
    let said = format!("I {what} {} of `{path}`.", counted(done, "line"));
    changed(after, text, said, format!("There is nothing to be {what} there."))
}
