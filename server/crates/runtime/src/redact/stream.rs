//! Text that comes in pieces: what may be the beginning of a secret waits for what follows.

use std::sync::LazyLock;

use regex::Regex;

use super::redact;

/// The longest that may wait; what is longer than this is not a token.
const MAX_HELD_BYTES: usize = 16 * 1024;

/// A private key may be this much longer than what may wait.
const MAX_SWALLOWED_BYTES: usize = 64 * 1024;

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";

/// Signs that begin a token, or a line that holds a secret.
const BEGINNINGS: &[&str] = &[
    BEGIN,
    "AKIA",
    "ASIA",
    "ABIA",
    "ACCA",
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "gldt-",
    "glrt-",
    "glsoat-",
    "glcbt-",
    "glptt-",
    "glagent-",
    "glft-",
    "glimt-",
    "xox",
    "xapp-",
    "hooks.slack.com/",
    "sk_",
    "rk_",
    "whsec_",
    "AIza",
    "ya29.",
    "GOCSPX-",
    "sk-",
    "npm_",
    "pypi-",
    "hf_",
    "SG.",
    "dop_v1_",
    "doo_v1_",
    "dor_v1_",
    "tvly-",
    "dckr_pat_",
    "shpat_",
    "shpca_",
    "shppa_",
    "shpss_",
    "AGE-SECRET-KEY-",
    "eyJ",
    "://",
];

/// Names of what is secret, in lowercase letters; the value follows.
const NAMES: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "token",
    "api_key",
    "api-key",
    "apikey",
    "access_key",
    "access-key",
    "accesskey",
    "private_key",
    "private-key",
    "privatekey",
    "auth_key",
    "auth-key",
    "authkey",
    "credential",
    "bearer",
    "basic",
    "aws_secret",
];

/// All of them in one look.
static ANY_BEGINNING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let signs: Vec<String> = BEGINNINGS.iter().map(|sign| regex::escape(sign)).collect();
    Regex::new(&signs.join("|")).ok()
});

/// A name that says secret, at the end, with as much of its value as has come.
static OPEN_ENDED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r#"(?i)[A-Za-z0-9_-]{0,32}(?:pass(?:word|wd|phrase)|pwd|secret|token|key|credential|bearer|basic)[A-Za-z_]{0,20}\\?["']?\s*(?:=>|:=|[:=])?\s*\\?["']?[^\s"'`,;]*\z"#,
    )
    .ok()
});

/// Redacts text that comes in pieces.
#[derive(Debug, Default)]
pub struct Redactor {
    held: String,
    /// Bytes of a private key that may still be swallowed, once its beginning was marked.
    swallowing: usize,
}

impl Redactor {
    /// The next piece; what comes back is final, and what is missing comes with a later piece or the end.
    pub fn push(&mut self, text: &str) -> String {
        self.held.push_str(text);
        self.swallow();
        if self.swallowing > 0 {
            return String::new();
        }
        let mut safe = hold_from(&self.held);
        if self.held.len() - safe > MAX_HELD_BYTES {
            if self.held[safe..].starts_with(BEGIN) {
                self.swallowing = MAX_SWALLOWED_BYTES;
            }
            safe = self.held.len();
        }
        let rest = self.held.split_off(safe);
        let ready = std::mem::replace(&mut self.held, rest);
        redact(&ready).into_owned()
    }

    /// What still waited.
    pub fn finish(&mut self) -> String {
        self.swallow();
        if std::mem::take(&mut self.swallowing) > 0 {
            self.held.clear();
        }
        redact(&std::mem::take(&mut self.held)).into_owned()
    }

    /// Takes away what belongs to a private key whose beginning was marked already.
    fn swallow(&mut self) {
        if self.swallowing == 0 {
            return;
        }
        if let Some(end) = self.held.find(END) {
            let line = self.held[end + END.len()..].find("-----").map(|found| end + END.len() + found + 5);
            if let Some(line) = line {
                self.held.drain(..line);
                self.swallowing = 0;
                return;
            }
        }
        // The last signs may be the beginning of its end.
        let kept = self.held.len().min(64);
        let from = self.held.ceil_char_boundary(self.held.len() - kept);
        self.swallowing = self.swallowing.saturating_sub(from);
        self.held.drain(..from);
    }
}

/// From where on the text may be a secret that has not come to its end.
fn hold_from(text: &str) -> usize {
    let recent = text.ceil_char_boundary(text.len().saturating_sub(MAX_HELD_BYTES + 1024));
    let tail = &text[recent..];
    let word = tail.rfind(char::is_whitespace).map_or(0, |at| at + tail[at..].chars().next().map_or(1, char::len_utf8));
    let mut from = tail.len();
    let last = &tail[word..];
    if ANY_BEGINNING.as_ref().is_some_and(|signs| signs.is_match(last)) {
        from = from.min(word);
    } else if let Some(begun) = BEGINNINGS.iter().filter_map(|sign| partial(tail, sign)).min() {
        from = from.min(begun);
    }
    let line = tail.ceil_char_boundary(tail.len().saturating_sub(512));
    if let Some(open) = OPEN_ENDED.as_ref().and_then(|regex| regex.find(&tail[line..])) {
        from = from.min(line + open.start());
    }
    if let Some(begun) = NAMES.iter().filter_map(|name| partial_name(tail, name)).min() {
        from = from.min(begun);
    }
    let from = recent + from;
    match key_block(text) {
        // Never from within a key: its beginning and its end belong together.
        Some((begun, end)) if end.is_none_or(|end| from < end) => from.min(begun),
        _ => from,
    }
}

/// Where the last private key begins, and where it ends if its end is there.
fn key_block(text: &str) -> Option<(usize, Option<usize>)> {
    let begun = text.rfind(BEGIN)?;
    let line = text[begun..].find(END).map(|found| begun + found + END.len());
    Some((begun, line.and_then(|line| text[line..].find("-----").map(|found| line + found + 5))))
}

/// Where the text ends with a proper beginning of a name, in whatever letters.
fn partial_name(text: &str, name: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let ends = |length: &usize| {
        bytes.len() >= *length && bytes[bytes.len() - length..].eq_ignore_ascii_case(&name.as_bytes()[..*length])
    };
    (1..name.len()).rev().find(ends).map(|length| text.len() - length)
}

/// Where the text ends with a proper beginning of `sign`.
fn partial(text: &str, sign: &str) -> Option<usize> {
    let begins = |length: &usize| text.ends_with(&sign[..*length]);
    let length = (1..sign.len()).rev().filter(|length| sign.is_char_boundary(*length)).find(begins)?;
    let start = text.len() - length;
    // A word goes on there; only a mark like `://` stands within one.
    let within = text[..start].chars().next_back().is_some_and(char::is_alphanumeric);
    (!within || sign.starts_with([':', '-'])).then_some(start)
}
