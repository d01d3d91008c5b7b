//! Which account of this machine is at the other end of a connection. Loopback keeps other machines out, not other users;
//! Linux tells in `/proc/net/tcp` and `tcp6` whose each socket is.

use std::{
    fs,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream},
    sync::Arc,
};

use tata_web::AdmitPeer;

/// What an account is told that may not come in. It names the ways out.
const REFUSED: &str = "This server answers the account of this machine that started it, and you are another one. Whoever \
    started it can use `tata serve --accounts`, so that people sign in, or `tata serve --all-local-users`, which lets \
    every account of this machine read and change everything.";

/// What a server can do about other accounts of this machine, in a sentence each.
pub(crate) const KNOWN: &str =
    "`tata serve` without --accounts answers your own account of this machine alone";
pub(crate) const UNKNOWN: &str = "on this system it cannot be told which account of the machine calls: without --accounts \
    every account of this machine can use the server";

/// The tables of connections, for both versions of the protocol.
const TABLES: [&str; 2] = ["/proc/net/tcp", "/proc/net/tcp6"];
/// The one who may do everything anyway.
const ROOT: u32 = 0;

/// Admits connections of the account that runs this program, and of root; none where accounts cannot be told apart. That
/// is tried with a connection of our own.
pub(crate) fn own_connections_only() -> Option<AdmitPeer> {
    let own = own_user()?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).ok()?;
    let _client = TcpStream::connect(listener.local_addr().ok()?).ok()?;
    let (accepted, peer) = listener.accept().ok()?;
    if user_of(peer, accepted.local_addr().ok()?) != Some(own) {
        return None;
    }
    Some(Arc::new(move |peer, here| match user_of(peer, here) {
        Some(user) if user == own || user == ROOT => Ok(()),
        // One that is not found has gone already, or is none of this machine.
        Some(_) | None => Err(REFUSED.to_owned()),
    }))
}

/// The account this program runs as.
fn own_user() -> Option<u32> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("Uid:"))?;
    // Real, effective, saved: the effective one owns what is opened.
    line.split_whitespace().nth(1)?.parse().ok()
}

/// The account behind a peer's end of a connection.
fn user_of(peer: SocketAddr, here: SocketAddr) -> Option<u32> {
    TABLES.iter().find_map(|table| owner(&fs::read_to_string(table).ok()?, peer, here))
}

/// The owner of the socket that goes from `from` to `to`, as a table of the kernel tells it.
fn owner(table: &str, from: SocketAddr, to: SocketAddr) -> Option<u32> {
    let (from, to) = (plain(from), plain(to));
    table.lines().skip(1).find_map(|line| {
        let mut fields = line.split_whitespace();
        let local = address(fields.nth(1)?)?;
        let remote = address(fields.next()?)?;
        if (local, remote) != (from, to) {
            return None;
        }
        let user = fields.nth(4)?.parse().ok()?;
        let inode = fields.nth(1)?;
        // A socket that its program has closed already has no inode and is told as root's.
        (inode != "0").then_some(user)
    })
}

/// An address of the table: the bytes of each 32-bit word in this machine's order, then the port.
fn address(text: &str) -> Option<(IpAddr, u16)> {
    let (host, port) = text.split_once(':')?;
    let port = u16::from_str_radix(port, 16).ok()?;
    let word = |at: usize| {
        let digits = host.get(at * 8..at * 8 + 8)?;
        u32::from_str_radix(digits, 16).ok().map(u32::to_ne_bytes)
    };
    let host = match host.len() {
        8 => IpAddr::V4(Ipv4Addr::from(word(0)?)),
        32 => {
            let mut bytes = [0; 16];
            for (at, part) in bytes.chunks_exact_mut(4).enumerate() {
                part.copy_from_slice(&word(at)?);
            }
            IpAddr::V6(Ipv6Addr::from(bytes))
        }
        _ => return None,
    };
    Some((host.to_canonical(), port))
}

/// An address of version 4 in the clothes of version 6 is the same one.
fn plain(address: SocketAddr) -> (IpAddr, u16) {
    (address.ip().to_canonical(), address.port())
}

#[cfg(test)]
#[cfg(target_endian = "little")]
mod tests {
    use super::*;

    const TCP: &str = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1EC6 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 21001 1 0000 100 0 0 10 0
   1: 0100007F:D431 0100007F:1EC6 01 00000000:00000000 00:00000000 00000000 65534        0 21002 1 0000 20 4 30 10 -1
   2: 0100007F:1EC6 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 21003 1 0000 20 4 30 10 -1
   3: 0100007F:D432 0100007F:1EC6 04 00000000:00000000 01:00000014 00000000     0        0 0 3 0000
";
    const TCP6: &str = "  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000000000000000000001000000:D433 00000000000000000000000001000000:1EC6 01 00000000:00000000 00:00000000 00000000  1001        0 21004 1 0000 20 4 30 10 -1
   1: 0000000000000000FFFF00000100007F:D434 0000000000000000FFFF00000100007F:1EC6 01 00000000:00000000 00:00000000 00000000  1002        0 21005 1 0000 20 4 30 10 -1
";

    fn found(table: &str, from: &str, to: &str) -> Option<u32> {
        owner(table, from.parse().unwrap(), to.parse().unwrap())
    }

    #[test]
    fn the_owner_of_a_connection_stands_in_the_table() {
        assert_eq!(found(TCP, "127.0.0.1:54321", "127.0.0.1:7878"), Some(65534));
        // Our own end of it is another row.
        assert_eq!(found(TCP, "127.0.0.1:7878", "127.0.0.1:54321"), Some(1000));
        // Nobody else's row: another port, another host.
        assert_eq!(found(TCP, "127.0.0.1:54323", "127.0.0.1:7878"), None);
        assert_eq!(found(TCP, "127.0.0.2:54321", "127.0.0.1:7878"), None);
        assert_eq!(found(TCP6, "[::1]:54323", "[::1]:7878"), Some(1001));
    }

    #[test]
    fn a_socket_of_version_6_may_speak_version_4() {
        assert_eq!(found(TCP6, "127.0.0.1:54324", "127.0.0.1:7878"), Some(1002));
        assert_eq!(found(TCP6, "[::ffff:127.0.0.1]:54324", "[::ffff:127.0.0.1]:7878"), Some(1002));
        assert_eq!(found(TCP, "[::ffff:127.0.0.1]:54321", "127.0.0.1:7878"), Some(65534));
    }

    /// Whoever sends and closes at once would otherwise pass for root.
    #[test]
    fn a_socket_that_was_closed_belongs_to_nobody() {
        assert_eq!(found(TCP, "127.0.0.1:54322", "127.0.0.1:7878"), None);
    }

    #[test]
    fn a_table_that_is_none_tells_nothing() {
        for table in
            ["", "\n\n", "x\n 0: zz:1 00:2", "x\n 0: 0100007F:D431", "x\n0: é€é€:1 é€é€:2 1 2 3 4 5 6 7"]
        {
            assert_eq!(found(table, "127.0.0.1:54321", "127.0.0.1:7878"), None, "{table:?}");
        }
    }
}
