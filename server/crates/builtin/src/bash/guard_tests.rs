//! What the seat belt refuses, and what it lets through.

use super::*;

#[track_caller]
fn refused(line: &str) {
    assert!(refuse(line).is_some(), "{line:?} was let through");
}

#[test]
fn plain_destruction_is_refused() {
    for line in [
        "rm -rf /",
        "rm -rf /*",
        "rm -r -f -- /",
        "rm / -rf",
        "rm -rf --no-preserve-root /tmp/x",
        "rm -rf ~",
        "rm -rf ~/",
        "rm -rf ~/*",
        "rm -rf ~root",
        "rm -rf $HOME",
        "rm -rf \"$HOME\"/*",
        "rm -rf ${HOME}/",
        "rm -rf /etc",
        "rm -rf /usr/*",
        "rm -rf //",
        "rm -rf /./",
        "rm -rf /tmp/../",
        "rm -rf /home",
        "/bin/rm -rf /",
        "r\\m -rf /",
        "'rm' \"-rf\" '/'",
        "mkfs /dev/sda1",
        "mkfs.ext4 -F disk.img",
        "dd if=/dev/zero of=/dev/sda bs=1M",
        "dd of=/dev/nvme0n1",
        "echo x > /dev/sda",
        "cat image >> /dev/vda1",
        "cat image | tee /dev/sdb",
        "cp image /dev/mmcblk0",
        "shred /dev/sda",
        "wipefs -a /dev/sda",
        "mv / /tmp",
        "mv /* /dev/null",
        "chmod -R 777 /",
        "chown -R nobody /etc",
        "find / -delete",
        "find / -type f -delete",
        "shutdown",
        "shutdown -h now",
        "reboot",
        "halt",
        "poweroff",
        "init 0",
        "telinit 6",
        "systemctl poweroff",
        "systemctl --force reboot",
        "kill -9 -1",
        "rm -fr //",
        "rm -r -f /",
        "rm --recursive --force /",
        "rm -rf /.",
        "rm -rf --no-preserve-root /",
        "rm -Rf /usr/*",
        "rm -rf /home/ada",
        "cd / && rm -rf /*",
        "true || rm -rf /",
        "ls | xargs rm -rf /",
        "bash -c 'rm -rf /'",
        "sh -ec \"rm -rf /\"",
        "echo $(rm -rf /)",
        "env X=1 rm -rf /",
        "mkfs.ext4 /dev/sda1",
        "mkfs /dev/sda",
        "dd if=/dev/zero of=/dev/sda",
        "dd if=x of=/dev/nvme0n1 bs=1M",
        "cat x > /dev/sda",
        "echo x >/dev/vda",
        "sudo reboot",
        "chown -R nobody /",
    ] {
        refused(line);
    }
}

#[test]
fn it_is_refused_wherever_it_stands() {
    for line in [
        "sudo rm -rf /",
        "sudo -n -u root rm -rf /",
        "env A=1 B=2 rm -rf /",
        "A=1 rm -rf /",
        "nohup rm -rf / &",
        "timeout 5 rm -rf /",
        "timeout -k 1 5 reboot",
        "nice -n 10 rm -rf /",
        "ls; rm -rf /",
        "ls && rm -rf /",
        "ls || rm -rf /",
        "ls | rm -rf /",
        "ls & rm -rf /",
        "ls\nrm -rf /",
        "(rm -rf /)",
        "{ rm -rf /; }",
        "if true; then rm -rf /; fi",
        "while true; do reboot; done",
        "! reboot",
        "sh -c 'rm -rf /'",
        "bash -lc \"ls; rm -rf /\"",
        "sudo bash -c 'sh -c \"rm -rf /\"'",
        "eval 'rm -rf /'",
        "eval rm -rf /",
        "echo \"$(rm -rf /)\"",
        "echo `rm -rf /`",
        "x=$(reboot)",
        "echo 'rm -rf /' | sh",
        "echo rm -rf / | sudo bash -s",
        "printf 'rm -rf /\\n' | bash",
        "bash <<< 'rm -rf /'",
        "bash <<EOF\nrm -rf /\nEOF",
        "cat <<EOF | sh\nrm -rf /\nEOF",
        "bash <<EOF && ls\nreboot\nEOF",
        "find / -exec rm -rf {} \\;",
        "find . -exec sh -c 'reboot' \\;",
        "ls / | xargs rm -rf /",
        "busybox rm -rf /",
        "command rm -rf /",
        "exec rm -rf /",
        "trap 'rm -rf /' EXIT",
        "su -c 'rm -rf /'",
    ] {
        refused(line);
    }
}

#[test]
fn fork_bombs_are_refused() {
    for line in [
        ":(){ :|:& };:",
        ":(){ :|: & };:",
        "bomb() { bomb | bomb & }; bomb",
        "function bomb() { bomb|bomb& }; bomb",
        "b(){ b&b& };b",
        "ls; :(){ :|:& };:",
        "bash -c ':(){ :|:& };:'",
        "$0 & $0 &",
        "perl -e 'fork while fork'",
        "python3 -c 'import os\nwhile True: os.fork()'",
    ] {
        refused(line);
    }
}

#[test]
fn what_only_looks_like_it_runs() {
    for line in [
        "ls -la",
        "rm -rf build",
        "rm -rf ./*",
        "rm -rf target/debug /tmp/build",
        "rm -f /tmp/a",
        "rm ~/notes.txt",
        "rm -rf ~/project/build",
        "rm -rf $HOME/.cache/x",
        "echo 'rm -rf /'",
        "echo \"rm -rf /\" > note.txt",
        "grep -rn 'rm -rf /' .",
        "git commit -m 'reboot; rm -rf /'",
        "cat <<EOF\nrm -rf /\nEOF",
        "cat > shutdown.sh <<'EOF'\nshutdown -h now\nEOF",
        "ls # rm -rf /",
        "man shutdown",
        "which reboot mkfs",
        "./shutdown_tests",
        "npm run halt",
        "dd if=/dev/zero of=disk.img bs=1M count=1",
        "dd if=a of=/dev/null",
        "head -c 10 /dev/sda > dump",
        "ls > /dev/null 2>&1",
        "echo x > /dev/stderr",
        "cp /dev/sda1 backup.img",
        "find . -name '*.tmp' -delete",
        "find / -name core -delete",
        "find . -type f -exec grep -l 'mkfs' {} +",
        "chmod -R u+w src",
        "chmod 755 /tmp/x",
        "systemctl status nginx",
        "systemctl --user list-units",
        "init",
        "python3 -m http.server",
        "kill -1 1234",
        "kill %1",
        "f() { echo hi; }; f",
        "f() { f2 | f3; }; f",
        "for i in 1 2 3; do echo $i; done",
        "echo ls | sh",
        "awk '{ print $1 }' a | sort | uniq -c",
        "sed -i 's/reboot/restart/' notes.md",
        "ls /",
        "rm -rf target",
        "rm -rf ./build/*",
        "rm -f notes.txt",
        "grep -r 'shutdown' .",
        "git commit -m 'do not rm -rf /'",
        "dd if=a of=b",
        "dd if=/dev/zero of=out bs=1 count=1",
        "cat x > /dev/null",
        "echo a 2>/dev/stderr",
        "find . -name '*.o' -delete",
        "chmod -R u+w .",
        "echo reboot",
        "man mkfs",
        "rm -rf /tmp/mine",
        "rm -r a/b",
        "echo ':(){ :|:& };:'",
        "find / -name core -exec rm {} +",
    ] {
        assert_eq!(refuse(line), None, "{line:?} was refused");
    }
}

#[test]
fn a_refusal_says_what_would_happen() {
    let why = |line| refuse(line).map(|failure| failure.message);

    let rm = "this command is refused: `rm -r /etc` deletes everything there";
    let dd = "this command is refused: it overwrites the device /dev/sda";
    assert_eq!(why("sudo rm -rf /etc").as_deref(), Some(rm));
    assert_eq!(why("dd of=/dev/sda").as_deref(), Some(dd));
}

#[test]
fn scripts_inside_scripts_have_an_end() {
    refused(&format!("{}true{}", "echo $(".repeat(50), ")".repeat(50)));
}
