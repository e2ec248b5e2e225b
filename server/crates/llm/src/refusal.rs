//! What a provider's refusal means: by its status, its codes and, where those say nothing, its words.

use std::time::Duration;

use serde_json::Value;

use super::error::LlmError;
use super::excerpt::excerpt;

/// How providers say that a request is too long for the model's window.
const TOO_LONG: [&str; 12] = [
    "context_length_exceeded",
    "exceed_context_size",
    "context length",
    "context window",
    "context size",
    "context limit",
    "maximum context",
    "prompt is too long",
    "input is too long",
    "too many tokens",
    "input token count",
    "reduce the length",
];

/// How providers say that their filter refused a request.
const FILTERED: [&str; 4] = ["content_filter", "content_policy", "responsible ai", "data_inspection_failed"];

/// How providers say that the account's money is used up, which no waiting mends.
const NO_MONEY: [&str; 2] = ["insufficient_quota", "credit balance is too low"];

/// A refusal by status.
pub(super) fn of_status(status: u16, retry_after: Option<Duration>, body: &str) -> LlmError {
    let parsed = serde_json::from_str::<Value>(body).unwrap_or_default();
    // Gemini sends a list with one refusal.
    let parsed = parsed.get(0).unwrap_or(&parsed);
    let error = parsed.get("error").filter(|error| !error.is_null()).unwrap_or(parsed);
    let said = if error.is_null() { body.to_owned() } else { words(error) };
    meaning(status, retry_after, &said, &code(error))
}

/// An error inside a reply whose status was 200.
pub(super) fn of_value(error: &Value) -> LlmError {
    let code = code(error);
    let number = error.get("code").or_else(|| error.get("status")).and_then(Value::as_u64);
    let number = number.and_then(|number| u16::try_from(number).ok()).filter(|number| (400..600).contains(number));
    let status = number.unwrap_or_else(|| match code.as_str() {
        code if code.contains("rate_limit") => 429,
        code if code.contains("overloaded") => 529,
        code if code.contains("too_large") => 413,
        code if code.contains("billing") => 402,
        code if code.contains("invalid") => 400,
        code if code.contains("auth") || code.contains("permission") => 401,
        code if code.contains("not_found") => 404,
        _ => 500,
    });
    meaning(status, None, &words(error), &code)
}

fn meaning(status: u16, retry_after: Option<Duration>, said: &str, code: &str) -> LlmError {
    let detail = match excerpt(said) {
        text if text.is_empty() => "it gives no reason".to_owned(),
        text => text,
    };
    let hints = format!("{code} {}", said.to_lowercase());
    let says = |words: &[&str]| words.iter().any(|word| hints.contains(word));
    match status {
        400 | 413 | 422 | 500 if says(&TOO_LONG) => LlmError::ContextTooLong(detail),
        413 => LlmError::ContextTooLong(detail),
        // Some tell a wrong key as a wrong request.
        400 if says(&["api key not valid", "api_key_invalid", "invalid_api_key"]) => {
            LlmError::Authentication { status, detail }
        }
        400 | 403 | 422 if says(&FILTERED) => LlmError::Filtered(detail),
        401..=403 => LlmError::Authentication { status, detail },
        404 => LlmError::UnknownModel(detail),
        400 | 429 if says(&NO_MONEY) => LlmError::Authentication { status, detail },
        429 => LlmError::RateLimited { retry_after, detail },
        408 | 425 | 500.. => LlmError::Overloaded { status, retry_after, detail },
        status => LlmError::BadRequest { status, detail },
    }
}

/// The code and type of an error, as one lower-case text.
fn code(error: &Value) -> String {
    let text = |name: &str| error.get(name).and_then(Value::as_str).unwrap_or_default();
    format!("{} {} {}", text("code"), text("type"), text("status")).trim().to_lowercase()
}

/// What an error says to people.
fn words(error: &Value) -> String {
    let field = |name: &str| error.get(name).and_then(Value::as_str);
    match error {
        Value::String(text) => text.clone(),
        _ => {
            let message = field("message").or_else(|| field("detail")).or_else(|| field("error"));
            let message = message.map_or_else(|| error.to_string(), ToOwned::to_owned);
            // OpenRouter hands on what the provider behind it said.
            let behind = error.get("metadata").and_then(|metadata| metadata.get("raw")).and_then(Value::as_str);
            match behind {
                Some(behind) => format!("{message}: {behind}"),
                None => message,
            }
        }
    }
}

#[cfg(test)]
#[path = "refusal_tests.rs"]
mod tests;
