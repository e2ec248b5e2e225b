//! A root of its own for a command in namespaces: the system's folders read-only, its own `/proc`, `/dev`, `/tmp` and
//! `/dev/shm`, the workspace as it is, and nothing else.
//!
//! It is made in memory, beside the root of outside, which is let go at the end. Until then paths of outside are found
//! under [`OUTSIDE`].

use std::ffi::CString;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::mount::{
    MountFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags, UnmountFlags, mount, mount_bind,
    mount_bind_recursive, mount_change, mount_remount, move_mount, open_tree, unmount,
};
use rustix::process::{chdir, pivot_root};

use super::layout::{Access, DEVICES, PRIVATE};
use super::mount_table::{Mount, mounts};
use super::plan::Plan;
use super::spec::{Confinement, Isolation};

/// Where the root of outside is until it is let go.
const OUTSIDE: &str = "/.outside";

/// An empty folder and an empty file, in place of what is denied.
const EMPTY: (&str, &str) = ("/.empty-folder", "/.empty-file");

/// In place of secrets in `/etc`, which Landlock does not refuse: a device cannot be opened where devices are off.
const CLOSED: &str = "/dev/null";

/// Folders on which the new root can be mounted; only for a moment, so it does not matter what they hold.
const BASES: &[&str] = &["/tmp", "/usr"];

/// How large the private folders in memory may get.
const TMP: &str = "mode=1777,size=512m,nr_inodes=131072";
const SHM: &str = "mode=1777,size=256m,nr_inodes=16384";
const SMALL: &str = "mode=0755,size=1m,nr_inodes=4096";

const LINKS: &[(&str, &str)] = &[
    ("/dev/fd", "/proc/self/fd"),
    ("/dev/stdin", "/proc/self/fd/0"),
    ("/dev/stdout", "/proc/self/fd/1"),
    ("/dev/stderr", "/proc/self/fd/2"),
    ("/var/tmp", "/tmp"),
];

/// Leaves the root of outside for one that is made by this confinement.
///
/// # Errors
/// What could not be mounted; nothing must be run then.
pub(super) fn enter(confinement: &Confinement) -> Result<(), String> {
    let plan = Plan::of(confinement)?;
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC).map_err(at("/"))?;
    turn_to_new_root()?;
    own_folders(confinement.isolation)?;
    for (link, target) in &plan.links {
        fs::create_dir_all(link.parent().unwrap_or(link)).and_then(|()| symlink(target, link)).map_err(at(link))?;
    }
    for (path, _) in &plan.binds {
        let from = outside(path);
        place(path, from.is_dir()).map_err(at(path))?;
        mount_bind_recursive(&from, path).map_err(at(path))?;
    }
    deny(&plan)?;
    close(&plan)?;
    unmount(OUTSIDE, UnmountFlags::DETACH).map_err(at(OUTSIDE))?;
    for path in [OUTSIDE, EMPTY.0] {
        let _ = fs::remove_dir(path);
    }
    let _ = fs::remove_file(EMPTY.1);
    remount(Path::new("/"), MountFlags::RDONLY | MountFlags::NOSUID | MountFlags::NODEV)
}

/// Makes an empty root in memory the root of this process.
fn turn_to_new_root() -> Result<(), String> {
    let base = BASES.iter().find(|base| Path::new(base).is_dir()).ok_or("there is no /tmp and no /usr")?;
    memory(base, SMALL)?;
    let old = format!("{base}{OUTSIDE}");
    fs::create_dir(&old).map_err(at(&old))?;
    pivot_root(*base, &old).map_err(at("the new root"))?;
    chdir("/").map_err(at("/"))
}

/// What is not taken from outside.
fn own_folders(isolation: Isolation) -> Result<(), String> {
    for folder in ["/proc", "/dev", "/tmp", "/run", "/var", EMPTY.0] {
        fs::create_dir(folder).map_err(at(folder))?;
    }
    fs::write(EMPTY.1, "").map_err(at(EMPTY.1))?;
    fs::set_permissions(EMPTY.0, fs::Permissions::from_mode(0o555)).map_err(at(EMPTY.0))?;
    if isolation == Isolation::SharedProc {
        mount_bind_recursive(outside(Path::new("/proc")), "/proc").map_err(at("/proc"))?;
    } else {
        let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
        mount("proc", "/proc", "proc", flags, None).map_err(at("a fresh /proc"))?;
    }
    for device in DEVICES {
        fs::write(device, "").map_err(at(device))?;
        mount_bind(outside(Path::new(device)), *device).map_err(at(device))?;
    }
    fs::create_dir("/dev/shm").map_err(at("/dev/shm"))?;
    memory("/dev/shm", SHM)?;
    memory("/tmp", TMP)?;
    LINKS.iter().try_for_each(|(link, target)| symlink(target, link).map_err(at(link)))
}

/// Covers what is denied.
fn deny(plan: &Plan) -> Result<(), String> {
    for path in &plan.denied {
        let cover = match path.is_dir() {
            true => EMPTY.0,
            false if path.starts_with("/etc") => CLOSED,
            false => EMPTY.1,
        };
        mount_bind(cover, path).map_err(at(path))?;
    }
    plan.covered.iter().try_for_each(|link| cover(link).map_err(at(link)))
}

/// Puts an empty file on a symbolic link itself: a path would lead to what it names.
fn cover(link: &Path) -> rustix::io::Result<()> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC;
    let empty = open_tree(CWD, EMPTY.1, flags)?;
    let link = openat(CWD, link, OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())?;
    let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH | MoveMountFlags::MOVE_MOUNT_T_EMPTY_PATH;
    move_mount(empty, "", link, "", flags)
}

/// Makes everything read-only that is not to be written, mount by mount: those inside a folder were taken along with it.
fn close(plan: &Plan) -> Result<(), String> {
    for Mount { point, flags } in mounts().map_err(at("/proc/self/mountinfo"))? {
        if point == Path::new("/") || point.starts_with(OUTSIDE) || plan.is_hidden(&point) {
            continue;
        }
        let is_private = PRIVATE.iter().any(|path| point == Path::new(path));
        let mut wanted = flags | MountFlags::NOSUID;
        if !DEVICES.iter().any(|device| point == Path::new(device)) {
            wanted |= MountFlags::NODEV;
        }
        if !is_private && plan.access(&point) == Access::Read {
            wanted |= MountFlags::RDONLY;
        }
        if wanted != flags {
            remount(&point, wanted)?;
        }
    }
    Ok(())
}

/// The flags are the mount's own, not those of the file system, which may be mounted elsewhere too.
fn remount(point: &Path, flags: MountFlags) -> Result<(), String> {
    mount_remount(point, MountFlags::BIND | flags, "").map_err(at(point))
}

/// A file system in memory.
fn memory(point: &str, options: &str) -> Result<(), String> {
    let options = CString::new(options).map_err(|error| error.to_string())?;
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    mount("tmpfs", point, "tmpfs", flags, options.as_c_str()).map_err(at(point))
}

/// Where something of outside is found.
fn outside(path: &Path) -> PathBuf {
    Path::new(OUTSIDE).join(path.strip_prefix("/").unwrap_or(path))
}

/// Something to mount on, where nothing is yet.
fn place(path: &Path, is_folder: bool) -> std::io::Result<()> {
    if path.symlink_metadata().is_ok() {
        return Ok(());
    }
    if is_folder {
        return fs::create_dir_all(path);
    }
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    fs::write(path, "")
}

/// What failed, for whoever reads why commands do not run.
fn at<E: std::fmt::Display>(path: impl AsRef<Path>) -> impl FnOnce(E) -> String {
    let path = path.as_ref().to_owned();
    move |error| format!("mount {}: {error}", path.display())
}
