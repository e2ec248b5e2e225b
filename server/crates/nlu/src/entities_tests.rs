//! What words name.

use serde_json::{Value, json};

use crate::SlotType;
use crate::test_support::{Desk, engine};

/// What a text is as a whole, if it is of that type.
fn whole(kind: SlotType, text: &str) -> Option<Value> {
    let found = engine().named(text, &Desk::new(), kind);
    found.map(|value| {
        let mut value = json!(value);
        if let Value::Object(fields) = &mut value {
            fields.remove("kind");
            fields.remove("said");
        }
        value
    })
}

fn check(kind: SlotType, cases: &[(&str, Value)]) {
    for (text, expected) in cases {
        assert_eq!(whole(kind, text).as_ref(), Some(expected), "{text} as {kind:?}");
    }
}

#[test]
fn files_are_known_by_what_people_call_them() {
    let path = |path: &str| json!({ "path": path, "exists": true, "folder": false });
    check(
        SlotType::File,
        &[
            ("notes.txt", path("notes.txt")),
            ("NOTES.TXT", path("notes.txt")),
            ("orders.csv", path("data/orders.csv")),
            ("./config.json", path("config.json")),
            ("cofig.json", path("config.json")),
            ("readme", path("README.md")),
            ("shopping list", path("shopping-list.md")),
            ("shoping list", path("shopping-list.md")),
            ("february minutes", path("minutes/2025-02-11.md")),
            ("orders file", path("data/orders.csv")),
            ("csv file", path("data/orders.csv")),
            ("nothing.txt", json!({ "path": "nothing.txt", "exists": false, "folder": false })),
            ("util.rs", json!({ "paths": ["a/util.rs", "b/util.rs"] })),
        ],
    );
    let folder = |path: &str| json!({ "path": path, "exists": true, "folder": true });
    check(SlotType::Folder, &[("src", folder("src")), ("Docs", folder("docs")), ("the current folder", folder("."))]);
}

#[test]
fn patterns_and_lists_are_files_too() {
    check(
        SlotType::Glob,
        &[("*.md", json!({ "pattern": "*.md" })), ("all python files", json!({ "pattern": "**/*.py" }))],
    );
    check(
        SlotType::Files,
        &[("notes.txt, config.json and README.md", json!({ "paths": ["notes.txt", "config.json", "README.md"] }))],
    );
}

#[test]
fn what_is_too_large_for_a_number_is_none() {
    let nines = "9".repeat(309);
    for text in
        [nines.clone(), format!("{nines}k"), format!("{}k", "9".repeat(307)), format!("{} million", "9".repeat(305))]
    {
        assert_eq!(whole(SlotType::Number, &text), None, "{text}");
    }
    for text in [format!("{nines} hours"), format!("{} weeks", "9".repeat(307))] {
        assert_eq!(whole(SlotType::Duration, &text), None, "{text}");
    }
}

#[test]
fn numbers_are_read_in_digits_and_words() {
    let number = |value: f64| json!({ "value": value });
    check(
        SlotType::Number,
        &[
            ("12", number(12.0)),
            ("1,000.5", number(1000.5)),
            ("-4", number(-4.0)),
            ("twenty five", number(25.0)),
            ("two hundred and one", number(201.0)),
            ("a dozen", number(12.0)),
            ("3 million", number(3_000_000.0)),
        ],
    );
    check(SlotType::Percent, &[("15%", number(15.0)), ("fifteen percent", number(15.0))]);
    check(
        SlotType::Quantity,
        &[("5km", json!({ "value": 5.0, "unit": "km" })), ("$20", json!({ "value": 20.0, "unit": "USD" }))],
    );
    check(
        SlotType::Size,
        &[("10 MB", json!({ "bytes": 10_000_000 })), ("2gib", json!({ "bytes": 2_147_483_648_u64 }))],
    );
    assert_eq!(whole(SlotType::Number, "1,00"), None);
    assert_eq!(whole(SlotType::Number, "five five"), None);
}

#[test]
fn lines_are_counted_from_both_ends() {
    let lines = |from: i64, to: i64| json!({ "from": from, "to": to });
    check(
        SlotType::Lines,
        &[
            ("line 5", lines(5, 5)),
            ("the last line", lines(-1, -1)),
            ("lines 3 to 5", lines(3, 5)),
            ("3-5", lines(3, 5)),
            ("first ten lines", lines(1, 10)),
            ("last 2 lines", lines(-2, -1)),
            ("line 3 to the end", lines(3, -1)),
            ("3rd line", lines(3, 3)),
        ],
    );
}

#[test]
fn days_are_counted_from_today() {
    let date = |date: &str| json!({ "date": date });
    check(
        SlotType::Date,
        &[
            ("2024-02-29", date("2024-02-29")),
            ("tomorrow", date("2026-03-05")),
            ("friday", date("2026-03-06")),
            ("last monday", date("2026-03-02")),
            ("march 5th 2025", date("2025-03-05")),
            ("5 march, 2025", date("2025-03-05")),
            ("the 1st of april", date("2026-04-01")),
            ("january 2", date("2027-01-02")),
            ("in 3 days", date("2026-03-07")),
            ("2 weeks ago", date("2026-02-18")),
            ("christmas", date("2026-12-25")),
            ("end of the month", date("2026-03-31")),
        ],
    );
    assert_eq!(whole(SlotType::Date, "february 30"), None);
}

#[test]
fn times_and_durations_are_read() {
    check(
        SlotType::Time,
        &[
            ("14:30", json!({ "time": "14:30:00" })),
            ("3pm", json!({ "time": "15:00:00" })),
            ("12:05 am", json!({ "time": "00:05:00" })),
        ],
    );
    check(
        SlotType::Duration,
        &[
            ("90 minutes", json!({ "seconds": 5400.0, "text": "90 minutes" })),
            ("an hour and 30 minutes", json!({ "seconds": 5400.0, "text": "an hour 30 minutes" })),
        ],
    );
    check(SlotType::Zone, &[("New York", json!({ "zone": "America/New_York", "name": "New York" }))]);
}

#[test]
fn arithmetic_is_read_in_signs_and_words() {
    let text = |text: &str| json!({ "text": text });
    check(
        SlotType::Expression,
        &[
            ("17*23", text("17*23")),
            ("3 * (4 + 5)", text("3 * (4 + 5)")),
            ("15% of 80", text("15% of 80")),
            ("twelve times nine", text("12 * 9")),
            ("the square root of 16", text("sqrt 16")),
            ("2 to the power of 10", text("2 ^ 10")),
            ("@cfg.port + @cfg.db.port", text("@cfg.port + @cfg.db.port")),
            ("it + 1", text("it + 1")),
        ],
    );
    assert_eq!(whole(SlotType::Expression, "2024-01-05"), None);
}

#[test]
fn names_are_known_by_their_looks() {
    let word = |word: &str| json!({ "word": word });
    check(SlotType::Url, &[("https://example.com/x?y=1", word("https://example.com/x?y=1"))]);
    check(
        SlotType::Host,
        &[
            ("example.com", word("example.com")),
            ("10.0.0.1", word("10.0.0.1")),
            ("localhost:8080", word("localhost:8080")),
        ],
    );
    check(SlotType::Key, &[("db.port", word("db.port"))]);
    check(SlotType::Branch, &[("feature/login", word("feature/login"))]);
    check(SlotType::Commit, &[("a1b2c3d", word("a1b2c3d"))]);
    check(SlotType::Variable, &[("@cfg.db.port", json!({ "name": "cfg", "path": ".db.port" }))]);
    check(
        SlotType::Value,
        &[("true", json!({ "value": true, "how": "plain" })), ("60", json!({ "value": 60, "how": "plain" }))],
    );
    assert_eq!(whole(SlotType::Host, "main.rs"), None);
}
