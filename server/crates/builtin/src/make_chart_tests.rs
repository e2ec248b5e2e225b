//! What `make_chart` draws of which rows, and how it says what it cannot draw.

use super::*;
use crate::test_support::Bench;
use switchboard_protocol::ErrorType;

fn bench() -> Bench<MakeChart> {
    Bench::new(MakeChart::new())
}

const SALES: &str = "date,region,amount\n2026-02-01,north,100.10\n2026-01-01,south,45\n2026-02-01,north,20.20\n";

#[test]
fn its_definition_is_whole() {
    bench().definition_is_whole();
}

#[tokio::test]
async fn rows_become_a_chart() {
    let chart = bench()
        .json(json!({
            "data": [{"region": "north", "amount": 120}, {"region": "south", "amount": 45.5}],
            "type": "bar", "x": "region", "y": "amount", "title": "Amount by region",
        }))
        .await;

    assert_eq!(
        chart,
        json!({
            "type": "bar", "title": "Amount by region", "x": "region", "y": "amount",
            "rows": [{"region": "north", "amount": 120}, {"region": "south", "amount": 45.5}],
        })
    );
}

#[tokio::test]
async fn rows_of_the_same_name_are_added_up() {
    let result = bench().run(json!({"data": SALES, "type": "pie", "x": "Region", "y": "Amount"})).await;

    let value = result.value.expect("it has a value").to_json();
    assert_eq!(value["rows"], json!([{"region": "north", "amount": 120.3}, {"region": "south", "amount": 45}]));
    assert_eq!(value["title"], "Amount by Region");
    let view = result.view.expect("it has a view");
    assert!(view.contains("2 points. 3 rows were added up, because several have the same region."), "{view}");
    assert!(view.ends_with("north: 120.3\nsouth: 45"), "{view}");
    assert_eq!(result.fields["viewer"], "chart");
}

#[tokio::test]
async fn lines_go_from_left_to_right_and_points_stay_as_they_are() {
    let drawn = async |kind: &str| bench().json(json!({"data": SALES, "type": kind, "x": "date", "y": "amount"})).await;

    let line = drawn("line").await;
    let points = drawn("scatter").await;

    assert_eq!(line["rows"], json!([{"date": "2026-01-01", "amount": 45}, {"date": "2026-02-01", "amount": 120.3}]));
    assert_eq!(points["type"], "point");
    assert_eq!(points["rows"].as_array().map(Vec::len), Some(3));
}

#[tokio::test]
async fn series_are_told_apart() {
    let arguments = json!({"data": SALES, "type": "column", "x": "date", "y": "amount", "series": "region"});
    let chart = bench().json(arguments).await;

    assert_eq!((&chart["type"], &chart["series"]), (&json!("bar"), &json!("region")));
    assert_eq!(chart["rows"][0], json!({"date": "2026-02-01", "region": "north", "amount": 120.3}));
    assert_eq!(chart["rows"].as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn the_table_that_has_the_columns_is_taken_out_of_json() {
    let data = json!({"people": [{"name": "Ada"}], "sales": [{"city": "Oslo", "sum": "1,200"}, {"city": "Rome", "sum": "900"}]});
    let chart = bench().json(json!({"data": data, "type": "bar", "x": "city", "y": "sum"})).await;

    assert_eq!(chart["rows"], json!([{"city": "Oslo", "sum": 1200}, {"city": "Rome", "sum": 900}]));
}

#[tokio::test]
async fn cells_without_a_number_are_left_out_and_that_is_said() {
    let data = "city,sum\nOslo,1\nRome,\nParis,3\n";
    let result = bench().run(json!({"data": data, "type": "bar", "x": "city", "y": "sum"})).await;

    assert_eq!(result.fields["points"], 2);
    assert!(result.view.expect("it has a view").contains("1 row without a number in sum left out."));
}

#[tokio::test]
async fn what_cannot_be_drawn_is_said_with_what_could_be() {
    let rows: String = (0..6000).map(|at| format!("{at},{at}\n")).collect();
    let many = format!("a,b\n{rows}");
    for (data, kind, x, y, said, next) in [
        (SALES, "bar", "place", "amount", "there is no column `place` in `data`", "`date`, `region`, `amount`"),
        (SALES, "bar", "date", "region", "the cells of `region` are not numbers", "Columns of numbers are `amount`."),
        ("a.csv", "bar", "a", "b", "there are no rows in `data`", "@file_content"),
        ("a,b\nx,-1\ny,2\n", "pie", "a", "b", "a pie shows shares of a whole", "bar chart"),
        (many.as_str(), "line", "a", "b", "the chart would have 6000 points", "Put rows together"),
    ] {
        let (error_type, message, suggestion) =
            bench().failure(json!({"data": data, "type": kind, "x": x, "y": y})).await;
        assert_eq!(error_type, ErrorType::User);
        assert!(message.starts_with(said), "{message}");
        assert!(suggestion.contains(next), "{suggestion}");
    }
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_named() {
    let problems = bench().problems(json!({"data": [], "type": "radar", "x": "a"})).await;

    assert!(problems.contains("`y` is missing") && problems.contains("type"), "{problems}");
}
