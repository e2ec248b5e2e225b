//! Claims about names and sizes.

use proptest::prelude::*;
use serde_json::json;

use super::*;

#[test]
fn a_name_that_is_not_allowed_comes_with_a_proposal() {
    let proposals = [
        ("my result", "my_result"),
        ("my-result 1", "my_result_1"),
        ("1st", "_1st"),
        ("@answer", "answer"),
        ("a.b[0]", "a_b_0"),
        ("größe", "gr_e"),
        ("", "value"),
        ("  ", "value"),
        ("日本", "value"),
        ("a__b!", "a__b"),
        ("keep_", "keep_"),
    ];
    for (name, proposal) in proposals {
        assert_eq!(corrected_name(name), proposal, "{name}");
    }
    let error = valid_name("my result").map_err(|error| error.to_string());
    assert!(error.is_err_and(|text| text.ends_with("try \"my_result\"")));
    assert_eq!(corrected_name(&"x".repeat(99)).len(), 64);
}

#[test]
fn names_that_are_special_elsewhere_are_plain_here() {
    for name in ["__proto__", "constructor", "prototype", "_", "toString", "hasOwnProperty"] {
        assert!(valid_name(name).is_ok(), "{name}");
        assert_eq!(corrected_name(name), name);
    }
}

#[test]
fn a_taken_name_gets_the_next_number() {
    let taken = ["a", "a_2", "a_3"];
    assert_eq!(free_name("a", |name| taken.contains(&name)), "a_4");
    assert_eq!(free_name("b", |name| taken.contains(&name)), "b");
    let many = |name: &str| name == "a" || name[2..].parse::<u64>().is_ok_and(|number| number <= 4000);
    assert_eq!(free_name("a", many), "a_4001");
    let with_a_hole = ["a", "a_2", "a_4"];
    assert_eq!(free_name("a", |name| with_a_hole.contains(&name)), "a_5");
    let long = "x".repeat(64);
    assert_eq!(free_name(&long, |name| name == long), format!("{}_2", "x".repeat(62)));
}

#[test]
fn values_have_a_largest_size_and_depth() {
    let deep = |levels: usize| (0..levels).fold(json!(1), |inner, _| json!([inner]));
    let check = |value| validate_context_variable("x", &value).map_err(|error| error.to_string());

    assert_eq!(check(ArtifactValue::Json(deep(MAX_DEPTH))), Ok(()));
    assert_eq!(check(ArtifactValue::Text("x".repeat(MAX_VALUE_BYTES))), Ok(()));
    assert!(
        check(ArtifactValue::Json(deep(MAX_DEPTH + 1))).is_err_and(|text| text.contains("more than 100 levels deep"))
    );
    let error = check(ArtifactValue::Json(json!("x".repeat(MAX_VALUE_BYTES))));
    assert!(error.is_err_and(|text| text.contains("the value has 16777218 bytes, and the limit is 16777216")));
}

#[test]
fn the_deepest_value_comes_back_from_the_log() {
    let deep = (0..MAX_DEPTH).fold(json!(1), |inner, _| json!({ "a": inner }));
    let private = switchboard_events::ServerOnly {
        values: [("x".to_owned(), switchboard_events::StoredValue::Json(deep))].into(),
        ..Default::default()
    };
    let text = serde_json::to_string(&private).expect("it can be written");
    assert_eq!(serde_json::from_str::<switchboard_events::ServerOnly>(&text).ok(), Some(private));
}

proptest! {
    #[test]
    fn a_correction_is_always_a_name_and_leaves_names_alone(name in any::<String>(), good in "[A-Za-z_][A-Za-z0-9_]{0,63}") {
        prop_assert!(is_name(&corrected_name(&name)));
        prop_assert_eq!(corrected_name(&good), good);
    }

    #[test]
    fn a_length_is_that_of_the_json_text(text in any::<String>(), number in any::<f64>()) {
        let value = json!({"a": [text, number, null]});
        prop_assert_eq!(json_length(&value), value.to_string().len() as u64);
    }
}
