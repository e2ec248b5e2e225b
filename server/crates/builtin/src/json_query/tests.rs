//! What `json_query` answers, and that no filter can hold up or fill the server.

use super::*;
use crate::test_support::Bench;
use switchboard_sandbox::test_support::built_server;

fn bench() -> Bench<JsonQuery> {
    Bench::new(JsonQuery::new(None))
}

/// As the server runs it: in a worker of the built binary.
fn in_worker() -> Bench<JsonQuery> {
    Bench::new(JsonQuery::new(Some(built_server())))
}

fn ask(data: impl Into<Value>, query: &str) -> Value {
    let data = data.into();
    json!({"data": data, "query": query})
}

#[test]
fn its_definition_is_whole() {
    bench().definition_is_whole();
}

#[tokio::test]
async fn one_result_is_the_value_and_several_are_an_array() {
    let people = json!([{"name": "Ada", "age": 36}, {"name": "Ben", "age": 20}]);
    for (query, value) in [
        (".[0].name", json!("Ada")),
        (".[].name", json!(["Ada", "Ben"])),
        ("map(.age) | add / length", json!(28.0)),
        (".[] | select(.age > 30)", json!({"name": "Ada", "age": 36})),
        (".[] | select(.age > 90)", json!([])),
        ("length", json!(2)),
        ("group_by(.age > 30) | map(length)", json!([1, 1])),
        (".[0].missing", json!(null)),
    ] {
        assert_eq!(bench().json(ask(people.clone(), query)).await, value, "{query}");
    }
}

#[tokio::test]
async fn text_that_holds_json_is_asked_as_what_it_holds() {
    assert_eq!(bench().json(ask(json!(" {\"port\": 8080}"), ".port")).await, json!(8080));
    assert_eq!(bench().json(ask(json!("plain"), "length")).await, json!(5));
}

#[tokio::test]
async fn a_query_that_is_none_says_where() {
    for (query, what) in [
        (".a | ", "expected term at its end"),
        (".a | | .b", "expected term at character 6, but found \"|\""),
        ("(.a", "expected closing parenthesis"),
        ("foo(.a)", "there is no filter foo"),
        ("$x", "there is no variable $x"),
    ] {
        let (error_type, message, next) = bench().failure(ask(json!({}), query)).await;
        assert_eq!(error_type, ErrorType::User);
        assert!(message.contains(what), "{query}: {message}");
        assert!(next.starts_with("Example: "), "{next}");
    }
}

#[tokio::test]
async fn a_query_that_fails_on_the_data_says_why() {
    let (error_type, message, _) = bench().failure(ask(json!(42), ".name")).await;

    assert_eq!(
        (error_type, message.as_str()),
        (ErrorType::User, "the query failed: cannot use 42 as iterable (array or object)")
    );
}

#[tokio::test]
async fn many_results_are_cut_and_large_ones_refused() {
    let result = bench().run(ask(json!(null), "range(20000)")).await;
    let (_, message, _) = bench().failure(ask(json!("x".repeat(1_000_000)), "range(100) as $n | .")).await;

    assert_eq!(result.fields["results"], 10_000);
    assert!(result.view.expect("it has a view").starts_with("The first 10000 results; there are more:"));
    assert_eq!(message, format!("the results have more than {MAX_VALUE_BYTES} bytes"));
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_named() {
    let message = bench().problems(json!({"query": ""})).await;

    assert_eq!(message, "2 problems with the arguments: `data` is missing; `query` must not be empty");
}

#[tokio::test]
async fn its_preview_is_the_result() {
    assert_eq!(bench().preview(ask(json!({"a": [1]}), ".a")).await, ["[1]"]);
    assert_eq!(bench().preview(ask(json!([1, 2]), ".[]")).await, ["2 results:", "[1,2]"]);
    assert_eq!(bench().preview(ask(json!([]), ".[]")).await, ["The query returns no result."]);
}

#[tokio::test]
async fn a_worker_gives_the_same_answers() {
    let bench = in_worker();

    assert_eq!(bench.json(ask(json!({"a": [1, 2]}), ".a[]")).await, json!([1, 2]));
    assert!(bench.failure(ask(json!(42), ".name")).await.1.starts_with("the query failed: "));
}

#[tokio::test]
async fn a_worker_sees_nothing_of_the_environment_and_may_end_itself() {
    let bench = in_worker();

    assert_eq!(bench.json(ask(json!(null), "env")).await, json!({}));
    assert_eq!(bench.failure(ask(json!(null), "halt")).await.0, ErrorType::User);
}

#[tokio::test]
async fn a_filter_without_an_end_ends_with_its_call() {
    let bench = in_worker();
    let arguments = ask(json!(null), "[limit(10; repeat(1))] | until(false; .)");

    let ((error_type, ..), ()) = tokio::join!(bench.failure(arguments), async { bench.cancellation.cancel() });

    assert_eq!(error_type, ErrorType::Timeout);
}

#[tokio::test]
async fn a_filter_that_grows_without_bound_harms_only_its_worker() {
    let bench = in_worker();

    for query in ["def f: [f]; f", "\"x\" | until(false; . + .)"] {
        let (error_type, message, _) = bench.failure(ask(json!(null), query)).await;
        assert_eq!(error_type, ErrorType::User, "{query}: {message}");
    }
}
