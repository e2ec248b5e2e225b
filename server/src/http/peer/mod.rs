//! Whose connection it is: the kernel's table of sockets says which user made the other end of a connection over
//! loopback. Without a token that is what keeps the server's user apart from others of the machine.
//!
//! What the table says is believed only of an end that somebody still holds: of one whose program has let go of it, some
//! kernels say that it is root's.

mod proc_net;
mod sock_diag;

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};

use rustix::process::geteuid;

/// The other end of a connection, as the kernel has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Owner {
    uid: u32,
    /// A state of TCP, by the kernel's numbers.
    state: u8,
    /// Not 0 while a program holds the socket.
    inode: u32,
}

/// Who made a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Peer {
    /// The user that the server runs as, or nobody looks.
    Accepted,
    /// Another user of this machine.
    Other(u32),
    /// The kernel does not say; it does of connections whose programs hold them.
    Unknown,
}

/// Where the users of connections are looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peers {
    /// By asking the kernel for one socket (`sock_diag`).
    SockDiag,
    /// In its whole table, `/proc/net/tcp` and `tcp6`.
    ProcNet,
    /// Nowhere: every connection is taken for the user's own.
    Anybody,
}

impl Peers {
    /// What works here, tried with a connection over this loopback address.
    #[must_use]
    pub fn find(listen: IpAddr) -> Self {
        let own = geteuid().as_raw();
        let works = |peers: Self| match own_connection(listen) {
            Ok((ours, _theirs, [here, there])) => {
                let found = peers.look_up(here, there);
                drop(ours);
                matches!(found, Ok(Some(owner)) if owner.uid == own && owner.is_held())
            }
            Err(_) => false,
        };
        [Self::SockDiag, Self::ProcNet].into_iter().find(|peers| works(*peers)).unwrap_or(Self::Anybody)
    }

    /// Who made the connection that goes from `peer` to `local`. Blocks for as long as the table is read.
    pub(super) fn identify(self, local: SocketAddr, peer: SocketAddr) -> Peer {
        if self == Self::Anybody {
            return Peer::Accepted;
        }
        match self.look_up(local, peer) {
            Ok(Some(owner)) if owner.is_held() && owner.uid == geteuid().as_raw() => Peer::Accepted,
            Ok(Some(owner)) if owner.is_held() => Peer::Other(owner.uid),
            Ok(_) => Peer::Unknown,
            Err(error) => {
                tracing::warn!("cannot tell whose connection this is: {error}");
                Peer::Unknown
            }
        }
    }

    fn look_up(self, local: SocketAddr, peer: SocketAddr) -> io::Result<Option<Owner>> {
        let (local, peer) = (plain(local), plain(peer));
        match self {
            Self::SockDiag => sock_diag::owner(peer, local),
            Self::ProcNet => proc_net::owner(peer, local),
            Self::Anybody => Ok(None),
        }
    }
}

impl Owner {
    /// A program has it, and it belongs to a connection that was made: not to one that waits for others, is being
    /// made, or is only remembered.
    fn is_held(self) -> bool {
        const ESTABLISHED: u8 = 1;
        const FIN_WAIT_1: u8 = 4;
        const FIN_WAIT_2: u8 = 5;
        const CLOSE_WAIT: u8 = 8;
        self.inode != 0 && matches!(self.state, ESTABLISHED | FIN_WAIT_1 | FIN_WAIT_2 | CLOSE_WAIT)
    }
}

/// An address of IPv4 as such, also where a socket of IPv6 has it.
fn plain(address: SocketAddr) -> SocketAddr {
    SocketAddr::new(address.ip().to_canonical(), address.port())
}

/// Both ends of a connection of this process to itself, and the addresses of the accepted end.
fn own_connection(listen: IpAddr) -> io::Result<(TcpStream, TcpStream, [SocketAddr; 2])> {
    let any: IpAddr = if listen.is_ipv4() { Ipv4Addr::LOCALHOST.into() } else { Ipv6Addr::LOCALHOST.into() };
    let listener = TcpListener::bind((any, 0))?;
    let theirs = TcpStream::connect(listener.local_addr()?)?;
    let (ours, peer) = listener.accept()?;
    let here = ours.local_addr()?;
    Ok((ours, theirs, [here, peer]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WAYS: [Peers; 2] = [Peers::SockDiag, Peers::ProcNet];

    #[test]
    fn the_users_own_connection_is_told_by_both_tables_and_families() {
        for address in [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)] {
            let (_ours, _theirs, [here, there]) = own_connection(address).expect("a connection");
            for peers in WAYS {
                assert_eq!(peers.identify(here, there), Peer::Accepted, "{peers:?} {address}");
            }
            assert_eq!(Peers::find(address), Peers::SockDiag);
        }
    }

    #[test]
    fn a_socket_of_ipv6_that_speaks_ipv4_is_found_too() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let port = listener.local_addr().expect("its address").port();
        let _theirs = TcpStream::connect((Ipv4Addr::LOCALHOST.to_ipv6_mapped(), port)).expect("a connection");
        let (ours, there) = listener.accept().expect("the other end");
        let here = ours.local_addr().expect("its address");

        for peers in WAYS {
            assert_eq!(peers.identify(here, there), Peer::Accepted, "{peers:?}");
        }
    }

    #[test]
    fn an_end_that_nobody_holds_any_more_is_nobodys() {
        let (_ours, theirs, [here, there]) = own_connection(Ipv4Addr::LOCALHOST.into()).expect("a connection");
        drop(theirs);

        for peers in WAYS {
            assert_eq!(peers.identify(here, there), Peer::Unknown, "{peers:?}");
        }
    }

    #[test]
    fn who_listens_where_the_other_end_was_is_not_taken_for_it() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let (there, here) = (listener.local_addr().expect("its address"), SocketAddr::from(([127, 0, 0, 1], 1)));

        for peers in WAYS {
            assert_eq!(peers.identify(here, there), Peer::Unknown, "{peers:?}");
        }
    }
}
