//! What a store must do so that one server at a time has a session.

use switchboard_accounts::Principal;
use switchboard_protocol::{MessageId, SessionId};

use super::make::{Log, append, created};
use crate::{Append, LogError};

pub async fn a_claim_says_where_the_session_ends(log: Log) {
    let session = created(&log).await;
    assert_eq!(log.claim(session).await.expect("claimed"), 0);
    log.append(append(session, 0, 3)).await.expect("written");

    let last = log.claim(session).await.expect("claimed");

    assert_eq!(last, 3);
    log.append(append(session, last, 1)).await.expect("who has claimed it may append");
    let (unknown, claimed) = (SessionId::random(), log.claim(SessionId::random()).await);
    assert!(matches!(claimed, Err(LogError::UnknownSession(_))), "{claimed:?}");
    assert_eq!(log.get(unknown, &Principal::local()).await.expect("read"), None, "a claim makes no session");
}

pub async fn who_has_the_store_has_its_sessions(log: Log) {
    let session = created(&log).await;

    assert_eq!(log.owner(session).await.expect("read"), Some(log.server()));
    log.delete(session).await.expect("deleted");

    assert_eq!(log.owner(session).await.expect("read"), None);
    assert_eq!(log.owner(SessionId::random()).await.expect("read"), None);
}

pub async fn sessions_with_open_messages_are_orphans(log: Log) {
    let (first, second, idle) = (created(&log).await, created(&log).await, created(&log).await);
    let ids = |names: &[&str]| names.iter().map(|name| MessageId::from(*name)).collect::<Vec<_>>();
    let orphans =
        async || -> Vec<SessionId> { log.orphans().await.expect("read").into_iter().map(|row| row.session).collect() };

    log.append(Append { opened: ids(&["a", "b"]), ..append(first, 0, 2) }).await.expect("written");
    log.append(Append { opened: ids(&["a"]), ..append(second, 0, 1) }).await.expect("written");
    log.append(Append { opened: ids(&["x"]), closed: ids(&["x"]), ..append(idle, 0, 2) }).await.expect("written");
    assert_eq!(orphans().await, [first, second]);

    log.append(Append { opened: ids(&["a"]), closed: ids(&["a"]), ..append(first, 2, 1) }).await.expect("written");
    assert_eq!(orphans().await, [second, first]);

    log.append(Append { closed: ids(&["a"]), ..append(second, 1, 1) }).await.expect("written");
    log.append(Append { closed: ids(&["b", "c"]), ..append(first, 3, 1) }).await.expect("written");
    assert_eq!(orphans().await, []);
}
