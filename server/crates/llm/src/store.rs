//! What was chosen in the dialog, and the keys given there: one value, in a file of the data folder which only its
//! owner can read and which tools cannot reach, or where all servers share it.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use url::Url;

use super::providers::Endpoint;
use switchboard_runtime::{KeyValueStore, Secret};

/// The name of the value.
pub const MODELS: &str = "models.json";

/// The largest one that is read.
const MAX_BYTES: usize = 256 * 1024;

/// What is kept.
#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Stored {
    /// The provider and the model in use.
    pub(super) chosen: Option<StoredChoice>,
    /// Keys by provider.
    keys: BTreeMap<String, Key>,
    /// The addresses that those keys were given for, by provider.
    key_addresses: BTreeMap<String, String>,
    /// Addresses by provider.
    addresses: BTreeMap<String, String>,
}

/// What was chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct StoredChoice {
    pub(super) provider: String,
    pub(super) model: String,
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct Key(String);

impl std::fmt::Debug for Key {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Key(…)")
    }
}

impl Stored {
    /// A provider's key, and the address that it was given for. Files of earlier versions do not say which: theirs is the
    /// address that was given; none means the provider's own.
    pub(super) fn key_of(&self, provider: &str) -> Option<(Secret, Option<String>)> {
        let given_for = self.key_addresses.get(provider).or_else(|| self.addresses.get(provider));
        self.keys.get(provider).map(|key| (Secret::new(key.0.as_str()), given_for.cloned()))
    }

    /// A provider's address.
    pub(super) fn base_url_of(&self, provider: &str) -> Option<String> {
        self.addresses.get(provider).cloned()
    }

    /// The model that was chosen at this endpoint.
    pub(super) fn model_of(&self, endpoint: &Endpoint) -> Option<String> {
        let chosen = self.chosen.as_ref()?;
        (chosen.provider == endpoint.provider.id).then(|| chosen.model.clone())
    }

    /// Chooses this model.
    pub(super) fn choose(&mut self, provider: &str, model: &str) {
        self.chosen = Some(StoredChoice { provider: provider.to_owned(), model: model.to_owned() });
    }

    /// Keeps a key that was given, for the address that it was given for.
    pub(super) fn keep_key(&mut self, provider: &str, key: &Secret, given_for: &Url) {
        self.keys.insert(provider.to_owned(), Key(key.reveal().to_owned()));
        self.key_addresses.insert(provider.to_owned(), given_for.to_string());
    }

    /// Keeps an address that was given.
    pub(super) fn keep_address(&mut self, provider: &str, base_url: &Url) {
        self.addresses.insert(provider.to_owned(), base_url.to_string());
    }

    /// Forgets all about a provider; whether there was anything.
    pub(super) fn forget(&mut self, provider: &str) -> bool {
        let was_chosen = self.chosen.take_if(|chosen| chosen.provider == provider).is_some();
        let had_key = self.keys.remove(provider).is_some();
        self.key_addresses.remove(provider);
        self.addresses.remove(provider).is_some() || had_key || was_chosen
    }
}

/// Where it is kept.
#[derive(Debug, Clone)]
pub(super) struct Store(Arc<dyn KeyValueStore>);

impl Store {
    /// The one among these values.
    pub(super) fn new(values: Arc<dyn KeyValueStore>) -> Self {
        Self(values)
    }

    /// What is kept; nothing when there is no file.
    ///
    /// # Errors
    /// When it is there and cannot be read; the text names it.
    pub(super) fn load(&self) -> Result<Stored, String> {
        let kept = self.0.get(MODELS).map_err(|error| self.wrong(&error.to_string()))?;
        self.parse(kept.as_deref())
    }

    /// Changes what is kept, all of it or nothing; where nothing is, what is in use becomes it.
    ///
    /// # Errors
    /// When it cannot be read or written.
    pub(super) fn change(&self, in_use: &Stored, change: &dyn Fn(&mut Stored)) -> io::Result<()> {
        let mut changed = |kept: Option<&[u8]>| {
            let mut stored = match kept {
                Some(_) => self.parse(kept).map_err(io::Error::other)?,
                None => in_use.clone(),
            };
            change(&mut stored);
            Ok(serde_json::to_vec_pretty(&stored)?)
        };
        self.0.update(MODELS, &mut changed).map(drop)
    }

    /// Counts what other servers change.
    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.0.changes()
    }

    fn parse(&self, kept: Option<&[u8]>) -> Result<Stored, String> {
        let Some(kept) = kept else { return Ok(Stored::default()) };
        if kept.len() > MAX_BYTES {
            return Err(self.wrong("it is too large"));
        }
        // The error of the parser would show what stands there.
        serde_json::from_slice(kept)
            .map_err(|error| self.wrong(&format!("line {} is not as Switchboard wrote it", error.line())))
    }

    fn wrong(&self, why: &str) -> String {
        format!("{} cannot be read: {why}; delete it, then choose a model again", self.0.place(MODELS))
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    use switchboard_runtime::FileValues;

    use super::*;

    fn store(folder: &Path) -> Store {
        Store::new(Arc::new(FileValues::new(folder)))
    }

    #[test]
    fn what_is_kept_comes_back_and_only_its_owner_can_read_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = store(folder.path());
        assert_eq!(store.load(), Ok(Stored::default()));
        let own: Url = "https://api.openai.com/v1/".parse().expect("an address");
        let change = |stored: &mut Stored| {
            stored.choose("openai", "gpt");
            stored.keep_key("openai", &Secret::new("sk-123456"), &own);
        };

        store.change(&Stored::default(), &change).expect("it is kept");
        store.change(&Stored::default(), &change).expect("it is kept again");

        let mut stored = Stored::default();
        change(&mut stored);
        let loaded = store.load().expect("it is there");
        assert_eq!(loaded, stored);
        let (key, given_for) = loaded.key_of("openai").expect("the key");
        assert!(key.is("sk-123456") && given_for.as_deref() == Some(own.as_str()), "{given_for:?}");
        let mode = std::fs::metadata(folder.path().join(MODELS)).expect("it is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert!(!format!("{stored:?}").contains("123456"));
        assert!(stored.forget("openai") && !stored.forget("openai"));
        assert_eq!(stored, Stored::default());
    }

    #[test]
    fn a_damaged_file_is_told_by_its_name_without_what_stands_in_it() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join(MODELS), "{\"keys\": {\"openai\": sk-123456}}").expect("it is written");

        let error = store(folder.path()).load().expect_err("it is damaged");

        assert!(error.contains(MODELS) && !error.contains("123456"), "{error}");
    }
}
