//! What time the tool tells, at a fixed moment.

use super::*;
use crate::test_support::Bench;

fn bench() -> Bench<CurrentTime> {
    let moment = || Timestamp::from_second(1_772_323_200).expect("a moment in 2026");
    Bench::new(CurrentTime { now: moment, ..CurrentTime::new() })
}

async fn told_in(timezone: &str) -> String {
    let result = bench().run(json!({"timezone": timezone})).await;
    assert_eq!(result.failure, None);
    result.view.expect("it has a view")
}

#[test]
fn its_definition_is_whole() {
    bench().definition_is_whole();
}

#[tokio::test]
async fn it_tells_the_time_in_a_zone() {
    let value = bench().json(json!({"timezone": "Europe/Berlin"})).await;

    let expected = json!({
        "iso": "2026-03-01T01:00:00+01:00",
        "date": "2026-03-01",
        "time": "01:00:00",
        "weekday": "Sunday",
        "timezone": "Europe/Berlin",
        "unix": 1_772_323_200,
    });
    assert_eq!(value, expected);
}

#[tokio::test]
async fn without_a_zone_it_tells_the_servers_own_time() {
    let value = bench().json(json!({})).await;

    assert_eq!(value["unix"], 1_772_323_200);
}

#[tokio::test]
async fn a_zone_can_be_a_city_or_an_offset_in_many_spellings() {
    for (timezone, expected) in [
        ("utc", "Sunday, 1 March 2026, 00:00:00 (UTC)"),
        ("tokyo", "Sunday, 1 March 2026, 09:00:00 (Asia/Tokyo, UTC+09:00)"),
        ("New York", "Saturday, 28 February 2026, 19:00:00 (America/New_York, UTC-05:00)"),
        ("san francisco", "Saturday, 28 February 2026, 16:00:00 (America/Los_Angeles, UTC-08:00)"),
        ("europe/berlin", "Sunday, 1 March 2026, 01:00:00 (Europe/Berlin, UTC+01:00)"),
        ("UTC+2", "Sunday, 1 March 2026, 02:00:00 (UTC+02:00)"),
        ("gmt-05:30", "Saturday, 28 February 2026, 18:30:00 (UTC-05:30)"),
        ("+0545", "Sunday, 1 March 2026, 05:45:00 (UTC+05:45)"),
    ] {
        assert_eq!(told_in(timezone).await, expected, "{timezone}");
    }
}

#[tokio::test]
async fn an_unknown_zone_names_near_ones() {
    let (error_type, message, suggestion) = bench().failure(json!({"timezone": "Berln"})).await;

    assert_eq!((error_type, message.as_str()), (ErrorType::User, "there is no time zone or city \"Berln\""));
    assert!(suggestion.starts_with("Did you mean Berlin"), "{suggestion}");
    let (_, _, suggestion) = bench().failure(json!({"timezone": "qqqqq"})).await;
    assert_eq!(suggestion, "Give a time zone such as \"Europe/Berlin\", a large city, or an offset such as \"UTC+2\".");
}

#[tokio::test]
async fn an_offset_that_cannot_be_is_refused() {
    for offset in ["UTC+15", "+25:00", "UTC+2:75", "GMT+abc"] {
        let (error_type, message, _) = bench().failure(json!({"timezone": offset})).await;
        assert_eq!(error_type, ErrorType::User);
        assert!(message.ends_with("is not an offset from UTC: offsets go from UTC-14 to UTC+14"), "{message}");
    }
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_named() {
    let message = bench().problems(json!({"timezone": 2, "zone": "UTC"})).await;

    assert!(message.contains("`timezone` must be a string, not a number (2)"), "{message}");
    assert!(message.contains("`zone` is not a parameter"), "{message}");
}

#[tokio::test]
async fn its_preview_is_the_time() {
    assert_eq!(bench().preview(json!({"timezone": "UTC"})).await, ["Sunday, 1 March 2026, 00:00:00 (UTC)"]);
}
