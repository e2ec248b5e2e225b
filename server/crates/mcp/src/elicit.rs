//! A server's questions to the user (`elicitation/create`), asked while it works on a call: they go to the user of that
//! call, name the server, and end with the call. A server that asks while it works on nothing gets a no.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::{ElicitRequestParams, ElicitResult, ElicitationAction};
use serde_json::{Map, Value, json};
use switchboard_protocol::{Choice, QueryKind};
use tokio::sync::{mpsc, oneshot};

use super::form::{Field, fields_of, read};
use super::names::sanitized;
use switchboard_accounts::Principal;
use switchboard_tools::{QueryAnswer, Question, UserLine};

/// How many questions may wait for one call; the server gets a no for more.
const WAITING: usize = 4;

/// How often a form is shown, if what is filled in does not fit.
const TRIES: usize = 3;

/// The longest message of a server, in characters.
const MAX_MESSAGE: usize = 1500;

/// The calls that run over one connection, and where their users are asked; the latest last.
#[derive(Debug, Default)]
pub(super) struct ElicitationRegistry(Mutex<Calls>);

#[derive(Debug, Default)]
struct Calls {
    next: u64,
    open: Vec<(u64, Principal, mpsc::Sender<WaitingForm>)>,
}

/// A call's place at the elicitations; it is left when this is dropped.
pub(super) struct ElicitationGuard {
    elicitations: Arc<ElicitationRegistry>,
    number: u64,
    pub(super) forms: mpsc::Receiver<WaitingForm>,
}

/// What a server wants to know.
#[derive(Debug)]
pub(super) struct Form {
    message: String,
    fields: Vec<Field>,
}

/// A form whose server waits for the answer.
#[derive(Debug)]
pub(super) struct WaitingForm {
    form: Form,
    reply: oneshot::Sender<ElicitResult>,
}

impl Drop for ElicitationGuard {
    fn drop(&mut self) {
        self.elicitations.calls().open.retain(|(number, ..)| *number != self.number);
    }
}

impl ElicitationRegistry {
    /// A call runs for this user.
    pub(super) fn register(self: &Arc<Self>, principal: &Principal) -> ElicitationGuard {
        let (sender, forms) = mpsc::channel(WAITING);
        let mut calls = self.calls();
        let number = calls.next;
        calls.next += 1;
        calls.open.push((number, principal.clone(), sender));
        ElicitationGuard { elicitations: Arc::clone(self), number, forms }
    }

    /// Asks the user of the call that began last; nobody, if calls of several users run, because a server does not say
    /// which call it asks for.
    pub(super) async fn ask(&self, request: ElicitRequestParams) -> ElicitResult {
        let no = || ElicitResult::new(ElicitationAction::Decline);
        let Some(form) = Form::of(request) else { return no() };
        let line = {
            let calls = self.calls();
            let mut users = calls.open.iter().map(|(_, user, _)| user);
            let first = users.next();
            let is_one = users.all(|user| Some(user) == first);
            calls.open.last().filter(|_| is_one).map(|(.., line)| line.clone())
        };
        let (reply, answer) = oneshot::channel();
        match line.map(|line| line.try_send(WaitingForm { form, reply })) {
            Some(Ok(())) => answer.await.unwrap_or_else(|_| ElicitResult::new(ElicitationAction::Cancel)),
            _ => no(),
        }
    }

    fn calls(&self) -> MutexGuard<'_, Calls> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl WaitingForm {
    /// Asks the user and tells the server; ends early when the server does not wait any more.
    pub(super) async fn ask(self, server: &str, user: &UserLine) {
        let Self { form, mut reply } = self;
        let result = tokio::select! {
            result = form.ask(server, user) => result,
            () = reply.closed() => return,
        };
        let _ = reply.send(result);
    }
}

impl Form {
    /// What a request asks; `None` if it cannot be asked, such as for a page to be opened elsewhere, which we did not
    /// say we do.
    pub(super) fn of(request: ElicitRequestParams) -> Option<Self> {
        let ElicitRequestParams::FormElicitationParams { message, requested_schema, .. } = request else { return None };
        let schema = serde_json::to_value(requested_schema).ok()?;
        let message = sanitized(&message).0.trim().chars().take(MAX_MESSAGE).collect();
        Some(Self { message, fields: fields_of(&schema)? })
    }

    /// Asks the user; what the server hears.
    pub(super) async fn ask(&self, server: &str, user: &UserLine) -> ElicitResult {
        match self.content(server, user).await {
            Ok(content) => ElicitResult::new(ElicitationAction::Accept).with_content(Value::Object(content)),
            Err(action) => ElicitResult::new(action),
        }
    }

    /// Shows the form, and again with what is wrong and what was given if that does not fit.
    async fn content(&self, server: &str, user: &UserLine) -> Result<Map<String, Value>, ElicitationAction> {
        let asks = self.asks(server);
        let (mut given, mut problem) = (Map::new(), String::new());
        for _ in 0..TRIES {
            let shown = self.fields.iter().map(|field| field.shown(given.get(field.name()))).collect();
            let form = question(&format!("{problem}{asks}"), self.choices())?;
            let form = form.with_fields(shown).map_err(|_| ElicitationAction::Decline)?;
            let mut answer = ask(user, form).await?;
            let filled_in = match (answer["action"].as_str(), self.fields.as_slice()) {
                (Some("one-by-one"), _) => return self.one_by_one(server, user).await,
                (None, [field]) => Map::from_iter([(field.name().to_owned(), answer)]),
                _ => answer["content"].as_object_mut().map(std::mem::take).unwrap_or_default(),
            };
            match read(&self.fields, &filled_in) {
                Ok(content) => return Ok(content),
                Err(why) => (given, problem) = (filled_in, unfit(&why)),
            }
        }
        Err(ElicitationAction::Cancel)
    }

    fn asks(&self, server: &str) -> String {
        let asks = format!("The MCP server {server} asks: {}", self.message);
        match self.fields.as_slice() {
            [field] if field.is_choice() => format!("{asks}\n\n{}", field.line()),
            _ => asks,
        }
    }

    /// The answers for a client that shows no forms.
    fn choices(&self) -> Vec<Choice> {
        let mut choices = match self.fields.as_slice() {
            [] => return vec![choice("accept", "Yes"), choice("decline", "No")],
            [field] if field.is_choice() => field.choices(),
            _ => vec![choice("one-by-one", "Answer one by one")],
        };
        if read(&self.fields, &Map::new()).is_ok() {
            choices.push(choice("accept", "Send it as it is filled in"));
        }
        choices.push(choice("decline", "Do not answer"));
        choices
    }

    /// Asks for one field after the other.
    async fn one_by_one(&self, server: &str, user: &UserLine) -> Result<Map<String, Value>, ElicitationAction> {
        let mut content = Map::new();
        for field in &self.fields {
            let mut choices = if field.is_choice() { field.choices() } else { Vec::new() };
            let mut asks = format!("The MCP server {server} asks for:\n{}", field.line());
            match (field.can_be_skipped(), choices.is_empty()) {
                (true, true) => asks += "\nA `-` leaves it as it is.",
                (true, false) => choices.push(choice("skip", "Leave it as it is")),
                (false, _) => {}
            }
            content.extend(field_alone(field, &asks, &choices, user).await?);
        }
        Ok(content)
    }
}

/// Asks for one field, again if the answer does not fit.
async fn field_alone(
    field: &Field,
    asks: &str,
    choices: &[Choice],
    user: &UserLine,
) -> Result<Map<String, Value>, ElicitationAction> {
    let mut problem = String::new();
    for _ in 0..TRIES {
        let answer = ask(user, question(&format!("{problem}{asks}"), choices.to_vec())?).await?;
        let skips = field.can_be_skipped() && (answer == json!({"action": "skip"}) || answer == "-");
        let given = if skips { Map::new() } else { Map::from_iter([(field.name().to_owned(), answer)]) };
        match read(std::slice::from_ref(field), &given) {
            Ok(content) => return Ok(content),
            Err(why) => problem = unfit(&why),
        }
    }
    Err(ElicitationAction::Cancel)
}

fn unfit(why: &str) -> String {
    format!("This cannot be sent: {why}.\n\n")
}

/// What cannot be shown is not asked.
fn question(message: &str, choices: Vec<Choice>) -> Result<Question, ElicitationAction> {
    Question::new(QueryKind::Elicitation, message, choices).map_err(|_| ElicitationAction::Decline)
}

async fn ask(user: &UserLine, question: Question) -> Result<Value, ElicitationAction> {
    match user.ask(question).await {
        QueryAnswer::Given(answer) if answer == json!({"action": "decline"}) => Err(ElicitationAction::Decline),
        QueryAnswer::Given(answer) => Ok(answer),
        QueryAnswer::Dismissed | QueryAnswer::Expired | QueryAnswer::Cancelled => Err(ElicitationAction::Cancel),
    }
}

/// A choice that is not a value of a field.
fn choice(action: &str, label: &str) -> Choice {
    Choice { value: json!({"action": action}), label: label.to_owned() }
}

#[cfg(test)]
#[path = "elicit_tests.rs"]
mod tests;
