//! The socket that the server listens on.

use std::io;
use std::net::SocketAddr;

use anyhow::Context;
use tokio::net::{TcpListener, TcpSocket};

/// The socket that the server listens on, and its address with the port that it came to be.
pub(super) fn bind(listen: SocketAddr) -> anyhow::Result<(TcpListener, SocketAddr)> {
    let listener = listen_on(listen).with_context(|| {
        format!("cannot listen on {listen}; is another server using it? Choose another address with --listen")
    })?;
    let address = listener.local_addr().context("cannot determine the address")?;
    Ok((listener, address))
}

/// The kernel answers for connections that nobody has taken yet, and resets some of those beyond `WAITING` only once
/// their requests come: so many must fit, and the usual 128 were passed by 400 clients at once.
fn listen_on(address: SocketAddr) -> io::Result<TcpListener> {
    const WAITING: u32 = 4096;
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(WAITING)
}
