//! `POST /api/sessions/{session}/messages`: a message and the frames of its turn, for whoever has no WebSocket.
//!
//! The request is a client of the session like any other: losing it loses nothing, the turn goes on, and the same
//! `messageId` sent again gives the same frames again.

use std::collections::HashSet;
use std::convert::Infallible;
use std::time::Duration;

use axum::extract::{Extension, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, Stream};
use schemars::JsonSchema;
use serde::Deserialize;
use switchboard_protocol::{ClientFrame, MessageId, Mode, ServerFrame, ServerMessage};
use uuid::Uuid;

use super::ApiState;
use super::body::{JsonBody, NOT_BLANK};
use super::error::Problem;
use super::exchange::{Exchange, Received};
use super::path::SessionPath;
use super::query::Query;
use switchboard_accounts::{Principal, Rights};
use switchboard_session::{AttachFrom, Subscription};

/// How often a stream that has nothing to say shows that it is still there.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// A message.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct NewMessage {
    /// The text; at most 1 MiB. `/` and the exact name of a command is a command, `//x` is the text `/x`.
    #[schemars(length(min = 1, max = 1_048_576), regex(pattern = NOT_BLANK))]
    text: String,
    /// Chosen by the client: sent again with the same id and text, a message is not accepted twice.
    #[serde(default)]
    #[schemars(length(min = 1, max = 128))]
    message_id: Option<MessageId>,
    /// What happens when a turn is running; `queue` by default.
    #[serde(default)]
    mode: Option<Mode>,
    /// The client's own time, stored as it is.
    #[serde(default)]
    #[schemars(length(min = 1, max = 64))]
    timestamp: Option<String>,
    /// Names of variables that belong to the message, such as those of uploaded files.
    #[serde(default)]
    #[schemars(length(max = 16))]
    attachments: Option<Vec<String>>,
}

/// Takes the message; answers when it is durable, and then with the frames of its turn as they come.
pub(super) async fn send(
    State(state): State<ApiState>,
    Extension(owner): Extension<Principal>,
    Extension(rights): Extension<Rights>,
    SessionPath(session): SessionPath,
    request: Request,
) -> Result<Response, Problem> {
    let query = Query::of(request.uri(), &["types"])?;
    let subscription = Subscription::parse(query.text("types").unwrap_or("*"))
        .map_err(|error| Problem::bad_request("types", error.to_string()).suggest(error.suggestion()))?;
    let wants_stream = wants_stream(request.headers());
    let JsonBody(message) = JsonBody::<NewMessage>::from(request).await?;
    let id = message.message_id.unwrap_or_else(|| Uuid::new_v4().to_string());

    let mut exchange = Exchange::begin(&state.sessions, (&owner, rights), session, AttachFrom::Tail(0)).await?;
    let turn = Turn::new(id.clone(), message.mode, &exchange.ready);
    let said = ClientFrame::SendMessage {
        text: message.text,
        timestamp: message.timestamp,
        message_id: Some(id),
        mode: message.mode,
        attachments: message.attachments,
    };
    exchange.send(said).await?;
    let mut first = turn.first(&mut exchange).await?;
    if let ServerMessage::UserMessage { repeated: Some(true), .. } = first.frame.message {
        // Taken before: its frames are in the log from there on.
        let before = first.frame.seq.unwrap_or(1).saturating_sub(1);
        exchange = Exchange::begin(&state.sessions, (&owner, rights), session, AttachFrom::After(before)).await?;
        first = turn.first(&mut exchange).await?;
    }
    let frames = Frames { exchange, turn, subscription, first: Some(first), ended: false };
    if wants_stream { Ok(as_stream(frames)) } else { as_end(frames).await }
}

/// Which frames answer a message.
struct Turn {
    id: MessageId,
    /// Turns whose frames belong to the answer: the message's own, and the one that it was sent to join.
    turns: HashSet<MessageId>,
}

/// The frames that answer a message, up to the one that ends it.
struct Frames {
    exchange: Exchange,
    turn: Turn,
    /// Which of them are sent; the last one always is.
    subscription: Subscription,
    first: Option<Received>,
    ended: bool,
}

impl Turn {
    fn new(id: MessageId, mode: Option<Mode>, ready: &ServerFrame) -> Self {
        let mut turns = HashSet::from([id.clone()]);
        if let (Some(Mode::Steer), ServerMessage::SessionReady { busy: Some(busy), .. }) = (mode, &ready.message) {
            turns.insert(busy.message_id.clone());
        }
        Self { id, turns }
    }

    /// The first frame about the message: its acknowledgement, or a command's answer.
    async fn first(&self, exchange: &mut Exchange) -> Result<Received, Problem> {
        loop {
            let received = exchange.next().await?;
            let is_own = received.frame.turn_id.as_ref() == Some(&self.id);
            match &received.frame.message {
                ServerMessage::UserMessage { message_id, .. } if *message_id == self.id => return Ok(received),
                ServerMessage::CommandResponse { .. } | ServerMessage::CommandError { .. } if is_own => {
                    return Ok(received);
                }
                ServerMessage::AgentError { message_ids: None, .. } if received.frame.seq.is_none() => {
                    return Err(Problem::refused(received.frame));
                }
                _ => {}
            }
        }
    }

    fn has(&self, frame: &ServerFrame) -> bool {
        frame.turn_id.as_ref().is_some_and(|turn| self.turns.contains(turn)) || self.ends_with(frame)
    }

    fn ends_with(&self, frame: &ServerFrame) -> bool {
        match &frame.message {
            ServerMessage::AgentResponse { message_ids, .. }
            | ServerMessage::AgentError { message_ids: Some(message_ids), .. } => message_ids.contains(&self.id),
            ServerMessage::CommandResponse { .. } | ServerMessage::CommandError { .. } => {
                frame.turn_id.as_ref() == Some(&self.id)
            }
            _ => false,
        }
    }
}

impl Frames {
    /// The next frame; none after the end.
    async fn next(&mut self) -> Option<Result<Received, Problem>> {
        if self.ended {
            return None;
        }
        loop {
            let received = match self.first.take() {
                Some(first) => Ok(first),
                None => self.following().await,
            };
            self.ended = received.as_ref().map_or(true, |received| self.turn.ends_with(&received.frame));
            let wanted = |received: &Received| self.subscription.has(&received.text);
            if self.ended || received.as_ref().is_ok_and(wanted) {
                return Some(received);
            }
        }
    }

    async fn following(&mut self) -> Result<Received, Problem> {
        loop {
            let received = self.exchange.next().await?;
            if self.turn.has(&received.frame) {
                return Ok(received);
            }
        }
    }
}

/// Each frame as an event, with its `seq` as the event's id.
fn as_stream(frames: Frames) -> Response {
    let events = Sse::new(events(frames)).keep_alive(KeepAlive::new().interval(HEARTBEAT).text("still there"));
    let mut response = events.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    response
}

fn events(frames: Frames) -> impl Stream<Item = Result<Event, Infallible>> {
    stream::unfold(frames, |mut frames| async move {
        let event = match frames.next().await? {
            Ok(Received { frame, text }) => {
                let event = Event::default().data(text.as_ref());
                match frame.seq {
                    Some(seq) => event.id(seq.to_string()),
                    None => event,
                }
            }
            Err(problem) => Event::default().comment(format!(
                "cut off: {}; to read on, send the message again with the same messageId",
                problem.detail()
            )),
        };
        Some((Ok(event), frames))
    })
}

/// Only the frame that ends the turn.
async fn as_end(mut frames: Frames) -> Result<Response, Problem> {
    let mut last = None;
    while let Some(received) = frames.next().await {
        last = Some(received?.text);
    }
    let end = last.ok_or_else(|| Problem::internal(&"a turn without an end"))?;
    Ok(([(header::CONTENT_TYPE, "application/json")], end.as_ref().to_owned()).into_response())
}

/// Server-sent events, unless the client asks for JSON and not for them.
fn wants_stream(headers: &HeaderMap) -> bool {
    let accepted = || headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let names = |kind: &str| accepted().any(|value| value.to_ascii_lowercase().contains(kind));
    names("text/event-stream") || !names("application/json")
}
