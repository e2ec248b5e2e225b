//! What `delete_variable` and `rename_variable` ask of the manager, and what they refuse.

use super::*;
use crate::test_support::Bench;

#[test]
fn their_definitions_are_whole() {
    Bench::new(DeleteVariable::new()).definition_is_whole();
    Bench::new(RenameVariable::new()).definition_is_whole();
}

#[tokio::test]
async fn they_say_what_shall_become_of_the_variables() {
    let one = Bench::new(DeleteVariable::new()).run(json!({"name": "color"})).await;
    let all = Bench::new(DeleteVariable::new()).run(json!({"name": "*"})).await;
    let renamed = Bench::new(RenameVariable::new()).run(json!({"name": "a", "new_name": "my color"})).await;

    assert_eq!(one.variables, Some(VariableChange::Delete { name: "color".to_owned() }));
    assert_eq!(all.variables, Some(VariableChange::DeleteStored));
    let expected = VariableChange::Rename { name: "a".to_owned(), new_name: "my_color".to_owned() };
    assert_eq!(renamed.variables, Some(expected));
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_named() {
    let message = Bench::new(RenameVariable::new()).problems(json!({"name": ""})).await;

    assert_eq!(message, "2 problems with the arguments: `new_name` is missing; `name` must not be empty");
}
