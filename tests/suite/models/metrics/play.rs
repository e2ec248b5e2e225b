//! Plays one case: an empty workspace with its files, a new session, its variables, and then each exchange.

use std::fs;

use serde_json::{Value, json};
use switchboard_tests::{TestClient, TestServer};

use super::case::{Case, Sheet};
use super::check;
use super::honest::HonestModel;
use crate::models::real;

/// How long a turn may take.
#[derive(Clone, Copy)]
pub(super) enum Pace {
    /// As long as anything in a test.
    Quick,
    /// As long as a real model on a small machine needs.
    Patient,
}

/// Plays it.
///
/// # Errors
/// What is not as it should be, of the first exchange in which something is.
pub(super) async fn play(
    server: &TestServer,
    sheet: &Sheet,
    case: &Case,
    model: Option<&HonestModel>,
    pace: Pace,
) -> Result<(), String> {
    prepare(server, sheet, case);
    let mut client = server.connect().await;
    for (name, value) in &case.variables {
        client.send(json!({"type": "set-variable", "name": name, "value": value})).await;
        client.until_type("context-update").await;
    }
    for (number, exchange) in case.turn.iter().enumerate() {
        if let Some(model) = model {
            model.expect(exchange);
        }
        let turn = match pace {
            Pace::Quick => client.ask(&exchange.say).await,
            Pace::Patient => {
                let turn = real::ask(&mut client, &exchange.say, &format!("exchange-{number}")).await;
                turn.ok_or_else(|| format!("{:?}: no answer in time", exchange.say))?
            }
        };
        let variables = variables(&mut client).await;
        let checked = check::outcome(exchange, &turn, &variables, &server.workspace());
        let checked = checked.and_then(|()| if sheet.told { check::told(&turn) } else { Ok(()) });
        checked.map_err(|why| format!("{:?}: {why} (it said: {:?})", exchange.say, turn.text()))?;
    }
    client.close().await;
    Ok(())
}

fn prepare(server: &TestServer, sheet: &Sheet, case: &Case) {
    let entries = fs::read_dir(server.workspace()).expect("the workspace").flatten();
    for entry in entries.filter(|entry| !entry.file_name().to_string_lossy().starts_with('.')) {
        let path = entry.path();
        let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        removed.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    for (path, content) in &sheet.files {
        server.file(path, content);
    }
    for (path, bytes) in &case.bytes {
        fs::write(server.workspace().join(path), bytes).expect("a file");
    }
    for (path, size) in &case.large {
        let lines = (1..).map(|number| format!("This is line {number}, which is like no other.\n"));
        let text: String = lines.take(size / 40).collect();
        server.file(path, &text);
    }
}

async fn variables(client: &mut TestClient) -> Vec<String> {
    client.send(json!({"type": "get-context"})).await;
    let state = client.until_type("context-state").await;
    let all = state["variables"].as_array().map(Vec::as_slice).unwrap_or_default();
    all.iter().filter_map(|variable| variable["name"].as_str()).map(ToOwned::to_owned).collect()
}

/// What a frame says under this name, as texts.
pub(super) fn texts<'a>(frame: &'a Value, field: &str) -> Vec<&'a str> {
    frame[field].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}
