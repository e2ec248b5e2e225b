//! Schemas that tools bring are not trusted: one that could hang or grow the server is refused when it is registered, and
//! arguments are not looked into deeper than can be done in a moment.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use jsonschema::{PatternOptions, Validator};
use serde_json::Value;

use super::text::sanitize_line;

/// The largest schema, as JSON text.
const MAX_BYTES: usize = 256 * 1024;

/// How many schemas may speak of one place at once.
const MAX_COST: u64 = 10_000;

/// How many checks one value may take, by the schema's own branching.
const MAX_CHECKS: f64 = 10_000_000.0;

/// A schema, ready for use.
#[derive(Debug)]
pub(super) struct Schema {
    validator: Validator,
    /// How deep a value may be nested, where the schema branches at every level.
    max_depth: Option<usize>,
}

impl Schema {
    /// Reads a schema.
    ///
    /// # Errors
    /// When it is too large, is not a schema, refers to something outside or, without end, to itself.
    pub(super) fn new(schema: &Value) -> Result<Self, String> {
        let bytes = schema.to_string().len();
        if bytes > MAX_BYTES {
            return Err(format!("it has {bytes} bytes, and the limit is {MAX_BYTES}"));
        }
        let max_depth = Survey::of(schema)?;
        let validator = jsonschema::options()
            .offline()
            .with_pattern_options(PatternOptions::regex())
            .build(schema)
            .map_err(|error| sanitize_line(&error.to_string()))?;
        Ok(Self { validator, max_depth })
    }

    pub(super) fn validator(&self) -> &Validator {
        &self.validator
    }

    /// How deep the value may be nested, if it is nested deeper.
    pub(super) fn too_deep(&self, value: &Value) -> Option<usize> {
        self.max_depth.filter(|max| is_deeper(value, *max))
    }
}

fn is_deeper(value: &Value, levels: usize) -> bool {
    match (value, levels.checked_sub(1)) {
        (Value::Array(_) | Value::Object(_), None) => true,
        (Value::Array(items), Some(levels)) => items.iter().any(|item| is_deeper(item, levels)),
        (Value::Object(fields), Some(levels)) => fields.values().any(|value| is_deeper(value, levels)),
        _ => false,
    }
}

/// Keywords whose schemas speak of the same place.
const SAME: &[&str] = &["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies"];
/// Keywords whose schemas speak of what is in an array.
const ITEMS: &[&str] = &["items", "prefixItems", "additionalItems", "contains", "unevaluatedItems"];
/// Keywords whose schemas speak of fields of any name.
const FIELDS: &[&str] = &["patternProperties", "additionalProperties", "unevaluatedProperties"];

/// Keywords with a schema for each name.
const BY_NAME: &[&str] = &["dependentSchemas", "dependencies", "patternProperties"];

/// What is found out about a schema before it is used. Places in it are told by their addresses.
struct Survey<'a> {
    root: &'a Value,
    shapes: HashMap<*const Value, Rc<Shape<'a>>>,
    open: HashSet<*const Value>,
}

/// All that speaks of one place.
#[derive(Default)]
struct Shape<'a> {
    /// How many schemas that are.
    cost: u64,
    /// What they say of the fields and items of that place.
    below: BTreeMap<&'a str, Vec<&'a Value>>,
}

impl<'a> Survey<'a> {
    /// How deep values may be nested, if there must be a limit.
    fn of(root: &'a Value) -> Result<Option<usize>, String> {
        let mut survey = Self { root, shapes: HashMap::new(), open: HashSet::new() };
        let (mut seen, mut waiting, mut branches) = (HashSet::new(), vec![root], 1);
        while let Some(schema) = waiting.pop() {
            if !seen.insert(std::ptr::from_ref(schema)) {
                continue;
            }
            let shape = survey.shape(schema)?;
            for below in shape.below.values() {
                waiting.extend(below);
            }
            branches = branches.max(survey.branches(&shape)?);
        }
        #[expect(clippy::cast_precision_loss, reason = "a rough limit")]
        let branching = branches as f64;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and 24")]
        let limit = (MAX_CHECKS.ln() / branching.ln()) as usize;
        Ok((branches > 1).then_some(limit.max(1)))
    }

    fn shape(&mut self, schema: &'a Value) -> Result<Rc<Shape<'a>>, String> {
        let key = std::ptr::from_ref(schema);
        if let Some(shape) = self.shapes.get(&key) {
            return Ok(Rc::clone(shape));
        }
        if !self.open.insert(key) {
            return Err("it refers to itself endlessly (a cycle of $ref)".to_owned());
        }
        let mut shape = Shape { cost: 1, below: own_below(schema) };
        for other in self.same_place(schema)? {
            let other = self.shape(other)?;
            shape.cost = shape.cost.saturating_add(other.cost);
            if shape.cost > MAX_COST {
                return Err(format!("more than {MAX_COST} of its parts describe the same place"));
            }
            for (name, below) in &other.below {
                shape.below.entry(name).or_default().extend(below);
            }
        }
        self.open.remove(&key);
        let shape = Rc::new(shape);
        self.shapes.insert(key, Rc::clone(&shape));
        Ok(shape)
    }

    /// The schemas that speak of the same place as this one.
    fn same_place(&self, schema: &'a Value) -> Result<Vec<&'a Value>, String> {
        let Value::Object(fields) = schema else { return Ok(Vec::new()) };
        let mut found = schemas_of(fields, SAME);
        for name in ["$dynamicRef", "$recursiveRef"] {
            if fields.contains_key(name) {
                return Err(format!("it uses {name}, which is not supported"));
            }
        }
        if let Some(Value::String(reference)) = fields.get("$ref") {
            let pointer = reference.strip_prefix('#').filter(|pointer| pointer.is_empty() || pointer.starts_with('/'));
            let pointer = pointer.ok_or_else(|| format!("it refers to {reference}, and only #/… is supported"))?;
            let pointer = pointer.replace("%24", "$").replace("%25", "%");
            found.push(
                self.root.pointer(&pointer).ok_or_else(|| format!("it refers to {reference}, which does not exist"))?,
            );
        }
        Ok(found)
    }

    /// How many schemas that look further speak of the same field or item, at most.
    fn branches(&mut self, shape: &Shape<'a>) -> Result<usize, String> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for (name, below) in &shape.below {
            for schema in below {
                let looks_further = !self.shape(schema)?.below.is_empty();
                *counts.entry(name).or_default() += usize::from(looks_further);
            }
        }
        let any_field = counts.remove(ANY_FIELD).unwrap_or_default();
        let items = counts.remove(ANY_ITEM).unwrap_or_default();
        let field = counts.values().copied().max().unwrap_or_default();
        Ok((field + any_field).max(items))
    }
}

/// Stand for fields of any name and for items; no field is called so.
const ANY_FIELD: &str = "\0field";
const ANY_ITEM: &str = "\0item";

/// What a schema says itself of the fields and items of its place.
fn own_below(schema: &Value) -> BTreeMap<&str, Vec<&Value>> {
    let mut below: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    let Value::Object(fields) = schema else { return below };
    if let Some(Value::Object(properties)) = fields.get("properties") {
        for (name, schema) in properties {
            below.entry(name).or_default().push(schema);
        }
    }
    for (names, label) in [(ITEMS, ANY_ITEM), (FIELDS, ANY_FIELD)] {
        let found = schemas_of(fields, names);
        if !found.is_empty() {
            below.insert(label, found);
        }
    }
    below
}

/// The schemas that these keywords have in a schema: one each, a list, or one for each name.
fn schemas_of<'a>(fields: &'a serde_json::Map<String, Value>, keywords: &[&str]) -> Vec<&'a Value> {
    let mut found = Vec::new();
    for keyword in keywords {
        match fields.get(*keyword) {
            Some(Value::Array(items)) => found.extend(items),
            Some(Value::Object(named)) if BY_NAME.contains(keyword) => found.extend(named.values()),
            Some(one) => found.push(one),
            None => {}
        }
    }
    found
}

#[cfg(test)]
#[path = "schema_tests.rs"]
mod tests;
