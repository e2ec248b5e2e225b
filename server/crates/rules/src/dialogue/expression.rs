//! Variables in arithmetic: each `@name.with.parts` gets a name of its own in the expression, so that none stands for another.

use serde_json::{Map, Value};

use super::call::Call;
use super::recent::Recent;
use super::roles::Roles;
use super::value::value_of;
use crate::ops::{as_text, text_of};
use switchboard_agent::TurnContext;
use switchboard_context::literal;

/// Where arithmetic stands in a call, and its variables.
const EXPRESSION: &str = "expression";
const VARIABLES: &str = "variables";

/// Binds what an expression names, if the tool takes variables.
pub(super) async fn bind(call: &mut Call, scene: &TurnContext<'_>, recent: &Recent) -> Result<(), String> {
    let Some(tool) = scene.registry.get(&call.tool) else { return Ok(()) };
    let properties = &tool.spec().definition.parameters["properties"];
    let Some(text) = call.arguments.get(EXPRESSION).and_then(Value::as_str).map(plain) else { return Ok(()) };
    if properties.get(VARIABLES).is_none() || call.arguments.contains_key(VARIABLES) {
        return Ok(());
    }
    let mut bound = Map::new();
    let mut written = String::with_capacity(text.len());
    for (piece, is_name) in pieces(&text) {
        let known = |name: &str| scene.view.context.get(name).is_some();
        let wanted = match (is_name, piece.strip_prefix('@')) {
            (true, Some(_)) => Some(piece.to_owned()),
            (true, None) if known(piece) => Some(format!("@{piece}")),
            (true, None) if Roles::get().it.iter().any(|it| it.eq_ignore_ascii_case(piece)) => {
                if let Some(figure) = recent.figure.filter(|_| !recent.number_is_new) {
                    written.push_str(&format!("({figure})"));
                    continue;
                }
                let number = recent.number.clone().or_else(|| recent.value.clone());
                Some(number.ok_or_else(|| format!("There is no number yet that \"{piece}\" could be."))?)
            }
            _ => None,
        };
        match wanted {
            Some(wanted) => {
                let name = name_for(&wanted, &bound);
                bound.insert(name.clone(), number_of(&wanted, scene).await?);
                written.push_str(&name);
            }
            None => written.push_str(piece),
        }
    }
    if written != text {
        call.arguments.insert(EXPRESSION.to_owned(), written.into());
        if !bound.is_empty() {
            call.arguments.insert(VARIABLES.to_owned(), Value::Object(bound));
        }
    }
    Ok(())
}

/// Without the mark that makes a text literal.
fn plain(text: &str) -> String {
    text.strip_prefix('@').filter(|rest| rest.starts_with('@')).unwrap_or(text).to_owned()
}

/// The names in an expression, with their parts, and what stands between them.
fn pieces(text: &str) -> Vec<(&str, bool)> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let first = rest.chars().next().unwrap_or_default();
        let is_name = first == '@' || first.is_alphabetic() || first == '_';
        let part = |c: char| c.is_alphanumeric() || c == '_';
        let parts = |c: char| part(c) || matches!(c, '.' | '[' | ']');
        let mut end = first.len_utf8();
        match first {
            '@' => end += rest[end..].find(|c| !parts(c)).unwrap_or(rest.len() - end),
            _ if is_name => end += rest[end..].find(|c| !part(c)).unwrap_or(rest.len() - end),
            // The unit behind a number belongs to it.
            _ if first.is_ascii_digit() => end += rest[end..].find(|c| !part(c)).unwrap_or(rest.len() - end),
            _ => {}
        }
        let end = rest[..end].trim_end_matches('.').len().max(first.len_utf8());
        pieces.push((&rest[..end], is_name));
        rest = &rest[end..];
    }
    pieces
}

/// A name for a reference that no other one has.
fn name_for(wanted: &str, bound: &Map<String, Value>) -> String {
    let plain: String = wanted.chars().skip(1).map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    let plain = plain.trim_end_matches('_').to_owned();
    let is_free = |name: &String| bound.get(name).is_none_or(|value| as_text(value) == wanted);
    if is_free(&plain) {
        return plain;
    }
    (2..).map(|number| format!("{plain}_{number}")).find(is_free).unwrap_or(plain)
}

/// The reference itself where it holds a number; the number where it holds its digits or is a part of a text.
async fn number_of(wanted: &str, scene: &TurnContext<'_>) -> Result<Value, String> {
    let value = value_of(wanted, scene).await?;
    let text = text_of(&value).unwrap_or_default();
    let number = text.trim().parse::<f64>().map_err(|_| format!("`{wanted}` is not a number."));
    let is_number = matches!(&value, switchboard_events::ArtifactValue::Json(json) if json.is_number());
    let in_text = scene.view.context.get(wanted.trim_start_matches('@').split(['.', '[']).next().unwrap_or_default());
    let in_text = in_text.is_some_and(|entry| entry.variable.value_type == switchboard_protocol::ValueType::Text);
    match (is_number && !in_text, number) {
        (true, _) => Ok(Value::String(wanted.to_owned())),
        (false, Ok(_)) => Ok(serde_json::from_str(text.trim()).unwrap_or_else(|_| literal(text.trim()).into())),
        // Something with a unit can be calculated with, too.
        (false, Err(_)) if text.trim_start().starts_with(|c: char| c.is_ascii_digit()) => {
            Ok(literal(text.trim()).into())
        }
        (false, Err(why)) => Err(why),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_with_parts_are_told_apart() {
        let found = pieces("@cfg.port + @cfg.db.port*2 km");
        let names: Vec<&str> = found.iter().filter(|(_, is_name)| *is_name).map(|(piece, _)| *piece).collect();
        assert_eq!(names, ["@cfg.port", "@cfg.db.port", "km"]);
        let bound = Map::from_iter([("cfg_port".to_owned(), Value::from("@cfg.port"))]);
        assert_eq!(name_for("@cfg.db.port", &bound), "cfg_db_port");
        assert_eq!(name_for("@cfg_port", &bound), "cfg_port_2");
        assert_eq!(name_for("@cfg.port", &bound), "cfg_port");
    }
}
