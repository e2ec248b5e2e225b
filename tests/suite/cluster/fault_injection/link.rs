//! A way between two programs that can be cut and slowed, as a network between two machines can. What is sent meanwhile arrives
//! later, as TCP has it.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::spawn_blocking;

use super::namespaces::Namespace;

/// How a link is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Condition {
    Whole,
    /// Nothing gets through, and nobody is told.
    Cut,
    /// Everything takes so much longer.
    Slow(Duration),
}

/// An address behind which another one is.
#[derive(Debug)]
pub(super) struct Link {
    address: String,
    target: Arc<Mutex<String>>,
    condition: watch::Sender<Condition>,
}

impl Link {
    /// One that leads to this address until it is led elsewhere.
    pub(super) async fn to(target: &str) -> Self {
        Self::from(TcpListener::bind("127.0.0.1:0").await.expect("a port"), target, None)
    }

    /// One that leads into a machine, to this address there until it is led elsewhere.
    pub(super) async fn into(namespace: &Arc<Namespace>, target: &str) -> Self {
        Self::from(TcpListener::bind("127.0.0.1:0").await.expect("a port"), target, Some(Arc::clone(namespace)))
    }

    /// One inside a machine, from this address to another one.
    pub(super) fn inside(namespace: &Arc<Namespace>, listen: &str, target: &str) -> Self {
        let listener = namespace.run(|| std::net::TcpListener::bind(listen)).expect("a port");
        listener.set_nonblocking(true).expect("it does not block");
        Self::from(TcpListener::from_std(listener).expect("a listener"), target, Some(Arc::clone(namespace)))
    }

    fn from(listener: TcpListener, target: &str, namespace: Option<Arc<Namespace>>) -> Self {
        let address = listener.local_addr().expect("its address").to_string();
        let (target, condition) = (Arc::new(Mutex::new(target.to_owned())), watch::Sender::new(Condition::Whole));
        let link = Self { address, target: Arc::clone(&target), condition: condition.clone() };
        #[expect(clippy::disallowed_methods, reason = "the task ends with the test")]
        tokio::spawn(async move {
            while let Ok((from, _)) = listener.accept().await {
                let target = target.lock().unwrap_or_else(PoisonError::into_inner).clone();
                tokio::spawn(connect(from, target, namespace.clone(), condition.subscribe()));
            }
        });
        link
    }

    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// Leads new connections to another address.
    pub(super) fn lead_to(&self, target: &str) {
        target.clone_into(&mut self.target.lock().unwrap_or_else(PoisonError::into_inner));
    }

    pub(super) fn set(&self, condition: Condition) {
        self.condition.send_replace(condition);
    }
}

async fn connect(
    from: TcpStream,
    target: String,
    namespace: Option<Arc<Namespace>>,
    mut condition: watch::Receiver<Condition>,
) {
    pass(&mut condition).await;
    let to = match namespace {
        Some(namespace) => connect_inside(&namespace, target).await,
        None => TcpStream::connect(target).await,
    };
    // Who refuses it closes it.
    let Ok(to) = to else { return };
    let ((from_read, from_write), (to_read, to_write)) = (from.into_split(), to.into_split());
    tokio::join!(pump(from_read, to_write, condition.clone()), pump(to_read, from_write, condition));
}

async fn connect_inside(namespace: &Arc<Namespace>, target: String) -> io::Result<TcpStream> {
    let namespace = Arc::clone(namespace);
    let connect = move || namespace.run(|| std::net::TcpStream::connect(target));
    let stream = spawn_blocking(connect).await.expect("it does not fail")?;
    stream.set_nonblocking(true)?;
    TcpStream::from_std(stream)
}

async fn pump(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut condition: watch::Receiver<Condition>) {
    let mut bytes = vec![0; 64 * 1024];
    while let Ok(read @ 1..) = from.read(&mut bytes).await {
        pass(&mut condition).await;
        if to.write_all(&bytes[..read]).await.is_err() {
            return;
        }
    }
    pass(&mut condition).await;
    // The other side may be gone already.
    let _ = to.shutdown().await;
}

/// Waits as long as something takes to get through.
async fn pass(condition: &mut watch::Receiver<Condition>) {
    let is_open = condition.wait_for(|condition| *condition != Condition::Cut).await;
    // The link itself is gone when the test has ended.
    let delay = is_open.ok().and_then(|condition| match *condition {
        Condition::Slow(delay) => Some(delay),
        Condition::Whole | Condition::Cut => None,
    });
    if let Some(delay) = delay {
        tokio::time::sleep(delay).await;
    }
}
