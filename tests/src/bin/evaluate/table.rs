//! The figures of all queries, and of the two halves that a checksum of their ids divides them into: one to tune on, one
//! to report on.

use std::collections::BTreeMap;
use std::fmt;

use crate::folder::Query;
use crate::score::Measure;

/// Which queries.
const HALVES: [&str; 3] = ["all", "tuned on", "held out"];

/// Sums of figures by half, source and category.
#[derive(Default)]
pub(crate) struct Table(BTreeMap<(usize, String, String, Measure), (f64, f64)>);

impl Table {
    /// Takes in what a query's prediction is worth.
    pub(crate) fn add(&mut self, query: &Query, figures: &[(Measure, f64)]) {
        for half in [0, half(&query.id)] {
            for (measure, value) in figures {
                let place = (half, query.source.clone(), query.category.clone(), *measure);
                let (sum, count) = self.0.entry(place).or_default();
                *sum += value;
                *count += 1.0;
            }
        }
    }

    /// The mean over the queries of a source (all: "") and a category (all: "").
    fn mean(&self, half: usize, source: &str, category: &str, measure: Measure) -> f64 {
        let is = |wanted: &str, own: &str| wanted.is_empty() || wanted == own;
        let rows = self.0.iter().filter(|((of, from, kind, what), _)| {
            *of == half && is(source, from) && is(category, kind) && *what == measure
        });
        let (sum, count) = rows.fold((0.0, 0.0), |(sum, count), (_, row)| (sum + row.0, count + row.1));
        sum / count
    }

    /// The mean of the sources that have this figure.
    fn macro_mean(&self, half: usize, measure: Measure) -> f64 {
        let sources = ["bfcl", "metatool", "seal"].map(|source| self.mean(half, source, "", measure));
        let known: Vec<f64> = sources.into_iter().filter(|mean| mean.is_finite()).collect();
        let count = u32::try_from(known.len()).unwrap_or_default();
        known.iter().sum::<f64>() / f64::from(count)
    }

    fn figures(&self, half: usize) -> [f64; 15] {
        let of = |source: &str, category: &str, measure| self.mean(half, source, category, measure);
        let due = of("bfcl", "", Measure::Need);
        let unfit = of("bfcl", "", Measure::Irrelevance);
        let wants = of("metatool", "awareness_pos", Measure::Need);
        let wants_none = of("metatool", "awareness_neg", Measure::Irrelevance);
        [
            self.macro_mean(half, Measure::First),
            self.macro_mean(half, Measure::Five),
            self.macro_mean(half, Measure::Reciprocal),
            of("bfcl", "multiple", Measure::Selection),
            of("bfcl", "live_multiple", Measure::Selection),
            of("bfcl", "irrelevance", Measure::Irrelevance),
            of("bfcl", "live_irrelevance", Measure::Irrelevance),
            due,
            f64::midpoint(due, unfit),
            wants,
            wants_none,
            f64::midpoint(wants, wants_none),
            self.macro_mean(half, Measure::Selection),
            of("bfcl", "simple_python", Measure::Arguments),
            of("", "", Measure::Arguments),
        ]
    }
}

const NAMES: [&str; 15] = [
    "search R@1, mean of the sources",
    "search R@5",
    "search MRR@10",
    "selection, multiple",
    "selection, live_multiple",
    "none selected, irrelevance",
    "none selected, live_irrelevance",
    "selected where one is due, bfcl",
    "mean of that and of bfcl's irrelevance",
    "selected where one is due, open_need",
    "none selected, open_need",
    "mean of both, open_need",
    "selection, mean of the sources",
    "arguments, simple_python",
    "arguments, all",
];

impl fmt::Display for Table {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:40}", "")?;
        HALVES.iter().try_for_each(|name| write!(formatter, "{name:>10}"))?;
        let halves = [0, 1, 2].map(|half| self.figures(half));
        for (place, name) in NAMES.iter().enumerate() {
            write!(formatter, "\n{name:40}")?;
            halves.iter().try_for_each(|figures| write!(formatter, "{:10.1}", figures[place] * 100.0))?;
        }
        Ok(())
    }
}

/// 1 to tune on, 2 to report on: by a checksum (FNV-1a, mixed once more), so that a query never changes sides.
fn half(id: &str) -> usize {
    let hash = id
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    let mixed = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    if (mixed ^ (mixed >> 33)) & 1 == 0 { 1 } else { 2 }
}
