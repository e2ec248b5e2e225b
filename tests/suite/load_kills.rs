//! Kills under load: many sessions at once read, write, calculate and run commands, and the server is killed at random
//! times. Afterwards the log is held against what every client saw, what was acknowledged, how questions were answered, and
//! what happened in the workspace.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::time::Duration;

use futures_util::future::join_all;
use rustix::process::Signal;
use serde_json::{Value, json};
use switchboard_tests::{ServerOptions, TestClient, TestServer, request};
use uuid::Uuid;

use crate::crash::check_log;

/// How many sessions there are.
const SESSIONS: usize = 50;

/// How many messages of a session may be without an end at once.
const MAX_OPEN: usize = 3;

/// A conversation, as its client knows it.
struct Talk {
    number: usize,
    session: Uuid,
    /// How many messages were sent.
    sent: usize,
    /// The durable frames, in order.
    seen: Vec<Value>,
    /// Messages that were acknowledged and have no end.
    open: BTreeSet<String>,
    /// The line that each command leaves in the trace.
    commands: BTreeSet<String>,
    /// How many lines of its command were in the trace when a question was answered, by the question.
    answered: BTreeMap<String, usize>,
}

impl Talk {
    async fn begin(server: &TestServer, number: usize) -> Self {
        let mut client = server.connect().await;
        client.ask("Calculate 1 + 1").await.answered().says("2");
        let (session, open, commands) = (client.session(), BTreeSet::new(), BTreeSet::new());
        let mut talk = Self { number, session, sent: 0, seen: Vec::new(), open, commands, answered: BTreeMap::new() };
        talk.take(&client.frames);
        talk
    }

    /// Takes over what a connection brought: nothing is missing and nothing comes twice.
    fn take(&mut self, frames: &[Value]) {
        for frame in frames.iter().filter(|frame| frame["seq"].is_u64()) {
            assert_eq!(frame["seq"], self.seen.len() + 1, "session {}: {frame:#}", self.number);
            self.seen.push(frame.clone());
        }
    }

    /// The next frame; none when the server is gone.
    async fn next(&mut self, client: &mut TestClient, asked: &mut Vec<Value>) -> Option<Value> {
        let frame = client.receive().await.ok()?;
        if frame["type"] == "user-query" {
            asked.push(frame.clone());
        }
        if frame["type"] == "user-message" {
            self.open.extend(frame["messageId"].as_str().map(ToOwned::to_owned));
        }
        for id in frame["messageIds"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            self.open.remove(id);
        }
        Some(frame)
    }

    /// The next request.
    fn request(&mut self) -> String {
        let (number, sent) = (self.number, self.sent);
        self.sent += 1;
        match (number + sent) % 5 {
            0 => "Read notes.txt".to_owned(),
            1 => format!("Write \"{number}-{sent}\" to out/{number}-{sent}.txt"),
            2 => format!("Calculate {number} + {sent}"),
            // One that writes at once, and one that writes late.
            other => {
                let line = format!("line-{number}-{sent}.");
                self.commands.insert(line.clone());
                let wait = if other == 3 { "" } else { "sleep 0.05; " };
                format!("Run `{wait}echo {line} >> trace-{number}`")
            }
        }
    }

    fn ran(&self, server: &TestServer, line: &str) -> usize {
        let trace = fs::read_to_string(server.workspace().join(format!("trace-{}", self.number))).unwrap_or_default();
        trace.lines().filter(|found| *found == line).count()
    }

    /// The command that a question is about.
    fn line_of(&self, question: &Value) -> Option<&String> {
        let text = question["message"].as_str()?;
        self.commands.iter().find(|line| text.contains(*line))
    }

    /// How the log says that the last question about a command was answered, and how many lines of it there were then.
    fn last_answer(&self, log: &[Value], line: &String) -> Option<(String, usize)> {
        let asked = |f: &&Value| f["type"] == "user-query" && self.line_of(f) == Some(line);
        let questions: Vec<&Value> = log.iter().filter(asked).map(|question| &question["queryId"]).collect();
        let last = log.iter().rfind(|f| f["type"] == "query-resolved" && questions.contains(&&f["queryId"]))?;
        let ran = self.answered.get(last["queryId"].as_str()?)?;
        Some((last["answer"].as_str().unwrap_or_default().to_owned(), *ran))
    }

    /// Answers a question about a call in doubt: `done`, `not-done` or `retry`.
    fn answer(&mut self, server: &TestServer, question: &Value, word: usize) -> Option<Value> {
        if question["kind"] != "outcome" {
            return None;
        }
        let word = ["done", "not-done", "retry"][word % 3];
        if let (Some(line), Some(id)) = (self.line_of(question), question["queryId"].as_str()) {
            self.answered.insert(id.to_owned(), self.ran(server, line));
        }
        Some(json!({"type": "answer-query", "queryId": question["queryId"], "answer": word}))
    }

    /// Sends messages and answers questions until the server is gone.
    async fn load(&mut self, server: &TestServer, mut client: TestClient, mut rng: fastrand::Rng) {
        let mut asked = client.ready["pending"].as_array().cloned().unwrap_or_default();
        loop {
            for question in asked.drain(..) {
                let Some(answer) = self.answer(server, &question, rng.usize(..)) else { continue };
                if client.try_send(answer).await.is_err() {
                    break;
                }
            }
            if self.open.len() < MAX_OPEN {
                let id = Uuid::new_v4().to_string();
                let message = json!({"type": "send-message", "text": self.request(), "messageId": id});
                let heard = |frame: &Value| frame["messageId"] == id.as_str() || frame["turnId"] == id.as_str();
                let mut there = client.try_send(message).await.is_ok();
                // Its acknowledgement, or a refusal.
                while there {
                    match self.next(&mut client, &mut asked).await {
                        Some(frame) if heard(&frame) => break,
                        frame => there = frame.is_some(),
                    }
                }
                if !there {
                    return self.take(&client.frames);
                }
            } else if self.next(&mut client, &mut asked).await.is_none() {
                return self.take(&client.frames);
            }
        }
    }

    /// Answers what is asked until everything has ended.
    async fn end(&mut self, server: &TestServer, mut client: TestClient, mut rng: fastrand::Rng) {
        let mut asked = client.ready["pending"].as_array().cloned().unwrap_or_default();
        let last = client.post("Calculate 1 + 1").await;
        loop {
            for question in asked.drain(..) {
                if let Some(answer) = self.answer(server, &question, rng.usize(..)) {
                    client.send(answer).await;
                }
            }
            let frame = self.next(&mut client, &mut asked).await.expect("the server is there");
            if frame["messageIds"].as_array().is_some_and(|ids| ids.contains(&json!(last))) {
                return self.take(&client.frames);
            }
        }
    }

    /// Holds what is in the log and in the workspace against what the client knows.
    async fn check(&self, server: &TestServer) -> usize {
        let mut log = Vec::new();
        loop {
            let path = format!("/api/sessions/{}/events?after={}&limit=1000", self.session, log.len());
            let page = request(server.address(), "GET", &path, &[], b"").await.json();
            let events = page["events"].as_array().cloned().unwrap_or_default();
            if events.is_empty() {
                break;
            }
            log.extend(events);
        }
        check_log(&log);
        assert_eq!(log, self.seen, "session {}: what its client saw is the log", self.number);
        let mut doubts = 0;
        for line in &self.commands {
            let (ran, said) = (self.ran(server, line), self.last_answer(&log, line));
            doubts += usize::from(said.is_some());
            let holds = match &said {
                None => ran <= 1 && (!ended_well(&log, line) || ran == 1),
                Some((word, before)) if word == "retry" => (*before..=before + 1).contains(&ran),
                Some((_, before)) => ran == *before,
            };
            assert!(holds, "{line} ran {ran} times; the last answer, and how often it had run then: {said:?}");
        }
        doubts
    }
}

/// Whether the turn of the command with this line has ended with a reply.
fn ended_well(log: &[Value], line: &str) -> bool {
    let asks = |f: &&Value| f["type"] == "user-message" && f["text"].as_str().is_some_and(|text| text.contains(line));
    let Some(message) = log.iter().find(asks) else { return false };
    let ends = |f: &Value| f["messageIds"].as_array().is_some_and(|ids| ids.contains(&message["messageId"]));
    log.iter().any(|frame| frame["type"] == "agent-response" && ends(frame))
}

async fn kills_under_load(kills: usize) {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut server = TestServer::start_with(ServerOptions::auto()).await;
    server.file("notes.txt", "Notes.\n");
    let mut talks = join_all((0..SESSIONS).map(|number| Talk::begin(&server, number))).await;
    for _ in 0..kills {
        let clients = join_all(talks.iter().map(|talk| server.connect_to(talk.session, talk.seen.len() as u64))).await;
        let after = Duration::from_millis(rng.u64(0..1500));
        let (there, dice) = (&server, &mut rng);
        let loads = talks.iter_mut().zip(clients).map(|(talk, client)| talk.load(there, client, dice.fork()));
        let kill = async {
            tokio::time::sleep(after).await;
            there.signal(Signal::KILL);
        };
        tokio::join!(join_all(loads), kill);
        server.ended().await;
        server.start_again().await;
    }
    let clients = join_all(talks.iter().map(|talk| server.connect_to(talk.session, talk.seen.len() as u64))).await;
    let there = &server;
    join_all(talks.iter_mut().zip(clients).map(|(talk, client)| talk.end(there, client, rng.fork()))).await;

    for file in fs::read_dir(server.workspace().join("out")).into_iter().flatten().flatten() {
        let content = fs::read_to_string(file.path()).expect("a file");
        assert_eq!(format!("{content}.txt"), file.file_name().to_string_lossy(), "a file is there as a whole");
    }
    let mut answered = 0;
    for talk in &talks {
        answered += talk.check(&server).await;
    }
    let events: usize = talks.iter().map(|talk| talk.seen.len()).sum();
    let sent: usize = talks.iter().map(|talk| talk.sent).sum();
    println!("{kills} kills under {SESSIONS} sessions: {sent} messages, {events} events, {answered} commands in doubt");
}

#[tokio::test]
async fn kills_under_the_load_of_fifty_sessions_lose_and_repeat_nothing() {
    kills_under_load(10).await;
}

#[tokio::test]
#[ignore = "runs for an hour: tests/run soak"]
async fn five_hundred_kills_under_the_load_of_fifty_sessions_lose_and_repeat_nothing() {
    kills_under_load(500).await;
}
