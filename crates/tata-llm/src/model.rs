//! A model behind HTTP.

use std::{fmt, sync::Arc};

use tata_core::{Feed, Model, ModelRequest, ReplyStream};

use crate::{
    Endpoint, ModelSpec, ProviderSpec, Transport,
    transport::{Driver, Inner},
};

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
