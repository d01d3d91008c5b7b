//! A request with a key is served once: who sends it again gets the same answer.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use axum::{
    Json,
    body::{Body, to_bytes},
    extract::Request,
    http::{
        HeaderMap, HeaderName, HeaderValue, Method, StatusCode,
        header::{CONTENT_TYPE, ETAG, LOCATION},
    },
    middleware::Next,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use sha2::{Digest, Sha256};
use tata_core::SessionId;
use tokio::time::Instant;

use crate::{Problem, api::Report, events, input, state::App};

const KEY: &str = "idempotency-key";
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// How long an answer is kept.
const KEPT_FOR: Duration = Duration::from_hours(24);
/// How many are kept, and how much of each.
const MOST_KEPT: usize = 2_000;
const LARGEST_KEPT: usize = 64 * 1024;

/// Marks the answer to a request that started a turn: who asks again follows that turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StartedTurn {
    pub(crate) session: SessionId,
    pub(crate) turn: u32,
}

/// The keys of this process. Another replica does not know them.
#[derive(Default)]
pub(crate) struct Keys {
    kept: Mutex<HashMap<String, Kept>>,
}

struct Kept {
    digest: [u8; 32],
    at: Instant,
    answer: Option<Answer>,
}

#[derive(Clone)]
enum Answer {
    Whole {
        status: StatusCode,
        headers: HeaderMap,
        body: Bytes,
    },
    /// A turn whose events are followed anew.
    Stream(StartedTurn),
    /// A turn whose report is read anew.
    Report(StartedTurn),
    /// Done, but too large to be kept.
    Large,
}

/// Serves a request, or gives the answer that one with the same key got.
pub(crate) async fn once(app: &App, request: Request, next: Next) -> Response {
    match keyed(app, request, next).await {
        Ok(response) => response,
        Err(problem) => problem.into_response(),
    }
}

async fn keyed(app: &App, request: Request, next: Next) -> Result<Response, Problem> {
    let Some(key) = input::header(request.headers(), KEY)?.filter(|_| *request.method() == Method::POST)
    else {
        return Ok(next.run(request).await);
    };
    if key.is_empty() || key.len() > 255 {
        return Err(Problem::bad(
            "invalid_idempotency_key",
            "Idempotency-Key must have 1 to 255 characters.",
        ));
    }
    let (person, path) = (&app.services.person.name, request.uri().path());
    let key = format!("{person}\n{path}\n{key}");
    let (parts, body) = request.into_parts();
    let bytes = input::read(body, app.options.largest_body).await?;
    let digest: [u8; 32] = Sha256::digest(&bytes).into();
    if let Some(answer) = app.keys.enter(&key, digest)? {
        return replay(app, answer).await;
    }
    // It goes on to its end although the caller may leave: the key must know what came of it.
    let (entered, request) =
        (Entered { keys: Arc::clone(&app.keys), key }, Request::from_parts(parts, Body::from(bytes)));
    let served = tokio::spawn(async move {
        let response = next.run(request).await;
        entered.keep(response).await
    });
    served.await.map_err(|error| Problem::internal(&error))
}

async fn replay(app: &App, answer: Answer) -> Result<Response, Problem> {
    let mut response = match answer {
        Answer::Whole { status, headers, body } => (status, headers, body).into_response(),
        Answer::Stream(StartedTurn { session, turn }) => events::of_turn(app, session, turn, None).await?,
        Answer::Report(StartedTurn { session, turn }) => {
            let found = app.services.host.report(session, turn).await?;
            let gone =
                || Problem::not_found("turn_not_found", "The turn of this request is no longer there.");
            Json(Report::from(&found.ok_or_else(gone)?)).into_response()
        }
        Answer::Large => {
            let detail = "This request was served already; its answer was too large to be kept.";
            return Err(Problem::new(StatusCode::CONFLICT, "already_served", detail));
        }
    };
    response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    Ok(response)
}

impl Keys {
    /// Takes a key, or brings the answer it already has.
    fn enter(&self, key: &str, digest: [u8; 32]) -> Result<Option<Answer>, Problem> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if let Some(known) = kept.get(key).filter(|known| now - known.at < KEPT_FOR) {
            if known.digest != digest {
                let detail =
                    "This Idempotency-Key was used for another request. Use a new key for a new request.";
                return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "idempotency_key_reused", detail));
            }
            let Some(answer) = &known.answer else {
                let detail = "The first request with this Idempotency-Key is still being served.";
                let problem = Problem::new(StatusCode::CONFLICT, "idempotency_key_in_use", detail);
                return Err(Problem { retry_after: Some(1), ..problem });
            };
            return Ok(Some(answer.clone()));
        }
        if kept.len() >= MOST_KEPT {
            kept.retain(|_, one| now - one.at < KEPT_FOR);
        }
        if kept.len() >= MOST_KEPT {
            let oldest = kept.iter().filter(|(_, one)| one.answer.is_some()).min_by_key(|(_, one)| one.at);
            if let Some(oldest) = oldest.map(|(key, _)| key.clone()) {
                kept.remove(&oldest);
            }
        }
        kept.insert(key.to_owned(), Kept { digest, at: now, answer: None });
        Ok(None)
    }

    fn settle(&self, key: &str, answer: Answer) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(one) = kept.get_mut(key) {
            one.answer = Some(answer);
        }
    }
}

/// A request that is being served under a key. One that breaks down leaves the key free.
struct Entered {
    keys: Arc<Keys>,
    key: String,
}

impl Entered {
    async fn keep(self, response: Response) -> Response {
        let status = response.status();
        // What may go better the next time is not kept.
        if status.is_server_error() || matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::CONFLICT)
        {
            return response;
        }
        if response.extensions().get::<Problem>().is_some() {
            return response;
        }
        let kind =
            response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let started = response.extensions().get::<StartedTurn>().copied();
        if kind.starts_with("text/event-stream") {
            // One that does not say what it is about cannot be repeated; its key is free again.
            if let Some(started) = started {
                self.keys.settle(&self.key, Answer::Stream(started));
            }
            return response;
        }
        let (parts, body) = response.into_parts();
        let Ok(body) = to_bytes(body, usize::MAX).await else {
            return StatusCode::INTERNAL_SERVER_ERROR.into_response();
        };
        let answer = if body.len() <= LARGEST_KEPT {
            let wanted = [CONTENT_TYPE, ETAG, LOCATION];
            let headers =
                wanted.iter().filter_map(|name| Some((name.clone(), parts.headers.get(name)?.clone())));
            Answer::Whole { status, headers: headers.collect(), body: body.clone() }
        } else {
            started.map_or(Answer::Large, Answer::Report)
        };
        self.keys.settle(&self.key, answer);
        Response::from_parts(parts, Body::from(body))
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        let mut kept = self.keys.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.get(&self.key).is_some_and(|one| one.answer.is_none()) {
            kept.remove(&self.key);
        }
    }
}
