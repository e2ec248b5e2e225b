//! The mounts of this process, as `/proc/self/mountinfo` lists them.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use rustix::mount::MountFlags;

/// One mount.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mount {
    /// Where it is.
    pub(super) point: PathBuf,
    /// What is set already, and must stay so: in a namespace of users the kernel lets nobody take it away.
    pub(super) flags: MountFlags,
}

/// All of them, what is mounted on something after it.
///
/// # Errors
/// When they cannot be read.
pub(super) fn mounts() -> std::io::Result<Vec<Mount>> {
    fs::read("/proc/self/mountinfo").map(|table| parse(&table))
}

fn parse(table: &[u8]) -> Vec<Mount> {
    let lines = table.split(|byte| *byte == b'\n');
    lines
        .filter_map(|line| {
            let mut fields = line.split(|byte| *byte == b' ').skip(4);
            let point = PathBuf::from(OsString::from_vec(unescaped(fields.next()?)));
            let options = fields.next()?.split(|byte| *byte == b',');
            let flags = options.filter_map(flag).fold(MountFlags::empty(), |flags, flag| flags | flag);
            Some(Mount { point, flags })
        })
        .collect()
}

/// How access times are kept is not among them: it stays as it is when nothing is said of it.
fn flag(option: &[u8]) -> Option<MountFlags> {
    match option {
        b"ro" => Some(MountFlags::RDONLY),
        b"nosuid" => Some(MountFlags::NOSUID),
        b"nodev" => Some(MountFlags::NODEV),
        b"noexec" => Some(MountFlags::NOEXEC),
        _ => None,
    }
}

/// Blanks and the like are written as a backslash and three octal digits.
fn unescaped(field: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(field.len());
    let mut rest = field;
    while let [first, tail @ ..] = rest {
        let code = tail.get(..3).filter(|_| *first == b'\\').and_then(|digits| std::str::from_utf8(digits).ok());
        match code.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            Some(byte) => {
                plain.push(byte);
                rest = &tail[3..];
            }
            None => {
                plain.push(*first);
                rest = tail;
            }
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_and_flags_are_read() {
        let table = b"\
24 1 259:1 / / rw,relatime shared:1 - ext4 /dev/root rw\n\
25 24 0:5 / /dev/with\\040blank ro,nosuid,nodev,noexec,relatime - devtmpfs none rw\n";

        let found = parse(table);

        let all = MountFlags::RDONLY | MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
        let expected = [("/", MountFlags::empty()), ("/dev/with blank", all)];
        assert_eq!(found, expected.map(|(point, flags)| Mount { point: point.into(), flags }));
    }
}
