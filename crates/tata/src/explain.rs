//! Errors in plain words: what happened, what helps.

use serde_json::{Value, json};
use tata_core::{ModelError, ModelErrorKind, StoreError, TurnEnd, TurnOutcome, TurnReport};
use tata_llm::UnknownModel;

use crate::{
    agents::UnknownAgent,
    config::ConfigError,
    error::{DamagedSession, Undecided, UnknownDocument, UnknownSession, UnknownTool},
    exit::Exit,
    wiring::DatabasePlace,
};

/// An error for people.
#[derive(Debug, Default)]
pub(crate) struct Explained {
    pub(crate) what: String,
    pub(crate) hints: Vec<String>,
    /// Its technical details are in the log.
    pub(crate) logged: bool,
}

pub(crate) fn explain(error: &anyhow::Error) -> Explained {
    if let Some(model) = error.downcast_ref::<ModelError>() {
        return Explained {
            what: model.for_user().to_owned(),
            hints: model_hints(model),
            logged: model.kind != ModelErrorKind::NotConfigured,
        };
    }
    if let Some(unknown) = error.downcast_ref::<UnknownModel>() {
        let hint = if unknown.near.is_empty() {
            "`tata models` lists the known ones; any other is PROVIDER/MODEL, such as ollama/qwen3:8b."
                .to_owned()
        } else {
            format!("Did you mean {}? `tata models` lists all.", unknown.near.join(", "))
        };
        let what = format!("There is no model {:?}.", unknown.name);
        return Explained { what, hints: vec![hint], logged: false };
    }
    if let Some(unknown) = error.downcast_ref::<UnknownAgent>() {
        let hint = match unknown.near.as_slice() {
            [] => format!("There are: {}. A YAML file can be named by its path.", unknown.known.join(", ")),
            near => format!("Did you mean {}? `tata agents` lists all.", near.join(", ")),
        };
        let what = format!("There is no agent {:?}.", unknown.name);
        return Explained { what, hints: vec![hint], logged: false };
    }
    if let Some(unknown) = error.downcast_ref::<UnknownSession>() {
        return Explained { what: unknown.to_string(), hints: vec![unknown.hint()], logged: false };
    }
    if let Some(damaged) = error.downcast_ref::<DamagedSession>() {
        return Explained { what: damaged.to_string(), hints: damaged.hints(), logged: false };
    }
    if let Some(unknown) = error.downcast_ref::<UnknownTool>() {
        return Explained { what: unknown.to_string(), hints: vec![unknown.hint()], logged: false };
    }
    if let Some(unknown) = error.downcast_ref::<UnknownDocument>() {
        return Explained { what: unknown.to_string(), hints: vec![unknown.hint.clone()], logged: false };
    }
    if let Some(store) = error.downcast_ref::<StoreError>() {
        let place = error.downcast_ref::<DatabasePlace>().map(ToString::to_string);
        let hints = store.detail().map(str::to_owned).into_iter().chain(place).collect();
        return Explained { what: store.for_user().to_owned(), hints, logged: true };
    }
    if let Some(undecided) = error.downcast_ref::<Undecided>() {
        return Explained { what: undecided.to_string(), hints: vec![undecided.hint()], logged: false };
    }
    if let Some(config) = error.downcast_ref::<ConfigError>() {
        let hints = config.hint().into_iter().collect();
        return Explained { what: config.to_string(), hints, logged: false };
    }
    Explained { what: format!("{error:#}"), hints: Vec::new(), logged: false }
}

const CHAT_ONLY: &str = "OPENAI_BASE_URL speaks OpenAI's Responses protocol, which many servers lack. For one that knows \
    only Chat Completions, `tata models example` prints an entry for models.yaml.";

/// What helps. The provider's own words appear only where the person can act on them.
pub(crate) fn model_hints(error: &ModelError) -> Vec<String> {
    let hint = match error.kind {
        ModelErrorKind::NotConfigured => {
            let rest = "`tata models` shows every model and what it still needs.".to_owned();
            return error.detail.iter().cloned().chain([rest]).collect();
        }
        ModelErrorKind::InvalidRequest => {
            return error.message.iter().map(|message| format!("The provider says: {message}")).collect();
        }
        ModelErrorKind::Unauthorized => {
            "Check the key: `tata models` shows where each provider's comes from."
        }
        ModelErrorKind::Forbidden => "The account behind the key lacks access; another model may work.",
        ModelErrorKind::ModelNotFound => {
            "`tata models` lists the known ones; a local server must have the model installed."
        }
        ModelErrorKind::QuotaExhausted => {
            "Add credit with the provider, or choose another model with --model."
        }
        ModelErrorKind::Unreachable => {
            "Check the network, the proxy and the address: `tata models` shows it."
        }
        ModelErrorKind::UnreadableResponse => {
            let address =
                "Check the provider's address (`tata models` shows it); most end in /v1.".to_owned();
            // Who answers with "no such page" may be the right server, asked in a protocol that it lacks.
            let lacks = matches!(error.status, Some(404 | 405 | 501)).then(|| CHAT_ONLY.to_owned());
            return std::iter::once(address).chain(lacks).collect();
        }
        ModelErrorKind::ContextTooLong => "Shorten the text, or choose a model with a larger context.",
        ModelErrorKind::TimedOut(tata_core::Phase::FirstByte | tata_core::Phase::Connect) => {
            "Try again, or allow more time with --timeout."
        }
        ModelErrorKind::TimedOut(tata_core::Phase::Idle) => {
            "Try again, or raise `idle` under [timeouts] in tata.toml."
        }
        ModelErrorKind::TimedOut(tata_core::Phase::Total) => {
            "Try again, or raise `total` under [timeouts] in tata.toml."
        }
        ModelErrorKind::ContentBlocked
        | ModelErrorKind::PolicyViolation
        | ModelErrorKind::RateLimited
        | ModelErrorKind::Overloaded
        | ModelErrorKind::Server
        | ModelErrorKind::StreamTruncated
        | ModelErrorKind::EventTooLarge => "",
    };
    let wait = error.retry_after.filter(|wait| wait.as_secs() > 0);
    let wait = wait.map(|wait| format!("The provider asks to wait {} s.", wait.as_secs()));
    std::iter::once(hint.to_owned()).filter(|hint| !hint.is_empty()).chain(wait).collect()
}

/// The one shape of an error in JSON.
pub(crate) fn error_object(error: &anyhow::Error) -> Value {
    let kind = match Exit::of(error) {
        Exit::Usage => "usage",
        Exit::Configuration => "configuration",
        Exit::NotFound => "not_found",
        Exit::Done
        | Exit::Failed
        | Exit::Unauthorized
        | Exit::Model
        | Exit::RateLimited
        | Exit::NeedsDecision
        | Exit::NoAnswer
        | Exit::Interrupted => "failed",
    };
    shape(kind, &explain(error), error.downcast_ref())
}

/// The same for a turn that failed; nothing for one that did not.
pub(crate) fn turn_failure(report: &TurnReport) -> Option<Value> {
    let kind = match &report.outcome {
        TurnOutcome::Ended { end: end @ TurnEnd::Failed { .. } } => end.as_str(),
        TurnOutcome::Broken { error } => error,
        TurnOutcome::Ended { .. } | TurnOutcome::Waiting => return None,
    };
    let failure = report.failure.as_deref();
    let hints = failure.map(model_hints).unwrap_or_default();
    let what = report.error.clone().unwrap_or_default();
    Some(shape(kind, &Explained { what, hints, logged: true }, failure))
}

fn shape(kind: &str, explained: &Explained, model: Option<&ModelError>) -> Value {
    json!({
        "kind": model.map_or(kind, |model| model.kind.as_str()),
        "message": explained.what,
        "hints": explained.hints,
        "status": model.and_then(|model| model.status),
        "code": model.and_then(|model| model.code.clone()),
        "provider_message": model.and_then(|model| model.message.clone()),
        "retry_after_seconds": model.and_then(|model| model.retry_after).map(|wait| wait.as_secs_f64()),
        "request_id": model.and_then(|model| model.request_id.clone()),
    })
}
