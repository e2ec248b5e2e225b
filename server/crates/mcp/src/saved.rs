//! Small JSON values that are read at the start and written as a whole: files of the data folder, or what all servers share.

use std::io;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use switchboard_runtime::KeyValueStore;

/// A value under its name.
#[derive(Debug, Clone)]
pub(super) struct Saved {
    values: Arc<dyn KeyValueStore>,
    key: &'static str,
}

impl Saved {
    pub(super) fn new(values: Arc<dyn KeyValueStore>, key: &'static str) -> Self {
        Self { values, key }
    }

    /// Where it is, for people.
    pub(super) fn place(&self) -> String {
        self.values.place(self.key)
    }

    /// What there is; nothing yet, if it was never written.
    ///
    /// # Errors
    /// Why it cannot be read, in words.
    pub(super) fn read<T: DeserializeOwned + Default>(&self) -> Result<T, String> {
        parse(self.values.get(self.key).map_err(|error| error.to_string())?.as_deref())
    }

    /// Changes what there is, and waits until it is written; what there is then.
    ///
    /// # Errors
    /// When it cannot be read or written; then it is as it was.
    pub(super) fn update<T: DeserializeOwned + Default + Serialize>(&self, change: impl Fn(&mut T)) -> io::Result<T> {
        let mut changed = |there: Option<&[u8]>| {
            let mut value: T = parse(there).map_err(io::Error::other)?;
            change(&mut value);
            Ok(serde_json::to_vec_pretty(&value)?)
        };
        Ok(serde_json::from_slice(&self.values.update(self.key, &mut changed)?)?)
    }
}

fn parse<T: DeserializeOwned + Default>(there: Option<&[u8]>) -> Result<T, String> {
    there.map_or(Ok(T::default()), |bytes| serde_json::from_slice(bytes).map_err(|error| error.to_string()))
}
