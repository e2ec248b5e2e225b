//! Claims about what events do to the variables.

use serde_json::json;
use switchboard_protocol::ValueType;

use super::super::change::user_origin;
use super::*;

fn variable(name: &str, version: u32) -> Variable {
    Variable {
        name: name.to_owned(),
        version,
        value_type: ValueType::Number,
        preview: version.to_string(),
        bytes: 1,
        origin: user_origin(),
        stale: false,
    }
}

fn number(number: u32) -> StoredValue {
    StoredValue::Json(json!(number))
}

fn set(context: &mut ContextManager, name: &str, version: u32) {
    let values = BTreeMap::from([(name.to_owned(), number(version))]);
    context.apply(&[variable(name, version)], &[], &values);
}

fn three() -> ContextManager {
    let mut context = ContextManager::default();
    for name in ["c", "a", "b"] {
        set(&mut context, name, 1);
    }
    context
}

#[test]
fn variables_stand_in_the_order_of_their_making() {
    let mut context = three();
    set(&mut context, "a", 2);
    assert_eq!(context.names(), ["c", "a", "b"]);
    assert_eq!((context.len(), context.is_empty()), (3, false));
    assert_eq!(context.get("z"), None);
}

#[test]
fn a_new_version_keeps_the_one_before() {
    let mut context = three();
    set(&mut context, "a", 2);

    let entry = context.get("a").expect("it is there");

    let earlier = Version { variable: variable("a", 1), value: Arc::new(number(1)) };
    let expected = Entry { variable: variable("a", 2), value: Arc::new(number(2)), earlier: vec![earlier] };
    assert_eq!(entry, &expected);
}

#[test]
fn earlier_versions_are_bounded() {
    let mut context = ContextManager::default();
    for version in 1..=40 {
        set(&mut context, "a", version);
    }
    let versions: Vec<u32> =
        context.get("a").expect("it is there").earlier.iter().map(|earlier| earlier.variable.version).collect();
    assert_eq!(versions, (24..40).collect::<Vec<u32>>());
}

#[test]
fn a_mark_alone_changes_neither_value_nor_versions() {
    let mut context = three();
    let marked = Variable { stale: true, ..variable("a", 1) };
    context.apply(std::slice::from_ref(&marked), &[], &BTreeMap::new());

    let expected = Entry { variable: marked, value: Arc::new(number(1)), earlier: Vec::new() };
    assert_eq!(context.get("a"), Some(&expected));
}

#[test]
fn what_is_removed_is_gone_and_the_others_are_found() {
    let mut context = three();
    context.apply(&[], &["c".to_owned(), "nothing".to_owned()], &BTreeMap::new());
    assert_eq!(context.names(), ["a", "b"]);
    assert_eq!(context.get("c"), None);
    assert_eq!(context.get("b").map(|entry| &entry.variable), Some(&variable("b", 1)));
    context.clear();
    assert_eq!(context, ContextManager::default());
}

#[test]
fn a_renamed_variable_keeps_its_place_and_its_versions() {
    let mut context = three();
    set(&mut context, "a", 2);

    let values = BTreeMap::from([("z".to_owned(), number(2))]);
    context.apply(&[variable("z", 2)], &["a".to_owned()], &values);

    assert_eq!(context.names(), ["c", "z", "b"]);
    let entry = context.get("z").expect("it is there");
    assert_eq!((entry.variable.version, entry.earlier.len()), (2, 1));
    assert_eq!(context.get("a"), None);
}

#[test]
fn another_value_under_a_new_name_is_no_rename() {
    let mut context = three();
    let values = BTreeMap::from([("z".to_owned(), number(7))]);
    context.apply(&[variable("z", 1)], &["a".to_owned()], &values);
    assert_eq!(context.names(), ["c", "b", "z"]);
}

#[test]
fn variables_are_found_by_what_people_call_them() {
    let mut context = ContextManager::default();
    for name in ["my_color", "size", "MyColor", "my_colors", "__"] {
        set(&mut context, name, 1);
    }
    let called = |context: &ContextManager, words: &str| -> Vec<String> {
        context.called(words).map(|entry| entry.variable.name.clone()).collect()
    };
    assert_eq!(called(&context, "My color"), ["my_color", "MyColor"]);
    assert_eq!(called(&context, "Größe"), Vec::<String>::new());

    let values = BTreeMap::from([("my_size".to_owned(), number(1))]);
    context.apply(&[variable("my_size", 1)], &["size".to_owned()], &values);
    context.apply(&[], &["my_color".to_owned()], &BTreeMap::new());
    set(&mut context, "mysize", 1);

    assert_eq!(called(&context, "my color"), ["MyColor"]);
    assert_eq!(called(&context, "my-size"), ["my_size", "mysize"], "in order of creation");
    assert_eq!(called(&context, "size"), Vec::<String>::new());
}

#[test]
fn a_snapshot_does_not_see_later_events() {
    let mut context = three();
    let snapshot = context.clone();
    set(&mut context, "a", 2);
    set(&mut context, "d", 1);
    context.apply(&[], &["b".to_owned()], &BTreeMap::new());
    assert_eq!(snapshot, three());
    assert_eq!(context.names(), ["c", "a", "d"]);
}

#[test]
fn an_event_shares_all_values_with_the_snapshot_before_it() {
    let mut context = ContextManager::default();
    for number in 0..1000 {
        set(&mut context, &format!("v{number}"), 1);
    }

    let snapshot = context.clone();
    set(&mut context, "v500", 2);

    let shared = snapshot.entries().zip(context.entries()).filter(|(old, new)| std::ptr::eq(*old, *new)).count();
    assert_eq!(shared, 999);
}
