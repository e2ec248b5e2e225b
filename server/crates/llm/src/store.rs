//! What was chosen in the dialog, and the keys given there: one file in the data folder, which only its owner can read
//! and which tools cannot reach.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use url::Url;

use super::providers::Endpoint;
use switchboard_runtime::Secret;

/// The file's name.
const FILE: &str = "models.json";

/// The largest file that is read.
const MAX_BYTES: u64 = 256 * 1024;

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

/// The file.
#[derive(Debug, Clone)]
pub(super) struct Store(PathBuf);

impl Store {
    /// The one in this folder.
    pub(super) fn new(folder: &Path) -> Self {
        Self(folder.join(FILE))
    }

    /// What is kept; nothing when there is no file.
    ///
    /// # Errors
    /// When it is there and cannot be read; the text names it.
    pub(super) fn load(&self) -> Result<Stored, String> {
        let wrong =
            |why: String| format!("{} cannot be read: {why}; delete it, then choose a model again", self.0.display());
        let file = match File::open(&self.0) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Stored::default()),
            Err(error) => return Err(wrong(error.to_string())),
        };
        let mut text = String::new();
        file.take(MAX_BYTES).read_to_string(&mut text).map_err(|error| wrong(error.to_string()))?;
        // The error of the parser would show what stands there.
        serde_json::from_str(&text)
            .map_err(|error| wrong(format!("line {} is not as Switchboard wrote it", error.line())))
    }

    /// Keeps this, all of it or nothing.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn save(&self, stored: &Stored) -> io::Result<()> {
        let folder = self.0.parent().unwrap_or(Path::new("."));
        // Such a file is for its owner only from the beginning.
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(&serde_json::to_vec_pretty(stored)?)?;
        file.as_file().sync_all()?;
        file.persist(&self.0)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn what_is_kept_comes_back_and_only_its_owner_can_read_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::new(folder.path());
        assert_eq!(store.load(), Ok(Stored::default()));
        let mut stored = Stored::default();
        let own: Url = "https://api.openai.com/v1/".parse().expect("an address");
        stored.choose("openai", "gpt");
        stored.keep_key("openai", &Secret::new("sk-123456"), &own);

        store.save(&stored).expect("it is kept");
        store.save(&stored).expect("it is kept again");

        let loaded = store.load().expect("it is there");
        assert_eq!(loaded, stored);
        let (key, given_for) = loaded.key_of("openai").expect("the key");
        assert!(key.is("sk-123456") && given_for.as_deref() == Some(own.as_str()), "{given_for:?}");
        let mode = std::fs::metadata(folder.path().join(FILE)).expect("it is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert!(!format!("{stored:?}").contains("123456"));
        assert!(stored.forget("openai") && !stored.forget("openai"));
        assert_eq!(stored, Stored::default());
    }

    #[test]
    fn a_damaged_file_is_told_by_its_name_without_what_stands_in_it() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join(FILE), "{\"keys\": {\"openai\": sk-123456}}").expect("it is written");

        let error = Store::new(folder.path()).load().expect_err("it is damaged");

        assert!(error.contains(FILE) && !error.contains("123456"), "{error}");
    }
}
