//! A server's questions to the user (`elicitation/create`), asked while it works on a call: they go to the user of that
//! call, name the server, and end with the call. A server that asks while it works on nothing gets a no.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::{ElicitRequestParams, ElicitResult, ElicitationAction};
use serde_json::{Map, Value, json};
use switchboard_protocol::{Choice, QueryKind};
use tokio::sync::{mpsc, oneshot};

use super::form::{Field, fields_of};
use super::names::sanitized;
use switchboard_accounts::Principal;
use switchboard_tools::{QueryAnswer, Question, UserLine};

/// How many questions may wait for one call; the server gets a no for more.
const WAITING: usize = 4;

/// How often a field is asked for, if the answer does not fit.
const TRIES: usize = 3;

/// The longest message of a server, in characters.
const MAX_MESSAGE: usize = 1500;

/// The calls that run over one connection, and where their users are asked; the latest last.
#[derive(Debug, Default)]
pub(super) struct ElicitationRegistry(Mutex<Calls>);

#[derive(Debug, Default)]
struct Calls {
    next: u64,
    open: Vec<(u64, Principal, mpsc::Sender<Form>)>,
}

/// A call's place at the elicitations; it is left when this is dropped.
pub(super) struct ElicitationGuard {
    elicitations: Arc<ElicitationRegistry>,
    number: u64,
    pub(super) forms: mpsc::Receiver<Form>,
}

/// What a server wants to know.
#[derive(Debug)]
pub(super) struct Form {
    message: String,
    fields: Vec<Field>,
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
        // A page to be opened elsewhere is nothing that we said we do.
        let ElicitRequestParams::FormElicitationParams { message, requested_schema, .. } = request else { return no() };
        let schema = serde_json::to_value(requested_schema).unwrap_or_default();
        let Some(fields) = fields_of(&schema) else { return no() };
        let line = {
            let calls = self.calls();
            let mut users = calls.open.iter().map(|(_, user, _)| user);
            let first = users.next();
            let is_one = users.all(|user| Some(user) == first);
            calls.open.last().filter(|_| is_one).map(|(.., line)| line.clone())
        };
        let (reply, answer) = oneshot::channel();
        match line.map(|line| line.try_send(Form { message, fields, reply })) {
            Some(Ok(())) => answer.await.unwrap_or_else(|_| ElicitResult::new(ElicitationAction::Cancel)),
            _ => no(),
        }
    }

    fn calls(&self) -> MutexGuard<'_, Calls> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Form {
    /// Asks the user and tells the server; ends early when the server does not wait any more.
    pub(super) async fn ask(self, server: &str, user: &UserLine) {
        let Self { message, fields, mut reply } = self;
        let talk = Talk { server, user };
        let result = tokio::select! {
            result = talk.about(&message, &fields) => result,
            () = reply.closed() => return,
        };
        let _ = reply.send(match result {
            Ok(content) => ElicitResult::new(ElicitationAction::Accept).with_content(Value::Object(content)),
            Err(action) => ElicitResult::new(action),
        });
    }
}

/// Questions of one server to one user.
struct Talk<'a> {
    server: &'a str,
    user: &'a UserLine,
}

impl Talk<'_> {
    async fn about(&self, message: &str, fields: &[Field]) -> Result<Map<String, Value>, ElicitationAction> {
        let message: String = sanitized(message).0.trim().chars().take(MAX_MESSAGE).collect();
        let asks = format!("The MCP server {} asks: {message}", self.server);
        if let [field] = fields
            && let Some(mut choices) = field.choices()
        {
            choices.push(choice("decline", "Do not answer"));
            let answer = self.ask(&format!("{asks}\n\n{}", field.line()), choices).await?;
            return Ok(Map::from_iter([(field.name.clone(), answer)]));
        }
        let mut choices = match fields {
            [] => vec![choice("accept", "Yes")],
            [_] => vec![choice("accept", "Answer")],
            _ => vec![choice("accept", "Answer everything")],
        };
        if fields.len() > 1 && fields.iter().any(|field| !field.required) {
            choices.push(choice("needed", "Answer only what is needed"));
        }
        choices.push(choice("decline", if fields.is_empty() { "No" } else { "Do not answer" }));
        let wants = match fields {
            [] => String::new(),
            fields => {
                format!("\n\nIt wants to know:\n{}", fields.iter().map(Field::line).collect::<Vec<_>>().join("\n"))
            }
        };
        let how = self.ask(&format!("{asks}{wants}"), choices).await?;
        let only_needed = how == json!({"action": "needed"});
        let mut content = Map::new();
        for field in fields {
            let given = match (only_needed && !field.required, &field.default) {
                (true, default) => default.clone(),
                (false, _) => self.field(field).await?,
            };
            content.extend(given.map(|given| (field.name.clone(), given)));
        }
        Ok(content)
    }

    /// Asks for one field, again if the answer does not fit.
    async fn field(&self, field: &Field) -> Result<Option<Value>, ElicitationAction> {
        let asks = format!("The MCP server {} asks for:\n{}", self.server, field.line());
        let mut choices = field.choices().unwrap_or_default();
        if !choices.is_empty() && !field.required {
            choices.push(choice("leave", "Leave this out"));
        }
        let hint = if choices.is_empty() && !field.required { "\nA `-` leaves it out." } else { "" };
        let mut problem = String::new();
        for _ in 0..TRIES {
            let answer = self.ask(&format!("{problem}{asks}{hint}"), choices.clone()).await?;
            if !field.required && (answer == json!({"action": "leave"}) || answer == json!("-")) {
                return Ok(None);
            }
            match field.fit(answer) {
                Ok(value) => return Ok(Some(value)),
                Err(why) => problem = format!("That answer cannot be used: {why}.\n\n"),
            }
        }
        Err(ElicitationAction::Cancel)
    }

    async fn ask(&self, message: &str, choices: Vec<Choice>) -> Result<Value, ElicitationAction> {
        // What cannot be shown is not asked.
        let question = Question::new(QueryKind::Elicitation, message, choices);
        let question = question.map_err(|_| ElicitationAction::Decline)?;
        match self.user.ask(question).await {
            QueryAnswer::Given(answer) if answer == json!({"action": "decline"}) => Err(ElicitationAction::Decline),
            QueryAnswer::Given(answer) => Ok(answer),
            QueryAnswer::Dismissed | QueryAnswer::Expired | QueryAnswer::Cancelled => Err(ElicitationAction::Cancel),
        }
    }
}

/// A choice that is not a value of a field.
fn choice(action: &str, label: &str) -> Choice {
    Choice { value: json!({"action": action}), label: label.to_owned() }
}

#[cfg(test)]
#[path = "elicit_tests.rs"]
mod tests;
