//! One client's connection: what it says goes to its session, what the session sends goes to it, and a heartbeat tells
//! whether it is still there. The three run side by side in one task; whichever ends first ends the connection.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket};
use futures_util::stream::SplitStream;
use futures_util::{SinkExt, StreamExt};
use tokio::sync::{Notify, Semaphore};
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep, timeout};
use tokio_tungstenite::tungstenite;
use tokio_util::sync::CancellationToken;

use super::close::Closing;
use super::config::SocketConfig;
use super::list::ListNews;
use super::writer::{Ended, Writer, flush, put, text};
use super::{codec, query, resume};
use switchboard_accounts::{Principal, Rights};
use switchboard_protocol::close;
use switchboard_session::{Attachment, ClientReceiver, ClientSender, CloseReason, Outgoing, Refusal, Sessions};

/// The largest message that is answered; a larger one ends the connection.
const MAX_MESSAGE: usize = 4 * 1024 * 1024;
/// How many frames go into the socket's buffer before it is written out.
const TOGETHER: usize = 64;
/// How many pings a client may send in a second: each one is answered.
const PINGS_A_SECOND: u32 = 1000;
/// How many pings may go unanswered.
const MISSED: u8 = 2;

/// What all connections share.
pub(super) struct SocketState {
    pub(super) sessions: Sessions,
    pub(super) config: SocketConfig,
    pub(super) places: Arc<Semaphore>,
}

/// Who was let in.
pub(super) struct Admitted {
    pub(super) owner: Principal,
    pub(super) rights: Rights,
    /// Is cancelled when the login that let them in ends.
    pub(super) ended: CancellationToken,
}

/// The half that reads.
type Reader = SplitStream<WebSocket>;

/// Whether the client is there.
#[derive(Default)]
pub(super) struct Heartbeat {
    missed: AtomicU8,
    due: Notify,
}

/// Serves a client until it goes or has to go.
pub(super) async fn serve(
    state: Arc<SocketState>,
    client: Admitted,
    query: String,
    (mut writer, mut reader): (Writer, Reader),
) {
    let ended = match Box::pin(attach(&state, &client, &query)).await {
        Ok((attachment, news)) => talk(&state, (attachment, news), &client.ended, &mut writer, &mut reader).await,
        Err((refusal, closing)) => {
            if let Some(refusal) = refusal {
                let _ = timeout(state.config.close_within, writer.send(text(&refusal.into_text()))).await;
            }
            Some(closing)
        }
    };
    if let Some(closing) = ended {
        say_goodbye(closing, &state, writer, reader).await;
    }
}

/// There is no place for this client.
pub(super) async fn turn_away(state: &SocketState, socket: WebSocket) {
    let (writer, reader) = socket.split();
    say_goodbye(Closing::overload(), state, writer, reader).await;
}

/// The session, and for a client that shows the list what changes in it.
type Attached = (Attachment, Option<ListNews>);

async fn attach(state: &SocketState, client: &Admitted, query: &str) -> Result<Attached, (Option<Refusal>, Closing)> {
    let wanted = query::wanted(query)?;
    let generation = state.sessions.services().log.generation();
    wanted.refuse_other_history(&generation).map_err(|closing| (None, closing))?;
    let told = wanted.list && wanted.subscription.has_type("sessions-update");
    let news = told.then(|| ListNews::new(&state.sessions, &client.owner));
    let attached = state.sessions.attach(&client.owner, wanted.session, wanted.from, wanted.viewer).await;
    let attachment = attached.map_err(|error| (None, error.into()))?;
    let (ready, sender) = (attachment.ready, attachment.sender.with_rights(client.rights));
    Ok((Attachment { ready, sender, receiver: attachment.receiver.with_subscription(wanted.subscription) }, news))
}

async fn talk(
    state: &SocketState,
    (attachment, mut news): Attached,
    login_ended: &CancellationToken,
    writer: &mut Writer,
    reader: &mut Reader,
) -> Ended {
    let Attachment { ready, sender, mut receiver } = attachment;
    let heartbeat = Heartbeat::default();
    let shutdown = &state.sessions.services().shutdown;
    let stopped = async {
        shutdown.stopping().cancelled().await;
        // A session that another server goes on with closes its clients itself, when it has nothing more to tell them.
        if shutdown.is_handing_over() {
            std::future::pending::<()>().await;
        }
    };
    let ended = tokio::select! {
        () = stopped => None,
        () = login_ended.cancelled() => Some(Closing::logged_out()),
        ended = read_loop(reader, &sender, &heartbeat) => ended,
        ended = write_loop(writer, (&mut receiver, &mut news), ready, &heartbeat) => ended,
        () = heartbeat_loop(state.config.ping_every, &heartbeat) => None,
    };
    // Whatever was seen first: the session ends by the server's end too, and would say less.
    let is_over = shutdown.stopping().is_cancelled() && !shutdown.is_handing_over();
    match ended {
        _ if is_over => Some(Closing::stopping()),
        // It went while the client was reading.
        Some(closing) if shutdown.is_handing_over() && closing.code == close::OVERLOAD => {
            Some(CloseReason::Moved.into())
        }
        ended => ended,
    }
}

/// Hands over what the client says.
async fn read_loop(reader: &mut Reader, sender: &ClientSender, heartbeat: &Heartbeat) -> Ended {
    let mut pings = (Instant::now(), 0);
    while let Some(message) = reader.next().await {
        heartbeat.missed.store(0, Ordering::Relaxed);
        let said = match message {
            Ok(Message::Text(text)) if text.len() > MAX_MESSAGE => return Some(Closing::too_large()),
            Ok(Message::Binary(bytes)) if bytes.len() > MAX_MESSAGE => return Some(Closing::too_large()),
            Ok(Message::Text(text)) => codec::decode(&text).map(Box::new),
            Ok(Message::Binary(_)) => Err(codec::binary()),
            Ok(Message::Ping(_)) if is_flood(&mut pings) => return Some(Closing::too_fast()),
            // After a close the stream ends on its own.
            Ok(Message::Ping(_) | Message::Pong(_) | Message::Close(_)) => continue,
            Err(error) => return broken(error),
        };
        let refused = match said {
            Ok(frame) => sender.send(frame).await.err(),
            Err(refusal) => Some(refusal),
        };
        if let Some(refusal) = refused {
            sender.refuse(refusal).await;
        }
    }
    None
}

/// Whether one more ping is too many, after so many since then.
fn is_flood((since, count): &mut (Instant, u32)) -> bool {
    if since.elapsed() >= Duration::from_secs(1) {
        (*since, *count) = (Instant::now(), 0);
    }
    *count += 1;
    *count > PINGS_A_SECOND
}

/// Where frames come from: the session, and the list of all.
type Sources<'a> = (&'a mut ClientReceiver, &'a mut Option<ListNews>);

/// Sends what there is: first who and where, then what was missed, then what happens.
async fn write_loop(writer: &mut Writer, sources: Sources<'_>, ready: String, heartbeat: &Heartbeat) -> Ended {
    match write_frames(writer, sources, ready, heartbeat).await {
        Ok(never) => match never {},
        Err(ended) => ended,
    }
}

async fn write_frames(
    writer: &mut Writer,
    (receiver, news): Sources<'_>,
    ready: String,
    heartbeat: &Heartbeat,
) -> Result<Infallible, Ended> {
    write(writer, receiver, Message::Text(ready.into())).await?;
    resume::replay(writer, receiver).await?;
    loop {
        tokio::select! {
            outgoing = receiver.next() => match outgoing.map_err(|reason| Some(reason.into()))? {
                Some(outgoing) => write_ready(writer, receiver, outgoing).await?,
                None => resume::replay(writer, receiver).await?,
            },
            text = next_news(news) => write(writer, receiver, Message::Text(text.into())).await?,
            () = heartbeat.due.notified() => write(writer, receiver, Message::Ping(Bytes::new())).await?,
        }
    }
}

/// What is new in the list; nothing, for ever, for a client that does not show it.
async fn next_news(news: &mut Option<ListNews>) -> String {
    match news {
        Some(news) => news.next().await,
        None => std::future::pending().await,
    }
}

/// Asks the client again and again whether it is there; ends when it is not.
async fn heartbeat_loop(every: Duration, heartbeat: &Heartbeat) {
    let mut ticks = interval_at(Instant::now() + every, every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if heartbeat.missed.fetch_add(1, Ordering::Relaxed) >= MISSED {
            return;
        }
        heartbeat.due.notify_one();
    }
}

/// Writes a frame together with those that wait behind it: what one commit lets out goes in one packet.
async fn write_ready(writer: &mut Writer, receiver: &mut ClientReceiver, first: Outgoing) -> Result<(), Ended> {
    put(writer, receiver, text(&first.text)).await?;
    for _ in 1..TOGETHER {
        let Some(outgoing) = receiver.ready() else { break };
        put(writer, receiver, text(&outgoing.text)).await?;
    }
    flush(writer, receiver).await
}

/// Writes a frame.
pub(super) async fn write(writer: &mut Writer, receiver: &mut ClientReceiver, message: Message) -> Result<(), Ended> {
    put(writer, receiver, message).await?;
    flush(writer, receiver).await
}

/// Says why, and gives the client a moment to hear it.
async fn say_goodbye(closing: Closing, state: &SocketState, mut writer: Writer, mut reader: Reader) {
    let goodbye = async {
        if writer.send(Message::Close(Some(closing.into_frame()))).await.is_ok() {
            while let Some(Ok(_)) = reader.next().await {}
        }
    };
    let stopping = state.sessions.services().shutdown.stopping();
    let stopped = async {
        stopping.cancelled().await;
        sleep(state.config.close_at_stop_within).await;
    };
    // A client that does not listen is left without a word.
    tokio::select! {
        _ = timeout(state.config.close_within, goodbye) => {}
        () = stopped => {}
    }
}

/// How a connection ends that broke the rules of WebSocket.
fn broken(error: axum::Error) -> Ended {
    let error = error.into_inner().downcast::<tungstenite::Error>().ok()?;
    match *error {
        tungstenite::Error::Capacity(_) => Some(Closing::too_large()),
        tungstenite::Error::Utf8(_) => Some(Closing::new(1007, "a text frame must be UTF-8")),
        tungstenite::Error::Protocol(tungstenite::error::ProtocolError::ResetWithoutClosingHandshake) => None,
        tungstenite::Error::Protocol(error) => Some(Closing::new(1002, error.to_string())),
        _ => None,
    }
}
