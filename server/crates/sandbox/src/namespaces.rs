//! The namespaces of a command: whose processes, mounts, IPC, names and network it sees.
//!
//! The worker makes the one of processes for its children, and where it is not the machine's administrator one of users
//! around it, in which it has the rights to make the others. The first process in them makes the rest for itself, the one
//! of mounts last, when the command is known. Neither has a second thread then, which the kernel asks for.

use std::fs;

use nix::sched::{CloneFlags, unshare};
use rustix::process::{getegid, geteuid};
use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, clear_ambient_capability_set, configure_capability_in_ambient_set,
    remove_capability_from_bounding_set, set_capabilities,
};

use super::loopback;
use super::world::World;

/// What the first process needs to make a world: mounts, the loopback, and to give all of it up.
const BUILDERS: CapabilitySet = CapabilitySet::SYS_ADMIN.union(CapabilitySet::NET_ADMIN).union(CapabilitySet::SETPCAP);

/// What root keeps: working with files.
const FOR_FILES: CapabilitySet = CapabilitySet::CHOWN
    .union(CapabilitySet::DAC_OVERRIDE)
    .union(CapabilitySet::DAC_READ_SEARCH)
    .union(CapabilitySet::FOWNER)
    .union(CapabilitySet::FSETID)
    .union(CapabilitySet::KILL);

/// The next process that this one starts is the first of a namespace of processes.
///
/// # Errors
/// Why the kernel gives none.
pub(super) fn for_children() -> Result<(), String> {
    if may_administrate() {
        return unshare(CloneFlags::CLONE_NEWPID).map_err(|error| format!("make a namespace of processes: {error}"));
    }
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWPID)
        .map_err(|error| format!("make a namespace of users: {error}"))?;
    // Asked for before a map of groups; where the file is missing, or says so already, there is nothing to do.
    let _ = fs::write("/proc/self/setgroups", "deny");
    for (file, id) in [("uid_map", user), ("gid_map", group)] {
        fs::write(format!("/proc/self/{file}"), format!("{id} {id} 1"))
            .map_err(|error| format!("map the own user in {file}: {error}"))?;
    }
    keep(BUILDERS).map_err(|error| format!("keep rights in the namespace of users: {error}"))
}

/// Gives this process, the first one, of its own world what no command has a say in.
///
/// # Errors
/// Why the kernel does not.
pub(super) fn for_this_process(world: World) -> Result<(), String> {
    let shared = CloneFlags::CLONE_NEWIPC | CloneFlags::CLONE_NEWUTS;
    let made = match world {
        World::Outside => return Ok(()),
        World::Inside => unshare(shared),
        World::Apart => unshare(shared | CloneFlags::CLONE_NEWNET),
    };
    made.map_err(|error| format!("make namespaces: {error}"))?;
    if world == World::Apart {
        loopback::up().map_err(|error| format!("set up the loopback: {error}"))?;
    }
    Ok(())
}

/// Gives this process mounts of its own. When the command is known, because what was mounted before is seen by it.
///
/// # Errors
/// Why the kernel does not.
pub(super) fn for_mounts() -> Result<(), String> {
    unshare(CloneFlags::CLONE_NEWNS).map_err(|error| format!("make a namespace of mounts: {error}"))
}

/// Whether this process is in a namespace of users of its own, where the kernel counts its processes alone.
pub(super) fn has_own_users() -> bool {
    fs::read_to_string("/proc/self/uid_map").is_ok_and(|map| map.split_whitespace().nth(2) == Some("1"))
}

/// What root may do beside working with files is dropped for good, and what others have in their own namespace of users.
pub(super) fn drop_capabilities() {
    let _ = clear_ambient_capability_set();
    for capability in CapabilitySet::all() - FOR_FILES - CapabilitySet::SETPCAP {
        let _ = remove_capability_from_bounding_set(capability);
    }
    let _ = remove_capability_from_bounding_set(CapabilitySet::SETPCAP);
    if let Ok(sets) = capabilities(None) {
        let _ = set_capabilities(None, CapabilitySets { inheritable: CapabilitySet::empty(), ..sets });
    }
}

/// This thread has no capabilities any more.
pub(super) fn drop_all_capabilities() {
    let none = CapabilitySet::empty();
    let _ = set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none });
}

/// Whether this process may make mounts and namespaces as it is.
fn may_administrate() -> bool {
    capabilities(None).is_ok_and(|sets| sets.effective.contains(CapabilitySet::SYS_ADMIN))
}

/// Lets these pass to the program that is executed next, which would lose them otherwise.
fn keep(kept: CapabilitySet) -> rustix::io::Result<()> {
    let sets = capabilities(None)?;
    set_capabilities(None, CapabilitySets { inheritable: sets.inheritable | kept, ..sets })?;
    kept.iter().try_for_each(|capability| configure_capability_in_ambient_set(capability, true))
}
