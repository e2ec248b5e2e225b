//! A scripted language model on loopback: what a test says is what the model answers, faults included. It listens on a
//! free port, answers each request by the test's script, notes what was asked, and ends when it is dropped. It speaks as
//! OpenAI does, and to whoever asks at `/messages` as Anthropic does.
//!
//! ```ignore
//! // By number: the first request gets the first answer, and so on; one more than there are gets a 500 that says so.
//! let llm = ScriptedLlm::of([Answer::calls([("file_read", json!({"path": "a.txt"}))]), Answer::text("It says hello.")]).await;
//! // By what is asked:
//! let llm = ScriptedLlm::start(|asked| match asked.tools().is_empty() {
//!     true => Answer::text("plain"),
//!     false => Answer::text("with tools"),
//! })
//! .await;
//! // The server under test: --llm-provider compatible --llm-base-url {llm.base_url()} --llm-model scripted
//! let second = llm.asked(2).await; // waits until the second request is there
//! assert_eq!(second.messages().last().unwrap()["role"], "tool");
//! ```
//! An answer comes as a stream or in one piece, whichever was asked for. What can be wrong with it: [`Answer::status`],
//! [`Answer::raw`], [`Answer::silent`], [`Answer::hang_up`], and [`Answer::in_bytes_of`], [`Answer::cut_after`],
//! [`Answer::stall_after`], [`Answer::hold_after`], [`Answer::without_done`], [`Answer::finish`], [`Answer::delay`] …

mod answer;
mod anthropic;
mod serve;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

pub use self::answer::Answer;

type Script = dyn Fn(&Asked) -> Answer + Send + Sync;

/// The server.
pub struct ScriptedLlm {
    address: SocketAddr,
    shared: Arc<Shared>,
    _tasks: JoinSet<()>,
}

struct Shared {
    script: Box<Script>,
    asked: Mutex<Vec<Asked>>,
    count: watch::Sender<usize>,
    /// Answers that nobody wanted to the end.
    dropped: watch::Sender<usize>,
    released: Semaphore,
}

/// A request.
#[derive(Debug, Clone)]
pub struct Asked {
    /// From 1; requests that are no `POST` are answered by themselves and not counted.
    pub number: usize,
    /// The path.
    pub path: String,
    /// Request line and headers, as they came.
    pub head: String,
    /// The body; null when it is not JSON.
    pub body: Value,
    /// When it had come.
    pub at: Instant,
}

impl Asked {
    /// Whether a stream was asked for.
    #[must_use]
    pub fn streams(&self) -> bool {
        self.body["stream"] == true
    }

    /// The messages.
    #[must_use]
    pub fn messages(&self) -> &[Value] {
        self.body["messages"].as_array().map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether it is asked as Anthropic is.
    #[must_use]
    pub fn is_anthropic(&self) -> bool {
        self.path.ends_with("/messages")
    }

    /// The text of the last message; of the last block of it, if it has blocks.
    #[must_use]
    pub fn last_text(&self) -> &str {
        let content = self.messages().last().map(|message| &message["content"]);
        let block = content.and_then(|content| content.as_array()?.last());
        let text = block.map(|block| block.get("text").unwrap_or(&block["content"])).or(content);
        text.and_then(Value::as_str).unwrap_or_default()
    }

    /// The names of the offered functions.
    #[must_use]
    pub fn tools(&self) -> Vec<&str> {
        let tools = self.body["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
        let names = tools.iter().filter_map(|tool| tool["function"]["name"].as_str().or(tool["name"].as_str()));
        names.filter(|name| self.schema() != Some(name)).collect()
    }

    /// The name of the schema that the reply must have, if one is asked for.
    #[must_use]
    pub fn schema(&self) -> Option<&str> {
        let forced = self.body["tool_choice"]["name"].as_str();
        self.body["response_format"]["json_schema"]["name"].as_str().or(forced)
    }
}

impl ScriptedLlm {
    /// A server that answers by `script`.
    pub async fn start(script: impl Fn(&Asked) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let shared = Arc::new(Shared {
            script: Box::new(script),
            asked: Mutex::default(),
            count: watch::Sender::new(0),
            dropped: watch::Sender::new(0),
            released: Semaphore::new(0),
        });
        let (mut tasks, serving) = (JoinSet::new(), Arc::clone(&shared));
        tasks.spawn(async move {
            let mut clients = JoinSet::new();
            while let Ok((socket, _)) = listener.accept().await {
                while clients.try_join_next().is_some() {}
                let shared = Arc::clone(&serving);
                clients.spawn(async move {
                    if serve::serve(socket, &shared).await.is_err() {
                        shared.dropped.send_modify(|count| *count += 1);
                    }
                });
            }
        });
        Self { address, shared, _tasks: tasks }
    }

    /// A server that gives these answers, one after the other.
    pub async fn of(answers: impl IntoIterator<Item = Answer>) -> Self {
        let answers: Vec<Answer> = answers.into_iter().collect();
        Self::start(move |asked| match answers.get(asked.number - 1) {
            Some(answer) => answer.clone(),
            None => Answer::status(500, &format!("the script has {} answers only", answers.len())),
        })
        .await
    }

    /// For `--llm-base-url`.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// How many requests there were.
    #[must_use]
    pub fn count(&self) -> usize {
        *self.shared.count.borrow()
    }

    /// All requests so far.
    #[must_use]
    pub fn all(&self) -> Vec<Asked> {
        self.shared.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Request number `number`, from 1, as soon as it is there.
    pub async fn asked(&self, number: usize) -> Asked {
        let mut counting = self.shared.count.subscribe();
        let _there = counting.wait_for(|count| *count >= number).await;
        self.all().swap_remove(number - 1)
    }

    /// Waits until so many answers were not wanted to their end: the client went away.
    pub async fn dropped(&self, count: usize) {
        let mut counting = self.shared.dropped.subscribe();
        let _there = counting.wait_for(|dropped| *dropped >= count).await;
    }

    /// Lets one answer go on that holds, now or later.
    pub fn release(&self) {
        self.shared.released.add_permits(1);
    }
}
