//! Units in which figures are wanted: `combined size in TB`. They are told as they stand, so the unit must be theirs.

use super::parse::{NoPart, Parser};
use crate::known::Known;
use crate::query::Query;
use crate::schema::Schema;
use crate::vocabulary::vocabulary;

impl Parser<'_> {
    /// A unit behind `in`, or at the end, to which no number belongs.
    pub(crate) fn wanted_unit(&mut self) -> Result<(), NoPart> {
        let item = &self.items[self.at];
        let before = item.from.checked_sub(1).map(|before| self.tokens[before].lower.as_str());
        let stands = before.is_some_and(|word| vocabulary().is_relative("unit_places", word));
        if !self.is_unit(self.at) || !stands || self.parts.unit.is_some() {
            return self.fail();
        }
        self.parts.unit = Some(self.tokens[item.from].lower.clone());
        Ok(())
    }
}

/// Whether the figures that a query tells are in this unit.
pub(crate) fn are_in(schema: &Schema, query: &Query, unit: &str) -> bool {
    let measured: Vec<&String> = query.measures.iter().filter_map(|measure| measure.column.as_ref()).collect();
    let told = if measured.is_empty() { query.columns.iter().collect() } else { measured };
    let known = |name: &&String| schema.columns.iter().find(|known| known.name == **name);
    told.iter().filter_map(known).filter(|known| known.kind.is_number()).any(|known| is_in(known, unit))
}

fn is_in(known: &Known, unit: &str) -> bool {
    let words = vocabulary();
    if let Some(sign) = words.money(unit) {
        let named = known.words.iter().any(|word| words.money(word) == Some(sign));
        return named || known.sign == Some(sign);
    }
    let entry = words.units.iter().find(|entry| entry.words.iter().any(|word| word == unit));
    let own = known.unit.to_lowercase();
    entry.is_some_and(|entry| entry.words.iter().any(|word| *word == own || known.words.contains(word)))
}
