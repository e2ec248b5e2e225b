//! What settings have in common.

use super::settings::{Fallback, Kind, Setting};

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
        .ok_or_else(|| format!("\"{value}\" is no whole number from {least} to {most}"))
}
