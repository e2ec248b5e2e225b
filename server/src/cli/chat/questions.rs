//! What the server asks, and what a typed line says to it. Nothing is answered but by a line that is an answer: whoever
//! leaves, leaves the question open.

use std::collections::VecDeque;

use serde_json::{Map, Value};
use switchboard_protocol::{ApprovalAnswer, CallId, Choice, ClientFrame, QueryId, Risk, ServerFrame, ServerMessage};

use super::render::lines_of;
use super::sanitize::visible;
use super::style::Style;

/// Lines of one argument that are shown at once: most of it, with its end.
const HEAD: usize = 40;
const END: usize = 10;

/// One question.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum OpenQuestion {
    /// May this tool run?
    Approval {
        call: CallId,
        tool: String,
        arguments: Map<String, Value>,
        risk: Risk,
        reason: String,
        undoable: bool,
        covers: Option<String>,
    },
    /// Anything else.
    Query { query: QueryId, message: String, choices: Vec<Choice> },
}

/// What a line says to a question.
#[derive(Debug, PartialEq)]
pub(super) enum Reading {
    /// An answer.
    Answer(ClientFrame),
    /// The user wants to edit the arguments, which are these.
    Edit(String),
    /// The user wants to see everything that will run.
    ShowAll,
    /// Nothing; this is what would be an answer.
    Unclear(String),
}

/// The questions that are open, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Questions {
    open: VecDeque<Open>,
}

#[derive(Debug)]
struct Open {
    question: OpenQuestion,
    shown: bool,
}

impl Questions {
    /// The server asks; the same question twice is one.
    pub(super) fn ask(&mut self, question: OpenQuestion) {
        if !self.open.iter().any(|open| open.question.id() == question.id()) {
            self.open.push_back(Open { question, shown: false });
        }
    }

    /// A connection says which questions are open: others have been settled, and these are asked again.
    pub(super) fn replace(&mut self, pending: &[ServerFrame]) {
        self.open.clear();
        pending.iter().filter_map(OpenQuestion::of).for_each(|question| self.ask(question));
    }

    /// A question is settled, here or elsewhere.
    pub(super) fn settle(&mut self, id: &str) {
        self.open.retain(|open| open.question.id() != id);
    }

    /// Whether this question is open.
    pub(super) fn has(&self, id: &str) -> bool {
        self.open.iter().any(|open| open.question.id() == id)
    }

    /// The question that a line is an answer to: one that has been shown.
    pub(super) fn current(&self) -> Option<&OpenQuestion> {
        self.open.front().filter(|open| open.shown).map(|open| &open.question)
    }

    /// The next question, if it is to be shown now.
    pub(super) fn show(&mut self) -> Option<&OpenQuestion> {
        let open = self.open.front_mut().filter(|open| !open.shown)?;
        open.shown = true;
        Some(&open.question)
    }
}

impl OpenQuestion {
    /// The question that a frame asks, if it does.
    pub(super) fn of(frame: &ServerFrame) -> Option<Self> {
        match frame.message.clone() {
            ServerMessage::ApprovalRequest { call_id, tool, arguments, risk, reason, undoable, covers, .. } => {
                Some(Self::Approval { call: call_id, tool, arguments, risk, reason, undoable, covers })
            }
            ServerMessage::UserQuery { query_id, message, choices, .. } => {
                Some(Self::Query { query: query_id, message, choices: choices.unwrap_or_default() })
            }
            _ => None,
        }
    }

    /// What it is settled by.
    pub(super) fn id(&self) -> &str {
        match self {
            Self::Approval { call, .. } => call.as_str(),
            Self::Query { query, .. } => query.as_str(),
        }
    }

    /// What the prompt says while it is open.
    pub(super) fn prompt(&self) -> &'static str {
        match self {
            Self::Approval { .. } => "allow › ",
            Self::Query { .. } => "answer › ",
        }
    }

    /// One line, for whoever cannot answer.
    pub(super) fn in_short(&self) -> String {
        match self {
            Self::Approval { tool, reason, .. } => visible(&format!("`{tool}` needs approval: {reason}")),
            Self::Query { message, .. } => visible(message),
        }
    }

    /// The question. Nothing of what will run is hidden; only of very long text the middle is left out, with a word,
    /// unless all of it is wanted.
    pub(super) fn lines(&self, style: Style, all: bool) -> Vec<String> {
        let sign = format!("{} ", style.yellow("?"));
        match self {
            Self::Approval { tool, arguments, risk, reason, undoable, covers, .. } => {
                let what = if *undoable { "can be undone" } else { "cannot be undone" };
                let head = format!("{} wants to {}; it {what}", style.bold(&visible(tool)), doing(*risk));
                let mut lines = vec![format!("{sign}{head}")];
                for (name, value) in arguments {
                    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                    let name = style.dim(&format!("{}: ", visible(name)));
                    lines.extend(cut(lines_of(&visible(&text), &format!("    {name}"), "      "), all, style));
                }
                lines.extend(lines_of(&visible(reason), "  ", "  "));
                if let Some(covers) = covers {
                    lines.extend(lines_of(&visible(&format!("a allows {covers}")), "  ", "  "));
                }
                let how = "y once · a always in this session · n [why] deny · e edit the arguments first";
                lines.push(format!("  {} {}", style.bold("allow? [y/a/n/e]"), style.dim(how)));
                lines
            }
            Self::Query { message, choices, .. } => {
                let mut lines = lines_of(&visible(message), &sign, "  ");
                for (number, choice) in choices.iter().enumerate() {
                    lines.extend(lines_of(&visible(&choice.label), &format!("    {}  ", number + 1), "       "));
                }
                let how = if choices.is_empty() { "Type the answer" } else { "Type a number" };
                lines.push(style.dim(&format!("  {how}; /dismiss closes it without an answer")));
                lines
            }
        }
    }

    /// What a line says to it.
    pub(super) fn read(&self, line: &str) -> Reading {
        match self {
            Self::Approval { call, arguments, .. } => read_approval(call, arguments, line.trim()),
            Self::Query { query, choices, .. } => read_answer(query, choices, line.trim()),
        }
    }

    /// Allows the call with edited arguments.
    pub(super) fn edited(&self, line: &str) -> Result<ClientFrame, String> {
        let Self::Approval { call, .. } = self else { return Err("There is nothing to edit here.".to_owned()) };
        match serde_json::from_str::<Map<String, Value>>(line) {
            Ok(arguments) => Ok(approve(call, ApprovalAnswer::AllowOnce, Some(arguments), None)),
            Err(error) => {
                Err(format!("The arguments must be a JSON object ({error}). Correct them, or clear the line."))
            }
        }
    }
}

fn read_approval(call: &CallId, arguments: &Map<String, Value>, line: &str) -> Reading {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let reason = (!rest.trim().is_empty()).then(|| rest.trim().to_owned());
    let answer = |decision| Reading::Answer(approve(call, decision, None, None));
    match (word.to_lowercase().as_str(), &reason) {
        ("y" | "yes", None) => answer(ApprovalAnswer::AllowOnce),
        ("a" | "always", None) => answer(ApprovalAnswer::AllowSession),
        ("n" | "no", _) => Reading::Answer(approve(call, ApprovalAnswer::Deny, None, reason)),
        ("s" | "show", None) => Reading::ShowAll,
        ("e" | "edit", None) => Reading::Edit(Value::Object(arguments.clone()).to_string()),
        _ => Reading::Unclear("Type y, a, n or e. The question stays open until it is answered.".to_owned()),
    }
}

/// Leaves out the middle of very long text.
fn cut(mut lines: Vec<String>, all: bool, style: Style) -> Vec<String> {
    if all || lines.len() <= HEAD + END + 1 {
        return lines;
    }
    let left_out = lines.len() - HEAD - END;
    let note = style.yellow(&format!("      … {left_out} lines are not shown here: type s to see all of it"));
    lines.splice(HEAD..HEAD + left_out, [note]);
    lines
}

fn read_answer(query: &QueryId, choices: &[Choice], line: &str) -> Reading {
    let answer = |answer| Reading::Answer(ClientFrame::AnswerQuery { query_id: query.clone(), answer });
    let chosen = line.parse::<usize>().ok().and_then(|number| choices.get(number.checked_sub(1)?));
    let named = || choices.iter().find(|choice| choice.label.eq_ignore_ascii_case(line) || choice.value == *line);
    if line == "/dismiss" {
        answer(None)
    } else if let Some(choice) = chosen.or_else(named) {
        answer(Some(choice.value.clone()))
    } else if choices.is_empty() && !line.is_empty() {
        answer(Some(Value::String(line.to_owned())))
    } else if choices.is_empty() {
        Reading::Unclear("Type an answer. The question stays open until it is answered.".to_owned())
    } else {
        let most = choices.len();
        Reading::Unclear(format!("Type a number from 1 to {most}. The question stays open until it is answered."))
    }
}

fn approve(
    call: &CallId,
    decision: ApprovalAnswer,
    arguments: Option<Map<String, Value>>,
    reason: Option<String>,
) -> ClientFrame {
    ClientFrame::ApproveTool { call_id: call.clone(), decision, arguments, reason }
}

fn doing(risk: Risk) -> &'static str {
    match risk {
        Risk::Read => "read",
        Risk::Write => "change files",
        Risk::Execute => "run a program",
        Risk::Network => "reach the network",
        Risk::Ui => "change what you see",
    }
}

#[cfg(test)]
#[path = "questions_tests.rs"]
mod tests;
