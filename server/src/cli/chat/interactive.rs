//! The conversation at a terminal, or over pipes: one loop that hears the connection, the keyboard and signals.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use switchboard_protocol::client::{Client, ClientConfig, ClientEvent};
use tokio::signal::unix::{SignalKind, signal};

use super::complete::Vocabulary;
use super::dialogue::{Action, Dialogue};
use super::editor::{Input, LineEditor};
use super::questions::OpenQuestion;
use super::screen::{Screen, Terminal, width};
use super::style::Style;
use super::{EXIT_CONNECTION, EXIT_QUESTION};

/// Talks until the user leaves or the connection ends for good.
pub(super) async fn run(config: ClientConfig, style: Style, history: Option<PathBuf>) -> anyhow::Result<ExitCode> {
    let address = config.url.split('?').next().unwrap_or_default().to_owned();
    let client = Client::connect(config).await?;
    let vocabulary = Arc::new(Mutex::new(Vocabulary::default()));
    let (editor, printer) = LineEditor::start(style, history, vocabulary.clone())?;
    let terminal = Terminal::take(editor.is_live());
    let chat = Chat {
        client,
        live: editor.is_live(),
        editor,
        screen: Screen::new(printer)?,
        dialogue: Dialogue::new(style, width(), address),
        vocabulary,
    };
    chat.run(terminal, style).await
}

struct Chat {
    client: Client,
    editor: LineEditor,
    screen: Screen,
    dialogue: Dialogue,
    vocabulary: Arc<Mutex<Vocabulary>>,
    /// Whether the prompt stands while something else is printed; if not, lines are read one turn at a time.
    live: bool,
}

/// Why the loop ends.
enum End {
    Left,
    InputEnded,
    Lost,
}

impl Chat {
    async fn run(mut self, terminal: Terminal, style: Style) -> anyhow::Result<ExitCode> {
        let end = self.talk().await?;
        let open = self.dialogue.question().map(OpenQuestion::in_short);
        if let Some(session) = self.dialogue.session().filter(|_| self.live) {
            let way_back = format!("To come back: switchboard chat --session {session}");
            self.screen.show(&[style.dim(&way_back)]);
        }
        self.screen.finish().await;
        drop(terminal);
        self.client.close().await;
        Ok(match (end, open) {
            (End::Lost, _) => ExitCode::from(EXIT_CONNECTION),
            (End::InputEnded, Some(question)) if !self.live => {
                eprintln!("switchboard: {question} It stays open for whoever opens the session next.");
                ExitCode::from(EXIT_QUESTION)
            }
            _ => ExitCode::SUCCESS,
        })
    }

    async fn talk(&mut self) -> anyhow::Result<End> {
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        let mut hang_up = signal(SignalKind::hangup())?;
        let mut wants_prompt = true;
        let mut interrupted = false;
        loop {
            if wants_prompt && self.takes_a_line() {
                wants_prompt = false;
                self.editor.ask(self.dialogue.prompt()).await;
            }
            let reading = self.screen.has_room();
            let actions = tokio::select! {
                () = self.screen.deliver() => {
                    if self.screen.is_broken() {
                        return Ok(End::Left);
                    }
                    continue;
                }
                event = self.client.next(), if reading => {
                    if self.hear(event) {
                        return Ok(End::Lost);
                    }
                    continue;
                }
                input = self.editor.next() => {
                    wants_prompt = true;
                    match input {
                        Input::Line(line) => {
                            interrupted = false;
                            self.dialogue.line(&line)
                        }
                        Input::Interrupt => self.dialogue.interrupt(),
                        Input::End => return Ok(End::InputEnded),
                    }
                }
                _ = interrupt.recv() => {
                    // Without an editor nothing else could end the program from the keyboard.
                    if std::mem::replace(&mut interrupted, true) && !self.live {
                        return Ok(End::Left);
                    }
                    self.dialogue.interrupt()
                }
                _ = terminate.recv() => return Ok(End::Left),
                _ = hang_up.recv() => return Ok(End::Left),
            };
            if self.act(actions).await {
                return Ok(End::Left);
            }
        }
    }

    /// Over pipes a line is read when there is nothing to wait for, so that it is an answer to what comes before it.
    fn takes_a_line(&self) -> bool {
        let known = self.dialogue.session().is_some();
        known && (self.live || self.dialogue.is_idle() || self.dialogue.question().is_some())
    }

    /// Whether the connection has ended for good.
    fn hear(&mut self, event: Option<ClientEvent>) -> bool {
        let Some(event) = event else { return true };
        if let ClientEvent::Frame(frame) = &event {
            self.vocabulary.lock().unwrap_or_else(PoisonError::into_inner).hear(frame);
        }
        self.dialogue.set_width(width());
        let lines = self.dialogue.event(event, self.live && self.editor.is_typing());
        self.screen.show(&lines);
        self.dialogue.closed().is_some()
    }

    /// Whether the user leaves.
    async fn act(&mut self, actions: Vec<Action>) -> bool {
        for action in actions {
            match action {
                Action::Show(lines) => self.screen.show(&lines),
                Action::Send(frame) => {
                    if let Err(error) = self.client.send(frame).await {
                        self.screen.show(&[format!("  {error}")]);
                    }
                }
                Action::Leave => return true,
            }
        }
        false
    }
}
