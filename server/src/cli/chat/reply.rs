//! The reply as it is streamed: pieces in, whole rows out. A prompt may stand below, so only whole rows can be shown;
//! long lines are broken between words as they come, except in code.

use super::sanitize::without_escapes;

/// What has come of the reply that is being written.
#[derive(Debug, Default)]
pub(super) struct Reply {
    /// All of it, as it came.
    text: String,
    /// What has come and is not shown, because its row is not full.
    row: String,
    in_code: bool,
}

impl Reply {
    /// A piece that begins at this byte of the reply. What is known already is not shown again.
    pub(super) fn piece(&mut self, offset: u64, piece: &str, width: Option<usize>) -> Vec<String> {
        let known = self.text.len();
        match usize::try_from(offset) {
            Ok(offset) if offset == known => self.push(piece, width),
            Ok(offset) if offset < known && overlaps(&self.text[..], offset, piece) => {
                self.push(piece.get(known - offset..).unwrap_or_default(), width)
            }
            // A reply that begins anew.
            Ok(0) => {
                let mut rows = self.flush();
                self.text.clear();
                rows.extend(self.push(piece, width));
                rows
            }
            // Something between is missing; the whole reply comes at the end.
            _ => Vec::new(),
        }
    }

    /// The whole reply: what is not shown of it.
    pub(super) fn end(&mut self, whole: &str, width: Option<usize>) -> Vec<String> {
        let mut rows = match whole.strip_prefix(self.text.as_str()) {
            Some(rest) => self.push(rest, width),
            // A model's last spaces may be streamed and not be kept.
            None if whole.trim_end() == self.text.trim_end() => Vec::new(),
            None => {
                let mut rows = self.flush();
                rows.extend(self.push(whole, width));
                rows
            }
        };
        rows.extend(self.flush());
        *self = Self::default();
        rows
    }

    /// Shows the row that is not full, because something else comes.
    pub(super) fn flush(&mut self) -> Vec<String> {
        if self.row.is_empty() { Vec::new() } else { vec![self.take_row()] }
    }

    /// The reply will not be finished.
    pub(super) fn abandon(&mut self) -> Vec<String> {
        let rows = self.flush();
        *self = Self::default();
        rows
    }

    fn push(&mut self, piece: &str, width: Option<usize>) -> Vec<String> {
        self.text.push_str(piece);
        let mut rows = Vec::new();
        for part in piece.split_inclusive('\n') {
            self.row.push_str(part.trim_end_matches('\n'));
            if let Some(width) = width {
                self.break_row(width, &mut rows);
            }
            if part.ends_with('\n') {
                rows.push(self.take_row());
            }
        }
        rows
    }

    /// Shows what fits while the row is longer than the terminal is wide.
    fn break_row(&mut self, width: usize, rows: &mut Vec<String>) {
        while !self.in_code && !self.row.starts_with("```") {
            let Some((limit, _)) = self.row.char_indices().nth(width.max(20)) else { return };
            let Some(space) = self.row[..limit].rfind(' ').filter(|space| *space > 0) else { return };
            let rest = self.row.split_off(space + 1);
            rows.push(without_escapes(self.row.trim_end()));
            self.row = rest;
        }
    }

    fn take_row(&mut self) -> String {
        let row = std::mem::take(&mut self.row);
        if row.trim_start().starts_with("```") {
            self.in_code = !self.in_code;
        }
        without_escapes(row.trim_end_matches('\r'))
    }
}

/// Whether a piece repeats what is known from this byte on, and perhaps goes on from there.
fn overlaps(known: &str, offset: usize, piece: &str) -> bool {
    known.get(offset..).is_some_and(|tail| piece.starts_with(tail) || tail.starts_with(piece))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_rows_are_shown_as_they_come_and_the_rest_at_the_end() {
        let mut reply = Reply::default();

        assert_eq!(reply.piece(0, "The port ", None), Vec::<String>::new());
        assert_eq!(reply.piece(9, "is 8080.\nAnything", None), ["The port is 8080."]);
        assert_eq!(reply.end("The port is 8080.\nAnything else?", None), ["Anything else?"]);
    }

    #[test]
    fn what_comes_again_is_not_shown_again() {
        let mut reply = Reply::default();
        assert_eq!(reply.piece(0, "one\ntw", None), ["one"]);

        // After a lost connection the running reply comes once more from its beginning.
        assert_eq!(reply.piece(0, "one\ntwo\nth", None), ["two"]);
        assert_eq!(reply.piece(2, "e\ntwo", None), Vec::<String>::new());

        assert_eq!(reply.end("one\ntwo\nthree", None), ["three"]);
    }

    #[test]
    fn offsets_count_bytes() {
        let mut reply = Reply::default();

        assert_eq!(reply.piece(0, "Grüße\n", None), ["Grüße"]);
        assert_eq!(reply.piece(8, "世界\n", None), ["世界"]);
        assert_eq!(reply.piece(9, "in the middle of a character", None), Vec::<String>::new());
    }

    #[test]
    fn a_hole_is_filled_by_the_whole_reply() {
        let mut reply = Reply::default();
        assert_eq!(reply.piece(0, "one\n", None), ["one"]);

        assert_eq!(reply.piece(8, "three\n", None), Vec::<String>::new());

        assert_eq!(reply.end("one\ntwo\nthree", None), ["two", "three"]);
    }

    #[test]
    fn another_reply_than_the_streamed_one_is_shown_whole() {
        let mut reply = Reply::default();
        assert_eq!(reply.piece(0, "Let me", None), Vec::<String>::new());

        assert_eq!(reply.end("It is 42.", None), ["Let me", "It is 42."]);
    }

    #[test]
    fn spaces_at_the_end_make_no_other_reply() {
        let mut reply = Reply::default();
        assert_eq!(reply.piece(0, "It is 42. \n", None), ["It is 42. "]);

        assert_eq!(reply.end("It is 42.", None), Vec::<String>::new());
    }

    #[test]
    fn long_lines_are_broken_between_words_but_not_in_code() {
        let mut reply = Reply::default();

        assert_eq!(reply.piece(0, "a line that is longer than twenty", Some(20)), ["a line that is"]);
        assert_eq!(reply.piece(33, "\n```\nlet x = a_line_of_code + that_is_long;\n", Some(20)).len(), 3);
    }

    #[test]
    fn escapes_in_a_reply_are_taken_out_even_when_pieces_cut_them() {
        let mut reply = Reply::default();

        assert_eq!(reply.piece(0, "red: \x1b[3", None), Vec::<String>::new());
        assert_eq!(reply.piece(8, "1mtext\n", None), ["red: text"]);
    }
}
