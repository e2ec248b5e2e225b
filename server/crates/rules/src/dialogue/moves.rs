//! Where a file goes that is renamed or copied, as a change.

use crate::ops::{Change, Slots, gone_or_moved};

/// Where a file goes that is moved or copied: into a folder, or beside itself under another name.
fn target(path: &str, slots: &Slots<'_>) -> Result<String, String> {
    let wanted = slots.need("path")?;
    let name = path.rsplit('/').next().unwrap_or(path);
    let said = slots.text("path_said").unwrap_or_default();
    let into = slots.flag("into_folder") && !wanted.rsplit('/').next().is_some_and(|name| name.contains('.'));
    let folder = into || slots.flag("path_folder") || wanted.ends_with('/') || said.ends_with('/');
    let parent = path.rsplit_once('/').map(|(parent, _)| parent);
    let to = match (folder, parent) {
        (true, _) => format!("{}/{name}", wanted.trim_end_matches('/')),
        // A new name alone stays in the folder.
        (false, Some(parent)) if !wanted.contains('/') => format!("{parent}/{wanted}"),
        _ => wanted,
    };
    if to == path { Err(format!("`{path}` is there already.")) } else { Ok(to) }
}

pub(super) fn renamed(path: &str, text: &str, slots: &Slots<'_>) -> Result<(Change, String), String> {
    let to = target(path, slots)?;
    Ok((gone_or_moved(path, Some(&to), text), format!("I renamed `{path}` to `{to}`.")))
}

pub(super) fn copied(path: &str, text: &str, slots: &Slots<'_>) -> Result<(Change, String), String> {
    let to = target(path, slots)?;
    let change = Change { path: to.clone(), to: Some(to.clone()), before: None, after: text.to_owned() };
    Ok((change, format!("I copied `{path}` to `{to}`.")))
}
