//! The claims about live output: order, offsets, bounds.

use super::*;
use crate::test_support::TestHost;

fn received(host: &TestHost) -> Vec<(u64, String)> {
    let chunk = |message| match message {
        ServerMessage::ToolOutputChunk { offset, chunk, .. } => (offset, chunk),
        other => panic!("{other:?}"),
    };
    host.transients().into_iter().map(chunk).collect()
}

#[tokio::test(start_paused = true)]
async fn output_is_gathered_and_paced() {
    let (output, host) = (LiveOutput::default(), TestHost::default());
    let call = CallId::random();

    tokio::join!(output.send_to(&host, &call), async {
        for n in 0..100 {
            output.chunk(Stream::Stdout, &format!("{n:02}\n"));
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        output.end();
    });

    let received = received(&host);
    assert!(received.len() <= 4, "{} frames", received.len());
    let whole: String = received.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(whole, (0..100).map(|n| format!("{n:02}\n")).collect::<String>());
}

#[tokio::test]
async fn a_stream_arrives_whole_up_to_the_cap_in_pieces_of_bounded_size() {
    let (output, host) = (LiveOutput::default(), TestHost::default());
    let text = "ä".repeat(400_000);
    output.chunk(Stream::Stdout, &text);
    output.end();

    output.send_to(&host, &CallId::random()).await;

    let mut whole = String::new();
    for (offset, chunk) in received(&host) {
        assert_eq!(offset, whole.len() as u64);
        assert!(chunk.len() <= MAX_CHUNK_BYTES);
        whole.push_str(&chunk);
    }
    assert!(whole == text);
}

#[tokio::test]
async fn a_flood_loses_its_middle_but_not_its_end_nor_the_places() {
    let (output, host) = (LiveOutput::default(), TestHost::default());
    let line = format!("{}\n", "x".repeat(1023));
    for _ in 0..10_000 {
        output.chunk(Stream::Stdout, &line);
    }
    output.chunk(Stream::Stdout, "the end");
    output.end();

    output.send_to(&host, &CallId::random()).await;

    let received = received(&host);
    let sent: usize = received.iter().map(|(_, chunk)| chunk.len()).sum();
    assert!(sent <= 3 * WAITING_BYTES, "{sent} bytes were sent");
    let (offset, last) = received.last().expect("something was sent");
    assert!(last.ends_with("the end"));
    assert_eq!(offset + last.len() as u64, 10_000 * 1024 + 7);
}

#[tokio::test]
async fn what_comes_after_the_end_is_not_sent() {
    let (output, host) = (LiveOutput::default(), TestHost::default());
    output.end();
    output.chunk(Stream::Stdout, "late");

    output.send_to(&host, &CallId::random()).await;

    assert_eq!(host.transients(), []);
}
