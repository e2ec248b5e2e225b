//! What settings have in common: the usual form of one, and how numbers, addresses and keys are read.

use url::Url;

use super::settings::{Fallback, Kind, Setting};
use switchboard_runtime::Secret;

/// What most settings are like.
pub(super) const PLAIN: Setting = Setting {
    key: "",
    kind: Kind::Text("TEXT"),
    default: Fallback::None,
    help: "",
    reloads: false,
    secret: false,
    hidden: false,
    take: |_, _| Ok(()),
    take_each: |_, _, _| Ok(()),
};

pub(super) fn number<T: TryFrom<u64>>(value: &str, least: u64, most: u64) -> Result<T, String> {
    value
        .parse()
        .ok()
        .filter(|number| (least..=most).contains(number))
        .and_then(|number| T::try_from(number).ok())
        .ok_or_else(|| format!("\"{value}\" is not a whole number from {least} to {most}"))
}

/// An address that requests can be sent to; none: the text is something else.
pub(super) fn address(value: &str) -> Option<Url> {
    value.parse::<Url>().ok().filter(|url| matches!(url.scheme(), "http" | "https"))
}

/// A key that can be sent in an HTTP header, of at most this many bytes.
pub(super) fn key(value: &str, most: usize) -> Result<Secret, String> {
    let key = Secret::new(value);
    match key.fits_header(most) {
        true => Ok(key),
        false => Err("a key has no spaces, and only unaccented letters, digits and symbols".to_owned()),
    }
}
