//! Claims about finding values by words.

use serde_json::json;

use super::*;

fn check(json: &Value, words: &str, expected: &[&str]) {
    let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
    let paths: Vec<String> = find(json, &words, &[]).into_iter().map(|hit| hit.path).collect();
    assert_eq!(paths, expected, "{words:?}");
}

#[test]
fn words_find_their_key() {
    let config = json!({
        "port": 3000,
        "db": {"host": "localhost", "port": 5432},
        "logLevel": "info",
        "users": [{"name": "Ada"}, {"name": "Bob"}],
    });
    check(&config, "port", &["port"]);
    check(&config, "port number", &["port"]);
    check(&config, "db port", &["db.port"]);
    check(&config, "database host", &["db.host"]);
    check(&config, "log level", &["logLevel"]);
    check(&config, "hosts", &["db.host"]);
    check(&config, "hostt", &[]);
    check(&config, "users", &["users"]);
    check(&config, "name", &["users[0].name", "users[1].name"]);
    check(&config, "color", &[]);
    check(&config, "db color", &[]);
}

#[test]
fn the_name_of_the_whole_counts() {
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let blue = json!("blue");

    let found = find(&blue, &words("favorite color"), &["favorite_color".to_owned()]);

    assert_eq!(found.len(), 1);
    assert_eq!((found[0].path.as_str(), found[0].value), ("", &blue));
    assert!(find(&blue, &words("favorite food"), &["favorite_color".to_owned()]).is_empty());
    assert!(describes(&words("favourite colour"), "favorite_color"));
}

#[test]
fn lines_with_keys_are_looked_up_too() {
    let text = "# comment: no\n[package]\nname = \"demo\"\nversion = \"1.0\"\n[deps]\nserde = \"1\"\n";
    check(&from_lines(text), "version", &["package.version"]);
    check(&from_lines("PORT=80\nHOST: example\n"), "host", &["HOST"]);
    assert_eq!(from_lines("just some words\n"), json!({}));
}

#[test]
fn deep_and_wide_values_have_an_end() {
    let wide = Value::Array((0..100_000).map(|number| json!({"port": number})).collect());
    assert!(find(&wide, &["port".to_owned()], &[]).len() <= MAX_NODES);
}
