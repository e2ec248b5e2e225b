//! What the values that servers share are encrypted with: keys that the operator gives to all of them, the first for what is
//! written, the others for what is still there.
//!
//! A value is sealed under its name, so one cannot be put in the place of another.

use std::fmt;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::rand::{SecureRandom, SystemRandom};

/// The form that is written.
const FORM: u8 = 1;
/// How much of the key file is read.
const MAX_BYTES: usize = 4096;

/// The keys of a file.
pub struct ClusterKeys {
    keys: Vec<LessSafeKey>,
    random: SystemRandom,
}

impl fmt::Debug for ClusterKeys {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ClusterKeys({} keys)", self.keys.len())
    }
}

impl ClusterKeys {
    /// Reads a file with a key in each line: 32 bytes as base64.
    ///
    /// # Errors
    /// Says what is wrong with it, and how one is made; never what stands in it.
    pub fn read(file: &Path) -> Result<Self, String> {
        let wrong = |why: &str| {
            format!("the key file {} cannot be used: {why}; `openssl rand -base64 32` makes a key", file.display())
        };
        let text = std::fs::read_to_string(file).map_err(|error| wrong(&error.to_string()))?;
        if text.len() > MAX_BYTES {
            return Err(wrong("it is too long"));
        }
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let key = |line: &str| {
            let bytes = STANDARD.decode(line).ok()?;
            UnboundKey::new(&CHACHA20_POLY1305, &bytes).ok().map(LessSafeKey::new)
        };
        let keys =
            lines.map(key).collect::<Option<Vec<_>>>().ok_or_else(|| wrong("a line is not 32 bytes as base64"))?;
        if keys.is_empty() {
            return Err(wrong("it has no key"));
        }
        Ok(Self { keys, random: SystemRandom::new() })
    }

    /// Encrypts a value with the first key.
    pub(super) fn seal(&self, name: &str, value: &[u8]) -> Result<Vec<u8>, String> {
        let failed = |_| "a value cannot be encrypted".to_owned();
        let mut nonce = [0; NONCE_LEN];
        self.random.fill(&mut nonce).map_err(failed)?;
        let mut sealed = value.to_vec();
        self.keys[0]
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(aad(name)), &mut sealed)
            .map_err(failed)?;
        Ok([&[FORM], &nonce[..], &sealed].concat())
    }

    /// Decrypts a value, and says whether that took the first key; none if no key fits, or it is not as it was written.
    pub(super) fn open(&self, name: &str, sealed: &[u8]) -> Option<(Vec<u8>, bool)> {
        let (FORM, rest) = sealed.split_first().map(|(form, rest)| (*form, rest))? else { return None };
        let (nonce, rest) = rest.split_at_checked(NONCE_LEN)?;
        self.keys.iter().enumerate().find_map(|(number, key)| {
            let (nonce, mut bytes) = (Nonce::try_assume_unique_for_key(nonce).ok()?, rest.to_vec());
            let value = key.open_in_place(nonce, Aad::from(aad(name)), &mut bytes).ok()?.to_vec();
            Some((value, number == 0))
        })
    }
}

fn aad(name: &str) -> Vec<u8> {
    [b"switchboard value\0", name.as_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(lines: &[&str]) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), lines.join("\n")).expect("written");
        file
    }

    const OLD: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
    const NEW: &str = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=";

    fn keys(lines: &[&str]) -> ClusterKeys {
        ClusterKeys::read(file(lines).path()).expect("keys")
    }

    #[test]
    fn a_value_is_opened_by_a_key_of_the_file_under_its_name_only() {
        let (old, both, new) = (keys(&[OLD]), keys(&["# since May", NEW, "", OLD]), keys(&[NEW]));
        let sealed = old.seal("models.json", b"a secret").expect("sealed");

        assert!(!sealed.windows(8).any(|window| window == b"a secret"));
        assert_ne!(old.seal("models.json", b"a secret").expect("sealed"), sealed);
        assert_eq!(old.open("models.json", &sealed), Some((b"a secret".to_vec(), true)));
        assert_eq!(both.open("models.json", &sealed), Some((b"a secret".to_vec(), false)));
        assert_eq!(new.open("models.json", &sealed), None);
        assert_eq!(old.open("login.key", &sealed), None);
        for place in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[place] ^= 1;
            assert_eq!(old.open("models.json", &changed), None, "{place}");
            assert_eq!(old.open("models.json", &sealed[..place]), None, "{place}");
        }
        assert_eq!(new.open("a", &both.seal("a", b"").expect("sealed")), Some((Vec::new(), true)));
    }

    #[test]
    fn what_is_wrong_with_a_key_file_is_said_and_not_what_stands_in_it() {
        for (lines, wanted) in [
            (&["c2VjcmV0"][..], "a line is not 32 bytes as base64"),
            (&[OLD, "not base64 secret"], "a line is not 32 bytes as base64"),
            (&["# nothing"], "it has no key"),
        ] {
            let error = ClusterKeys::read(file(lines).path()).expect_err(wanted);
            assert!(error.contains(wanted) && error.contains("openssl rand -base64 32"), "{error}");
            assert!(!error.contains("secret") && !error.contains("c2Vj"), "{error}");
        }
        let missing = ClusterKeys::read(Path::new("/nowhere")).expect_err("it is not there");
        assert!(missing.contains("/nowhere"), "{missing}");
    }
}
