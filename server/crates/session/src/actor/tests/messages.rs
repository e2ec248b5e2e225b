//! Messages, the queue, and how turns end.

use switchboard_protocol::{ClientFrame, Mode, ServerMessage};

use crate::test_support::{Bench, code_of, ends, text_of};

#[tokio::test]
async fn a_message_is_acknowledged_and_answered() {
    let bench = Bench::new();
    let mut client = bench.client().await;

    client.send("m1", "say hello").await;
    let end = client.end_of("m1").await;

    assert_eq!(text_of(&end), "hello");
    assert_eq!(end.turn_id.as_deref(), Some("m1"));
    let seqs: Vec<_> = client.frames.iter().filter_map(|frame| frame.seq).collect();
    assert_eq!(seqs, (1..=seqs.len() as u64).collect::<Vec<_>>());
    assert_eq!(client.frames, bench.log_of(client.session()).await);
    assert!(matches!(&client.frames[0].message, ServerMessage::UserMessage { message_id, .. } if message_id == "m1"));
    assert!(
        matches!(&client.frames[1].message, ServerMessage::SessionUpdate { title: Some(title), .. } if title == "say hello")
    );
}

#[tokio::test]
async fn a_tool_runs_and_its_value_is_stored() {
    let bench = Bench::new();
    let mut client = bench.client().await;

    client.send("m1", r#"call look {"at":"this"}"#).await;
    let end = client.end_of("m1").await;

    let ServerMessage::AgentResponse { tools_used, context_updated, .. } = &end.message else { panic!("{end:?}") };
    assert_eq!(
        (tools_used.as_slice(), context_updated.as_slice()),
        (&["look".to_owned()][..], &["look_result".to_owned()][..])
    );
}

#[tokio::test]
async fn messages_wait_for_their_turn_in_order() {
    let bench = Bench::new();
    let mut client = bench.client().await;
    client.send("m1", "hold first").await;
    client.send("m2", "say second").await;
    client.send("m3", "say third").await;

    bench.open_gate();
    let mut ended = Vec::new();
    while ended.len() < 3 {
        ended.extend(ends(&client.next().await.message).cloned());
    }

    assert_eq!(ended, [["m1"], ["m2"], ["m3"]]);
}

#[tokio::test]
async fn the_queue_holds_32_and_then_says_so() {
    let bench = Bench::new();
    let mut client = bench.client().await;
    client.send("running", "hold on").await;
    for number in 0..32 {
        client.send(&format!("q{number}"), "say it").await;
    }

    client.send("too-many", "say it").await;
    let refusal = client.until(|message| matches!(message, ServerMessage::AgentError { .. })).await;
    bench.open_gate();
    client.end_of("q31").await;

    assert_eq!(code_of(&refusal), "busy");
    assert_eq!((refusal.seq, refusal.turn_id.as_deref()), (None, Some("too-many")));
    let log = bench.log_of(client.session()).await;
    let taken = log.iter().filter(|frame| matches!(frame.message, ServerMessage::UserMessage { .. })).count();
    assert_eq!(taken, 33);
}

#[tokio::test]
async fn b05_the_same_message_again_changes_nothing() {
    let bench = Bench::new();
    let mut client = bench.client().await;
    client.send("m1", "say hello").await;
    client.end_of("m1").await;
    let before = bench.log_of(client.session()).await;

    client.send("m1", "say hello").await;
    let again = client.next().await;
    client.send("m1", "say something else").await;
    let conflict = client.next().await;

    let ServerMessage::UserMessage { repeated, text, .. } = &again.message else { panic!("{again:?}") };
    assert_eq!((*repeated, text.as_str(), again.seq), (Some(true), "say hello", Some(1)));
    assert_eq!(code_of(&conflict), "message-id-conflict");
    assert_eq!(bench.log_of(client.session()).await, before);
}

#[tokio::test]
async fn a_steered_message_joins_the_running_turn() {
    let bench = Bench::new();
    let mut client = bench.client().await;
    client.send("m1", "call wait_look {}").await;
    client.until(|message| matches!(message, ServerMessage::ToolCallStart { .. })).await;

    client.send_as("m2", "and this", Some(Mode::Steer)).await;
    client.until(|message| matches!(message, ServerMessage::UserMessage { .. })).await;
    bench.open_gate();
    let end = client.end_of("m1").await;

    assert_eq!(ends(&end.message), Some(&vec!["m1".to_owned(), "m2".to_owned()]));
    assert_eq!(text_of(&end), "done, and this");
}

#[tokio::test]
async fn an_interrupting_message_replaces_the_running_turn_and_goes_before_the_queue() {
    let bench = Bench::new();
    let mut client = bench.client().await;
    client.send("m1", "hold on").await;
    client.send("m2", "say second").await;
    client.until(|message| matches!(message, ServerMessage::AgentThinking { .. })).await;

    client.send_as("m3", "say now", Some(Mode::Interrupt)).await;
    let mut ended = Vec::new();
    while ended.len() < 3 {
        let frame = client.next().await;
        if ends(&frame.message).is_some() {
            ended.push(frame);
        }
    }

    assert_eq!(code_of(&ended[0]), "cancelled");
    assert!(text_of(&ended[0]).contains("newer message"));
    assert_eq!((text_of(&ended[1]), text_of(&ended[2])), ("now", "second"));
}

#[tokio::test]
async fn cancel_ends_the_running_turn_and_all_that_wait() {
    let bench = Bench::new();
    let mut client = bench.client().await;
    client.send("m1", "call wait_act {}").await;
    client.send("m2", "say second").await;
    client.until(|message| matches!(message, ServerMessage::ToolCallStart { .. })).await;

    client.send_frame(ClientFrame::Cancel { message_id: None }).await;
    let (mut first, mut second) = (None, None);
    while first.is_none() || second.is_none() {
        let frame = client.next().await;
        match ends(&frame.message).map(|ids| ids[0].clone()).as_deref() {
            Some("m1") => first = Some(frame),
            Some("m2") => second = Some(frame),
            _ => {}
        }
    }

    assert_eq!(first.as_ref().map(code_of), Some("cancelled"));
    assert_eq!(second.as_ref().map(code_of), Some("cancelled"));
    client.send("m3", "say alive").await;
    assert_eq!(text_of(&client.end_of("m3").await), "alive");
}

#[tokio::test]
async fn one_waiting_message_is_cancelled_and_the_rest_goes_on() {
    let bench = Bench::new();
    let mut client = bench.client().await;
    client.send("m1", "hold on").await;
    client.send("m2", "say second").await;

    client.send_frame(ClientFrame::Cancel { message_id: Some("m2".to_owned()) }).await;
    let cancelled = client.end_of("m2").await;
    bench.open_gate();
    let end = client.end_of("m1").await;

    assert_eq!(code_of(&cancelled), "cancelled");
    assert_eq!(text_of(&end), "on");
}

#[tokio::test]
async fn cancelling_what_is_not_there_is_said_and_what_has_ended_is_left_alone() {
    let bench = Bench::new();
    let mut client = bench.client().await;
    client.send("m1", "say hello").await;
    client.end_of("m1").await;

    client.send_frame(ClientFrame::Cancel { message_id: Some("m1".to_owned()) }).await;
    client.send_frame(ClientFrame::Cancel { message_id: None }).await;
    client.send_frame(ClientFrame::Cancel { message_id: Some("never".to_owned()) }).await;
    let refusal = client.next().await;

    assert_eq!(code_of(&refusal), "unknown-message");
}

#[tokio::test]
async fn a_turn_that_breaks_down_ends_with_an_error_and_the_session_goes_on() {
    let bench = Bench::new();
    let mut client = bench.client().await;

    client.send("m1", "panic now").await;
    let end = client.end_of("m1").await;
    client.send("m2", "say alive").await;

    assert_eq!(code_of(&end), "internal");
    assert_eq!(text_of(&client.end_of("m2").await), "alive");
}

#[tokio::test]
async fn two_clients_get_the_same_frames() {
    let bench = Bench::new();
    let mut one = bench.client().await;
    let mut two = bench.client_of(one.session(), crate::AttachFrom::After(0)).await;

    two.send("m1", "say hello").await;
    one.end_of("m1").await;
    two.end_of("m1").await;

    assert_eq!(one.frames, two.frames);
}
