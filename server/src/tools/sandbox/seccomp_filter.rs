//! Which system calls the worker and its command can make: no sockets, no looking into other processes, no mounts, no
//! new namespaces, none of the kernel's larger attack surfaces.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter,
};

/// Bit that marks a call of the x32 ABI, which would pass by a filter of the plain numbers.
#[cfg(target_arch = "x86_64")]
const X32: Option<i64> = Some(0x4000_0000);
#[cfg(not(target_arch = "x86_64"))]
const X32: Option<i64> = None;

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
    }
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(|error| error.to_string())?;
    let refuse = SeccompAction::Errno(error.unsigned_abs());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch).map_err(|error| error.to_string())?;
    let program = BpfProgram::try_from(filter).map_err(|error| error.to_string())?;
    apply_filter(&program).map_err(|error| error.to_string())
}

fn rules(network: bool) -> Result<Rules, seccompiler::BackendError> {
    let mut rules: Rules = REFUSED.iter().map(|call| (*call, Vec::new())).collect();
    let sockets = if network {
        // The internet, and what finds its interfaces; never local sockets, behind which there are other programs.
        let families = [libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];
        let other = families.iter().map(|family| compare(0, SeccompCmpOp::Ne, u64::from(family.unsigned_abs())));
        vec![SeccompRule::new(other.collect::<Result<_, _>>()?)?]
    } else {
        Vec::new()
    };
    rules.insert(libc::SYS_socket, sockets);
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

fn compare(argument: u8, operator: SeccompCmpOp, value: u64) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)
}

fn bits(argument: u8, bits: u64) -> Result<SeccompRule, seccompiler::BackendError> {
    SeccompRule::new(vec![compare(argument, SeccompCmpOp::MaskedEq(bits), bits)?])
}
