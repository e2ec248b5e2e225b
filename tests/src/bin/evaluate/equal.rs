//! When arguments are the wanted ones: the rules of the scorer that comes with the data (`score.py`), which are those of
//! BFCL v4.

use serde_json::{Map, Value};

/// Whether the calls are the wanted ones, in any order. `nested`: what is acceptable is said inside objects, too.
pub(crate) fn calls_fit(
    got: &[(Option<&str>, Value)],
    wanted: &[Value],
    group: &dyn Fn(&str) -> String,
    nested: bool,
) -> bool {
    let mut left: Vec<&Value> = wanted.iter().collect();
    got.len() == wanted.len()
        && got.iter().all(|(tool, arguments)| {
            let place = left.iter().position(|wanted| call_fits(*tool, arguments, wanted, group, nested));
            place.map(|place| left.remove(place)).is_some()
        })
}

fn call_fits(
    tool: Option<&str>,
    arguments: &Value,
    wanted: &Value,
    group: &dyn Fn(&str) -> String,
    nested: bool,
) -> bool {
    let (Some(tool), Some(meant)) = (tool, wanted["tool"].as_str()) else { return false };
    let (Some(arguments), Some(params)) = (arguments.as_object(), wanted["params"].as_object()) else { return false };
    let left_out = |value: &Value| match value {
        Value::Array(accepted) => accepted.is_empty() || accepted.contains(&Value::from("")),
        one => *one == "",
    };
    group(tool) == group(meant)
        && arguments.iter().all(|(name, value)| params.get(name).is_some_and(|wanted| one_fits(value, wanted, nested)))
        && params.iter().all(|(name, wanted)| arguments.contains_key(name) || left_out(wanted))
}

/// Whether the value is one of the acceptable ones.
fn one_fits(value: &Value, acceptable: &Value, nested: bool) -> bool {
    let accepted = match acceptable {
        Value::Array(accepted) => accepted.as_slice(),
        one => std::slice::from_ref(one),
    };
    if accepted.is_empty() {
        return value.is_null() || *value == "" || value.as_array().is_some_and(Vec::is_empty);
    }
    accepted.iter().any(|wanted| {
        *wanted == "*"
            || match (value, wanted) {
                (Value::Object(value), Value::Object(wanted)) if nested => object_fits(value, wanted),
                (Value::Array(values), Value::Array(wanted)) if nested && is_of_objects(values) => {
                    let fits = |(value, wanted): (&Value, &Value)| match (value, wanted) {
                        (Value::Object(value), Value::Object(wanted)) => object_fits(value, wanted),
                        _ => false,
                    };
                    values.len() == wanted.len() && values.iter().zip(wanted).all(fits)
                }
                _ => same(value, wanted),
            }
    })
}

fn is_of_objects(values: &[Value]) -> bool {
    values.first().is_some_and(Value::is_object)
}

fn object_fits(value: &Map<String, Value>, wanted: &Map<String, Value>) -> bool {
    let optional = |acceptable: &Value| match acceptable {
        Value::Array(accepted) => accepted.contains(&Value::from("")),
        _ => true,
    };
    value.iter().all(|(name, value)| wanted.get(name).is_some_and(|wanted| one_fits(value, wanted, true)))
        && wanted.iter().all(|(name, wanted)| value.contains_key(name) || optional(wanted))
}

/// Texts are the same without case, spaces and marks, numbers whether whole or not.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::String(one), Value::String(other)) => plain(one) == plain(other),
        (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, one)| other.get(name).is_some_and(|other| same(one, other)))
        }
        _ => one == other,
    }
}

fn plain(text: &str) -> String {
    text.replace([' ', ',', '.', '/', '-', '_', '*', '^'], "").to_lowercase().replace('\'', "\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fits(arguments: Value, params: &Value, nested: bool) -> bool {
        let wanted = [json!({"tool": "a", "params": params})];
        calls_fit(&[(Some("a"), arguments)], &wanted, &|id| id.to_owned(), nested)
    }

    #[test]
    fn values_are_compared_as_the_scorer_does() {
        assert!(fits(json!({"at": "New-York"}), &json!({"at": ["new york"]}), true));
        assert!(fits(json!({"n": 2}), &json!({"n": [2.0]}), true));
        assert!(!fits(json!({"n": true}), &json!({"n": [1]}), true));
        assert!(fits(json!({}), &json!({"n": [1, ""]}), true) && !fits(json!({}), &json!({"n": [1]}), true));
        assert!(!fits(json!({"more": 1}), &json!({}), true));
        assert!(fits(json!({"x": 7}), &json!({"x": ["*"]}), false));
    }

    #[test]
    fn objects_say_what_is_acceptable_inside_them() {
        let params = json!({"o": [{"a": [1, 2], "b": ["", "x"]}]});
        assert!(fits(json!({"o": {"a": 2}}), &params, true) && !fits(json!({"o": {"b": "x"}}), &params, true));
        assert!(fits(json!({"l": [{"a": 1}]}), &json!({"l": [[{"a": [1]}]]}), true));
    }

    #[test]
    fn calls_come_in_any_order_but_all_of_them() {
        let wanted = [json!({"tool": "a", "params": {"n": [1]}}), json!({"tool": "a", "params": {"n": [2]}})];
        let calls = |numbers: &[i32]| numbers.iter().map(|n| (Some("a"), json!({"n": n}))).collect::<Vec<_>>();
        let fit = |numbers: &[i32]| calls_fit(&calls(numbers), &wanted, &|id| id.to_owned(), true);
        assert!(fit(&[2, 1]) && !fit(&[1]) && !fit(&[1, 1]));
    }
}
