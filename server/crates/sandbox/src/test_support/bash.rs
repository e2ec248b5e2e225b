//! Lines that bash and the reader of shell lines may read in different ways, and a bash of which one sees what it runs.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::shell::{PlainCommand, plain_commands};

/// What lines are made of: words, and whatever makes the shell read a line in another way.
pub const PIECES: &[&str] = &[
    "ls ",
    "ls ",
    "ls",
    "touch MARK",
    "touch MARK",
    " ",
    " ",
    "\n",
    "\n",
    "\t",
    "x",
    "E",
    "a=",
    "'",
    "'",
    "\"",
    "\"",
    "\"",
    "`",
    "`",
    "\\",
    "\\\"",
    "\\`",
    "\\\n",
    " \\\n",
    "\\'",
    "$",
    "$(",
    ")",
    "(",
    "<(",
    ">(",
    "$((",
    "))",
    "((",
    "$[",
    "]",
    "${x:-",
    "${x}",
    "$x",
    "}",
    "{",
    "{x,",
    ",",
    "..",
    "$'",
    "$\"",
    "<<E",
    "<<-E",
    "<<'E'",
    "<<\\E",
    "<<<",
    "\nE\n",
    "\n\tE\n",
    ";",
    ";",
    ";;",
    "&",
    "&&",
    "|",
    "||",
    "|&",
    "!",
    "#",
    " #",
    "<",
    ">",
    ">&",
    "<&",
    "-",
    "2",
    "/dev/null",
    "[[ ",
    "]] ",
    "[ ",
    "case x in x) ",
    "esac",
    "if ",
    "then ",
    "else ",
    "fi",
    "for x in ",
    "do ",
    "done",
    "while ",
    "@(",
    "!(",
    "*",
    "~",
    "a=(",
    "a[",
    "f() ",
    "time ",
    "command ",
    "env ",
    "eval ",
    "nice ",
    "timeout ",
    "5 ",
    "xargs ",
    "-I ",
    "-rI ",
    "-n ",
    "--arg-file ",
    "find . ",
    "-exec ",
    "bash -c ",
    "\\;",
    "\r",
    "\u{a0}",
    "\u{2003}",
    "\u{c}",
];

/// Whole ways to hide a command, filled in among the pieces.
pub const TRICKS: &[&str] = &[
    "ls <<E\n\tE\nls <<'F'\nE\ntouch MARK\nF\n",
    "ls <<-E\n\tE\ntouch MARK\n",
    "ls <<\"E\\\n\"\nE\ntouch MARK\n",
    "ls <<E <<F\nF\nE\nF\ntouch MARK\n",
    "ls \"`ls \\\"'\\\"; touch MARK #'`\"",
    "`ls \\`touch MARK\\``",
    "ls \"$\\\n(touch MARK)\"",
    "ls $\\\n(touch MARK)",
    "ls <\\\n(touch MARK)",
    "timeout {5,touch,MARK} ls",
    "for x in '5 touch MARK'; do timeout $x ls; done",
    "find . {-exec,touch,MARK,\\;}",
    "ls | xargs -rI ls touch MARK",
    "ls > ls; ls | xargs --arg-file ls touch MARK",
    "bash -c -x 'touch MARK'",
    "ls $'\\'' ; touch MARK #'",
    "ls $(ls $'\\')' ; touch MARK)",
    "ls $(case x in x) touch MARK;; esac)",
    "ls $((0)); a[$(touch MARK)0]=1",
    "printf -v 'a[$(touch MARK)]' x",
    "ls # \\\ntouch MARK",
    "ls 2>&1-; touch MARK",
];

/// Puts into the folder `programs` with an `ls` and a `touch` that leave a trace and the real programs that start others, and an
/// empty folder `work`.
///
/// # Panics
/// When the folder cannot be written.
pub fn lay_out(folder: &Path) {
    let programs = folder.join("programs");
    fs::create_dir_all(folder.join("work")).expect("a folder");
    fs::create_dir(&programs).expect("a folder");
    let trace = ": > \"$0.ran\"\necho x";
    // Behind a pipe `time` is a program, which not every system has.
    for (name, script) in [("ls", trace), ("touch", trace), ("time", "exec \"$@\"")] {
        let program = programs.join(name);
        fs::write(&program, format!("#!/bin/bash\n{script}\n")).expect("a program");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("it can run");
    }
    for name in ["bash", "env", "find", "nice", "timeout", "xargs"] {
        let real = Path::new("/usr/bin").join(name);
        if real.exists() {
            symlink(real, programs.join(name)).expect("a link");
        }
    }
}

/// Whether bash runs `touch` for this line, in a folder that was laid out.
///
/// # Panics
/// When there is no bash.
#[must_use]
pub fn touches(folder: &Path, line: &str) -> bool {
    let programs = folder.join("programs");
    let trace = programs.join("touch.ran");
    let _ = fs::remove_file(&trace);
    // What a line begins in the background holds its output open until it has ended.
    let mut bash = Command::new("timeout");
    bash.args(["5", "/bin/bash", "-c", line]).env_clear().env("PATH", &programs).env("LANG", "C.UTF-8");
    let bash = bash.current_dir(folder.join("work")).stdin(Stdio::null());
    bash.output().expect("bash runs");
    trace.exists()
}

/// Whether a rule `bash(ls *)` would let the line run without asking.
#[must_use]
pub fn is_only_ls(line: &str) -> bool {
    let only_ls = |command: &PlainCommand| {
        let harmless = !command.assigns && command.writes_to.iter().all(|file| file == "/dev/null");
        harmless && (command.words.join(" ") == "ls" || command.words.join(" ").starts_with("ls "))
    };
    plain_commands(line).is_some_and(|commands| commands.iter().all(only_ls))
}
