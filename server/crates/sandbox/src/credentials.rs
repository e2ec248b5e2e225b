//! Where people keep their keys: closed to tools even in a folder that they may otherwise reach.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// In a home.
const NAMES: &[&str] = &[
    ".ssh",
    ".gnupg",
    ".config",
    ".aws",
    ".azure",
    ".docker",
    ".kube",
    ".netrc",
    ".npmrc",
    ".yarnrc.yml",
    ".pypirc",
    ".git-credentials",
    ".pgpass",
    ".my.cnf",
    ".vault-token",
    ".terraform.d",
    ".password-store",
    ".mozilla",
    ".thunderbird",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".gem/credentials",
    ".gradle/gradle.properties",
    ".m2/settings.xml",
    ".local/share/keyrings",
];

/// The credentials that there are inside `reachable`, in `home` and in the home of every user of the machine.
#[must_use]
pub fn credentials(home: Option<&Path>, reachable: &[PathBuf]) -> Vec<PathBuf> {
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let users = users.lines().filter_map(|user| user.split(':').nth(5)).map(PathBuf::from);
    let homes: BTreeSet<PathBuf> =
        home.map(Path::to_owned).into_iter().chain(users).filter_map(|home| home.canonicalize().ok()).collect();
    let reachable: Vec<PathBuf> = reachable.iter().filter_map(|folder| folder.canonicalize().ok()).collect();
    let all = homes.iter().flat_map(|home| NAMES.iter().map(|name| home.join(name)));
    let inside = |path: &PathBuf| reachable.iter().any(|folder| path.starts_with(folder) && path != folder);
    all.filter(|path| inside(path) && path.exists()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_and_can_be_reached_is_found() {
        let home = tempfile::tempdir().expect("a folder");
        let root = home.path().canonicalize().expect("a path");
        fs::create_dir_all(root.join("work/.ssh")).expect("a folder");
        fs::create_dir(root.join(".ssh")).expect("a folder");
        fs::write(root.join(".netrc"), "password").expect("a file");

        let found = |reachable: &Path| credentials(Some(&root), &[reachable.to_owned()]);

        assert_eq!(found(&root), [root.join(".ssh"), root.join(".netrc")]);
        assert_eq!(found(&root.join("work")), [] as [PathBuf; 0], "only a home's own");
        assert_eq!(found(&root.join(".ssh")), [] as [PathBuf; 0], "who works there on purpose may");
    }
}
