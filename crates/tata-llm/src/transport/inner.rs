//! A model at its endpoint: what is sent to it, and how.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use reqwest::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use secrecy::{ExposeSecret, SecretString};
use tata_core::{ModelError, ModelErrorKind, ModelRequest, Origin};

use super::{Transport, redact::Redactor};
use crate::{
    Auth, Endpoint, ModelSpec, ProviderSpec, Wire,
    request::encode,
    wire::encode::{Encoded, Target, WrittenTools},
    wire_choice,
};

/// What a model and those who ask it share.
pub(crate) struct Inner {
    pub(crate) spec: ModelSpec,
    pub(crate) provider: ProviderSpec,
    pub(crate) origin: Origin,
    pub(crate) transport: Transport,
    pub(crate) redactor: Redactor,
    pub(crate) endpoint: Endpoint,
    /// The server is on this machine or in its network.
    pub(crate) near: bool,
    written: WrittenTools,
    /// The same model on Chat Completions, once that was needed.
    chat: OnceLock<Arc<Inner>>,
    /// The request without its body: address and headers are the same every time.
    template: OnceLock<reqwest::Request>,
}

impl Inner {
    pub(crate) fn new(
        spec: ModelSpec,
        provider: ProviderSpec,
        endpoint: Endpoint,
        transport: Transport,
    ) -> Self {
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
    pub(crate) fn in_use(self: &Arc<Self>) -> Arc<Self> {
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
