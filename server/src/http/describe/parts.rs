//! What descriptions of paths are put together from.

use serde_json::{Map, Value, json};

/// A reference to a schema.
pub(super) fn schema(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

/// A body of JSON.
pub(super) fn json_body(name: &str, required: bool) -> Value {
    json!({"required": required, "content": {"application/json": {"schema": schema(name)}}})
}

/// An answer of JSON.
pub(super) fn json_answer(about: &str, name: &str) -> Value {
    json!({"description": about, "content": {"application/json": {"schema": schema(name)}}})
}

/// An answer that is a session: where one can go on with it.
pub(super) fn leading_to_session(mut answer: Value) -> Value {
    let operations = [
        "getSession",
        "changeSession",
        "deleteSession",
        "getContext",
        "exportSession",
        "getTranscript",
        "readEvents",
        "sendMessage",
    ];
    let link = |id: &str| json!({"operationId": id, "parameters": {"session": "$response.body#/sessionId"}});
    answer["links"] = operations.into_iter().map(|id| (id.to_owned(), link(id))).collect::<Map<_, _>>().into();
    answer
}

/// An answer that is any JSON object.
pub(super) fn document_answer(about: &str) -> Value {
    json!({"description": about, "content": {"application/json": {"schema": {"type": "object"}}}})
}

/// An answer of text.
pub(super) fn text_answer(about: &str, media_type: &str) -> Value {
    json!({"description": about, "content": {media_type: {"schema": {"type": "string"}}}})
}

/// An answer without a body.
pub(super) fn empty_answer(about: &str) -> Value {
    json!({"description": about})
}

/// A parameter in the path.
pub(super) fn path_parameter(name: &str, about: &str, schema: &Value) -> Value {
    json!({"name": name, "in": "path", "required": true, "description": about, "schema": schema})
}

/// A parameter that may be left out.
pub(super) fn query_parameter(name: &str, about: &str, schema: &Value) -> Value {
    json!({"name": name, "in": "query", "required": false, "description": about, "schema": schema})
}

/// A parameter that must be there.
pub(super) fn required_query_parameter(name: &str, about: &str, schema: &Value) -> Value {
    json!({"name": name, "in": "query", "required": true, "description": about, "schema": schema})
}

/// The session in the path.
pub(super) fn session_parameter() -> Value {
    path_parameter("session", "The session's id.", &json!({"type": "string", "format": "uuid"}))
}

/// One operation of a path, in the making.
pub(super) struct Operation(Map<String, Value>);

impl Operation {
    /// An operation; every one can be refused by the guard, the login or the server's state.
    pub(super) fn new(tag: &str, id: &str, summary: &str) -> Self {
        let operation = json!({
            "tags": [tag],
            "operationId": id,
            "summary": summary,
            "responses": {
                "403": problem("The request comes from another site, or was sent to a host name that is not the \
                                server's."),
                "default": problem("Anything else: the status says what kind of problem it is."),
            },
        });
        let Value::Object(operation) = operation else { return Self(Map::new()) };
        Self(operation)
    }

    /// What else there is to say.
    pub(super) fn about(mut self, text: &str) -> Self {
        self.0.insert("description".into(), text.into());
        self
    }

    /// Its parameters.
    pub(super) fn taking(mut self, parameters: impl IntoIterator<Item = Value>) -> Self {
        self.0.insert("parameters".into(), parameters.into_iter().collect());
        self
    }

    /// Its body.
    pub(super) fn with_body(mut self, body: Value) -> Self {
        self.0.insert("requestBody".into(), body);
        self.refused(400, "The body is not JSON.")
            .refused(408, "The body arrived too slowly.")
            .refused(413, "The body is too large.")
            .refused(415, "The body is of the wrong type.")
            .refused(422, "The body does not match the schema.")
    }

    /// An answer.
    pub(super) fn answers(mut self, status: u16, answer: Value) -> Self {
        self.0["responses"][status.to_string()] = answer;
        self
    }

    /// A refusal.
    pub(super) fn refused(self, status: u16, about: &str) -> Self {
        let problem = problem(about);
        self.answers(status, problem)
    }

    /// A token that only chats does not open it.
    pub(super) fn needs_every_right(self) -> Self {
        self.refused(403, "The token is one that only chats.")
    }

    /// A token that only chats does not open what some slash commands change.
    pub(super) fn needs_every_right_for_commands(self) -> Self {
        self.refused(403, "The message is a command that a token that only chats may not give.")
    }

    /// It needs no token; also when the server has one.
    pub(super) fn open(mut self) -> Self {
        self.0.insert("security".into(), json!([]));
        self
    }

    /// As JSON; `locked`: the server asks for a token.
    pub(super) fn finish(self, locked: bool) -> Value {
        let mut operation = match locked && !self.0.contains_key("security") {
            true => self
                .refused(401, "The request has no token, or a wrong one.")
                .refused(429, "Too many wrong tokens from this address: none is accepted until the time is over."),
            false => self,
        };
        if !locked {
            operation.0.remove("security");
        }
        Value::Object(operation.0)
    }
}

fn problem(about: &str) -> Value {
    json!({"description": about, "content": {"application/problem+json": {"schema": schema("Problem")}}})
}
