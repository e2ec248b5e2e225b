//! Whether a file is on the way from what it was to what it should be: some of the changes are made, as they should be, and
//! no others. Whoever asked for two changes and got one has not got what was asked for, but nothing is harmed.

use std::collections::BTreeSet;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Whether each line that changed is as it should be.
pub(super) fn is_partly(before: &str, wanted: &str, after: &str) -> bool {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let (before, wanted, after) = (lines(before), lines(wanted), lines(after));
    let mut reached = BTreeSet::from([0_usize]);
    for (old, new) in pieces(&before, &wanted) {
        let fits = |from: usize, piece: &[String]| after[from..].starts_with(piece).then_some(from + piece.len());
        reached = reached.into_iter().flat_map(|from| [fits(from, &old), fits(from, &new)]).flatten().collect();
    }
    reached.contains(&after.len())
}

/// The lines that stay, and each change that stands by itself: what was there, and what should be.
fn pieces(before: &[String], wanted: &[String]) -> Vec<(Vec<String>, Vec<String>)> {
    let piece = |op: DiffOp| -> Vec<(Vec<String>, Vec<String>)> {
        let (old, new) = (&before[op.old_range()], &wanted[op.new_range()]);
        match op {
            DiffOp::Replace { .. } if old.len() == new.len() => {
                old.iter().zip(new).map(|(old, new)| (vec![old.clone()], vec![new.clone()])).collect()
            }
            DiffOp::Insert { .. } => new.iter().map(|line| (Vec::new(), vec![line.clone()])).collect(),
            DiffOp::Delete { .. } => old.iter().map(|line| (vec![line.clone()], Vec::new())).collect(),
            _ => vec![(old.to_vec(), new.to_vec())],
        }
    };
    capture_diff_slices(Algorithm::Myers, before, wanted).into_iter().flat_map(piece).collect()
}
