//! Fills a log in NATS, and measures NATS alone; prints one JSON object. `tests/bench` runs it.
//!
//! `nats_load copy STORE SESSION RECORDS COUNT` copies a session, `nats_load publish STORE all|one|list SESSIONS BYTES SECONDS`
//! publishes. Nothing else may use that NATS server meanwhile, and nobody the log afterwards but to measure.

use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};
use serde_json::{Value, json};
use switchboard_store::NatsOptions;
use switchboard_store::test_support::{PublishTo, copy_session, publish_for};

#[tokio::main]
async fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let figures = match words.as_slice() {
        ["copy", store, session, records, count] => {
            copy(&options(store)?, session, records.parse()?, count.parse()?).await?
        }
        ["publish", store, to, sessions, bytes, seconds] => {
            let to = match *to {
                "all" => PublishTo::Events,
                "one" => PublishTo::OneStream,
                "list" => PublishTo::List,
                _ => bail!("all, one or list"),
            };
            let time = Duration::from_secs(seconds.parse()?);
            publish(&options(store)?, to, (sessions.parse()?, bytes.parse()?), time).await?
        }
        _ => bail!(
            "usage: nats_load copy STORE SESSION RECORDS COUNT | publish STORE all|one|list SESSIONS BYTES SECONDS"
        ),
    };
    println!("{figures}");
    Ok(())
}

fn options(store: &str) -> Result<NatsOptions> {
    let servers = NatsOptions::parse_servers(store).map_err(|wrong| anyhow!(wrong))?;
    Ok(NatsOptions { servers, ..NatsOptions::default() })
}

async fn copy(options: &NatsOptions, session: &str, records: usize, count: usize) -> Result<Value> {
    let begun = Instant::now();
    let copied = copy_session(options, session.parse()?, records, count).await?;
    let took = begun.elapsed().as_secs_f64();
    Ok(json!({
        "some": copied.some, "sessions": count, "messages_each": copied.messages, "turns_each": copied.turns, "events_each": copied.events,
        "record_bytes_each": copied.record_bytes, "took_s": took,
        "per_second": (copied.messages * count) as f64 / took,
    }))
}

async fn publish(options: &NatsOptions, to: PublishTo, size: (usize, usize), time: Duration) -> Result<Value> {
    let mut done = publish_for(options, to, size, time).await?;
    done.waits.sort();
    let at = |share: f64| {
        let place = (done.waits.len() as f64 * share) as usize;
        done.waits.get(place).map_or(0.0, Duration::as_secs_f64) * 1000.0
    };
    let per_second = done.waits.len() as f64 / done.took.as_secs_f64();
    Ok(json!({"per_second": per_second, "p50_ms": at(0.5), "p99_ms": at(0.99)}))
}
