//! What `store_variable` keeps and refuses.

use super::*;
use crate::test_support::Bench;

fn bench() -> Bench<StoreVariable> {
    Bench::new(StoreVariable::new())
}

#[test]
fn its_definition_is_whole() {
    bench().definition_is_whole();
}

#[tokio::test]
async fn the_value_is_kept_as_it_is_under_a_name_that_is_one() {
    let number = bench().run(json!({"name": "my_number", "value": 42})).await;
    let text = bench().run(json!({"name": "favorite color", "value": "blue"})).await;

    assert_eq!(number.value, Some(ArtifactValue::Json(json!(42))));
    assert_eq!(number.store_as.as_deref(), Some("my_number"));
    assert_eq!(text.value, Some(ArtifactValue::Text("blue".to_owned())));
    assert_eq!(text.store_as.as_deref(), Some("favorite_color"));
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_named() {
    let message = bench().problems(json!({"name": ""})).await;

    assert_eq!(message, "2 problems with the arguments: `value` is missing; `name` must not be empty");
}

#[tokio::test]
async fn its_preview_is_the_name_and_the_value() {
    assert_eq!(bench().preview(json!({"name": "a", "value": [1, 2]})).await, ["a = [1,2]"]);
}
