//! Every example is what the JSON Schemas and the AsyncAPI document say a frame is.
#![cfg(feature = "schema")]

mod support;

use serde_json::{Value, json};
use support::{client_types, fixtures};
use switchboard_protocol::schema;

#[test]
fn every_fixture_is_valid() {
    let client = jsonschema::validator_for(&schema::client_frame()).expect("a schema");
    let server = jsonschema::validator_for(&schema::server_frame()).expect("a schema");
    let all = jsonschema::validator_for(&schema::all()).expect("a schema");
    let client_types = client_types();

    for (name, fixture) in fixtures() {
        assert_valid(if client_types.contains(&name) { &client } else { &server }, &fixture);
        assert_valid(&all, &fixture);
    }
}

#[test]
fn a_wrong_frame_is_not_valid() {
    let schema = jsonschema::validator_for(&schema::client_frame()).expect("a schema");

    for wrong in [
        json!({}),
        json!({"type": "send-massage", "text": "hi"}),
        json!({"type": "send-message"}),
        json!({"type": "send-message", "text": 1}),
        json!({"type": "send-message", "text": "hi", "messageId": null}),
        json!({"type": "send-message", "text": "hi", "mode": "shout"}),
        json!({"type": "approve-tool", "callId": "call-1", "decision": "expired"}),
        json!(["send-message"]),
    ] {
        assert!(!schema.is_valid(&wrong), "{wrong}");
    }
}

#[test]
fn a_server_frame_needs_its_timestamp() {
    let schema = jsonschema::validator_for(&schema::server_frame()).expect("a schema");

    assert!(schema.is_valid(&json!({"type": "pong", "timestamp": "2026-03-02T09:15:04.127Z"})));
    assert!(!schema.is_valid(&json!({"type": "pong"})));
}

#[test]
fn the_asyncapi_document_describes_every_fixture() {
    let document = schema::asyncapi();
    let fixtures = fixtures();

    for (name, fixture) in &fixtures {
        let mut schema = document["components"]["messages"][name]["payload"].clone();
        schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
        schema["components"] = json!({"schemas": document["components"]["schemas"]});
        assert_valid(&jsonschema::validator_for(&schema).expect("a schema"), fixture);
    }

    let messages = document["components"]["messages"].as_object().expect("messages");
    assert!(messages.keys().all(|name| fixtures.contains_key(name)), "a message without a frame");
    let channel = document["channels"]["session"]["messages"].as_object().expect("messages of the channel");
    assert_eq!(channel.len(), fixtures.len());
}

#[test]
fn every_reference_of_the_asyncapi_document_leads_somewhere() {
    let document = schema::asyncapi();

    let mut references = Vec::new();
    collect_references(&document, &mut references);

    assert!(references.len() > 100, "{} references", references.len());
    for reference in references {
        let pointer = reference.strip_prefix('#').expect("a reference within the document");
        assert!(document.pointer(pointer).is_some(), "{reference} leads nowhere");
    }
}

#[test]
fn the_asyncapi_document_names_the_query_and_the_close_codes() {
    let document = schema::asyncapi();
    let channel = &document["channels"]["session"];

    let query = channel["bindings"]["ws"]["query"]["properties"].as_object().expect("query parameters");
    let codes = channel["x-close-codes"].as_object().expect("close codes");

    assert_eq!(query.keys().collect::<Vec<_>>(), ["session", "after", "tail", "messages"]);
    assert_eq!(
        codes.keys().collect::<Vec<_>>(),
        ["1001", "1008", "1009", "1013", "4004", "4005", "4007", "4013", "4401"]
    );
}

fn assert_valid(schema: &jsonschema::Validator, fixture: &Value) {
    let errors: Vec<String> =
        schema.iter_errors(fixture).map(|error| format!("{error} at {}", error.instance_path())).collect();
    assert_eq!(errors, Vec::<String>::new(), "in {fixture:#}");
}

fn collect_references(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            if let Some(Value::String(reference)) = fields.get("$ref") {
                found.push(reference.clone());
            }
            fields.values().for_each(|field| collect_references(field, found));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_references(item, found)),
        _ => {}
    }
}
