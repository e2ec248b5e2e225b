//! Claims about what is a reference and what is only text.

use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn field(name: &str) -> Step {
    Step::Field(name.to_owned())
}

#[test]
fn a_name_with_steps_is_a_reference() {
    assert_eq!(reference("@a"), Some(("a", vec![])));
    assert_eq!(
        reference("@cfg.db.ports[0].max-age"),
        Some(("cfg", vec![field("db"), field("ports"), Step::Item(0), field("max-age"),]))
    );
    assert_eq!(reference("@rows[12][3]"), Some(("rows", vec![Step::Item(12), Step::Item(3)])));
    assert_eq!(reference("@x.größe"), Some(("x", vec![field("größe")])));
    assert_eq!(reference("@x[99999999999999999999999]"), Some(("x", vec![Step::Item(usize::MAX)])));
    assert_eq!(reference("@__proto__"), Some(("__proto__", vec![])));
}

#[test]
fn any_other_text_is_literal() {
    let long = format!("@{}", "a".repeat(65));
    for text in [
        "",
        "@",
        "@ ",
        "@@",
        "mail @bob",
        "@bob and me",
        "@dataclass\nclass A: pass",
        "@name\n",
        " @name",
        "@1st",
        "@a.",
        "@a..b",
        "@a[",
        "@a[]",
        "@a[x]",
        "@a[-1]",
        "@a[1",
        "@a.b c",
        "@a-b",
        "@types/node",
        "@media (max-width: 1px)",
        "@@ -1,3 +1,4 @@",
        "@a@b",
        "@größe",
        "@.a",
        "@[0]",
        &long,
    ] {
        assert_eq!(reference(text), None, "{text}");
        assert_eq!(meant(text), text);
        assert_eq!(literal(text), text);
    }
}

#[test]
fn two_signs_are_a_literal_with_one() {
    assert_eq!(meant("@@name"), "@name");
    assert_eq!(meant("@@@name.x[1]"), "@@name.x[1]");
    assert_eq!(literal("@name"), "@@name");
    assert_eq!(literal("@@name"), "@@@name");
}

#[test]
fn references_are_found_wherever_they_are() {
    let arguments = json!({
        "content": "@text",
        "files": [{"name": "plain", "body": "@a.b"}, "@@no", 7],
        "@key": "a key is no reference"
    });

    let found = references(arguments.as_object().expect("it is one"));

    let expected = [
        Reference {
            path: "content".to_owned(),
            parameter: "content".to_owned(),
            variable: "text".to_owned(),
            steps: vec![],
        },
        Reference {
            path: "files[0].body".to_owned(),
            parameter: "files".to_owned(),
            variable: "a".to_owned(),
            steps: vec![field("b")],
        },
    ];
    assert_eq!(found, expected);
    assert_eq!(found[1].to_string(), "@a.b");
}

/// Texts that are nearly references.
fn tricky() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "@{0,3}[a-c_0]{0,3}([.\\[\\]@ \n-][a-c_0]{0,2}){0,4}"]
}

/// Another way to say what a reference is.
static PATTERN: LazyLock<regex::Regex> = LazyLock::new(|| {
    let pattern = r"\A@[A-Za-z_][A-Za-z0-9_]{0,63}(\.[\p{Alphabetic}_][\p{Alphabetic}\p{N}_-]*|\[[0-9]+\])*\z";
    regex::Regex::new(pattern).expect("the pattern is right")
});

proptest! {
    #[test]
    fn only_what_has_the_form_is_a_reference(text in tricky()) {
        prop_assert_eq!(reference(&text).is_some(), PATTERN.is_match(&text));
    }

    #[test]
    fn a_literal_means_its_text_and_is_no_reference(text in tricky()) {
        let literal = literal(&text);
        prop_assert_eq!(reference(&literal), None);
        prop_assert_eq!(meant(&literal), text);
    }

    #[test]
    fn a_reference_is_written_as_it_was_read(text in "@[a-z_]{1,4}(\\.[a-z]{1,3}|\\[[1-9]\\]){0,4}") {
        let arguments = Map::from_iter([("p".to_owned(), json!(text.clone()))]);
        prop_assert_eq!(references(&arguments)[0].to_string(), text);
    }
}
