//! The paths of sessions, except for their log.

use serde_json::{Value, json};

use super::parts::{
    Operation, empty_answer, json_answer, json_body, leading_to_session, path_parameter, query_parameter,
    required_query_parameter, session_parameter,
};
use crate::http::archive::FORMATS;
use crate::http::query::MAX_NUMBER;
use crate::http::search::{LIMIT, MAX_QUERY_CHARS};
use crate::http::sessions::PAGE;

pub(super) fn list_and_create(locked: bool) -> Value {
    let list = Operation::new("sessions", "listSessions", "The sessions, most recently changed first")
        .taking([
            query_parameter(
                "limit",
                "The maximum number.",
                &json!({"type": "integer", "minimum": 1, "maximum": PAGE.0, "default": PAGE.1}),
            ),
            query_parameter(
                "cursor",
                "The `nextCursor` of the page before.",
                &json!({"type": "integer", "minimum": 0, "maximum": MAX_NUMBER}),
            ),
            query_parameter("pinned", "Only those that are pinned.", &json!({"type": "string", "enum": ["true"]})),
        ])
        .answers(200, json_answer("The sessions.", "SessionList"))
        .refused(400, "A parameter is wrong.");
    let create = Operation::new("sessions", "createSession", "A new session")
        .with_body(json_body("NewSession", false))
        .answers(201, created("The session."));
    json!({"get": list.finish(locked), "post": create.finish(locked)})
}

pub(super) fn search(locked: bool) -> Value {
    let get = Operation::new("sessions", "searchSessions", "The sessions in which something was said")
        .about(
            "Every word must stand in one message, or in the title; a word is found by its beginning, without regard to \
             case and accents. Nothing in the query is an operator.",
        )
        .taking([
            required_query_parameter(
                "query",
                "The words.",
                &json!({"type": "string", "maxLength": MAX_QUERY_CHARS}),
            ),
            query_parameter(
                "limit",
                "The maximum number of sessions.",
                &json!({"type": "integer", "minimum": 1, "maximum": LIMIT.0, "default": LIMIT.1}),
            ),
        ])
        .answers(200, json_answer("What was found.", "SearchResults"))
        .refused(400, "A parameter is wrong.");
    json!({"get": get.finish(locked)})
}

pub(super) fn one(locked: bool) -> Value {
    let get = Operation::new("sessions", "getSession", "One session")
        .taking([session_parameter()])
        .answers(200, json_answer("The session.", "SessionSummary"))
        .refused(404, "There is no such session.");
    let change = Operation::new("sessions", "changeSession", "Renames a session, or pins it to the top of the list")
        .taking([session_parameter()])
        .with_body(json_body("SessionChange", true))
        .answers(200, json_answer("The session as it is now.", "SessionSummary"))
        .refused(404, "There is no such session.");
    let delete = Operation::new("sessions", "deleteSession", "Deletes a session and everything that belongs to it")
        .taking([session_parameter()])
        .answers(204, empty_answer("It was deleted."))
        .refused(404, "There is no such session.");
    json!({"get": get.finish(locked), "patch": change.finish(locked), "delete": delete.finish(locked)})
}

pub(super) fn branches(locked: bool) -> Value {
    let get = Operation::new("sessions", "listBranches", "Which messages were edited or sent again in a fork")
        .about("Each with the sessions that show the other versions. A message with one version is not listed.")
        .taking([session_parameter()])
        .answers(200, json_answer("The messages with more than one version.", "BranchList"))
        .refused(404, "There is no such session.");
    json!({"get": get.finish(locked)})
}

pub(super) fn context(locked: bool) -> Value {
    let mut known = json_answer("What it knows.", "ContextState");
    let variable = json!({"session": "$request.path.session", "name": "$response.body#/variables/0/name"});
    known["links"] = json!({"getVariable": {"operationId": "getVariable", "parameters": variable}});
    let get = Operation::new("sessions", "getContext", "What a session knows: variables, operations, windows")
        .taking([session_parameter()])
        .answers(200, known)
        .refused(404, "There is no such session.");
    json!({"get": get.finish(locked)})
}

pub(super) fn variable(locked: bool) -> Value {
    let name = path_parameter(
        "name",
        "The variable's name.",
        &json!({"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]{0,63}$"}),
    );
    let get = Operation::new("sessions", "getVariable", "The whole value of a variable")
        .about("JSON as JSON, text as text, and bytes as a file to be saved.")
        .taking([
            session_parameter(),
            name,
            query_parameter(
                "at",
                "As it was at this event, however it was changed or deleted since.",
                &json!({"type": "integer", "minimum": 1, "maximum": MAX_NUMBER}),
            ),
        ])
        .answers(
            200,
            json!({
                "description": "The value.",
                "content": {
                    "application/json": {"schema": {}},
                    "text/plain": {"schema": {"type": "string"}},
                    "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
                },
            }),
        )
        .refused(400, "A parameter is wrong.")
        .refused(404, "There is no such session, or no such variable in it.");
    json!({"get": get.finish(locked)})
}

pub(super) fn resource(locked: bool) -> Value {
    let handle = path_parameter(
        "handle",
        "`file:<path>`, `var:<name>@<version>` or `call:<id>/<n>`, percent-encoded.",
        &json!({"type": "string", "pattern": "^(file|var|call):"}),
    );
    let download =
        query_parameter("download", "1: as a file to be saved.", &json!({"type": "string", "enum": ["0", "1"]}));
    let binary = json!({"schema": {"type": "string", "format": "binary"}});
    let content = json!({
        "application/json": {"schema": {}},
        "text/plain": {"schema": {"type": "string"}},
        "application/octet-stream": binary.clone(),
        "application/pdf": binary.clone(),
        "image/*": binary,
    });
    let get = Operation::new("sessions", "getResource", "What a window shows")
        .about(
            "A file of the workspace, a folder as `{entries, more}`, a version of a variable, or a picture that a call \
             showed. The header `Range` gives a part.",
        )
        .taking([session_parameter(), handle, download])
        .answers(200, json!({"description": "The whole of it.", "content": content.clone()}))
        .answers(206, json!({"description": "The part that was asked for.", "content": content}))
        .refused(403, "The file is closed to tools.")
        .refused(404, "There is no such session, or no such resource in it.")
        .refused(413, "It is too large to be sent at once.")
        .refused(416, "The range begins behind its end.");
    json!({"get": get.finish(locked)})
}

pub(super) fn uploads(locked: bool) -> Value {
    let name = query_parameter(
        "name",
        "What the file is called; only its last part counts, and only letters, digits, `.`, `_` and `-` of that.",
        &json!({"type": "string"}),
    );
    let body = json!({"required": true, "content": {"*/*": {"schema": {"type": "string", "format": "binary"}}}});
    let post = Operation::new("sessions", "uploadFile", "A file of the user's, for the workspace and the session")
        .about("It is saved under `uploads/`, never in place of another file, and kept as a variable. At most 16 MiB.")
        .taking([session_parameter(), name])
        .with_body(body)
        .answers(201, json_answer("Where it is now.", "Upload"))
        .refused(404, "There is no such session.")
        .refused(409, "The folder is full.");
    let text = json!({"type": "string"});
    let delete = Operation::new("sessions", "takeBackFile", "Takes an upload back, as long as nothing was made of it")
        .about("The file is removed if its content is still that of the variable, the variable if no message has it.")
        .taking([
            session_parameter(),
            required_query_parameter("path", "Where the file is, as the upload was answered.", &text),
            required_query_parameter("variable", "The variable that holds it.", &text),
        ])
        .answers(204, empty_answer("It is gone."))
        .refused(404, "There is no such session, file or variable.")
        .refused(409, "The file or the variable has changed, or a message has it.");
    json!({"post": post.finish(locked), "delete": delete.finish(locked)})
}

pub(super) fn export(locked: bool) -> Value {
    let get = Operation::new("sessions", "exportSession", "The whole session, for safekeeping or for import elsewhere")
        .about(
            "One JSON object per line: a head, each large value once, and each event as it is stored. With `format=html` a page \
             to be read by anybody, without scripts: what was said, and which tools ran.",
        )
        .taking([
            session_parameter(),
            query_parameter("format", "What the file is.", &json!({"type": "string", "enum": FORMATS, "default": FORMATS[0]})),
        ])
        .answers(
            200,
            json!({
                "description": "The session.",
                "content": {
                    "application/x-ndjson": {"schema": {"type": "string"}},
                    "text/html": {"schema": {"type": "string"}},
                },
            }),
        )
        .refused(400, "A parameter is wrong.")
        .refused(404, "There is no such session.");
    json!({"get": get.finish(locked)})
}

pub(super) fn transcript(locked: bool) -> Value {
    let messages = json!({"type": "object", "required": ["messages"], "properties": {"messages": {
        "type": "array",
        "items": {"type": "object", "required": ["role", "content"], "properties": {
            "role": {"type": "string", "enum": ["system", "user", "assistant", "tool"]},
            "content": {"type": ["string", "null"]},
            "tool_calls": {"type": "array", "items": {"type": "object"}},
            "tool_call_id": {"type": "string"},
        }},
    }}});
    let get = Operation::new("sessions", "getTranscript", "What was said, in OpenAI's format")
        .about(
            "The conversation since the last `/new`; calls are included only with their results, and large results \
             are shortened.",
        )
        .taking([session_parameter()])
        .answers(200, json!({"description": "The messages.", "content": {"application/json": {"schema": messages}}}))
        .refused(404, "There is no such session.");
    json!({"get": get.finish(locked)})
}

pub(super) fn import(locked: bool) -> Value {
    let file = json!({"schema": {"type": "string", "description": "An exported session."}});
    let body = json!({"required": true, "content": {"application/x-ndjson": file}});
    let post = Operation::new("sessions", "importSession", "Imports an exported session under a new id")
        .about("`application/jsonl` is accepted as well. Errors in the file are reported with their line.")
        .with_body(body)
        .needs_every_right()
        .answers(201, created("The session."));
    json!({"post": post.finish(locked)})
}

fn created(about: &str) -> Value {
    let mut answer = leading_to_session(json_answer(about, "SessionSummary"));
    answer["headers"] = json!({"Location": {
        "description": "Its address.",
        "schema": {"type": "string", "format": "uri-reference"},
    }});
    answer
}
