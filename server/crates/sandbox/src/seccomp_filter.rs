//! Which system calls a command can make: no sockets, or plain TCP and UDP alone, no looking into other processes, no mounts, no
//! new namespaces, none of the kernel's larger attack surfaces.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter,
};

/// Bit that marks a call of the x32 ABI, which would pass by a filter of the plain numbers.
#[cfg(target_arch = "x86_64")]
const X32: Option<i64> = Some(0x4000_0000);
#[cfg(not(target_arch = "x86_64"))]
const X32: Option<i64> = None;

/// Calls that have numbers of their own in the x32 ABI, such as `sendmsg` and `ptrace`: without that bit there are none.
const X32_ONLY: RangeInclusive<i64> = 512..=547;

/// Refused whatever their arguments are.
const REFUSED: &[i64] = &[
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_kcmp,
    libc::SYS_pidfd_getfd,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_setns,
    libc::SYS_unshare,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_syslog,
    libc::SYS_vhangup,
];

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

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Confines this thread and all that it starts from now on.
///
/// # Errors
/// When the kernel does not take the filter; nothing must be run then.
pub(super) fn confine(network: bool) -> Result<(), String> {
    // `clone3` hides its flags in memory; "no such call" makes libraries use `clone`, whose flags can be seen.
    install(BTreeMap::from([(libc::SYS_clone3, Vec::new())]), libc::ENOSYS)?;
    install(rules(network).map_err(|error| error.to_string())?, libc::EPERM)
}

fn install(mut rules: Rules, error: i32) -> Result<(), String> {
    if let Some(bit) = X32 {
        let twins: Rules = rules.iter().map(|(call, rules)| (call | bit, rules.clone())).collect();
        rules.extend(twins);
        rules.extend(X32_ONLY.map(|call| (call | bit, Vec::new())));
    }
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(|error| error.to_string())?;
    let refuse = SeccompAction::Errno(error.unsigned_abs());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch).map_err(|error| error.to_string())?;
    let program = BpfProgram::try_from(filter).map_err(|error| error.to_string())?;
    apply_filter(&program).map_err(|error| error.to_string())
}

fn rules(network: bool) -> Result<Rules, seccompiler::BackendError> {
    let mut rules: Rules = REFUSED.iter().map(|call| (*call, Vec::new())).collect();
    rules.insert(libc::SYS_socket, if network { sockets()? } else { Vec::new() });
    if network {
        rules.extend(detours()?);
    }
    let namespaces = NAMESPACES.iter().map(|flag| bits(0, u64::from(flag.unsigned_abs())));
    rules.insert(libc::SYS_clone, namespaces.collect::<Result<_, _>>()?);
    // Typing into a terminal that others read from.
    rules.insert(libc::SYS_ioctl, vec![SeccompRule::new(vec![compare(1, SeccompCmpOp::Eq, 0x5412)?])?]);
    for (call, mode) in [(libc::SYS_fchmod, 1), (libc::SYS_fchmodat, 2)] {
        rules.insert(call, vec![bits(mode, 0o4000)?, bits(mode, 0o2000)?]);
    }
    #[cfg(target_arch = "x86_64")]
    rules.insert(libc::SYS_chmod, vec![bits(1, 0o4000)?, bits(1, 0o2000)?]);
    #[cfg(target_arch = "x86_64")]
    rules.insert(libc::SYS_kexec_file_load, Vec::new());
    Ok(rules)
}

/// The sockets that are refused where there is a network: allowed are TCP, UDP and pings, and what finds the machine's
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

fn bits(argument: u8, bits: u64) -> Result<SeccompRule, seccompiler::BackendError> {
    SeccompRule::new(vec![compare(argument, SeccompCmpOp::MaskedEq(bits), bits)?])
}
