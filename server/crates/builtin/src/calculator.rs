//! `calculator`: arithmetic with units, percentages and variables, by fend.
//!
//! An endless calculation is interrupted at the time limit; a deep one is refused before it starts.

use std::time::Duration;

use async_trait::async_trait;
use fend_core::Interrupt;
use serde_json::{Map, Number, Value, json};
use switchboard_protocol::{ErrorType, Risk, ToolDefinition};
use tokio_util::sync::CancellationToken;

use super::arithmetic::{is_name, name_references, readable};
use super::blocking::on_thread;
use super::schema;
use switchboard_events::ArtifactValue;
use switchboard_tools::{Tool, ToolContext, ToolFailure, ToolResult, ToolSpec};

/// The longest expression.
const MAX_EXPRESSION_CHARS: usize = 2000;

/// The longest expression that is computed without a thread of its own.
const MAX_QUICK_BYTES: usize = 64;

/// The longest result that is kept.
const MAX_RESULT_BYTES: usize = 100_000;

/// Computes.
pub(super) struct Calculator {
    spec: ToolSpec,
}

impl Calculator {
    pub(super) fn new() -> Self {
        let mut spec = ToolSpec::new(definition());
        spec.time_limit = Duration::from_secs(5);
        Self { spec }
    }
}

fn definition() -> ToolDefinition {
    ToolDefinition {
        name: "calculator".to_owned(),
        description: "Calculate an arithmetic expression: numbers, + - * / ^, parentheses, functions such as sqrt or \
                      sin, percentages, and units with conversion (\"5 km to miles\"). Compute sums, products, \
                      differences, averages, math."
            .to_owned(),
        module: "data".to_owned(),
        parameters: schema::arguments(
            &["expression"],
            json!({
                "expression": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": MAX_EXPRESSION_CHARS,
                    "description": "What to calculate, such as \"42 * 37\", \"15% of 80\" or \"answer + 1\".",
                },
                "variables": {
                    "type": "object",
                    "maxProperties": 100,
                    "additionalProperties": {"type": ["number", "string"]},
                    "description": "Values of the names in the expression, such as {\"answer\": \"@answer\"}.",
                },
            }),
        ),
        output: Some(json!({
            "type": ["number", "string", "boolean"],
            "description": "A number; with a unit, or if it is too large for a number, text.",
        })),
        example: json!({"expression": "price * 1.19", "variables": {"price": 42}}),
        risk: Risk::Read,
        examples: Vec::new(),
    }
}

#[async_trait]
impl Tool for Calculator {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn title(&self, arguments: &Map<String, Value>) -> Option<String> {
        Some(format!("Calculate {}", arguments.get("expression")?.as_str()?))
    }

    /// What the expression takes from a variable is one of `variables`: `@answer + 1`. Small models give them with the sign, too.
    fn normalise(&self, arguments: &mut Map<String, Value>) {
        let Some(expression) = arguments.get("expression").and_then(Value::as_str) else { return };
        let given = match arguments.get("variables") {
            Some(Value::Object(variables)) => variables.clone(),
            Some(_) => return,
            None => Map::new(),
        };
        let (signed, mut variables): (Map<_, _>, Map<_, _>) =
            given.into_iter().partition(|(name, _)| name.strip_prefix('@').is_some_and(is_name));
        for (name, value) in signed {
            variables.entry(&name[1..]).or_insert(value);
        }
        let named = name_references(expression, &mut variables);
        if !variables.is_empty() {
            arguments.insert("expression".to_owned(), named.into());
            arguments.insert("variables".to_owned(), variables.into());
        }
    }

    async fn execute(&self, context: &ToolContext, arguments: &Map<String, Value>) -> ToolResult {
        let expression = arguments.get("expression").and_then(Value::as_str).unwrap_or_default().to_owned();
        let variables = arguments.get("variables").and_then(Value::as_object).cloned().unwrap_or_default();
        let until = Until(context.cancellation.clone());
        if variables.is_empty() && is_quick(&expression) {
            return calculate(&expression, &variables, &until).into();
        }
        on_thread("calculator", move || calculate(&expression, &variables, &until)).await.into()
    }
}

/// Whether it is done before a thread could be started: short, and nothing in it grows large or nests deep.
fn is_quick(expression: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_digit() || b" .+-*/%".contains(&byte);
    expression.len() <= MAX_QUICK_BYTES && expression.bytes().all(is_plain) && !expression.contains("**")
}

struct Until(CancellationToken);

impl Interrupt for Until {
    fn should_interrupt(&self) -> bool {
        self.0.is_cancelled()
    }
}

fn calculate(expression: &str, variables: &Map<String, Value>, until: &Until) -> Result<ToolResult, ToolFailure> {
    let mut fend = fend_core::Context::new();
    let readable = readable(expression, variables)?;
    for (name, value) in variables {
        set(&mut fend, name, value, until)?;
    }
    let result = fend_core::evaluate_with_interrupt(&readable, &mut fend, until);
    let result = result.map_err(|error| wrong(expression, &error))?;
    let text = result.get_main_result().trim().to_owned();
    if text.is_empty() {
        return Err(wrong(expression, "it has no result"));
    }
    if text.len() > MAX_RESULT_BYTES {
        let message = format!("the result has {} characters, and the limit is {MAX_RESULT_BYTES}", text.len());
        return Err(
            ToolFailure::new(ErrorType::User, message).suggesting("Ask for an approximation or a smaller power.")
        );
    }
    let value = exact(&readable, &text, &mut fend, until).unwrap_or_else(|| value_of(&text));
    let shown = match (&value, text.as_str()) {
        // Rounded to nothing; the value is more exact.
        (Value::Number(number), "approx. 0") => format!("approx. {number}"),
        _ => text.clone(),
    };
    let view = format!("{} = {shown}", expression.trim().trim_end_matches(['=', '?']).trim_end());
    Ok(ToolResult::success(ArtifactValue::Json(value)).with_view(view).with_field("result", text))
}

fn set(fend: &mut fend_core::Context, name: &str, value: &Value, until: &Until) -> Result<(), ToolFailure> {
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !is_name {
        let message = format!("`variables` has {name:?}, which is not a valid name: use letters, digits and _");
        return Err(ToolFailure::new(ErrorType::Validation, message));
    }
    let text = match value {
        Value::String(text) if text.chars().count() <= MAX_EXPRESSION_CHARS => text.trim().to_owned(),
        Value::String(_) => return Err(not_a_number(name, "it is too long")),
        other => other.to_string(),
    };
    let text = text.strip_prefix("approx. ").unwrap_or(&text);
    let set = fend_core::evaluate_with_interrupt(&format!("{name} = ({text})"), fend, until);
    set.map(drop).map_err(|error| not_a_number(name, &error))
}

fn not_a_number(name: &str, why: &str) -> ToolFailure {
    let message = format!("the variable {name} cannot be used in a calculation: {why}");
    ToolFailure::new(ErrorType::User, message).suggesting("Give a number, or a number with a unit such as \"5 km\".")
}

fn wrong(expression: &str, error: &str) -> ToolFailure {
    if error == "interrupted" {
        return ToolFailure::new(ErrorType::Timeout, "the calculation was interrupted");
    }
    let message = format!("cannot calculate {expression:?}: {error}");
    ToolFailure::new(ErrorType::User, message)
        .suggesting("Write it with numbers, operators and units, such as \"(3 + 4) * 2\" or \"5 km to miles\".")
}

/// A rounded number with all the digits that a number can have.
fn exact(expression: &str, text: &str, fend: &mut fend_core::Context, until: &Until) -> Option<Value> {
    let rounded = text.strip_prefix("approx. ")?;
    if expression.contains(" to ") || expression.contains(" in ") {
        // It was asked for in this form.
        return None;
    }
    rounded.parse::<f64>().ok()?;
    let result = fend_core::evaluate_with_interrupt(&format!("({expression}) to 17 sf"), fend, until).ok()?;
    let digits = result.get_main_result().trim().trim_start_matches("approx. ").parse::<f64>().ok()?;
    Number::from_f64(digits).map(Value::Number)
}

/// A number or truth value if the text is just that, else the text.
fn value_of(text: &str) -> Value {
    let plain = text.strip_prefix("approx. ").unwrap_or(text);
    match plain {
        "true" => return Value::Bool(true),
        "false" => return Value::Bool(false),
        _ => {}
    }
    if let Ok(whole) = plain.parse::<i64>() {
        return whole.into();
    }
    let is_number = plain.starts_with(|c: char| c.is_ascii_digit() || c == '-') && plain.contains('.');
    let number = is_number.then(|| plain.parse::<f64>().ok().and_then(Number::from_f64)).flatten();
    number.map_or_else(|| Value::String(text.to_owned()), Value::Number)
}

#[cfg(test)]
#[path = "calculator_tests.rs"]
mod tests;
