//! What a change did to a file, as a unified diff.

use std::borrow::Cow;
use std::fmt::Write;
use std::time::{Duration, Instant};

use similar::algorithms::{Capture, Compact, Replace, myers};
use similar::udiff::UnifiedHunkHeader;
use similar::{DiffOp, group_diff_ops};

/// Files up to this size are compared line by line.
const MAX_COMPARED: usize = 2 * 1024 * 1024;

/// Comparing takes this long at most; the diff is coarser then, and still right.
const MAX_TIME: Duration = Duration::from_millis(500);

/// The lines around a change.
const CONTEXT: usize = 3;

/// The diff of one file; `None` means that there is no file. Empty when nothing changed.
pub fn unified(path: &str, before: Option<&[u8]>, after: Option<&[u8]>) -> String {
    moved(path, path, before, after)
}

/// The diff of a file that has another name afterwards.
pub fn moved(from: &str, to: &str, before: Option<&[u8]>, after: Option<&[u8]>) -> String {
    if from == to && before == after {
        return String::new();
    }
    let old_name = before.map_or_else(|| "/dev/null".to_owned(), |_| format!("a/{from}"));
    let new_name = after.map_or_else(|| "/dev/null".to_owned(), |_| format!("b/{to}"));
    let renamed = if from == to { String::new() } else { format!("rename from {from}\nrename to {to}\n") };
    let (old, new) = (before.unwrap_or_default(), after.unwrap_or_default());
    let (Some(old_text), Some(new_text)) = (text(old), text(new)) else {
        let sizes = format!("{} bytes, then {} bytes", old.len(), new.len());
        return format!("{renamed}Binary or large files {old_name} and {new_name} differ ({sizes})\n");
    };
    let hunks = hunks(old_text, new_text);
    // Without hunks only an empty file has come or gone, or a name has changed.
    let header = match hunks.is_empty() && from != to {
        true => String::new(),
        false => format!("--- {old_name}\n+++ {new_name}\n"),
    };
    format!("{renamed}{header}{hunks}")
}

/// What differs, with the lines around it. `similar::TextDiff` does the same with five algorithms over three kinds of
/// tokens, which is most of a megabyte of code; lines and Myers are all that is wanted here.
fn hunks(old: &str, new: &str) -> String {
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let new: Vec<&str> = new.split_inclusive('\n').collect();
    let mut found = Compact::new(Replace::new(Capture::new()), &old[..], &new[..]);
    let until = Some(Instant::now() + MAX_TIME);
    let Ok(()) = myers::diff_deadline(&mut found, &old[..], 0..old.len(), &new[..], 0..new.len(), until);

    let mut text = String::new();
    for group in group_diff_ops(found.into_inner().into_inner().into_ops(), CONTEXT) {
        let _ = writeln!(text, "{}", UnifiedHunkHeader::new(&group));
        for op in &group {
            let (before, after) = (&old[op.old_range()], &new[op.new_range()]);
            match op {
                DiffOp::Equal { .. } => add_lines(&mut text, ' ', before),
                DiffOp::Delete { .. } | DiffOp::Insert { .. } | DiffOp::Replace { .. } => {
                    add_lines(&mut text, '-', before);
                    add_lines(&mut text, '+', after);
                }
            }
        }
    }
    text
}

fn add_lines(text: &mut String, sign: char, lines: &[&str]) {
    for line in lines {
        text.push(sign);
        text.push_str(line);
        if !line.ends_with('\n') {
            text.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// The first whole lines of a diff, with how many more there are.
pub fn cut_lines(diff: &str, max: usize) -> Cow<'_, str> {
    if diff.len() <= max {
        return Cow::Borrowed(diff);
    }
    let end = diff.floor_char_boundary(max);
    let end = diff[..end].rfind('\n').map_or(0, |at| at + 1);
    let left = diff[end..].lines().count();
    Cow::Owned(format!("{}… {left} more lines\n", &diff[..end]))
}

fn text(bytes: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))?;
    (text.len() <= MAX_COMPARED).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_a_new_file_and_one_that_is_gone() {
        let change = unified("a.txt", Some(b"one\ntwo\n"), Some(b"one\n2\n"));
        assert_eq!(change, "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n");
        let new = unified("a.txt", None, Some(b"one"));
        assert_eq!(new, "--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+one\n\\ No newline at end of file\n");
        let gone = unified("a.txt", Some(b"one\n"), None);
        assert_eq!(gone, "--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n");
        assert_eq!(unified("a.txt", Some(b"same"), Some(b"same")), "");
        assert_eq!(unified("a.txt", None, Some(b"")), "--- /dev/null\n+++ b/a.txt\n");
    }

    #[test]
    fn changes_far_apart_have_a_hunk_each() {
        let before: String = (1..=20).map(|number| format!("{number}\n")).collect();
        let after = before.replace("2\n3\n", "2\nnew\n3\n").replace("19\n20\n", "19\n20");
        let diff = unified("a.txt", Some(before.as_bytes()), Some(after.as_bytes()));
        let expected = "--- a/a.txt\n+++ b/a.txt\n@@ -1,5 +1,6 @@\n 1\n 2\n+new\n 3\n 4\n 5\n\
            @@ -17,4 +18,4 @@\n 17\n 18\n 19\n-20\n+20\n\\ No newline at end of file\n";
        assert_eq!(diff, expected);
    }

    #[test]
    fn what_is_no_text_is_only_measured() {
        let binary = unified("a.bin", Some(&[0, 1]), Some(b"x"));
        assert_eq!(binary, "Binary or large files a/a.bin and b/a.bin differ (2 bytes, then 1 bytes)\n");
        let large = unified("a.txt", Some(b"x"), Some("y".repeat(MAX_COMPARED + 1).as_bytes()));
        assert!(large.starts_with("Binary or large"), "{large}");
    }

    #[test]
    fn another_name_is_said_before_the_change() {
        assert_eq!(moved("a", "b", Some(b"x\n"), Some(b"x\n")), "rename from a\nrename to b\n");
    }

    #[test]
    fn a_long_diff_is_cut_at_a_line() {
        assert_eq!(cut_lines("one\ntwo\nthree\n", 9), "one\ntwo\n… 1 more lines\n");
        assert_eq!(cut_lines("one\n", 9), "one\n");
    }
}
