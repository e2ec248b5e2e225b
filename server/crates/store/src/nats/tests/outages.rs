//! NATS goes away and comes back.

use switchboard_events::test_support::{append, blob, created, stored_event};
use switchboard_events::{Append, LogError, SessionLog};

use super::{any, open};
use crate::test_support::NatsServer;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn j07_what_was_acknowledged_outlives_a_nats_that_is_killed() {
    let mut server = NatsServer::start();
    let (log, _folder) = open(&server).await;
    let session = created(&any(&log)).await;
    let large = blob(&[7; 2_000_000]);
    let mut last = 0;

    for round in 0..3 {
        let blobs = vec![large.clone()];
        log.append(Append { blobs, ..append(session, last, 2) }).await.expect("written");
        let in_flight: Vec<_> = (0..20).map(|seq| log.append(append(session, last + 2 + seq, 1))).collect();
        server.kill();
        let mut acknowledged = last + 2;
        let mut failed = false;
        for committed in in_flight {
            match committed.await {
                Ok(()) => {
                    assert!(!failed, "nothing is written behind what failed");
                    acknowledged += 1;
                }
                Err(error) => {
                    assert!(matches!(error, LogError::Unavailable(_) | LogError::Conflict { .. }), "{error}");
                    failed = true;
                }
            }
        }
        assert!(
            matches!(log.append(append(session, acknowledged, 1)).await, Err(LogError::Unavailable(_))),
            "round {round}"
        );
        assert!(log.check().await.is_err(), "and it is not ready");

        server.start_again();
        // As a session does that cannot be written: it asks again until it can.
        last = loop {
            match log.claim(session).await {
                Ok(last) => break last,
                Err(error) => assert!(matches!(error, LogError::Unavailable(_)), "{error}"),
            }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        };

        assert!(last >= acknowledged, "{last} events are there, and {acknowledged} were acknowledged");
        assert_eq!(log.read(session, 0, 1000).await.expect("read"), (1..=last).map(stored_event).collect::<Vec<_>>());
    }
    assert_eq!(log.blob(session, &large.hash).await.expect("read"), Some(large.bytes));
}
