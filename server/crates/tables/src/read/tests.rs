//! Texts as tables: what is read, of what type, and what is not a table.

use crate::{ColumnKind, Table, TableError, TableKind, Value};

fn one(source: &str, text: &str) -> Table {
    let mut tables = Table::read(source, text).expect("within the limits");
    assert_eq!(tables.len(), 1, "{tables:?}");
    tables.remove(0)
}

fn kinds(table: &Table) -> Vec<(&str, ColumnKind)> {
    table.columns.iter().map(|column| (column.name.as_str(), column.kind)).collect()
}

#[test]
fn cells_have_types_and_keep_their_text() {
    let text = "id;name;price;paid;when;zip\n1;\"a;b\";€1.234,50;yes;01.03.2024;01067\n2;c;€5,00;no;14.03.2024;80331\n";

    let table = one("data/list.csv", text);

    use ColumnKind::{Boolean, Date, Integer, Money, Text};
    let expected =
        [("id", Integer), ("name", Text), ("price", Money), ("paid", Boolean), ("when", Date), ("zip", Text)];
    assert_eq!(kinds(&table), expected);
    assert_eq!(table.cell(0, 2), "€1.234,50");
    assert_eq!(table.columns[2].value(table.cell(0, 2)), Value::Real(1234.5));
    assert_eq!(table.columns[4].value(table.cell(1, 4)), Value::Date("2024-03-14".to_owned()));
    assert_eq!((table.name.as_str(), table.cell(0, 1)), ("list", "a;b"));
}

#[test]
fn days_that_may_be_months_are_text() {
    let unclear = one("a.csv", "x,day\n1,03/04/2024\n2,05/06/2024\n");
    let clear = one("a.csv", "x,day\n1,03/04/2024\n2,25/06/2024\n");

    assert_eq!(unclear.columns[1].kind, ColumnKind::Text);
    assert_eq!(clear.columns[1].value("03/04/2024"), Value::Date("2024-04-03".to_owned()));
}

#[test]
fn times_of_different_zones_are_not_compared() {
    let table = one("a.csv", "x,at\n1,2024-03-04T10:00:00+01:00\n2,2024-03-04T09:30:00Z\n");

    assert_eq!(table.columns[1].kind, ColumnKind::Text);
}

#[test]
fn tables_are_found_wherever_they_stand_in_json() {
    let nested = r#"{"meta": {"n": 2}, "result": {"users": [{"name": "Ada", "home": {"city": "Berlin"}, "tags": ["a", "b"]}, {"name": "Bo"}]}}"#;
    let keyed = r#"{"Ada": {"age": 36}, "Bo": {"age": 41}}"#;
    let settings = r#"{"server": {"port": 80}, "log": {"level": "info"}}"#;

    let table = one("x.json", nested);
    let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!((table.name.as_str(), names), ("users", vec!["name", "home.city", "tags"]));
    assert_eq!(table.rows, [["Ada", "Berlin", "a, b"], ["Bo", "", ""]]);
    assert_eq!(one("x.json", keyed).rows, [["Ada", "36"], ["Bo", "41"]]);
    assert_eq!(Table::read("x.json", settings).expect("read"), []);
}

#[test]
fn prose_is_not_a_table() {
    for text in ["Dear all, hello.\nWe met, and went.\n", "one line", "", "a,b\n", "1,2\n3,4\n", "x\ny\nz\n"] {
        assert_eq!(Table::read("notes.txt", text).expect("read"), [], "{text:?}");
    }
}

#[test]
fn half_a_table_is_an_error_and_not_a_table() {
    let rows: String = (0..=100_000).map(|at| format!("{at},x\n")).collect();

    let many = Table::read("big.csv", &format!("id,name\n{rows}"));
    let large = Table::read("big.csv", &"x".repeat(9 * 1024 * 1024));

    assert!(matches!(many, Err(TableError::TooMany { what: "rows", .. })), "{many:?}");
    assert!(matches!(large, Err(TableError::TooLarge { .. })));
}

#[test]
fn plain_access_logs_tell_what_was_asked_and_what_came_of_it() {
    for (line, expected) in [
        ("2025-06-05 06:12:44 81.166.20.9 GET / 200 5120", "time ip method path status bytes"),
        ("2025-05-10T09:03:00Z 198.51.100.23 GET /cart 500 341ms", "time ip method path status ms"),
        ("2025-05-10 09:03:00 \"POST /pay HTTP/1.1\" 201 12 9 ms", "time method path status bytes ms"),
        ("[2025-05-10 09:03:00.120] DELETE /a 204", "time method path status"),
    ] {
        let table = one("x.log", &format!("{line}\n{line}\n"));
        let columns: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(columns, format!("line {expected} text").split(' ').collect::<Vec<_>>(), "{line}");
    }
    let app = "2025-05-10 09:03:00 INFO GET /a 200\n2025-05-10 09:03:00 INFO GET /a 200\n";
    assert!(one("x.log", app).column("level").is_some());
}

#[test]
fn logs_of_common_formats_are_read() {
    let app = "2025-03-10T08:00:00Z ERROR db.pool - lost\n  at line 3\n2025-03-10T08:00:01Z info: fine\n";
    let nginx = "2025/03/10 08:00:00 [error] 12#0: *1 open() failed\n2025/03/10 08:00:05 [warn] 12#0: low\n";
    let python = "2025-03-10 08:00:00,123 - root - WARNING - slow\n2025-03-10 08:00:01,000 - root - INFO - ok\n";
    let logfmt =
        "time=2025-03-10T08:00:00Z level=info msg=\"up now\"\ntime=2025-03-10T08:00:09Z level=warning msg=low\n";
    let first = "[INFO] 2025-03-10 08:00:00 started\n[ERROR] 2025-03-10 08:00:02 broken\n";

    let cells = |text: &str| {
        let table = one("x.log", text);
        assert_eq!(table.kind, TableKind::Log);
        let at = |name: &str| table.column(name).expect(name);
        let message = table.column("message").or_else(|| table.column("msg")).expect("a message");
        let told = table.rows.iter().map(|row| format!("{} {}", row[at("level")], row[message]));
        told.collect::<Vec<_>>()
    };
    assert_eq!(cells(app), ["ERROR lost", "INFO fine"]);
    assert_eq!(cells(nginx), ["ERROR *1 open() failed", "WARN low"]);
    assert_eq!(cells(python), ["WARN slow", "INFO ok"]);
    assert_eq!(cells(logfmt), ["info up now", "WARN low"].map(|cell| cell.replace("info", "INFO")));
    assert_eq!(cells(first), ["INFO started", "ERROR broken"]);
    assert_eq!(
        one("x.log", app).rows[0].last().map(String::as_str),
        Some("2025-03-10T08:00:00Z ERROR db.pool - lost\n  at line 3")
    );
}
