//! Claims about plans: names, versions, staleness.

use std::sync::Arc;

use serde_json::json;
use switchboard_protocol::{SessionId, ValueType};

use super::*;
use switchboard_events::{BLOB_THRESHOLD, MemoryLog};

/// A context that is changed by plans that are applied at once.
struct Bench {
    values: Values,
    context: ContextManager,
}

impl Bench {
    fn new() -> Self {
        let values = Values::new(Arc::new(MemoryLog::new()), SessionId::random());
        Self { values, context: ContextManager::default() }
    }

    fn plan(&self, name: &OutputName, text: &str, inputs: &[&str]) -> (String, ContextChange) {
        let origin = Origin {
            call_id: Some("call".into()),
            tool: "tool".to_owned(),
            inputs: inputs.iter().map(|name| (*name).to_owned()).collect(),
            default_name: None,
        };
        let value = ArtifactValue::Text(text.to_owned());
        self.context.plan_set(&self.values, name, value, origin).expect("it is allowed")
    }

    fn apply(&mut self, change: &ContextChange) {
        self.context.apply(&change.set, &change.removed, &change.values);
    }

    fn set(&mut self, name: &str, text: &str, inputs: &[&str]) {
        let (_, change) = self.plan(&OutputName::Given(name.to_owned()), text, inputs);
        self.apply(&change);
    }

    fn stale(&self) -> Vec<&str> {
        self.context.variables().filter(|variable| variable.stale).map(|variable| variable.name.as_str()).collect()
    }
}

fn given(name: &str) -> OutputName {
    OutputName::Given(name.to_owned())
}

fn by_default(name: &str) -> OutputName {
    OutputName::Default(name.to_owned())
}

#[test]
fn a_new_variable_says_what_it_is_and_where_it_came_from() {
    let bench = Bench::new();

    let (name, change) = bench.plan(&given("greeting"), "hello", &["input"]);

    let origin = Origin {
        call_id: Some("call".into()),
        tool: "tool".to_owned(),
        inputs: vec!["input".to_owned()],
        default_name: None,
    };
    let variable = Variable {
        name: "greeting".to_owned(),
        version: 1,
        value_type: ValueType::Text,
        preview: "hello".to_owned(),
        bytes: 5,
        origin,
        stale: false,
    };
    let expected = ContextChange {
        set: vec![variable],
        removed: vec![],
        values: BTreeMap::from([("greeting".to_owned(), StoredValue::Text("hello".to_owned()))]),
        blobs: vec![],
    };
    assert_eq!((name.as_str(), change), ("greeting", expected));
}

#[test]
fn a_large_value_is_a_blob() {
    let bench = Bench::new();
    let (_, change) = bench.plan(&given("big"), &"x".repeat(BLOB_THRESHOLD), &[]);
    assert_eq!(change.blobs.len(), 1);
    assert!(matches!(&change.values["big"], StoredValue::Blob { hash, .. } if *hash == change.blobs[0].hash));
}

#[test]
fn a_name_given_on_purpose_gets_a_new_version_and_a_default_one_a_suffix() {
    let mut bench = Bench::new();
    bench.set("answer", "1", &[]);

    assert_eq!(bench.plan(&given("answer"), "2", &[]).1.set[0].version, 2);
    let (name, change) = bench.plan(&by_default("answer"), "2", &[]);
    assert_eq!((name.as_str(), change.set[0].version), ("answer_2", 1));
    assert_eq!(bench.plan(&by_default("my-tool_result"), "2", &[]).0, "my_tool_result");
}

#[test]
fn what_was_made_from_a_changed_variable_is_stale_all_the_way_down() {
    let mut bench = Bench::new();
    bench.set("file", "a", &[]);
    bench.set("parsed", "b", &["file"]);
    bench.set("other", "c", &[]);
    bench.set("port", "d", &["other", "parsed"]);

    bench.set("file", "a2", &[]);

    assert_eq!(bench.stale(), ["parsed", "port"]);
    assert_eq!(bench.context.get("port").map(|entry| entry.variable.version), Some(1));
}

#[test]
fn the_same_value_again_makes_nothing_stale() {
    let mut bench = Bench::new();
    bench.set("file", "a", &[]);
    bench.set("parsed", "b", &["file"]);
    bench.set("file", "a", &[]);
    assert_eq!(bench.stale(), [""; 0]);
    assert_eq!(bench.context.get("file").map(|entry| entry.variable.version), Some(2));
}

#[test]
fn a_new_variable_changes_no_other_one() {
    let mut bench = Bench::new();
    bench.set("config", "port = 1", &[]);
    bench.set("parsed", "1", &["config"]);
    let removed = bench.context.plan_delete("config").expect("it is there");
    bench.apply(&removed);
    assert_eq!(bench.stale(), ["parsed"]);

    let (_, change) = bench.plan(&given("config"), "port = 2", &[]);

    assert_eq!(change.set.iter().map(|variable| variable.name.as_str()).collect::<Vec<_>>(), ["config"]);
}

#[test]
fn what_is_made_anew_is_fresh_unless_it_is_made_from_something_stale() {
    let mut bench = Bench::new();
    bench.set("file", "a", &[]);
    bench.set("parsed", "b", &["file"]);
    bench.set("port", "c", &["parsed"]);
    bench.set("file", "a2", &[]);

    bench.set("port", "c2", &["parsed"]);
    assert_eq!(bench.stale(), ["parsed", "port"]);
    bench.set("parsed", "b2", &["file"]);
    assert_eq!(bench.stale(), ["port"]);
    bench.set("port", "c3", &["parsed"]);
    assert_eq!(bench.stale(), [""; 0]);
}

#[test]
fn a_variable_made_from_itself_and_circles_come_to_an_end() {
    let mut bench = Bench::new();
    bench.set("b", "0", &[]);
    bench.set("a", "1", &["a", "b"]);
    bench.set("b", "1", &["a"]);
    assert_eq!(bench.stale(), ["a"], "it was made from b, which is another one now");
    bench.set("a", "2", &[]);
    assert_eq!(bench.stale(), ["b"]);
    bench.set("a", "3", &["a"]);
    assert_eq!(bench.stale(), ["b"], "what it was made from was fresh");
}

#[test]
fn a_rename_keeps_the_variable_and_what_was_made_from_it_follows() {
    let mut bench = Bench::new();
    bench.set("file", "a", &[]);
    bench.set("file", "b", &[]);
    bench.set("parsed", "c", &["file"]);

    let change = bench.context.plan_rename("file", "source").expect("it can be renamed");
    bench.apply(&change);

    assert_eq!(bench.context.names(), ["source", "parsed"]);
    let source = bench.context.get("source").expect("it is there");
    assert_eq!((source.variable.version, source.earlier.len()), (2, 1));
    assert_eq!(bench.context.get("parsed").expect("it is there").variable.origin.inputs, ["source"]);
    assert_eq!(bench.stale(), [""; 0]);
    bench.set("source", "d", &[]);
    assert_eq!(bench.stale(), ["parsed"]);
}

#[test]
fn a_name_that_nobody_gave_is_marked_until_somebody_gives_one() {
    let mut bench = Bench::new();
    for (name, value) in [(by_default("result"), "a"), (given("result"), "b"), (by_default("other"), "c")] {
        let (_, change) = bench.plan(&name, value, &[]);
        bench.apply(&change);
    }
    let rename = bench.context.plan_rename("other", "mine").expect("it can be renamed");
    let unnamed = |bench: &Bench| -> Vec<(String, Option<bool>)> {
        bench.context.variables().map(|variable| (variable.name.clone(), variable.origin.default_name)).collect()
    };
    assert_eq!(unnamed(&bench), [("result".to_owned(), None), ("other".to_owned(), Some(true))]);

    bench.apply(&rename);

    assert_eq!(unnamed(&bench), [("result".to_owned(), None), ("mine".to_owned(), None)]);
}

#[test]
fn renames_and_deletions_that_cannot_be_say_what_to_do() {
    let mut bench = Bench::new();
    bench.set("file", "a", &[]);
    bench.set("other", "a", &[]);
    let context = &bench.context;
    let texts = [
        context.plan_rename("fiel", "x"),
        context.plan_rename("file", "a b"),
        context.plan_rename("file", "other"),
        context.plan_delete("nothing"),
    ]
    .map(|result| result.map_err(|error| error.to_string()).expect_err("it cannot be"));
    let expected = [
        "find the variable fiel: did you mean file? the variables are: file, other",
        "use \"a b\" as the name of a variable: a name begins with a letter or _ and has at most 64 letters, digits \
         and _; try \"a_b\"",
        "rename to other: there is already a variable with that name; delete it first, or choose another name",
        "find the variable nothing: the variables are: file, other",
    ];
    assert_eq!(texts, expected);
}

#[test]
fn a_deleted_variable_is_gone() {
    let mut bench = Bench::new();
    bench.set("file", "a", &[]);
    let change = bench.context.plan_delete("file").expect("it is there");
    assert_eq!(change, ContextChange { removed: vec!["file".to_owned()], ..ContextChange::default() });
    bench.apply(&change);
    assert!(bench.context.is_empty());
}

#[test]
fn the_number_of_variables_has_a_limit() {
    let mut bench = Bench::new();
    let (_, one) = bench.plan(&given("v"), "x", &[]);
    let all: Vec<Variable> =
        (0..MAX_VARIABLES).map(|number| Variable { name: format!("v{number}"), ..one.set[0].clone() }).collect();
    bench.apply(&ContextChange { set: all, ..ContextChange::default() });
    let plan = |name: &str| {
        let value = ArtifactValue::Json(json!(1));
        bench.context.plan_set(&bench.values, &given(name), value, user_origin()).map(|(name, _)| name)
    };
    assert!(matches!(plan("one_more"), Err(ContextError::TooMany { limit: MAX_VARIABLES, .. })));
    assert_eq!(plan("v7").ok().as_deref(), Some("v7"));
}

#[test]
fn an_earlier_state_comes_back_as_new_versions() {
    let mut bench = Bench::new();
    bench.set("same", "s", &[]);
    bench.set("changed", "old", &[]);
    bench.set("deleted", "d", &[]);
    let then = bench.context.clone();
    bench.set("changed", "new", &[]);
    bench.set("added", "x", &[]);
    let change = bench.context.plan_delete("deleted").expect("it is there");
    bench.apply(&change);

    let change = bench.context.plan_restore(&then);
    bench.apply(&change);

    assert_eq!(bench.context.names(), ["same", "changed", "deleted"]);
    let changed = bench.context.get("changed").expect("it is there");
    assert_eq!((changed.variable.version, changed.value.as_ref()), (3, &StoredValue::Text("old".to_owned())));
    assert!(bench.context.plan_restore(&bench.context).is_empty());
}

#[test]
fn a_plan_made_on_an_older_snapshot_is_brought_up_to_date() {
    let mut bench = Bench::new();
    bench.set("a", "1", &[]);
    bench.set("b", "1", &["a"]);
    bench.set("gone", "1", &["a"]);
    let (_, mut late) = bench.plan(&given("a"), "late", &[]);
    bench.set("a", "2", &[]);
    bench.set("b", "2", &[]);
    let change = bench.context.plan_delete("gone").expect("it is there");
    bench.apply(&change);

    bench.context.settle(&mut late.set, &late.values);

    let expected = [("a", 3, false), ("b", 2, false)];
    let set: Vec<_> =
        late.set.iter().map(|variable| (variable.name.as_str(), variable.version, variable.stale)).collect();
    assert_eq!(set, expected);
}

#[test]
fn a_change_becomes_one_event() {
    let bench = Bench::new();
    let (_, change) = bench.plan(&given("a"), "1", &[]);
    let set = change.set.clone();

    let event = change.into_event(None);

    assert_eq!(event.message, ServerMessage::ContextUpdate { set, removed: vec![] });
    let values = event.private.expect("it has a value").values;
    assert_eq!(values, BTreeMap::from([("a".to_owned(), StoredValue::Text("1".to_owned()))]));
}
