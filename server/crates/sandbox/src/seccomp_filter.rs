//! Which system calls a command can make. Two filters: one of all calls that programs need, so that what it does not
//! list, a call of a later kernel for example, does not exist; and on top of it one of what is refused, whole or by its
//! arguments.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter,
};

use super::seccomp_calls::{ARCHITECTURE_REFUSED, LASTING, REFUSED, allowed};
use super::spec::{Confinement, Isolation};

/// Namespaces that `clone` could make.
const NAMESPACES: &[i32] = &[
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWCGROUP,
];

/// What makes a program run as its owner or group.
const SET_ID_BITS: [u64; 2] = [0o4000, 0o2000];

/// Typing into a terminal that others read from (`TIOCSTI`), and into the console (`TIOCLINUX`).
const TYPING: [u64; 2] = [0x5412, 0x541c];

/// `IOPRIO_WHO_PROCESS` and `PRIO_PROCESS`.
const OF_A_PROCESS: (u64, u64) = (1, 0);

/// Makes a file without a name (`O_TMPFILE` without the flag for folders that it contains).
const NAMELESS: u64 = 0o20_000_000;

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Confines this thread and all that it starts from now on.
///
/// # Errors
/// When the kernel does not take the filters; nothing must be run then.
pub(super) fn confine(confinement: &Confinement) -> Result<(), String> {
    apply_filter(&allowed()?).map_err(|error| error.to_string())?;
    install(rules(confinement).map_err(|error| error.to_string())?)
}

fn install(rules: Rules) -> Result<(), String> {
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(|error| error.to_string())?;
    let refuse = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch).map_err(|error| error.to_string())?;
    let program = BpfProgram::try_from(filter).map_err(|error| error.to_string())?;
    apply_filter(&program).map_err(|error| error.to_string())
}

fn rules(confinement: &Confinement) -> Result<Rules, seccompiler::BackendError> {
    let has_network = !confinement.network.is_apart();
    let mut rules: Rules = REFUSED.iter().chain(ARCHITECTURE_REFUSED).map(|call| (*call, Vec::new())).collect();
    if confinement.isolation == Isolation::Landlock {
        rules.extend(LASTING.iter().map(|call| (*call, Vec::new())));
    }
    // Without the network, sockets lead nowhere but to the loopback of the command's own namespace, if it has one.
    let has_sockets = has_network || confinement.isolation.has_namespaces();
    rules.insert(libc::SYS_socket, if has_sockets { sockets()? } else { Vec::new() });
    if has_network {
        rules.extend(detours()?);
    }
    let namespaces = NAMESPACES.iter().map(|flag| bits(0, u64::from(flag.unsigned_abs())));
    rules.insert(libc::SYS_clone, namespaces.collect::<Result<_, _>>()?);
    let typing = TYPING.iter().map(|request| all(vec![compare(1, SeccompCmpOp::Eq, *request)?]));
    rules.insert(libc::SYS_ioctl, typing.collect::<Result<_, _>>()?);
    rules.extend(set_id_bits()?);
    rules.extend(on_others()?);
    Ok(rules)
}

/// Every call that makes or changes the mode of a file.
fn set_id_bits() -> Result<Rules, seccompiler::BackendError> {
    let mut rules = Rules::new();
    let plain = [(libc::SYS_fchmod, 1), (libc::SYS_fchmodat, 2), (libc::SYS_fchmodat2, 2), (libc::SYS_mkdirat, 2)];
    for (call, mode) in plain.into_iter().chain([(libc::SYS_mknodat, 2)]).chain(older_plain()) {
        rules.insert(call, SET_ID_BITS.iter().map(|bit| bits(mode, *bit)).collect::<Result<_, _>>()?);
    }
    let creating = [u64::from(libc::O_CREAT.unsigned_abs()), NAMELESS];
    for (call, flags, mode) in std::iter::once((libc::SYS_openat, 2, 3)).chain(older_opening()) {
        let mut refused = Vec::new();
        for (creates, bit) in creating.iter().flat_map(|creates| SET_ID_BITS.map(|bit| (*creates, bit))) {
            refused.push(all(vec![has(flags, creates)?, has(mode, bit)?])?);
        }
        rules.insert(call, refused);
    }
    Ok(rules)
}

/// Calls with a mode that newer architectures do not have.
fn older_plain() -> impl Iterator<Item = (i64, u8)> {
    #[cfg(target_arch = "x86_64")]
    let calls = [(libc::SYS_chmod, 1), (libc::SYS_mkdir, 1), (libc::SYS_mknod, 1), (libc::SYS_creat, 1)];
    #[cfg(not(target_arch = "x86_64"))]
    let calls = [];
    calls.into_iter()
}

fn older_opening() -> impl Iterator<Item = (i64, u8, u8)> {
    #[cfg(target_arch = "x86_64")]
    let calls = [(libc::SYS_open, 1, 2)];
    #[cfg(not(target_arch = "x86_64"))]
    let calls = [];
    calls.into_iter()
}

/// Limits and priorities: a process sets its own only, which is number 0.
fn on_others() -> Result<Rules, seccompiler::BackendError> {
    let mut rules = Rules::new();
    let of_others = |argument| all(vec![compare(argument, SeccompCmpOp::Ne, 0)?]);
    for call in [
        libc::SYS_prlimit64,
        libc::SYS_sched_setparam,
        libc::SYS_sched_setscheduler,
        libc::SYS_sched_setaffinity,
        libc::SYS_sched_setattr,
    ] {
        rules.insert(call, vec![of_others(0)?]);
    }
    for (call, process) in [(libc::SYS_ioprio_set, OF_A_PROCESS.0), (libc::SYS_setpriority, OF_A_PROCESS.1)] {
        rules.insert(call, vec![all(vec![compare(0, SeccompCmpOp::Ne, process)?])?, of_others(1)?]);
    }
    Ok(rules)
}

/// The sockets that are refused where there are any: allowed are TCP, UDP and pings, and what finds the machine's
/// interfaces (netlink); never local sockets, behind which there are other programs.
fn sockets() -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    let is_not = |argument: u8, value: i32| compare(argument, SeccompCmpOp::Ne, u64::from(value.unsigned_abs()));
    let families = [libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK].map(|family| is_not(0, family));
    let mut refused = vec![SeccompRule::new(families.into_iter().collect::<Result<_, _>>()?)?];
    // MPTCP and SMC reach a TCP port too, and Landlock's rules for ports do not speak of them.
    let protocols = [0, libc::IPPROTO_ICMP, libc::IPPROTO_TCP, libc::IPPROTO_UDP, libc::IPPROTO_ICMPV6];
    let others = std::iter::once(is_not(0, libc::AF_NETLINK)).chain(protocols.map(|protocol| is_not(2, protocol)));
    refused.push(SeccompRule::new(others.collect::<Result<_, _>>()?)?);
    // Types are numbers up to 15: 1 is a stream, 2 are datagrams; raw ones could speak TCP by themselves.
    for bits in [3, 4, 8] {
        let kind = compare(1, SeccompCmpOp::MaskedEq(bits), bits)?;
        refused.push(SeccompRule::new(vec![is_not(0, libc::AF_NETLINK)?, kind])?);
    }
    Ok(refused)
}

/// Ways to a TCP port that do not pass by Landlock: a connection that begins with its first data, and a socket that is
/// turned into another kind.
fn detours() -> Result<Rules, seccompiler::BackendError> {
    let fast_open = |flags: u8| bits(flags, u64::from(libc::MSG_FASTOPEN.unsigned_abs())).map(|rule| vec![rule]);
    let option = |argument: u8, value: i32| compare(argument, SeccompCmpOp::Eq, u64::from(value.unsigned_abs()));
    let upper_layer = vec![option(1, libc::IPPROTO_TCP)?, option(2, libc::TCP_ULP)?];
    Ok(BTreeMap::from([
        (libc::SYS_sendto, fast_open(3)?),
        (libc::SYS_sendmsg, fast_open(2)?),
        (libc::SYS_sendmmsg, fast_open(3)?),
        (libc::SYS_setsockopt, vec![SeccompRule::new(upper_layer)?]),
    ]))
}

fn compare(argument: u8, operator: SeccompCmpOp, value: u64) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)
}

fn has(argument: u8, bits: u64) -> Result<SeccompCondition, seccompiler::BackendError> {
    compare(argument, SeccompCmpOp::MaskedEq(bits), bits)
}

fn all(conditions: Vec<SeccompCondition>) -> Result<SeccompRule, seccompiler::BackendError> {
    SeccompRule::new(conditions)
}

fn bits(argument: u8, bits: u64) -> Result<SeccompRule, seccompiler::BackendError> {
    all(vec![has(argument, bits)?])
}
