//! A unified diff as lines: what was added and what was taken out, each with its sign and, on a terminal, its color.

use super::sanitize::without_escapes;
use super::style::Style;

/// How many lines are shown; all of them are in the result.
const MOST_LINES: usize = 80;

/// The lines of a diff. The counts of `@@` tell what is in a file from what is about it.
pub(super) fn diff_lines(diff: &str, style: Style) -> Vec<String> {
    let (mut old, mut new) = (0, 0);
    let mut lines: Vec<String> = Vec::new();
    let all = diff.lines().count();
    for line in diff.lines().take(MOST_LINES) {
        let shown = without_escapes(line);
        if let Some(counts) = counts(line) {
            (old, new) = counts;
            lines.push(style.cyan(&shown));
        } else if line.starts_with('\\') {
            lines.push(style.dim(&shown));
        } else if old == 0 && new == 0 {
            lines.push(style.bold(&shown));
        } else if line.starts_with('+') {
            new -= new.min(1);
            lines.push(style.green(&shown));
        } else if line.starts_with('-') {
            old -= old.min(1);
            lines.push(style.red(&shown));
        } else {
            (old, new) = (old - old.min(1), new - new.min(1));
            lines.push(shown);
        }
    }
    if all > MOST_LINES {
        lines.push(style.dim(&format!("… {} more lines; all of them are in the result", all - MOST_LINES)));
    }
    lines
}

/// How many lines of the old and of the new file follow `@@ -a,b +c,d @@`.
fn counts(line: &str) -> Option<(usize, usize)> {
    let mut ranges = line.strip_prefix("@@ -")?.split(" @@").next()?.split(" +");
    let mut count = || ranges.next()?.split_once(',').map_or(Some(1), |(_, count)| count.parse().ok());
    Some((count()?, count()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFF: &str =
        "--- a/x\n+++ b/x\n@@ -1,3 +1,2 @@\n same\n--- looks like a head\n-old\x1b[2J\n+new\n\\ No newline\n";

    #[test]
    fn each_line_has_its_colour_and_nothing_else_that_a_terminal_obeys() {
        let shown = diff_lines(DIFF, Style::new(true));

        let wanted = [
            "\x1b[1m--- a/x\x1b[0m",
            "\x1b[1m+++ b/x\x1b[0m",
            "\x1b[36m@@ -1,3 +1,2 @@\x1b[0m",
            " same",
            "\x1b[31m--- looks like a head\x1b[0m",
            "\x1b[31m-old\x1b[0m",
            "\x1b[32m+new\x1b[0m",
            "\x1b[2m\\ No newline\x1b[0m",
        ];
        assert_eq!(shown, wanted);
    }

    #[test]
    fn without_colours_it_is_the_diff_and_a_long_one_is_cut() {
        let long = format!("@@ -0,0 +1,200 @@\n{}", "+line\n".repeat(200));

        let shown = diff_lines(&long, Style::new(false));

        assert_eq!((shown[0].as_str(), shown[1].as_str(), shown.len()), ("@@ -0,0 +1,200 @@", "+line", MOST_LINES + 1));
        assert_eq!(shown[MOST_LINES], "… 121 more lines; all of them are in the result");
    }
}
