//! What a text is like: its lines, counts and parts.

use std::collections::BTreeMap;

use serde_json::Value;

use super::digest;
use super::done::{Done, Reply};

use super::edits::meant;
use super::listing::entries;
use super::shape::{counted, describe};
use super::show::{block, cut_line, inline, language_of, sentence, shown};
use switchboard_events::ArtifactValue;

/// How many lines or items an answer lists.
const MAX_LISTED: usize = 100;

/// The replies about texts and values.
pub(super) const REPLIES: &[(&str, Reply)] = &[
    ("show", show),
    ("lines", lines),
    ("matching_lines", matching_lines),
    ("frequency", frequency),
    ("structure", structure),
    ("items", items),
    ("headings", headings),
    ("first_paragraph", first_paragraph),
    ("links", links),
    ("emails", emails),
    ("todos", todos),
    ("compare", compare),
    ("valid", valid),
    ("section", section),
    ("summary", summary),
];

/// `show`: the value, of several files each.
fn show(done: &Done<'_>) -> Result<String, String> {
    let last = done.last()?;
    let limited = last.arguments.contains_key("limit") || last.arguments.contains_key("offset");
    let parts = done.texts().unwrap_or_default();
    if parts.is_empty() {
        let value = last.value.as_ref().ok_or_else(|| last.view.clone())?;
        let label = done.label();
        return Ok(sentence(value, &format!("{label} is"), &label));
    }
    let one = |(path, text): &(String, String)| {
        let count = counted(text.lines().count(), "line");
        match (text.is_empty(), limited) {
            (true, _) => format!("`{path}` is empty."),
            (false, true) => format!("{count} of `{path}`:\n\n{}", block(text, language_of(path))),
            (false, false) => format!("`{path}` ({count}):\n\n{}", block(text, language_of(path))),
        }
    };
    Ok(parts.iter().map(one).collect::<Vec<_>>().join("\n\n"))
}

fn numbered(text: &[(usize, &str)]) -> String {
    let lines: Vec<String> = text.iter().take(MAX_LISTED).map(|(at, line)| format!("{}: {line}", at + 1)).collect();
    let more = text.len().saturating_sub(MAX_LISTED);
    let more =
        if more == 0 { String::new() } else { format!("\n\nThese are the first {MAX_LISTED} of {}.", text.len()) };
    format!("{}{more}", block(&lines.join("\n"), "text"))
}

/// `lines`: those that are meant.
fn lines(done: &Done<'_>) -> Result<String, String> {
    let (text, label) = (done.text()?, done.label());
    let all: Vec<(usize, &str)> = text.lines().enumerate().collect();
    if all.is_empty() {
        return Err(format!("{label} is empty."));
    }
    let by_length = |(_, line): &&(usize, &str)| line.chars().count();
    let chosen: Vec<(usize, &str)> = match done.slots.text("which") {
        Some("longest") => all.iter().rev().max_by_key(by_length).into_iter().copied().collect(),
        Some("shortest") => {
            all.iter().filter(|(_, line)| !line.trim().is_empty()).min_by_key(by_length).into_iter().copied().collect()
        }
        Some("random") => vec![all[fastrand::usize(..all.len())]],
        _ => all[meant(all.len(), label.trim_matches('`'), &done.slots)?].to_vec(),
    };
    Ok(match chosen.as_slice() {
        [(at, line)] => format!("Line {} of {label}:\n\n{}", at + 1, block(line, "text")),
        several => format!("{} of {label}:\n\n{}", counted(several.len(), "line"), numbered(several)),
    })
}

/// `matching_lines`: those that have a text, or not.
fn matching_lines(done: &Done<'_>) -> Result<String, String> {
    let (text, label, wanted) = (done.text()?, done.label(), done.slots.need("text")?);
    let not = done.slots.flag("not");
    let exact = text.contains(wanted.as_str());
    let lower = wanted.to_lowercase();
    let has = |line: &str| if exact { line.contains(wanted.as_str()) } else { line.to_lowercase().contains(&lower) };
    let found: Vec<(usize, &str)> = text.lines().enumerate().filter(|(_, line)| has(line) != not).collect();
    let wanted = cut_line(&wanted);
    let (verb, verbs) = if not { ("has no", "have no") } else { ("has", "have") };
    // A heading alone is not what stands under it.
    let heads = found.iter().all(|(_, line)| line.starts_with('#') || line.trim_end().ends_with(':'));
    if heads && !not && !found.is_empty() && !done.slots.is_quoted("text") && label.ends_with(".md`") {
        return Err(format!("`{wanted}` is only a heading of {label}."));
    }
    Ok(match found.len() {
        0 => return done.nothing(format!("No line of {label} {verb} `{wanted}`.")),
        1 => format!("1 line of {label} {verb} `{wanted}`:\n\n{}", numbered(&found)),
        count => format!("{count} lines of {label} {verbs} `{wanted}`:\n\n{}", numbered(&found)),
    })
}

/// `frequency`: what stands there most often.
fn frequency(done: &Done<'_>) -> Result<String, String> {
    let text = done.text()?;
    let unit = done.slots.text("unit").unwrap_or("words");
    let mut counts = BTreeMap::<String, usize>::new();
    let mut add = |item: String| *counts.entry(item).or_default() += 1;
    match unit {
        "lines" => text.lines().filter(|line| !line.trim().is_empty()).for_each(|line| add(line.trim().to_owned())),
        "characters" => text.chars().filter(|c| !c.is_whitespace()).for_each(|c| add(c.to_string())),
        _ => text
            .split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '_')
            .filter(|word| word.chars().any(char::is_alphabetic))
            .for_each(|word| add(word.to_lowercase())),
    }
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    let wanted = done.slots.count("n").unwrap_or(10).min(MAX_LISTED);
    let listed: Vec<String> =
        counts.iter().take(wanted).map(|(item, count)| format!("- `{}`: {count}", cut_line(item))).collect();
    match listed.is_empty() {
        true => Err(format!("{} has no {unit}.", done.label())),
        false => Ok(format!("The most frequent {unit} in {}:\n\n{}", done.label(), listed.join("\n"))),
    }
}

/// `structure`.
fn structure(done: &Done<'_>) -> Result<String, String> {
    let value = done.json().map_or_else(|_| done.value(), |json| Ok(ArtifactValue::Json(json)))?;
    Ok(describe(&done.label(), &value))
}

/// `items`: elements of a list.
fn items(done: &Done<'_>) -> Result<String, String> {
    let label = done.label();
    let names = entries(&done.value()?);
    let items: Vec<Value> = match done.json() {
        Ok(Value::Array(items)) if !done.last()?.is_listing() => items,
        _ => names.into_iter().map(Value::String).collect(),
    };
    let chosen = &items[meant(items.len(), label.trim_matches('`'), &done.slots)?];
    Ok(match chosen {
        [one] => shown(&ArtifactValue::Json(one.clone()), None),
        several => {
            several.iter().take(MAX_LISTED).map(|item| format!("- {}", inline(item))).collect::<Vec<_>>().join("\n")
        }
    })
}

fn listed(done: &Done<'_>, [one, many]: [&str; 2], found: &[String]) -> String {
    let label = done.label();
    match found.len() {
        0 => format!("{label} has no {one}."),
        count => {
            let shown: Vec<String> = found.iter().take(MAX_LISTED).map(|item| format!("- {item}")).collect();
            format!("{label} has {count} {}:\n\n{}", if count == 1 { one } else { many }, shown.join("\n"))
        }
    }
}

/// `headings`.
fn headings(done: &Done<'_>) -> Result<String, String> {
    let text = done.text()?;
    let is_heading = |line: &&str| line.starts_with('#') && line.trim_start_matches('#').starts_with(' ');
    let found: Vec<String> = text.lines().filter(is_heading).map(|line| format!("`{}`", cut_line(line))).collect();
    Ok(listed(done, ["heading", "headings"], &found))
}

/// `first_paragraph`.
fn first_paragraph(done: &Done<'_>) -> Result<String, String> {
    let text = done.text()?.replace("\r\n", "\n");
    let plain = |part: &&str| !part.trim().is_empty() && !part.trim_start().starts_with(['#', '=', '-', '<', '[', '!']);
    let first = text.split("\n\n").find(plain).ok_or_else(|| format!("{} has no paragraph.", done.label()))?;
    Ok(format!("The first paragraph of {}:\n\n{}", done.label(), block(first.trim(), "text")))
}

fn words(done: &Done<'_>, fits: impl Fn(&str) -> bool) -> Result<Vec<String>, String> {
    let text = done.text()?;
    let apart = |c: char| c.is_whitespace() || "<>()[]\"'`,;{}|".contains(c);
    let found = text.split(apart).map(|word| word.trim_end_matches(['.', ':', '!', '?'])).filter(|word| fits(word));
    let found: std::collections::BTreeSet<String> = found.map(|word| format!("`{}`", cut_line(word))).collect();
    Ok(found.into_iter().collect())
}

/// `links`.
fn links(done: &Done<'_>) -> Result<String, String> {
    Ok(listed(
        done,
        ["link", "links"],
        &words(done, |word| word.starts_with("http://") || word.starts_with("https://"))?,
    ))
}

/// `emails`.
fn emails(done: &Done<'_>) -> Result<String, String> {
    let is_mail = |word: &str| word.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'));
    Ok(listed(done, ["address", "addresses"], &words(done, is_mail)?))
}

/// `todos`.
fn todos(done: &Done<'_>) -> Result<String, String> {
    let text = done.text()?;
    let marks = ["TODO", "FIXME", "XXX", "HACK", "- [ ]"];
    let found = text.lines().enumerate().filter(|(_, line)| marks.iter().any(|mark| line.contains(mark)));
    let found: Vec<String> = found.map(|(at, line)| format!("line {}: `{}`", at + 1, cut_line(line.trim()))).collect();
    Ok(listed(done, ["open point", "open points"], &found))
}

/// `compare`: two texts.
fn compare(done: &Done<'_>) -> Result<String, String> {
    let texts = done.texts()?;
    let [(one, before), (other, after)] = texts.as_slice() else {
        return Err("Two files are needed to compare.".to_owned());
    };
    let diff = switchboard_tools::diff::moved(one, other, Some(before.as_bytes()), Some(after.as_bytes()));
    Ok(match before == after {
        true => format!("`{one}` and `{other}` are the same."),
        false => format!("`{one}` and `{other}` differ:\n\n{}", block(&diff, "diff")),
    })
}

/// `valid`: whether a text is JSON or TOML.
fn valid(done: &Done<'_>) -> Result<String, String> {
    let (text, label) = (done.text()?, done.label());
    let name = label.trim_matches('`').to_lowercase();
    let (format, error) = match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "toml" => ("TOML", toml::from_str::<toml::Table>(&text).err().map(|error| error.to_string())),
        "csv" | "tsv" => ("CSV", uneven(&text)),
        "" | "json" => {
            ("JSON", serde_json::from_str::<serde::de::IgnoredAny>(&text).err().map(|error| error.to_string()))
        }
        _ => return Err(format!("I can check JSON, TOML and CSV, and {label} is none of them.")),
    };
    Ok(match error {
        None => format!("Yes, {label} is valid {format}."),
        Some(error) => format!("No, {label} is not valid {format}: {}", cut_line(error.trim())),
    })
}

/// The first row of a table that has more or fewer cells than the row before.
fn uneven(text: &str) -> Option<String> {
    let divider = switchboard_tables::divider(text).unwrap_or(b',');
    let mut rows = csv::ReaderBuilder::new().has_headers(false).delimiter(divider).from_reader(text.as_bytes());
    let error = rows.records().find_map(Result::err)?;
    let csv::ErrorKind::UnequalLengths { pos, expected_len, len } = error.kind() else {
        return Some(error.to_string());
    };
    let line = pos.as_ref().map_or(0, csv::Position::line);
    Some(format!(
        "line {line} has {}, and those above have {expected_len}",
        counted(usize::try_from(*len).ok()?, "cell")
    ))
}

/// `section`: the text under a heading.
fn section(done: &Done<'_>) -> Result<String, String> {
    let (text, label, wanted) = (done.text()?, done.label(), done.slots.need("text")?);
    let lines: Vec<&str> = text.lines().collect();
    let level = |at: usize| {
        let line = lines[at];
        let marks = line.bytes().take_while(|byte| *byte == b'#').count();
        let under = lines.get(at + 1).filter(|next| next.len() >= 3 && !line.trim().is_empty());
        let underlined =
            under.and_then(|next| ["=", "-", "~"].iter().position(|c| next.trim_end().replace(c, "").is_empty()));
        match (marks, line.starts_with('[') && line.trim_end().ends_with(']'), underlined) {
            (1..=6, ..) if line[marks..].starts_with(' ') => Some(marks),
            (_, true, _) => Some(1),
            (.., Some(place)) => Some(place + 1),
            _ => None,
        }
    };
    let headings: Vec<(usize, usize)> = (0..lines.len()).filter_map(|at| Some((at, level(at)?))).collect();
    let lower = wanted.to_lowercase();
    let Some(place) = headings.iter().position(|(at, _)| lines[*at].to_lowercase().contains(&lower)) else {
        let names: Vec<String> =
            headings.iter().take(20).map(|(at, _)| format!("`{}`", cut_line(lines[*at]))).collect();
        return Err(match names.is_empty() {
            true => format!("{label} has no headings."),
            false => format!("{label} has no heading with `{}`. It has: {}.", cut_line(&wanted), names.join(", ")),
        });
    };
    let (start, own) = headings[place];
    let end = headings[place + 1..].iter().find(|(_, level)| *level <= own).map_or(lines.len(), |(at, _)| *at);
    Ok(format!("From {label}:\n\n{}", block(lines[start..end].join("\n").trim_end(), "text")))
}

/// How many sentences a summary may be asked to have.
const MOST_SENTENCES: usize = 12;

/// `summary`: what can be said of a text without understanding it.
fn summary(done: &Done<'_>) -> Result<String, String> {
    let (text, label) = (done.text()?, done.label());
    let wanted = done.slots.count("n").map(|count| count.clamp(1, MOST_SENTENCES));
    let value = done.json().map_or_else(|_| ArtifactValue::Text(text.clone()), ArtifactValue::Json);
    if let (ArtifactValue::Text(_), Some(digest)) = (&value, digest::summary(&text, wanted)) {
        return Ok(digest.told(&label));
    }
    let about = describe(&label, &value);
    if !matches!(value, ArtifactValue::Text(_)) {
        return Ok(about);
    }
    let plain = |line: &&str| !line.trim().is_empty() && !line.starts_with(['#', '=', '-', '|', '`', '<', '!']);
    let prose = text.lines().filter(plain).collect::<Vec<_>>().join(" ");
    let sentences: Vec<&str> =
        prose.split_inclusive(['.', '!', '?']).take(wanted.unwrap_or(3)).map(str::trim).collect();
    let begins = cut_line(&sentences.join(" "));
    Ok(format!("{about}\n\nI am not a language model and cannot sum it up; its first sentences: {begins}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_other_lengths_are_told_by_their_line() {
        assert_eq!(uneven("a,b\n1,2\n3,4\n"), None);
        assert_eq!(uneven("a;b\n1;\"2\n3\"\n4;5\n"), None);
        assert_eq!(uneven("a,b\n1,2\n3\n").as_deref(), Some("line 3 has 1 cell, and those above have 2"));
    }
}
