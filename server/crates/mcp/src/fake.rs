//! A small MCP server for tests of this room: this very test binary, started anew as a process. What it does wrong is
//! said by the variable `FAKE_MCP`; each call it gets is a line of the file `FAKE_MCP_CALLS`.

use std::fs::OpenOptions;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, exit};

use serde_json::{Value, json};

/// The test that is the server.
const TEST: &str = "fake::it_serves_when_it_is_started_as_a_server";

/// The entry of a server that does wrong what `mode` says, and keeps its calls in `folder`.
pub(super) fn entry(mode: &str, folder: &Path) -> Value {
    json!({
        "command": std::env::current_exe().expect("the test knows where it is"),
        "args": [TEST, "--exact", "--nocapture", "--quiet"],
        "env": {"FAKE_MCP": mode, "FAKE_MCP_CALLS": calls_file(folder)},
    })
}

/// What it was told, one per line: calls by their tools, `list`, `cancelled`.
pub(super) fn told(folder: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(calls_file(folder)).unwrap_or_default();
    text.lines().map(ToOwned::to_owned).collect()
}

fn calls_file(folder: &Path) -> PathBuf {
    folder.join("calls")
}

fn variable(name: &str) -> Option<String> {
    #[expect(clippy::disallowed_methods, reason = "the server in this binary has no settings")]
    std::env::var(name).ok()
}

#[test]
fn it_serves_when_it_is_started_as_a_server() {
    let Some(mode) = variable("FAKE_MCP") else { return };
    let calls = variable("FAKE_MCP_CALLS").unwrap_or_default();
    Fake { mode, calls: calls.into(), generation: 0, asked: Vec::new(), wants_to_know: None, children: Vec::new() }
        .serve();
    exit(0);
}

struct Fake {
    mode: String,
    calls: PathBuf,
    generation: u32,
    asked: Vec<Value>,
    wants_to_know: Option<Value>,
    children: Vec<Child>,
}

impl Fake {
    fn is(&self, mode: &str) -> bool {
        self.mode == mode
    }

    fn serve(&mut self) {
        if self.is("exit") {
            eprintln!("starting\nno database");
            exit(3);
        }
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            let message: Value = serde_json::from_str(&line).expect("the client speaks JSON");
            let id = message.get("id").cloned();
            match (message["method"].as_str(), id) {
                (Some(method), Some(id)) => self.request(method, &message["params"], &id),
                (Some("notifications/cancelled"), None) => self.note("cancelled"),
                (Some(_), None) => {}
                (None, _) => {
                    self.asked.push(message);
                    self.tell_what_was_asked();
                }
            }
        }
        if self.is("stubborn") {
            self.note("end of input");
            loop {
                std::thread::park();
            }
        }
    }

    fn request(&mut self, method: &str, params: &Value, id: &Value) {
        match method {
            "initialize" if self.is("silent") => {}
            "initialize" if self.is("refuse") => error(id, -32000, "not today"),
            "initialize" if self.is("wrong_id") => answer(&json!(4711), self.greeting()),
            "initialize" => answer(id, self.greeting()),
            "tools/list" if self.is("no_list") => error(id, -32603, "no list"),
            "tools/list" => {
                self.note("list");
                answer(id, self.tools(params));
            }
            "tools/call" => self.call(params, id),
            "ping" => answer(id, json!({})),
            _ => error(id, -32601, "no such method"),
        }
    }

    fn greeting(&self) -> Value {
        let version = if self.is("old_version") { "1999-01-01" } else { "2025-06-18" };
        json!({
            "protocolVersion": version,
            "capabilities": {"tools": {"listChanged": true}},
            "serverInfo": {"name": "fake", "version": "1.0"},
        })
    }

    fn tools(&self, params: &Value) -> Value {
        let cursor = params["cursor"].as_str().and_then(|cursor| cursor.parse().ok()).unwrap_or(0);
        match self.mode.as_str() {
            "many" => {
                let tools: Vec<_> = (0..100).map(|n| tool(&format!("tool-{}", cursor * 100 + n))).collect();
                json!({"tools": tools, "nextCursor": (cursor + 1).to_string()})
            }
            "endless" => json!({"tools": [], "nextCursor": "0"}),
            "odd" => json!({"tools": odd_tools()}),
            _ => {
                let mut tools: Vec<_> = TOOLS.iter().map(|name| tool(name)).collect();
                tools[0]["description"] = json!(format!("Gives the text back, version {}.", self.generation));
                tools[1]["annotations"] = json!({"readOnlyHint": true});
                json!({"tools": tools})
            }
        }
    }

    fn call(&mut self, params: &Value, id: &Value) {
        let name = params["name"].as_str().unwrap_or_default();
        self.note(name);
        let token = &params["_meta"]["progressToken"];
        match name {
            "echo" => answer(id, text(params["arguments"]["text"].as_str().unwrap_or_default())),
            "die" | "die_reading" => exit(3),
            "hang" => {}
            "wrong" => answer(id, json!({"content": [{"type": "text", "text": "no such thing"}], "isError": true})),
            "refuse" => error(id, -32602, "bad arguments"),
            "progress" => {
                for n in 1..=3 {
                    let params = json!({"progressToken": token, "progress": n, "total": 3, "message": "step"});
                    notify("notifications/progress", params);
                }
                answer(id, text("done"));
            }
            "environment" => {
                let mut names: Vec<_> =
                    std::env::vars_os().map(|(name, _)| name.into_string().unwrap_or_default()).collect();
                names.sort();
                answer(id, text(&names.join(" ")));
            }
            "leave_behind" => {
                let child = Command::new("setsid").args(["sleep", "1000"]).spawn().expect("a process is started");
                answer(id, text(&child.id().to_string()));
                self.children.push(child);
            }
            "flood" => {
                let line = format!("{}\n", "x".repeat(1023));
                (0..5 * 1024).for_each(|_| eprint!("{line}"));
                answer(id, text("flooded"));
            }
            "noise" => {
                raw(b"debug: thinking\r\n[partly JSON\r\n{\"half\": ");
                raw(b"\n\r\n");
                raw(format!("{}\r\n", message(id, &text("through the noise"))).as_bytes());
            }
            "long_line" => {
                raw(b"{\"long\": \"");
                let piece = "x".repeat(1024 * 1024);
                (0..30).for_each(|_| raw(piece.as_bytes()));
            }
            "twice" => (0..2).for_each(|_| answer(id, text("twice"))),
            "storm" => {
                (0..1000).for_each(|_| notify("notifications/tools/list_changed", json!({})));
                answer(id, text("stormed"));
            }
            "change" => {
                self.generation += 1;
                notify("notifications/tools/list_changed", json!({}));
                answer(id, text("changed"));
            }
            "ask" => {
                let form =
                    json!({"message": "Your password?", "requestedSchema": {"type": "object", "properties": {}}});
                request("elicitation/create", form);
                request("roots/list", json!({}));
                request("sampling/createMessage", json!({"messages": [], "maxTokens": 1}));
                answer(id, text("asked"));
            }
            "asked" => {
                self.wants_to_know = Some(id.clone());
                self.tell_what_was_asked();
            }
            _ => error(id, -32602, "no such tool"),
        }
    }

    /// Once all three answers are there.
    fn tell_what_was_asked(&mut self) {
        if self.asked.len() == 3
            && let Some(id) = self.wants_to_know.take()
        {
            self.asked.sort_by_key(|answer| answer["id"].to_string());
            answer(&id, text(&json!(self.asked).to_string()));
        }
    }

    fn note(&self, what: &str) {
        let file = OpenOptions::new().create(true).append(true).open(&self.calls);
        let mut file = file.expect("calls can be kept");
        file.write_all(format!("{what}\n").as_bytes()).expect("calls can be kept");
    }
}

const TOOLS: [&str; 18] = [
    "echo",
    "die_reading",
    "die",
    "hang",
    "wrong",
    "refuse",
    "progress",
    "environment",
    "leave_behind",
    "flood",
    "noise",
    "long_line",
    "twice",
    "storm",
    "change",
    "ask",
    "asked",
    "missing",
];

fn tool(name: &str) -> Value {
    json!({"name": name, "description": "A tool of a test.", "inputSchema": {"type": "object", "properties": {}}})
}

/// One tool that is right among many that are not.
fn odd_tools() -> Value {
    let mut tools = vec![tool("right"), tool("a/b"), tool(""), tool(&"x".repeat(200)), tool("ri-ght"), tool("ri_ght")];
    tools.push(json!({"name": "no_schema"}));
    tools.push(json!("no object"));
    tools.push(json!({"name": "text", "inputSchema": {"type": "string"}}));
    tools.push(json!({"name": "pattern", "inputSchema": {"type": "object", "properties": {"a": {"pattern": "("}}}}));
    tools.push(json!({"name": "remote", "inputSchema": {"type": "object", "$ref": "http://127.0.0.1:1/schema"}}));
    tools.push(json!({"name": "dialect", "inputSchema": {"$schema": "urn:none", "properties": {}}}));
    let mut hidden = tool("hidden");
    hidden["description"] = json!("Adds.\u{e0041}\u{200b}");
    tools.push(hidden);
    json!(tools)
}

fn text(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

fn message(id: &Value, result: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

#[expect(clippy::needless_pass_by_value, reason = "results are made where they are sent")]
fn answer(id: &Value, result: Value) {
    raw(format!("{}\n", message(id, &result)).as_bytes());
}

fn error(id: &Value, code: i32, text: &str) {
    let message = json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": text}});
    raw(format!("{message}\n").as_bytes());
}

#[expect(clippy::needless_pass_by_value, reason = "parameters are made where they are sent")]
fn notify(method: &str, params: Value) {
    raw(format!("{}\n", json!({"jsonrpc": "2.0", "method": method, "params": params})).as_bytes());
}

#[expect(clippy::needless_pass_by_value, reason = "parameters are made where they are sent")]
fn request(method: &str, params: Value) {
    raw(format!("{}\n", json!({"jsonrpc": "2.0", "id": method, "method": method, "params": params})).as_bytes());
}

fn raw(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    // Nobody may be there to read it any more.
    let _ = out.write_all(bytes).and_then(|()| out.flush());
}
