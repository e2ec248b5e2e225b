//! A conversation under load: what its client sends, and what must hold afterwards, whatever was killed meanwhile. The log is
//! held against what the client saw, what was acknowledged, how questions were answered, and what happened in the workspace.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use switchboard_tests::{Closed, TestClient, request, soon};
use tokio::time::timeout;
use uuid::Uuid;

use crate::crash::check_log;

/// How many messages of a session may be without an end at once.
const MAX_OPEN: usize = 3;

/// What is asked at the beginning and at the end.
const SUM: &str = "Calculate 1 + 1";

/// A conversation, as its client knows it.
pub(crate) struct Talk {
    number: usize,
    pub(crate) session: Uuid,
    /// How many messages were sent.
    pub(crate) sent: usize,
    /// The durable frames, in order.
    pub(crate) seen: Vec<Value>,
    /// The message that is not acknowledged yet, and is sent again as it is.
    unacknowledged: Option<Value>,
    /// Messages that were acknowledged and have no end.
    open: BTreeSet<String>,
    /// The line that each command leaves in the trace.
    commands: BTreeSet<String>,
    /// How many lines of its command were in the trace when a question was answered, by the question.
    answered: BTreeMap<String, usize>,
    /// How long it pauses between two messages, at most; and until when it pauses now.
    pause: Duration,
    pauses_until: Instant,
    phase: Phase,
}

#[derive(PartialEq)]
enum Phase {
    /// There is always something more to ask.
    Working,
    /// One last message is to be sent.
    Ending,
    /// It was.
    Ended,
}

/// Why a client stopped working.
#[derive(Debug)]
pub(crate) enum Stopped {
    /// The connection has ended.
    Closed(Closed),
    /// The server has taken something not.
    Refused(Value),
    /// Everything has ended.
    Done,
}

impl Talk {
    pub(crate) async fn begin(mut client: TestClient, number: usize) -> Self {
        client.ask(SUM).await.answered().says("2");
        let mut talk = Self {
            number,
            session: client.session(),
            sent: 0,
            seen: Vec::new(),
            unacknowledged: None,
            open: BTreeSet::new(),
            commands: BTreeSet::new(),
            answered: BTreeMap::new(),
            pause: Duration::ZERO,
            pauses_until: Instant::now(),
            phase: Phase::Working,
        };
        talk.take(&client.frames);
        talk
    }

    /// Pauses for up to so long between two messages.
    pub(crate) fn pausing(self, pause: Duration) -> Self {
        Self { pause, ..self }
    }

    /// Sends one more message, and then waits until everything has ended.
    pub(crate) fn finish(&mut self) {
        if self.phase == Phase::Working {
            self.phase = Phase::Ending;
        }
    }

    /// Takes over what a connection brought: nothing is missing and nothing comes twice, but for the acknowledgement of a
    /// message that was sent again.
    pub(crate) fn take(&mut self, frames: &[Value]) {
        for frame in frames.iter().filter(|frame| frame["seq"].is_u64() && frame["repeated"] != true) {
            assert_eq!(frame["seq"], self.seen.len() + 1, "session {}: {frame:#}", self.number);
            self.seen.push(frame.clone());
        }
    }

    /// Sends messages and answers questions until something stops it. What the connection brought is to be taken afterwards.
    pub(crate) async fn work(&mut self, workspace: &Path, client: &mut TestClient, rng: &mut fastrand::Rng) -> Stopped {
        let mut asked = client.ready["pending"].as_array().cloned().unwrap_or_default();
        loop {
            for question in std::mem::take(&mut asked) {
                let Some(answer) = self.answer(workspace, &question, rng.usize(..)) else { continue };
                if client.try_send(answer).await.is_err() {
                    return self.read_on(client).await;
                }
            }
            if let Some(message) = self.message(rng)
                && client.try_send(message).await.is_err()
            {
                return self.read_on(client).await;
            }
            // Until it is acknowledged, or there is news.
            loop {
                if self.has_ended(client) {
                    return Stopped::Done;
                }
                let pause = self.remaining_pause();
                let Ok(next) = timeout(pause, self.next(client, &mut asked)).await else { break };
                match next {
                    Err(closed) => return Stopped::Closed(closed),
                    // An answer that had come through before the last connection ended was given again.
                    Ok(frame) if frame["code"] == "unknown-query" => {}
                    Ok(frame) if frame["type"] == "agent-error" && frame["seq"].is_null() => {
                        return Stopped::Refused(frame);
                    }
                    Ok(_) if self.unacknowledged.is_none() && (!asked.is_empty() || pause.is_zero()) => break,
                    Ok(_) => {}
                }
            }
        }
    }

    /// Reads what a server has sent that takes nothing any more.
    async fn read_on(&mut self, client: &mut TestClient) -> Stopped {
        loop {
            if let Err(closed) = self.next(client, &mut Vec::new()).await {
                return Stopped::Closed(closed);
            }
        }
    }

    fn has_ended(&self, client: &TestClient) -> bool {
        let is_read = client.last_seq().max(self.seen.len() as u64) >= last_at_connect(client);
        self.phase == Phase::Ended && self.unacknowledged.is_none() && self.open.is_empty() && is_read
    }

    /// The next frame.
    async fn next(&mut self, client: &mut TestClient, asked: &mut Vec<Value>) -> Result<Value, Closed> {
        let frame = client.receive().await?;
        let kind = frame["type"].as_str().unwrap_or_default();
        // What was asked earlier is pending, or answered.
        if kind == "user-query" && frame["seq"].as_u64() > Some(last_at_connect(client)) {
            asked.push(frame.clone());
        }
        if kind == "user-message" {
            if frame["repeated"] != true {
                self.open.extend(frame["messageId"].as_str().map(ToOwned::to_owned));
            }
            self.unacknowledged.take_if(|message| message["messageId"] == frame["messageId"]);
        }
        for id in frame["messageIds"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            self.open.remove(id);
        }
        Ok(frame)
    }

    /// Whether there is to be one more message.
    fn may_ask(&self) -> bool {
        self.unacknowledged.is_none() && self.phase != Phase::Ended && self.open.len() < MAX_OPEN
    }

    /// How long it pauses before the next message.
    fn remaining_pause(&self) -> Duration {
        match self.phase {
            _ if !self.may_ask() => Duration::MAX,
            Phase::Working => self.pauses_until.saturating_duration_since(Instant::now()),
            Phase::Ending | Phase::Ended => Duration::ZERO,
        }
    }

    /// The message that is to be sent now.
    fn message(&mut self, rng: &mut fastrand::Rng) -> Option<Value> {
        if self.may_ask() && self.remaining_pause().is_zero() {
            self.pauses_until = Instant::now() + self.pause.mul_f64(rng.f64());
            let text = match self.phase {
                Phase::Working => self.request(),
                Phase::Ending | Phase::Ended => SUM.to_owned(),
            };
            if self.phase == Phase::Ending {
                self.phase = Phase::Ended;
            }
            let id = Uuid::new_v4().to_string();
            self.unacknowledged = Some(json!({"type": "send-message", "text": text, "messageId": id}));
        }
        self.unacknowledged.clone()
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

    fn ran(&self, workspace: &Path, line: &str) -> usize {
        let trace = fs::read_to_string(workspace.join(format!("trace-{}", self.number))).unwrap_or_default();
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
    fn answer(&mut self, workspace: &Path, question: &Value, word: usize) -> Option<Value> {
        if question["kind"] != "outcome" {
            return None;
        }
        let word = ["done", "not-done", "retry"][word % 3];
        if let (Some(line), Some(id)) = (self.line_of(question), question["queryId"].as_str()) {
            self.answered.insert(id.to_owned(), self.ran(workspace, line));
        }
        Some(json!({"type": "answer-query", "queryId": question["queryId"], "answer": word}))
    }

    /// Holds what is in the log and in the workspace against what the client knows; how many commands were in doubt.
    pub(crate) async fn check(&self, workspace: &Path, address: &str) -> usize {
        let log = log(address, self.session).await;
        check_log(&log);
        assert_eq!(log, self.seen, "session {}: what its client saw is the log", self.number);
        let mut messages = BTreeSet::new();
        for message in log.iter().filter(|frame| frame["type"] == "user-message") {
            assert!(messages.insert(message["messageId"].to_string()), "it was taken twice: {message:#}");
        }
        let mut doubts = 0;
        for line in &self.commands {
            let (ran, said) = (self.ran(workspace, line), self.last_answer(&log, line));
            doubts += usize::from(said.is_some());
            let holds = match &said {
                None => ran <= 1 && (!ended_well(&log, line) || ran == 1),
                Some((word, before)) if word == "retry" => (*before..=before + 1).contains(&ran),
                Some((_, before)) => ran == *before,
            };
            assert!(
                holds,
                "session {}: {line} ran {ran} times; the last answer, and how often it had run then: {said:?}",
                self.session
            );
        }
        doubts
    }
}

/// The last event that there was when the client connected.
fn last_at_connect(client: &TestClient) -> u64 {
    client.ready["lastSeq"].as_u64().unwrap_or_default()
}

/// All events of a session, as the server at this address has them or passes them on.
async fn log(address: &str, session: Uuid) -> Vec<Value> {
    let mut log = Vec::new();
    loop {
        let path = format!("/api/sessions/{session}/events?after={}&limit=1000", log.len());
        let page = soon("the events", async {
            loop {
                let page = request(address, "GET", &path, &[], b"").await;
                match page.status {
                    200 => return page.json(),
                    // It is on its way from one server to another.
                    status => assert_eq!(status, 503, "{}", page.text()),
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        });
        match page.await["events"].as_array() {
            Some(events) if !events.is_empty() => log.extend(events.iter().cloned()),
            _ => return log,
        }
    }
}

/// Whether the turn of the command with this line has ended with a reply.
fn ended_well(log: &[Value], line: &str) -> bool {
    let asks = |f: &&Value| f["type"] == "user-message" && f["text"].as_str().is_some_and(|text| text.contains(line));
    let Some(message) = log.iter().find(asks) else { return false };
    let ends = |f: &Value| f["messageIds"].as_array().is_some_and(|ids| ids.contains(&message["messageId"]));
    log.iter().any(|frame| frame["type"] == "agent-response" && ends(frame))
}

/// Each file that was written is there as a whole.
pub(crate) fn check_files(workspace: &Path) {
    for file in fs::read_dir(workspace.join("out")).into_iter().flatten().flatten() {
        let content = fs::read_to_string(file.path()).expect("a file");
        assert_eq!(format!("{content}.txt"), file.file_name().to_string_lossy(), "a file is there as a whole");
    }
}
