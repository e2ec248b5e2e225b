//! What the end of everything promises.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::oneshot;

use super::Shutdown;

#[tokio::test]
async fn the_end_waits_for_every_task() {
    let shutdown = Shutdown::new();
    let ended = Arc::new(AtomicUsize::new(0));
    for _ in 0..10 {
        let (stopping, ended) = (shutdown.stopping().clone(), Arc::clone(&ended));
        shutdown.spawn(async move {
            stopping.cancelled().await;
            tokio::task::yield_now().await;
            ended.fetch_add(1, Ordering::SeqCst);
        });
    }

    shutdown.stop();
    shutdown.ended().await;

    assert_eq!(ended.load(Ordering::SeqCst), 10);
}

#[tokio::test]
async fn stopping_lets_running_work_go_on() {
    let shutdown = Shutdown::new();
    let (finish, finished) = oneshot::channel::<&str>();
    let cutting_off = shutdown.cutting_off().clone();
    let work = shutdown.spawn(async move {
        tokio::select! {
            biased;
            () = cutting_off.cancelled() => "cut off",
            word = finished => word.unwrap_or("forgotten"),
        }
    });

    shutdown.stop();
    assert!(shutdown.stopping().is_cancelled());
    assert!(!shutdown.cutting_off().is_cancelled());
    finish.send("done").expect("somebody waits");

    assert_eq!(work.await.expect("ended well"), "done");
    shutdown.ended().await;
}

#[tokio::test]
async fn cutting_off_ends_what_would_run_for_ever() {
    let shutdown = Shutdown::new();
    let cutting_off = shutdown.cutting_off().clone();
    let work = shutdown.spawn(async move { cutting_off.run_until_cancelled(std::future::pending::<()>()).await });

    shutdown.cut_off();

    assert!(shutdown.stopping().is_cancelled(), "no new work either");
    assert_eq!(work.await.expect("ended well"), None);
    shutdown.ended().await;
}

#[tokio::test]
async fn every_clone_is_the_same_shutdown() {
    let shutdown = Shutdown::new();
    let clone = shutdown.clone();
    let (finish, finished) = oneshot::channel::<()>();
    clone.spawn(finished);

    shutdown.stop();
    assert!(clone.stopping().is_cancelled());

    let mut ended = std::pin::pin!(shutdown.ended());
    assert!(futures_util::poll!(&mut ended).is_pending(), "the clone's task still runs");
    finish.send(()).expect("the task waits");
    ended.await;
}

#[tokio::test]
async fn a_task_that_panics_or_is_aborted_does_not_hold_the_end_up() {
    let shutdown = Shutdown::new();
    let aborted = shutdown.spawn(std::future::pending::<()>());
    let panicked = shutdown.spawn(async { panic!("as a task does that meets a bug") });

    aborted.abort();
    shutdown.stop();
    shutdown.ended().await;

    assert!(aborted.await.expect_err("aborted").is_cancelled());
    assert!(panicked.await.expect_err("panicked").is_panic());
}

#[tokio::test]
async fn without_tasks_the_end_is_at_once() {
    let shutdown = Shutdown::new();

    shutdown.stop();
    shutdown.ended().await;

    // Whatever is started late is not waited for twice, but it runs.
    assert_eq!(shutdown.spawn(async { 1 }).await.expect("ended well"), 1);
    shutdown.ended().await;
}
