//! Fetching pages, without being led into the own network.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use futures_util::future::BoxFuture;
use reqwest::{
    Client, StatusCode,
    dns::{Addrs, Name, Resolve, Resolving},
    header,
};
use url::{Host, Url};

use crate::{
    KnowledgeError,
    http::{limited, told},
};

/// What may be fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FetchRules {
    /// Whether addresses of the own machine and network may be asked.
    pub allow_private: bool,
    /// Bytes of a page.
    pub most_bytes: usize,
    /// The time for a page, redirects included.
    pub time: Duration,
    /// Redirects that are followed; each is checked like a new address.
    pub redirects: usize,
    /// Pages of a sitemap.
    pub most_pages: usize,
    /// Sitemaps inside sitemaps.
    pub sitemap_depth: usize,
}

impl Default for FetchRules {
    fn default() -> Self {
        Self {
            allow_private: false,
            most_bytes: 32 * 1024 * 1024,
            time: Duration::from_secs(30),
            redirects: 5,
            most_pages: 10_000,
            sitemap_depth: 3,
        }
    }
}

/// A page as it came.
#[derive(Clone, Debug)]
pub struct Fetched {
    /// Where it came from in the end.
    pub url: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its media type.
    pub media_type: Option<String>,
}

/// A client that asks only what it may.
#[derive(Clone, Debug)]
pub struct Fetcher {
    client: Client,
    rules: FetchRules,
}

impl Fetcher {
    /// Sets up a client.
    pub fn new(rules: FetchRules) -> Result<Self, KnowledgeError> {
        Self::with_hosts(rules, &[])
    }

    /// The same with names whose addresses the operator gives: these are asked, wherever they lie.
    pub fn with_hosts(rules: FetchRules, hosts: &[(&str, SocketAddr)]) -> Result<Self, KnowledgeError> {
        #[expect(
            clippy::disallowed_methods,
            reason = "pages are fetched by a client that no key ever enters"
        )]
        let builder = hosts.iter().fold(Client::builder(), |builder, (name, at)| builder.resolve(name, *at));
        let client = builder
            .connect_timeout(Duration::from_secs(10))
            .redirect(reqwest::redirect::Policy::none())
            // A proxy would look names up itself: what is checked here would not be what is asked.
            .no_proxy()
            // Names are checked where the connection is made, so that a second look-up cannot bring another address.
            .dns_resolver(Arc::new(Guarded { allow_private: rules.allow_private, look_up }))
            .user_agent(concat!("tata/", env!("CARGO_PKG_VERSION")))
            .build();
        let client = client.map_err(|error| KnowledgeError::Configuration {
            field: "http",
            message: format!("the HTTP client could not be set up: {error}"),
        })?;
        Ok(Self { client, rules })
    }

    /// Fetches a page.
    pub async fn fetch(&self, address: &str) -> Result<Fetched, KnowledgeError> {
        let late = || KnowledgeError::Unreachable {
            place: address.to_owned(),
            message: format!("no whole answer within {} s", self.rules.time.as_secs()),
        };
        tokio::time::timeout(self.rules.time, self.follow(address)).await.map_err(|_| late())?
    }

    async fn follow(&self, address: &str) -> Result<Fetched, KnowledgeError> {
        let mut url = self.checked(address)?;
        for _ in 0..=self.rules.redirects {
            let failed = |message: String| KnowledgeError::Unreachable { place: url.to_string(), message };
            let response = self.client.get(url.clone()).send().await.map_err(|error| {
                let said = told(&error);
                if said.contains(PRIVATE) {
                    KnowledgeError::Forbidden { address: url.to_string(), reason: PRIVATE.to_owned() }
                } else {
                    failed(said)
                }
            })?;
            let status = response.status();
            let text =
                |name| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
            if status.is_redirection() && status != StatusCode::NOT_MODIFIED {
                let to = text(header::LOCATION).ok_or_else(|| failed("a redirect to nowhere".to_owned()))?;
                let next = url.join(&to).map_err(|error| failed(format!("a redirect to {to:?}: {error}")))?;
                url = self.checked(next.as_str())?;
                continue;
            }
            if !status.is_success() {
                return Err(failed(format!("status {}", status.as_u16())));
            }
            let media_type = text(header::CONTENT_TYPE);
            let bytes = limited(response, self.rules.most_bytes).await.map_err(failed)?;
            return Ok(Fetched { url: url.to_string(), bytes, media_type });
        }
        let message = format!("more than {} redirects", self.rules.redirects);
        Err(KnowledgeError::Unreachable { place: address.to_owned(), message })
    }

    /// An address that may be asked, as far as it says so itself.
    fn checked(&self, address: &str) -> Result<Url, KnowledgeError> {
        let forbidden = |reason: &str| KnowledgeError::Forbidden {
            address: address.to_owned(),
            reason: reason.to_owned(),
        };
        let url = Url::parse(address).map_err(|error| forbidden(&format!("it is no address ({error})")))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(forbidden("only http and https are fetched"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(forbidden("it carries a user name or password"));
        }
        let literal = match url.host() {
            Some(Host::Ipv4(address)) => Some(IpAddr::V4(address)),
            Some(Host::Ipv6(address)) => Some(IpAddr::V6(address)),
            // A name that is this machine's by rule, whoever answers for it.
            Some(Host::Domain(name)) => is_own(name).then_some(IpAddr::V4(Ipv4Addr::LOCALHOST)),
            None => return Err(forbidden("it names no host")),
        };
        if !self.rules.allow_private && literal.is_some_and(|address| !public(address)) {
            return Err(forbidden(PRIVATE));
        }
        Ok(url)
    }

    /// The pages of a sitemap, and of the sitemaps inside it. Only its own host counts; what cannot be had is told.
    pub async fn sitemap(&self, address: &str) -> Result<(Vec<String>, Vec<String>), KnowledgeError> {
        let host = self.checked(address)?.host_str().map(str::to_owned);
        let own = |url: &str| Url::parse(url).is_ok_and(|url| url.host_str().map(str::to_owned) == host);
        let mut open = vec![(address.to_owned(), 0)];
        let (mut seen, mut pages, mut notes) = (vec![address.to_owned()], Vec::new(), Vec::new());
        while let Some((map, depth)) = open.pop() {
            let fetched = match self.fetch(&map).await {
                Ok(fetched) => fetched,
                Err(error) if depth == 0 => return Err(error),
                Err(error) => {
                    notes.push(error.to_string());
                    continue;
                }
            };
            let text = tata_document::decode(&fetched.bytes, None);
            let index = text.contains("<sitemapindex");
            for place in locations(&text) {
                if seen.len() > self.rules.most_pages {
                    notes.push(format!("only the first {} pages are read", self.rules.most_pages));
                    return Ok((pages, notes));
                }
                if seen.contains(&place) {
                    continue;
                }
                seen.push(place.clone());
                match () {
                    () if !own(&place) => notes.push(format!("{place} is of another host than its sitemap")),
                    () if index && depth >= self.rules.sitemap_depth => {
                        notes.push(format!("{place}: sitemaps are nested too deeply"));
                    }
                    () if index => open.push((place, depth + 1)),
                    () => pages.push(place),
                }
            }
        }
        Ok((pages, notes))
    }
}

/// `localhost` and what lies under it.
fn is_own(name: &str) -> bool {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    name == "localhost" || name.ends_with(".localhost")
}

/// The addresses a sitemap lists.
fn locations(xml: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = xml;
    while let Some((_, after)) = rest.split_once("<loc>") {
        let Some((place, after)) = after.split_once("</loc>") else { break };
        let place = place.trim().trim_start_matches("<![CDATA[").trim_end_matches("]]>");
        let place = place.replace("&amp;", "&").replace("&apos;", "'").replace("&quot;", "\"");
        if !place.trim().is_empty() {
            found.push(place.trim().to_owned());
        }
        rest = after;
    }
    found
}

const PRIVATE: &str = "it lies in a private network";

/// Finds the addresses of a name.
type LookUp = fn(String) -> BoxFuture<'static, std::io::Result<Vec<SocketAddr>>>;

fn look_up(name: String) -> BoxFuture<'static, std::io::Result<Vec<SocketAddr>>> {
    Box::pin(async move { Ok(tokio::net::lookup_host((name.as_str(), 0)).await?.collect()) })
}

struct Guarded {
    allow_private: bool,
    look_up: LookUp,
}

impl Resolve for Guarded {
    fn resolve(&self, name: Name) -> Resolving {
        let (allow_private, look_up) = (self.allow_private, self.look_up);
        Box::pin(async move {
            let found = look_up(name.as_str().to_owned()).await?;
            // One private address among public ones is a trap as well.
            if !allow_private && found.iter().any(|address| !public(address.ip())) {
                return Err(PRIVATE.into());
            }
            let addresses: Addrs = Box::new(found.into_iter());
            Ok(addresses)
        })
    }
}

/// Whether an address belongs to the open network.
fn public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => public_v4(address),
        IpAddr::V6(address) => public_v6(address),
    }
}

fn public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let special = matches!(
        (a, b, c),
        (0 | 240..=255, _, _) | (100, 64..=127, _) | (192, 0, 0) | (198, 18..=19, _) | (192, 88, 99)
    );
    !(special
        || address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation())
}

fn public_v6(address: Ipv6Addr) -> bool {
    let parts = address.segments();
    let [.., high, low] = parts;
    let inner = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        public_v4(Ipv4Addr::new(a, b, c, d))
    };
    match parts {
        // None and oneself, and reserved parts of the open space: protocols (Teredo, benchmarks, ORCHID), documentation
        // (RFC 3849, RFC 9637).
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] | [0x2001, 0..=0x1ff | 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => false,
        // Addresses of version 4 in their other forms: compatible, mapped, translated by the host (RFC 2765) or on the way
        // (RFC 6052), and 6to4. What else a translator's own prefix (RFC 8215) leads to is the network's own business.
        [0, 0, 0, 0, 0, 0 | 0xffff, ..] | [0, 0, 0, 0, 0xffff, 0, ..] | [0x64, 0xff9b, 0, 0, 0, 0, ..] => {
            inner(high, low)
        }
        [0x2002, high, low, ..] => inner(high, low),
        // Only this eighth of the space is given out (RFC 4291). What lies outside is the own host, the own cable, the own
        // site (fec0::/10 as well, although it is no longer handed out), many at once, or nobody's.
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// A name that points elsewhere each time it is looked up, and one that points to both worlds at once.
    #[tokio::test]
    async fn a_name_that_changes_its_mind_leads_nowhere() {
        static ASKED: AtomicUsize = AtomicUsize::new(0);
        #[expect(clippy::needless_pass_by_value, reason = "a look-up owns the name it waits with")]
        fn rebinding(name: String) -> BoxFuture<'static, std::io::Result<Vec<SocketAddr>>> {
            let at = |text: &str| SocketAddr::new(text.parse().unwrap(), 80);
            let found = match (name.as_str(), ASKED.fetch_add(1, Ordering::Relaxed) % 2) {
                ("both.example", _) => vec![at("93.184.216.34"), at("10.0.0.1")],
                (_, 0) => vec![at("93.184.216.34")],
                (_, _) => vec![at("169.254.169.254")],
            };
            Box::pin(async move { Ok(found) })
        }
        let guarded = Guarded { allow_private: false, look_up: rebinding };
        let resolve = |name: &str| guarded.resolve(name.parse().unwrap());
        // What was checked is what is connected to: the addresses themselves are handed on.
        let first: Vec<SocketAddr> = resolve("rebind.example").await.unwrap().collect();
        assert_eq!(first.len(), 1);
        for name in ["rebind.example", "both.example"] {
            let refused = resolve(name).await.err().map(|error| error.to_string());
            assert_eq!(refused.as_deref(), Some(PRIVATE), "{name}");
        }
    }

    #[test]
    fn private_addresses_are_known_in_every_dress() {
        for private in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "::1",
            "fc00::1",
            "fe80::1",
            "::ffff:127.0.0.1",
            "64:ff9b::7f00:1",
            "2002:7f00:1::",
            "::7f00:1",
            "ff02::1",
            // The former addresses of a site, which routers still know.
            "fec0::1",
            "feff:ffff::1",
            "fd12:3456::1",
            // Version 4 as a host translates it.
            "::ffff:0:127.0.0.1",
            "::ffff:0:10.0.0.1",
            "::ffff:0:169.254.169.254",
            "::10.0.0.1",
            "64:ff9b::10.0.0.1",
            "64:ff9b:1::10.0.0.1",
            "100::1",
            "2001::1",
            "2001:2::1",
            "2001:db8::1",
            "3fff::1",
            "5f00::1",
            "4000::1",
            "192.0.0.8",
            "198.18.0.1",
            "203.0.113.1",
            "240.0.0.1",
            "224.0.0.1",
            "255.255.255.255",
        ] {
            assert!(!public(private.parse().unwrap()), "{private}");
        }
        for open in [
            "1.1.1.1",
            "93.184.216.34",
            "2606:4700::1111",
            "2001:4860:4860::8888",
            "2a00:1450::1",
            "::ffff:8.8.8.8",
            "::ffff:0:8.8.8.8",
            "64:ff9b::8.8.8.8",
        ] {
            assert!(public(open.parse().unwrap()), "{open}");
        }
    }

    #[test]
    fn a_sitemap_lists_addresses() {
        let xml = "<urlset><url><loc> https://a.example/x?a=1&amp;b=2 </loc></url><url><loc><![CDATA[https://a.example/y]]></loc></url><loc>";
        assert_eq!(locations(xml), ["https://a.example/x?a=1&b=2", "https://a.example/y"]);
    }
}
