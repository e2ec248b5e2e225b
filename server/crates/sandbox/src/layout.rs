//! What of the machine's files every command may use, in namespaces and by Landlock's rules alike.

/// Read and executed by every command.
pub(super) const SYSTEM: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/opt",
    "/nix",
    "/snap",
    "/proc",
    "/sys",
    "/run/current-system",
];

/// What of `/etc` stays closed: credentials.
pub(super) const SECRET_IN_ETC: &[&str] = &[
    "shadow",
    "shadow-",
    "gshadow",
    "gshadow-",
    "sudoers",
    "sudoers.d",
    "ssh",
    "krb5.keytab",
    "wireguard",
    "ppp",
    "NetworkManager",
    "openvpn",
    "ipsec.secrets",
    "ipsec.d",
    "docker",
    "kubernetes",
    "rancher",
    "letsencrypt",
    "npmrc",
    "pip.conf",
    "netrc",
    "mysql",
    "postgresql",
    "security",
    "cni",
    "apt",
    "credstore",
    "credstore.encrypted",
];

/// What of `/etc/ssl` is open, where private keys are too.
pub(super) const OPEN_IN_SSL: &[&str] = &["certs", "openssl.cnf"];

/// Often a link to a file of a program that keeps it up to date.
pub(super) const NAME_SERVERS: &str = "/etc/resolv.conf";

/// Devices that every command may use; what they do is done by the kernel.
pub(super) const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// Written by every command, and gone with it.
pub(super) const PRIVATE: &[&str] = &["/tmp", "/dev/shm"];

/// What may be done beneath a mount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
}
