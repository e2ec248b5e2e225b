//! Charts over the socket, without a model: a question to a table is drawn, and the chart is a value like any other.

use serde_json::{Value, json};
use switchboard_tests::{TestClient, TestServer, Turn, request};

const SALES: &str = "date,region,product,amount\n2026-01-03,north,tea,120\n2026-01-09,south,tea,45\n2026-02-01,north,milk,30\n\
                     2026-02-02,east,milk,5\n";

async fn server() -> TestServer {
    let server = TestServer::start().await;
    server.file("sales.csv", SALES);
    server
}

/// The chart that a turn made.
async fn chart(server: &TestServer, client: &TestClient, turn: &Turn) -> Value {
    let call = turn.all("tool-call-end").last().copied().cloned().expect("a tool ran");
    assert_eq!((&call["tool"], &call["fields"]["viewer"]), (&json!("make_chart"), &json!("chart")), "{call:#}");
    let name = call["outputVariable"].as_str().expect("it is kept").to_owned();
    let path = format!("/api/sessions/{}/resources/var:{name}", client.session());
    request(server.address(), "GET", &path, &[], b"").await.json()
}

#[tokio::test]
async fn plot_the_total_amount_by_region_in_sales_csv() {
    let server = server().await;
    let mut client = server.connect().await;

    let turn = client.ask("plot the total amount by region in sales.csv").await.answered().says("bar chart");

    assert_eq!(turn.tools(), ["file_read", "make_chart"]);
    let drawn = chart(&server, &client, &turn).await;
    assert_eq!((&drawn["type"], &drawn["x"], &drawn["y"]), (&json!("bar"), &json!("region"), &json!("total amount")));
    assert_eq!(
        drawn["rows"],
        json!([
            {"region": "north", "total amount": 150},
            {"region": "south", "total amount": 45},
            {"region": "east", "total amount": 5},
        ])
    );
}

#[tokio::test]
async fn the_kind_is_the_one_that_was_asked_for() {
    let server = server().await;
    let mut client = server.connect().await;

    for (words, kind, rows) in [
        ("draw a bar chart of the total amount by product in sales.csv", "bar", 2),
        ("draw a pie chart of the total amount by region in sales.csv", "pie", 3),
        ("make a line chart of the total amount by month in sales.csv", "line", 2),
        ("plot the total amount by month in sales.csv", "line", 2),
        ("show the total amount by region in sales.csv as a bar chart", "bar", 3),
        ("plot sales.csv", "line", 4),
        ("draw a bar chart of the total amount by region", "bar", 3),
    ] {
        let turn = client.ask(words).await.answered();
        let drawn = chart(&server, &client, &turn).await;
        let count = drawn["rows"].as_array().map(Vec::len);
        assert_eq!((&drawn["type"], count), (&json!(kind), Some(rows)), "{words}: {drawn:#}");
    }
}

#[tokio::test]
async fn an_answer_from_a_table_is_drawn_afterwards() {
    let server = server().await;
    let mut client = server.connect().await;
    client.ask("what is the total amount by region in sales.csv?").await.answered().says("150");

    for (words, kind) in [("plot that", "bar"), ("draw it as a pie chart", "pie"), ("as a line chart", "line")] {
        let turn = client.ask(words).await.answered();
        let drawn = chart(&server, &client, &turn).await;
        assert_eq!((&drawn["type"], &drawn["rows"][0]["total amount"]), (&json!(kind), &json!(150)), "{words}");
    }
}

#[tokio::test]
async fn a_chart_is_drawn_as_another_kind() {
    let server = server().await;
    let mut client = server.connect().await;
    client.ask("plot the total amount by product in sales.csv").await.answered();

    let turn = client.ask("make it a pie chart").await.answered();

    let drawn = chart(&server, &client, &turn).await;
    assert_eq!((&drawn["type"], &drawn["x"]), (&json!("pie"), &json!("product")), "{drawn:#}");
}

#[tokio::test]
async fn a_chart_opens_in_a_window_and_gets_a_name() {
    let server = server().await;
    let mut client = TestClient::connect(server.address(), "?viewer=1").await;

    let turn = client.ask("plot the total amount by region in sales.csv and call it by_region").await.answered();
    let arguments = json!({"resource_handle": "@by_region"});
    let frame = json!({"type": "call-tool", "callId": "own", "tool": "display_resource", "arguments": arguments});
    client.send(frame).await;
    let shown = client.until_type("display-resource").await;

    assert_eq!(turn.first("tool-call-end")["tool"], "file_read");
    assert_eq!(turn.stored(), ["file_content", "by_region"]);
    assert_eq!((&shown["viewerType"], &shown["resource"]["handle"]), (&json!("chart"), &json!("var:by_region@1")));
}

#[tokio::test]
async fn a_table_of_the_page_is_drawn_by_the_user() {
    let server = server().await;
    let mut client = server.connect().await;
    let arguments = json!({
        "data": [{"region": "north", "total": "1,150"}, {"region": "@@south", "total": "45"}],
        "type": "bar", "x": "region", "y": "total",
    });

    client.send(json!({"type": "call-tool", "callId": "own", "tool": "make_chart", "arguments": arguments})).await;
    let end = client.until_type("tool-call-end").await;
    let update = client.until_type("context-update").await;

    assert_eq!((&end["success"], &end["fields"]["points"]), (&json!(true), &json!(2)), "{end:#}");
    assert_eq!(update["set"][0]["origin"]["callId"], "own");
    assert_eq!(update["set"][0]["name"], end["outputVariable"]);
}

#[tokio::test]
async fn what_cannot_be_drawn_is_said() {
    let server = server().await;
    let mut client = server.connect().await;

    let turn = client.ask("plot the total amount in sales.csv").await;

    assert_eq!(turn.first("agent-response")["complete"], false);
    turn.says("A chart needs several figures");
}
