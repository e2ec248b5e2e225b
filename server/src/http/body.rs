//! JSON bodies: of the right type, not too large, and as the published schema says. The schema that clients read is
//! the one that bodies are checked against.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use switchboard_protocol::schema;

use super::deadline;
use super::error::Problem;

/// The largest JSON body.
pub(super) const MAX_JSON_BYTES: usize = 4 * 1024 * 1024;

/// Text with something in it. U+0085 is white space to Unicode, and so to the session, but not to JSON Schema's `\s`.
pub(super) const NOT_BLANK: &str = "[^\\s\u{85}]";

/// A body that fits the schema of `T`.
pub(super) struct JsonBody<T>(pub(super) T);

impl<T: DeserializeOwned + JsonSchema> JsonBody<T> {
    /// Reads the body.
    ///
    /// # Errors
    /// 415, 413, 400 (no JSON) or 422 (not as the schema says), each naming the field.
    pub(super) async fn from(request: Request) -> Result<Self, Problem> {
        match Self::from_optional(request).await? {
            Some(body) => Ok(body),
            None => Err(Problem::bad_request("body", "the request has no body").suggest("send a JSON object")),
        }
    }

    /// Reads the body, if there is one.
    ///
    /// # Errors
    /// As [`Self::from`].
    pub(super) async fn from_optional(request: Request) -> Result<Option<Self>, Problem> {
        let is_json = is_json(request.headers());
        let bytes = deadline::read(request.into_body(), MAX_JSON_BYTES).await?;
        if bytes.is_empty() && is_json != Some(false) {
            return Ok(None);
        }
        if is_json != Some(true) {
            return Err(wrong_type("application/json"));
        }
        let value: Value = serde_json::from_slice(&bytes).map_err(|error| {
            Problem::bad_request("body", format!("the body is not JSON: {error}"))
                .suggest("send a JSON object in UTF-8")
        })?;
        check::<T>(&value)?;
        let body = serde_json::from_value(value).map_err(|error| unprocessable("body", &error.to_string()))?;
        Ok(Some(Self(body)))
    }
}

/// The body has another media type than the one that is read here.
pub(super) fn wrong_type(right: &'static str) -> Problem {
    Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, format!("the body is not {right}"))
        .in_field("Content-Type")
        .suggest(format!("send it with Content-Type: {right}"))
        .with_header(header::ACCEPT, HeaderValue::from_static(right))
}

/// The schema of a body, as the API's description has it; nothing is referred to, everything is in place.
fn body_schema<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    schema::generator(settings).root_schema_for::<T>().to_value()
}

/// `Some(true)` for JSON, `Some(false)` for another type, `None` when none is named.
fn is_json(headers: &HeaderMap) -> Option<bool> {
    let kind = headers.get(header::CONTENT_TYPE)?;
    let kind = kind.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim();
    Some(kind.eq_ignore_ascii_case("application/json"))
}

fn check<T: JsonSchema>(value: &Value) -> Result<(), Problem> {
    let validator = jsonschema::validator_for(&body_schema::<T>()).map_err(|error| Problem::internal(&error))?;
    match validator.iter_errors(value).next() {
        None => Ok(()),
        Some(error) => {
            Err(unprocessable(&field_of(&error.instance_path().to_string(), value), &shorten(&error.to_string())))
        }
    }
}

/// `/a/0/b` as `a[0].b`; the body itself is `body`.
fn field_of(pointer: &str, value: &Value) -> String {
    let mut field = String::new();
    let mut at = Some(value);
    for step in pointer.split('/').skip(1) {
        let step = step.replace("~1", "/").replace("~0", "~");
        match at {
            Some(Value::Array(items)) => {
                field.push_str(&format!("[{step}]"));
                at = step.parse::<usize>().ok().and_then(|index| items.get(index));
            }
            _ => {
                if !field.is_empty() {
                    field.push('.');
                }
                field.push_str(&step);
                at = at.and_then(Value::as_object).and_then(|object: &Map<String, Value>| object.get(&step));
            }
        }
    }
    if field.is_empty() { "body".to_owned() } else { field }
}

fn unprocessable(field: &str, detail: &str) -> Problem {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail)
        .in_field(field)
        .suggest("GET /api/openapi.json describes the body; /api/docs shows it as a page")
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(400) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
