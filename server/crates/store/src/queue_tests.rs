//! What waits for the writer, without a writer.

use std::sync::Arc;
use std::time::Instant;

use switchboard_accounts::Principal;
use switchboard_events::test_support::{append, blob, quiet};
use switchboard_events::{Append, LogError};
use switchboard_protocol::SessionId;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::queue::{Job, Queue, Work};

/// A batch if there is one; an empty one if there is none yet.
fn batch(queue: &Queue) -> Option<Vec<Job>> {
    queue.next_batch(Instant::now())
}

#[test]
fn a_batch_is_taken_in_order_and_has_a_limit() {
    let queue = Queue::default();
    let session = SessionId::random();
    for (expected, count, urgent) in [(0, 300, false), (300, 300, false), (600, 1000, true), (1600, 1, false)] {
        let work = Work::Append(Append { urgent, ..append(session, expected, count) });
        queue.push(Job::new(work).0).expect("room");
    }
    queue.close();

    let batches: Vec<Vec<usize>> =
        std::iter::from_fn(|| batch(&queue)).map(|batch| batch.iter().map(events).collect()).collect();

    assert_eq!(batches, [vec![300], vec![300], vec![1000], vec![1]]);
}

#[test]
fn a_crowded_queue_refuses_what_is_new_and_takes_what_has_begun() {
    let queue = Queue::default();
    let session = SessionId::random();
    let value = blob(&vec![0; 15 * 1024 * 1024]);
    let large = |expected, opened: &[&str]| {
        let opened = opened.iter().map(|&id| id.into()).collect();
        let append = Append { blobs: vec![value.clone()], opened, ..append(session, expected, 1) };
        Job::new(Work::Append(quiet(append))).0
    };
    queue.push(large(0, &["m1"])).expect("room");
    assert!(!queue.is_crowded(0));
    assert!(queue.is_crowded(15 * 1024 * 1024), "not with as much once more");
    queue.push(large(1, &[])).expect("room");
    assert!(queue.is_crowded(0));

    assert!(matches!(queue.push(large(2, &["m2"])), Err(LogError::Busy)));
    let taken = (2..100).take_while(|&number| queue.push(large(number, &[])).is_ok()).count();

    assert_eq!(taken, 32, "512 MiB in all");
    assert!(matches!(queue.push(Job::new(creation()).0), Err(LogError::Busy)));
    while batch(&queue).is_some_and(|batch| batch.len() < 34) {}
    queue.push(large(99, &["m3"])).expect("room again");
}

fn creation() -> Work {
    Work::Create { session: SessionId::random(), owner: Principal::local() }
}

fn events(job: &Job) -> usize {
    if let Work::Append(append) = &job.work { append.events.len() } else { 0 }
}

#[tokio::test]
async fn whoever_checks_while_a_check_waits_shares_it() {
    let queue = Queue::default();
    let mut outcomes = Vec::new();
    for asked in 0..100 {
        let (job, outcome) = Job::new(Work::Check);
        queue.push(job).expect("room");
        // All but a few have given up.
        if asked % 40 == 0 {
            outcomes.push(outcome);
        }
    }

    let jobs = batch(&queue).expect("it is open");
    assert_eq!(jobs.len(), 1);
    for job in jobs {
        job.answer(&Ok(true));
    }

    for outcome in outcomes {
        assert!(matches!(outcome.await, Ok(Ok(true))));
    }
    assert!(batch(&queue).expect("it is open").is_empty());
}

#[tokio::test]
async fn turns_wait_one_behind_the_other_while_the_writer_is_behind() {
    let queue = Arc::new(Queue::default());
    let session = SessionId::random();
    let large = |expected| {
        let append = Append { blobs: vec![blob(&vec![0; 17 * 1024 * 1024])], ..append(session, expected, 1) };
        Job::new(Work::Append(quiet(append))).0
    };
    drop(queue.room().await);
    queue.push(large(0)).expect("room");
    drop(queue.room().await);
    queue.push(large(1)).expect("room");

    // Now it is behind, and nobody gets room until the writer takes something.
    let (got, mut rooms) = mpsc::unbounded_channel();
    let mut turns = JoinSet::new();
    for _ in 0..3 {
        let (queue, got) = (Arc::clone(&queue), got.clone());
        turns.spawn(async move { got.send(queue.room().await) });
    }
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
    assert!(rooms.try_recv().is_err(), "somebody has room");

    let batch = batch(&queue).expect("it is open");
    assert_eq!(batch.len(), 2);
    let first = rooms.recv().await.expect("one goes on");
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
    assert!(rooms.try_recv().is_err(), "the next one waits until the first has appended");
    queue.push(large(2)).expect("room");
    drop(first);

    let second = rooms.recv().await.expect("there is room still");
    queue.push(large(3)).expect("room");
    drop(second);
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
    assert!(rooms.try_recv().is_err(), "it is behind again");
    queue.close();
    rooms.recv().await.expect("nobody waits for a writer that ends");
}
