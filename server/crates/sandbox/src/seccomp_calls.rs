//! The lists of system calls: those that exist for a command, as ranges of their numbers, and those that are refused.

use std::ops::RangeInclusive;

use seccompiler::{BpfProgram, sock_filter};

/// Refused whatever their arguments are.
pub(super) const REFUSED: &[i64] = &[
    // Other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_kcmp,
    libc::SYS_pidfd_getfd,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    // Mounts and namespaces.
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
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_fanotify_init,
    // The kernel's larger attack surfaces.
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
    // The machine.
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
    libc::SYS_syslog,
    libc::SYS_vhangup,
];

/// Refused, and only there on this architecture.
#[cfg(target_arch = "x86_64")]
pub(super) const ARCHITECTURE_REFUSED: &[i64] =
    &[libc::SYS_kexec_file_load, libc::SYS_iopl, libc::SYS_ioperm, libc::SYS_uselib];
#[cfg(not(target_arch = "x86_64"))]
pub(super) const ARCHITECTURE_REFUSED: &[i64] = &[];

/// Make what outlives whoever made it: refused where no namespace ends with the command.
pub(super) const LASTING: &[i64] = &[libc::SYS_shmget, libc::SYS_semget, libc::SYS_msgget, libc::SYS_mq_open];

/// The calls of a kernel of 2019, by number. What is missing between them never was, or is not any more.
#[cfg(target_arch = "x86_64")]
const OLD: &[RangeInclusive<u32>] =
    &[0..=155, 157..=173, 175..=176, 179..=179, 186..=211, 213..=213, 216..=235, 237..=334];
/// What `asm-generic/unistd.h` lists, which all newer architectures follow.
#[cfg(not(target_arch = "x86_64"))]
const OLD: &[RangeInclusive<u32>] = &[0..=41, 43..=179, 180..=243, 258..=291];

/// Later ones have the same number everywhere. `clone3` (435) and `openat2` (437) hide their arguments in memory, where no
/// filter can look: without them libraries use `clone` and `openat`.
const NEW: &[RangeInclusive<u32>] = &[
    // pidfd_send_signal, io_uring_setup to fspick (refused below), pidfd_open
    424..=434,
    // close_range
    436..=436,
    // pidfd_getfd (refused), faccessat2, process_madvise (refused), epoll_pwait2, mount_setattr and quotactl_fd (refused)
    438..=443,
    // landlock_create_ruleset, landlock_add_rule, landlock_restrict_self, memfd_secret
    444..=447,
    // futex_waitv, set_mempolicy_home_node, cachestat, fchmodat2, map_shadow_stack, futex_wake, futex_wait, futex_requeue
    449..=456,
    // mseal
    462..=462,
];

/// `AUDIT_ARCH_…`.
#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: Option<u32> = Some(0xc000_003e);
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: Option<u32> = Some(0xc000_00b7);
#[cfg(target_arch = "riscv64")]
const ARCHITECTURE: Option<u32> = Some(0xc000_00f3);
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
const ARCHITECTURE: Option<u32> = None;

/// `BPF_LD | BPF_W | BPF_ABS`, `BPF_JMP | BPF_JEQ | BPF_K`, `BPF_JMP | BPF_JGE | BPF_K`, `BPF_RET | BPF_K`.
const LOAD: u16 = 0x20;
const JUMP_IF_EQUAL: u16 = 0x15;
const JUMP_IF_AT_LEAST: u16 = 0x35;
const RETURN: u16 = 0x06;

/// Where `struct seccomp_data` has the number of the call and the architecture.
const NUMBER_AT: u32 = 0;
const ARCHITECTURE_AT: u32 = 4;

const ALLOW: u32 = 0x7fff_0000;
const KILL_PROCESS: u32 = 0x8000_0000;
/// With the error in its lower half.
const ERROR: u32 = 0x0005_0000;

/// The filter of what exists: all else, and with it every call of the x32 ABI, answers "no such call".
///
/// # Errors
/// On an architecture whose numbers are not listed here.
pub(super) fn allowed() -> Result<BpfProgram, String> {
    let architecture = ARCHITECTURE.ok_or("the system calls of this architecture are not known")?;
    // Numbers at which what lies before ends, and what follows is allowed, refused, allowed, …
    let edges: Vec<u32> = OLD.iter().chain(NEW).flat_map(|range| [*range.start(), range.end() + 1]).collect();
    let mut program = vec![
        step(LOAD, 0, 0, ARCHITECTURE_AT),
        step(JUMP_IF_EQUAL, 1, 0, architecture),
        step(RETURN, 0, 0, KILL_PROCESS),
        step(LOAD, 0, 0, NUMBER_AT),
    ];
    for (at, edge) in edges.iter().enumerate() {
        // Smaller than this edge and not smaller than the one before: inside a range if the edge ends one. The two
        // answers follow the last edge.
        let left = edges.len() - at - 1;
        let answer = u8::try_from(left + at % 2).map_err(|_| "there are too many ranges")?;
        program.push(step(JUMP_IF_AT_LEAST, 0, answer, *edge));
    }
    program.push(step(RETURN, 0, 0, ERROR | libc::ENOSYS.unsigned_abs()));
    program.push(step(RETURN, 0, 0, ALLOW));
    Ok(program)
}

fn step(code: u16, jt: u8, jf: u8, k: u32) -> sock_filter {
    sock_filter { code, jt, jf, k }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs the filter as the kernel does.
    fn answer(program: &[sock_filter], number: u32) -> u32 {
        let (mut at, mut loaded) = (0, 0);
        loop {
            let step = &program[at];
            at += 1;
            let jump = |holds: bool| usize::from(if holds { step.jt } else { step.jf });
            match step.code {
                LOAD if step.k == NUMBER_AT => loaded = number,
                LOAD => loaded = ARCHITECTURE.expect("a known architecture"),
                JUMP_IF_EQUAL => at += jump(loaded == step.k),
                JUMP_IF_AT_LEAST => at += jump(loaded >= step.k),
                _ => return step.k,
            }
        }
    }

    #[test]
    fn exactly_what_is_listed_exists() {
        let program = allowed().expect("a filter");
        let ranges: Vec<_> = OLD.iter().chain(NEW).collect();
        assert!(ranges.windows(2).all(|pair| pair[0].end() < pair[1].start()), "in order");

        for number in (0..2000).chain([0x4000_0000, 0x4000_0209, u32::MAX]) {
            let listed = ranges.iter().any(|range| range.contains(&number));
            let expected = if listed { ALLOW } else { ERROR | libc::ENOSYS.unsigned_abs() };
            assert_eq!(answer(&program, number), expected, "{number}");
        }
    }

    #[test]
    fn what_hides_its_arguments_does_not_exist_and_what_programs_need_does() {
        let program = allowed().expect("a filter");
        let allows = |call: i64| answer(&program, u32::try_from(call).expect("a number")) == ALLOW;

        for hidden in [libc::SYS_clone3, libc::SYS_openat2] {
            assert!(!allows(hidden), "{hidden}");
        }
        for needed in [
            libc::SYS_read,
            libc::SYS_openat,
            libc::SYS_clone,
            libc::SYS_execve,
            libc::SYS_execveat,
            libc::SYS_copy_file_range,
            libc::SYS_statx,
            libc::SYS_rseq,
            libc::SYS_faccessat2,
            libc::SYS_close_range,
            libc::SYS_pidfd_open,
            libc::SYS_memfd_create,
            libc::SYS_getrandom,
            libc::SYS_futex_waitv,
        ] {
            assert!(allows(needed), "{needed}");
        }
    }
}
