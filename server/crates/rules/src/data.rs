//! The data files beside the code. They are a part of the program: a mistake in one stops it at the first use, and so in the
//! tests.

use std::ops::Deref;

use regex::Regex;
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};

/// The names of the months.
pub(crate) const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// What a data file of the program holds.
pub(crate) fn read<T: DeserializeOwned>(toml: &str) -> T {
    toml::from_str(toml).unwrap_or_else(|error| panic!("{error}"))
}

/// A regular expression as it stands in the data; `{month}` in it is the name of one.
#[derive(Debug, Clone)]
pub(crate) struct Pattern(Regex);

impl Deref for Pattern {
    type Target = Regex;

    fn deref(&self) -> &Regex {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Pattern {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        let pattern = String::deserialize(source)?.replace("{month}", &format!("(?:{})", MONTHS.join("|")));
        Regex::new(&pattern).map(Self).map_err(D::Error::custom)
    }
}
