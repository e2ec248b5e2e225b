//! The line editor, on a thread of its own: prompts in, lines out. Where there is no terminal it reads lines as they are.

use std::borrow::Cow;
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{ColorMode, CompletionType, Config, Context, Editor, ExternalPrinter, Helper};
use tokio::sync::mpsc;

use super::complete::Vocabulary;
use super::dialogue::Prompt;
use super::style::Style;

/// Lines that are kept.
const HISTORY: usize = 1000;

/// What the user did.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// A line.
    Line(String),
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-D, or the end of the input.
    End,
}

/// The editor's ends that the conversation holds.
pub(super) struct LineEditor {
    prompts: mpsc::Sender<Prompt>,
    inputs: mpsc::Receiver<Input>,
    typed: Arc<Mutex<String>>,
    live: bool,
}

/// What prints above the prompt.
pub(super) type Printer = Box<dyn ExternalPrinter + Send>;

impl LineEditor {
    /// Starts the editor. Without a terminal that can move its cursor there is no printer.
    pub(super) fn start(
        style: Style,
        history: Option<PathBuf>,
        vocabulary: Arc<Mutex<Vocabulary>>,
    ) -> rustyline::Result<(Self, Option<Printer>)> {
        let config = Config::builder()
            .max_history_size(HISTORY)?
            .history_ignore_space(true)
            .history_ignore_dups(true)?
            .completion_type(CompletionType::List)
            .color_mode(ColorMode::Enabled)
            .build();
        let mut editor: Editor<ChatHelper, FileHistory> = Editor::with_config(config)?;
        let typed = Arc::new(Mutex::new(String::new()));
        editor.set_helper(Some(ChatHelper { vocabulary, typed: typed.clone(), style }));
        let printer = editor.create_external_printer().ok().map(|printer| Box::new(printer) as Printer);
        if let Some(path) = &history {
            // The first time there is none; and a history that cannot be kept is no reason not to talk.
            let _made = path.parent().map(|folder| DirBuilder::new().recursive(true).mode(0o700).create(folder));
            let _first = editor.load_history(path);
        }

        let (prompts, prompts_in) = mpsc::channel(1);
        let (inputs_out, inputs) = mpsc::channel(1);
        let live = printer.is_some();
        thread::Builder::new()
            .name("line editor".to_owned())
            .spawn(move || edit(editor, history.as_deref(), prompts_in, &inputs_out))?;
        Ok((Self { prompts, inputs, typed, live }, printer))
    }

    /// Whether something can be printed while a line is edited.
    pub(super) fn is_live(&self) -> bool {
        self.live
    }

    /// Asks for a line.
    pub(super) async fn ask(&self, prompt: Prompt) {
        self.typed.lock().unwrap_or_else(PoisonError::into_inner).clear();
        // An editor that has ended says so itself.
        let _ended = self.prompts.send(prompt).await;
    }

    /// What the user did; may be dropped at any time without loss.
    pub(super) async fn next(&mut self) -> Input {
        self.inputs.recv().await.unwrap_or(Input::End)
    }

    /// Whether a line has been begun.
    pub(super) fn is_typing(&self) -> bool {
        !self.typed.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }
}

fn edit(
    mut editor: Editor<ChatHelper, FileHistory>,
    history: Option<&Path>,
    mut prompts: mpsc::Receiver<Prompt>,
    inputs: &mpsc::Sender<Input>,
) {
    while let Some(prompt) = prompts.blocking_recv() {
        let line = editor.readline_with_initial(&prompt.text, (&prompt.initial, ""));
        let input = match line {
            Ok(line) => {
                if prompt.is_message && editor.add_history_entry(&line).is_ok_and(|added| added) {
                    // A history that cannot be kept is no reason to stop.
                    let _kept = history.map(|path| editor.append_history(path));
                }
                Input::Line(line)
            }
            Err(ReadlineError::Interrupted) => Input::Interrupt,
            Err(_) => Input::End,
        };
        if inputs.blocking_send(input).is_err() {
            return;
        }
    }
}

/// Completion, colors, lines that go on, and a look at what is being typed.
struct ChatHelper {
    vocabulary: Arc<Mutex<Vocabulary>>,
    typed: Arc<Mutex<String>>,
    style: Style,
}

impl Helper for ChatHelper {}

impl Completer for ChatHelper {
    type Candidate = Pair;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let vocabulary = self.vocabulary.lock().unwrap_or_else(PoisonError::into_inner);
        let (start, words) = vocabulary.complete(line, pos);
        Ok((start, words.into_iter().map(|word| Pair { display: word.clone(), replacement: word }).collect()))
    }
}

impl Hinter for ChatHelper {
    type Hint = String;

    /// No hint; but it is called with every change of the line.
    fn hint(&self, line: &str, _: usize, _: &Context<'_>) -> Option<String> {
        line.clone_into(&mut self.typed.lock().unwrap_or_else(PoisonError::into_inner));
        None
    }
}

impl Highlighter for ChatHelper {
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        Cow::Owned(self.style.bold(prompt))
    }
}

impl Validator for ChatHelper {
    /// A line that ends in a backslash goes on below.
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let goes_on = context.input().ends_with('\\');
        Ok(if goes_on { ValidationResult::Incomplete } else { ValidationResult::Valid(None) })
    }
}
