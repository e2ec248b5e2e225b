//! JSON as it must come: each key once, not more values than a frame can need, not nested too deep.
//!
//! `serde_json` itself refuses `NaN`, numbers beyond 64-bit floats, lone surrogates and depths above 128.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// How many values one frame may hold.
const MAX_VALUES: u32 = 200_000;

/// How the keys begin that `serde_json` keeps for itself: it reads an object with one as the JSON in its text, past all that
/// holds here.
const RESERVED: &str = "$serde_json::private::";

/// Reads one JSON value.
///
/// # Errors
/// What is wrong with it, and where.
pub(super) fn parse(text: &str) -> Result<Value, serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let left = Cell::new(MAX_VALUES);
    let value = Strict { left: &left }.deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// Reads a value, counting.
#[derive(Clone, Copy)]
struct Strict<'a> {
    left: &'a Cell<u32>,
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        let left =
            self.left.get().checked_sub(1).ok_or_else(|| Error::custom("more values than a frame may contain"))?;
        self.left.set(left);
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("a number that is not valid"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if object.contains_key(&key) {
                let key: String = key.chars().take(64).collect();
                return Err(A::Error::custom(format!("the key {key:?} appears twice")));
            }
            if key.starts_with(RESERVED) {
                return Err(A::Error::custom(format!("no key may begin with {RESERVED:?}")));
            }
            let value = entries.next_value_seed(self)?;
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn what_is_well_formed_is_read_as_it_is() {
        let text = r#"{"z":1,"a":[null,true,-5,1.5,"\u0000é"],"o":{"n":18446744073709551615}}"#;

        let value = parse(text).expect("it is JSON");

        assert_eq!(value, serde_json::from_str::<serde_json::Value>(text).expect("it is JSON"));
    }

    #[test]
    fn what_is_not_well_formed_is_refused() {
        let deep = "[".repeat(10_000);
        let many = format!("[{}0]", "0,".repeat(200_001));
        let hidden = r#"{"a":[{"$serde_json::private::RawValue":"{\"b\":1,\"b\":2}"}]}"#;
        for text in [
            "",
            "{",
            "NaN",
            "1e400",
            r#""\ud800""#,
            r#"{"a":1,"a":2}"#,
            r#"{"x":{"a":1,"a":2}}"#,
            "1 2",
            &deep,
            &many,
            hidden,
        ] {
            assert!(parse(text).is_err(), "{text:.40}");
        }
    }
}
