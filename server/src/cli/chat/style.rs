//! Colors, or none: on anything but a terminal, and wherever they are unwelcome, text goes out as it is.

/// Whether there are colors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) struct Style {
    colors: bool,
}

impl Style {
    pub(in crate::cli) fn new(colors: bool) -> Self {
        Self { colors }
    }

    pub(in crate::cli) fn dim(self, text: &str) -> String {
        self.wrap("2", text)
    }

    pub(in crate::cli) fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }

    pub(super) fn red(self, text: &str) -> String {
        self.wrap("31", text)
    }

    pub(super) fn green(self, text: &str) -> String {
        self.wrap("32", text)
    }

    pub(super) fn yellow(self, text: &str) -> String {
        self.wrap("33", text)
    }

    pub(super) fn cyan(self, text: &str) -> String {
        self.wrap("36", text)
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.colors { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}
