//! Traces on their way to a collector, where the environment names one as OpenTelemetry does.

use std::{sync::Arc, time::Duration};

use tata_llm::{Retry, Timeouts, Transport};
use tata_web::{Spans, TraceOptions, Traces};

use crate::config::Config;

/// The variables, named as everywhere else.
const TRACES: &str = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
const ALL: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
const HEADERS: &str = "OTEL_EXPORTER_OTLP_HEADERS";
const SERVICE: &str = "OTEL_SERVICE_NAME";
const CONTENT: &str = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";

/// How long a collector has to take a request.
const TIME: Duration = Duration::from_secs(10);

/// Sets traces up, if somebody wants them.
pub(super) fn traces(config: &Config) -> anyhow::Result<Option<Arc<Traces>>> {
    let whole = config.variable(TRACES);
    let Some(address) = whole
        .or_else(|| config.variable(ALL).map(|base| format!("{}/v1/traces", base.trim_end_matches('/'))))
    else {
        return Ok(None);
    };
    let options = TraceOptions {
        service: config.variable(SERVICE).unwrap_or_else(|| "tata".to_owned()),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        content: config.variable(CONTENT).is_some_and(|value| value.eq_ignore_ascii_case("true")),
    };
    let headers = config.variable(HEADERS).unwrap_or_default();
    let headers = headers.split(',').filter_map(|pair| pair.split_once('='));
    let headers = headers.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned())).collect();
    let transport = Transport::new(Timeouts::default(), Retry::default())?;
    let (traces, spans) = Traces::new(options);
    tokio::spawn(send(transport, address, headers, spans));
    Ok(Some(traces))
}

/// Sends spans as they come. A collector that is away costs spans and nothing else; it is told of once.
async fn send(transport: Transport, address: String, headers: Vec<(String, String)>, mut spans: Spans) {
    let mut away = false;
    while let Some(request) = spans.next_request().await {
        let sent = transport.post_json(&address, &headers, &request, TIME).await;
        if let Err(error) = &sent
            && !away
        {
            tracing::warn!(error, "traces cannot be sent");
        }
        away = sent.is_err();
    }
}
