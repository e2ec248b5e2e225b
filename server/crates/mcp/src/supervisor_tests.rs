//! What reaches the registry of servers that start, change, end and never answer; each one is a real process.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use switchboard_protocol::Risk;
use tokio::sync::mpsc;

use crate::client::Limits;
use crate::fake::entry;
use crate::status::{ServerState, ServerStatus};
use crate::test_support::{Fixture, soon, text};
use switchboard_tools::ToolChange;

/// Starts a server with this fault and waits until it has failed.
async fn fault(mode: &str, limits: Limits) -> String {
    let fixture = Fixture::start_with(|folder| json!({"fake": entry(mode, folder)}), limits);
    let status = fixture.until("fake", |status| status.fault.is_some()).await;
    assert_eq!(fixture.tools(), Vec::<String>::new());
    fixture.servers.stop().await;
    status.fault.unwrap_or_default()
}

fn is_ready(status: &ServerStatus) -> bool {
    status.state == ServerState::Ready
}

#[tokio::test]
async fn tools_of_a_server_are_in_the_registry_while_it_runs() {
    let fixture = Fixture::ready("").await;

    let tool = fixture.registry.get("fake__echo").expect("the tool is there");
    let definition = tool.spec().definition.clone();
    let status = fixture.servers.list();
    fixture.servers.stop().await;

    assert_eq!((definition.module.as_str(), definition.risk), ("fake", Risk::Execute));
    assert_eq!(definition.description, "Gives the text back, version 0.");
    assert_eq!(status[0].about.as_deref(), Some("fake 1.0"));
    assert_eq!(status[0].tools.len(), 18);
    assert_eq!(fixture.tools(), Vec::<String>::new());
    assert_eq!(fixture.servers.list()[0].state, ServerState::Stopped);
}

#[tokio::test]
async fn i01_a_server_that_ends_at_its_start_leaves_its_last_words() {
    let fault = fault("exit", Limits::none()).await;

    assert_eq!(fault, "it ended with exit code 3; its last words: no database");
}

#[tokio::test]
async fn a_command_that_is_not_there_is_told() {
    let fixture = Fixture::start(|_| json!({"none": {"command": "no-such-command", "args": ["x"]}}));

    let status = fixture.until("none", |status| status.fault.is_some()).await;
    fixture.servers.stop().await;

    let fault = status.fault.unwrap_or_default();
    assert!(fault.contains("cannot start no-such-command"), "{fault}");
}

#[tokio::test]
async fn i01_a_server_that_ends_is_started_again_with_its_tools() {
    let fixture = Fixture::ready("").await;
    let (changes, mut removed) = mpsc::unbounded_channel();
    fixture.registry.on_change(move |change| {
        if let ToolChange::Removed(name) = change {
            let _ = changes.send((*name).to_owned());
        }
    });

    let result = fixture.call("fake__die", json!({})).await;
    let gone = soon(removed.recv()).await;
    fixture.until("fake", |status| is_ready(status) && status.starts == 2).await;
    let again = fixture.call("fake__echo", json!({"text": "again"})).await;

    assert!(!result.is_success());
    assert!(gone.is_some_and(|name| name.starts_with("fake__")));
    assert_eq!(again, text("again"));
    assert_eq!(fixture.calls(), ["die", "echo"]);
    fixture.servers.stop().await;
}

#[tokio::test]
async fn a_server_can_be_started_anew() {
    let fixture = Fixture::ready("").await;

    assert!(fixture.servers.restart("fake"));
    assert!(!fixture.servers.restart("other"));

    fixture.until("fake", |status| is_ready(status) && status.starts == 2).await;
    fixture.servers.stop().await;
}

#[tokio::test]
async fn i04_a_greeting_that_goes_wrong_is_told() {
    let short = Limits { greeting: Duration::from_millis(300), ..Limits::none() };

    assert_eq!(fault("silent", short).await, "it did not answer `initialize` within 0.3 s");
    assert_eq!(fault("refuse", Limits::none()).await, "the handshake failed: not today");
    assert!(fault("wrong_id", Limits::none()).await.starts_with("the handshake failed: "));
    let old = fault("old_version", Limits::none()).await;
    assert_eq!(old, "the handshake failed: it uses version \"1999-01-01\" of MCP, which is not supported");
}

#[tokio::test]
async fn a_server_that_cannot_list_its_tools_is_told() {
    assert_eq!(fault("no_list", Limits::none()).await, "its tools could not be listed: no list");
}

#[tokio::test]
async fn i05_lists_without_an_end_are_cut() {
    let many = Fixture::ready("many").await;
    let endless = Fixture::ready("endless").await;

    assert_eq!(many.tools().len(), 1000);
    assert_eq!(many.servers.list()[0].notes, ["it has more than 1000 tools; the rest are skipped"]);
    assert_eq!(endless.tools().len(), 0);
    assert_eq!(endless.servers.list()[0].notes, ["its list of tools has more than 100 pages; the rest are skipped"]);
    many.servers.stop().await;
    endless.servers.stop().await;
}

#[tokio::test]
async fn i05_wrong_tools_are_left_out_and_told_and_do_not_take_others_down() {
    let fixture = Fixture::ready("odd").await;

    let notes = fixture.servers.list().remove(0).notes;
    let hidden = fixture.registry.get("fake__hidden").expect("it is taken");
    fixture.servers.stop().await;

    let told = ["entry 6", "entry 7", "a/b", "\"\"", "xxxxx", "ri_ght", "text", "pattern", "remote", "hidden"];
    for name in told {
        assert!(notes.iter().any(|note| note.contains(name)), "{name}: {notes:#?}");
    }
    assert_eq!(notes.len(), told.len(), "{notes:#?}");
    assert_eq!(hidden.spec().definition.description, "Adds.");
    assert_eq!(hidden.spec().definition.module, "fake");
}

#[tokio::test]
async fn i05_servers_do_not_take_each_others_names() {
    let fixture = Fixture::start(|folder| json!({"one": entry("", folder), "Two": entry("", folder)}));
    fixture.until("one", is_ready).await;
    fixture.until("Two", is_ready).await;

    let one = fixture.call("one__echo", json!({"text": "1"})).await;
    let two = fixture.call("two__echo", json!({"text": "2"})).await;

    assert_eq!((one, two), (text("1"), text("2")));
    fixture.servers.stop().await;
}

#[tokio::test]
async fn i06_a_storm_of_changes_is_one_change() {
    let limits = Limits { between_lists: Duration::from_secs(3600), ..Limits::none() };
    let fixture = Fixture::start_with(|folder| json!({"fake": entry("", folder)}), limits);
    fixture.until("fake", is_ready).await;

    let result = fixture.call("fake__storm", json!({})).await;
    let after = fixture.call("fake__echo", json!({"text": "calm"})).await;

    assert_eq!((result, after), (text("stormed"), text("calm")));
    assert_eq!(fixture.lists(), 1, "the next list is an hour away");
    fixture.servers.stop().await;
}

#[tokio::test]
async fn i07_a_changed_definition_is_held_back_and_a_running_call_keeps_the_old_one() {
    let limits = Limits { between_lists: Duration::ZERO, ..Limits::none() };
    let fixture = Fixture::start_with(|folder| json!({"fake": entry("", folder)}), limits);
    fixture.until("fake", is_ready).await;
    let before = fixture.registry.get("fake__echo").expect("the tool is there");
    let other = fixture.registry.get("fake__hang").expect("the tool is there");

    fixture.call("fake__change", json!({})).await;
    let changed = fixture.until("fake", |status| !status.changed.is_empty()).await.changed;
    assert!(fixture.registry.get("fake__echo").is_none(), "it is held back");
    assert_eq!(fixture.servers.approve("fake"), ["fake__echo"]);
    fixture.until("fake", |status| status.tools.iter().any(|tool| tool == "fake__echo")).await;

    let after = fixture.registry.get("fake__echo").expect("the tool is there");
    let same = fixture.registry.get("fake__hang").expect("the tool is there");
    assert_eq!(changed[0].before, "Gives the text back, version 0.");
    assert_eq!(changed[0].now, "Gives the text back, version 1.");
    assert_ne!(before.fingerprint(), after.fingerprint());
    assert!(Arc::ptr_eq(&other, &same), "what did not change stays");
    assert_eq!(before.spec().definition.description, "Gives the text back, version 0.");
    fixture.servers.stop().await;
}

#[tokio::test]
async fn i16_servers_that_never_answer_hold_nobody_up() {
    let fixture = Fixture::start(|folder| {
        let mut servers: serde_json::Map<_, _> =
            (0..7).map(|n| (format!("dead{n}"), entry("silent", folder))).collect();
        servers.insert("fake".to_owned(), entry("", folder));
        servers.into()
    });

    fixture.until("fake", is_ready).await;

    assert_eq!(fixture.call("fake__echo", json!({"text": "here"})).await, text("here"));
    fixture.servers.stop().await;
}

/// Whether a process runs; a dead one that nobody has collected does not.
fn runs(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['Z', 'X']))
}

#[tokio::test]
async fn a_stop_leaves_no_process_behind_not_even_one_that_left_its_session() {
    let fixture = Fixture::ready("").await;
    let result = fixture.call("fake__leave_behind", json!({})).await;
    let switchboard_events::ArtifactValue::Text(pid) = result.value.expect("a process id") else { panic!("a text") };
    assert!(runs(&pid));

    fixture.servers.stop().await;

    assert!(!runs(&pid));
}

#[tokio::test]
async fn a_server_that_does_not_end_with_its_input_is_ended() {
    let fixture = Fixture::ready("stubborn").await;

    fixture.servers.stop().await;

    assert_eq!(fixture.calls(), ["end of input"]);
    assert_eq!(fixture.servers.list()[0].state, ServerState::Stopped);
}
