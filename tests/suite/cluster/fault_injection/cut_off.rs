//! A server that is cut off from NATS, or is with the smaller part of NATS: it acknowledges nothing, and what it had goes on elsewhere.

use std::time::Instant;

use serde_json::{Value, json};
use switchboard_tests::{Addresses, ReturningClient, TestClient};

use super::link::Condition;
use super::machines::Machines;
use crate::cluster::{attached, events_at};
use crate::crash::check_log;

/// Lets a session's server be cut off and come back: its client is told, and what was not acknowledged is said again.
async fn goes_on_elsewhere(cut: impl Fn(&mut Machines, Condition)) {
    let mut machines = Machines::start(false).await;
    let [first, second, third] = &machines.addresses()[..] else { panic!("there are three") };
    let mut left = TestClient::connect(first, "").await;
    let session = left.session();
    left.ask("What is 6 * 7?").await.answered();

    cut(&mut machines, Condition::Cut);
    let begun = Instant::now();
    let lost = left.post("Write \"said twice\" to lost.txt").await;
    let right = attached(second, session, 0).await;
    println!("a client was served {:?} after its server was cut off", begun.elapsed());
    // Its server may have been connected to the NATS server that is cut off, and be taken for dead for a moment.
    let mut right = ReturningClient::of(right, Addresses::new(vec![second.clone(), third.clone()]));
    right.ask("What is 7 * 7?").await.answered().says("49");
    assert!(!machines.workspace().join("lost.txt").exists(), "nothing begins that is not acknowledged");
    cut(&mut machines, Condition::Whole);
    let closed = left.closed().await;

    assert_eq!(closed.code, 4005, "{closed:?}");
    let is_acknowledged = |frame: &&Value| frame["messageId"] == *lost && frame["seq"].is_u64();
    assert_eq!(left.frames.iter().find(is_acknowledged), None, "nothing was acknowledged");
    // It comes back where it was with what it has read, and sends what was not acknowledged again.
    let mut back = attached(first, session, left.last_seq()).await;
    back.send(json!({"type": "send-message", "text": "Write \"said twice\" to lost.txt", "messageId": lost})).await;
    back.end_of(&lost).await.answered();
    let all = events_at(second, session).await;
    check_log(&all);
    let asked = all.iter().filter(|frame| frame["type"] == "user-message").map(|frame| frame["text"].as_str());
    let wanted = ["What is 6 * 7?", "What is 7 * 7?", "Write \"said twice\" to lost.txt"].map(Some);
    assert_eq!(asked.collect::<Vec<_>>(), wanted);
}

#[tokio::test(flavor = "multi_thread")]
async fn j04_what_a_server_had_that_is_cut_off_from_nats_goes_on_elsewhere_and_it_acknowledges_nothing() {
    goes_on_elsewhere(|machines, condition| machines.node(0).set_links(condition)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn j10_the_smaller_part_of_nats_takes_nothing_and_what_a_server_beside_it_had_goes_on_elsewhere() {
    goes_on_elsewhere(|machines, condition| machines.part(0, condition)).await;
}
