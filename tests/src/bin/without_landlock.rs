//! `without_landlock [--ports|--namespaces|--netlink] PROGRAM …`: starts a program as if the kernel had no Landlock: its system calls answer
//! "no such call"; with `--ports`, as if it had one that knows of no ports; with `--namespaces`, as if it had Landlock but gave
//! nobody namespaces, as in a container with Docker's default profile; with `--netlink`, as if it had no netlink. For the tests of
//! what a server does then.

use std::os::unix::process::CommandExt;
use std::process::Command;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    apply_filter,
};

/// The kind of a rule about a port, `LANDLOCK_RULE_NET_PORT`.
const RULE_NET_PORT: u64 = 2;

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args_os().skip(1).peekable();
    let (rules, error) = if arguments.next_if(|first| first == "--ports").is_some() {
        let kind = SeccompCondition::new(1, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, RULE_NET_PORT)?;
        let rules = [(libc::SYS_landlock_add_rule, vec![SeccompRule::new(vec![kind])?])].into_iter().collect();
        (rules, libc::EINVAL)
    } else if arguments.next_if(|first| first == "--namespaces").is_some() {
        ([(libc::SYS_unshare, Vec::new())].into_iter().collect(), libc::EPERM)
    } else if arguments.next_if(|first| first == "--netlink").is_some() {
        let family = u64::from(libc::AF_NETLINK.unsigned_abs());
        let family = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, family)?;
        let rules = [(libc::SYS_socket, vec![SeccompRule::new(vec![family])?])].into_iter().collect();
        (rules, libc::EAFNOSUPPORT)
    } else {
        let calls = [libc::SYS_landlock_create_ruleset, libc::SYS_landlock_add_rule, libc::SYS_landlock_restrict_self];
        (calls.map(|call| (call, Vec::new())).into_iter().collect(), libc::ENOSYS)
    };
    let action = SeccompAction::Errno(error.unsigned_abs());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, action, std::env::consts::ARCH.try_into()?)?;
    apply_filter(&BpfProgram::try_from(filter)?)?;
    let program = arguments.next().ok_or_else(|| anyhow::anyhow!("name a program"))?;
    Err(Command::new(program).args(arguments).exec().into())
}
