//! A text field of a JSON object that is still being written: what of it can be shown already.

/// Reads one text field of the outermost object out of pieces of JSON text.
#[derive(Debug)]
pub(in crate::reasoner) struct FieldReader {
    name: &'static str,
    depth: u32,
    at: At,
    /// The text so far of the string that is being read, escapes undone.
    string: String,
    /// An escape that is not complete.
    escape: String,
    /// The first half of a surrogate pair.
    half: Option<u16>,
    /// The last key of the outermost object.
    key: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    /// Between strings; `true`: a value of the outermost object comes next.
    Outside { value: bool },
    /// In a string; `true`: it is the field.
    Inside { wanted: bool, is_key: bool },
}

impl FieldReader {
    pub(in crate::reasoner) fn new(name: &'static str) -> Self {
        Self {
            name,
            depth: 0,
            at: At::Outside { value: false },
            string: String::new(),
            escape: String::new(),
            half: None,
            key: false,
        }
    }

    /// The next piece of the JSON text; what it adds to the field.
    pub(in crate::reasoner) fn push(&mut self, piece: &str) -> String {
        let mut out = String::new();
        for letter in piece.chars() {
            self.letter(letter, &mut out);
        }
        out
    }

    fn letter(&mut self, letter: char, out: &mut String) {
        match self.at {
            At::Outside { value } => match letter {
                '"' => {
                    let top = self.depth == 1;
                    let wanted = top && value && self.key;
                    self.at = At::Inside { wanted, is_key: top && !value };
                    self.string.clear();
                    self.half = None;
                }
                '{' | '[' => {
                    self.depth += 1;
                    self.at = At::Outside { value: false };
                }
                '}' | ']' => {
                    self.depth = self.depth.saturating_sub(1);
                    self.at = At::Outside { value: false };
                }
                ':' => self.at = At::Outside { value: true },
                ',' => self.at = At::Outside { value: false },
                _ => {}
            },
            At::Inside { wanted, is_key } => self.in_string(letter, wanted, is_key, out),
        }
    }

    fn in_string(&mut self, letter: char, wanted: bool, is_key: bool, out: &mut String) {
        let read = if !self.escape.is_empty() {
            self.escape.push(letter);
            match self.unescaped() {
                Some(read) => read,
                None => return,
            }
        } else if letter == '\\' {
            self.escape.push(letter);
            return;
        } else if letter == '"' {
            if is_key {
                self.key = self.string == self.name;
            }
            self.at = At::Outside { value: false };
            return;
        } else {
            Some(letter)
        };
        let Some(read) = read else { return };
        if wanted {
            out.push(read);
        } else if is_key && self.string.len() <= self.name.len() {
            self.string.push(read);
        }
    }

    /// What the escape stands for, once it is complete; half a pair stands for nothing yet.
    fn unescaped(&mut self) -> Option<Option<char>> {
        let kind = self.escape.chars().nth(1)?;
        let read = match kind {
            'n' => Some('\n'),
            't' => Some('\t'),
            'r' => Some('\r'),
            'b' | 'f' => None,
            'u' if self.escape.len() < 6 => return None,
            'u' => self.code_unit(),
            other => Some(other),
        };
        self.escape.clear();
        Some(read)
    }

    fn code_unit(&mut self) -> Option<char> {
        let unit = self.escape.get(2..).and_then(|digits| u16::from_str_radix(digits, 16).ok())?;
        let units = self.half.take().into_iter().chain([unit]);
        if (0xD800..0xDC00).contains(&unit) {
            self.half = Some(unit);
            return None;
        }
        char::decode_utf16(units).next().and_then(Result::ok)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn read(text: &str, size: usize) -> String {
        let mut reader = FieldReader::new("userResponse");
        let letters: Vec<char> = text.chars().collect();
        letters.chunks(size.max(1)).map(|piece| reader.push(&piece.iter().collect::<String>())).collect()
    }

    #[test]
    fn only_the_field_itself_is_read() {
        let text = "```json\n{\"reasoning\": \"userResponse\", \"list\": [\"userResponse\", {\"userResponse\": \"no\"}], \
                    \"complete\": true, \"userResponse\": \"It is \\\"3\\\".\\n\\u00e4 \\ud83d\\ude00\", \"next\": \"x\"}";
        for size in 1..9 {
            assert_eq!(read(text, size), "It is \"3\".\nä 😀");
        }
        assert_eq!(read("{\"userResponse\": null, \"other\": \"x\"}", 3), "");
    }

    proptest! {
        #[test]
        fn it_reads_what_serde_wrote(text: String, reasoning: String, size in 1..20_usize) {
            let text: String = text.replace(['\u{8}', '\u{c}'], "");
            let object = json!({"reasoning": reasoning, "userResponse": text});
            prop_assert_eq!(read(&object.to_string(), size), text);
        }
    }
}
