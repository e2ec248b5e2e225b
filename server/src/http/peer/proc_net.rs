//! Looks for one socket in the kernel's whole table, as text: `/proc/net/tcp` and, for sockets of IPv6, `tcp6`.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::net::{IpAddr, SocketAddr};

use super::Owner;

/// The socket that is bound to `local` and connected to `remote`.
pub(super) fn owner(local: SocketAddr, remote: SocketAddr) -> io::Result<Option<Owner>> {
    if local.is_ipv4()
        && let Some(owner) = search("/proc/net/tcp", &written(local), &written(remote))?
    {
        return Ok(Some(owner));
    }
    search("/proc/net/tcp6", &written(mapped(local)), &written(mapped(remote)))
}

fn search(table: &str, local: &str, remote: &str) -> io::Result<Option<Owner>> {
    let file = match File::open(table) {
        // A kernel without IPv6 has no table for it.
        Err(error) if error.kind() == io::ErrorKind::NotFound && table.ends_with('6') => return Ok(None),
        opened => opened?,
    };
    for line in BufReader::new(file).lines() {
        let line = line?;
        let mut fields = line.split_ascii_whitespace().skip(1);
        if fields.next() == Some(local) && fields.next() == Some(remote) {
            return Ok(read(fields));
        }
    }
    Ok(None)
}

/// What comes after the addresses: state, queues, timer, retransmissions, user, timeout, inode.
fn read<'a>(mut fields: impl Iterator<Item = &'a str>) -> Option<Owner> {
    let state = u8::from_str_radix(fields.next()?, 16).ok()?;
    let uid = fields.nth(3)?.parse().ok()?;
    let inode = fields.nth(1)?.parse().ok()?;
    Some(Owner { uid, state, inode })
}

/// As the table has it: words of four bytes as numbers of this machine, and the port.
fn written(address: SocketAddr) -> String {
    let octets = match address.ip() {
        IpAddr::V4(address) => address.octets().to_vec(),
        IpAddr::V6(address) => address.octets().to_vec(),
    };
    let words = octets.as_chunks::<4>().0.iter().map(|word| format!("{:08X}", u32::from_ne_bytes(*word)));
    format!("{}:{:04X}", words.collect::<String>(), address.port())
}

fn mapped(address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) => SocketAddr::new(ip.to_ipv6_mapped().into(), address.port()),
        IpAddr::V6(_) => address,
    }
}
