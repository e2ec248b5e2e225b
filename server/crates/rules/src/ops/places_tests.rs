//! Values found by what people call them.

use serde_json::json;

use super::*;
use crate::ops::edit;

/// What the edit makes of the file; why not instead.
fn set(path: &str, text: &str, values: &Value) -> Result<String, String> {
    let mut values = values.as_object().cloned().unwrap_or_default();
    values.insert("switch".to_owned(), json!(["enabled", "active"]));
    values.insert("nouns".to_owned(), json!(["level"]));
    let edit = edit("set_place").ok_or("there is no such edit")?;
    edit(path, text, &Slots::of(&values)).map(|edited| edited.text).map_err(String::from)
}

/// The file with one part replaced.
fn check(path: &str, text: &str, values: &Value, old: &str, new: &str) {
    assert_eq!(set(path, text, values), Ok(text.replacen(old, new, 1)), "{values}");
}

const ALARMS: &str = r#"{"rules": [
  {"id": "heat-high", "metric": "heat", "enabled": true},
  {"id": "door-open", "metric": "door", "enabled": true, "after_minutes": 5}
]}
"#;

const JOBS: &str = "keep_weeks: 4\njobs:\n  - name: mail\n    active: yes\n    at: 3\n  - name: photos\n    active: yes\n    at: 5\nlimits: { }\n";

const STOCK: &str = "sku,name,left\nA-1,Tea pot,4\nB-2,Tea,9\nC-3,Jam,0\n";

#[test]
fn a_value_is_found_by_its_words() {
    check(
        "alarms.json",
        ALARMS,
        &json!({"key": "door-open alarm", "value": false}),
        "\"enabled\": true, ",
        "\"enabled\": false, ",
    );
    check("alarms.json", ALARMS, &json!({"key": "minutes of door-open", "value": 7}), "minutes\": 5", "minutes\": 7");
    check("backup.yaml", JOBS, &json!({"key": "backup keep", "value": "6 weeks"}), "weeks: 4", "weeks: 6");
    check(
        "backup.yaml",
        JOBS,
        &json!({"key": "photos job", "value": false}),
        "photos\n    active: yes",
        "photos\n    active: no",
    );
    check("stock.csv", STOCK, &json!({"key": "left of Tea", "value": 8}), "Tea,9", "Tea,8");
    check("stock.csv", STOCK, &json!({"key": "left", "where": "tea pot", "value": 3}), "pot,4", "pot,3");
    check(
        "disk.toml",
        "[warn]\nat_percent = 80\n",
        &json!({"key": "disk warn level percent", "value": "85 %"}),
        "80",
        "85",
    );
    check("sshd_config", "Port 22\nUsePAM no\n", &json!({"key": "use PAM", "value": true}), "no", "yes");
    check(
        "stack.yml",
        "services:\n  db:\n    image: postgres:15.6-alpine\n",
        &json!({"key": "postgres", "value": "16.10"}),
        "15.6",
        "16.10",
    );
    check(
        "a.conf",
        "server {\n  read_timeout 45s;\n}\n",
        &json!({"key": "read timeout", "value": "90 seconds"}),
        "45s",
        "90s",
    );
}

#[test]
fn what_may_be_another_value_is_left() {
    for (path, text, values, says) in [
        ("alarms.json", ALARMS, json!({"key": "window-open alarm", "value": false}), "There is no `window-open alarm`"),
        ("backup.yaml", JOBS, json!({"key": "name", "value": "x"}), "several places"),
        ("backup.yaml", JOBS, json!({"key": "keep", "value": "6 days"}), "holds a number"),
        ("backup.yaml", JOBS, json!({"key": "keep", "where": "server", "value": 6}), "There is no"),
        ("stock.csv", STOCK, json!({"key": "price of Jam", "value": 6}), "There is no"),
        ("app.toml", "port = 1\n", json!({"key": "backup port", "value": 2}), "There is no"),
    ] {
        let why = set(path, text, &values).expect_err("nothing is changed");
        assert!(why.contains(says), "{values}: {why}");
    }
}
