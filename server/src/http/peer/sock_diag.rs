//! Asks the kernel for one socket: a request and an answer of `sock_diag(7)` over netlink, in the machine's byte order
//! except for addresses and ports.

use std::io;
use std::net::{IpAddr, SocketAddr};

use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, netlink, recv, send, socket_with};

use super::Owner;

const SOCK_DIAG_BY_FAMILY: u16 = 20;
const NLMSG_ERROR: u16 = 2;
const NLM_F_REQUEST: u16 = 1;
const IPPROTO_TCP: u8 = 6;
/// `INET_DIAG_NOCOOKIE`, twice: the socket is named by its addresses alone.
const NO_COOKIE: [u8; 8] = [0xff; 8];
/// The lengths of `nlmsghdr`, and of `inet_diag_sockid` without its cookie and interface.
const HEADER: usize = 16;
const ADDRESSES: usize = 36;

/// The socket that is bound to `local` and connected to `remote`.
pub(super) fn owner(local: SocketAddr, remote: SocketAddr) -> io::Result<Option<Owner>> {
    let flags = SocketFlags::CLOEXEC;
    let socket = socket_with(AddressFamily::NETLINK, SocketType::RAW, flags, Some(netlink::SOCK_DIAG))?;
    send(&socket, &request(local, remote), SendFlags::empty())?;
    let mut answer = [0; 4096];
    // The kernel has answered by now; nothing shall wait if one does not.
    let (_, length) = recv(&socket, &mut answer, RecvFlags::DONTWAIT)?;
    read(&answer[..length.min(answer.len())], &addresses(local, remote))
}

/// `nlmsghdr` and `inet_diag_req_v2`.
fn request(local: SocketAddr, remote: SocketAddr) -> Vec<u8> {
    let family = if local.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    // Both families have small numbers.
    let mut body = vec![u8::try_from(family.as_raw()).unwrap_or_default(), IPPROTO_TCP, 0, 0];
    body.extend(u32::MAX.to_ne_bytes());
    body.extend(addresses(local, remote));
    body.extend([0; 4]);
    body.extend(NO_COOKIE);
    let length = u32::try_from(HEADER + body.len()).unwrap_or_default();
    let mut message = length.to_ne_bytes().to_vec();
    message.extend(SOCK_DIAG_BY_FAMILY.to_ne_bytes());
    message.extend(NLM_F_REQUEST.to_ne_bytes());
    message.extend([0; 8]);
    message.extend(body);
    message
}

/// Ports and addresses as `inet_diag_sockid` begins.
fn addresses(local: SocketAddr, remote: SocketAddr) -> [u8; ADDRESSES] {
    let mut id = [0; ADDRESSES];
    id[..2].copy_from_slice(&local.port().to_be_bytes());
    id[2..4].copy_from_slice(&remote.port().to_be_bytes());
    for (at, address) in [(4, local.ip()), (20, remote.ip())] {
        match address {
            IpAddr::V4(address) => id[at..at + 4].copy_from_slice(&address.octets()),
            IpAddr::V6(address) => id[at..at + 16].copy_from_slice(&address.octets()),
        }
    }
    id
}

/// Reads `inet_diag_msg`; a socket with other addresses than those that were asked for is not the one.
fn read(answer: &[u8], asked: &[u8; ADDRESSES]) -> io::Result<Option<Owner>> {
    let cut = || io::Error::new(io::ErrorKind::UnexpectedEof, "the kernel's answer is cut off");
    let number = |at: usize| -> io::Result<u32> {
        let bytes = answer.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).ok_or_else(cut)?;
        Ok(u32::from_ne_bytes(bytes))
    };
    let kind = answer.get(4..6).and_then(|bytes| bytes.try_into().ok()).map(u16::from_ne_bytes).ok_or_else(cut)?;
    if kind == NLMSG_ERROR {
        let error = io::Error::from_raw_os_error(number(HEADER)?.cast_signed().wrapping_neg());
        return if error.kind() == io::ErrorKind::NotFound { Ok(None) } else { Err(error) };
    }
    let body = answer.get(HEADER..).ok_or_else(cut)?;
    // Family, state, timer, retransmissions; then the addresses, interface and cookie; then the expiry and both queues.
    let (state, found) = (*body.get(1).ok_or_else(cut)?, body.get(4..4 + ADDRESSES).ok_or_else(cut)?);
    let same = found == asked || found == mapped(asked);
    let after = HEADER + 4 + ADDRESSES + 12 + 12;
    let owner = Owner { state, uid: number(after)?, inode: number(after + 4)? };
    Ok((kind == SOCK_DIAG_BY_FAMILY && same).then_some(owner))
}

/// The same addresses of IPv4 as a socket of IPv6 has them.
fn mapped(id: &[u8; ADDRESSES]) -> [u8; ADDRESSES] {
    let mut mapped = *id;
    for at in [4, 20] {
        mapped[at..at + 16].fill(0);
        mapped[at + 10..at + 12].fill(0xff);
        mapped[at + 12..at + 16].copy_from_slice(&id[at..at + 4]);
    }
    mapped
}
