//! Brings up the loopback of a namespace of the network, in which nothing else is.

use rustix::io::Errno;
use rustix::net::netlink::SocketAddrNetlink;
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, sendto, socket_with};

/// The number of the loopback in every namespace.
const LOOPBACK: u32 = 1;

const IS_UP: u32 = 1;

/// Set a link.
const RTM_NEWLINK: u16 = 16;

/// Do it, and say how it went.
const REQUEST_AND_ACKNOWLEDGE: u16 = 1 | 4;

/// The length of the header, and of it with the message about a link.
const LENGTHS: (usize, usize) = (16, 32);

/// # Errors
/// When the kernel does not do it.
pub(super) fn up() -> rustix::io::Result<()> {
    let socket = socket_with(AddressFamily::NETLINK, SocketType::RAW, SocketFlags::CLOEXEC, None)?;
    sendto(&socket, &message(), SendFlags::empty(), &SocketAddrNetlink::new(0, 0))?;
    let mut answer = [0; 256];
    let (_, count) = recv(&socket, &mut answer, RecvFlags::empty())?;
    // The error, negative or zero, follows the header.
    let error = answer.get(LENGTHS.0..LENGTHS.0 + 4).filter(|_| count >= LENGTHS.0 + 4);
    match error.and_then(|bytes| bytes.try_into().ok()).map(i32::from_ne_bytes) {
        Some(0) => Ok(()),
        Some(error) => Err(Errno::from_raw_os_error(-error)),
        None => Err(Errno::PROTO),
    }
}

/// `nlmsghdr` and `ifinfomsg`, as the kernel reads them.
fn message() -> Vec<u8> {
    let length = u32::try_from(LENGTHS.1).unwrap_or_default();
    let mut message = Vec::with_capacity(LENGTHS.1);
    message.extend(length.to_ne_bytes());
    message.extend(RTM_NEWLINK.to_ne_bytes());
    message.extend(REQUEST_AND_ACKNOWLEDGE.to_ne_bytes());
    // The number of the message and of the sender; then the family and the kind of device: any.
    message.extend([0; 8]);
    message.extend([0; 4]);
    message.extend(LOOPBACK.to_ne_bytes());
    // What it is set to, and which of the flags are meant.
    message.extend(IS_UP.to_ne_bytes());
    message.extend(IS_UP.to_ne_bytes());
    message
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_is_as_long_as_it_says() {
        assert_eq!(message().len(), LENGTHS.1);
    }
}
