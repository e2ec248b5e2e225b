//! Reading the log and new events at the same time, in many orders: who attaches, falls behind, leaves and comes back gets
//! every event once and in order. Everything runs on one thread, and dice from a seed decide how long each waits.

use std::sync::Arc;

use serde_json::json;
use switchboard_events::SessionLog;
use switchboard_protocol::{ClientFrame, SessionId};
use switchboard_tools::ApproveMode;

use super::failures::{Failing, Pace};
use crate::test_support::Bench;
use crate::{AttachFrom, Attachment, ClientReceiver, CloseReason, SessionConfig};
use switchboard_accounts::Principal;

/// How many sessions there are, and how many orders are tried in each.
const SESSIONS: u64 = 100;
const ORDERS: u64 = 100;

/// How many clients watch in each.
const WATCHERS: usize = 2;

/// So little waits for a client that it often falls behind, and is sometimes let go.
const QUEUE_BYTES: usize = 150;

/// A client, and what it knows of the log.
struct Watcher<'a> {
    bench: &'a Bench,
    session: SessionId,
    pace: Pace,
    seed: u64,
    /// The last event that it has.
    have: u64,
    /// How often it came, fell behind, and was let go.
    came: u64,
    behind: u64,
    let_go: u64,
}

impl Watcher<'_> {
    async fn attach(&self) -> Attachment {
        let from = AttachFrom::After(self.have);
        let attached = self.bench.sessions.attach(&Principal::local(), Some(self.session), from, false).await;
        attached.expect("the session is there")
    }

    /// Reads up to event `last`; now and then it leaves and comes back.
    async fn read_to(&mut self, last: u64) {
        while self.have < last {
            self.pace.wait().await;
            let mut receiver = self.attach().await.receiver;
            self.came += 1;
            while self.have < last && self.pace.below(20) > 0 {
                self.read_what_is_there(&mut receiver).await;
                if self.have >= last || !self.follow(&mut receiver, last).await {
                    break;
                }
            }
        }
    }

    /// Reads from the log until new events come by themselves.
    async fn read_what_is_there(&mut self, receiver: &mut ClientReceiver) {
        loop {
            self.pace.wait().await;
            let page = receiver.catch_up(1 + self.pace.below(4)).await.expect("the log can be read");
            if page.is_empty() {
                return;
            }
            page.iter().for_each(|event| self.take(event.seq));
        }
    }

    /// Takes what comes until it is behind; whether the session still has it.
    async fn follow(&mut self, receiver: &mut ClientReceiver, last: u64) -> bool {
        while self.have < last {
            // It is slower than whoever writes, now and then much slower.
            for _ in 0..self.pace.below(4) * self.pace.below(8) {
                tokio::task::yield_now().await;
            }
            match receiver.next().await {
                Ok(Some(outgoing)) => outgoing.seq.into_iter().for_each(|seq| self.take(seq)),
                Ok(None) => {
                    self.behind += 1;
                    return true;
                }
                Err(CloseReason::SlowReader) => {
                    self.let_go += 1;
                    return false;
                }
                Err(other) => panic!("the session let go: {other:?}"),
            }
        }
        true
    }

    fn take(&mut self, seq: u64) {
        assert_eq!(seq, self.have + 1, "the next event, with the seed {}", self.seed);
        self.have = seq;
    }
}

/// Sets a variable so many times: an event each.
async fn write(bench: &Bench, session: SessionId, pace: &Pace, count: u64, from: u64) {
    let attached = bench.sessions.attach(&Principal::local(), Some(session), AttachFrom::After(from), false).await;
    // Whoever only says something has no queue that could be full.
    let Attachment { sender, receiver, .. } = attached.expect("the session is there");
    for number in 0..count {
        pace.wait().await;
        let frame = ClientFrame::SetVariable { name: "v".to_owned(), value: json!(number) };
        sender.send(frame).await.expect("it is taken");
    }
    drop(receiver);
}

/// How often clients came, fell behind, and were let go.
async fn many_orders(seed: u64) -> [u64; 3] {
    let pace = Pace::of(seed);
    let config = SessionConfig { client_queue_bytes: QUEUE_BYTES, ..SessionConfig::default() };
    let log = Failing::paced(pace.clone());
    let bench = Bench::with(Arc::clone(&log) as _, config, ApproveMode::Auto);
    let session = bench.client().await.session();
    let mut last = 0;
    let mut happened = [0; 3];
    for _ in 0..ORDERS {
        let count = 1 + pace.below(12);
        let have = last - pace.below(last.min(8) + 1);
        let watcher =
            || Watcher { bench: &bench, session, pace: pace.clone(), seed, have, came: 0, behind: 0, let_go: 0 };
        let mut watchers: [Watcher<'_>; WATCHERS] = std::array::from_fn(|_| watcher());
        let [one, other] = &mut watchers;
        tokio::join!(
            one.read_to(last + count),
            write(&bench, session, &pace, count, last),
            other.read_to(last + count),
        );
        last += count;
        for watcher in &watchers {
            happened = [happened[0] + watcher.came, happened[1] + watcher.behind, happened[2] + watcher.let_go];
        }
        assert!(watchers.iter().all(|watcher| watcher.have == last), "seed {seed}");
    }
    assert_eq!(log.read(session, 0, u64::MAX).await.expect("read").len() as u64, last);
    happened
}

#[test]
fn d04_replay_and_appends_in_any_order_miss_and_repeat_nothing() {
    let mut all = [0; 3];
    for seed in 0..SESSIONS {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime can be made");
        let limit = std::time::Duration::from_secs(120);
        let happened = runtime.block_on(async { tokio::time::timeout(limit, many_orders(seed)).await });
        let happened = happened.unwrap_or_else(|_| panic!("somebody waits for ever, with the seed {seed}"));
        all = std::array::from_fn(|at| all[at] + happened[at]);
    }
    let [came, behind, let_go] = all;
    println!("{came} came, {behind} fell behind, {let_go} were let go");
    assert!(came > 2 * SESSIONS * ORDERS && behind > SESSIONS && let_go > SESSIONS);
}
