//! A parameter as its schema describes it, read once for a tool.

use std::rc::Rc;

use serde_json::Value;

use super::stems::{is_empty, stem, stems};
use crate::tools::words::name_words;

/// What kind of value a parameter takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    Text,
    Integer,
    Number,
    Boolean,
    List,
    Object,
}

/// What a text is for, as far as its name and description say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wants {
    Url,
    Email,
    Path,
    Date,
    Time,
    Place,
    Id,
    /// A number that a telephone has.
    Telephone,
    /// A name of somebody or something.
    Name,
    /// Words of the user: a text, a query.
    Words,
    Anything,
}

/// A parameter.
pub(super) struct Param<'t> {
    pub(super) name: &'t str,
    pub(super) schema: &'t Value,
    pub(super) required: bool,
    pub(super) takes: Takes,
    pub(super) wants: Wants,
    /// The stems of its name, the important one last.
    pub(super) words: Vec<Rc<str>>,
    /// The stems of its description.
    pub(super) notes: Vec<Rc<str>>,
    /// Its description in lower case.
    pub(super) about: String,
    /// What the description gives as examples, and what stands for what: `1 for Bangkok`.
    pub(super) examples: Vec<String>,
    pub(super) codes: Vec<(String, String)>,
}

impl<'t> Param<'t> {
    pub(super) fn new(name: &'t str, schema: &'t Value, required: bool) -> Self {
        let described = schema.get("description").and_then(Value::as_str).unwrap_or_default();
        let described: &str = described.get(..described.floor_char_boundary(1500)).unwrap_or_default();
        let about = described.to_lowercase();
        let takes = takes(schema);
        let names = name_words(name);
        let wants = by_format(schema).unwrap_or_else(|| wants(&names, &about));
        let words = names.iter().filter(|word| !is_empty(word) || names.len() == 1).map(|word| stem(word)).collect();
        Self {
            name,
            schema,
            required,
            takes,
            wants,
            words,
            notes: stems(described),
            examples: examples(described),
            codes: codes(described),
            about,
        }
    }

    /// The parameters of a schema of an object, in its order.
    pub(super) fn all(schema: &'t Value) -> Vec<Self> {
        let required: Vec<&str> =
            schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        let properties = schema.get("properties").and_then(Value::as_object);
        let properties = properties.into_iter().flatten().take(60);
        properties.map(|(name, schema)| Self::new(name, schema, required.contains(&name.as_str()))).collect()
    }

    /// The values it is limited to.
    pub(super) fn options(&self) -> &'t [Value] {
        let of = |schema: &'t Value| schema.get("enum").and_then(Value::as_array).map(Vec::as_slice);
        of(self.schema).or_else(|| of(self.schema.get("items")?)).unwrap_or_default()
    }

    /// What stands for it when nothing is said.
    pub(super) fn default(&self) -> Option<&'t Value> {
        self.schema.get("default").filter(|value| !value.is_null())
    }

    /// Whether its options are numbers, which may stand for much else in a request.
    pub(super) fn has_figures(&self) -> bool {
        let figure =
            |option: &Value| option.is_number() || option.as_str().is_some_and(|text| text.parse::<f64>().is_ok());
        self.options().iter().any(figure)
    }

    /// The default that the description names: `Default is 5`.
    pub(super) fn told_default(&self) -> Option<Value> {
        let described = self.schema.get("description").and_then(Value::as_str)?;
        let (_, rest) = ["efault is ", "efaults to ", "efault value is ", "efault: ", "efault to ", "efault "]
            .iter()
            .find_map(|lead| described.split_once(lead))?;
        let word = rest.split([' ', ',', ')', ';']).next()?.trim_matches(['\'', '"', '`', '.']);
        match self.takes {
            Takes::Integer => word.parse::<i64>().ok().map(Value::from),
            Takes::Number => word.parse::<f64>().ok().map(Value::from),
            Takes::Text => self
                .options()
                .iter()
                .find(|option| option.as_str().is_some_and(|text| text.eq_ignore_ascii_case(word)))
                .cloned(),
            _ => None,
        }
    }

    pub(super) fn is_numeric(&self) -> bool {
        matches!(self.takes, Takes::Integer | Takes::Number)
    }

    /// Whether its name or its description has this word.
    pub(super) fn says(&self, word: &str) -> bool {
        self.about.contains(word) || self.name.to_lowercase().contains(word)
    }
}

fn takes(schema: &Value) -> Takes {
    let kinds: Vec<&str> = match schema.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => {
            let options = schema.get("anyOf").or_else(|| schema.get("oneOf")).and_then(Value::as_array);
            options.into_iter().flatten().filter_map(|option| option.get("type").and_then(Value::as_str)).collect()
        }
    };
    match kinds.iter().find(|kind| **kind != "null") {
        Some(&"integer") => Takes::Integer,
        Some(&"number") => Takes::Number,
        Some(&"boolean") => Takes::Boolean,
        Some(&"array") => Takes::List,
        Some(&"object") => Takes::Object,
        _ => Takes::Text,
    }
}

/// What a text's format says that it is for.
fn by_format(schema: &Value) -> Option<Wants> {
    match schema.get("format").and_then(Value::as_str)? {
        "email" | "idn-email" => Some(Wants::Email),
        "uri" | "uri-reference" | "iri" | "url" => Some(Wants::Url),
        "date" | "date-time" => Some(Wants::Date),
        "time" => Some(Wants::Time),
        "uuid" => Some(Wants::Id),
        _ => None,
    }
}

fn wants(names: &[String], about: &str) -> Wants {
    let named = |words: &[&str]| names.iter().any(|name| words.contains(&name.as_str()));
    let last = |words: &[&str]| names.last().is_some_and(|name| words.contains(&name.as_str()));
    if named(&["url", "uri", "link", "href", "website", "webpage", "endpoint"]) {
        Wants::Url
    } else if named(&["email", "mail", "cc", "bcc"]) || about.contains("email address") {
        Wants::Email
    } else if named(&["path", "filepath", "filename", "file", "directory", "folder"]) {
        Wants::Path
    } else if last(&["id", "identifier", "code", "number", "key", "token", "uuid", "sku", "vin", "isbn", "ids"]) {
        Wants::Id
    } else if named(&["date", "day", "deadline", "birthday", "dob"])
        || about.contains("yyyy")
        || about.contains("iso 8601")
    {
        Wants::Date
    } else if named(&["time", "hour"]) && !named(&["zone", "timezone", "period", "range", "frame", "series"]) {
        Wants::Time
    } else if named(&[
        "city",
        "location",
        "country",
        "state",
        "place",
        "region",
        "address",
        "area",
        "destination",
        "origin",
        "town",
        "venue",
        "departure",
        "arrival",
        "from",
        "where",
        "province",
        "county",
    ]) {
        Wants::Place
    } else if last(&[
        "name",
        "title",
        "author",
        "artist",
        "person",
        "user",
        "username",
        "player",
        "team",
        "company",
        "recipient",
        "receiver",
        "receiver",
        "actor",
        "director",
        "owner",
        "organization",
    ]) {
        Wants::Name
    } else if named(&[
        "query",
        "text",
        "message",
        "content",
        "body",
        "description",
        "question",
        "prompt",
        "note",
        "comment",
        "keyword",
        "keywords",
        "topic",
        "subject",
        "search",
        "term",
        "sentence",
        "phrase",
    ]) {
        Wants::Words
    } else {
        Wants::Anything
    }
}

/// What stands in quotation marks, behind `e.g.`, `such as` or `like` in a description.
fn examples(about: &str) -> Vec<String> {
    let mut found = quoted(about);
    for lead in [
        "e.g.",
        "such as",
        "like ",
        "Options:",
        "options:",
        "either ",
        "Options include",
        "options include",
        "including ",
        "eg. ",
    ] {
        let Some((_, rest)) = about.split_once(lead) else { continue };
        let end = rest.find([')', '.', ';', '\n']).unwrap_or(rest.len());
        let part = &rest[..end];
        let listed = part.split([',', '/']).flat_map(|piece| piece.split(" or "));
        for piece in listed.flat_map(|piece| std::iter::once(piece).chain(piece.split(" and "))) {
            let piece =
                piece.trim().trim_matches(['\'', '"', ':', '`']).trim_start_matches("or ").trim_start_matches("and ");
            if (2..=40).contains(&piece.len()) && piece.split(' ').count() <= 4 && piece != "etc" {
                found.push(piece.to_owned());
            }
        }
    }
    found.dedup();
    found.truncate(24);
    found
}

fn quoted(about: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = about;
    while let Some(start) = rest.find(['\'', '"', '`']) {
        let mark = &rest[start..=start];
        let before = rest[..start].chars().next_back();
        let Some(end) = rest[start + 1..].find(mark).filter(|_| before.is_none_or(|c| !c.is_alphanumeric())) else {
            rest = &rest[start + 1..];
            continue;
        };
        let inside = &rest[start + 1..start + 1 + end];
        if (1..=40).contains(&inside.len()) {
            found.push(inside.to_owned());
        }
        rest = &rest[start + end + 2..];
    }
    found
}

/// What a description says stands for what: `1 for Bangkok, 2 represents Chiang Mai`, `'metric' for Celsius`.
fn codes(about: &str) -> Vec<(String, String)> {
    let mut codes = Vec::new();
    let words: Vec<&str> = about.split_whitespace().collect();
    for (place, word) in words.iter().enumerate().take(300) {
        let verb = word.trim_matches(['(', ')']);
        if !matches!(verb, "for" | "represents" | "is" | "means" | "=" | "indicates" | "represent") || place == 0 {
            continue;
        }
        let code = words[place - 1];
        let quoted = code.starts_with(['\'', '"', '`', '(']) && code.len() > 2;
        let code = code.trim_matches(['\'', '"', '`', '(', ',', '.']);
        if code.is_empty() || !(quoted || code.chars().all(|c| c.is_ascii_digit())) {
            continue;
        }
        let mut meaning = Vec::new();
        for next in words.iter().skip(place + 1).take(5) {
            let bare = next.trim_matches(['\'', '"', '(', ')', ',', '.', ';']);
            let marked = next.ends_with([',', '.', ';', ')']);
            if matches!(bare, "and" | "or") {
                break;
            }
            if !matches!(bare, "the" | "a" | "an") {
                meaning.push(bare.to_lowercase());
            }
            if marked {
                break;
            }
        }
        if !meaning.is_empty() {
            codes.push((code.to_owned(), meaning.join(" ")));
        }
    }
    codes
}
