//! One example of each frame is in `fixtures/`; these tests check the examples and the types against each other.
//! The TypeScript tests of `web/` read the same files.

mod support;

use std::collections::BTreeSet;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use support::{client_types, fixtures, types_of};
use switchboard_protocol::{ClientFrame, SERVER_FRAME_TYPES, ServerFrame, ServerMessage, frame_type};

#[test]
fn every_fixture_is_a_frame_that_is_written_as_it_was_read() {
    let client_types = client_types();

    for (name, fixture) in fixtures() {
        if client_types.contains(&name) {
            assert_round_trip::<ClientFrame>(&fixture);
        } else {
            assert_round_trip::<ServerFrame>(&fixture);
        }
    }
}

#[test]
fn every_frame_has_a_fixture_and_every_fixture_a_frame() {
    let mut types = client_types();
    types.extend(types_of::<ServerMessage>());

    let names: BTreeSet<String> = fixtures().into_keys().collect();

    assert_eq!(names, types);
}

#[test]
fn every_fixture_is_named_after_its_type() {
    for (name, fixture) in fixtures() {
        assert_eq!(fixture["type"], name);
    }
}

#[test]
fn the_types_to_subscribe_to_are_those_of_the_server() {
    let named: BTreeSet<String> = SERVER_FRAME_TYPES.iter().map(ToString::to_string).collect();

    assert_eq!(named, types_of::<ServerMessage>());
}

#[test]
fn the_type_of_a_frame_is_read_from_its_text() {
    for (name, fixture) in fixtures().into_iter().filter(|(name, _)| !client_types().contains(name)) {
        let frame: ServerFrame = serde_json::from_value(fixture).expect("a server frame");

        let text = serde_json::to_string(&frame).expect("a frame can be written");

        assert_eq!(frame_type(&text), Some(name.as_str()));
    }
    assert_eq!(frame_type(r#"{"seq":1,"type":"pong"}"#), None);
}

#[test]
fn a_client_and_a_server_share_no_type() {
    let client_types = client_types();

    let shared: Vec<_> = types_of::<ServerMessage>().intersection(&client_types).cloned().collect();

    assert_eq!(shared, Vec::<String>::new());
}

#[test]
fn unknown_fields_are_ignored() {
    for (name, mut fixture) in fixtures() {
        fixture["fieldOfTomorrow"] = json!({"a": [1]});

        if client_types().contains(&name) {
            serde_json::from_value::<ClientFrame>(fixture).expect("a client frame");
        } else {
            serde_json::from_value::<ServerFrame>(fixture).expect("a server frame");
        }
    }
}

#[test]
fn absent_is_absent_and_not_null() {
    let frame = ClientFrame::SendMessage {
        text: "hi".to_owned(),
        timestamp: None,
        message_id: None,
        mode: None,
        attachments: None,
    };

    let text = serde_json::to_string(&frame).expect("a frame can be written");

    assert_eq!(text, r#"{"type":"send-message","text":"hi"}"#);
}

#[test]
fn an_answer_that_only_the_server_gives_is_refused() {
    let frame = json!({"type": "approve-tool", "callId": "call-1", "decision": "expired"});

    let error = serde_json::from_value::<ClientFrame>(frame).expect_err("`expired` is not an answer of a user");

    assert!(error.to_string().contains("allow-once"), "{error}");
}

fn assert_round_trip<T: DeserializeOwned + Serialize>(fixture: &Value) {
    let frame: T = serde_json::from_value(fixture.clone()).unwrap_or_else(|error| panic!("{error} in {fixture:#}"));
    let written = serde_json::to_value(&frame).expect("a frame can be written");
    assert_eq!(&written, fixture);
}
