//! Every path except those of sessions.

use serde_json::{Value, json};

use super::parts::{
    Operation, document_answer, empty_answer, json_answer, json_body, path_parameter, query_parameter, text_answer,
};
use super::{events, sessions};
use crate::http::tools::{LIMIT, MAX_QUERY_CHARS};

/// All paths.
pub(super) fn all(locked: bool) -> Value {
    json!({
        "/api/sessions": sessions::list_and_create(locked),
        "/api/sessions/import": sessions::import(locked),
        "/api/sessions/search": sessions::search(locked),
        "/api/sessions/{session}": sessions::one(locked),
        "/api/sessions/{session}/branches": sessions::branches(locked),
        "/api/sessions/{session}/context": sessions::context(locked),
        "/api/sessions/{session}/variables/{name}": sessions::variable(locked),
        "/api/sessions/{session}/resources/{handle}": sessions::resource(locked),
        "/api/sessions/{session}/uploads": sessions::uploads(locked),
        "/api/sessions/{session}/export": sessions::export(locked),
        "/api/sessions/{session}/transcript": sessions::transcript(locked),
        "/api/sessions/{session}/events": events::page(locked),
        "/api/sessions/{session}/messages": events::messages(locked),
        "/api/sessions/{session}/approvals/{call}": events::approvals(locked),
        "/api/sessions/{session}/queries/{query}": events::queries(locked),
        "/api/tools": {"get": tools().finish(locked)},
        "/api/tools/usage": {"get": usage().finish(locked)},
        "/api/agents": {"get": agents().finish(locked)},
        "/api/agents/{agent}": {"post": agent().finish(locked)},
        "/api/mcp": {"get": mcp().finish(locked)},
        "/api/mcp/{server}": {"post": change_mcp().finish(locked)},
        "/api/permissions": {"get": permissions().finish(locked)},
        "/api/providers": {"get": providers().finish(locked), "post": choose_provider().finish(locked)},
        "/api/providers/{provider}": {"delete": forget_provider().finish(locked)},
        "/api/login": {"post": login().finish(locked), "delete": logout().finish(locked)},
        "/api/openapi.json": {"get": described("openapi", "This document").finish(locked)},
        "/api/schema": {"get": described("frameSchema", "JSON Schema of every frame of the socket").finish(locked)},
        "/api/asyncapi.json": {"get": described("asyncapi", "AsyncAPI document of the socket").finish(locked)},
        "/api/docs": {"get": docs().finish(locked)},
        "/api/docs/{file}": {"get": docs_file().finish(locked)},
        "/healthz": {"get": health("live", "Whether the server is running").finish(locked)},
        "/readyz": {"get": ready().finish(locked)},
    })
}

fn tools() -> Operation {
    Operation::new("tools", "listTools", "The tools, or those that fit a request")
        .taking([
            query_parameter(
                "query",
                "A request in plain words; the tools that fit come first.",
                &json!({"type": "string", "maxLength": MAX_QUERY_CHARS}),
            ),
            query_parameter(
                "limit",
                "The maximum number; 10 by default in a search.",
                &json!({"type": "integer", "minimum": 1, "maximum": LIMIT.0}),
            ),
        ])
        .answers(200, json_answer("The tools.", "ToolList"))
        .refused(400, "A parameter is wrong.")
}

fn usage() -> Operation {
    Operation::new("tools", "toolUsage", "How often each tool and specialist has been called since it was added")
        .answers(200, json_answer("The counts.", "UsageList"))
        .refused(400, "A parameter is wrong.")
}

fn agents() -> Operation {
    Operation::new("tools", "listAgents", "The agents, and what is wrong with their files")
        .answers(200, json_answer("The agents.", "AgentList"))
        .refused(400, "A parameter is wrong.")
}

fn agent() -> Operation {
    let id = path_parameter("agent", "The agent's id.", &json!({"type": "string", "maxLength": 64}));
    Operation::new("tools", "switchAgent", "Switches a specialist on or off until the server stops")
        .taking([id])
        .with_body(json_body("AgentSwitch", true))
        .needs_every_right()
        .answers(200, json_answer("The agents as they are now.", "AgentList"))
        .refused(404, "There is no such specialist.")
}

fn mcp() -> Operation {
    Operation::new("tools", "listMcpServers", "The MCP servers and their state")
        .answers(200, json_answer("The servers.", "McpServerList"))
        .refused(400, "A parameter is wrong.")
}

fn change_mcp() -> Operation {
    let name = path_parameter("server", "The server's name.", &json!({"type": "string"}));
    Operation::new(
        "tools",
        "changeMcpServer",
        "Switches an MCP server on or off, or approves a tool of it that changed",
    )
    .about("What is switched off stays so over restarts, and its tools are gone for every session at once.")
    .taking([name])
    .with_body(json_body("McpChange", true))
    .needs_every_right()
    .answers(200, json_answer("The servers as they are now.", "McpServerList"))
    .refused(404, "The file names no such server, or turns it off itself.")
    .refused(409, "No tool of the server is held back with this definition.")
}

fn permissions() -> Operation {
    Operation::new("tools", "listPermissions", "The rules that hold in every session")
        .answers(200, json_answer("The rules of the settings.", "PermissionList"))
        .refused(400, "A parameter is wrong.")
}

fn providers() -> Operation {
    let look = query_parameter(
        "look",
        "1 looks for an Ollama and a llama.cpp on this machine first.",
        &json!({"type": "string", "enum": ["0", "1"], "default": "0"}),
    );
    Operation::new("models", "listProviders", "The providers of language models, and the model in use")
        .taking([look])
        .answers(200, json_answer("The providers.", "ProviderList"))
        .refused(400, "A parameter is wrong.")
}

fn choose_provider() -> Operation {
    Operation::new("models", "chooseProvider", "Tries a model with one live call; if it answers, it is saved and used")
        .with_body(json_body("NewProvider", true))
        .needs_every_right()
        .answers(200, json_answer("The model that is in use now.", "ActiveModel"))
        .refused(400, "The body is not JSON.")
        .refused(413, "The body is too large.")
        .refused(415, "The body is not declared as JSON.")
        .refused(422, "The body is not as described, or the provider does not answer; the field says what is wrong.")
        .refused(503, "The provider took too long.")
}

fn forget_provider() -> Operation {
    Operation::new("models", "forgetProvider", "Deletes the key, the address and the choice that were given here")
        .taking([path_parameter("provider", "Its id.", &json!({"type": "string"}))])
        .needs_every_right()
        .answers(204, empty_answer("It was deleted."))
        .refused(404, "There is no such provider, or nothing is stored for it.")
}

fn login() -> Operation {
    let mut answer = empty_answer("The cookie is set; if the server has no token, no cookie is needed.");
    answer["headers"] = json!({"Set-Cookie": {
        "description": "The login, for 30 days.",
        "schema": {"type": "string"},
    }});
    Operation::new("login", "login", "Exchanges the token for a cookie")
        .open()
        .with_body(json_body("Login", true))
        .answers(204, answer)
        .refused(401, "The token is not the server's.")
        .refused(429, "Too many wrong tokens from this address: none is accepted until the time is over.")
}

fn logout() -> Operation {
    Operation::new("login", "logout", "Ends the login and deletes the cookie")
        .open()
        .answers(204, empty_answer("The login has ended, on the server too."))
}

fn described(id: &str, summary: &str) -> Operation {
    Operation::new("description", id, summary).answers(200, document_answer("The document."))
}

fn docs() -> Operation {
    Operation::new("description", "docs", "This description as a page")
        .answers(200, text_answer("The page.", "text/html"))
}

fn docs_file() -> Operation {
    Operation::new("description", "docsFile", "A file of the page")
        .taking([path_parameter("file", "Its name.", &json!({"type": "string", "enum": crate::http::docs::FILES}))])
        .answers(
            200,
            json!({
                "description": "The file.",
                "content": {
                    "text/css": {"schema": {"type": "string"}},
                    "text/javascript": {"schema": {"type": "string"}},
                },
            }),
        )
        .refused(404, "There is no such file.")
}

fn health(id: &str, summary: &str) -> Operation {
    Operation::new("health", id, summary).open().answers(200, text_answer("It does.", "text/plain"))
}

fn ready() -> Operation {
    health("ready", "Whether the server accepts messages and can save them")
        .refused(503, "Not now: it is stopping, or its disk cannot be written.")
}
