//! Places whose loss is the loss of a machine or of all of somebody's files, told by how they are written.

/// Folders without which a system does not work, and those of its users.
const FOLDERS: &[&str] = &[
    "bin", "boot", "dev", "etc", "home", "lib", "lib32", "lib64", "opt", "proc", "root", "run", "sbin", "srv", "sys",
    "usr", "usr/bin", "usr/lib", "usr/sbin", "var", "var/lib", "Users",
];

/// What lies in `/dev` and can be written to without harm; `tcp` and `udp` are bash's own names for connections.
const HARMLESS: &[&str] =
    &["null", "zero", "full", "stdout", "stderr", "tty", "random", "urandom", "shm", "pts", "fd", "tcp", "udp"];

/// A place with all that is beneath it: the root, a folder of the system, a home.
pub(super) fn is_everything(word: &str) -> bool {
    let path = plain(word);
    let path = path.strip_suffix("/*").or_else(|| path.strip_suffix("/.*")).unwrap_or(&path);
    let is_home = matches!(path, "~" | "$HOME") || path.starts_with('~') && !path.contains('/');
    let inside = path.strip_prefix('/').unwrap_or_default();
    let is_users = ["home/", "Users/"]
        .iter()
        .any(|homes| inside.strip_prefix(homes).is_some_and(|user| !user.is_empty() && !user.contains('/')));
    is_root(word) || is_home || is_users || FOLDERS.contains(&inside)
}

/// The root itself, or all that is in it.
pub(super) fn is_root(word: &str) -> bool {
    matches!(plain(word).as_str(), "/" | "/*" | "/.*")
}

/// Something in `/dev` that holds data, or is the machine's memory.
pub(super) fn is_device(word: &str) -> bool {
    plain(word).strip_prefix("/dev/").is_some_and(|device| {
        let device = device.split('/').next().unwrap_or_default();
        !device.is_empty() && !HARMLESS.contains(&device)
    })
}

/// An absolute path without `.`, `..` and doubled slashes; any other word without slashes at its end.
fn plain(word: &str) -> String {
    if !word.starts_with('/') {
        return word.trim_end_matches('/').to_owned();
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in word.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}
