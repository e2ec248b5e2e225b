//! A descriptor that goes from one process to another, with bytes of a socket between them (`SCM_RIGHTS`): the listener of
//! a command's proxy, on its way out of the command's namespace of the network to the server.

use std::io::{IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
    recvmsg, sendmsg,
};

/// Sends these bytes, the first of which takes the descriptor along.
///
/// # Errors
/// When they do not all go out.
pub(super) fn send(socket: impl AsFd, bytes: &[u8], carried: impl AsFd) -> std::io::Result<()> {
    let carried = [carried.as_fd()];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    let has_room = control.push(SendAncillaryMessage::ScmRights(&carried));
    let sent = sendmsg(socket, &[IoSlice::new(bytes)], &mut control, SendFlags::NOSIGNAL)?;
    if has_room && sent == bytes.len() { Ok(()) } else { Err(std::io::ErrorKind::WriteZero.into()) }
}

/// Reads what has come, and the descriptor that came along with it.
///
/// # Errors
/// When nothing can be read, or, on a socket that does not wait, nothing has come.
pub(super) fn receive(socket: impl AsFd, bytes: &mut [u8]) -> std::io::Result<(usize, Option<OwnedFd>)> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let read = recvmsg(socket, &mut [IoSliceMut::new(bytes)], &mut control, RecvFlags::CMSG_CLOEXEC)?;
    let carried = control.drain().find_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut carried) => carried.next(),
        _ => None,
    });
    Ok((read.bytes, carried))
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::net::{TcpListener, TcpStream};
    use std::os::unix::net::UnixStream;

    use super::*;

    #[test]
    fn a_listener_is_handed_over_with_its_word() {
        let (ours, mut theirs) = UnixStream::pair().expect("a pair");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let mut bytes = [0; 16];

        send(&theirs, b"here", &listener).expect("sent");
        drop(listener);
        let (count, carried) = receive(&ours, &mut bytes).expect("received");
        theirs.write_all(b"more").expect("written");
        let without = receive(&ours, &mut [0; 16]).expect("received");

        assert_eq!(&bytes[..count], b"here");
        let carried = TcpListener::from(carried.expect("a descriptor"));
        TcpStream::connect(address).expect("it still listens");
        carried.accept().expect("whoever has it accepts");
        assert!(matches!(without, (4, None)), "{without:?}");
    }
}
