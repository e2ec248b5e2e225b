//! Quoted text and code, which name themselves.

use super::context::{Context, Found};
use crate::slots::{Given, SlotType, SlotValue};
use crate::text::Kind;

pub(super) fn find(context: &Context, at: usize, found: &mut Vec<Found>) {
    let token = &context.tokens[at];
    let how = if token.kind == Kind::Code { Given::Code } else { Given::Quoted };
    let text = token.text.clone();
    let texts = [
        SlotType::Content,
        SlotType::Text,
        SlotType::Phrase,
        SlotType::Word,
        SlotType::Name,
        SlotType::Cell,
        SlotType::Column,
    ];
    found.push(Found::new(1, &texts, SlotValue::Text { text: text.clone(), how }).strong());
    let words = [
        SlotType::Key,
        SlotType::Identifier,
        SlotType::Memory,
        SlotType::Branch,
        SlotType::Tool,
        SlotType::Host,
        SlotType::Program,
    ];
    found.push(Found::new(1, &words, SlotValue::Word { word: text.clone() }).costs(0.01));
    found.push(Found::new(1, &[SlotType::Value], SlotValue::Value { value: text.clone().into(), how }));
    if how == Given::Code || text.contains(' ') {
        let cost = if how == Given::Code { 0.0 } else { 0.05 };
        found.push(
            Found::new(1, &[SlotType::Command, SlotType::Expression], SlotValue::Command { line: text.clone() })
                .costs(cost),
        );
    }
    super::paths::in_quotes(context, &text, found);
}
