//! What a message of the conversation holds: text, and pictures between its words.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::picture::Picture;

/// Text and pictures in order. A log has it as a text if there are no pictures, else as a list of parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Content {
    text: String,
    /// Each with the byte of the text that it stands before, in order.
    pictures: Vec<(usize, Picture)>,
}

/// A part of a content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part<'a> {
    /// Text; never empty, and never two in a row.
    Text(&'a str),
    /// A picture.
    Picture(&'a Picture),
}

impl Content {
    /// All texts as one, without the pictures.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The pictures in order.
    pub fn pictures(&self) -> impl DoubleEndedIterator<Item = &Picture> {
        self.pictures.iter().map(|(_, picture)| picture)
    }

    /// Whether there are pictures.
    #[must_use]
    pub fn has_pictures(&self) -> bool {
        !self.pictures.is_empty()
    }

    /// Whether it says nothing.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.pictures.is_empty() && self.text.trim().is_empty()
    }

    /// Text and pictures in order.
    pub fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        let starts = std::iter::once(0).chain(self.pictures.iter().map(|(at, _)| *at));
        let ends = self.pictures.iter().map(|(at, _)| *at).chain([self.text.len()]);
        let pictures = self.pictures().map(Some).chain([None]);
        let parts = starts.zip(ends).zip(pictures).flat_map(|((start, end), picture)| {
            let text = self.text.get(start..end).filter(|text| !text.is_empty());
            text.map(Part::Text).into_iter().chain(picture.map(Part::Picture))
        });
        parts.collect::<Vec<_>>().into_iter()
    }

    /// The same as text alone: each picture in words.
    #[must_use]
    pub fn in_words(&self) -> Cow<'_, str> {
        match self.has_pictures() {
            true => Cow::Owned(self.with_pictures_in_words(|_| false).text),
            false => Cow::Borrowed(&self.text),
        }
    }

    /// The same with the pictures that `keeps` does not want in words.
    #[must_use]
    pub fn with_pictures_in_words(&self, mut keeps: impl FnMut(&Picture) -> bool) -> Self {
        let mut content = Self::default();
        for part in self.parts() {
            match part {
                Part::Text(text) => content.push_text(text),
                Part::Picture(picture) if keeps(picture) => content.push_picture(picture.clone()),
                Part::Picture(picture) => content.push_words(picture),
            }
        }
        content
    }

    /// Another text in place of all texts; the pictures stand behind it.
    #[must_use]
    pub fn with_text(&self, text: String) -> Self {
        let at = text.len();
        Self { text, pictures: self.pictures().map(|picture| (at, picture.clone())).collect() }
    }

    /// The same with each text changed.
    #[must_use]
    pub fn with_each_text(&self, change: impl Fn(&str) -> String) -> Self {
        let mut content = Self::default();
        for part in self.parts() {
            match part {
                Part::Text(text) => content.push_text(&change(text)),
                Part::Picture(picture) => content.push_picture(picture.clone()),
            }
        }
        content
    }

    /// Adds what stands for a picture where there is only text.
    fn push_words(&mut self, picture: &Picture) {
        let apart = if self.text.is_empty() || self.text.ends_with(char::is_whitespace) { "" } else { "\n" };
        self.text.push_str(&format!("{apart}[{picture}]"));
    }

    /// Adds text at the end.
    pub fn push_text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Adds a picture at the end.
    pub fn push_picture(&mut self, picture: Picture) {
        self.pictures.push((self.text.len(), picture));
    }
}

impl<T: Into<String>> From<T> for Content {
    fn from(text: T) -> Self {
        Self { text: text.into(), pictures: Vec::new() }
    }
}

/// A part as a log has it.
#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum StoredPart<'a> {
    Text { text: Cow<'a, str> },
    Picture(Cow<'a, Picture>),
}

impl Serialize for Content {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !self.has_pictures() {
            return serializer.serialize_str(&self.text);
        }
        serializer.collect_seq(self.parts().map(|part| match part {
            Part::Text(text) => StoredPart::Text { text: text.into() },
            Part::Picture(picture) => StoredPart::Picture(Cow::Borrowed(picture)),
        }))
    }
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Stored {
            Text(String),
            Parts(Vec<StoredPart<'static>>),
        }
        Ok(match Stored::deserialize(deserializer)? {
            Stored::Text(text) => text.into(),
            Stored::Parts(parts) => {
                let mut content = Self::default();
                for part in parts {
                    match part {
                        StoredPart::Text { text } => content.push_text(&text),
                        StoredPart::Picture(picture) => content.push_picture(picture.into_owned()),
                    }
                }
                content
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn picture(width: u32) -> Picture {
        let fields = json!({"hash": "ab", "format": "png", "bytes": 70, "width": width, "height": 5});
        serde_json::from_value(fields).expect("a picture")
    }

    /// One, two, a picture, three, a picture.
    fn mixed() -> Content {
        let mut content = Content::from("one ");
        content.push_text("two");
        content.push_picture(picture(3));
        content.push_text("three");
        content.push_picture(picture(4));
        content
    }

    #[test]
    fn parts_come_in_order_and_texts_that_touch_are_one() {
        let (content, first, second) = (mixed(), picture(3), picture(4));
        let parts: Vec<Part<'_>> = content.parts().collect();
        let expected = [Part::Text("one two"), Part::Picture(&first), Part::Text("three"), Part::Picture(&second)];
        assert_eq!(parts, expected);
        assert_eq!(content.text(), "one twothree");
        assert_eq!(
            content.in_words(),
            "one two\n[PNG picture of 3 × 5 pixels, 70 bytes]three\n[PNG picture of 4 × 5 pixels, 70 bytes]"
        );
        assert_eq!(content.with_text("x".to_owned()).parts().next(), Some(Part::Text("x")));
        assert_eq!(content.with_each_text(str::to_owned), content);
    }

    #[test]
    fn a_log_has_a_text_as_a_text_and_pictures_by_their_hash() {
        let plain = Content::from("hello");
        assert_eq!(serde_json::to_value(&plain).ok(), Some(json!("hello")), "as it always was");

        let stored = serde_json::to_value(mixed()).expect("JSON");

        assert_eq!(stored[0], json!({"type": "text", "text": "one two"}));
        let expected = json!({"type": "picture", "hash": "ab", "format": "png", "bytes": 70, "width": 3, "height": 5});
        assert_eq!(stored[1], expected);
        let back = |value: Value| serde_json::from_value::<Content>(value).ok();
        assert_eq!((back(stored), back(json!("hello"))), (Some(mixed()), Some(plain)));
    }

    #[test]
    fn only_a_content_without_words_and_pictures_is_blank() {
        let mut content = Content::from(" \n");
        assert!(content.is_blank());
        content.push_picture(picture(1));
        assert!(!content.is_blank());
    }
}
