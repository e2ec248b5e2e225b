//! What the calculator calculates, and what it refuses to.

use super::*;
use crate::test_support::Bench;

fn bench() -> Bench<Calculator> {
    Bench::new(Calculator::new())
}

async fn calculated(expression: &str) -> Value {
    bench().json(json!({"expression": expression})).await
}

async fn refused(expression: &str) -> String {
    let (error_type, message, suggestion) = bench().failure(json!({"expression": expression})).await;
    assert_eq!(error_type, ErrorType::User, "{message}");
    assert!(!suggestion.is_empty(), "{message}");
    message
}

#[test]
fn its_definition_is_whole() {
    bench().definition_is_whole();
}

#[tokio::test]
async fn it_calculates() {
    for (expression, value) in [
        ("42 * 37", json!(1554)),
        ("10/4", json!(2.5)),
        ("0.1 + 0.2", json!(0.3)),
        ("2^100", json!("1267650600228229401496703205376")),
        ("1/3", json!(0.333_333_333_333_333_3)),
        ("1/7 to 3 dp", json!(0.143)),
        ("1 == 1", json!(true)),
        ("20 C to F", json!("68 °F")),
        ("4 minutes in seconds", json!("240 seconds")),
        ("15% of 80", json!(12)),
        ("7 mod 3", json!(1)),
    ] {
        assert_eq!(calculated(expression).await, value, "{expression}");
    }
}

#[tokio::test]
async fn it_reads_what_people_write() {
    for (expression, value) in [
        ("6 x 7", json!(42)),
        ("2 x 3 x 4", json!(24)),
        ("6×7", json!(42)),
        ("2 + 2 =", json!(4)),
        ("200 + 10%", json!(220)),
        ("120 - 25%", json!(90)),
        ("50% + 10%", json!("60%")),
        ("1,234,567.5 * 2", json!(2_469_135)),
        ("100 km / 2 hours", json!("50 km / hour")),
        ("0x10 + 0", json!("0x10")),
    ] {
        assert_eq!(calculated(expression).await, value, "{expression}");
    }
}

#[tokio::test]
async fn variables_are_numbers_or_text_with_or_without_the_sign() {
    let bench = bench();
    let with = |expression: &str, variables: Value| json!({"expression": expression, "variables": variables});

    assert_eq!(bench.json(with("answer + 1", json!({"answer": 42}))).await, json!(43));
    assert_eq!(bench.json(with("@answer + 1", json!({"answer": "42"}))).await, json!(43));
    assert_eq!(bench.json(with("way * 2", json!({"way": "5 km"}))).await, json!("10 km"));
    assert_eq!(bench.json(with("x x", json!({"x": 3}))).await, json!(9));
}

#[tokio::test]
async fn what_cannot_be_calculated_says_why() {
    for (expression, why) in [
        ("1/0", "division by zero"),
        ("3 apples", "unknown identifier 'apples'"),
        ("12 * (3 + 4", "1 ( but 0 )"),
        ("17 // 5", "// has no meaning here"),
        ("(1,2,3)", "a comma only separates thousands"),
        ("1 usd to eur", "exchange rates are not available"),
    ] {
        let message = refused(expression).await;
        assert!(message.contains(why), "{message}");
    }
}

#[test]
fn what_is_taken_from_a_variable_is_one_of_its_variables() {
    for (given, expression, variables) in [
        ("@answer + 1", "@answer + 1", json!({"answer": "@answer"})),
        (
            "@config.port * @items[0].n_2 - 3",
            "@config_port * @items_0__n_2 - 3",
            json!({
                "config_port": "@config.port", "items_0__n_2": "@items[0].n_2"
            }),
        ),
        ("@a.b + @a_b + @a.b", "@a_b_2 + @a_b + @a_b_2", json!({"a_b": "@a_b", "a_b_2": "@a.b"})),
        ("@x_ + @x", "@x_ + @x", json!({"x": "@x", "x_": "@x_"})),
        ("@answer", "@answer", Value::Null),
        ("1 + 1", "1 + 1", Value::Null),
    ] {
        let tool = Calculator::new();
        let mut arguments = Map::from_iter([("expression".to_owned(), given.into())]);
        tool.normalise(&mut arguments);
        assert_eq!(arguments["expression"], expression);
        assert_eq!(arguments.get("variables").cloned().unwrap_or_default(), variables, "{given}");

        let once = arguments.clone();
        tool.normalise(&mut arguments);
        assert_eq!(arguments, once, "{given}");
    }
    let mut given = json!({"expression": "@answer + x", "variables": {"answer": 41, "x": 1}});
    let arguments = given.as_object_mut().expect("an object");
    Calculator::new().normalise(arguments);
    assert_eq!(
        given,
        json!({"expression": "@answer + x", "variables": {"answer": 41, "x": 1}}),
        "what was given stays"
    );
    for (given, variables) in [
        (json!({"@n": 5, "n": 6}), json!({"n": 6})),
        (json!({"@n": "@n"}), json!({"n": "@n"})),
        (json!({"@a.b": 1}), json!({"@a.b": 1, "n": "@n"})),
    ] {
        let mut arguments = json!({"expression": "@n * 2", "variables": given});
        Calculator::new().normalise(arguments.as_object_mut().expect("an object"));
        assert_eq!(arguments["variables"], variables, "{given}");
    }
    let mut given = json!({"expression": "@config.port + 1", "variables": {"config_port": 1}});
    Calculator::new().normalise(given.as_object_mut().expect("an object"));
    assert_eq!(given["variables"], json!({"config_port": 1, "config_port_2": "@config.port"}));
}

#[tokio::test]
async fn a_value_by_its_name_in_the_expression_is_calculated_with() {
    let value = bench().json(json!({"expression": "@answer + 1", "variables": {"answer": 41}})).await;
    assert_eq!(value, json!(42));
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_named() {
    let bench = bench();

    assert_eq!(bench.problems(json!({})).await, "`expression` is missing");
    assert_eq!(bench.problems(json!({"expression": ""})).await, "`expression` must not be empty");
    let message = bench.problems(json!({"expression": "1", "variables": {"a": []}})).await;
    assert_eq!(message, "`variables.a` must be a number or a string, not an array ([])");
    let (_, message, _) = bench.failure(json!({"expression": "1", "variables": {"a b": 1}})).await;
    assert_eq!(message, "`variables` has \"a b\", which is not a valid name: use letters, digits and _");
}

#[tokio::test]
async fn an_endless_calculation_ends_when_it_is_told_to() {
    let bench = bench();
    bench.cancellation.cancel();

    let (error_type, ..) = bench.failure(json!({"expression": "10^10^10"})).await;

    assert_eq!(error_type, ErrorType::Timeout);
}

#[tokio::test]
async fn a_deeply_nested_expression_does_no_harm() {
    for expression in [format!("{}1{}", "(".repeat(990), ")".repeat(990)), format!("{}1", "-".repeat(1990))] {
        assert_eq!(calculated(&expression).await, json!(1));
    }
}

#[tokio::test]
async fn its_preview_is_the_equation() {
    assert_eq!(bench().preview(json!({"expression": "6 * 7"})).await, ["6 * 7 = 42"]);
    assert_eq!(
        bench().preview(json!({"expression": "2/3 * 1e-20"})).await,
        ["2/3 * 1e-20 = approx. 6.6666666666666666e-21"]
    );
}
