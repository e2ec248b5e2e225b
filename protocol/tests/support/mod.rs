//! What the tests of the wire share: the fixtures, and the types that the parsers know.
#![allow(dead_code, clippy::allow_attributes, reason = "each test file uses its part")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use switchboard_protocol::ClientFrame;

/// The types of the frames that a client sends.
pub(crate) fn client_types() -> BTreeSet<String> {
    types_of::<ClientFrame>()
}

/// The types that a parser knows, in its own words: it lists them when it meets another one.
pub(crate) fn types_of<T: DeserializeOwned + std::fmt::Debug>() -> BTreeSet<String> {
    let error = serde_json::from_value::<T>(json!({"type": "?"})).expect_err("`?` is no type").to_string();
    let (_, list) = error.split_once("expected one of ").expect("the error lists the types");
    list.split(", ").map(|name| name.trim_matches('`').to_owned()).collect()
}

/// Every example by its name.
pub(crate) fn fixtures() -> BTreeMap<String, Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    fs::read_dir(folder)
        .expect("the folder of fixtures")
        .map(|entry| {
            let path = entry.expect("a fixture").path();
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            let text = fs::read_to_string(&path).expect("a fixture's text");
            (name, serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error} in {}", path.display())))
        })
        .collect()
}
