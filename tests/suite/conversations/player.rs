//! Plays the conversations of a stage against the started program, one after the other, and notes what comes.

use std::collections::VecDeque;
use std::fs::File;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use switchboard_tests::{Answer, McpFolder, ScriptedLlm, ServerOptions, TestClient, TestServer, request};

use super::normal::{Places, normal};
use super::order::ordered;
use super::record;
use super::script::{Conversation, Stage, Step};

/// The files of docs/rules.md.
const FILES: &[(&str, &str)] = &[
    ("notes.txt", "first line\nsecond line with port\nthird\n"),
    ("a.txt", "content of a\n"),
    ("config.json", "{\"port\": 3000, \"db\": {\"host\": \"localhost\", \"port\": 5432}, \"tags\": [\"a\", \"b\"]}\n"),
    ("config2.json", "{\"port\": 4000}\n"),
    ("sales.csv", "region,quarter,amount\nNorth,Q1,120\nSouth,Q1,80\nNorth,Q2,150\nEast,Q2,60\n"),
];

/// Plays all of them and fails with what differs from the records.
pub(super) async fn play(stages: Vec<(Stage, Vec<Conversation>)>) {
    let mut differences = Vec::new();
    for (stage, conversations) in stages {
        let theatre = Theatre::open(&stage).await;
        for conversation in conversations {
            // Shown when it hangs.
            println!("playing {}", conversation.name);
            let lines = theatre.play(&conversation).await;
            differences.extend(record::differs(&conversation.name, &lines));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// A running server with what stands around it.
struct Theatre {
    server: TestServer,
    mcp: McpFolder,
    llm: ScriptedLlm,
    answers: Arc<Mutex<VecDeque<Answer>>>,
    /// Its model may make several calls at once.
    beside: bool,
}

impl Theatre {
    async fn open(stage: &Stage) -> Self {
        let answers = Arc::<Mutex<VecDeque<Answer>>>::default();
        let script = Arc::clone(&answers);
        let llm = ScriptedLlm::start(move |_| {
            let next = script.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            next.unwrap_or_else(|| Answer::status(400, "the script has no further answer"))
        })
        .await;
        let mcp = McpFolder::default();
        let mut options = match stage.mcp {
            Some(mode) => mcp.options(json!({"test": mcp.scripted(mode)}), stage.arguments),
            None => ServerOptions::with(stage.arguments),
        };
        if let Some(reasoner) = stage.reasoner {
            options = options.model(&llm.base_url(), reasoner);
        }
        options.environment.extend([("TZ", "UTC"), ("LC_ALL", "C.UTF-8")].map(|(k, v)| (k.to_owned(), v.to_owned())));
        let mut server = TestServer::prepare(options);
        std::fs::write(server.settings(), stage.settings).expect("the settings are written");
        server.start_again().await;
        match stage.mcp {
            Some("office") => server.until_tool("test__email_send").await,
            Some(_) => server.until_tool("test__beg").await,
            None => {}
        }
        Self { server, mcp, llm, answers, beside: stage.reasoner == Some("native") }
    }

    async fn play(&self, conversation: &Conversation) -> Vec<String> {
        let workspace = self.server.workspace();
        empty(&workspace);
        let own = conversation.files.iter().map(|(path, content)| (*path, content.as_str()));
        for (path, content) in FILES.iter().copied().chain(own) {
            self.file(path, content);
        }
        let answers = conversation.answers.iter().cloned().collect();
        *self.answers.lock().unwrap_or_else(PoisonError::into_inner) = answers;
        let asked = self.llm.all().len();

        let mut player = Player::enter(self).await;
        for step in &conversation.steps {
            player.take(step).await;
        }
        player.settle().await;

        let mut lines = player.lines;
        if conversation.shows_questions {
            lines.extend(self.llm.all()[asked..].iter().map(|asked| {
                json!({"model": {"schema": asked.schema(), "tools": asked.tools(), "messages": asked.messages()}})
            }));
        }
        let places = Places::of(&self.server, self.mcp.path(), &self.llm);
        normal(ordered(lines, self.beside), &places).iter().map(Value::to_string).collect()
    }

    /// Writes a file that was changed last at a fixed time.
    fn file(&self, path: &str, content: &str) {
        self.server.file(path, content);
        let then = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
        let file = File::options().append(true).open(self.server.workspace().join(path)).expect("the file is there");
        file.set_modified(then).expect("its time is set");
    }
}

/// Removes what is in a folder.
fn empty(folder: &Path) {
    for entry in std::fs::read_dir(folder).expect("the workspace").flatten() {
        let path = entry.path();
        let removed = if path.is_dir() { std::fs::remove_dir_all(&path) } else { std::fs::remove_file(&path) };
        removed.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

/// An answer over HTTP as JSON, if it is that: one value, one per line, or the events of a stream.
fn parsed(text: &str) -> Value {
    let events: Vec<Value> = text.lines().filter_map(|line| line.strip_prefix("data: ")).map(parsed).collect();
    if !events.is_empty() {
        return events.into();
    }
    let lines: Result<Vec<Value>, _> = text.lines().map(serde_json::from_str).collect();
    match lines {
        Ok(mut lines) if lines.len() == 1 => lines.remove(0),
        Ok(lines) => lines.into(),
        Err(_) => text.into(),
    }
}

/// The client of one conversation.
struct Player<'a> {
    theatre: &'a Theatre,
    client: TestClient,
    lines: Vec<Value>,
    /// How many of the client's frames are among the lines.
    noted: usize,
    messages: usize,
    begun: Vec<String>,
    /// The whole of the last answer over HTTP.
    exported: String,
}

impl<'a> Player<'a> {
    async fn enter(theatre: &'a Theatre) -> Self {
        let client = theatre.server.connect().await;
        let lines = vec![client.ready.clone()];
        let (begun, exported) = (Vec::new(), String::new());
        // The first frame is `ready` itself.
        Self { theatre, client, lines, noted: 1, messages: 0, begun, exported }
    }

    async fn take(&mut self, step: &Step) {
        match step {
            Step::Say(text) => {
                let id = self.send_message(text).await;
                self.until_ended(&id).await;
            }
            Step::Begin(text) => {
                let id = self.send_message(text).await;
                self.begun.push(id);
            }
            Step::Send(frame) => {
                let text = self.fill(&frame.to_string());
                let frame: Value = serde_json::from_str(&text).expect("a frame");
                self.begun.extend(frame["messageId"].as_str().filter(|_| frame["text"].is_string()).map(str::to_owned));
                self.send(frame).await;
            }
            Step::Raw(text) => {
                self.settle().await;
                self.lines.push(json!({"sent": text}));
                self.client.send_raw(text).await;
            }
            Step::Until(kind) => {
                self.client.until_type(kind).await;
            }
            Step::EndOf(call) => {
                let ends = |frame: &Value| frame["type"] == "tool-call-end" && frame["callId"] == call.as_str();
                self.client.until("the call's end", ends).await;
            }
            Step::Written(text) => self.until_written(text).await,
            Step::Ended => {
                for id in std::mem::take(&mut self.begun) {
                    self.until_ended(&id).await;
                }
            }
            Step::File(path, content) => {
                self.settle().await;
                self.lines.push(json!({"file": path, "content": content}));
                self.theatre.file(path, content);
            }
            Step::Release => self.theatre.llm.release(),
            Step::Http(method, path, body) => self.http(method, path, body).await,
            Step::Attach(query) => self.attach(query).await,
            Step::Refused(query) => {
                let query = self.fill(query);
                let refused = TestClient::dial(self.theatre.server.address(), &query, &[]).await;
                let closed = refused.expect("the upgrade works").closed().await;
                self.lines.push(json!({"connects": query, "closed": closed.code, "reason": closed.reason}));
            }
        }
    }

    async fn send_message(&mut self, text: &str) -> String {
        self.messages += 1;
        let id = format!("message-{}", self.messages);
        let text = self.fill(text);
        self.send(json!({"type": "send-message", "text": text, "messageId": id})).await;
        id
    }

    async fn send(&mut self, frame: Value) {
        self.settle().await;
        self.lines.push(json!({"sent": frame}));
        self.client.send(frame).await;
    }

    /// Everything that has happened in the session has come and is among the lines.
    async fn settle(&mut self) {
        self.client.send(json!({"type": "get-context"})).await;
        self.client.until_type("context-state").await;
        self.client.frames.pop();
        self.lines.extend_from_slice(&self.client.frames[self.noted..]);
        self.noted = self.client.frames.len();
    }

    /// A message's end: of its turn, or the answer to a command.
    async fn until_ended(&mut self, id: &str) {
        let ends = |frame: &Value| match frame["type"].as_str() {
            Some("agent-response" | "agent-error") => {
                frame["messageIds"].as_array().is_some_and(|ids| ids.iter().any(|one| one == id))
            }
            Some("command-response" | "command-error") => frame["turnId"] == id,
            _ => false,
        };
        if !self.client.frames.iter().any(ends) {
            self.client.until(&format!("the end of {id}"), ends).await;
        }
    }

    async fn until_written(&mut self, text: &str) {
        loop {
            let pieces = self.client.frames.iter().filter(|frame| frame["type"] == "agent-delta");
            let written: String = pieces.filter_map(|frame| frame["text"].as_str()).collect();
            if written.contains(text) {
                return;
            }
            self.client.next().await;
        }
    }

    async fn http(&mut self, method: &str, path: &str, body: &str) {
        self.settle().await;
        let path = self.fill(path);
        let sent = body.replace("{exported}", &self.exported);
        let kind = if body.contains("{exported}") { "application/x-ndjson" } else { "application/json" };
        let headers = [("Content-Type", kind)];
        let reply = request(self.theatre.server.address(), method, &path, &headers, sent.as_bytes()).await;
        self.exported = reply.text();
        let said = parsed(&self.exported);
        let kind = reply.header("content-type");
        self.lines.push(json!({
            "http": format!("{method} {path}"), "body": body, "status": reply.status, "contentType": kind, "answer": said
        }));
    }

    async fn attach(&mut self, query: &str) {
        self.settle().await;
        let query = self.fill(query);
        self.lines.push(json!({"connects": query}));
        self.client = TestClient::connect(self.theatre.server.address(), &query).await;
        self.noted = 0;
        let last = self.client.ready["lastSeq"].as_u64().unwrap_or_default();
        let after = query.split("after=").nth(1).and_then(|after| after.parse().ok()).unwrap_or(0);
        if last > after {
            self.client.until("the last event", |frame| frame["seq"].as_u64() >= Some(last)).await;
        }
    }

    /// The text with what its names stand for.
    fn fill(&self, text: &str) -> String {
        let mut text = text.to_owned();
        let frames = || self.lines.iter().chain(&self.client.frames[self.noted..]).rev();
        for (name, kind, field) in [
            ("{session}", "session-ready", "sessionId"),
            ("{call}", "approval-request", "callId"),
            ("{query}", "user-query", "queryId"),
            ("{turn}", "agent-response", "turnId"),
            ("{forked}", "command-response", "sessionId"),
            ("{variable}", "tool-call-end", "outputVariable"),
        ] {
            if text.contains(name) {
                let found = frames().find(|frame| frame["type"] == kind && frame[field].is_string());
                let id = found.and_then(|frame| frame[field].as_str()).unwrap_or_else(|| panic!("no {name} yet"));
                text = text.replace(name, id);
            }
        }
        let imported: Value = serde_json::from_str(&self.exported).unwrap_or_default();
        let imported = imported["sessionId"].as_str().unwrap_or("{imported}");
        text.replace("{last}", &self.client.last_seq().to_string()).replace("{imported}", imported)
    }
}
