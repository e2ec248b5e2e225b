//! Replies about files: lists, matches, changes.

use std::collections::BTreeSet;

use serde_json::Value;

use super::done::{Done, Reply, Stepped};
use super::listing::entries;
use super::shape::{counted, replaced};
use super::show::{block, cut_line};
use switchboard_events::ArtifactValue;

/// How many names or lines a list shows.
const MAX_LISTED: usize = 100;

/// The longest diff that a reply shows, in lines.
const MAX_DIFF_LINES: usize = 60;

/// The replies about files.
pub(super) const REPLIES: &[(&str, Reply)] = &[
    ("list", list),
    ("matches", matches),
    ("count_matches", count_matches),
    ("files_with", files_with),
    ("exists", exists),
    ("changed", changed),
    ("undone", undone),
];

/// A name in a list, and what is known of it.
struct Listed {
    name: String,
    folder: bool,
    bytes: Option<u64>,
}

fn listed(value: &ArtifactValue) -> Vec<Listed> {
    if let ArtifactValue::Json(Value::Array(items)) = value
        && items.iter().any(Value::is_object)
    {
        let one = |item: &Value| {
            let name = item.get("name").or_else(|| item.get("path"))?.as_str()?.to_owned();
            let folder = item.get("type").and_then(Value::as_str) == Some("directory");
            Some(Listed { name, folder, bytes: item.get("bytes").and_then(Value::as_u64) })
        };
        return items.iter().filter_map(one).collect();
    }
    let one = |name: String| Listed { folder: name.ends_with('/'), name, bytes: None };
    entries(value).into_iter().map(one).collect()
}

/// `list`: of a folder or a search by name.
fn list(done: &Done<'_>) -> Result<String, String> {
    let last = done.last()?;
    let slots = &done.slots;
    let mut all = listed(&done.value()?);
    match slots.text("only") {
        Some("files") => all.retain(|entry| !entry.folder),
        Some("folders") => all.retain(|entry| entry.folder),
        _ => {}
    }
    if let Some(ending) = slots.text("extension") {
        let ending = format!(".{}", ending.trim_start_matches(['*', '.'])).to_lowercase();
        all.retain(|entry| entry.name.to_lowercase().ends_with(&ending));
    }
    match slots.text("order") {
        Some("size") => all.sort_by_key(|entry| std::cmp::Reverse(entry.bytes)),
        Some("type") => all.sort_by_key(|entry| entry.name.rsplit('.').next().map(str::to_owned)),
        Some("name") => all.sort_by_key(|entry| entry.name.to_lowercase()),
        _ => {}
    }
    let total = all.len();
    all.truncate(slots.count("n").unwrap_or(MAX_LISTED));
    let label = done.label();
    let pattern = last.given(&["pattern"]).concat();
    let folders = all.iter().filter(|entry| entry.folder).count();
    let files = all.len() - folders;
    let what = match (folders, files) {
        (0, files) => counted(files, "file"),
        (folders, 0) => counted(folders, "folder"),
        (folders, files) => format!("{} and {}", counted(folders, "folder"), counted(files, "file")),
    };
    let by_size = slots.is("order", "size");
    let line = |entry: &Listed| {
        let mark = if entry.folder && !entry.name.ends_with('/') { "/" } else { "" };
        let bytes = entry.bytes.filter(|_| by_size && !entry.folder).map(|bytes| format!(" ({})", sized(bytes)));
        format!("- `{}{mark}`{}", entry.name.replace('`', "'"), bytes.unwrap_or_default())
    };
    let lines = all.iter().map(line).collect::<Vec<_>>().join("\n");
    Ok(match (total, pattern.is_empty()) {
        (0, false) => return done.nothing(format!("No file matches `{pattern}`.")),
        (0, true) => format!("{label} has no {}.", slots.text("only").unwrap_or("files")),
        _ if last.is_capped() => format!("The first {} of more in {label}:\n\n{lines}", all.len()),
        (total, _) if total > all.len() => format!("The first {} of {total} in {label}:\n\n{lines}", all.len()),
        (1, false) => format!("1 file matches `{pattern}`:\n\n{lines}"),
        (_, false) => format!("{} match `{pattern}`:\n\n{lines}", counted(total, "file")),
        (_, true) => format!("{label} has {what}:\n\n{lines}").replacen("the workspace", "The workspace", 1),
    })
}

/// A size for people.
pub(super) fn sized(bytes: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "one digit behind the point is shown")]
    let in_unit = |unit: u64| format!("{:.1}", bytes as f64 / unit as f64);
    match bytes {
        0..1024 => counted(usize::try_from(bytes).unwrap_or_default(), "byte"),
        1024..1_048_576 => format!("{} KiB", in_unit(1024)),
        _ => format!("{} MiB", in_unit(1_048_576)),
    }
}

/// The matches of a search: file, line, text.
fn found(done: &Done<'_>) -> Result<Vec<(String, u64, String)>, String> {
    let ArtifactValue::Json(Value::Array(items)) = done.value()? else { return Ok(Vec::new()) };
    let one = |item: &Value| {
        let text = |key: &str| item.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        (text("path"), item.get("line").and_then(Value::as_u64).unwrap_or_default(), text("text"))
    };
    Ok(items.iter().map(one).collect())
}

fn wanted(done: &Done<'_>) -> String {
    let told = done.slots.told("text").or_else(|| done.slots.told("pattern"));
    let wanted = told.unwrap_or_else(|| done.last().map(|last| last.given(&["pattern"]).concat()).unwrap_or_default());
    cut_line(&wanted)
}

fn place(last: &Stepped) -> String {
    let path = last.given(&["path"]).concat();
    let names = last.given(&["glob"]).concat();
    let place = if path.is_empty() || path == "." { String::new() } else { format!(" in `{path}`") };
    if names.is_empty() { place } else { format!("{place} in files like `{names}`") }
}

/// `matches`.
fn matches(done: &Done<'_>) -> Result<String, String> {
    let (last, found, wanted) = (done.last()?, found(done)?, wanted(done));
    let place = place(last);
    if found.is_empty() {
        return done.nothing(format!("I found no `{wanted}`{place}."));
    }
    let files: BTreeSet<&str> = found.iter().map(|(path, ..)| path.as_str()).collect();
    let spread = if files.len() > 1 { format!(" of {}", counted(files.len(), "file")) } else { String::new() };
    let lines = found.iter().take(MAX_LISTED).map(|(path, line, text)| format!("{path}:{line}: {}", text.trim()));
    let text = block(&lines.collect::<Vec<_>>().join("\n"), "text");
    let shown = found.len().min(MAX_LISTED);
    Ok(match (last.is_capped(), found.len() > shown) {
        (true, _) => format!("`{wanted}` occurs in more lines than I looked for{place}. The first {shown}:\n\n{text}"),
        (false, true) => {
            format!(
                "`{wanted}` occurs in {} lines{spread}{place}. The first {shown} of {}:\n\n{text}",
                found.len(),
                found.len()
            )
        }
        (false, false) => format!("`{wanted}` occurs in {}{spread}{place}:\n\n{text}", counted(found.len(), "line")),
    })
}

/// `count_matches`.
fn count_matches(done: &Done<'_>) -> Result<String, String> {
    let (last, found, wanted) = (done.last()?, found(done)?, wanted(done));
    let files: BTreeSet<&str> = found.iter().map(|(path, ..)| path.as_str()).collect();
    let least = if last.is_capped() { "at least " } else { "" };
    let (lines, files) = (counted(found.len(), "line"), counted(files.len(), "file"));
    Ok(format!("`{wanted}` occurs in {least}**{lines}** of {least}{files}{}.", place(last)))
}

/// `files_with`.
fn files_with(done: &Done<'_>) -> Result<String, String> {
    let (last, found, wanted) = (done.last()?, found(done)?, wanted(done));
    let files: BTreeSet<&str> = found.iter().map(|(path, ..)| path.as_str()).collect();
    if files.is_empty() {
        return done.nothing(format!("No file has `{wanted}`{}.", place(last)));
    }
    let listed: Vec<String> = files.iter().take(MAX_LISTED).map(|path| format!("- `{path}`")).collect();
    let more = if last.is_capped() { " at least" } else { "" };
    Ok(format!("`{wanted}` occurs in{more} {}{}:\n\n{}", counted(files.len(), "file"), place(last), listed.join("\n")))
}

/// `exists`: whether a path is there; of a search by name, whether it found something.
fn exists(done: &Done<'_>) -> Result<String, String> {
    let name = done.slots.told("path").or_else(|| done.slots.told("file")).unwrap_or_default();
    let there = match done.steps.last() {
        Some(_) => entries(&done.value()?),
        None if done.slots.flag("path_exists") || done.slots.flag("file_exists") => vec![name.clone()],
        None => Vec::new(),
    };
    Ok(match there.as_slice() {
        [] => format!("No, there is no `{name}`."),
        [path] => format!("Yes, there is `{path}`."),
        several => {
            let listed: Vec<String> = several.iter().take(MAX_LISTED).map(|path| format!("- `{path}`")).collect();
            format!("Yes, there are {}:\n\n{}", several.len(), listed.join("\n"))
        }
    })
}

/// `changed`: what the steps have written.
fn changed(done: &Done<'_>) -> Result<String, String> {
    let last = done.last()?;
    let said = done.slots.text("said").filter(|_| !last.edited).map(str::to_owned);
    let Some(ArtifactValue::Json(json)) = &last.value else { return Ok(said.unwrap_or_else(|| last.view.clone())) };
    let diff = json["diff"].as_str().unwrap_or_default();
    let path = json["path"].as_str().map_or_else(|| last.given(&["path"]).concat(), str::to_owned);
    let told = match (said, json["created"].as_bool()) {
        (Some(said), _) => said,
        (None, Some(true)) => {
            let lines = last.arguments.get("content").and_then(Value::as_str).map_or(0, |text| text.lines().count());
            match lines {
                0 => format!("I created `{path}`, an empty file."),
                _ if last.edited => format!("I created `{path}` with what you changed it to."),
                lines => format!("I created `{path}` with {}.", counted(lines, "line")),
            }
        }
        (None, Some(false)) => {
            let gone = diff.lines().filter(|line| line.starts_with('-') && !line.starts_with("---")).count();
            replaced(&path, gone)
        }
        (None, None) => last.view.lines().next().unwrap_or_default().to_owned(),
    };
    let edited = if last.edited { " You changed the call before it ran; this is what ran." } else { "" };
    let short = !diff.is_empty() && diff.lines().count() <= MAX_DIFF_LINES;
    let diff = if short { format!("\n\n{}", block(diff, "diff")) } else { String::new() };
    Ok(format!("{told}{edited}{diff}"))
}

/// `undone`.
fn undone(done: &Done<'_>) -> Result<String, String> {
    Ok(format!("{} To have the change back, undo this.", done.last()?.view.trim()))
}
