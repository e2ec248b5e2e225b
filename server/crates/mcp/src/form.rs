//! The fields of a server's form: how each is shown, and whether an answer fits them.

use serde_json::{Map, Value, json};
use switchboard_protocol::{Choice, FieldKind, FormField};

use super::names::sanitized;

/// How many fields a question may have.
const MAX_FIELDS: usize = 32;

/// The longest words about a field, in characters.
const MAX_WORDS: usize = 200;

/// Something that a server wants to know.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Field {
    name: String,
    label: String,
    about: String,
    required: bool,
    default: Option<Value>,
    schema: Value,
}

/// The fields of a form; none if it cannot be asked.
pub(super) fn fields_of(schema: &Value) -> Option<Vec<Field>> {
    let empty = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    let required = |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|n| n == name));
    let fields = properties.iter().map(|(name, schema)| Field {
        name: name.clone(),
        label: short(schema["title"].as_str().unwrap_or(name)),
        about: short(schema["description"].as_str().unwrap_or_default()),
        required: required(name),
        default: schema.get("default").cloned(),
        schema: schema.clone(),
    });
    (properties.len() <= MAX_FIELDS).then(|| fields.collect())
}

/// What the answer to a form says of its fields, as the server takes it: what is absent has its default, what is null
/// is left out.
///
/// # Errors
/// What does not fit, for the user.
pub(super) fn read(fields: &[Field], answer: &Map<String, Value>) -> Result<Map<String, Value>, String> {
    if let Some(unknown) = answer.keys().find(|name| fields.iter().all(|field| field.name != **name)) {
        return Err(format!("there is no field `{}`", short(unknown)));
    }
    let mut content = Map::new();
    for field in fields {
        let value = match answer.get(&field.name) {
            None => field.default.clone(),
            Some(Value::Null) => None,
            Some(given) => Some(field.fit(given).map_err(|why| format!("{}: {why}", field.label))?),
        };
        if value.is_none() && field.required {
            return Err(format!("{}: this is needed", field.label));
        }
        content.extend(value.map(|value| (field.name.clone(), value)));
    }
    Ok(content)
}

impl Field {
    /// Its key in the answer.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Whether it takes one of its choices.
    pub(super) fn is_choice(&self) -> bool {
        self.kind() == FieldKind::Choice
    }

    /// Whether the form can be sent without anything given for it.
    pub(super) fn can_be_skipped(&self) -> bool {
        !self.required || self.default.is_some()
    }

    /// What it is and takes in one line, for a question about it alone.
    pub(super) fn line(&self) -> String {
        let labels = || self.choices().into_iter().map(|choice| choice.label).collect::<Vec<_>>().join(", ");
        let any_of = match self.kind() {
            FieldKind::Choices => format!("any of {}, separated by commas", labels()),
            _ => String::new(),
        };
        let default = self.default.as_ref().map(|default| short(&format!("now {default}"))).unwrap_or_default();
        let words = [self.label.clone(), self.hint(), any_of, default];
        words.into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join("; ")
    }

    /// The field as the user gets it, with what was given before, or else its default, in it.
    pub(super) fn shown(&self, before: Option<&Value>) -> FormField {
        let (hint, choices) = (self.hint(), self.choices());
        FormField {
            name: self.name.clone(),
            label: self.label.clone(),
            hint: (!hint.is_empty()).then_some(hint),
            kind: self.kind(),
            required: self.required,
            default: before.or(self.default.as_ref()).cloned(),
            choices: (!choices.is_empty()).then_some(choices),
        }
    }

    /// The values that there are, if the schema lists them.
    pub(super) fn choices(&self) -> Vec<Choice> {
        match self.schema["type"].as_str() {
            Some("boolean") => [(true, "Yes"), (false, "No")]
                .map(|(value, label)| Choice { value: json!(value), label: label.to_owned() })
                .into(),
            Some("array") => options(&self.schema["items"]),
            _ => options(&self.schema),
        }
    }

    fn kind(&self) -> FieldKind {
        match self.schema["type"].as_str() {
            Some("array") => FieldKind::Choices,
            _ if !self.choices().is_empty() => FieldKind::Choice,
            Some("integer") => FieldKind::Integer,
            Some("number") => FieldKind::Number,
            _ => FieldKind::Text,
        }
    }

    /// What it is for, and what fits.
    fn hint(&self) -> String {
        let bound = |key: &str, words: [&str; 2]| {
            let limit = self.schema[key].as_number()?;
            Some(format!("{} {limit} {}", words[0], words[1]).trim().to_owned())
        };
        let limits = [
            self.schema["format"].as_str().map(short),
            bound("minimum", ["from", ""]),
            bound("maximum", ["to", ""]),
            bound("minLength", ["at least", "characters"]),
            bound("maxLength", ["at most", "characters"]),
            bound("minItems", ["at least", ""]),
            bound("maxItems", ["at most", ""]),
        ];
        let limits = limits.into_iter().flatten().collect::<Vec<_>>().join(" ");
        [self.about.clone(), limits].into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join("; ")
    }

    /// The answer as the field takes it.
    fn fit(&self, answer: &Value) -> Result<Value, String> {
        let text = answer.as_str().map_or_else(|| answer.to_string(), str::to_owned);
        match self.kind() {
            FieldKind::Choice => chosen(&self.choices(), answer),
            FieldKind::Choices => self.fit_list(answer, &text),
            FieldKind::Integer | FieldKind::Number => self.fit_number(text.trim()),
            FieldKind::Text => self.fit_text(text),
        }
    }

    fn fit_list(&self, answer: &Value, text: &str) -> Result<Value, String> {
        let given = match answer.as_array() {
            Some(given) => given.clone(),
            None => text.split(',').map(str::trim).filter(|word| !word.is_empty()).map(Value::from).collect(),
        };
        let options = self.choices();
        let values = given.iter().map(|value| chosen(&options, value)).collect::<Result<Vec<_>, _>>()?;
        let limit = |key: &str| self.schema[key].as_u64().and_then(|limit| usize::try_from(limit).ok());
        match (limit("minItems"), limit("maxItems")) {
            (Some(least), _) if values.len() < least => Err(format!("give at least {least}")),
            (_, Some(most)) if values.len() > most => Err(format!("give at most {most}")),
            _ => Ok(values.into()),
        }
    }

    fn fit_number(&self, text: &str) -> Result<Value, String> {
        let number: Value = match self.kind() {
            FieldKind::Integer => text.parse::<i64>().map_err(|_| "give a whole number".to_owned())?.into(),
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
}

/// The value of the choice that is meant, by its value or its label.
fn chosen(choices: &[Choice], answer: &Value) -> Result<Value, String> {
    let word = answer.as_str().map_or_else(|| answer.to_string(), str::to_owned);
    let is = |choice: &&Choice| choice.value == *answer || choice.label.eq_ignore_ascii_case(&word);
    let choice = choices.iter().find(is).ok_or_else(|| format!("{} is not one of its choices", short(&word)))?;
    Ok(choice.value.clone())
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
    #[expect(clippy::needless_pass_by_value, reason = "answers are made where they are named")]
    fn check(schema: &Value, answer: Value, expected: Result<Value, &str>) {
        assert_eq!(field(schema.clone()).fit(&answer), expected.map_err(str::to_owned), "{schema}");
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
        check(&fish, json!("Shark"), Err("Shark is not one of its choices"));
        let shown = field(fish).shown(None);
        assert_eq!((shown.kind, shown.hint.as_deref()), (FieldKind::Choices, Some("at least 1 at most 2")));
    }

    #[test]
    fn values_that_are_listed_are_choices() {
        let labels = |schema: Value| {
            field(schema).choices().into_iter().map(|choice| (choice.value, choice.label)).collect::<Vec<_>>()
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
        check(&json!({"type": "boolean"}), json!(true), Ok(json!(true)));
        check(&json!({"type": "boolean"}), json!("no"), Ok(json!(false)));
        check(&json!({"type": "string", "enum": ["a"]}), json!("b"), Err("b is not one of its choices"));
    }

    #[test]
    fn an_answer_has_the_defaults_of_what_it_does_not_name() {
        let form = json!({
            "properties": {
                "name": {"type": "string", "title": "Name"}, "size": {"type": "integer", "default": 42},
                "note": {"type": "string", "default": "none"},
            },
            "required": ["name"],
        });
        let fields = fields_of(&form).expect("it can be asked");
        let read = |answer: Value| read(&fields, answer.as_object().expect("an object")).map(Value::Object);

        assert_eq!(read(json!({"name": "Ada"})), Ok(json!({"name": "Ada", "size": 42, "note": "none"})));
        assert_eq!(read(json!({"name": "Ada", "size": 7, "note": null})), Ok(json!({"name": "Ada", "size": 7})));
        assert_eq!(read(json!({})), Err("Name: this is needed".to_owned()));
        assert_eq!(read(json!({"name": "Ada", "size": "big"})), Err("size: give a whole number".to_owned()));
        assert_eq!(read(json!({"name": "Ada", "age": 36})), Err("there is no field `age`".to_owned()));
    }

    #[test]
    fn a_form_without_an_end_is_not_asked() {
        let many: Map<_, _> = (0..100).map(|n| (n.to_string(), json!({"type": "string"}))).collect();

        assert_eq!(fields_of(&json!({"properties": many})), None);
        assert_eq!(fields_of(&json!({})), Some(Vec::new()));
    }
}
