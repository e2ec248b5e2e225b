//! One message, one answer, for scripts: the reply on standard output, everything else on standard error, and
//! an exit code that says how it went.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use switchboard_protocol::client::{Client, ClientConfig, ClientEvent};
use switchboard_protocol::{ClientFrame, ServerFrame, ServerMessage};
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::questions::OpenQuestion;
use super::sanitize::{visible, without_escapes};
use super::{EXIT_AGENT_ERROR, EXIT_CONNECTION, EXIT_QUESTION};

/// How a message ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The reply.
    Answered(String),
    /// What went wrong.
    Failed(String),
    /// What is asked, which nobody here can answer.
    Asked(String),
}

/// Sends the message and waits for its end. With `json` every frame is a line of the output.
pub(super) async fn run(mut config: ClientConfig, text: String, json: bool) -> anyhow::Result<ExitCode> {
    config.raw = json;
    let mut client = Client::connect(config).await?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let message = ClientFrame::SendMessage { text, timestamp: None, message_id: None, mode: None, attachments: None };
    let id = client.send(message).await?.unwrap_or_default();

    let result = wait(&mut client, &mut interrupt, &id).await;
    let session = client.session();
    let code = match result {
        Wait::Over(Outcome::Answered(reply)) => {
            if !json {
                print_reply(&reply);
            }
            ExitCode::SUCCESS
        }
        Wait::Over(Outcome::Failed(why)) => fail(&why, EXIT_AGENT_ERROR),
        Wait::Over(Outcome::Asked(question)) => fail(
            &format!(
                "{question}\nThe question stays open. Answer it with `switchboard chat --session {session}`; a server \
                 with `--approve auto` asks for no approvals."
            ),
            EXIT_QUESTION,
        ),
        Wait::Lost(why) => fail(&why, EXIT_CONNECTION),
    };
    client.close().await;
    Ok(code)
}

enum Wait {
    Over(Outcome),
    Lost(String),
}

async fn wait(client: &mut Client, interrupt: &mut Signal, id: &str) -> Wait {
    let sender = client.sender();
    loop {
        let event = tokio::select! {
            event = client.next() => event,
            _ = interrupt.recv() => {
                let cancel = ClientFrame::Cancel { message_id: Some(id.to_owned()) };
                if sender.send(cancel).await.is_err() {
                    return Wait::Lost("the connection is closed".to_owned());
                }
                continue;
            }
        };
        match event {
            Some(ClientEvent::Raw(text)) => say_frame(&text),
            Some(ClientEvent::Frame(frame)) => {
                if let Some(outcome) = judge(&frame, id) {
                    return Wait::Over(outcome);
                }
            }
            Some(ClientEvent::Disconnected { reason, .. }) => {
                eprintln!("switchboard: the connection is lost ({}); connecting again", visible(&reason));
            }
            Some(ClientEvent::Unknown(_) | ClientEvent::Reconnected | ClientEvent::StartedOver) => {}
            Some(ClientEvent::Closed { reason, .. }) => return Wait::Lost(reason),
            None => return Wait::Lost("the connection is closed".to_owned()),
        }
    }
}

/// Whether a frame ends the wait for the message with this id, and how.
pub(super) fn judge(frame: &ServerFrame, id: &str) -> Option<Outcome> {
    let turn = frame.turn_id.as_deref();
    let is_ours = |ids: &[String]| ids.iter().any(|other| other == id);
    match &frame.message {
        ServerMessage::AgentResponse { message_ids, text, .. } if is_ours(message_ids) => {
            Some(Outcome::Answered(text.clone()))
        }
        ServerMessage::AgentError { message_ids: Some(ids), text, error, suggestions, .. } if is_ours(ids) => {
            Some(Outcome::Failed(failure(text, error, suggestions)))
        }
        // A refusal of what this connection sent.
        ServerMessage::AgentError { message_ids: None, text, error, suggestions, .. }
            if turn.is_none_or(|turn| turn == id) =>
        {
            Some(Outcome::Failed(failure(text, error, suggestions)))
        }
        ServerMessage::CommandResponse { text, .. } if turn == Some(id) => Some(Outcome::Answered(text.clone())),
        ServerMessage::CommandError { text, usage, .. } if turn == Some(id) => {
            let usage = usage.as_deref().map(|usage| format!("\nUsage: {usage}")).unwrap_or_default();
            Some(Outcome::Failed(format!("{text}{usage}")))
        }
        ServerMessage::ApprovalRequest { .. } | ServerMessage::UserQuery { .. } if turn == Some(id) => {
            OpenQuestion::of(frame).map(|question| Outcome::Asked(question.in_short()))
        }
        ServerMessage::SessionReady { pending, .. } => pending.iter().find_map(|request| judge(request, id)),
        _ => None,
    }
}

fn failure(text: &str, error: &str, suggestions: &[String]) -> String {
    let mut parts = vec![text.to_owned()];
    if !error.is_empty() && !text.contains(error) {
        parts.push(error.to_owned());
    }
    parts.extend(suggestions.iter().map(|suggestion| format!("→ {suggestion}")));
    parts.join("\n")
}

/// The reply: exactly to a file or a program, harmless to a terminal.
fn print_reply(reply: &str) {
    if std::io::stdout().is_terminal() {
        print_line(&without_escapes(reply));
    } else {
        print_line(reply);
    }
}

/// A frame as one line.
fn say_frame(text: &str) {
    let line = text.replace(['\n', '\r'], " ");
    print_line(&if std::io::stdout().is_terminal() { visible(&line) } else { line });
}

fn print_line(text: &str) {
    let mut out = std::io::stdout().lock();
    // Whoever stopped reading does not want the rest.
    let _unread = out.write_all(text.as_bytes()).and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush());
}

fn fail(why: &str, code: u8) -> ExitCode {
    eprintln!("switchboard: {}", visible(why));
    ExitCode::from(code)
}

#[cfg(test)]
#[path = "print_tests.rs"]
mod tests;
