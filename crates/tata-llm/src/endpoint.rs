//! Where a provider is.

use std::fmt;

use secrecy::SecretString;

/// Where a provider is and how we prove who we are. Printing it shows no secret, not even one in the address.
#[derive(Clone)]
pub struct Endpoint {
    /// The address up to and including the version.
    pub base_url: String,
    /// The key, where one is needed.
    pub key: Option<SecretString>,
    /// Further headers; their values may be secrets too.
    pub headers: Vec<(String, SecretString)>,
}

impl Endpoint {
    /// The address without a login and without a query, which may hold a key.
    pub fn shown_address(&self) -> String {
        let Ok(mut url) = self.base_url.parse::<reqwest::Url>() else { return "(not an address)".to_owned() };
        // These fail only for addresses that cannot have a login.
        let _ = url.set_username("");
        let _ = url.set_password(None);
        url.set_query(None);
        url.to_string()
    }
}

impl Endpoint {
    /// Whether the address is this machine, by its exact host: `localhost.example.org` is somebody else.
    pub fn is_loopback(&self) -> bool {
        let url = self.base_url.parse::<reqwest::Url>();
        let host = url.as_ref().ok().and_then(reqwest::Url::host_str).unwrap_or_default();
        let address = host.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>();
        host == "localhost" || address.is_ok_and(|address| address.is_loopback())
    }

    /// Whether the address is this machine or one in its network, by its host as it is written. It says how patient to be,
    /// and nothing about trust.
    pub(crate) fn is_near(&self) -> bool {
        let url = self.base_url.parse::<reqwest::Url>();
        let host = url.as_ref().ok().and_then(reqwest::Url::host_str).unwrap_or_default();
        match host.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>() {
            Ok(std::net::IpAddr::V4(address)) => {
                address.is_loopback() || address.is_private() || address.is_link_local()
            }
            Ok(std::net::IpAddr::V6(address)) => {
                address.is_loopback() || address.is_unique_local() || address.is_unicast_link_local()
            }
            // A name without a dot is one of the own network.
            Err(_) => {
                !host.contains('.')
                    || host.rsplit('.').next() == Some("local")
                    || host == "host.docker.internal"
            }
        }
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headers: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("Endpoint")
            .field("address", &self.shown_address())
            .field("has_key", &self.key.is_some())
            .field("headers", &headers)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::Endpoint;

    #[test]
    fn only_this_machine_is_this_machine() {
        let local =
            |url: &str| Endpoint { base_url: url.to_owned(), key: None, headers: Vec::new() }.is_loopback();
        for here in [
            "http://localhost:1/v1",
            "http://127.0.0.1/v1",
            "http://127.8.8.8",
            "http://[::1]:9/",
            "http://LOCALHOST",
        ] {
            assert!(local(here), "{here}");
        }
        for elsewhere in [
            "http://localhost.evil.example/v1",
            "http://127.0.0.1.evil.example",
            "http://localhost@evil.example",
            "http://evil.example/?//localhost",
            "http://evil.example//127.0.0.1",
            "localhost",
        ] {
            assert!(!local(elsewhere), "{elsewhere}");
        }
    }
}
