//! What differs from run to run gets a name that does not: ids, times, durations, ports, folders.

use std::collections::HashMap;
use std::path::Path;

use serde_json::{Map, Value};
use switchboard_tests::{ScriptedLlm, TestServer, binary};

/// Texts of a fixed form, `9` for a digit and `h` for a hexadecimal one, the longest first.
const FORMS: &[(&str, &str)] = &[
    ("9999-99-99T99:99:99", "<time>"),
    ("9999-99-99", "<date>"),
    ("1999999999", "<unix>"),
    ("99:99:99", "<clock>"),
    ("99:99", "<clock>"),
];

const UUID: &str = "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh";

const WEEKDAYS: &[&str] = &["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// Addresses and folders of what was played against, the inner ones first.
pub(super) struct Places(Vec<(String, &'static str)>);

impl Places {
    pub(super) fn of(server: &TestServer, mcp: &Path, llm: &ScriptedLlm) -> Self {
        let folder = |path: &Path| path.display().to_string();
        let workspace = server.workspace();
        let parent = workspace.parent().map(folder).unwrap_or_default();
        let programs = binary().parent().map(folder).unwrap_or_default();
        let base = llm.base_url();
        let llm = base.trim_start_matches("http://").trim_end_matches("/v1").to_owned();
        Self(vec![
            (server.address().to_owned(), "127.0.0.1:<port>"),
            (llm, "127.0.0.1:<port>"),
            (folder(&workspace), "<workspace>"),
            (parent, "<folder>"),
            (folder(mcp), "<mcp>"),
            (programs, "<programs>"),
        ])
    }
}

/// The lines with those names.
pub(super) fn normal(lines: Vec<Value>, places: &Places) -> Vec<Value> {
    let mut names = Names { places, kinds: HashMap::new(), ids: Vec::new() };
    lines.iter().for_each(|line| names.learn("", line));
    lines.into_iter().map(|line| names.value("", line)).collect()
}

struct Names<'a> {
    places: &'a Places,
    /// What each id is an id of, wherever it comes first.
    kinds: HashMap<String, &'static str>,
    /// Each id with its name, in the order in which they came.
    ids: Vec<(String, String)>,
}

impl Names<'_> {
    /// Learns from the fields what the ids are ids of.
    fn learn(&mut self, key: &str, value: &Value) {
        match value {
            Value::String(text) => {
                if let Some(kind) = kind(key)
                    && text.len() == UUID.len()
                    && fits(text, UUID)
                {
                    self.kinds.entry(text.clone()).or_insert(kind);
                }
            }
            Value::Array(values) => values.iter().for_each(|value| self.learn(key, value)),
            Value::Object(fields) => fields.iter().for_each(|(key, value)| self.learn(key, value)),
            _ => {}
        }
    }

    fn value(&mut self, key: &str, value: Value) -> Value {
        match value {
            Value::String(text) => self.text(&text).into(),
            Value::Array(values) => values.into_iter().map(|value| self.value(key, value)).collect(),
            Value::Object(fields) => self.object(fields).into(),
            Value::Number(_) if key == "durationMs" => "<ms>".into(),
            Value::Number(number) if key == "unix" && number.is_u64() => "<unix>".into(),
            other => other,
        }
    }

    fn object(&mut self, fields: Map<String, Value>) -> Map<String, Value> {
        // How long a notification stays is not a measurement.
        let stays = fields.get("type").is_some_and(|kind| kind == "notification");
        // Which history a log has is nothing of the conversation.
        let tells_history = |(key, _): &(String, Value)| key != "generation";
        let named = fields.into_iter().filter(tells_history).map(|(key, value)| {
            let value = match key.as_str() {
                "sandbox" => "<sandbox>".into(),
                "durationMs" if stays => value,
                _ => self.value(&key, value),
            };
            (key, value)
        });
        let mut fields: Map<String, Value> = named.collect();
        // The names of the days are not of one length.
        let tells_day = fields.get("preview").and_then(Value::as_str).is_some_and(|text| text.contains("<day>"));
        if tells_day && let Some(bytes) = fields.get_mut("bytes") {
            *bytes = "<bytes>".into();
        }
        fields
    }

    fn text(&mut self, text: &str) -> String {
        let mut text = text.to_owned();
        for (place, name) in &self.places.0 {
            text = text.replace(place.as_str(), name);
        }
        text = self.with_forms(&text);
        if text.contains("<clock>") { without_days(&text) } else { text }
    }

    /// Ids and times by their forms.
    fn with_forms(&mut self, text: &str) -> String {
        let (mut named, mut at) = (String::new(), 0);
        while let Some(sign) = text[at..].chars().next() {
            let free = !named.ends_with(|before: char| before.is_ascii_alphanumeric() || before == '.');
            if free && fits(&text[at..], UUID) {
                named.push_str(&self.id(&text[at..at + UUID.len()]));
                at += UUID.len();
            } else if let Some((form, name)) = FORMS.iter().find(|(form, _)| free && fits(&text[at..], form)) {
                named.push_str(name);
                at += form.len();
                if *name == "<time>" {
                    at += zone(&text[at..]);
                }
            } else {
                named.push(sign);
                at += sign.len_utf8();
            }
        }
        named
    }

    fn id(&mut self, id: &str) -> String {
        if let Some((_, name)) = self.ids.iter().find(|(known, _)| known == id) {
            return name.clone();
        }
        let kind = self.kinds.get(id).copied().unwrap_or("id");
        let number = self.ids.iter().filter(|(_, name)| name.starts_with(&format!("<{kind}-"))).count() + 1;
        let name = format!("<{kind}-{number}>");
        self.ids.push((id.to_owned(), name.clone()));
        name
    }
}

/// What the ids in this field are ids of.
fn kind(field: &str) -> Option<&'static str> {
    Some(match field {
        "sessionId" => "session",
        "turnId" | "messageId" | "messageIds" => "message",
        "callId" | "parentCallId" | "undid" => "call",
        "queryId" => "query",
        "notificationId" => "notification",
        "windowId" => "window",
        _ => return None,
    })
}

/// Whether the text begins with this form, and nothing of the same kind goes on behind it.
fn fits(text: &str, form: &str) -> bool {
    let bytes = text.as_bytes();
    let goes_on = bytes.get(form.len()).is_some_and(|next| match form {
        "9999-99-99T99:99:99" => next.is_ascii_digit(),
        "99:99" | "99:99:99" => next.is_ascii_alphanumeric() || *next == b':',
        _ => next.is_ascii_alphanumeric(),
    });
    let same = |(sign, byte): (u8, &u8)| match sign {
        b'9' => byte.is_ascii_digit(),
        b'h' => byte.is_ascii_hexdigit(),
        other => *byte == other,
    };
    bytes.len() >= form.len() && !goes_on && form.bytes().zip(bytes).all(same)
}

/// The length of what follows a time: a fraction, and `Z` or an offset.
fn zone(text: &str) -> usize {
    let digits = |text: &str| text.len() - text.trim_start_matches(|sign: char| sign.is_ascii_digit()).len();
    let fraction = text.strip_prefix('.').map_or(0, |rest| 1 + digits(rest));
    let rest = &text[fraction..];
    match rest.strip_prefix(['+', '-']) {
        _ if rest.starts_with('Z') => fraction + 1,
        Some(offset) if fits(offset, "99:99") => fraction + 6,
        _ => fraction,
    }
}

/// `Monday, 2 March 2026` is `<day>`, and so is `Monday` alone.
fn without_days(text: &str) -> String {
    let mut text = text.to_owned();
    for day in WEEKDAYS {
        while let Some(at) = text.find(day) {
            let date = date(&text[at + day.len()..]);
            text.replace_range(at..at + day.len() + date, "<day>");
        }
    }
    text
}

/// The length of a date such as `, 2 March 2026` that the text begins with.
fn date(text: &str) -> usize {
    let mut words = text.strip_prefix(", ").unwrap_or_default().splitn(3, ' ');
    let (day, month, rest) = (words.next(), words.next(), words.next());
    let (Some(day), Some(month), Some(rest)) = (day, month, rest) else { return 0 };
    let year = fits(rest, "9999");
    if day.parse::<u8>().is_ok() && year { ", ".len() + day.len() + 1 + month.len() + 1 + 4 } else { 0 }
}
