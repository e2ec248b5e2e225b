//! The room that reading needs: tables of all sentences and words, kept from request to request.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

use crate::align::Aligner;
use crate::shortlist::Shared;

/// The tables of one reading, kept from clause to clause.
#[derive(Default)]
pub(crate) struct Workbench {
    pub(crate) aligner: Aligner,
    pub(crate) shared: Shared,
    pub(crate) least: Vec<f32>,
}

/// Workbenches that nobody works at: as many as there were readings at once.
#[derive(Default)]
pub(crate) struct Workbenches(Mutex<Vec<Workbench>>);

/// A workbench, until it is given back.
pub(crate) struct Taken<'b> {
    from: &'b Workbenches,
    bench: Workbench,
}

impl Workbenches {
    pub(crate) fn take(&self) -> Taken<'_> {
        Taken { from: self, bench: self.free().pop().unwrap_or_default() }
    }

    fn free(&self) -> impl DerefMut<Target = Vec<Workbench>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Deref for Taken<'_> {
    type Target = Workbench;

    fn deref(&self) -> &Workbench {
        &self.bench
    }
}

impl DerefMut for Taken<'_> {
    fn deref_mut(&mut self) -> &mut Workbench {
        &mut self.bench
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        // What a reading that panicked left half done is not used again.
        if !std::thread::panicking() {
            self.from.free().push(std::mem::take(&mut self.bench));
        }
    }
}
