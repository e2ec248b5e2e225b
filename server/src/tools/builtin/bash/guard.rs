//! The seat belt: plainly destructive commands are refused under every policy, also where there is no sandbox.
//!
//! It reads text, so it can be got around on purpose; it is there for accidents, and for a model that was talked into one.

use switchboard_protocol::ErrorType;

use crate::tools::ToolFailure;
use crate::tools::shell::{ShellCommand, commands, program};

/// Why a command line is refused, if it is.
pub(super) fn refuse(line: &str) -> Option<ToolFailure> {
    let why = if is_fork_bomb(line) {
        Some("it is a fork bomb: it starts processes without end".to_owned())
    } else {
        commands(line).iter().find_map(harm)
    };
    why.map(|why| {
        ToolFailure::new(ErrorType::Security, format!("this command is refused: {why}")).suggesting(
            "Name exactly the files in the workspace that you mean. Nothing here allows such a command; run it in a \
             terminal of your own if you are sure.",
        )
    })
}

fn harm(command: &ShellCommand) -> Option<String> {
    let name = program(command);
    let arguments = command.words.get(1..).unwrap_or_default();
    if let Some(device) = command.writes_to.iter().find(|path| is_device(path)) {
        return Some(format!("it writes over the device {device}"));
    }
    match name {
        "rm" if is_recursive(arguments) => arguments
            .iter()
            .find(|path| is_precious(path) || *path == "--no-preserve-root")
            .map(|path| format!("`rm -r {path}` deletes everything there")),
        "chmod" | "chown" | "chgrp" if is_recursive(arguments) => arguments
            .iter()
            .find(|path| is_root(path))
            .map(|path| format!("`{name} -R {path}` changes the whole system")),
        "find" if arguments.iter().any(|word| word == "-delete") => {
            let start = arguments.first().filter(|path| is_precious(path))?;
            Some(format!("it deletes everything beneath {start}"))
        }
        "dd" => arguments
            .iter()
            .find_map(|word| word.strip_prefix("of=").filter(|path| is_device(path)))
            .map(|device| format!("it writes over the device {device}")),
        "wipefs" | "fdisk" | "sfdisk" | "parted" | "blkdiscard" | "shred"
            if name == "wipefs" || arguments.iter().any(|word| is_device(word)) =>
        {
            Some(format!("`{name}` destroys what is on a device"))
        }
        "shutdown" | "reboot" | "halt" | "poweroff" => Some(format!("`{name}` stops the machine")),
        "init" | "telinit" if arguments.iter().any(|word| matches!(word.as_str(), "0" | "6")) => {
            Some(format!("`{name}` stops the machine"))
        }
        "systemctl" => arguments
            .iter()
            .find(|word| matches!(word.as_str(), "poweroff" | "reboot" | "halt" | "kexec" | "suspend" | "hibernate"))
            .map(|word| format!("`systemctl {word}` stops the machine")),
        _ if name == "mkfs" || name.starts_with("mkfs.") || name == "mke2fs" || name == "mkswap" => {
            Some(format!("`{name}` formats a device"))
        }
        _ => None,
    }
}

fn is_recursive(arguments: &[String]) -> bool {
    arguments.iter().any(|word| {
        word == "--recursive" || word.starts_with('-') && !word.starts_with("--") && word.contains(['r', 'R'])
    })
}

/// A place with all that is beneath it: the root, a folder of the system, a home.
fn is_precious(path: &str) -> bool {
    const FOLDERS: &[&str] = &[
        "bin", "boot", "dev", "etc", "home", "lib", "lib64", "opt", "proc", "root", "run", "sbin", "srv", "sys", "usr",
        "var",
    ];
    let path = path.trim_end_matches("/*").trim_end_matches('/');
    is_root(path)
        || matches!(path, "~" | "$HOME" | "${HOME}")
        || path.strip_prefix('/').is_some_and(|folder| FOLDERS.contains(&folder))
        || path.strip_prefix("/home/").is_some_and(|user| !user.is_empty() && !user.contains('/'))
}

fn is_root(path: &str) -> bool {
    let bare = path.trim_end_matches('*');
    // "/", "//", "/.", "/.." and the like; an empty path comes of "/" with its slash taken off.
    bare.is_empty() && path.len() < 3 && !path.contains('*')
        || bare.starts_with('/') && bare.chars().all(|c| matches!(c, '/' | '.'))
}

fn is_device(path: &str) -> bool {
    const HARMLESS: &[&str] = &["null", "zero", "full", "stdout", "stderr", "tty", "random", "urandom", "shm"];
    path.strip_prefix("/dev/").is_some_and(|device| {
        let device = device.split('/').next().unwrap_or_default();
        !device.is_empty() && device != "fd" && !HARMLESS.contains(&device)
    })
}

/// `f() { f | f & }; f`, under any name.
fn is_fork_bomb(line: &str) -> bool {
    let dense: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    dense.match_indices("(){").any(|(at, _)| {
        let name = dense[..at].rsplit([';', '&', '|', '\n']).next().unwrap_or_default();
        let name = name.strip_prefix("function").unwrap_or(name);
        !name.is_empty() && dense[at + 3..].starts_with(&format!("{name}|{name}&"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_destruction_is_refused() {
        for line in [
            "rm -rf /",
            "rm -rf /*",
            "rm -fr //",
            "rm -r -f /",
            "rm --recursive --force /",
            "rm -rf /.",
            "rm -rf ~",
            "rm -rf ~/",
            "rm -rf $HOME",
            "rm -rf \"$HOME\"/*",
            "rm -rf --no-preserve-root /",
            "rm -rf /etc",
            "rm -Rf /usr/*",
            "rm -rf /home/ada",
            "sudo rm -rf /",
            "cd / && rm -rf /*",
            "ls; rm -rf /",
            "true || rm -rf /",
            "ls | xargs rm -rf /",
            "bash -c 'rm -rf /'",
            "sh -ec \"rm -rf /\"",
            "echo $(rm -rf /)",
            "echo `rm -rf /`",
            "A=1 rm -rf /",
            "nohup rm -rf / &",
            "env X=1 rm -rf /",
            "eval 'rm -rf /'",
            "(rm -rf /)",
            "{ rm -rf /; }",
            "ls\nrm -rf /",
            "/bin/rm -rf /",
            "if true; then rm -rf /; fi",
            "mkfs.ext4 /dev/sda1",
            "mkfs /dev/sda",
            "dd if=/dev/zero of=/dev/sda",
            "dd if=x of=/dev/nvme0n1 bs=1M",
            "cat x > /dev/sda",
            "echo x >/dev/vda",
            "wipefs -a /dev/sda",
            "shutdown -h now",
            "sudo reboot",
            "poweroff",
            "halt",
            "init 0",
            "systemctl poweroff",
            ":(){ :|:& };:",
            "bomb() { bomb | bomb & }; bomb",
            "chmod -R 777 /",
            "chown -R nobody /",
            "find / -delete",
            "shred /dev/sda",
        ] {
            assert!(refuse(line).is_some(), "{line}");
        }
    }

    #[test]
    fn what_only_looks_like_it_runs() {
        for line in [
            "ls /",
            "rm -rf target",
            "rm -rf ./build/*",
            "rm -f notes.txt",
            "echo 'rm -rf /'",
            "grep -r 'shutdown' .",
            "git commit -m 'do not rm -rf /'",
            "dd if=a of=b",
            "dd if=/dev/zero of=out bs=1 count=1",
            "cat x > /dev/null",
            "echo a 2>/dev/stderr",
            "f() { echo hi; }; f",
            "find . -name '*.o' -delete",
            "chmod -R u+w .",
            "echo reboot",
            "man mkfs",
            "rm -rf /tmp/mine",
            "rm -r a/b",
        ] {
            assert_eq!(refuse(line), None, "{line}");
        }
    }
}
