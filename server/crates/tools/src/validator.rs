//! Checks arguments against a tool's schema and says everything that is wrong at once, with an example of a right call.
//! A schema cannot hang or grow the server: no remote references, and patterns that run in linear time.

use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use serde_json::{Map, Value};
use switchboard_protocol::{ErrorType, Risk, ToolDefinition};

use super::error::ToolError;
use super::result::ToolFailure;
use super::schema::Schema;
use super::text::{call_text, cut, sanitize_line};
use switchboard_runtime::nearest;

/// How many problems a failure names.
const MAX_PROBLEMS: usize = 20;

/// Checks the arguments of one tool.
pub struct ToolValidator {
    schema: Schema,
    output: Option<Schema>,
    parameters: Vec<String>,
    example: String,
}

/// One thing that is wrong with the arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where: `timeout`, `file_paths[0]`; empty for the arguments as a whole.
    pub path: String,
    /// What is wrong and what was expected, for a sentence that begins with the path.
    pub message: String,
    /// Whether it is about the value that stands there, not about the place itself.
    pub of_value: bool,
}

impl ToolValidator {
    /// The validator of a tool.
    ///
    /// # Errors
    /// When the schema is too large, is not a schema, refers to something outside, or is not one of an object.
    pub fn new(definition: &ToolDefinition) -> Result<Self, ToolError> {
        let refused = |detail: String| ToolError::Schema { tool: definition.name.clone(), detail };
        let schema = &definition.parameters;
        if schema.get("type").and_then(Value::as_str) != Some("object") {
            return Err(refused("its type is not \"object\"".to_owned()));
        }
        let checked = Schema::new(schema).map_err(refused)?;
        let output = definition.output.as_ref().map(Schema::new).transpose();
        let output = output.map_err(|detail| refused(format!("its output schema: {detail}")))?;
        let properties = schema.get("properties").and_then(Value::as_object);
        let parameters = properties.map(|properties| properties.keys().cloned().collect()).unwrap_or_default();
        let example = definition.example.as_object().map(|example| call_text(&definition.name, example));
        Ok(Self {
            schema: checked,
            output,
            parameters,
            example: example.unwrap_or_else(|| format!("{}()", definition.name)),
        })
    }

    /// The validator of files whose form this JSON Schema is.
    ///
    /// # Errors
    /// When that is no schema of an object.
    pub fn of_files(schema: &str) -> Result<Self, String> {
        let definition = ToolDefinition {
            name: "file".to_owned(),
            description: String::new(),
            module: String::new(),
            parameters: serde_json::from_str(schema).map_err(|error| error.to_string())?,
            output: None,
            example: Value::Null,
            risk: Risk::Read,
            examples: Vec::new(),
        };
        Self::new(&definition).map_err(|error| error.to_string())
    }

    /// The JSON object that a file's text is, if it has the form.
    ///
    /// # Errors
    /// Every problem, with its place.
    pub fn read_file(&self, text: &str) -> Result<Value, String> {
        let value: Map<String, Value> =
            serde_json::from_str(text).map_err(|error| format!("it is not a JSON object: {error}"))?;
        match self.problems(&value).as_slice() {
            [] => Ok(Value::Object(value)),
            problems => {
                let all = problems.iter().map(|problem| format!("`{}` {}", problem.path, problem.message));
                Err(all.collect::<Vec<_>>().join("; "))
            }
        }
    }

    /// Everything that is wrong with these arguments, in the order of the schema's checks.
    #[must_use]
    pub fn problems(&self, arguments: &Map<String, Value>) -> Vec<Problem> {
        let instance = Value::Object(arguments.clone());
        if let Some(levels) = self.schema.too_deep(&instance) {
            let message = format!(
                "are nested more than {levels} levels deep, which is too deep to check against this tool's schema"
            );
            return vec![Problem { path: String::new(), message, of_value: false }];
        }
        let mut problems: Vec<Problem> =
            self.schema.validator().iter_errors(&instance).flat_map(|error| self.described(&error)).collect();
        problems.dedup();
        problems
    }

    /// Why a result does not fit the schema that the tool itself gives for it, if it does not.
    #[must_use]
    pub fn output_mismatch(&self, value: &Value) -> Option<String> {
        let output = self.output.as_ref()?;
        if let Some(levels) = output.too_deep(value) {
            return Some(format!("it is nested more than {levels} levels deep"));
        }
        let error = output.validator().iter_errors(value).next()?;
        let described = self.described(&error).into_iter().next()?;
        Some(described.to_text())
    }

    /// A call that would be right: `bash(command="ls -la")`.
    #[must_use]
    pub fn example(&self) -> &str {
        &self.example
    }

    /// The failure that says all this, with the example; `None` if nothing is wrong.
    #[must_use]
    pub fn failure(&self, problems: &[Problem]) -> Option<ToolFailure> {
        let mut parts: Vec<String> = problems.iter().take(MAX_PROBLEMS).map(Problem::to_text).collect();
        if problems.len() > MAX_PROBLEMS {
            parts.push(format!("and {} more", problems.len() - MAX_PROBLEMS));
        }
        let message = match parts.as_slice() {
            [] => return None,
            [one] => one.clone(),
            many => format!("{} problems with the arguments: {}", problems.len(), many.join("; ")),
        };
        let suggestion = format!("Example: {}", self.example);
        Some(ToolFailure::new(ErrorType::Validation, message).suggesting(suggestion))
    }

    fn described(&self, error: &ValidationError<'_>) -> Vec<Problem> {
        let path = display_path(error.instance_path().as_str());
        let at = |message: String| vec![Problem { path: path.clone(), message, of_value: true }];
        let found = || cut(&error.instance().to_string(), 60).into_owned();
        match error.kind() {
            ValidationErrorKind::Required { property } => {
                let name = property.as_str().unwrap_or_default();
                vec![Problem { path: join(&path, name), message: "is missing".to_owned(), of_value: false }]
            }
            ValidationErrorKind::AdditionalProperties { unexpected } => {
                unexpected.iter().map(|name| self.unknown(&path, name)).collect()
            }
            ValidationErrorKind::Type { kind } => {
                let expected = type_names(kind);
                at(format!("must be {expected}, not {} ({})", type_name(error.instance()), found()))
            }
            ValidationErrorKind::Enum { options } => at(format!("must be one of {options}, not {}", found())),
            ValidationErrorKind::Constant { expected_value } => {
                at(format!("must be {expected_value}, not {}", found()))
            }
            ValidationErrorKind::Minimum { limit } => at(format!("must be at least {limit}, not {}", found())),
            ValidationErrorKind::Maximum { limit } => at(format!("must be at most {limit}, not {}", found())),
            ValidationErrorKind::ExclusiveMinimum { limit } => at(format!("must be above {limit}, not {}", found())),
            ValidationErrorKind::ExclusiveMaximum { limit } => at(format!("must be below {limit}, not {}", found())),
            ValidationErrorKind::MinLength { limit: 1 } => at("must not be empty".to_owned()),
            ValidationErrorKind::MinLength { limit } => at(format!("must have at least {limit} characters")),
            ValidationErrorKind::MaxLength { limit } => at(format!("must have at most {limit} characters")),
            ValidationErrorKind::MinItems { limit: 1 } => at("must not be empty".to_owned()),
            ValidationErrorKind::MinItems { limit } => at(format!("must have at least {limit} items")),
            ValidationErrorKind::MaxItems { limit } => at(format!("must have at most {limit} items")),
            ValidationErrorKind::Pattern { pattern } => at(format!("must match {pattern}, unlike {}", found())),
            ValidationErrorKind::AnyOf { .. } | ValidationErrorKind::OneOfNotValid { .. } => {
                at(format!("fits none of the accepted forms: {}", found()))
            }
            _ => at(cut(&error.to_string(), 200).into_owned()),
        }
    }

    fn unknown(&self, path: &str, name: &str) -> Problem {
        let known = nearest(name, self.parameters.iter().map(String::as_str), 1);
        let message = match known.as_slice() {
            [near, ..] if path.is_empty() => format!("is not a parameter; did you mean `{near}`?"),
            _ => "is not a parameter".to_owned(),
        };
        Problem { path: join(path, name), message, of_value: false }
    }
}

impl Problem {
    fn to_text(&self) -> String {
        if self.path.is_empty() {
            return sanitize_line(&format!("the arguments: {}", self.message));
        }
        sanitize_line(&format!("`{}` {}", self.path, self.message))
    }
}

/// `/file_paths/0` as `file_paths[0]`.
fn display_path(pointer: &str) -> String {
    let steps = pointer.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~"));
    steps.fold(String::new(), |path, step| {
        if !path.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit()) {
            format!("{path}[{step}]")
        } else {
            join(&path, &step)
        }
    })
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

fn type_names(kind: &TypeKind) -> String {
    let name = |name: &str| match name {
        "array" | "integer" | "object" => format!("an {name}"),
        "null" => "null".to_owned(),
        other => format!("a {other}"),
    };
    match kind {
        TypeKind::Single(one) => name(one.as_str()),
        TypeKind::Multiple(set) => set.into_iter().map(|one| name(one.as_str())).collect::<Vec<_>>().join(" or "),
    }
}

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
#[path = "validator_tests.rs"]
mod tests;
