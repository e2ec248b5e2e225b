//! What plain words cost that no list knows: how many a slot of each type takes, and which it would rather not.

use crate::costs;
use crate::lexicon::Weight;
use crate::slots::SlotType;

/// How a slot takes plain words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Free {
    /// The most words.
    pub(crate) most: usize,
    /// What it costs to take any.
    pub(crate) cost: f32,
    /// What each word costs.
    pub(crate) each: f32,
    /// How much of their price it pays for words that sentences are made of and for what names something.
    pub(crate) shuns: f32,
    /// What an article between its words costs: no key is called "frobnicate the gizmo".
    pub(crate) divided: f32,
}

/// How slots of that type take plain words, if they do.
pub(crate) fn free(kind: SlotType) -> Option<Free> {
    let picky = |most, cost| Some(Free { most, cost, each: costs::FREE_WORD, shuns: 1.0, divided: 0.0 });
    match kind {
        SlotType::Phrase => Some(Free {
            most: usize::MAX,
            cost: costs::FREE,
            each: costs::FREE_WORD,
            shuns: costs::LEAST_SHUNNED,
            divided: 0.0,
        }),
        SlotType::Told => Some(Free {
            most: usize::MAX,
            cost: costs::FREE,
            each: costs::TOLD_WORD,
            shuns: costs::TOLD_SHUNNED,
            divided: 0.0,
        }),
        SlotType::Text => picky(4, costs::FREE),
        SlotType::Value => picky(3, costs::FREE),
        SlotType::Word => picky(1, 0.04),
        SlotType::Name => picky(1, 0.02),
        SlotType::Branch => picky(1, 0.02),
        SlotType::NewPath => picky(1, 0.1),
        SlotType::Key => picky(3, 0.08).map(|free| Free { divided: costs::DIVIDED, ..free }),
        SlotType::Memory => picky(5, 0.1),
        SlotType::Column | SlotType::Cell => picky(3, 0.15),
        SlotType::Zone => picky(3, 0.35),
        SlotType::Host | SlotType::Program | SlotType::Tool | SlotType::Unit => picky(1, 0.35),
        _ => None,
    }
}

/// What a picky slot pays for taking such a word.
pub(crate) fn shunned(weight: Weight) -> f32 {
    match weight {
        Weight::Weighty => 0.4,
        Weight::Joining => 0.15,
        Weight::Light => 0.06,
        Weight::Filler => 0.03,
        Weight::Plain => 0.0,
    }
}
