//! Changes of code: a function that goes, a line that becomes a comment, an entry of a list that is crossed off.

use std::ops::Range;

use regex::Regex;
use serde_json::{Map, Value};

use super::edited::{Edit, Edited};
use super::edits::{line_at, lines_with};
use super::lines::{comment_out, uncomment};
use super::record_edits::remove_whole;
use super::show::cut_line;
use super::slots::Slots;
use super::unmade::Unmade;

/// The edits of code, by name.
pub(super) const EDITS: &[(&str, Edit)] = &[
    ("delete_function", delete_function),
    ("comment_out_matching", comment_out_matching),
    ("uncomment_matching", uncomment_matching),
    ("delete_entry", delete_entry),
];

/// `comment_out_matching`: text of one line, which becomes a comment.
pub(super) fn comment_out_matching(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    comment_out(path, text, &Slots::of(&only_such(path, text, slots, false)?))
}

/// `uncomment_matching`: text of one comment, which becomes a line.
pub(super) fn uncomment_matching(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    uncomment(path, text, &Slots::of(&only_such(path, text, slots, true)?))
}

/// The number of the one line with the text that is a comment, or is none.
fn only_such(path: &str, text: &str, slots: &Slots<'_>, comment: bool) -> Result<Map<String, Value>, String> {
    let wanted = slots.need("text")?;
    let such = |at: &usize| text.lines().nth(*at).is_some_and(|line| is_comment(line) == comment);
    let lines: Vec<usize> = lines_with(text, &wanted).into_iter().filter(such).collect();
    let [line] = lines.as_slice() else {
        let what = if comment { "comment" } else { "line that is not a comment" };
        return Err(match lines.len() {
            0 => format!("No {what} of `{path}` has `{}`.", cut_line(&wanted)),
            count => format!("{count} lines of `{path}` have `{}`. Which one? Say its number.", cut_line(&wanted)),
        });
    };
    Ok(Map::from_iter([("line".to_owned(), (line + 1).into())]))
}

fn is_comment(line: &str) -> bool {
    ["#", "//", "/*", "--", ";", "<!--"].iter().any(|mark| line.trim_start().starts_with(mark))
        && !line.trim_start().starts_with("#define")
        && !line.trim_start().starts_with("#include")
}

/// `delete_entry`: the one line that is just this text, bullets and case aside.
pub(super) fn delete_entry(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let wanted = slots.need("text")?;
    let plain = |line: &str| {
        let line =
            line.trim().trim_start_matches(|c: char| "-*+•[]".contains(c) || c.is_ascii_digit() || c.is_whitespace());
        line.trim_start_matches(['.', ')', 'x', ' '])
            .trim_end_matches([',', ';'])
            .trim_matches(['"', '\''])
            .to_lowercase()
    };
    let whole =
        |line: &str| plain(line) == wanted.trim().to_lowercase() || line.trim().eq_ignore_ascii_case(wanted.trim());
    let lines: Vec<&str> = text.lines().collect();
    let found: Vec<usize> = (0..lines.len()).filter(|at| whole(lines[*at])).collect();
    // A call in code is all that its line says: `console.log(x);`.
    let begins =
        |line: &str| line.trim().strip_prefix(wanted.trim_end_matches("()")).is_some_and(|rest| rest.starts_with('('));
    let calls =
        || (0..lines.len()).filter(|at| begins(lines[*at]) && lines[*at].trim_end().ends_with([')', ';'])).collect();
    let found: Vec<usize> = if found.is_empty() { calls() } else { found };
    let at = match (found.as_slice(), slots.whole("line")) {
        ([at], None) => *at,
        ([], _) => {
            if let Some(removed) = remove_whole(path, text, &wanted) {
                return removed;
            }
            let in_list =
                lines_with(text, &wanted).iter().find_map(|at| Some((*at, out_of_list(lines[*at], &wanted)?)));
            return match (in_list, lines_with(text, &wanted).as_slice()) {
                (Some((at, after)), [_]) => Ok(Edited {
                    text: text.replacen(lines[at], &after, 1),
                    said: format!("I removed `{}` from line {} of `{path}`.", cut_line(&wanted), at + 1),
                }),
                (_, [line, ..]) => {
                    Err(format!("No entry of `{path}` is just `{}`; line {} has it.", cut_line(&wanted), line + 1)
                        .into())
                }
                (_, []) => Err(Unmade::not_in(path, &wanted)),
            };
        }
        // "the second one" of several.
        (several, Some(which)) => several[line_at(which, several.len(), path)?],
        (several, None) => {
            return Err(format!(
                "`{}` stands {} times in `{path}`. Say the number of the line.",
                cut_line(&wanted),
                several.len()
            )
            .into());
        }
    };
    let text: String =
        text.split_inclusive('\n').enumerate().filter(|(place, _)| *place != at).map(|(_, line)| line).collect();
    Ok(Edited { text, said: format!("I removed `{}` from `{path}` (line {}).", cut_line(lines[at].trim()), at + 1) })
}

/// The line without one member of the list that it holds: `a, b, c`, or the values of a directive.
fn out_of_list(line: &str, wanted: &str) -> Option<String> {
    let divider = if line.contains(", ") { ", " } else { " " };
    let is_list = divider == ", " || line.trim_end().ends_with(';');
    let indent = &line[..line.len() - line.trim_start().len()];
    let (body, end) = match line.trim().strip_suffix(';') {
        Some(body) => (body, ";"),
        None => (line.trim(), ""),
    };
    let members: Vec<&str> = body.split(divider).collect();
    let others: Vec<&str> = members.iter().copied().filter(|member| *member != wanted).collect();
    (is_list && others.len() > 1 && others.len() + 1 == members.len())
        .then(|| format!("{indent}{}{end}", others.join(divider)))
}

/// `delete_function`: the function called `text`, with its decorators and the comment on it.
fn delete_function(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let name = slots.need("text")?;
    let name = name.trim_end_matches("()");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let found: Vec<Range<usize>> = functions(&lines, name);
    let [range] = found.as_slice() else {
        return Err(match found.len() {
            0 => format!("I found no function `{name}` in `{path}`.").into(),
            count => format!("There are {count} functions `{name}` in `{path}`. Say which lines to delete.").into(),
        });
    };
    let mut end = range.end;
    // The blank lines behind it go, too; those before it stay between its neighbors.
    while lines.get(end).is_some_and(|line| line.trim().is_empty()) {
        end += 1;
    }
    let mut start = range.start;
    if end == lines.len() {
        while start > 0 && lines[start - 1].trim().is_empty() {
            start -= 1;
        }
    }
    let said = format!("I deleted the function `{name}` from `{path}` (lines {} to {}).", range.start + 1, range.end);
    Ok(Edited { text: lines[..start].concat() + &lines[end..].concat(), said })
}

/// Where the functions of that name stand, by lines.
pub(super) fn functions(lines: &[&str], name: &str) -> Vec<Range<usize>> {
    let word = regex::escape(name);
    let begins = [
        format!(
            r"^\s*(?:[\w()]+\s+){{0,5}}(?:def|fn|func|function|fun|sub|class|struct|interface|trait|enum)\s+(?:\([^)]*\)\s*)?{word}\b"
        ),
        format!(r"^\s*(?:export\s+)?(?:const|let|var)\s+{word}\s*=\s*(?:async\s*)?(?:function\b|\(|\w+\s*=>)"),
        format!(r"^(?:[A-Za-z_][\w\s*&<>:]*[\s*&]){word}\s*\([^;]*$"),
        format!(r"^\s+(?:(?:async|static|get|set)\s+)*{word}\s*\([^;]*\)\s*\{{"),
        format!(r"^\s*{word}\s*\(\)\s*\{{"),
    ];
    let Ok(begins) = Regex::new(&begins.map(|one| format!("(?:{one})")).join("|")) else { return Vec::new() };
    let starts = (0..lines.len()).filter(|at| begins.is_match(lines[*at]) && !is_comment(lines[*at]));
    starts.filter_map(|at| Some(beginning(lines, at)..ending(lines, at)?)).collect()
}

/// With what belongs to it above: decorators, attributes, comments.
fn beginning(lines: &[&str], mut at: usize) -> usize {
    while at > 0 && {
        let above = lines[at - 1].trim_start();
        above.starts_with('@')
            || above.starts_with("#[")
            || above.starts_with("///")
            || above.starts_with("/**")
            || above.starts_with("* ")
            || above.starts_with("*/")
    } {
        at -= 1;
    }
    at
}

/// Where it ends: at the brace that closes it, else before the next line that stands no further in.
fn ending(lines: &[&str], at: usize) -> Option<usize> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let by_indent = lines[at].trim_end().ends_with(':') || lines[at].trim_start().starts_with("def ");
    if by_indent {
        let mut header = at;
        while !lines[header].trim_end().ends_with(':') {
            header += 1;
            lines.get(header)?;
        }
        let inside = |line: &&&str| line.trim().is_empty() || indent(line) > indent(lines[at]);
        let mut end = header + 1 + lines[header + 1..].iter().take_while(inside).count();
        while end > at + 1 && lines[end - 1].trim().is_empty() {
            end -= 1;
        }
        return Some(end);
    }
    let mut depth = 0_i64;
    let mut opened = false;
    for (place, line) in lines.iter().enumerate().skip(at) {
        for character in line.chars() {
            match character {
                '{' => (depth, opened) = (depth + 1, true),
                '}' => depth -= 1,
                _ => {}
            }
        }
        if opened && depth <= 0 {
            return Some(place + 1);
        }
        if !opened && place > at + 4 {
            break;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_goes_as_a_whole() {
        let slots = serde_json::Map::from_iter([("text".to_owned(), "old".into())]);
        for (before, after) in [
            (
                "import a\n\n\n@deco\ndef old(\n    x,\n):\n    y = 1\n\n    return y\n\n\ndef new():\n    pass\n",
                "import a\n\n\ndef new():\n    pass\n",
            ),
            ("function old() {\n  if (a) { b }\n}\n\nfunction older() {}\n", "function older() {}\n"),
            ("int a;\n\nint old(void)\n{\n    return 1;\n}\n", "int a;\n"),
        ] {
            let edited = delete_function("a", before, &Slots::of(&slots)).map(|edited| edited.text);

            assert_eq!(edited.as_deref(), Ok(after));
        }
    }
}
