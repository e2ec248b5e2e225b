//! Which files of the machine a command in namespaces sees, and where they may be changed: worked out before its own root
//! is made, from paths without symbolic links, because a link is another place in another root.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::layout::{Access, NAME_SERVERS, OPEN_IN_SSL, SECRET_IN_ETC, SYSTEM};
use super::repository::Protected;
use super::spec::Confinement;

/// What is mounted anew and not taken from outside.
const OWN: &[&str] = &["/proc", "/sys", "/dev", "/tmp", "/run"];

/// Of `/sys`, what runtimes read to size themselves.
const OF_SYS: &[&str] = &["/sys/devices/system", "/sys/kernel/mm/transparent_hugepage"];

/// What the root of a command is made of.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Plan {
    /// Taken from outside, parents first.
    pub(super) binds: Vec<(PathBuf, Access)>,
    /// Symbolic links, with what they name.
    pub(super) links: Vec<(PathBuf, PathBuf)>,
    /// Empty, though something is there outside.
    pub(super) denied: Vec<PathBuf>,
    /// Symbolic links that are covered by an empty file.
    pub(super) covered: Vec<PathBuf>,
}

impl Plan {
    /// # Errors
    /// When no root can be made of it.
    pub(super) fn of(confinement: &Confinement) -> Result<Self, String> {
        let mut plan = Self::default();
        let mut wanted: BTreeMap<PathBuf, Access> = BTreeMap::new();
        let system = SYSTEM.iter().filter(|path| !OWN.contains(path)).chain(&["/etc"]).chain(OF_SYS);
        for path in system.map(PathBuf::from) {
            if let Ok(target) = fs::read_link(&path) {
                plan.links.push((path.clone(), target));
            }
            wanted.extend(path.canonicalize().ok().map(|path| (path, Access::Read)));
        }
        wanted.extend(Path::new(NAME_SERVERS).canonicalize().ok().map(|path| (path, Access::Read)));
        let readable = confinement.readable.iter().filter_map(|path| path.canonicalize().ok());
        wanted.extend(readable.flat_map(without_root).map(|path| (path, Access::Read)));
        for path in confinement.writable.iter().filter_map(|path| path.canonicalize().ok()) {
            if path.parent().is_none() {
                return Err("the workspace is the root of all files".to_owned());
            }
            wanted.insert(path, Access::Write);
        }
        // A map is sorted by path, so what lies in something comes after it.
        for (path, access) in wanted {
            let around = plan.binds.iter().rfind(|(bind, _)| path.starts_with(bind)).map(|(_, access)| *access);
            if around.is_none_or(|around| around == Access::Read && access == Access::Write) {
                plan.binds.push((path, access));
            }
        }
        for workspace in confinement.writable.iter().filter_map(|path| path.canonicalize().ok()) {
            let Protected { pinned, links } = Protected::of(&workspace);
            plan.binds.extend(pinned);
            plan.covered.extend(links);
        }
        plan.binds.sort_by(|one, other| one.0.cmp(&other.0));
        plan.deny(confinement);
        Ok(plan)
    }

    fn deny(&mut self, confinement: &Confinement) {
        let in_etc = SECRET_IN_ETC.iter().map(|name| Path::new("/etc").join(name)).chain(closed_in_ssl());
        let mut denied: Vec<PathBuf> =
            confinement.denied.iter().cloned().chain(in_etc).filter_map(|path| path.canonicalize().ok()).collect();
        denied.sort();
        for path in denied {
            let is_seen = self.binds.iter().any(|(bind, _)| path.starts_with(bind) && path != *bind);
            let is_covered = self.denied.iter().any(|denied| path.starts_with(denied));
            if is_seen && !is_covered {
                self.denied.push(path);
            }
        }
    }

    /// What may be done at this path of the root.
    pub(super) fn access(&self, path: &Path) -> Access {
        if self.denied.iter().chain(&self.covered).any(|empty| path.starts_with(empty)) {
            return Access::Read;
        }
        self.binds.iter().rfind(|(bind, _)| path.starts_with(bind)).map_or(Access::Read, |(_, access)| *access)
    }

    /// Whether this lies in something that is empty here.
    pub(super) fn is_hidden(&self, path: &Path) -> bool {
        self.denied.iter().any(|denied| path.starts_with(denied) && path != denied)
    }
}

/// What of `/etc/ssl` is closed. What a link names lies elsewhere, and is open or closed there.
fn closed_in_ssl() -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir("/etc/ssl").into_iter().flatten().flatten();
    let closed = entries.filter(|entry| !OPEN_IN_SSL.iter().any(|open| entry.file_name() == *open));
    closed.map(|entry| entry.path()).filter(|path| !path.is_symlink())
}

/// The root itself cannot be taken from outside, but what is in it.
fn without_root(path: PathBuf) -> Vec<PathBuf> {
    if path.parent().is_some() {
        return if path.starts_with("/proc") { Vec::new() } else { vec![path] };
    }
    let entries = fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter(|entry| !entry.is_symlink() && !OWN.iter().any(|own| entry == Path::new(own))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Isolation, Network};

    fn confinement(workspace: &Path, readable: &[PathBuf], denied: &[PathBuf]) -> Confinement {
        Confinement {
            writable: vec![workspace.to_owned()],
            readable: readable.to_vec(),
            denied: denied.to_vec(),
            read_only: Vec::new(),
            network: Network::Closed,
            isolation: Isolation::Namespaces,
        }
    }

    #[test]
    fn what_lies_in_something_is_bound_only_if_more_may_be_done_there() {
        let root = tempfile::tempdir().expect("a folder");
        let root = root.path().canonicalize().expect("a path");
        for folder in ["home/work/sub", "home/other"] {
            fs::create_dir_all(root.join(folder)).expect("a folder");
        }
        let readable = [root.join("home"), root.join("home/other"), root.join("home/work/sub")];

        let plan = Plan::of(&confinement(&root.join("home/work"), &readable, &[])).expect("a plan");

        let own: Vec<_> = plan.binds.iter().filter(|(path, _)| path.starts_with(&root)).cloned().collect();
        assert_eq!(own, [(root.join("home"), Access::Read), (root.join("home/work"), Access::Write)]);
        assert_eq!(plan.access(&root.join("home/work/sub/file")), Access::Write);
        assert_eq!(plan.access(&root.join("home/other")), Access::Read);
        assert_eq!(plan.access(Path::new("/")), Access::Read);
    }

    #[test]
    fn what_is_denied_is_empty_where_it_would_be_seen() {
        let root = tempfile::tempdir().expect("a folder");
        let root = root.path().canonicalize().expect("a path");
        for folder in ["work/data/deep", "elsewhere"] {
            fs::create_dir_all(root.join(folder)).expect("a folder");
        }
        let denied = ["work/data/deep", "work/data", "elsewhere", "work/missing"].map(|name| root.join(name));

        let plan = Plan::of(&confinement(&root.join("work"), &[], &denied)).expect("a plan");

        let own: Vec<_> = plan.denied.iter().filter(|path| path.starts_with(&root)).collect();
        assert_eq!(own, [&root.join("work/data")]);
        assert_eq!(plan.access(&root.join("work/data/deep")), Access::Read);
        assert!(plan.is_hidden(&root.join("work/data/deep")) && !plan.is_hidden(&root.join("work/data")));
    }

    #[test]
    fn a_workspace_that_is_everything_has_no_root_of_its_own() {
        assert!(Plan::of(&confinement(Path::new("/"), &[], &[])).is_err());
    }
}
