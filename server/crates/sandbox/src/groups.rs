//! Control groups for one command, where this process may make them: a cap on its processes, threads and memory that
//! also holds for root, and an end for all of it at once.
//!
//! Version 1 has a hierarchy for each of `pids` and `memory`; version 2 has one, which can also kill a whole group. What
//! cannot be made is left out: then the limits of `confined` and the count of `worker` are all there is.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::program::WORKER_ARGUMENT;
use super::spec::RunSpec;

/// What the names of our groups begin with; the worker's process id follows.
const PREFIX: &str = "switchboard-call-";

/// The group that the server moves to when it makes room for the groups of its commands (version 2: a group that limits
/// others holds no process itself).
const SERVERS_OWN: &str = "switchboard-server";

/// Threads and processes together; more than the processes that are counted, because programs have threads.
pub(super) const TASKS_PER_PROCESS: usize = 2;

/// How often a group that is not empty yet is tried again.
const REMOVALS: usize = 50;

/// The groups of one command.
pub(super) struct Groups {
    made: Vec<Group>,
}

impl Groups {
    /// Makes what can be made, and removes what a killed worker left behind.
    pub(super) fn make() -> Self {
        let name = format!("{PREFIX}{}", std::process::id());
        let mut made = Vec::new();
        for Group { folder, version } in bases_here() {
            sweep(&folder);
            let group = folder.join(&name);
            if fs::create_dir(&group).is_err() {
                continue;
            }
            made.push(Group { folder: group, version });
        }
        Self { made }
    }

    /// Caps what is in them at what this command may have.
    pub(super) fn limit(&self, spec: &RunSpec) {
        self.made.iter().for_each(|group| limit(group, spec));
    }

    /// The files by which a process enters.
    pub(super) fn doors(&self) -> Vec<PathBuf> {
        self.folders().map(|group| group.join("cgroup.procs")).collect()
    }

    /// Ends all processes in them at once, if the kernel can.
    pub(super) fn kill_at_once(&self) {
        for group in self.folders() {
            let _ = fs::write(group.join("cgroup.kill"), "1");
        }
    }

    /// Ends all that is in them.
    pub(super) fn kill(&self) {
        self.folders().for_each(kill);
    }

    /// Whether the kernel killed one of its processes for want of memory.
    pub(super) fn ran_out_of_memory(&self) -> bool {
        self.folders().any(|group| {
            ["memory.events", "memory.oom_control"]
                .iter()
                .filter_map(|file| fs::read_to_string(group.join(file)).ok())
                .any(|text| text.lines().any(|line| line.strip_prefix("oom_kill ").is_some_and(|count| count != "0")))
        })
    }

    /// Removes them; all that was in them has ended.
    pub(super) fn remove(self) {
        self.folders().for_each(remove);
    }

    fn folders(&self) -> impl Iterator<Item = &Path> {
        self.made.iter().map(|group| group.folder.as_path())
    }
}

/// Makes room for the groups of commands where the server has a group (version 2) of its own: the server moves into a
/// group inside it. Once, at the start; where it cannot be done nothing happens.
pub fn make_room() {
    for (folder, version) in own_groups(&read("/proc/self/cgroup"), &read("/proc/self/mountinfo")) {
        let alone = read(folder.join("cgroup.procs")).trim() == std::process::id().to_string();
        if version == Version::Two && alone && !folder.ends_with(SERVERS_OWN) && !is_divided(&folder) {
            let own = folder.join(SERVERS_OWN);
            if fs::create_dir_all(&own).is_ok() && fs::write(own.join("cgroup.procs"), "0").is_ok() {
                for controller in ["+pids", "+memory"] {
                    let _ = fs::write(folder.join("cgroup.subtree_control"), controller);
                }
            }
        }
    }
}

/// A group; where others can be made in it, or one of them.
#[derive(Debug, PartialEq, Eq)]
struct Group {
    folder: PathBuf,
    version: Version,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

fn bases_here() -> Vec<Group> {
    let own = own_groups(&read("/proc/self/cgroup"), &read("/proc/self/mountinfo"));
    own.into_iter().map(|(folder, version)| Group { folder: beneath(folder, version), version }).collect()
}

/// In the server's own group; in version 2 beside the group that the server moved to.
fn beneath(own: PathBuf, version: Version) -> PathBuf {
    match (version, own.parent()) {
        (Version::Two, Some(parent)) if own.ends_with(SERVERS_OWN) => parent.to_owned(),
        _ => own,
    }
}

/// The groups that this process is in and that can limit something, by `/proc/self/cgroup` and `/proc/self/mountinfo`.
fn own_groups(memberships: &str, mounts: &str) -> Vec<(PathBuf, Version)> {
    let mut found = Vec::new();
    for line in memberships.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        let version = if controllers.is_empty() { Version::Two } else { Version::One };
        let wanted = controllers.split(',').find(|name| matches!(*name, "pids" | "memory"));
        let folder = match (version, wanted) {
            (Version::Two, _) => mounted(mounts, "cgroup2", None, path),
            (Version::One, Some(controller)) => mounted(mounts, "cgroup", Some(controller), path),
            (Version::One, None) => None,
        };
        found.extend(folder.map(|folder| (folder, version)));
    }
    found
}

/// Where the group `path` of a hierarchy can be seen.
fn mounted(mounts: &str, kind: &str, controller: Option<&str>, path: &str) -> Option<PathBuf> {
    mounts.lines().find_map(|line| {
        let (left, right) = line.split_once(" - ")?;
        let mut right = right.split(' ');
        let is_kind = right.next()? == kind;
        let options = right.nth(1).unwrap_or_default();
        if !is_kind || controller.is_some_and(|name| !options.split(',').any(|option| option == name)) {
            return None;
        }
        let mut left = left.split(' ').skip(3);
        let (root, point) = (left.next()?, left.next()?);
        let inside = Path::new(path).strip_prefix(root).ok()?;
        Some(if inside.as_os_str().is_empty() { point.into() } else { Path::new(point).join(inside) })
    })
}

fn is_divided(folder: &Path) -> bool {
    !read(folder.join("cgroup.subtree_control")).trim().is_empty()
}

/// What a group has no file for is limited in another one, or not at all.
fn limit(Group { folder, version }: &Group, spec: &RunSpec) {
    let tasks = (spec.processes * TASKS_PER_PROCESS).to_string();
    let memory = spec.memory_bytes.to_string();
    let memory_file = match version {
        Version::One => "memory.limit_in_bytes",
        Version::Two => "memory.max",
    };
    for (file, value) in [("pids.max", tasks), (memory_file, memory)] {
        let file = folder.join(file);
        if file.exists() {
            let _ = fs::write(file, value);
        }
    }
}

/// Ends what is in a group: at once where the kernel can, else one by one until nothing is left.
fn kill(group: &Path) {
    if fs::write(group.join("cgroup.kill"), "1").is_ok() {
        return;
    }
    for _ in 0..REMOVALS {
        let inside: Vec<i32> =
            read(group.join("cgroup.procs")).lines().filter_map(|process| process.parse().ok()).collect();
        if inside.is_empty() {
            return;
        }
        for signal in [rustix::process::Signal::STOP, rustix::process::Signal::KILL] {
            for process in inside.iter().filter_map(|process| rustix::process::Pid::from_raw(*process)) {
                let _ = rustix::process::kill_process(process, signal);
            }
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn remove(group: &Path) {
    for _ in 0..REMOVALS {
        if fs::remove_dir(group).is_ok() || !group.exists() {
            return;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Ends and removes the groups of workers that no longer exist.
fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let worker = name.to_str().and_then(|name| name.strip_prefix(PREFIX)).and_then(|pid| pid.parse::<u32>().ok());
        if worker.is_some_and(|worker| !is_worker(worker)) {
            kill(&entry.path());
            let _ = fs::remove_dir(entry.path());
        }
    }
}

fn is_worker(process: u32) -> bool {
    read(format!("/proc/{process}/cmdline")).split('\0').nth(1) == Some(WORKER_ARGUMENT)
}

/// Ends what workers that were killed left behind.
pub fn sweep_groups() {
    bases_here().iter().for_each(|base| sweep(&base.folder));
}

/// In how many hierarchies a group with a file of such a name can be made here.
#[cfg(test)]
pub(super) fn bases_of(name: &str) -> usize {
    let can_be_made = |base: &Group| {
        let group = base.folder.join(format!("switchboard-test-{}", fastrand::u64(..)));
        let made = fs::create_dir(&group).is_ok();
        let files = fs::read_dir(&group).into_iter().flatten().flatten();
        let has_it = files.filter_map(|file| file.file_name().into_string().ok()).any(|file| file.starts_with(name));
        let _ = fs::remove_dir(&group);
        made && has_it
    };
    bases_here().iter().filter(|base| can_be_made(base)).count()
}

/// A file of the kernel's; empty where there is none.
fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
30 29 0:26 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
31 29 0:27 /docker/abc /sys/fs/cgroup/pids ro,relatime - cgroup cgroup rw,pids
32 29 0:28 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw";

    #[test]
    fn own_groups_are_found_where_they_are_mounted() {
        let memberships = "9:cpu:/\n8:pids:/docker/abc\n4:memory:/a/b\n0::/user.slice\n";

        let found = own_groups(memberships, MOUNTS);

        let expected = [
            ("/sys/fs/cgroup/pids", Version::One),
            ("/sys/fs/cgroup/memory/a/b", Version::One),
            ("/sys/fs/cgroup/unified/user.slice", Version::Two),
        ];
        assert_eq!(found, expected.map(|(folder, version)| (PathBuf::from(folder), version)));
    }

    #[test]
    fn a_group_outside_of_what_is_mounted_is_not_used() {
        assert_eq!(own_groups("8:pids:/docker/other\n", MOUNTS), []);
    }

    #[test]
    fn groups_are_made_beside_the_one_that_the_server_moved_to() {
        let own = Path::new("/sys/fs/cgroup/unit").join(SERVERS_OWN);

        assert_eq!(beneath(own.clone(), Version::Two), Path::new("/sys/fs/cgroup/unit"));
        assert_eq!(beneath(own.clone(), Version::One), own);
    }
}
