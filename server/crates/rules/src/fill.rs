//! Fills a tool's parameters from what a clause says, driven by the tool's schema.
//!
//! What an intent has found goes to the parameter of its role; the rest comes from the clause: `limit 5`, enum values,
//! flags, quotations, paths, addresses, what follows a preposition. A command or an expression is never guessed.

use serde_json::{Map, Value};
use switchboard_protocol::{Risk, ToolDefinition};

use super::clause::Clause;
use super::goal::Role;
use super::material::Material;
use super::roles::{coerce, role_of, types_of};

/// Parameters that could not be filled, or a value that the tool has no parameter for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Unfilled {
    /// Required parameters without a value.
    Missing(Vec<String>),
    /// The tool does not take what is given.
    Unfit,
}

/// The arguments for the tool. `freely`: parameters that no intent filled may be filled from the clause's words.
pub(super) fn fill(
    tool: &ToolDefinition,
    given: &[(Role, Value)],
    clause: &Clause,
    freely: bool,
) -> Result<Map<String, Value>, Unfilled> {
    let empty = Map::new();
    let properties = tool.parameters.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    let required = required_of(&tool.parameters);
    let mut material = Material::new(clause, tool);
    let mut left: Vec<(Role, Value)> = given.to_vec();
    let mut arguments = Map::new();

    let mut ordered: Vec<(&String, &Value)> = properties.iter().collect();
    ordered.sort_by_key(|(name, schema)| (!required.contains(name), !types_of(schema).contains(&"array")));
    for (name, schema) in &ordered {
        if let Some(value) = from_given(role_of(name, schema), schema, &mut left) {
            arguments.insert((*name).clone(), value);
        }
    }
    for (name, schema) in &ordered {
        if arguments.contains_key(*name) {
            continue;
        }
        let needed = required.contains(name);
        let role = role_of(name, schema);
        let guarded = matches!(role, Role::Command | Role::Expression) || tool.risk == Risk::Execute;
        let said = material.said(name, schema).filter(|_| freely || !guarded);
        let value = said.or_else(|| (freely && !guarded).then(|| material.take(name, schema, role, needed)).flatten());
        if let Some(value) = value.and_then(|value| coerce(&value, schema)) {
            arguments.insert((*name).clone(), value);
        }
    }
    let missing: Vec<String> =
        required.iter().filter(|name| !arguments.contains_key(**name)).map(|&name| name.clone()).collect();
    if !missing.is_empty() {
        return Err(Unfilled::Missing(missing));
    }
    if let Some(missing) = missing_alternative(&tool.parameters, &arguments) {
        return Err(Unfilled::Missing(missing));
    }
    if left.iter().any(|(role, _)| !is_optional(*role)) {
        return Err(Unfilled::Unfit);
    }
    Ok(arguments)
}

fn required_of(parameters: &Value) -> Vec<&String> {
    let names = parameters.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let properties = parameters.get("properties").and_then(Value::as_object);
    names.filter_map(|name| properties?.get_key_value(name).map(|(key, _)| key)).collect()
}

/// What `anyOf` and `oneOf` require, when none of their alternatives is met.
fn missing_alternative(parameters: &Value, arguments: &Map<String, Value>) -> Option<Vec<String>> {
    let alternatives = parameters.get("anyOf").or_else(|| parameters.get("oneOf"))?.as_array()?;
    let needs: Vec<Vec<String>> = alternatives
        .iter()
        .map(|alternative| {
            let names = alternative.get("required").and_then(Value::as_array).into_iter().flatten();
            names.filter_map(Value::as_str).map(str::to_owned).collect()
        })
        .collect();
    let met = needs.iter().any(|names| names.iter().all(|name| arguments.contains_key(name)));
    if met { None } else { needs.into_iter().next().filter(|names| !names.is_empty()) }
}

/// What an intent gives beyond the tool's abilities without making the call wrong.
fn is_optional(role: Role) -> bool {
    matches!(role, Role::Variables | Role::AnyCase)
}

/// The value, or for a list all the values, whose role fits the parameter's.
fn from_given(role: Role, schema: &Value, left: &mut Vec<(Role, Value)>) -> Option<Value> {
    let fits = |given: &(Role, Value)| fits(role, given.0) && coerce(&given.1, schema).is_some();
    if types_of(schema) == ["array"] {
        let (taken, rest): (Vec<_>, Vec<_>) = left.drain(..).partition(|given| fits(given));
        *left = rest;
        let items: Vec<Value> = taken
            .into_iter()
            .flat_map(|(_, value)| match value {
                Value::Array(items) => items,
                other => vec![other],
            })
            .collect();
        return (!items.is_empty()).then_some(Value::Array(items));
    }
    let place = left.iter().position(fits)?;
    coerce(&left.remove(place).1, schema)
}

/// Whether a value of the role `given` may go to a parameter of the role `wanted`.
fn fits(wanted: Role, given: Role) -> bool {
    wanted == given
        || match wanted {
            Role::Path => given == Role::Folder,
            Role::Folder => given == Role::Path,
            Role::Pattern => matches!(given, Role::Glob | Role::Query),
            Role::Query => matches!(given, Role::Filter | Role::Pattern),
            Role::Place => given == Role::Zone,
            Role::Zone => given == Role::Place,
            Role::Filter => given == Role::Query,
            Role::Value => given == Role::Content,
            Role::Content => given == Role::Value,
            _ => false,
        }
}

#[cfg(test)]
#[path = "fill_tests.rs"]
mod tests;
