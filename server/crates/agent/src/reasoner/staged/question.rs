//! One structured question: asked, read, checked, and sent back with what is wrong.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::reasoner::model::{
    Asker, FieldReader, failed, load_pictures, longer, own_limit, system_prompt, tidy, with_pictures, with_sight,
};
use crate::reasoner::{CandidateTool, ReasonerError, TurnContext};
use switchboard_context::ContextError;
use switchboard_events::{ChatMessage, ChatRole};
use switchboard_llm::{FinishReason, LlmError, LlmRequest, ModelInfo, Pictures, ResponseSchema, object_in};
use switchboard_protocol::Risk;

/// How often a reply that does not fit is sent back.
const REPAIRS: usize = 2;

/// How freely the model decides.
const TEMPERATURE: f64 = 0.1;

/// How long a decision may be, in tokens.
const MAX_TOKENS: u32 = 1000;

/// How much of a reply that does not fit is sent back.
const MAX_SENT_BACK: usize = 4096;

/// The field that is shown while it is written.
const SHOWN: &str = "userResponse";

/// A question whose answer is a JSON object.
pub(super) struct StagePrompt {
    pub(super) name: &'static str,
    pub(super) instructions: &'static str,
    pub(super) prompt: String,
    pub(super) schema: Value,
}

/// What the answer is checked against.
#[derive(Clone, Copy)]
pub(super) enum Shape<'a> {
    /// The schema.
    Schema,
    /// The tools: it names one of these and gives it what it needs, or names none.
    Selection(&'a [CandidateTool]),
}

/// Why a reply cannot be used.
struct Problem {
    what: String,
    /// What the model could do instead.
    advice: String,
    /// The tool cannot run yet, or has just run: told the same again, it is not to be chosen.
    is_too_early: bool,
}

impl From<String> for Problem {
    fn from(what: String) -> Self {
        Self { what, advice: String::new(), is_too_early: false }
    }
}

impl StagePrompt {
    /// The answer.
    ///
    /// # Errors
    /// If no reply fits, after it was sent back: what cannot be read is no decision.
    pub(super) async fn ask(
        self,
        asker: &mut Asker,
        context: &TurnContext<'_>,
        shape: Shape<'_>,
    ) -> Result<Map<String, Value>, ReasonerError> {
        let mut request = self.request(context, asker.model());
        load_pictures(&mut request, context.values, asker.model()).await;
        let mut last = String::new();
        for round in 0..=REPAIRS {
            let (text, finish) = match once(asker, context, &request).await {
                // It takes no reply that is as long as the window leaves room for.
                Err(error @ (LlmError::BadRequest { .. } | LlmError::ContextTooLong(_)))
                    if request.max_tokens > MAX_TOKENS =>
                {
                    request.max_tokens = own_limit(&error, request.max_tokens, MAX_TOKENS).unwrap_or(MAX_TOKENS);
                    once(asker, context, &request).await
                }
                once => once,
            }
            .map_err(|error| failed(&error, context.reply))?;
            let problem: Problem = match (finish, object_in(&text)) {
                (FinishReason::Filtered, _) => return Err(failed(&LlmError::Filtered(text), context.reply)),
                (FinishReason::Length, _) => {
                    let before = request.max_tokens;
                    match longer(&request, &context.view.conversation, asker.model()) {
                        Some(limit) => {
                            request.max_tokens = limit;
                            format!(
                                "it reached its limit of {before} tokens and was cut off; the limit is {limit} tokens now"
                            )
                        }
                        None => format!("it reached its limit of {before} tokens and was cut off; say less"),
                    }
                    .into()
                }
                (_, None) => "it contains no JSON object".to_owned().into(),
                (_, Some(mut object)) => match check(&mut object, shape, &self.schema, context).await {
                    Ok(()) => return Ok(object),
                    // Small models say the same again, whatever they are told.
                    Err(problem) if problem.is_too_early && problem.what == last => {
                        let ruled_out = rule_out(&object, &mut request);
                        let advice = ruled_out.map_or(problem.advice, |name| {
                            format!(". It cannot be `{name}` now: choose another tool, or null")
                        });
                        Problem { advice, ..problem }
                    }
                    Err(problem) => problem,
                },
            };
            let Problem { what, advice, .. } = problem;
            tracing::debug!(question = self.name, round, "a reply cannot be used: {what}");
            send_back(&mut request, &text, &format!("{what}{advice}"));
            last = what;
        }
        context.reply.restart();
        Err(ReasonerError::Answer(format!(
            "the model's {} could not be used, though it was asked {} times: {last}",
            self.name,
            REPAIRS + 1
        )))
    }

    fn request(&self, context: &TurnContext<'_>, model: &ModelInfo) -> LlmRequest {
        LlmRequest {
            situation: "".into(),
            system: with_sight(&[system_prompt(&context.view.conversation), self.instructions.trim()], model).into(),
            messages: vec![with_pictures(self.prompt.trim_end(), context, model)],
            pictures: Pictures::new(),
            web_search: false,
            tools: Vec::new(),
            schema: Some(ResponseSchema { name: self.name.to_owned(), schema: self.schema.clone() }),
            temperature: TEMPERATURE,
            max_tokens: MAX_TOKENS,
        }
    }
}

async fn once(
    asker: &mut Asker,
    context: &TurnContext<'_>,
    request: &LlmRequest,
) -> Result<(String, FinishReason), LlmError> {
    context.reply.restart();
    let mut reader = FieldReader::new(SHOWN);
    let mut take = |piece: &str| {
        let shown = reader.push(piece);
        if !shown.is_empty() {
            context.reply.text(&shown);
        }
    };
    match asker.stream(request, &mut take).await {
        Ok(reply) => Ok((reply.text, reply.finish)),
        // Nothing is no decision: it is sent back like any other that does not fit.
        Err(LlmError::Empty) => Ok((String::new(), FinishReason::Unknown)),
        Err(error) => Err(error),
    }
}

fn send_back(request: &mut LlmRequest, text: &str, problem: &str) {
    let said = switchboard_tools::head_and_tail(text, MAX_SENT_BACK).into_owned();
    let said = if said.trim().is_empty() { "(nothing)".to_owned() } else { said };
    let again = format!(
        "That reply cannot be used: {problem}. Respond again, with one JSON object as described and nothing else."
    );
    request.messages.truncate(1);
    request.messages.push(Arc::new(ChatMessage::new(ChatRole::Assistant, said)));
    request.messages.push(Arc::new(ChatMessage::new(ChatRole::User, again)));
}

/// Takes the chosen tool out of what the model may answer, where its provider holds it to a schema; the tool.
fn rule_out(object: &Map<String, Value>, request: &mut LlmRequest) -> Option<String> {
    let name = object.get("selectedTool")?.as_str()?.to_owned();
    let branches = request.schema.as_mut()?.schema.get_mut("anyOf")?.as_array_mut()?;
    branches.retain(|branch| branch["properties"]["selectedTool"]["enum"][0] != *name);
    Some(name)
}

async fn check(
    object: &mut Map<String, Value>,
    shape: Shape<'_>,
    schema: &Value,
    context: &TurnContext<'_>,
) -> Result<(), Problem> {
    match shape {
        Shape::Schema => Ok(fits_schema(object, schema)?),
        Shape::Selection(candidates) => {
            drop_inventions(object, context).await;
            fits_tools(object, candidates, context).await
        }
    }
}

/// Leaves out what a tool that only reads need not have, where the model refers to a variable that it made up. Small models
/// give `grep` the path `@workspace`, and choose no tool when that is sent back.
async fn drop_inventions(object: &mut Map<String, Value>, context: &TurnContext<'_>) {
    let tool = object.get("selectedTool").and_then(Value::as_str).and_then(|name| context.registry.get(name));
    let Some(tool) = tool.filter(|tool| tool.spec().definition.risk <= Risk::Read) else { return };
    let schema = &tool.spec().definition.parameters;
    let is_optional = |name: &str| schema["properties"].get(name).is_some() && !is_required(schema, name);
    let Some(parameters) = object.get_mut("parameters").and_then(Value::as_object_mut) else { return };
    let mut invented = Vec::new();
    for (name, value) in parameters.iter().filter(|(name, _)| is_optional(name)) {
        let refers = value.as_str().is_some_and(|text| text.starts_with('@') && !text.starts_with("@@"));
        let alone = Map::from_iter([(name.clone(), value.clone())]);
        let is_bad = no_reference(&alone, &Value::Null).is_some();
        if refers && (is_bad || context.view.context.resolve_params(context.values, &alone).await.is_err()) {
            invented.push(name.clone());
        }
    }
    parameters.retain(|name, _| !invented.contains(name));
}

/// Against the schema; a field too many or a missing text does no harm.
fn fits_schema(object: &Map<String, Value>, schema: &Value) -> Result<(), String> {
    let mut relaxed = schema.clone();
    if let Some(fields) = relaxed.as_object_mut() {
        fields.remove("additionalProperties");
        if let Some(required) = fields.get_mut("required").and_then(Value::as_array_mut) {
            required.retain(|name| name == "needsTools" || name == "complete");
        }
        for (_, property) in fields.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten() {
            if let Some(property) = property.as_object_mut() {
                property.remove("maxLength");
            }
        }
    }
    let validator = jsonschema::validator_for(&relaxed).map_err(|error| error.to_string())?;
    let value = Value::Object(object.clone());
    let problems: Vec<String> = validator
        .iter_errors(&value)
        .take(3)
        .map(|error| match error.instance_path().to_string().as_str() {
            "" => error.to_string(),
            path => format!("{path}: {error}"),
        })
        .collect();
    if problems.is_empty() { Ok(()) } else { Err(problems.join("; ")) }
}

async fn fits_tools(
    object: &Map<String, Value>,
    candidates: &[CandidateTool],
    context: &TurnContext<'_>,
) -> Result<(), Problem> {
    let name = match object.get("selectedTool") {
        Some(Value::Null) => return Ok(()),
        Some(Value::String(name)) => name,
        Some(_) => return Err("/selectedTool: it is neither a name nor null".to_owned().into()),
        None => return Err("/selectedTool is missing".to_owned().into()),
    };
    if !candidates.iter().any(|candidate| candidate.definition.name == *name) {
        let names: Vec<&str> = candidates.iter().map(|candidate| candidate.definition.name.as_str()).collect();
        return Err(format!("/selectedTool: there is no tool `{name}` here; the tools are {}", names.join(", ")).into());
    }
    let Some(tool) = context.registry.get(name) else {
        return Err(format!("/selectedTool: `{name}` is no longer available").into());
    };
    let schema = &tool.spec().definition.parameters;
    let as_given = |parameters: &Map<String, Value>| {
        let mut parameters = parameters.clone();
        tidy(&mut parameters, schema);
        tool.tool().normalise(&mut parameters);
        parameters
    };
    let parameters = match object.get("parameters") {
        Some(Value::Object(parameters)) => as_given(parameters),
        None | Some(Value::Null) => as_given(&Map::new()),
        Some(_) => return Err("/parameters: it is not an object".to_owned().into()),
    };
    if let Some(problem) = no_reference(&parameters, schema) {
        return Err(problem.into());
    }
    // It would not run again, and bring nothing new.
    if let Some(latest) = context.latest()
        && latest.tool == *name
        && latest.outcome.result.is_success()
        && as_given(&latest.arguments) == parameters
    {
        return Err(Problem {
            what: format!("`{name}` was called with these parameters just now, and its result is there"),
            advice: "; choose the tool for what is left of the request, or null".to_owned(),
            is_too_early: true,
        });
    }
    let mut arguments = match context.view.context.resolve_params(context.values, &parameters).await {
        Ok(resolved) => resolved.arguments,
        Err(error) => {
            let is_too_early = matches!(error, ContextError::Unresolved { .. });
            let advice = match (is_too_early, context.view.context.is_empty()) {
                (true, true) => {
                    "; choose the tool that must run first to get this value, and this one when it is there"
                }
                (true, false) => {
                    "; give a variable that is there, or choose the tool that must run first to get this value"
                }
                (false, _) => "",
            };
            let what = format!("/parameters: failed to {error}");
            return Err(Problem { what, advice: advice.to_owned(), is_too_early });
        }
    };
    tool.tool().normalise(&mut arguments);
    let problems = tool.validator().problems(&arguments);
    match tool.validator().failure(&problems) {
        Some(failure) => Err(format!("/parameters: {}", failure.message).into()),
        None => Ok(()),
    }
}

fn is_required(schema: &Value, name: &str) -> bool {
    schema["required"].as_array().is_some_and(|names| names.iter().any(|one| one == name))
}

/// What is wrong with a value that is written like a reference and is none. Small models copy the marks around a request.
fn no_reference(parameters: &Map<String, Value>, schema: &Value) -> Option<String> {
    let (name, value) = parameters.iter().find_map(|(name, value)| {
        let text = value.as_str()?;
        let looks_like_one = text.starts_with('@') && !text.starts_with("@@") && !text.contains(char::is_whitespace);
        (looks_like_one && text.len() > 1 && switchboard_context::reference(text).is_none()).then_some((name, text))
    })?;
    let value = switchboard_tools::head_and_tail(value, 64);
    let next = match is_required(schema, name) {
        true => "give a variable that is listed, or the text itself",
        false => "it is optional, so leave it out, unless the request names one",
    };
    Some(format!("/parameters/{name}: `{value}` refers to nothing; {next}. A text that begins with @ is written @@."))
}
