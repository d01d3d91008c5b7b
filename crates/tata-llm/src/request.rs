//! A request on any wire: written for a model, and read back to ours.

use tata_core::{ModelError, ModelErrorKind, ModelRequest, Origin};

use crate::{
    ModelSpec, ProviderSpec, anthropic, chat, responses,
    wire::{
        Wire,
        encode::{Encoded, Target, WrittenTools},
        read::ReadError,
    },
};

/// The body that a request becomes for a model: what would be sent, without sending it.
pub fn encode_request(
    request: &ModelRequest,
    spec: &ModelSpec,
    provider: &ProviderSpec,
) -> Result<Vec<u8>, ModelError> {
    let written = WrittenTools::default();
    encode(request, &Target { spec, provider, omit: &[], written: &written }).map(|encoded| encoded.body)
}

/// Writes it on the wire that the model speaks.
pub(crate) fn encode(request: &ModelRequest, target: &Target<'_>) -> Result<Encoded, ModelError> {
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

/// Reads the body of a request on `wire`; `provider` is remembered as the origin of its answers.
pub fn read_request(wire: Wire, provider: &str, body: &str) -> Result<ModelRequest, ReadError> {
    let origin = Origin::new(provider, wire.as_str());
    match wire {
        Wire::Responses => responses::read::read(body, &origin),
        Wire::Chat => chat::read::read(body, &origin),
        Wire::Messages => anthropic::read::read(body, &origin),
    }
}
