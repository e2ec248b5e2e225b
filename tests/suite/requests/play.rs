//! One request, said to a server of its own in a fresh copy of its workspace.

use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};
use switchboard_tests::{ServerOptions, TestClient, TestServer};
use tempfile::TempDir;
use tokio::process::Command;

use super::case::{Case, Outcome};
use super::tree::{self, Tree};

/// How long a turn may take before it counts as one that does not end; a command is ended by the server before.
const PATIENCE: Duration = Duration::from_secs(90);

/// What came of a conversation.
#[derive(Debug, Default)]
pub(super) struct Played {
    /// Each message with its reply, also those that only gave consent.
    pub replies: Vec<Reply>,
    /// A plan was shown and asked about.
    pub asked_plan: bool,
    /// Something else was asked.
    pub asked_else: bool,
    /// The conversation broke off: the server closed its socket.
    pub broken: bool,
    /// The workspace at the start.
    pub before: Tree,
    /// The workspace before the last message.
    pub midway: Tree,
    /// The workspace at the end.
    pub after: Tree,
}

/// How a turn ended.
#[derive(Debug, Default, Clone, Serialize)]
pub(super) struct Reply {
    /// What was said.
    pub message: String,
    /// What was replied.
    pub text: String,
    /// Whether the server calls the request fulfilled.
    pub complete: bool,
}

/// The home folder of those who type: git knows their name.
pub(super) struct Home(TempDir);

impl Home {
    /// Makes it.
    pub(super) fn make() -> Self {
        let home = tempfile::Builder::new().prefix("switchboard-home-").tempdir().expect("a temporary folder");
        let settings = "[user]\n\tname = Robin\n\temail = robin@example.org\n[init]\n\tdefaultBranch = main\n";
        std::fs::write(home.path().join(".gitconfig"), settings).expect("git's settings are written");
        Self(home)
    }

    fn environment(&self) -> Vec<(String, String)> {
        let home = self.0.path().display().to_string();
        let git = format!("{home}/.gitconfig");
        [("HOME", home), ("GIT_CONFIG_GLOBAL", git), ("GIT_CONFIG_NOSYSTEM", "1".into()), ("TZ", "UTC".into())]
            .map(|(name, value)| (name.to_owned(), value))
            .to_vec()
    }
}

/// Says it all and waits for each turn's end.
pub(super) async fn play(case: &Case, home: &Home) -> Played {
    let mut options = ServerOptions::with(&["--approve", "auto", "--reasoner", "rules"]);
    options.environment = home.environment();
    let mut server = TestServer::prepare(options);
    prepare(case, home, &server).await;
    let workspace = server.workspace();
    let read = || Tree::read(&workspace, case.files.keys().map(String::as_str));
    let mut played = Played { before: read(), ..Played::default() };

    server.start_again().await;
    let mut client = server.connect().await;
    for (number, message) in (1..).zip(&case.say) {
        if number == case.say.len() {
            played.midway = read();
        }
        let settled = played.replies.last().is_some_and(|reply| reply.complete);
        if !(settled && case.is_consent(message)) {
            converse(&mut client, case, message, &mut played).await;
        }
    }
    client.close().await;

    played.after = read();
    played
}

async fn prepare(case: &Case, home: &Home, server: &TestServer) {
    tree::copy(&case.origin(), &server.workspace());
    let Some(script) = case.setup() else { return };
    let mut command = Command::new("sh");
    command.arg(script).current_dir(server.workspace()).envs(home.environment());
    let output = command.output().await.expect("sh starts");
    assert!(output.status.success(), "{}: {}", case.workspace, String::from_utf8_lossy(&output.stderr));
}

/// One message; a plan that the reply asks about is taken, once, if it may be right.
async fn converse(client: &mut TestClient, case: &Case, message: &str, played: &mut Played) {
    let reply = turn(client, message, played).await;
    let asks = asks_about_a_plan(&reply);
    played.replies.push(reply);
    if asks {
        played.asked_plan = true;
        if case.outcome == Outcome::Done {
            let reply = turn(client, "yes", played).await;
            played.replies.push(reply);
        }
    }
}

/// Whether a reply ends by asking about its plan, so that typing "yes" takes it.
pub(super) fn asks_about_a_plan(reply: &Reply) -> bool {
    let last = reply.text.trim().lines().last().unwrap_or_default().to_lowercase();
    !reply.complete && last.contains("say yes")
}

/// One turn. What it asks is dismissed.
async fn turn(client: &mut TestClient, message: &str, played: &mut Played) -> Reply {
    let id = client.post(message).await;
    let end = tokio::time::timeout(PATIENCE, async {
        loop {
            let frame = client.next().await;
            match frame["type"].as_str() {
                Some("approval-request") => {
                    let allowed = json!({"type": "approve-tool", "callId": frame["callId"], "decision": "allow-once"});
                    client.send(allowed).await;
                }
                Some("user-query") => {
                    played.asked_plan |= frame["kind"] == "plan";
                    // What is asked about a plan waits for the next message.
                    if frame["kind"] != "plan" {
                        played.asked_else = true;
                        client.send(json!({"type": "answer-query", "queryId": frame["queryId"]})).await;
                    }
                }
                Some("agent-response" | "agent-error") if answers(&frame, &id) => return frame,
                _ => {}
            }
        }
    });
    let end = end.await.unwrap_or_else(|_| json!({"text": format!("(no end within {PATIENCE:?})")}));
    let text = end["text"].as_str().unwrap_or_default().to_owned();
    Reply { message: message.to_owned(), text, complete: end["complete"] == true }
}

fn answers(frame: &Value, id: &str) -> bool {
    frame["messageIds"].as_array().is_some_and(|ids| ids.iter().any(|found| found == id))
}
