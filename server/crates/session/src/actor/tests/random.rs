//! Whatever clients do in whatever order: the log has no gaps, every message ends once, and the state is what the log
//! says.

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Map, json};
use switchboard_protocol::{CallId, ClientFrame, Mode, ServerMessage};

use crate::test_support::{Bench, Client, ends};
use crate::{AttachFrom, SessionConfig, state};
use switchboard_events::MemoryLog;
use switchboard_tools::ApproveMode;

/// Something a client does.
#[derive(Debug, Clone)]
enum Deed {
    Message(u8, &'static str, Option<Mode>),
    Cancel(Option<u8>),
    Call(u8),
    Set(u8, u8),
    Delete(u8),
    Clear,
    Command(&'static str),
    Gate,
    Crash,
}

fn deed() -> impl Strategy<Value = Deed> {
    let texts = prop_oneof![
        Just("say hello"),
        Just("hold on"),
        Just(r#"call look {"a":"@v0"}"#),
        Just(r#"call act {"a":1}"#),
        Just("call wait_act {}"),
        Just("panic"),
        Just("call nothing {}"),
    ];
    let modes = prop_oneof![Just(None), Just(Some(Mode::Steer)), Just(Some(Mode::Interrupt))];
    let commands = prop_oneof![
        Just("/clear"),
        Just("/save here"),
        Just("/load here"),
        Just("/debug"),
        Just("/new"),
        Just("/history 3"),
    ];
    prop_oneof![
        6 => (0..12_u8, texts, modes).prop_map(|(id, text, mode)| Deed::Message(id, text, mode)),
        1 => prop::option::of(0..12_u8).prop_map(Deed::Cancel),
        1 => (0..4_u8).prop_map(Deed::Call),
        2 => (0..3_u8, 0..4_u8).prop_map(|(name, value)| Deed::Set(name, value)),
        1 => (0..3_u8).prop_map(Deed::Delete),
        1 => Just(Deed::Clear),
        2 => commands.prop_map(Deed::Command),
        2 => Just(Deed::Gate),
        1 => Just(Deed::Crash),
    ]
}

async fn act(bench: &mut Bench, client: &mut Client, deed: Deed, number: usize) {
    let frame = match deed {
        Deed::Message(id, text, mode) => {
            return client.send_as(&format!("m{id}"), text, mode).await;
        }
        Deed::Command(text) => return client.send(&format!("c{number}"), text).await,
        Deed::Gate => return bench.open_gate(),
        Deed::Crash => {
            let session = client.session();
            bench.shutdown.cut_off();
            bench.shutdown.ended().await;
            *bench = bench.after_crash();
            *client = bench.client_of(session, AttachFrom::After(0)).await;
            return;
        }
        Deed::Cancel(id) => ClientFrame::Cancel { message_id: id.map(|id| format!("m{id}")) },
        Deed::Call(id) => ClientFrame::CallTool {
            call_id: CallId(format!("call-{id}")),
            tool: "look".to_owned(),
            arguments: Map::new(),
        },
        Deed::Set(name, value) => ClientFrame::SetVariable { name: format!("v{name}"), value: json!(value) },
        Deed::Delete(name) => ClientFrame::DeleteVariable { name: format!("v{name}") },
        Deed::Clear => ClientFrame::ClearContext {},
    };
    client.send_frame(frame).await;
}

async fn check(deeds: Vec<Deed>) {
    let mut bench = Bench::with(Arc::new(MemoryLog::new()), SessionConfig::default(), ApproveMode::Auto);
    let mut client = bench.client().await;
    for (number, deed) in deeds.into_iter().enumerate() {
        act(&mut bench, &mut client, deed, number).await;
    }
    bench.gate.add_permits(1000);
    // Behind everything else in the queue.
    client.send("the-last", "say bye").await;
    if !client.frames.iter().any(|frame| ends(&frame.message).is_some_and(|ids| ids[0] == "the-last")) {
        client.end_of("the-last").await;
    }

    let log = bench.log_of(client.session()).await;
    let seqs: Vec<_> = log.iter().filter_map(|frame| frame.seq).collect();
    assert_eq!(seqs, (1..=log.len() as u64).collect::<Vec<_>>());
    for frame in &log {
        if let ServerMessage::UserMessage { message_id, .. } = &frame.message {
            let count = log.iter().filter(|frame| ends(&frame.message).is_some_and(|ids| ids.contains(message_id)));
            assert_eq!(count.count(), 1, "the ends of {message_id}");
        }
    }
    let replayed = state::load(bench.log.as_ref(), client.session(), u64::MAX).await.expect("the log can be read");
    let live = bench.state_of(client.session()).await;
    assert_eq!(live, replayed);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn the_state_is_what_the_log_says(deeds in prop::collection::vec(deed(), 1..24)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime can be made");
        runtime.block_on(check(deeds));
    }
}
