//! The paths of a session's log: reading it, and adding to it by saying something.

use serde_json::{Value, json};
use switchboard_protocol::SERVER_FRAME_TYPES;

use super::parts::{
    Operation, empty_answer, json_answer, json_body, path_parameter, query_parameter, schema, session_parameter,
};
use crate::http::events::PAGE;
use crate::http::path::MAX_ID_CHARS;
use crate::http::query::MAX_NUMBER;

const ABOUT_MESSAGES: &str = "Answers when the message has been saved. By default, the frames of its turn follow as \
                              server-sent events, one JSON frame in each `data:`, from `user-message` to the \
                              `agent-response` or `agent-error` that ends it; then the stream ends too. With `Accept: \
                              application/json`, the answer is only that last frame, when it is ready. A slash \
                              command is answered by one `command-response` or `command-error`.\n\nLosing the \
                              connection loses nothing: the turn goes on, and the same message with the same \
                              `messageId` gives the same frames again.\n\nA call that needs approval waits for it: \
                              the stream shows an `approval-request`, and `POST …/approvals/{callId}` answers it, as \
                              can any client of the session. A `user-query` is answered at `POST \
                              …/queries/{queryId}`.";

pub(super) fn page(locked: bool) -> Value {
    let get = Operation::new("sessions", "readEvents", "A page of the session's log")
        .about(
            "With `after`: the first events after it. Without: the last ones before `before`, or the last of all. \
             Both return the oldest first, and fewer than `limit` when they are large.",
        )
        .taking([
            session_parameter(),
            query_parameter("after", "Only events after this one.", &whole(0)),
            query_parameter("before", "Only events before this one.", &whole(1)),
            query_parameter(
                "generation",
                "With `after`: the history that it was read in, as `session-ready` named it.",
                &json!({"type": "string"}),
            ),
            query_parameter(
                "limit",
                "The maximum number.",
                &json!({"type": "integer", "minimum": 1, "maximum": PAGE.0, "default": PAGE.1}),
            ),
        ])
        .answers(200, json_answer("The events.", "EventPage"))
        .refused(400, "A parameter is wrong.")
        .refused(404, "There is no such session.")
        .refused(409, "The log is another one than that of `generation`.");
    json!({"get": get.finish(locked)})
}

pub(super) fn messages(locked: bool) -> Value {
    let event = json!({
        "type": "object",
        "description": "One server-sent event.",
        "properties": {
            "data": {
                "type": "string",
                "description": "A frame.",
                "contentMediaType": "application/json",
                "contentSchema": schema("ServerFrame"),
            },
            "id": {"type": "string", "description": "The frame's `seq`, if it has one.", "pattern": "^[0-9]+$"},
        },
        "required": ["data"],
    });
    let answer = json!({
        "description": "The message has been saved.",
        "content": {
            "text/event-stream": {"schema": event},
            "application/json": {"schema": schema("ServerFrame")},
        },
    });
    let post = Operation::new("messages", "sendMessage", "Sends a message and returns the answer")
        .about(ABOUT_MESSAGES)
        .needs_every_right_for_commands()
        .taking([session_parameter(), types()])
        .with_body(json!({
            "required": true,
            "content": {"application/json": {
                "schema": schema("NewMessage"),
                "examples": {"arithmetic": {"summary": "Arithmetic", "value": {"text": "Calculate 6 * 7"}}},
            }},
        }))
        .answers(200, answer)
        .refused(400, "A parameter is wrong.")
        .refused(404, "There is no such session.")
        .refused(409, "A different message with this messageId was accepted before.")
        .refused(503, "The message was not accepted; Retry-After says when to send it again.");
    json!({"post": post.finish(locked)})
}

/// Which frames a stream has.
fn types() -> Value {
    let names: Vec<&str> = SERVER_FRAME_TYPES.into_iter().chain(["*"]).collect();
    let schema = json!({"type": "array", "minItems": 1, "items": {"type": "string", "enum": names}});
    let about = "Only frames of these types, separated by commas; errors and the frame that ends the turn always come.";
    let mut parameter = query_parameter("types", about, &schema);
    parameter["style"] = json!("form");
    parameter["explode"] = json!(false);
    parameter
}

pub(super) fn approvals(locked: bool) -> Value {
    let call = path_parameter("call", "The `callId` of the `approval-request`.", &id());
    let get = Operation::new("messages", "approvalArguments", "The full arguments that an `approval-request` is about")
        .about("The frame shortens an argument over 64 KiB; here it is complete.")
        .taking([session_parameter(), call.clone()])
        .answers(
            200,
            json!({
                "description": "The arguments, by name.",
                "content": {"application/json": {"schema": {"type": "object", "additionalProperties": true}}},
            }),
        )
        .refused(404, "There is no such session, or nothing is waiting under this id.");
    let post = Operation::new("messages", "answerApproval", "Answers an `approval-request`").needs_every_right();
    json!({"get": get.finish(locked), "post": answer(post, call, "ApprovalReply").finish(locked)})
}

pub(super) fn queries(locked: bool) -> Value {
    let query = path_parameter("query", "The `queryId` of the `user-query`.", &id());
    let post = Operation::new("messages", "answerQuery", "Answers a `user-query`, or dismisses it").needs_every_right();
    let post = answer(post, query, "QueryReply")
        .refused(422, "The answer is not one of the choices; the question is still waiting.");
    json!({"post": post.finish(locked)})
}

fn id() -> Value {
    json!({"type": "string", "minLength": 1, "maxLength": MAX_ID_CHARS})
}

fn answer(post: Operation, id: Value, body: &str) -> Operation {
    post.about("Whatever is waiting for it continues; its frames arrive wherever its message was sent from.")
        .taking([session_parameter(), id])
        .with_body(json_body(body, true))
        .answers(204, empty_answer("The session has accepted the answer."))
        .refused(404, "There is no such session, or nothing is waiting under this id: it was answered, or has expired.")
        .refused(503, "The answer was not accepted; Retry-After says when to send it again.")
}

fn whole(minimum: u64) -> Value {
    json!({"type": "integer", "minimum": minimum, "maximum": MAX_NUMBER})
}
