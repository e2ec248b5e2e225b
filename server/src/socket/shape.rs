//! The shape of each client frame: which fields it has, so that an error can name the one that is missing or wrong. It
//! is read from the schema that `ClientFrame` makes of itself, so that frames are stated once.

use std::sync::LazyLock;

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};
use switchboard_protocol::{ClientFrame, schema};

use switchboard_runtime::nearest;
use switchboard_session::Refusal;

/// What a field holds.
#[derive(Debug, PartialEq)]
enum Kind {
    Text,
    Texts,
    Object,
    Any,
    Word(Vec<String>),
}

#[derive(Debug, PartialEq)]
struct Field {
    name: String,
    kind: Kind,
    required: bool,
}

#[derive(Debug, PartialEq)]
struct Frame {
    name: String,
    fields: Vec<Field>,
}

static FRAMES: LazyLock<Vec<Frame>> = LazyLock::new(frames);

/// Checks that a value has the shape of a client frame; an optional field that is null counts as absent.
///
/// # Errors
/// The refusal that names the field.
pub(super) fn check(value: &mut Value) -> Result<(), Refusal> {
    let Value::Object(frame) = value else {
        let text = format!("A frame is a JSON object, but this is {}.", word_for(value));
        return Err(Refusal::new("protocol-wrong-field", text).suggesting(EXAMPLE));
    };
    let fields = fields_of(frame)?;
    for field in fields {
        let name = field.name.as_str();
        if !field.required && frame.get(name).is_some_and(Value::is_null) {
            frame.remove(name);
        }
        match frame.get(name) {
            None if field.required => return Err(missing(name)),
            None => {}
            Some(value) => check_field(field, value)?,
        }
    }
    Ok(())
}

const EXAMPLE: &str = r#"Send, for example, {"type":"send-message","text":"Hello"}."#;

fn fields_of(frame: &Map<String, Value>) -> Result<&'static [Field], Refusal> {
    let name = match frame.get("type") {
        None => return Err(missing("type")),
        Some(Value::String(name)) => name,
        Some(other) => return Err(wrong("type", "a string", other)),
    };
    if let Some(known) = FRAMES.iter().find(|known| known.name == *name) {
        return Ok(&known.fields);
    }
    let shown: String = name.chars().take(64).collect();
    let refusal = Refusal::field("protocol-unknown-type", "type", format!("There is no frame type `{shown}`."));
    let names = FRAMES.iter().map(|known| known.name.as_str());
    Err(match nearest(name, names.clone(), 1).first() {
        Some(near) => refusal.suggesting(format!("Did you mean `{near}`?")),
        None => refusal.suggesting(format!("The types are: {}.", names.collect::<Vec<_>>().join(", "))),
    })
}

fn check_field(field: &Field, value: &Value) -> Result<(), Refusal> {
    let name = field.name.as_str();
    match (&field.kind, value) {
        (Kind::Any, _) | (Kind::Text, Value::String(_)) | (Kind::Object, Value::Object(_)) => Ok(()),
        (Kind::Word(words), Value::String(word)) if words.contains(word) => Ok(()),
        (Kind::Texts, Value::Array(items)) => match items.iter().enumerate().find(|(_, item)| !item.is_string()) {
            Some((place, other)) => Err(wrong(&format!("{name}[{place}]"), "a string", other)),
            None => Ok(()),
        },
        (Kind::Texts, other) => Err(wrong(name, "a list of strings", other)),
        (Kind::Text, other) => Err(wrong(name, "a string", other)),
        (Kind::Object, other) => Err(wrong(name, "an object", other)),
        (Kind::Word(words), other) => Err(wrong(name, &format!("one of {}", words.join(", ")), other)),
    }
}

fn missing(path: &str) -> Refusal {
    Refusal::field("protocol-missing-field", path, format!("The field `{path}` is missing."))
        .suggesting(format!("Send the frame again with `{path}`."))
}

fn wrong(path: &str, expected: &str, found: &Value) -> Refusal {
    let text = format!("`{path}` must be {expected}, but it is {}.", word_for(found));
    Refusal::field("protocol-wrong-field", path, text).suggesting(format!("Send `{path}` as {expected}."))
}

fn word_for(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(_) => "a number".to_owned(),
        Value::String(text) => format!("the string {:?}", text.chars().take(40).collect::<String>()),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// The shapes of all client frames, in the order in which the type has them.
fn frames() -> Vec<Frame> {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let schema = schema::generator(settings).into_root_schema_for::<ClientFrame>().to_value();
    schema["oneOf"].as_array().into_iter().flatten().filter_map(frame_of).collect()
}

fn frame_of(variant: &Value) -> Option<Frame> {
    let properties = variant["properties"].as_object()?;
    let required = variant["required"].as_array()?;
    let field = |(name, schema): (&String, &Value)| Field {
        name: name.clone(),
        kind: kind_of(schema),
        required: required.iter().any(|required| required == name),
    };
    let fields = properties.iter().filter(|(name, _)| *name != "type").map(field).collect();
    Some(Frame { name: properties.get("type")?["const"].as_str()?.to_owned(), fields })
}

/// What a schema allows; what cannot be told from it is left to the type itself.
fn kind_of(schema: &Value) -> Kind {
    let words = words_of(schema);
    match schema["type"].as_str() {
        _ if !words.is_empty() => Kind::Word(words),
        Some("string") => Kind::Text,
        Some("array") if schema["items"]["type"] == "string" => Kind::Texts,
        Some("object") => Kind::Object,
        _ => Kind::Any,
    }
}

/// The words of a closed set: a list, or one schema a word where the words are explained.
fn words_of(schema: &Value) -> Vec<String> {
    let listed = schema["enum"].as_array().into_iter().flatten();
    let explained = schema["oneOf"].as_array().into_iter().flatten().map(|choice| &choice["const"]);
    listed.chain(explained).filter_map(Value::as_str).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(name: &str, kind: Kind, required: bool) -> Field {
        Field { name: name.to_owned(), kind, required }
    }

    fn words(words: &[&str]) -> Kind {
        Kind::Word(words.iter().map(|word| (*word).to_owned()).collect())
    }

    fn fields_of_the_frame(name: &str) -> &'static [Field] {
        &FRAMES.iter().find(|frame| frame.name == name).expect("a frame").fields
    }

    #[test]
    fn the_shapes_stand_in_the_order_of_the_type() {
        let names: Vec<&str> = FRAMES.iter().map(|frame| frame.name.as_str()).collect();

        assert_eq!(names[..4], ["send-message", "cancel", "approve-tool", "answer-query"]);
        assert_eq!(names.len(), 13, "{names:?}");
    }

    #[test]
    fn each_kind_of_field_is_told_from_the_schema() {
        assert_eq!(
            fields_of_the_frame("send-message"),
            [
                field("text", Kind::Text, true),
                field("timestamp", Kind::Text, false),
                field("messageId", Kind::Text, false),
                field("mode", words(&["queue", "steer", "interrupt"]), false),
                field("attachments", Kind::Texts, false),
            ]
        );
        assert_eq!(
            fields_of_the_frame("approve-tool"),
            [
                field("callId", Kind::Text, true),
                field("decision", words(&["allow-once", "allow-session", "deny"]), true),
                field("arguments", Kind::Object, false),
                field("reason", Kind::Text, false),
            ]
        );
        assert_eq!(fields_of_the_frame("answer-query")[1], field("answer", Kind::Any, false));
        assert_eq!(fields_of_the_frame("set-variable")[1], field("value", Kind::Any, true));
        assert_eq!(fields_of_the_frame("ping"), []);
    }
}
