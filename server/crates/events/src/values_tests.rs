//! Values come back as they were stored, small in the event or large in a blob, and damage is told.

use std::sync::Arc;

use bytes::Bytes;
use serde_json::json;
use switchboard_protocol::{SessionId, ValueType};

use super::{ArtifactValue, BLOB_THRESHOLD, Blob, BlobHash, CACHE_BYTES, StoredValue, ValueKind, Values};
use crate::test_support::append;
use crate::{Append, MemoryLog, SessionLog};
use switchboard_accounts::Principal;

#[test]
fn small_values_stand_in_the_event() {
    let values = Place::new().values;
    let just_below = "x".repeat(BLOB_THRESHOLD - 1);

    for (value, stored) in [
        (ArtifactValue::Json(json!({"a": [1, null]})), StoredValue::Json(json!({"a": [1, null]}))),
        (ArtifactValue::Text("ü".to_owned()), StoredValue::Text("ü".to_owned())),
        (ArtifactValue::Text(just_below.clone()), StoredValue::Text(just_below.clone())),
        (ArtifactValue::Bytes(Bytes::from_static(b"\0\xff")), StoredValue::Bytes("AP8=".to_owned())),
    ] {
        assert_eq!(values.store(value), (stored, None));
    }
}

#[test]
fn large_values_are_blobs_by_their_hash() {
    let values = Place::new().values;
    let text = "x".repeat(BLOB_THRESHOLD);

    let (stored, blob) = values.store(ArtifactValue::Text(text.clone()));

    let bytes = Bytes::from(text);
    let hash = BlobHash::of(&bytes);
    assert_eq!(stored, StoredValue::Blob { kind: ValueKind::Text, hash: hash.clone() });
    assert_eq!(blob, Some(Blob { hash, bytes }));
    assert_eq!(
        BlobHash::of(b"abc").as_str(),
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "SHA-256 as everybody writes it"
    );
}

#[tokio::test]
async fn every_value_comes_back_as_it_was() {
    let place = Place::new();
    place.create().await;
    let all = [
        ArtifactValue::Json(json!({"n": 0.1, "deep": {"z": 1, "a": [true]}})),
        ArtifactValue::Json(json!((0..20_000).collect::<Vec<_>>())),
        ArtifactValue::Text("small".to_owned()),
        ArtifactValue::Text("großer Text ".repeat(5000)),
        ArtifactValue::Bytes(Bytes::from_static(&[0, 159, 146, 150])),
        ArtifactValue::Bytes(Bytes::from(vec![0xff; 100_000])),
    ];
    let stored: Vec<_> = all.iter().map(|value| place.values.store(value.clone())).collect();
    place.keep(stored.iter().filter_map(|(_, blob)| blob.clone()).collect()).await;

    // Somebody else, so that nothing is remembered.
    let fresh = place.fresh();
    for (value, (stored, _)) in all.iter().zip(&stored) {
        let text = serde_json::to_string(stored).expect("it is JSON");
        let stored: StoredValue = serde_json::from_str(&text).expect("it comes back");
        assert_eq!(*fresh.load(&stored).await.expect("loaded"), *value);
        assert_eq!(*place.values.load(&stored).await.expect("remembered"), *value);
    }
}

#[tokio::test]
async fn a_value_just_stored_is_there_before_its_event_is_durable() {
    let place = Place::new();
    let value = ArtifactValue::Text("x".repeat(BLOB_THRESHOLD));

    let (stored, _) = place.values.store(value.clone());

    assert_eq!(*place.values.load(&stored).await.expect("remembered"), value);
    let missing = place.fresh().load(&stored).await.expect_err("nobody else can know it");
    assert!(missing.to_string().ends_with("is missing"), "{missing}");
}

#[tokio::test]
async fn the_cache_has_a_limit_and_forgets_the_oldest() {
    let place = Place::new();
    let large = |letter: u8| ArtifactValue::Bytes(Bytes::from(vec![letter; CACHE_BYTES / 2]));

    let (first, _) = place.values.store(large(1));
    let (second, _) = place.values.store(large(2));
    let (third, _) = place.values.store(large(3));

    place.values.load(&first).await.expect_err("forgotten, and never written");
    assert_eq!(*place.values.load(&second).await.expect("remembered"), large(2));
    assert_eq!(*place.values.load(&third).await.expect("remembered"), large(3));
}

#[tokio::test]
async fn a_blob_that_is_not_what_it_says_is_told() {
    let place = Place::new();
    place.create().await;
    let right = BlobHash::of(b"right");
    let no_json = Blob { hash: BlobHash::of(b"{"), bytes: Bytes::from_static(b"{") };
    let no_text = Blob { hash: BlobHash::of(b"\xff"), bytes: Bytes::from_static(b"\xff") };
    let wrong = Blob { hash: right.clone(), bytes: Bytes::from_static(b"wrong") };
    place.keep(vec![wrong, no_json.clone(), no_text.clone()]).await;

    for (kind, hash, wanted) in [
        (ValueKind::Text, right, "does not match its hash"),
        (ValueKind::Json, no_json.hash, "is not JSON"),
        (ValueKind::Text, no_text.hash, "is not text"),
        (ValueKind::Bytes, BlobHash::of(b"never written"), "is missing"),
    ] {
        let told = place.values.load(&StoredValue::Blob { kind, hash }).await.expect_err(wanted);
        assert!(told.to_string().contains(wanted), "{told}");
    }
    let told = place.values.load(&StoredValue::Bytes("no base64!".to_owned())).await;
    assert!(told.is_err());
}

#[test]
fn a_value_knows_its_type_and_how_a_tool_gets_it() {
    let text = |text: &str| ArtifactValue::Text(text.to_owned());
    for (value, kind, as_json) in [
        (ArtifactValue::Json(json!(null)), ValueType::Null, json!(null)),
        (ArtifactValue::Json(json!(true)), ValueType::Boolean, json!(true)),
        (ArtifactValue::Json(json!(1.5)), ValueType::Number, json!(1.5)),
        (ArtifactValue::Json(json!("a")), ValueType::Text, json!("a")),
        (ArtifactValue::Json(json!([])), ValueType::Array, json!([])),
        (ArtifactValue::Json(json!({})), ValueType::Object, json!({})),
        (text("[1]"), ValueType::Text, json!("[1]")),
        (ArtifactValue::Bytes(Bytes::from_static(b"\0\xff")), ValueType::Bytes, json!("AP8=")),
    ] {
        assert_eq!((value.value_type(), value.to_json()), (kind, as_json));
    }
}

/// A log, a session in it, and its values.
struct Place {
    log: Arc<dyn SessionLog>,
    session: SessionId,
    values: Values,
}

impl Place {
    fn new() -> Self {
        let (log, session): (Arc<dyn SessionLog>, _) = (Arc::new(MemoryLog::new()), SessionId::random());
        let values = Values::new(Arc::clone(&log), session);
        Self { log, session, values }
    }

    async fn create(&self) {
        self.log.create(self.session, &Principal::local()).await.expect("created");
    }

    async fn keep(&self, blobs: Vec<Blob>) {
        self.log.append(Append { blobs, ..append(self.session, 0, 1) }).await.expect("written");
    }

    fn fresh(&self) -> Values {
        Values::new(Arc::clone(&self.log), self.session)
    }
}
