//! A setting that may change while the program runs: whoever holds the cell reads the current value.

use tokio::sync::watch;

/// A value that is read often and rarely replaced; clones share it.
#[derive(Debug, Clone)]
pub struct Live<T>(watch::Sender<T>);

impl<T: Clone> Live<T> {
    /// A cell with its first value.
    #[must_use]
    pub fn new(value: T) -> Self {
        Self(watch::Sender::new(value))
    }

    /// The current value.
    #[must_use]
    pub fn get(&self) -> T {
        self.0.borrow().clone()
    }

    /// Replaces the value for everybody.
    pub fn set(&self, value: T) {
        self.0.send_replace(value);
    }
}

impl<T: Clone + Default> Default for Live<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}
