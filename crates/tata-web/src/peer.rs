//! From where a request comes. Who is not signed in has no other name.

use std::{
    convert::Infallible,
    net::{IpAddr, Ipv6Addr},
    str::FromStr,
};

use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, request::Parts},
};

const FORWARDED_FOR: &str = "x-forwarded-for";

/// Addresses that begin alike: one, or a network such as `10.0.0.0/8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    bits: u32,
}

/// Not an address, and not a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it must be an address such as 10.0.0.2, or a network such as 10.0.0.0/8")]
pub struct NotANetwork;

impl FromStr for Network {
    type Err = NotANetwork;

    fn from_str(text: &str) -> Result<Self, NotANetwork> {
        let (address, bits) =
            text.split_once('/').map_or((text, None), |(address, bits)| (address, Some(bits)));
        let address: IpAddr = address.trim().parse().map_err(|_| NotANetwork)?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.map_or(Ok(most), |bits| bits.trim().parse().map_err(|_| NotANetwork))?;
        if bits > most { Err(NotANetwork) } else { Ok(Self { address, bits }) }
    }
}

impl Network {
    fn has(self, address: IpAddr) -> bool {
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                let mask = u32::MAX.checked_shl(32 - self.bits).unwrap_or(0);
                own.to_bits() & mask == other.to_bits() & mask
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                let mask = u128::MAX.checked_shl(128 - self.bits).unwrap_or(0);
                own.to_bits() & mask == other.to_bits() & mask
            }
            (IpAddr::V4(_), IpAddr::V6(_)) | (IpAddr::V6(_), IpAddr::V4(_)) => false,
        }
    }
}

/// The address at the other end of a connection, as the accept loop saw it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConnectedFrom(pub(crate) IpAddr);

/// A place that is counted as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Peer(IpAddr);

impl Peer {
    /// The place of an address. A network of IPv6 is one: whoever has an address there has all of them.
    pub(crate) fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V6(long) => {
                let [a, b, c, d, ..] = long.segments();
                Self(IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0)))
            }
            short @ IpAddr::V4(_) => Self(short),
        }
    }

    /// Where a request comes from. What it says of itself counts only when it comes through a proxy that the server was
    /// told of: the last address there is the one the proxy saw, and all before it could be made up.
    pub(crate) fn of_request(connected: Option<IpAddr>, headers: &HeaderMap, proxies: &[Network]) -> Self {
        // A router without our accept loop does not know: all are one then.
        let connected = connected.unwrap_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED)).to_canonical();
        if !is_proxy(connected, proxies) {
            return Self::of(connected);
        }
        let lines: Vec<&str> =
            headers.get_all(FORWARDED_FOR).iter().filter_map(|line| line.to_str().ok()).collect();
        let named = lines.iter().rev().flat_map(|line| line.rsplit(','));
        for entry in named {
            let Some(address) = address_in(entry) else { break };
            if !is_proxy(address, proxies) {
                return Self::of(address);
            }
        }
        Self::of(connected)
    }
}

impl<S: Sync> FromRequestParts<S> for Peer {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let known = parts.extensions.get::<Self>().copied();
        Ok(known.unwrap_or(Self(IpAddr::V6(Ipv6Addr::UNSPECIFIED))))
    }
}

/// Whether this is a proxy that the server was told of.
pub(crate) fn is_proxy(address: IpAddr, proxies: &[Network]) -> bool {
    proxies.iter().any(|proxy| proxy.has(address))
}

/// Whether a request says that it came through a proxy.
pub(crate) fn is_forwarded(headers: &HeaderMap) -> bool {
    headers.contains_key(FORWARDED_FOR)
}

/// An address, with or without a port.
fn address_in(entry: &str) -> Option<IpAddr> {
    let entry = entry.trim();
    let bare = entry.strip_prefix('[').and_then(|rest| rest.split(']').next());
    let address = bare.unwrap_or(entry).parse().ok();
    let with_port = || entry.parse::<std::net::SocketAddr>().ok().map(|address| address.ip());
    address.or_else(with_port)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn seen(connected: &str, forwarded: &[&str], proxies: &[&str]) -> Peer {
        let mut headers = HeaderMap::new();
        for line in forwarded {
            headers.append(FORWARDED_FOR, line.parse().unwrap());
        }
        let proxies: Vec<Network> = proxies.iter().map(|proxy| proxy.parse().unwrap()).collect();
        Peer::of_request(Some(address(connected)), &headers, &proxies)
    }

    #[test]
    fn what_a_stranger_says_of_themselves_does_not_count() {
        let own = Peer::of(address("203.0.113.9"));
        assert_eq!(seen("203.0.113.9", &["10.0.0.1"], &[]), own);
        assert_eq!(seen("203.0.113.9", &["10.0.0.1"], &["127.0.0.1"]), own);
    }

    #[test]
    fn behind_a_proxy_the_address_that_it_saw_counts() {
        let client = Peer::of(address("203.0.113.9"));
        for forwarded in [
            &["203.0.113.9"][..],
            &["1.2.3.4, 203.0.113.9"],
            &["1.2.3.4", "203.0.113.9:4711"],
            &["x, 203.0.113.9"],
        ] {
            assert_eq!(seen("127.0.0.1", forwarded, &["127.0.0.1"]), client, "{forwarded:?}");
        }
        assert_eq!(seen("10.0.0.2", &["203.0.113.9, 10.0.0.1"], &["10.0.0.1", "10.0.0.2"]), client);
        let proxy = Peer::of(address("127.0.0.1"));
        assert_eq!(seen("127.0.0.1", &["nonsense"], &["127.0.0.1"]), proxy);
        assert_eq!(seen("127.0.0.1", &[], &["127.0.0.1"]), proxy);
        assert_eq!(seen("::ffff:127.0.0.1", &["203.0.113.9"], &["127.0.0.1"]), client);
    }

    #[test]
    fn a_proxy_may_be_named_by_its_network() {
        let client = Peer::of(address("203.0.113.9"));
        for network in ["172.30.0.0/24", "172.30.0.7", "172.16.0.0/12", "0.0.0.0/0"] {
            let seen = seen("172.30.0.7", &["203.0.113.9"], &[network]);
            assert_eq!(seen == client, network != "0.0.0.0/0", "{network}");
        }
        assert_eq!(seen("fd00::7", &["203.0.113.9"], &["fd00::/8"]), client);
        assert_ne!(seen("172.30.1.7", &["203.0.113.9"], &["172.30.0.0/24"]), client);
        for wrong in ["", "x", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/-1"] {
            assert_eq!(wrong.parse::<Network>(), Err(NotANetwork), "{wrong}");
        }
    }

    #[test]
    fn a_network_of_long_addresses_is_one_place() {
        assert_eq!(Peer::of(address("2001:db8::1")), Peer::of(address("2001:db8::ffff:1")));
        assert_ne!(Peer::of(address("2001:db8::1")), Peer::of(address("2001:db8:0:1::1")));
        assert_eq!(Peer::of(address("::ffff:1.2.3.4")), Peer::of(address("1.2.3.4")));
    }
}
