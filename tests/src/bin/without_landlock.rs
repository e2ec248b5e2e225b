//! `without_landlock PROGRAM …`: starts a program as if the kernel had no Landlock: its system calls answer "no such call".
//! For the tests of what a server does then.

use std::os::unix::process::CommandExt;
use std::process::Command;

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};

fn main() -> anyhow::Result<()> {
    let calls = [libc::SYS_landlock_create_ruleset, libc::SYS_landlock_add_rule, libc::SYS_landlock_restrict_self];
    let rules = calls.map(|call| (call, Vec::new())).into_iter().collect();
    let missing = SeccompAction::Errno(libc::ENOSYS.unsigned_abs());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, missing, std::env::consts::ARCH.try_into()?)?;
    apply_filter(&BpfProgram::try_from(filter)?)?;
    let mut arguments = std::env::args_os().skip(1);
    let program = arguments.next().ok_or_else(|| anyhow::anyhow!("name a program"))?;
    Err(Command::new(program).args(arguments).exec().into())
}
