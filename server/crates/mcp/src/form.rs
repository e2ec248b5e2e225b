//! The fields of a server's question: how each is shown, and whether an answer fits it.

use serde_json::{Map, Value, json};
use switchboard_protocol::Choice;

use super::names::sanitized;

/// How many fields a question may have.
const MAX_FIELDS: usize = 32;

/// The longest words about a field, in characters.
const MAX_WORDS: usize = 200;

/// Something that a server wants to know.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Field {
    pub(super) name: String,
    about: String,
    pub(super) required: bool,
    pub(super) default: Option<Value>,
    schema: Value,
}

/// The fields of a form; none if it cannot be asked.
pub(super) fn fields_of(schema: &Value) -> Option<Vec<Field>> {
    let empty = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    let required = |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|n| n == name));
    let fields = properties.iter().map(|(name, schema)| {
        let title = schema["title"].as_str().unwrap_or(name);
        let about = [title, schema["description"].as_str().unwrap_or_default()];
        Field {
            name: name.clone(),
            about: about.map(short).into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join(": "),
            required: required(name),
            default: schema.get("default").cloned(),
            schema: schema.clone(),
        }
    });
    (properties.len() <= MAX_FIELDS).then(|| fields.collect())
}

impl Field {
    /// The field in one line: what it is, of which kind, whether it is needed.
    pub(super) fn line(&self) -> String {
        let bound = |key: &str, word: &str| self.schema[key].as_number().map(|limit| format!("{word} {limit}"));
        let kind = match self.kind() {
            "boolean" => "yes or no".to_owned(),
            "array" => {
                let labels: Vec<_> = options(&self.schema["items"]).into_iter().map(|option| option.label).collect();
                format!("any of {}, separated by commas", labels.join(", "))
            }
            _ if self.choices().is_some() => "one of a list".to_owned(),
            "string" => self.schema["format"].as_str().map_or_else(|| "text".to_owned(), short),
            kind => [Some(kind.to_owned()), bound("minimum", "from"), bound("maximum", "to")]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join(" "),
        };
        let needed = if self.required { "" } else { "; optional" };
        format!("- {} ({kind}{needed})", self.about)
    }

    /// The answers there are, if they can be counted.
    pub(super) fn choices(&self) -> Option<Vec<Choice>> {
        if self.kind() == "boolean" {
            return Some(vec![
                Choice { value: json!(true), label: "Yes".to_owned() },
                Choice { value: json!(false), label: "No".to_owned() },
            ]);
        }
        let choices = if self.kind() == "array" { Vec::new() } else { options(&self.schema) };
        (!choices.is_empty()).then_some(choices)
    }

    /// The answer as the field takes it.
    ///
    /// # Errors
    /// Why it does not fit, for the user.
    pub(super) fn fit(&self, answer: Value) -> Result<Value, String> {
        if self.choices().is_some() {
            // Whoever keeps the question has checked that it is one of them.
            return Ok(answer);
        }
        let text = answer.as_str().map_or_else(|| answer.to_string(), str::to_owned);
        match self.kind() {
            "array" => self.fit_list(&answer, &text),
            "integer" | "number" => self.fit_number(text.trim()),
            _ => self.fit_text(text),
        }
    }

    fn fit_list(&self, answer: &Value, text: &str) -> Result<Value, String> {
        let options = options(&self.schema["items"]);
        let words = match answer.as_array() {
            Some(words) => words.iter().map(|word| word.as_str().unwrap_or_default().to_owned()).collect(),
            None => text.split(',').map(|word| word.trim().to_owned()).collect::<Vec<_>>(),
        };
        let mut values = Vec::new();
        for word in words.iter().filter(|word| !word.is_empty()) {
            let is = |option: &&Choice| option.label.eq_ignore_ascii_case(word) || option.value == word.as_str();
            let option = options.iter().find(is).ok_or_else(|| format!("{} is not one of them", short(word)))?;
            values.push(option.value.clone());
        }
        let limit = |key: &str| self.schema[key].as_u64().and_then(|limit| usize::try_from(limit).ok());
        match (limit("minItems"), limit("maxItems")) {
            (Some(least), _) if values.len() < least => Err(format!("give at least {least}")),
            (_, Some(most)) if values.len() > most => Err(format!("give at most {most}")),
            _ => Ok(values.into()),
        }
    }

    fn fit_number(&self, text: &str) -> Result<Value, String> {
        let number: Value = match self.kind() {
            "integer" => text.parse::<i64>().map_err(|_| "give a whole number".to_owned())?.into(),
            _ => {
                let number = text.parse::<f64>().ok().and_then(serde_json::Number::from_f64);
                Value::Number(number.ok_or("give a number")?)
            }
        };
        let (given, bound) = (number.as_f64().unwrap_or_default(), |key: &str| self.schema[key].as_f64());
        match (bound("minimum"), bound("maximum")) {
            (Some(least), _) if given < least => Err(format!("the minimum is {least}")),
            (_, Some(most)) if given > most => Err(format!("the maximum is {most}")),
            _ => Ok(number),
        }
    }

    fn fit_text(&self, text: String) -> Result<Value, String> {
        let length = text.chars().count() as u64;
        let bound = |key: &str| self.schema[key].as_u64();
        if let Some(least) = bound("minLength").filter(|least| length < *least) {
            return Err(format!("give at least {least} characters"));
        }
        if let Some(most) = bound("maxLength").filter(|most| length > *most) {
            return Err(format!("give at most {most} characters"));
        }
        let fits = match self.schema["format"].as_str() {
            Some("email") => text.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.')),
            Some("uri") => reqwest::Url::parse(&text).is_ok(),
            Some("date") => text.parse::<jiff::civil::Date>().is_ok(),
            Some("date-time") => text.parse::<jiff::Timestamp>().is_ok(),
            _ => true,
        };
        match self.schema["format"].as_str().unwrap_or_default() {
            _ if fits => Ok(text.into()),
            "date" => Err("give a date such as 2026-11-22".to_owned()),
            "date-time" => Err("give a time such as 2026-11-22T12:00:00Z".to_owned()),
            "uri" => Err("give an address such as https://example.com".to_owned()),
            _ => Err("give an email address".to_owned()),
        }
    }

    fn kind(&self) -> &str {
        self.schema["type"].as_str().unwrap_or("string")
    }
}

/// The values that a schema lists, with their titles.
fn options(schema: &Value) -> Vec<Choice> {
    let titled = ["oneOf", "anyOf"].into_iter().find_map(|key| schema[key].as_array());
    let choice = |value: &Value, label: &Value| {
        let label = label.as_str().or(value.as_str()).map_or_else(|| value.to_string(), str::to_owned);
        Choice { value: value.clone(), label: short(&label) }
    };
    match (titled, schema["enum"].as_array()) {
        (Some(titled), _) => titled.iter().map(|option| choice(&option["const"], &option["title"])).collect(),
        (None, Some(values)) => {
            values.iter().enumerate().map(|(at, value)| choice(value, &schema["enumNames"][at])).collect()
        }
        (None, None) => Vec::new(),
    }
}

/// A server's words on one line.
fn short(text: &str) -> String {
    sanitized(text).0.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MAX_WORDS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[expect(clippy::needless_pass_by_value, reason = "schemas are made where they are named")]
    fn field(schema: Value) -> Field {
        let form = json!({"type": "object", "properties": {"it": schema}, "required": ["it"]});
        fields_of(&form).expect("it can be asked").remove(0)
    }

    #[track_caller]
    fn check(schema: &Value, answer: Value, expected: Result<Value, &str>) {
        assert_eq!(field(schema.clone()).fit(answer), expected.map_err(str::to_owned), "{schema}");
    }

    #[test]
    fn texts_and_numbers_are_held_to_their_schema() {
        let integer = json!({"type": "integer", "minimum": 1, "maximum": 100});
        check(&integer, json!("42"), Ok(json!(42)));
        check(&integer, json!(7), Ok(json!(7)));
        check(&integer, json!("4.5"), Err("give a whole number"));
        check(&integer, json!("101"), Err("the maximum is 100"));
        check(&json!({"type": "number"}), json!(" 2.5 "), Ok(json!(2.5)));
        check(&json!({"type": "number"}), json!("NaN"), Err("give a number"));
        let date = json!({"type": "string", "format": "date"});
        check(&date, json!("2026-11-22"), Ok(json!("2026-11-22")));
        check(&date, json!("tomorrow"), Err("give a date such as 2026-11-22"));
        check(&json!({"type": "string", "format": "email"}), json!("ada"), Err("give an email address"));
        check(&json!({"type": "string", "maxLength": 3}), json!("äöüß"), Err("give at most 3 characters"));
        check(&json!({"type": "string"}), json!(5), Ok(json!("5")));
    }

    #[test]
    fn lists_are_written_with_commas() {
        let fish = json!({"type": "array", "minItems": 1, "maxItems": 2, "items": {"anyOf": [
            {"const": "fish-1", "title": "Tuna"}, {"const": "fish-2", "title": "Salmon"}, {"const": "fish-3", "title": "Cod"},
        ]}});
        check(&fish, json!("tuna, fish-2"), Ok(json!(["fish-1", "fish-2"])));
        check(&fish, json!(["Cod"]), Ok(json!(["fish-3"])));
        check(&fish, json!(""), Err("give at least 1"));
        check(&fish, json!("Tuna, Salmon, Cod"), Err("give at most 2"));
        check(&fish, json!("Shark"), Err("Shark is not one of them"));
        assert_eq!(field(fish).line(), "- it (any of Tuna, Salmon, Cod, separated by commas)");
    }

    #[test]
    fn values_that_are_listed_are_choices() {
        let labels = |schema: Value| {
            let choices = field(schema).choices().unwrap_or_default();
            choices.into_iter().map(|choice| (choice.value, choice.label)).collect::<Vec<_>>()
        };
        let pair = |value: &str, label: &str| (json!(value), label.to_owned());

        assert_eq!(labels(json!({"type": "string", "enum": ["a", "b"]})), [pair("a", "a"), pair("b", "b")]);
        assert_eq!(labels(json!({"type": "string", "enum": ["a"], "enumNames": ["A"]})), [pair("a", "A")]);
        assert_eq!(
            labels(json!({"type": "string", "oneOf": [{"const": "a", "title": "A\u{202e}"}]})),
            [pair("a", "A")]
        );
        assert_eq!(labels(json!({"type": "string"})), []);
        assert_eq!(labels(json!({"type": "boolean"})).len(), 2);
    }

    #[test]
    fn a_form_without_an_end_is_not_asked() {
        let many: Map<_, _> = (0..100).map(|n| (n.to_string(), json!({"type": "string"}))).collect();

        assert_eq!(fields_of(&json!({"properties": many})), None);
        assert_eq!(fields_of(&json!({})), Some(Vec::new()));
    }
}
