//! What `ask_user` asks, and what it makes of each answer.

use super::*;
use crate::test_support::Bench;

fn bench() -> Bench<AskUser> {
    Bench::new(AskUser::new())
}

/// A call whose question is answered so: what was asked, and the result.
async fn asked(arguments: Value, answer: QueryAnswer) -> (Question, ToolResult) {
    let bench = bench();
    let user = async {
        let asked = bench.asks.lock().await.recv().await.expect("it asks");
        asked.reply.send(answer).expect("it waits for the answer");
        asked.question
    };
    tokio::join!(user, bench.run(arguments))
}

#[test]
fn its_definition_is_whole() {
    bench().definition_is_whole();
}

#[tokio::test]
async fn a_free_answer_is_its_value() {
    let arguments = json!({"question": "What is your name?"});
    let (question, result) = asked(arguments, QueryAnswer::Given(json!("Ada"))).await;

    assert_eq!((question.message(), question.choices()), ("What is your name?", &[][..]));
    assert_eq!(result.value, Some(ArtifactValue::Text("Ada".to_owned())));
    assert_eq!(result.view.as_deref(), Some("The user answered: Ada"));
    assert!(result.is_success());
}

#[tokio::test]
async fn choices_are_offered_in_their_order() {
    let arguments = json!({"question": "Which?", "choices": ["b", "a"]});
    let (question, result) = asked(arguments, QueryAnswer::Given(json!("a"))).await;

    let offered: Vec<&Value> = question.choices().iter().map(|choice| &choice.value).collect();
    assert_eq!(offered, [&json!("b"), &json!("a")]);
    assert_eq!(result.value, Some(ArtifactValue::Text("a".to_owned())));
}

#[tokio::test]
async fn a_question_without_an_answer_is_a_result_that_says_so() {
    for (answer, says) in [(QueryAnswer::Dismissed, "dismissed"), (QueryAnswer::Expired, "in time")] {
        let (_, result) = asked(json!({"question": "Which?"}), answer).await;

        assert!(result.is_success() && result.value.is_none(), "{result:?}");
        assert!(result.view.as_deref().is_some_and(|view| view.contains(says)), "{result:?}");
        assert_eq!(result.fields["answered"], false);
    }
}

#[tokio::test]
async fn a_call_that_is_cancelled_fails() {
    let (_, result) = asked(json!({"question": "Which?"}), QueryAnswer::Cancelled).await;

    let failure = result.failure.expect("it fails");
    assert_eq!(
        (failure.error_type, failure.message.as_str()),
        (ErrorType::User, "was cancelled before it was answered")
    );
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_named() {
    assert!(bench().problems(json!({})).await.contains("`question` is missing"));
    assert!(bench().problems(json!({"question": ""})).await.contains("`question` must not be empty"));
    assert!(bench().problems(json!({"question": "x".repeat(4001)})).await.contains("`question`"));
    assert!(bench().problems(json!({"question": "?", "choices": ["one"]})).await.contains("`choices`"));
    assert!(bench().problems(json!({"question": "?", "choices": ["a", "a"]})).await.contains("`choices`"));
    assert!(bench().problems(json!({"question": "?", "choices": [1, 2]})).await.contains("`choices[0]`"));
    assert!(bench().problems(json!({"question": "?", "options": []})).await.contains("options"));
}

#[tokio::test]
async fn a_question_that_shows_nothing_is_refused() {
    let (error_type, message, _) = bench().failure(json!({"question": " \n "})).await;

    assert_eq!((error_type, message.as_str()), (ErrorType::Validation, "the question is empty"));
}

#[tokio::test]
async fn its_preview_is_the_answer() {
    let (_, result) = asked(json!({"question": "Which?"}), QueryAnswer::Given(json!("blue\nor green"))).await;

    assert_eq!(AskUser::new().preview(&result, 3)[0], "The user answered: blue");
}
