//! What files and ports a command can reach, enforced by the kernel (Landlock).
//!
//! Landlock only ever allows: beneath a folder, so a folder with a denied one inside is allowed child by child; and one
//! port at a time, so where one is closed every other is allowed.

use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, NetPort, Ruleset, RulesetAttr, RulesetCreated,
    RulesetCreatedAttr, RulesetError, Scope, path_beneath_rules,
};

use super::layout::{DEVICES, NAME_SERVERS, OPEN_IN_SSL, PRIVATE, SECRET_IN_ETC, SYSTEM};
use super::spec::{Confinement, Network};

/// File rights that the kernel must know (Linux 6.2); newer ones are used where there are.
const REQUIRED: ABI = ABI::V3;

/// Confines this thread and all that it starts from now on.
///
/// # Errors
/// When the kernel cannot enforce it; nothing must be run then.
pub(super) fn confine(confinement: &Confinement) -> Result<(), String> {
    let status = ruleset(confinement).and_then(RulesetCreated::restrict_self).map_err(|error| error.to_string())?;
    if !status.no_new_privs {
        return Err("the kernel did not set no_new_privs".to_owned());
    }
    Ok(())
}

/// Whether the kernel can keep a command from a port (Linux 6.7).
///
/// # Errors
/// Why it cannot.
pub fn closes_ports() -> Result<(), String> {
    let tried = connecting(Ruleset::default()).and_then(Ruleset::create).and_then(|ruleset| all_but(ruleset, 1..=1, 0));
    tried.map(drop).map_err(|error| error.to_string())
}

/// From here on no port can be connected to unless a rule allows it.
fn connecting(ruleset: Ruleset) -> Result<Ruleset, RulesetError> {
    ruleset.set_compatibility(CompatLevel::HardRequirement).handle_access(AccessNet::ConnectTcp)
}

/// Allows these ports without the closed one.
fn all_but(ruleset: RulesetCreated, ports: RangeInclusive<u16>, closed: u16) -> Result<RulesetCreated, RulesetError> {
    let open = ports.filter(|port| *port != closed);
    ruleset
        .set_compatibility(CompatLevel::HardRequirement)
        .add_rules(open.map(|port| Ok::<_, RulesetError>(NetPort::new(port, AccessNet::ConnectTcp))))
}

fn ruleset(confinement: &Confinement) -> Result<RulesetCreated, RulesetError> {
    let read = AccessFs::from_read(REQUIRED);
    let write = AccessFs::from_all(REQUIRED) & !(AccessFs::MakeChar | AccessFs::MakeBlock);
    let device: BitFlags<AccessFs> = AccessFs::ReadFile | AccessFs::WriteFile;
    let mut ruleset = Ruleset::default();
    if let Network::AllBut(_) = confinement.network {
        ruleset = connecting(ruleset)?;
    }
    let mut ruleset = ruleset
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(REQUIRED))?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::IoctlDev)?
        .scope(Scope::AbstractUnixSocket | Scope::Signal)?
        .create()?
        .add_rules(path_beneath_rules(DEVICES, device))?;
    let unwritable = [confinement.denied.as_slice(), confinement.read_only.as_slice()].concat();
    // In namespaces what is secret there is covered by something that is empty, or cannot be opened.
    let has_covers = confinement.isolation.has_namespaces();
    let etc = if has_covers { there(&["/etc", NAME_SERVERS]).collect() } else { public_etc() };
    let system = there(SYSTEM).chain(etc);
    let read_only = confinement.read_only.iter().filter(|path| !path.is_symlink());
    let readable = system.chain(there(&confinement.readable)).chain(there(read_only));
    let readable = readable.map(|path| (path, read, &confinement.denied));
    let writable = there(&confinement.writable).map(|path| (path, write, &unwritable));
    let within = within_reach(confinement);
    let private = PRIVATE.iter().filter(|_| confinement.isolation.has_namespaces());
    let private = there(private).map(|path| (path, write, &within));
    for (path, access, closed) in readable.chain(writable).chain(private) {
        let allowed = Allowed::beneath(&path, closed);
        ruleset = ruleset
            .add_rules(path_beneath_rules(allowed.whole, access))?
            .add_rules(path_beneath_rules(allowed.listed, AccessFs::ReadDir))?;
    }
    match confinement.network {
        Network::AllBut(port) => all_but(ruleset, 0..=u16::MAX, port),
        Network::Closed | Network::Proxied | Network::Open => Ok(ruleset),
    }
}

/// What of the denied paths lies where the command gets at all: in namespaces the rest is not there.
fn within_reach(confinement: &Confinement) -> Vec<PathBuf> {
    let reached = || confinement.writable.iter().chain(&confinement.readable);
    let denied = confinement.denied.iter().chain(&confinement.read_only);
    denied.filter(|path| reached().any(|folder| path.starts_with(folder))).cloned().collect()
}

/// The paths without symbolic links; what is not there needs no rule.
fn there<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> impl Iterator<Item = PathBuf> {
    paths.into_iter().filter_map(|path| path.as_ref().canonicalize().ok())
}

/// What of `/etc` may be read, without symbolic links. There are many entries: to look each of them up again would be some
/// hundreds of calls more for each command.
fn public_etc() -> Vec<PathBuf> {
    let Ok(etc) = Path::new("/etc").canonicalize() else { return Vec::new() };
    let entries = fs::read_dir(etc).into_iter().flatten().flatten();
    let of_etc = entries
        .filter(|entry| !SECRET_IN_ETC.iter().any(|secret| entry.file_name() == *secret) && entry.file_name() != "ssl")
        .filter_map(|entry| match entry.file_type().is_ok_and(|kind| !kind.is_symlink()) {
            true => Some(entry.path()),
            false => entry.path().canonicalize().ok(),
        });
    let of_ssl = OPEN_IN_SSL.iter().map(|name| Path::new("/etc/ssl").join(name));
    of_etc.chain(there(of_ssl)).collect()
}

/// How a folder is allowed when some folders inside it are denied.
#[derive(Debug, Default, PartialEq, Eq)]
struct Allowed {
    /// Allowed with all that is beneath.
    whole: Vec<PathBuf>,
    /// Only listed: something beneath is denied.
    listed: Vec<PathBuf>,
}

impl Allowed {
    fn beneath(folder: &Path, denied: &[PathBuf]) -> Self {
        let mut allowed = Self::default();
        allowed.add(folder, denied);
        allowed
    }

    fn add(&mut self, path: &Path, denied: &[PathBuf]) {
        if denied.iter().any(|denied| path.starts_with(denied)) {
            return;
        }
        if !denied.iter().any(|denied| denied.starts_with(path)) {
            self.whole.push(path.to_owned());
            return;
        }
        self.listed.push(path.to_owned());
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            // A rule for a symbolic link would be one for what it names, which may be anywhere.
            if entry.file_type().is_ok_and(|kind| !kind.is_symlink()) {
                self.add(&entry.path(), denied);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_denied_folder_is_left_out_of_the_folder_around_it() {
        let root = tempfile::tempdir().expect("a folder");
        for folder in ["a/data", "a/src", "b"] {
            fs::create_dir_all(root.path().join(folder)).expect("a folder");
        }
        std::os::unix::fs::symlink("a/data", root.path().join("link")).expect("a link");

        let mut allowed = Allowed::beneath(root.path(), &[root.path().join("a/data")]);
        allowed.whole.sort();

        assert_eq!(allowed.whole, [root.path().join("a/src"), root.path().join("b")]);
        assert_eq!(allowed.listed, [root.path().to_owned(), root.path().join("a")]);
    }
}
