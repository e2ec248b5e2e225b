//! A running call asks its user: the question reaches the session, and the call's clock stands still meanwhile.

use std::time::Duration;

use serde_json::json;
use switchboard_protocol::{ErrorType, QueryKind, Risk};

use super::*;
use crate::policy::ApproveMode;
use crate::test_support::{Scripted, spec};
use crate::test_support::{failure, manager};
use crate::{QueryAnswer, Question, Tool};
use switchboard_events::ArtifactValue;

/// Works for a second, asks, and works for another.
fn asking(limit: Duration) -> Arc<dyn Tool> {
    let mut spec = spec("asking", Risk::Ui);
    spec.time_limit = limit;
    Scripted::tool(spec, |context, _| async move {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let question = Question::new(QueryKind::Query, "Go on?", Vec::new()).expect("a fit question");
        let answer = context.user.ask(question).await;
        tokio::time::sleep(Duration::from_secs(1)).await;
        ToolResult::success(ArtifactValue::Text(format!("{answer:?}")))
    })
}

#[tokio::test(start_paused = true)]
async fn the_answer_comes_back_to_the_call() {
    let manager = manager(ApproveMode::Ask, [asking(Duration::from_secs(3))]);
    manager.host.user_will_say(QueryAnswer::Given(json!("yes")));

    let outcome = manager.call("asking", json!({})).await;

    assert_eq!(outcome.result.value, Some(ArtifactValue::Text("Given(String(\"yes\"))".to_owned())));
    let asked = manager.host.queries();
    assert_eq!((asked.len(), asked[0].question.message()), (1, "Go on?"));
    assert_eq!(asked[0].call_id, outcome.operation.call_id);
}

#[tokio::test(start_paused = true)]
async fn the_time_before_and_after_a_question_counts() {
    let manager = manager(ApproveMode::Ask, [asking(Duration::from_millis(1500))]);
    manager.host.user_will_say(QueryAnswer::Dismissed);

    let outcome = manager.call("asking", json!({})).await;

    assert_eq!(failure(&outcome).0, ErrorType::Timeout);
}

#[tokio::test(start_paused = true)]
async fn a_question_that_nobody_answers_ends_with_the_cancelled_call() {
    let manager = manager(ApproveMode::Ask, [asking(Duration::from_secs(3))]);
    let cancellation = CancellationToken::new();
    let cancel = async {
        // Long after the call's own limit: its clock stands still.
        tokio::time::sleep(Duration::from_secs(3600)).await;
        cancellation.cancel();
    };

    let call = manager.call_with("asking", json!({}), |invocation| invocation.cancellation = cancellation.clone());
    let (outcome, ()) = tokio::join!(call, cancel);

    let (error_type, message) = failure(&outcome);
    assert_eq!(error_type, ErrorType::User);
    assert!(message.contains("was cancelled"), "{message}");
    assert_eq!(manager.host.queries().len(), 1);
}
