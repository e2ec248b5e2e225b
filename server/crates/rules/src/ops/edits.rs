//! Changes of a text that was read: lines put in, taken out, replaced, put in order. What does not stand in the text is
//! said in a sentence, and nothing changes. Line ends stay as they are in the file, a missing last one too.

use std::ops::Range;

use regex::RegexBuilder;

use super::edited::{Edit, Edited};
use super::row_values::as_rows;
use super::rows::{line_end, placed_lines};
use super::shape::{counted, replaced};
use super::show::cut_line;
use super::slots::Slots;
use super::unmade::Unmade;

/// How many lines are named when several fit.
const MAX_NAMED: usize = 5;

/// The edits of whole texts and lines, by name.
pub(super) const EDITS: &[(&str, Edit)] = &[
    ("append", append),
    ("prepend", prepend),
    ("insert_at", insert_at),
    ("insert_near", insert_near),
    ("delete_lines", delete_lines),
    ("delete_matching", delete_matching),
    ("delete_matching_whole", delete_matching_whole),
    ("delete_text", delete_text),
    ("set_only_line", set_only_line),
    ("replace_line", replace_line),
    ("replace_text", replace_text),
    ("replace_all", replace_all),
    ("tick", tick),
];

/// The content as lines of this text, without a last line end; as rows, if it has a table's.
fn content(path: &str, text: &str, slots: &Slots<'_>) -> Result<String, String> {
    let content = slots.told("content").ok_or("You did not say what is to be written. Put it in quotation marks.")?;
    let content = content.replace("\r\n", "\n");
    let content = content.strip_suffix('\n').unwrap_or(&content);
    Ok(as_rows(path, text, content)?.replace('\n', line_end(text)))
}

fn lines_of(content: &str) -> String {
    counted(content.lines().count().max(1), "line")
}

/// `append`: content.
fn append(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let (content, end) = (content(path, text, slots)?, line_end(text));
    // What is added to a list becomes one of its items.
    let item = text.lines().rfind(|line| !line.trim().is_empty()).and_then(mark).filter(|_| slots.flag("as_item"));
    let content =
        item.filter(|mark| !content.starts_with(*mark)).map_or(content.clone(), |mark| format!("{mark}{content}"));
    let said = format!("I added {} at the end of `{path}`.", lines_of(&content));
    let text = match (text.is_empty(), text.ends_with('\n')) {
        (true, _) => format!("{content}{end}"),
        (false, true) => format!("{text}{content}{end}"),
        (false, false) => format!("{text}{end}{content}"),
    };
    Ok(Edited { text, said })
}

/// `prepend`: content.
fn prepend(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let content = content(path, text, slots)?;
    // A byte order mark and the line that names an interpreter stay first.
    let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let script = text[mark..].starts_with("#!").then(|| text.find('\n').map_or(text.len(), |end| end + 1));
    // A table's heading, too.
    let heading = || text.find('\n').filter(|_| path.ends_with(".csv")).map(|end| end + 1);
    let place = script.or_else(heading).unwrap_or(mark);
    let said = format!("I added {} at the top of `{path}`.", lines_of(&content));
    Ok(Edited { text: insert(text, place, &content), said })
}

/// The text with lines before the line that begins at a place.
fn insert(text: &str, place: usize, content: &str) -> String {
    let end = line_end(text);
    let (before, after) = text.split_at(place);
    match before.is_empty() || before.ends_with('\n') || before == "\u{feff}" {
        true => format!("{before}{content}{end}{after}"),
        false => format!("{before}{end}{content}{after}"),
    }
}

/// Where lines stand, each with its line end.
fn spans(text: &str) -> Vec<Range<usize>> {
    let mut at = 0;
    let span = |line: &str| {
        at += line.len();
        at - line.len()..at
    };
    text.split_inclusive('\n').map(span).collect()
}

/// A line's number, from the end if it is negative, as an index.
pub(super) fn line_at(number: i64, count: usize, path: &str) -> Result<usize, String> {
    let from_end = |number: i64| count.checked_sub(usize::try_from(-number).ok()?);
    let index = if number < 0 { from_end(number) } else { usize::try_from(number - 1).ok().filter(|at| *at < count) };
    index.ok_or_else(|| match count {
        0 => format!("`{path}` is empty."),
        count => format!("`{path}` has {}, so there is no line {number}.", counted(count, "line")),
    })
}

/// Which lines are meant: `line`, `lines` with `from` and `to`, or `n` of the `which` = first or last.
pub(super) fn meant(count: usize, path: &str, slots: &Slots<'_>) -> Result<Range<usize>, String> {
    let range = slots.get("lines").or_else(|| slots.get("line"));
    let ends = |from: &str, to: &str| Some((range?.get(from)?.as_i64()?, range?.get(to)?.as_i64()?));
    if let Some((from, to)) =
        ends("from", "to").or_else(|| Some((slots.whole("from")?, slots.whole("to").unwrap_or(-1))))
    {
        let (from, to) = (line_at(from, count, path)?, line_at(to, count, path)?);
        return Ok(from.min(to)..from.max(to) + 1);
    }
    if let Some(number) = slots.whole("line").or_else(|| slots.whole("lines")) {
        let line = line_at(number, count, path)?;
        return Ok(line..line + 1);
    }
    let wanted = slots.count("n").unwrap_or(1).min(count);
    match slots.text("which") {
        Some("first") => Ok(0..wanted),
        Some("last") => Ok(count - wanted..count),
        _ => Err("You did not say which line.".to_owned()),
    }
}

/// `insert_at`: content, line: it becomes this line, counted from the end if the number is negative. With `place` = after: it
/// becomes the next one.
fn insert_at(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let content = content(path, text, slots)?;
    let spans = spans(text);
    let number = slots.whole("line").ok_or("You did not say at which line.")?;
    let after = slots.is("place", "after");
    // One line beyond the last one is its end.
    let last = i64::try_from(spans.len()).unwrap_or(i64::MAX);
    let place = if number == last + 1 && !after {
        text.len()
    } else {
        let line = &spans[line_at(number, spans.len(), path)?];
        // What becomes the last line stands behind the one that is it now.
        let behind = after || number < 0 && !slots.is("place", "before");
        if behind { line.end } else { line.start }
    };
    let at = spans.iter().filter(|span| span.start < place).count() + 1;
    let said = format!("I added {} to `{path}`, at line {at}.", lines_of(&content));
    Ok(Edited { text: insert(text, place, &content), said })
}

/// `insert_near`: content, text (it stands in one line), place = before or after.
fn insert_near(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let (content, near) = (content(path, text, slots)?, slots.need("text")?);
    let found = lines_with(text, &near);
    let line = only_line(&found, &near, path, text)?;
    let span = &spans(text)[line];
    let (place, word) = if slots.is("place", "before") { (span.start, "before") } else { (span.end, "after") };
    let said = format!("I added {} {word} line {} of `{path}`.", lines_of(&content), line + 1);
    Ok(Edited { text: insert(text, place, &content), said })
}

/// The lines that a text stands in; if none is so, those that it stands in whatever the case.
pub(super) fn lines_with(text: &str, wanted: &str) -> Vec<usize> {
    let lines: Vec<&str> = placed_lines(text).map(|(_, line)| line).collect();
    let places = |fits: &dyn Fn(&str) -> bool| (0..lines.len()).filter(|place| fits(lines[*place])).collect::<Vec<_>>();
    let lower = wanted.to_lowercase();
    let ways: [&dyn Fn(&str) -> bool; 3] =
        [&|line| line.trim() == wanted.trim(), &|line| line.contains(wanted), &|line| {
            line.to_lowercase().contains(&lower)
        }];
    ways.into_iter().map(places).find(|found| !found.is_empty()).unwrap_or_default()
}

fn only_line(found: &[usize], wanted: &str, path: &str, text: &str) -> Result<usize, String> {
    match found {
        [] => Err(not_there(wanted, path, text)),
        [line] => Ok(*line),
        several => Err(format!(
            "`{}` stands in {} of `{path}` ({}). Which one?",
            cut_line(wanted),
            counted(several.len(), "line"),
            numbers(several)
        )),
    }
}

fn numbers(lines: &[usize]) -> String {
    let named: Vec<String> = lines.iter().take(MAX_NAMED).map(|line| (line + 1).to_string()).collect();
    let more = if lines.len() > MAX_NAMED { ", …" } else { "" };
    format!("{} {}{more}", if lines.len() == 1 { "line" } else { "lines" }, named.join(", "))
}

fn not_there(wanted: &str, path: &str, text: &str) -> String {
    let shown = cut_line(wanted);
    let lower = wanted.to_lowercase();
    match text.lines().position(|line| line.to_lowercase().contains(&lower)) {
        Some(line) => format!("`{shown}` is not in `{path}` as you wrote it; line {} has it in other case.", line + 1),
        None => format!("`{shown}` is not in `{path}`."),
    }
}

fn without(text: &str, lines: &[usize]) -> String {
    let spans = spans(text);
    let kept = spans.iter().enumerate().filter(|(place, _)| !lines.contains(place));
    let kept: String = kept.map(|(_, span)| &text[span.clone()]).collect();
    // If the last line had no line end, the new last one has none either.
    let ended = text.ends_with('\n') || !lines.contains(&spans.len().saturating_sub(1));
    if ended { kept } else { kept.strip_suffix(line_end(text)).unwrap_or(&kept).to_owned() }
}

/// `delete_lines`: line, lines, from and to, or n and which.
fn delete_lines(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let spans = spans(text);
    let lines: Vec<usize> = meant(spans.len(), path, slots)?.collect();
    let said = match lines.as_slice() {
        [] => return Err(format!("`{path}` has no such line.").into()),
        [line] => {
            format!("I deleted line {} of `{path}`: `{}`.", line + 1, cut_line(text[spans[*line].clone()].trim()))
        }
        [first, .., last] => format!("I deleted lines {} to {} of `{path}`.", first + 1, last + 1),
    };
    Ok(Edited { text: without(text, &lines), said })
}

/// `delete_matching`: text; every line that it stands in if `all`, else the only one.
fn delete_matching(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let wanted = slots.need("text")?;
    let found = lines_with(text, &wanted);
    let lines = match slots.flag("all") && !found.is_empty() {
        true => found,
        false => vec![only_line(&found, &wanted, path, text)?],
    };
    let said = format!("I deleted {} of `{path}` ({}).", counted(lines.len(), "line"), numbers(&lines));
    Ok(Edited { text: without(text, &lines), said })
}

/// `delete_matching_whole`: text; every line that begins with it, if no other has it and none is but a part of a call.
fn delete_matching_whole(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let wanted = slots.need("text")?;
    let lines: Vec<&str> = text.lines().collect();
    let found: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].contains(wanted.as_str())).collect();
    let count = |line: &str, signs: [char; 2]| line.matches(signs[0]).count() == line.matches(signs[1]).count();
    let whole = |line: &str| {
        line.trim_start().starts_with(wanted.as_str())
            && [['(', ')'], ['{', '}'], ['[', ']']].iter().all(|s| count(line, *s))
    };
    if let Some(at) = found.iter().find(|at| !whole(lines[**at])) {
        return Err(format!(
            "Line {} of `{path}` is more than a line of `{}`, so I changed nothing.",
            at + 1,
            cut_line(&wanted)
        )
        .into());
    }
    match found.as_slice() {
        [] => Err(not_there(&wanted, path, text).into()),
        found => {
            let said = format!("I deleted {} of `{path}` ({}).", counted(found.len(), "line"), numbers(found));
            Ok(Edited { text: without(text, found), said })
        }
    }
}

/// `set_only_line`: content in the place of the one line that the file has, if both are numbers, versions or dates.
fn set_only_line(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let content = slots.told("content").ok_or("You did not say what the value is to be.")?;
    let old = text.trim();
    let kind =
        |value: &str| (value.starts_with(|c: char| c.is_ascii_digit()), value.contains('.'), value.contains(' '));
    if old.lines().count() != 1 || kind(old) != kind(content.trim()) || !kind(old).0 {
        return Err(format!("`{path}` holds more than one such value. Say what is to be replaced.").into());
    }
    if old == content.trim() {
        return Err(format!("`{path}` is `{old}` already.").into());
    }
    let said = format!("I changed `{path}` from `{}` to `{}`.", cut_line(old), cut_line(content.trim()));
    Ok(Edited { text: text.replacen(old, content.trim(), 1), said })
}

/// `delete_text`: text, wherever it stands.
fn delete_text(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let wanted = slots.need("text")?;
    match text.matches(wanted.as_str()).count() {
        0 => Err(not_there(&wanted, path, text).into()),
        count => Ok(Edited {
            text: text.replace(wanted.as_str(), ""),
            said: format!("I removed `{}` from `{path}`, {}.", cut_line(&wanted), times(count)),
        }),
    }
}

pub(super) fn times(count: usize) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

/// `replace_line`: line, content.
fn replace_line(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let spans = spans(text);
    let lines = meant(spans.len(), path, slots)?;
    let content = content(path, text, slots)?;
    let (first, last) = (&spans[lines.start], &spans[lines.end - 1]);
    let old = &text[first.start..last.end];
    let end = &old[old.trim_end_matches(['\n', '\r']).len()..];
    let end = if end.starts_with('\r') {
        "\r\n"
    } else if end.is_empty() {
        ""
    } else {
        "\n"
    };
    let said = format!("I replaced line {} of `{path}`: it was `{}`.", lines.start + 1, cut_line(old.trim()));
    Ok(Edited::put(text, first.start..last.end, &(content + end), said))
}

/// `replace_text`: old, new; `whole` = whole words only, `first` = the first place only, `only` = only if there is no
/// other, `any_case`.
pub(super) fn replace_text(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let (old, new) = (slots.need("old")?, slots.need("new")?);
    if old == new {
        return Err("Both texts are the same.".to_owned().into());
    }
    let edge = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let mut pattern = regex::escape(&old);
    if slots.flag("whole") {
        let (start, end) = (edge(old.chars().next()), edge(old.chars().next_back()));
        pattern = format!("{}{pattern}{}", if start { r"\b" } else { "" }, if end { r"\b" } else { "" });
    }
    let pattern = RegexBuilder::new(&pattern).case_insensitive(slots.flag("any_case")).build();
    let pattern = pattern.map_err(|_| format!("`{}` is too long to be sought.", cut_line(&old)))?;
    let count = pattern.find_iter(text).count();
    if count == 0 {
        return Err(not_there(&old, path, text).into());
    }
    if count > 1 && slots.flag("only") {
        return Err(
            format!("`{}` stands {} in `{path}`. Say which one is to change.", cut_line(&old), times(count)).into()
        );
    }
    let limit = usize::from(slots.flag("first"));
    let changed = pattern.replacen(text, limit, regex::NoExpand(&new)).into_owned();
    let count = if limit == 1 { 1 } else { count };
    let said = format!("I replaced `{}` with `{}` in `{path}`, {}.", cut_line(&old), cut_line(&new), times(count));
    Ok(Edited { text: changed, said })
}

/// What an item of a list begins with; a box is empty.
fn mark(line: &str) -> Option<&'static str> {
    let line = line.trim_start();
    ["- [ ] ", "* [ ] ", "- ", "* "].into_iter().find(|mark| line.replace("[x]", "[ ]").starts_with(mark))
}

/// `tick`: the box of the one item that has the text.
fn tick(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let wanted = slots.need("text")?;
    let has = |line: &&str| line.contains("[ ]") && line.to_lowercase().contains(&wanted.to_lowercase());
    let found: Vec<&str> = text.lines().filter(has).collect();
    let [line] = found.as_slice() else {
        let what = cut_line(&wanted);
        return Err(match found.len() {
            0 => format!("`{path}` has no open item `{what}`.").into(),
            count => format!("`{path}` has {count} open items with `{what}`. Say which one.").into(),
        });
    };
    let ticked = line.replacen("[ ]", "[x]", 1);
    Ok(Edited {
        text: text.replacen(*line, &ticked, 1),
        said: format!("I ticked off `{}` in `{path}`.", cut_line(line.trim())),
    })
}

/// `replace_all`: content in the place of everything; only for requests that say so.
fn replace_all(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let content = slots.told("content").ok_or("You did not say what is to be written. Put it in quotation marks.")?;
    Ok(Edited { text: content, said: replaced(path, text.lines().count()) })
}

#[cfg(test)]
#[path = "edits_tests.rs"]
mod tests;
