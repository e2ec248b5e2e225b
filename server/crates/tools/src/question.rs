//! What a running call may ask its user: one question at a time, answered in the user's own words or by one of the
//! choices. The tool holds a [`UserLine`]; the manager takes its questions to the session.

use serde_json::Value;
use switchboard_protocol::{CallId, Choice, ErrorType, FormField, QueryKind};
use tokio::sync::{mpsc, oneshot};

use super::result::ToolFailure;
use super::text::{sanitize, sanitize_line};

/// The longest question, in characters.
pub(super) const MAX_QUESTION_CHARS: usize = 4000;
/// The most choices.
pub(super) const MAX_CHOICES: usize = 100;
/// The longest label of a choice, in characters.
pub(super) const MAX_LABEL_CHARS: usize = 200;
/// The most fields of a form.
const MAX_FIELDS: usize = 32;
/// The longest value of a choice, in bytes of JSON.
const MAX_CHOICE_BYTES: usize = 1024;

/// A question that can be shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    kind: QueryKind,
    message: String,
    choices: Vec<Choice>,
    fields: Vec<FormField>,
    session_rule: Option<SessionRule>,
}

/// A rule that allows something for the rest of the session if the answer is this one.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionRule {
    /// The value of the choice that makes it.
    pub answer: Value,
    /// The rule, as users write it.
    pub rule: String,
}

/// What became of a question.
#[derive(Debug, Clone, PartialEq)]
pub enum QueryAnswer {
    /// The user's answer: the value of a choice, an object with a form's fields, or any JSON where there is neither; at
    /// most 64 KiB.
    Given(Value),
    /// The user does not want to answer.
    Dismissed,
    /// Nobody answered in time.
    Expired,
    /// The work ended first.
    Cancelled,
}

/// A question of a call, on its way to the session.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryAsk {
    /// The call that asks.
    pub call_id: CallId,
    /// What it asks.
    pub question: Question,
}

/// The tool's end of the line to the user of its call. Cheap to clone.
#[derive(Debug, Clone)]
pub struct UserLine(mpsc::Sender<AskedQuestion>);

/// The manager's end.
pub type UserAsks = mpsc::Receiver<AskedQuestion>;

/// A question that waits for its answer.
#[derive(Debug)]
pub struct AskedQuestion {
    /// What is asked.
    pub question: Question,
    /// Where the answer goes.
    pub reply: oneshot::Sender<QueryAnswer>,
}

impl Question {
    /// A question in plain text, answered by one of the choices, or freely when there are none.
    ///
    /// # Errors
    /// A `validation_error` when nothing is asked, or more than can be shown.
    pub fn new(kind: QueryKind, message: &str, choices: Vec<Choice>) -> Result<Self, ToolFailure> {
        let message = sanitize(message.trim());
        if message.trim().is_empty() {
            return Err(unfit("the question is empty"));
        }
        let length = message.chars().count();
        if length > MAX_QUESTION_CHARS {
            return Err(unfit(format!("the question has {length} characters; the limit is {MAX_QUESTION_CHARS}")));
        }
        let choices = fit_all(choices).map_err(unfit)?;
        Ok(Self { kind, message, choices, fields: Vec::new(), session_rule: None })
    }

    /// The same question with a form to fill in; its choices are other answers, such as a refusal.
    ///
    /// # Errors
    /// A `validation_error` when there is more than can be shown.
    pub fn with_fields(mut self, fields: Vec<FormField>) -> Result<Self, ToolFailure> {
        if fields.len() > MAX_FIELDS {
            return Err(unfit(format!("there are {} fields; the limit is {MAX_FIELDS}", fields.len())));
        }
        for mut field in fields {
            let problem = |problem: String| unfit(format!("field `{}`: {problem}", field.name));
            field.choices = field.choices.map(fit_all).transpose().map_err(problem)?;
            field.label = sanitize_line(field.label.trim());
            field.hint = field.hint.map(|hint| sanitize_line(hint.trim())).filter(|hint| !hint.is_empty());
            self.fields.push(field);
        }
        Ok(self)
    }

    /// The same question, of which one answer becomes a rule of the session that allows this.
    #[must_use]
    pub fn allowing(self, session_rule: SessionRule) -> Self {
        Self { session_rule: Some(session_rule), ..self }
    }

    /// The rule that an answer becomes.
    #[must_use]
    pub fn session_rule(&self) -> Option<&SessionRule> {
        self.session_rule.as_ref()
    }

    /// What it is about.
    #[must_use]
    pub fn kind(&self) -> QueryKind {
        self.kind
    }

    /// The question.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The answers to choose from; none when the answer is free.
    #[must_use]
    pub fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// The form to fill in; none when the question is not one.
    #[must_use]
    pub fn fields(&self) -> &[FormField] {
        &self.fields
    }
}

impl UserLine {
    /// A line and its other end.
    #[must_use]
    pub fn open() -> (Self, UserAsks) {
        let (sender, asks) = mpsc::channel(1);
        (Self(sender), asks)
    }

    /// Asks the user of the call and waits for what becomes of it. The call's time limit stands still meanwhile. A
    /// future that is dropped withdraws the question.
    pub async fn ask(&self, question: Question) -> QueryAnswer {
        let (reply, answer) = oneshot::channel();
        match self.0.send(AskedQuestion { question, reply }).await {
            Ok(()) => answer.await.unwrap_or(QueryAnswer::Cancelled),
            Err(_) => QueryAnswer::Cancelled,
        }
    }
}

fn fit_all(choices: Vec<Choice>) -> Result<Vec<Choice>, String> {
    if choices.len() > MAX_CHOICES {
        return Err(format!("there are {} choices; the limit is {MAX_CHOICES}", choices.len()));
    }
    let mut shown = Vec::new();
    for (number, choice) in choices.into_iter().enumerate() {
        let choice = fit(choice, &shown).map_err(|problem| format!("choice {}: {problem}", number + 1))?;
        shown.push(choice);
    }
    Ok(shown)
}

fn fit(choice: Choice, before: &[Choice]) -> Result<Choice, String> {
    let length = choice.label.chars().count();
    if length > MAX_LABEL_CHARS {
        return Err(format!("its label has {length} characters; the limit is {MAX_LABEL_CHARS}"));
    }
    let choice = Choice { label: sanitize_line(choice.label.trim()), ..choice };
    if choice.label.is_empty() {
        return Err("it has no label".to_owned());
    }
    if choice.value.to_string().len() > MAX_CHOICE_BYTES {
        return Err(format!("its value is larger than {MAX_CHOICE_BYTES} bytes"));
    }
    if before.iter().any(|other| other.value == choice.value || other.label == choice.label) {
        return Err(format!("`{}` appears twice", choice.label));
    }
    Ok(choice)
}

fn unfit(message: impl Into<String>) -> ToolFailure {
    ToolFailure::new(ErrorType::Validation, message).suggesting("Ask a shorter question, with fewer choices.")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn choice(value: &str, label: &str) -> Choice {
        Choice { value: json!(value), label: label.to_owned() }
    }

    fn problem(message: &str, choices: Vec<Choice>) -> String {
        let failure = Question::new(QueryKind::Query, message, choices).expect_err("it cannot be shown");
        assert_eq!(failure.error_type, ErrorType::Validation);
        failure.message
    }

    #[test]
    fn a_question_is_cleaned_for_every_screen() {
        let choices = vec![choice("y", " \u{1b}[31myes\u{1b}[0m\n")];
        let question = Question::new(QueryKind::Query, " Which\u{1b}[2J one? \n", choices).expect("it is fit");

        assert_eq!(question.message(), "Which one?");
        assert_eq!(question.choices(), [choice("y", "yes")]);
    }

    #[test]
    fn what_cannot_be_shown_is_refused() {
        assert_eq!(problem(" \n", Vec::new()), "the question is empty");
        assert!(problem(&"x".repeat(MAX_QUESTION_CHARS + 1), Vec::new()).contains("4001 characters"));
        let many = (0..=MAX_CHOICES).map(|n| choice(&n.to_string(), &n.to_string())).collect();
        assert!(problem("Which?", many).contains("101 choices"));
        assert_eq!(problem("Which?", vec![choice("a", "A"), choice("b", " ")]), "choice 2: it has no label");
        assert_eq!(problem("Which?", vec![choice("a", "A"), choice("a", "B")]), "choice 2: `B` appears twice");
        assert_eq!(problem("Which?", vec![choice("a", "A"), choice("b", "A")]), "choice 2: `A` appears twice");
        assert!(problem("Which?", vec![choice(&"v".repeat(2000), "A")]).contains("larger than 1024 bytes"));
        assert!(problem("Which?", vec![choice("a", &"l".repeat(201))]).contains("201 characters"));
    }

    #[tokio::test]
    async fn a_line_whose_other_end_has_gone_says_cancelled() {
        let (line, asks) = UserLine::open();
        drop(asks);
        let question = Question::new(QueryKind::Query, "Anybody?", Vec::new()).expect("it is fit");

        assert_eq!(line.ask(question).await, QueryAnswer::Cancelled);
    }
}
