//! A request with a key is served once: who sends it again gets the same answer.

use axum::{
    Json,
    body::{Body, to_bytes},
    extract::{MatchedPath, Request},
    http::{
        HeaderMap, HeaderName, HeaderValue, Method, StatusCode,
        header::{CONTENT_TYPE, ETAG, LOCATION},
    },
    middleware::Next,
    response::{IntoResponse, Response},
};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tata_core::{RequestKey, SessionId, hash_secret};

use crate::{Problem, access::OPEN, api::Report, events, input, secrets::RoutesWithSecrets, state::App};

const KEY: &str = "idempotency-key";
/// The header by which an answer of the other vendor's API names its session.
const SESSION: HeaderName = HeaderName::from_static("x-tata-session");
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// How long an answer is kept.
const KEPT_FOR: SignedDuration = SignedDuration::from_hours(24);
/// A request that has no answer after this time was given up with the process that served it. No turn takes so long.
const LOST_AFTER: SignedDuration = SignedDuration::from_hours(1);
/// How much of an answer is kept.
const LARGEST_KEPT: usize = 64 * 1024;
/// The headers that belong to an answer.
const HEADERS: [HeaderName; 3] = [CONTENT_TYPE, ETAG, LOCATION];

/// Marks the answer to a request that started a turn: who asks again follows that turn.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct StartedTurn {
    pub(crate) session: SessionId,
    pub(crate) turn: u32,
}

/// What was answered, as the store keeps it: any process can give it again.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Answer {
    Whole {
        status: u16,
        headers: Vec<(String, String)>,
        body: String,
    },
    /// A turn whose events are followed anew.
    Stream(StartedTurn),
    /// A turn whose report is read anew.
    Report(StartedTurn),
    /// What tells of a session is kept with that session, and gone with it.
    Of(SessionId),
    /// Done, but too large to be kept, or no text.
    Large,
    /// Done, and what was taken or given is a secret.
    Secret,
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
    let route = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str).unwrap_or_default();
    let known = request.extensions().get::<RoutesWithSecrets>();
    let keeps_answers = match known.and_then(|known| known.keeps_answers(route)) {
        // Nothing is kept for whoever is not known yet.
        Some(_) if OPEN.contains(&route) => return Ok(next.run(request).await),
        Some(keeps) => keeps,
        None => return Ok(next.run(request).await),
    };
    if key.is_empty() || key.len() > 255 {
        return Err(Problem::bad(
            "invalid_idempotency_key",
            "Idempotency-Key must have 1 to 255 characters.",
        ));
    }
    let (person, path) = (&app.services.person.name, request.uri().path());
    // A client may have sent one of its secrets by mistake.
    let name = format!("{person}\n{path}\n{}", hash_secret(key));
    let session = session_in(path);
    let (parts, body) = request.into_parts();
    let bytes = input::read(body, app.options.largest_body).await?;
    let digest = if keeps_answers {
        Sha256::digest(&bytes).iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
    } else {
        // Whoever reads the digest of a password can try passwords fast.
        String::new()
    };
    if let Some(answer) = enter(app, &name, session, digest.clone()).await? {
        let answer = if let Answer::Of(session) = answer {
            enter(app, &kept_with(&name), Some(session), digest).await?
        } else {
            Some(answer)
        };
        if let Some(answer) = answer {
            return replay(app, answer).await;
        }
        app.services.store.free_key(kept_with(&name)).await?;
        let detail =
            "This request was served already; the conversation that its answer told of was deleted since.";
        return Err(Problem::new(StatusCode::CONFLICT, "already_served", detail));
    }
    // It goes on to its end although the caller may leave: the key must know what came of it.
    let request = Request::from_parts(parts, Body::from(bytes));
    let (served_for, taken) = (app.clone(), name.clone());
    let served = tokio::spawn(async move {
        let (response, answer) = kept(next.run(request).await, keeps_answers).await;
        let told = told_of(&response).filter(|_| session.is_none());
        if let Err(problem) = keep(&served_for, &name, told, digest, answer).await {
            tracing::warn!(why = %problem.detail, "what was answered under a key could not be kept");
        }
        response
    });
    match served.await {
        Ok(response) => Ok(response),
        Err(error) => {
            // It broke down, and leaves the key free.
            app.services.store.free_key(taken).await?;
            Err(Problem::internal(&error))
        }
    }
}

async fn replay(app: &App, answer: Answer) -> Result<Response, Problem> {
    let mut response = match answer {
        Answer::Whole { status, headers, body } => {
            let mut response = (StatusCode::from_u16(status).unwrap_or_default(), body).into_response();
            for (name, value) in headers {
                let name = HeaderName::try_from(name).ok();
                if let Some((name, value)) = name.zip(HeaderValue::try_from(value).ok()) {
                    response.headers_mut().insert(name, value);
                }
            }
            response
        }
        Answer::Stream(StartedTurn { session, turn }) => events::of_turn(app, session, turn, None).await?,
        Answer::Report(StartedTurn { session, turn }) => {
            let found = app.services.host.report(session, turn).await?;
            let gone =
                || Problem::not_found("turn_not_found", "The turn of this request is no longer there.");
            Json(Report::from(&found.ok_or_else(gone)?)).into_response()
        }
        // What is kept with a session is no pointer itself.
        Answer::Of(_) | Answer::Large => {
            let detail = "This request was served already; its answer was too large to be kept.";
            return Err(Problem::new(StatusCode::CONFLICT, "already_served", detail));
        }
        Answer::Secret => {
            let detail = "A request with this Idempotency-Key was served already. What it took or gave is a secret, so \
                nothing of it was kept. Look at what there is now, and use a new key for a new request.";
            return Err(Problem::new(StatusCode::CONFLICT, "already_served", detail));
        }
    };
    response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    Ok(response)
}

/// The name under which the answer itself is kept, where it tells of a session that the path does not name.
fn kept_with(name: &str) -> String {
    format!("{name}\nanswer")
}

/// Keeps an answer, or gives its key back.
async fn keep(
    app: &App,
    name: &str,
    told: Option<SessionId>,
    digest: String,
    answer: Option<Answer>,
) -> Result<(), Problem> {
    let store = &app.services.store;
    let written = |answer: &Answer| serde_json::to_string(answer).map_err(|error| Problem::internal(&error));
    let Some(answer) = answer else { return Ok(store.free_key(name.to_owned()).await?) };
    let Some(session) = told.filter(|_| matches!(answer, Answer::Whole { .. })) else {
        return Ok(store.settle_key(name.to_owned(), written(&answer)?).await?);
    };
    // First what is told, then where it lies. Of a session that is gone meanwhile nothing is kept.
    if enter(app, &kept_with(name), Some(session), digest).await?.is_none() {
        store.settle_key(kept_with(name), written(&answer)?).await?;
    }
    Ok(store.settle_key(name.to_owned(), written(&Answer::Of(session))?).await?)
}

/// The session that an answer tells of.
fn told_of(response: &Response) -> Option<SessionId> {
    let text = |name: &HeaderName| response.headers().get(name).and_then(|value| value.to_str().ok());
    let named = text(&SESSION).and_then(|id| id.parse().ok());
    named.or_else(|| text(&LOCATION).and_then(session_in))
}

/// The session that a path is about.
fn session_in(path: &str) -> Option<SessionId> {
    path.split('/').find_map(|part| part.parse().ok())
}

/// Takes a key, or brings the answer it already has.
async fn enter(
    app: &App,
    name: &str,
    session: Option<SessionId>,
    digest: String,
) -> Result<Option<Answer>, Problem> {
    let now = Timestamp::now();
    let key = RequestKey { name: name.to_owned(), digest: digest.clone(), session, at: now, answer: None };
    let ago = |time: SignedDuration| now.checked_sub(time).unwrap_or(Timestamp::MIN);
    let taken = app.services.store.take_key(key.clone(), ago(KEPT_FOR), ago(LOST_AFTER)).await;
    let known = match taken {
        // A session that is not there is told by its route, in its words.
        Err(tata_core::StoreError::NotFound { .. }) => return Ok(None),
        taken => taken?,
    };
    let Some(known) = known else { return Ok(None) };
    if known.digest != digest {
        let detail = "This Idempotency-Key was used for another request. Use a new key for a new request.";
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "idempotency_key_reused", detail));
    }
    let Some(answer) = known.answer else {
        let detail = "The first request with this Idempotency-Key is still being served.";
        let problem = Problem::new(StatusCode::CONFLICT, "idempotency_key_in_use", detail);
        return Err(Problem { retry_after: Some(1), ..problem });
    };
    serde_json::from_str(&answer).map(Some).map_err(|error| Problem::internal(&error))
}

/// An answer, and what of it is kept. Nothing is kept of what may go better the next time.
async fn kept(response: Response, keeps_answers: bool) -> (Response, Option<Answer>) {
    let status = response.status();
    let passing = status.is_server_error()
        || matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::CONFLICT)
        || response.extensions().get::<Problem>().is_some();
    if passing {
        return (response, None);
    }
    if !keeps_answers {
        return (response, Some(Answer::Secret));
    }
    let text = |headers: &HeaderMap, name: &HeaderName| {
        headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
    };
    let started = response.extensions().get::<StartedTurn>().copied();
    let kind = text(response.headers(), &CONTENT_TYPE).unwrap_or_default();
    if kind.starts_with("text/event-stream") {
        // One that does not say what it is about cannot be repeated; its key is free again.
        return (response, started.map(Answer::Stream));
    }
    let (parts, body) = response.into_parts();
    let Ok(bytes) = to_bytes(body, usize::MAX).await else {
        return (StatusCode::INTERNAL_SERVER_ERROR.into_response(), None);
    };
    let short = std::str::from_utf8(&bytes).ok().filter(|body| body.len() <= LARGEST_KEPT);
    // What a turn came to is read from its journal: it is not written down twice.
    let reported = started.filter(|_| status == StatusCode::OK);
    let answer = match (reported, short) {
        (Some(started), _) => Answer::Report(started),
        (None, Some(body)) => {
            let headers =
                HEADERS.iter().filter_map(|name| Some((name.to_string(), text(&parts.headers, name)?)));
            Answer::Whole { status: status.as_u16(), headers: headers.collect(), body: body.to_owned() }
        }
        (None, None) => Answer::Large,
    };
    (Response::from_parts(parts, Body::from(bytes)), Some(answer))
}
