//! A model behind HTTP.

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use bytes::Bytes;
use reqwest::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use secrecy::{ExposeSecret, SecretString};
use tata_core::{Feed, Model, ModelError, ModelErrorKind, ModelRequest, Origin, ReplyStream};

use crate::{
    Auth, ModelSpec, ProviderSpec, Transport, Wire, anthropic, chat, responses,
    transport::{Driver, Redactor},
    wire::encode::{Encoded, Target, WrittenTools},
    wire_choice,
};

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
    fn is_near(&self) -> bool {
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

/// A model of the catalog at its endpoint.
#[derive(Clone)]
pub struct HttpModel {
    pub(crate) inner: Arc<Inner>,
}

impl fmt::Debug for HttpModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let endpoint = &self.inner.endpoint;
        f.debug_struct("HttpModel").field("name", &self.inner.spec.name).field("endpoint", endpoint).finish()
    }
}

pub(crate) struct Inner {
    pub(crate) spec: ModelSpec,
    pub(crate) provider: ProviderSpec,
    pub(crate) origin: Origin,
    pub(crate) transport: Transport,
    pub(crate) redactor: Redactor,
    endpoint: Endpoint,
    /// The server is on this machine or in its network.
    pub(crate) near: bool,
    written: WrittenTools,
    /// The same model on Chat Completions, once that was needed.
    chat: OnceLock<Arc<Inner>>,
    /// The request without its body: address and headers are the same every time.
    template: OnceLock<reqwest::Request>,
}

impl HttpModel {
    /// Puts a model of the catalog behind the port.
    pub fn new(spec: ModelSpec, provider: ProviderSpec, endpoint: Endpoint, transport: Transport) -> Self {
        Self { inner: Arc::new(Inner::new(spec, provider, endpoint, transport)) }
    }

    /// What the catalog says of it.
    pub fn spec(&self) -> &ModelSpec {
        &self.inner.spec
    }
}

impl Model for HttpModel {
    fn name(&self) -> &str {
        &self.inner.spec.name
    }

    fn stream(&self, request: Arc<ModelRequest>) -> ReplyStream {
        let driver = Driver::new(self.inner.in_use(), request);
        Box::pin(Feed::of(|feeder| driver.run(feeder)))
    }
}

/// The body that a request becomes for a model: what would be sent, without sending it.
pub fn encode_request(
    request: &ModelRequest,
    spec: &ModelSpec,
    provider: &ProviderSpec,
) -> Result<Vec<u8>, ModelError> {
    let written = WrittenTools::default();
    encode(request, &Target { spec, provider, omit: &[], written: &written }).map(|encoded| encoded.body)
}

fn encode(request: &ModelRequest, target: &Target<'_>) -> Result<Encoded, ModelError> {
    let encoded = match target.spec.wire {
        Wire::Responses => responses::encode::encode(request, target),
        Wire::Chat => chat::encode::encode(request, target),
        Wire::Messages => anthropic::encode::encode(request, target),
    };
    encoded.map_err(|cause| {
        let mut error = ModelError::new(ModelErrorKind::InvalidRequest)
            .with_detail("the conversation could not be written as JSON");
        error.source = Some(Box::new(cause));
        error
    })
}

impl Inner {
    fn new(spec: ModelSpec, provider: ProviderSpec, endpoint: Endpoint, transport: Transport) -> Self {
        let mut secrets: Vec<SecretString> = endpoint.key.iter().cloned().collect();
        secrets.extend(endpoint.headers.iter().map(|(_, value)| value.clone()));
        secrets.extend(provider.headers.values().map(|value| SecretString::from(value.as_str())));
        if let Ok(url) = endpoint.base_url.parse::<reqwest::Url>() {
            let in_url = [Some(url.username()), url.password(), url.query()];
            secrets.extend(in_url.into_iter().flatten().map(SecretString::from));
        }
        Self {
            origin: Origin::new(&provider.name, spec.wire.as_str()),
            redactor: Redactor::new(secrets),
            near: endpoint.is_near(),
            spec,
            provider,
            transport,
            endpoint,
            written: WrittenTools::default(),
            chat: OnceLock::new(),
            template: OnceLock::new(),
        }
    }

    /// This model, or the same on the wire that its server really speaks.
    fn in_use(self: &Arc<Self>) -> Arc<Self> {
        if self.may_change_wire() && wire_choice::is_chat_only(&self.endpoint.base_url) {
            return self.on_chat();
        }
        Arc::clone(self)
    }

    /// The same model on Chat Completions.
    pub(crate) fn on_chat(&self) -> Arc<Self> {
        let make = || {
            let (spec, provider) = wire_choice::on_chat(&self.spec, &self.provider);
            Arc::new(Self::new(spec, provider, self.endpoint.clone(), self.transport.clone()))
        };
        Arc::clone(self.chat.get_or_init(make))
    }

    pub(crate) fn may_change_wire(&self) -> bool {
        wire_choice::may_change(&self.spec, &self.provider, &self.endpoint.base_url)
    }

    pub(crate) fn remember_chat_only(&self) {
        wire_choice::remember_chat_only(&self.endpoint.base_url);
    }

    pub(crate) fn encode(&self, request: &ModelRequest, omit: &[String]) -> Result<Encoded, ModelError> {
        let (spec, provider, written) = (&self.spec, &self.provider, &self.written);
        encode(request, &Target { spec, provider, omit, written })
    }

    /// The HTTP request. Every value that came from configuration is marked sensitive.
    pub(crate) fn http_request(&self, body: Bytes) -> Result<reqwest::Request, ModelError> {
        let mut request = if let Some(request) = self.template.get().and_then(reqwest::Request::try_clone) {
            request
        } else {
            let request = self.without_body()?;
            if let Some(template) = request.try_clone() {
                self.template.get_or_init(|| template);
            }
            request
        };
        *request.body_mut() = Some(body.into());
        Ok(request)
    }

    fn without_body(&self) -> Result<reqwest::Request, ModelError> {
        let unusable = |what: &str| {
            ModelError::new(ModelErrorKind::NotConfigured)
                .with_detail(format!("{what} of the provider {} cannot be used", self.provider.name))
        };
        let secret = |value: &str, what: &str| -> Result<HeaderValue, ModelError> {
            let mut value = HeaderValue::from_str(value).map_err(|_| unusable(what))?;
            value.set_sensitive(true);
            Ok(value)
        };
        let mut url: reqwest::Url = self.endpoint.base_url.parse().map_err(|_| unusable("the base URL"))?;
        // By the vendor's convention the address of this wire comes without the version.
        if self.spec.wire == Wire::Messages && url.path() == "/" {
            url.set_path("/v1");
        }
        url.path_segments_mut()
            .map_err(|()| unusable("the base URL"))?
            .pop_if_empty()
            .extend(self.spec.wire.path().split('/'));
        // The builder moves a login in the URL to a header: as part of the address it would be logged.
        let request = self.transport.http.post(url).build();
        let mut request = request.map_err(|_| unusable("the base URL"))?;
        let headers = request.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        for (name, value) in &self.provider.headers {
            let name = HeaderName::try_from(name.as_str()).map_err(|_| unusable("a header name"))?;
            headers.insert(name, secret(value, "a header")?);
        }
        for (name, value) in &self.endpoint.headers {
            let name = HeaderName::try_from(name.as_str()).map_err(|_| unusable("a header name"))?;
            headers.insert(name, secret(value.expose_secret(), "a header")?);
        }
        if let Some(key) = &self.endpoint.key {
            let key = key.expose_secret();
            let (name, value) = match self.provider.auth {
                Auth::Bearer => ("authorization", format!("Bearer {key}")),
                Auth::XApiKey => ("x-api-key", key.to_owned()),
                Auth::ApiKey => ("api-key", key.to_owned()),
            };
            headers.insert(HeaderName::from_static(name), secret(&value, "the key")?);
        }
        Ok(request)
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
