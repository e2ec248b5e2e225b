//! Sessions that are copied for measurements are sessions like others.

use switchboard_events::test_support::{append, created, stored_event};
use switchboard_events::{Append, ListPage, SessionIndex, SessionLog};
use switchboard_protocol::MessageId;

use super::{any, open, options};
use crate::nats::copy_session;
use crate::test_support::NatsServer;

#[tokio::test]
async fn a_copied_session_is_listed_read_and_gone_on_with() {
    const COPIES: usize = 300;
    let server = NatsServer::start();
    let (log, _folder) = open(&server).await;
    let session = created(&any(&log)).await;
    for number in 0..3 {
        let message = MessageId::new();
        let (opened, closed) = (vec![message.clone()], vec![message]);
        log.append(Append { opened, ..append(session, number * 3, 1) }).await.expect("written");
        log.append(Append { closed, ..append(session, number * 3 + 1, 2) }).await.expect("written");
    }
    let row = log.get(session, &switchboard_accounts::Principal::local()).await.expect("asked").expect("listed");
    log.close().await;
    let (other, _others_folder) = open(&server).await;
    let mut changes = other.changes();

    // Five records end in the middle of the third turn.
    let copied = copy_session(&options(&server), session, 5, COPIES).await.expect("copied");

    assert_eq!((copied.turns, copied.messages, copied.events), (2, 1 + 4, 6));
    // A server that starts reads the list, one that was there reads them as changes: several pages each.
    let (log, _later_folder) = open(&server).await;
    let rows = log.list(&row.owner, &ListPage::first(1000)).await.expect("a list");
    assert_eq!(rows.len(), 1 + COPIES);
    while other.list(&row.owner, &ListPage::first(1000)).await.expect("a list") != rows {
        // Who is told of so many may miss some.
        let _ = changes.recv().await;
    }
    assert!(rows.iter().filter(|row| row.session != session).all(|row| row.last_seq == 6));
    let wanted: Vec<_> = (1..=6).map(stored_event).collect();
    for &copy in &copied.some {
        assert_eq!(log.read(copy, 0, 10).await.expect("read"), wanted);
    }
    let copy = copied.some[0];
    assert_eq!(log.claim(copy).await.expect("claimed"), 6);
    log.append(append(copy, 6, 1)).await.expect("written");
    assert_eq!(log.read(copy, 0, 10).await.expect("read").len(), 7);
}
