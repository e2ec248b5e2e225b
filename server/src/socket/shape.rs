//! The shape of each client frame: which fields it has, so that an error can name the one that is missing or wrong.

use serde_json::{Map, Value};

use switchboard_runtime::nearest;
use switchboard_session::Refusal;

/// What a field holds.
#[derive(Clone, Copy)]
enum Kind {
    Text,
    Object,
    Any,
    Word(&'static [&'static str]),
}

struct Field {
    name: &'static str,
    kind: Kind,
    required: bool,
}

const fn required(name: &'static str, kind: Kind) -> Field {
    Field { name, kind, required: true }
}

const fn optional(name: &'static str, kind: Kind) -> Field {
    Field { name, kind, required: false }
}

const MODES: &[&str] = &["queue", "steer", "interrupt"];
const ANSWERS: &[&str] = &["allow-once", "allow-session", "deny"];

const FRAMES: &[(&str, &[Field])] = &[
    (
        "send-message",
        &[
            required("text", Kind::Text),
            optional("timestamp", Kind::Text),
            optional("messageId", Kind::Text),
            optional("mode", Kind::Word(MODES)),
        ],
    ),
    ("cancel", &[optional("messageId", Kind::Text)]),
    (
        "approve-tool",
        &[
            required("callId", Kind::Text),
            required("decision", Kind::Word(ANSWERS)),
            optional("arguments", Kind::Object),
            optional("reason", Kind::Text),
        ],
    ),
    ("answer-query", &[required("queryId", Kind::Text), optional("answer", Kind::Any)]),
    ("call-tool", &[required("callId", Kind::Text), required("tool", Kind::Text), required("arguments", Kind::Object)]),
    ("get-context", &[]),
    ("clear-context", &[]),
    ("set-variable", &[required("name", Kind::Text), required("value", Kind::Any)]),
    ("rename-variable", &[required("name", Kind::Text), required("newName", Kind::Text)]),
    ("delete-variable", &[required("name", Kind::Text)]),
    ("set-title", &[required("title", Kind::Text)]),
    ("window-closed", &[required("windowId", Kind::Text)]),
    ("ping", &[]),
];

/// Checks that a value has the shape of a client frame; an optional field that is null counts as absent.
///
/// # Errors
/// The refusal that names the field.
pub(super) fn check(value: &mut Value) -> Result<(), Refusal> {
    let Value::Object(frame) = value else {
        let text = format!("A frame is a JSON object, and this is {}.", word_for(value));
        return Err(Refusal::new("protocol-wrong-field", text).suggesting(EXAMPLE));
    };
    let fields = fields_of(frame)?;
    for field in fields {
        if !field.required && frame.get(field.name).is_some_and(Value::is_null) {
            frame.remove(field.name);
        }
        match frame.get(field.name) {
            None if field.required => return Err(missing(field.name)),
            None => {}
            Some(value) => check_field(field, value)?,
        }
    }
    Ok(())
}

const EXAMPLE: &str = r#"Send for example {"type":"send-message","text":"Hello"}."#;

fn fields_of(frame: &Map<String, Value>) -> Result<&'static [Field], Refusal> {
    let name = match frame.get("type") {
        None => return Err(missing("type")),
        Some(Value::String(name)) => name,
        Some(other) => return Err(wrong("type", "a text", other)),
    };
    if let Some((_, fields)) = FRAMES.iter().find(|(known, _)| known == name) {
        return Ok(fields);
    }
    let shown: String = name.chars().take(64).collect();
    let refusal = Refusal::field("protocol-unknown-type", "type", format!("There is no frame of the type `{shown}`."));
    let names = FRAMES.iter().map(|(name, _)| *name);
    Err(match nearest(name, names.clone(), 1).first() {
        Some(near) => refusal.suggesting(format!("Did you mean `{near}`?")),
        None => refusal.suggesting(format!("There is: {}.", names.collect::<Vec<_>>().join(", "))),
    })
}

fn check_field(field: &Field, value: &Value) -> Result<(), Refusal> {
    match (field.kind, value) {
        (Kind::Any, _) | (Kind::Text, Value::String(_)) | (Kind::Object, Value::Object(_)) => Ok(()),
        (Kind::Word(words), Value::String(word)) if words.contains(&word.as_str()) => Ok(()),
        (Kind::Text, other) => Err(wrong(field.name, "a text", other)),
        (Kind::Object, other) => Err(wrong(field.name, "an object", other)),
        (Kind::Word(words), other) => Err(wrong(field.name, &format!("one of {}", words.join(", ")), other)),
    }
}

fn missing(path: &str) -> Refusal {
    Refusal::field("protocol-missing-field", path, format!("The field `{path}` is missing."))
        .suggesting(format!("Send the frame again with `{path}`."))
}

fn wrong(path: &str, expected: &str, found: &Value) -> Refusal {
    let text = format!("`{path}` must be {expected}, and this is {}.", word_for(found));
    Refusal::field("protocol-wrong-field", path, text).suggesting(format!("Send `{path}` as {expected}."))
}

fn word_for(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(_) => "a number".to_owned(),
        Value::String(text) => format!("the text {:?}", text.chars().take(40).collect::<String>()),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}
