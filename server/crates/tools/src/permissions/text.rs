//! A pattern over text, in which `*` stands for anything; `\*` is a star.

use switchboard_sandbox::shell::UNKNOWN;

/// A pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TextPattern {
    parts: Vec<Part>,
    /// It ends in ` *`, which also stands for nothing: `git status *` is `git status` too.
    ends_in_arguments: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    One(char),
    Any,
}

impl TextPattern {
    pub(super) fn new(text: &str) -> Self {
        let mut parts = Vec::new();
        let mut signs = text.chars();
        while let Some(sign) = signs.next() {
            match sign {
                '*' if parts.last() == Some(&Part::Any) => {}
                '*' => parts.push(Part::Any),
                '\\' => parts.push(Part::One(signs.next().unwrap_or('\\'))),
                sign => parts.push(Part::One(sign)),
            }
        }
        let ends_in_arguments = parts.ends_with(&[Part::One(' '), Part::Any]);
        Self { parts, ends_in_arguments }
    }

    /// Whether the text certainly is one of these.
    pub(super) fn fits(&self, text: &str) -> bool {
        let text: Vec<char> = text.chars().collect();
        let known = |part: char, sign: char| sign != UNKNOWN && part == sign;
        self.whole(&self.parts, &text, &known) || self.bare().is_some_and(|bare| self.whole(bare, &text, &known))
    }

    /// Whether the text could be one of these, whatever stands for what is not known in it.
    pub(super) fn may_fit(&self, text: &str) -> bool {
        let text: Vec<Part> = text.chars().map(|c| if c == UNKNOWN { Part::Any } else { Part::One(c) }).collect();
        meet(&self.parts, &text) || self.bare().is_some_and(|bare| meet(bare, &text))
    }

    /// Whether it fits everything that `other` fits, as far as that can be told from their texts.
    pub(super) fn covers(&self, other: &Self) -> bool {
        if self.parts == other.parts || self.parts == [Part::Any] {
            return true;
        }
        match self.parts.split_last() {
            Some((Part::Any, begin)) if !begin.contains(&Part::Any) => {
                other.parts.starts_with(begin) || self.bare().is_some_and(|bare| bare == other.parts)
            }
            _ => false,
        }
    }

    fn bare(&self) -> Option<&[Part]> {
        self.ends_in_arguments.then(|| &self.parts[..self.parts.len() - 2])
    }

    /// The usual matching with one place to come back to: linear in practice, quadratic at worst.
    fn whole(&self, parts: &[Part], text: &[char], same: &impl Fn(char, char) -> bool) -> bool {
        let (mut part, mut at, mut back) = (0, 0, None);
        while at < text.len() {
            match parts.get(part) {
                Some(Part::One(sign)) if same(*sign, text[at]) => {
                    part += 1;
                    at += 1;
                }
                Some(Part::Any) => {
                    back = Some((part, at));
                    part += 1;
                }
                _ => match back {
                    Some((star, from)) => {
                        back = Some((star, from + 1));
                        part = star + 1;
                        at = from + 1;
                    }
                    None => return false,
                },
            }
        }
        parts[part..].iter().all(|part| *part == Part::Any)
    }
}

/// Whether two patterns have a text in common.
fn meet(left: &[Part], right: &[Part]) -> bool {
    let mut row = vec![false; right.len() + 1];
    row[0] = true;
    for (at, part) in right.iter().enumerate() {
        row[at + 1] = row[at] && *part == Part::Any;
    }
    for one in left {
        let mut before = row[0];
        row[0] = before && *one == Part::Any;
        for (at, other) in right.iter().enumerate() {
            let diagonal = before;
            before = row[at + 1];
            row[at + 1] = match (one, other) {
                (Part::One(one), Part::One(other)) => diagonal && one == other,
                (Part::Any, Part::One(_)) => before || row[at],
                (Part::One(_), Part::Any) => row[at] || before,
                (Part::Any, Part::Any) => before || row[at] || diagonal,
            };
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_anything() {
        for (pattern, text, fits) in [
            ("git status", "git status", true),
            ("git status", "git status -s", false),
            ("git status*", "git status -s", true),
            ("git status *", "git status", true),
            ("git status *", "git status -s", true),
            ("git status *", "git statusx", false),
            ("*.env", "a/b.env", true),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-b-b", false),
            ("a\\*", "a*", true),
            ("a\\*", "ab", false),
            ("*", "", true),
            ("", "", true),
        ] {
            assert_eq!(TextPattern::new(pattern).fits(text), fits, "{pattern} {text}");
        }
    }

    #[test]
    fn what_is_not_known_fits_only_a_star_and_may_be_anything() {
        let text = format!("git {UNKNOWN} x");
        assert!(TextPattern::new("git *").fits(&text));
        assert!(!TextPattern::new("git push*").fits(&text));
        assert!(TextPattern::new("git push*").may_fit(&text));
        assert!(TextPattern::new("git * x").may_fit(&text));
        assert!(!TextPattern::new("rm *").may_fit(&text));
        assert!(!TextPattern::new("git push").may_fit(&text));
        assert!(TextPattern::new("git push *").may_fit(&format!("git {UNKNOWN}")));
    }

    #[test]
    fn a_wider_pattern_covers_a_narrower_one() {
        let covers = |wide: &str, narrow: &str| TextPattern::new(wide).covers(&TextPattern::new(narrow));
        assert!(covers("*", "git push*"));
        assert!(covers("git *", "git push*"));
        assert!(covers("git *", "git"));
        assert!(covers("git push", "git push"));
        assert!(!covers("git push*", "git *"));
        assert!(!covers("git push", "git push*"));
    }
}
