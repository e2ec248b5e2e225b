//! Items of lists in text files, by what people say of them: "called the plumber, tick it off" means the one open item
//! that has these words. A word that an item does not have means another one.

use std::collections::BTreeSet;
use std::ops::Range;

use regex::RegexBuilder;
use switchboard_nlu::Engine;
use switchboard_search::is_stop_word;

use super::edited::{Edit, Edited};
use super::edits::times;
use super::outline::{has_word, word_stems};
use super::record_edits::remove;
use super::records::certain;
use super::rows::line_end;
use super::settings::plain;
use super::show::cut_line;
use super::slots::Slots;
use super::unmade::Unmade;

/// The edits of items, by name.
pub(super) const EDITS: &[(&str, Edit)] =
    &[("tick_about", tick_about), ("take_out", take_out), ("put_on_list", put_on_list), ("swap_items", swap_items)];

/// What an item begins with.
const BOXES: &[&str] = &["- [ ] ", "* [ ] ", "[ ] ", "- ", "* ", "+ ", "• "];

/// The mark of an item: its indentation aside.
fn mark_of(line: &str) -> &'static str {
    let line = line.trim_start().replacen("[x]", "[ ]", 1).replacen("[X]", "[ ]", 1);
    BOXES.iter().find(|mark| line.starts_with(**mark)).copied().unwrap_or_default()
}

/// What an item says.
fn said(line: &str) -> &str {
    line.trim_start().get(mark_of(line).len()..).unwrap_or_default().trim()
}

/// The stems of the words that tell something.
fn telling(text: &str) -> BTreeSet<String> {
    let tells =
        |word: &&str| !is_stop_word(&word.to_lowercase()) && !Engine::shipped().lists("filler", &word.to_lowercase());
    word_stems(&text.split_whitespace().filter(tells).collect::<Vec<_>>().join(" "))
}

fn all_in(words: &BTreeSet<String>, others: &BTreeSet<String>) -> bool {
    !words.is_empty() && words.iter().all(|word| has_word(others, word))
}

/// `swap_items`: `one` and `other`, each an item of a row, a list or a table that stands there once and as nothing else.
fn swap_items(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let place = |slot: &str| -> Result<Range<usize>, Unmade> {
        let item = slots.need(slot)?;
        let item = item.trim();
        let pattern = RegexBuilder::new(&format!(r"\b{}\b", regex::escape(item))).case_insensitive(true).build();
        let pattern = pattern.map_err(|_| format!("`{}` is too long to be sought.", cut_line(item)))?;
        let places: Vec<Range<usize>> = pattern.find_iter(text).map(|found| found.range()).collect();
        let name = cut_line(item);
        match places.as_slice() {
            [] => Err(Unmade::Absent(format!("`{name}` is not in `{path}`."))),
            [only] if is_item(text, only) => Ok(only.clone()),
            [_] => Err(format!("`{name}` stands within other words in `{path}`. Say the whole of it.").into()),
            several => Err(format!("`{name}` stands {} in `{path}`. Say which one.", times(several.len())).into()),
        }
    };
    let (one, other) = (place("one")?, place("other")?);
    let (first, second) = if one.start < other.start { (one, other) } else { (other, one) };
    if first.end > second.start {
        return Err("Both are the same.".into());
    }
    let said = format!("I swapped `{}` and `{}` in `{path}`.", &text[first.clone()], &text[second.clone()]);
    let parts = [
        &text[..first.start],
        &text[second.clone()],
        &text[first.end..second.start],
        &text[first],
        &text[second.end..],
    ];
    Ok(Edited { text: parts.concat(), said })
}

/// Whether a place of a text has no words beside it: what separates items is on both sides.
fn is_item(text: &str, place: &Range<usize>) -> bool {
    let blank = |c: &char| *c == ' ' || *c == '\t';
    let ends = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_');
    ends(text[..place.start].chars().rev().find(|c| !blank(c))) && ends(text[place.end..].chars().find(|c| !blank(c)))
}

/// Whether the file is the list that the request calls so: by its path, or its title.
fn is_meant(path: &str, text: &str, slots: &Slots<'_>) -> Result<(), Unmade> {
    let Some(place) = slots.text("where") else { return Ok(()) };
    let nouns: BTreeSet<String> = slots.texts("nouns").into_iter().flat_map(word_stems).collect();
    let title = text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or_default();
    let wanted: Vec<&str> =
        place.split_whitespace().filter(|word| !word_stems(word).iter().all(|stem| nouns.contains(stem))).collect();
    let there = word_stems(&format!("{} {title}", path.replace(['_', '.'], " ")));
    let stem = path.rsplit('/').next().and_then(|name| name.split('.').next()).unwrap_or_default();
    let joined = plain(&wanted.join(" "));
    let named = [stem, title].iter().any(|name| plain(name) == joined);
    match wanted.is_empty()
        || named
        || wanted.iter().all(|word| word_stems(word).iter().all(|stem| there.contains(stem)))
    {
        true => Ok(()),
        false => Err(Unmade::not_in(path, place)),
    }
}

/// The lines of a list, with their numbers; `open`: only those whose box is empty.
fn items<'t>(path: &str, text: &'t str, open: bool) -> Vec<(usize, &'t str)> {
    let lines: Vec<&str> = text.lines().collect();
    let marked = lines.iter().any(|line| !mark_of(line).is_empty());
    let is_item = |line: &str| match open {
        true => line.contains("[ ]") && !mark_of(line).is_empty(),
        // In a plain text each line is an item, if none is marked as one.
        false if path.ends_with(".txt") && !marked => !line.trim().is_empty() && !line.trim_end().ends_with(':'),
        false => !mark_of(line).is_empty(),
    };
    lines.into_iter().enumerate().filter(|(_, line)| is_item(line)).collect()
}

/// The one item that is told about: one of just these words, else one that has them all.
fn one_item(path: &str, items: &[(usize, &str)], about: &str) -> Result<usize, Unmade> {
    certain(about)?;
    let wanted = telling(about);
    for whole in [true, false] {
        let fits = |item: &BTreeSet<String>| if whole { *item == wanted } else { all_in(&wanted, item) };
        let found: Vec<usize> =
            items.iter().filter(|(_, line)| fits(&telling(said(line)))).map(|(at, _)| *at).collect();
        match found.as_slice() {
            [] => {}
            [only] => return Ok(*only),
            several => {
                return Err(
                    format!("`{}` fits {} items of `{path}`. Which one?", cut_line(about), several.len()).into()
                );
            }
        }
    }
    Err(Unmade::not_in(path, about))
}

/// `tick_about`: about (what is told of the item), where (the list in other words).
fn tick_about(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let about = slots.need("about")?;
    is_meant(path, text, slots)?;
    let at = one_item(path, &items(path, text, true), &about)?;
    let line = text.lines().nth(at).unwrap_or_default();
    let ticked = line.replacen("[ ]", "[x]", 1);
    let changed = text.split_inclusive('\n').enumerate();
    let changed =
        changed.map(|(place, whole)| if place == at { whole.replacen(line, &ticked, 1) } else { whole.to_owned() });
    Ok(Edited { text: changed.collect(), said: format!("I ticked off `{}` in `{path}`.", cut_line(said(line))) })
}

/// `take_out`: about (one item or several, with "and" between; of a table or of JSON a record), where.
fn take_out(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let about = slots.need("about")?;
    is_meant(path, text, slots)?;
    if !path.ends_with(".md") && !path.ends_with(".txt") {
        return remove(path, text, &about);
    }
    let all = items(path, text, false);
    let parts: Vec<&str> = about.split(',').flat_map(|part| part.split(" and ")).map(str::trim).collect();
    let lines = parts.into_iter().filter(|part| !part.is_empty()).map(|part| one_item(path, &all, part));
    let lines: BTreeSet<usize> = lines.collect::<Result<_, Unmade>>()?;
    let gone =
        text.lines().enumerate().filter(|(at, _)| lines.contains(at)).map(|(_, line)| format!("`{}`", said(line)));
    let gone: Vec<String> = gone.collect();
    let kept: String =
        text.split_inclusive('\n').enumerate().filter(|(at, _)| !lines.contains(at)).map(|(_, line)| line).collect();
    Ok(Edited { text: kept, said: format!("I took {} off `{path}`.", gone.join(" and ")) })
}

/// `put_on_list`: content, where, section (the heading that it goes under).
fn put_on_list(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let content = slots.told("content").ok_or("You did not say what is to be written. Put it in quotation marks.")?;
    is_meant(path, text, slots)?;
    let lines: Vec<&str> = text.lines().collect();
    let within = match slots.text("section") {
        None => 0..lines.len(),
        Some(section) => {
            let wanted = word_stems(section);
            let is_heading = |line: &str| line.starts_with('#') || line.trim_end().ends_with(':');
            let heads = (0..lines.len()).filter(|at| is_heading(lines[*at]) && word_stems(lines[*at]) == wanted);
            let heads: Vec<usize> = heads.collect();
            let [head] = heads.as_slice() else {
                return Err(Unmade::not_in(path, section));
            };
            let end = (head + 1..lines.len()).find(|at| is_heading(lines[*at]));
            *head + 1..end.unwrap_or(lines.len())
        }
    };
    let last = within.clone().rev().find(|at| !lines[*at].trim().is_empty());
    let mark = last.map(|at| mark_of(lines[at])).unwrap_or_default();
    let is_list = !mark.is_empty() || path.ends_with(".txt");
    if !is_list {
        return Err(Unmade::Absent(format!("There is no list at the end of `{path}`, so I added nothing.")));
    }
    // The point at the end of a sentence is none of the item.
    let content = if slots.is_quoted("content") { content.trim() } else { content.trim().trim_end_matches(['.', ';']) };
    let item = format!("{mark}{}", content.trim_start_matches("- "));
    let place = last.map_or(within.start, |at| at + 1);
    let end = line_end(text);
    let mut changed: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    changed.insert(place.min(changed.len()), item.clone());
    let tail = if text.is_empty() || text.ends_with('\n') { end } else { "" };
    Ok(Edited {
        text: changed.join(end) + tail,
        said: format!("I added `{}` to `{path}`, as line {}.", cut_line(&item), place + 1),
    })
}

#[cfg(test)]
#[path = "items_tests.rs"]
mod tests;
