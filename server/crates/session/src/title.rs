//! A session's name, made from its first message.

/// How long a title made here is.
const LENGTH: usize = 60;

/// The first line of the message, cut at a word.
pub(super) fn title_of(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("New session");
    let line: String = line.chars().filter(|letter| !letter.is_control()).collect();
    if line.chars().count() <= LENGTH {
        return line;
    }
    let cut: String = line.chars().take(LENGTH).collect();
    let at = cut.rfind(char::is_whitespace).filter(|at| *at > LENGTH / 2).unwrap_or(cut.len());
    format!("{}…", cut[..at].trim_end())
}

#[cfg(test)]
mod tests {
    use super::title_of;

    #[test]
    fn a_short_message_is_its_own_title() {
        assert_eq!(title_of("\n  Calculate 42 * 37 \nplease"), "Calculate 42 * 37");
    }

    #[test]
    fn a_long_message_is_cut_at_a_word() {
        let title = title_of(&"word ".repeat(40));

        assert_eq!(title, format!("{}…", ["word"; 12].join(" ")));
    }
}
