//! The socket as an AsyncAPI 3.0 document: one channel, every frame a message, seen from the server's side.
//!
//! AsyncAPI builds on JSON Schema draft 7, so the schemas are made again in that dialect.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::frames::generator;
use crate::{ClientFrame, PROTOCOL_VERSION, ServerFrame, close};

const DESCRIPTION: &str = "A chat server whose agent uses tools. One JSON object per text frame; `type` says which \
                           kind. Unknown fields are ignored, and a client should ignore frames of a type that it does \
                           not know. Every frame with a `seq` is saved: connect with `session` and `after` to \
                           continue from where you were.";

/// The document.
#[must_use]
pub fn asyncapi() -> Value {
    let mut generator =
        generator(SchemaSettings::draft07().with(|settings| settings.definitions_path = "/components/schemas".into()));
    generator.subschema_for::<ClientFrame>();
    generator.subschema_for::<ServerFrame>();
    let schemas = generator.take_definitions(true);
    let client = messages(&schemas["ClientFrame"]);
    let server = messages(&schemas["ServerFrame"]);

    json!({
        "asyncapi": "3.0.0",
        "info": {
            "title": "Switchboard",
            "version": format!("{PROTOCOL_VERSION}.0.0"),
            "description": DESCRIPTION,
            "license": {"name": "MIT OR Apache-2.0"},
        },
        "defaultContentType": "application/json",
        "servers": {
            "local": {"host": "127.0.0.1:7878", "protocol": "ws", "security": [{"$ref": "#/components/securitySchemes/token"}]},
        },
        "channels": {
            "session": {
                "address": "/ws",
                "title": "One session",
                "description": channel_description(),
                "messages": channel_messages(client.keys().chain(server.keys())),
                "bindings": {"ws": {"method": "GET", "query": query(), "bindingVersion": "0.1.0"}},
                "x-close-codes": close_codes(),
            },
        },
        "operations": {
            "receiveClientFrame": {
                "action": "receive",
                "channel": {"$ref": "#/channels/session"},
                "summary": "What a client sends.",
                "messages": references(&client),
            },
            "sendServerFrame": {
                "action": "send",
                "channel": {"$ref": "#/channels/session"},
                "summary": "What the server sends.",
                "messages": references(&server),
            },
        },
        "components": {
            "messages": client.into_iter().chain(server).collect::<Map<_, _>>(),
            "schemas": schemas,
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "Only if the server was started with a token.",
                },
            },
        },
    })
}

/// One message a `type`: its own fields and those of the envelope, if there is one, as one object.
fn messages(frame: &Value) -> Map<String, Value> {
    let variants = frame["oneOf"].as_array().map(Vec::as_slice).unwrap_or_default();
    variants.iter().map(|variant| message(variant, frame)).collect()
}

fn message(variant: &Value, envelope: &Value) -> (String, Value) {
    let name = variant["properties"]["type"]["const"].as_str().unwrap_or_default().to_owned();
    let mut payload = variant.clone();
    if let (Some(properties), Some(more)) = (payload["properties"].as_object_mut(), envelope["properties"].as_object())
    {
        properties.extend(more.clone());
    }
    if let (Some(required), Some(more)) = (payload["required"].as_array_mut(), envelope["required"].as_array()) {
        required.extend(more.iter().cloned());
    }
    let message = json!({"name": name, "summary": variant["description"], "payload": payload});
    (name, message)
}

fn channel_messages<'a>(names: impl Iterator<Item = &'a String>) -> Map<String, Value> {
    names.map(|name| (name.clone(), json!({"$ref": format!("#/components/messages/{name}")}))).collect()
}

fn references(messages: &Map<String, Value>) -> Vec<Value> {
    messages.keys().map(|name| json!({"$ref": format!("#/channels/session/messages/{name}")})).collect()
}

fn query() -> Value {
    json!({
        "type": "object",
        "properties": {
            "session": {
                "type": "string",
                "format": "uuid",
                "description": "The session to attach to. Absent: a new session, whose id `session-ready` says.",
            },
            "after": {
                "type": "integer",
                "minimum": 0,
                "description": "Sends every event with a `seq` above this one, then new ones as they happen.",
            },
            "tail": {
                "type": "integer",
                "minimum": 0,
                "description": "Instead of `after`: a snapshot in `session-ready` and this many of the last events.",
            },
            "messages": {
                "type": "integer",
                "minimum": 1,
                "description": "With `tail`: begins with the user's n-th last message, if that gives fewer events.",
            },
        },
    })
}

fn close_codes() -> Map<String, Value> {
    close::ALL
        .iter()
        .map(|entry| {
            let words = json!({"meaning": entry.meaning, "advice": entry.advice, "retry": entry.retry});
            (entry.code.to_string(), words)
        })
        .collect()
}

fn channel_description() -> String {
    let codes: String =
        close::ALL.iter().map(|entry| format!("\n- {}: {}; {}.", entry.code, entry.meaning, entry.advice)).collect();
    format!(
        "The first frame from the server is `session-ready`. An invalid frame is answered with an `agent-error` whose \
         `code` begins with `protocol-`; the connection stays open. A foreign Origin or Host gets HTTP 403.\n\nClose \
         codes:{codes}"
    )
}
