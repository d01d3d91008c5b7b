//! One classifier for every error: HTTP bodies and errors inside a stream, of every provider.

use std::time::Duration;

use serde_json::Value;
use tata_core::{ModelError, ModelErrorKind};

/// The longest provider message we keep.
const MESSAGE_LIMIT: usize = 2_000;

const QUOTA: [&str; 11] = [
    "insufficient_quota",
    "credit_balance_exhausted",
    "organization_spend_limit_exceeded",
    "project_spend_limit_exceeded",
    "organization_usage_limit_exceeded",
    "billing_error",
    "billing_hard_limit_reached",
    "billing_not_active",
    "enforced_spend_limit_reached",
    "payment_required",
    "usage_not_included",
];
const CONTEXT: [&str; 4] = [
    "context_length_exceeded",
    "request_too_large",
    "model_context_window_exceeded",
    "exceed_context_size_error",
];
const FILTER: [&str; 3] = ["content_filter", "content_policy_violation", "responsibleaipolicyviolation"];
const POLICY: [&str; 4] = ["invalid_prompt", "bio_policy", "cyber_policy", "misalignment_policy_violation"];
const OVERLOADED: [&str; 3] = ["server_is_overloaded", "overloaded_error", "overloaded"];
const RATE: [&str; 5] =
    ["rate_limit_exceeded", "rate_limit_error", "slow_down", "too_many_requests", "requests_limit_exceeded"];
const AUTH: [&str; 3] = ["authentication_error", "invalid_api_key", "invalid_authentication"];
const FORBIDDEN: [&str; 2] = ["permission_error", "permission_denied"];
const NOT_FOUND: [&str; 3] = ["model_not_found", "not_found_error", "deploymentnotfound"];
const SERVER: [&str; 8] = [
    "server_error",
    "api_error",
    "timeout_error",
    "internal_server_error",
    "internal_error",
    "internalservererror",
    "conflict_error",
    "gatewaytimeout",
];
const INVALID: [&str; 5] = [
    "invalid_request_error",
    "data_residency_mismatch",
    "unsupported_value",
    "unsupported_parameter",
    "badrequesterror",
];

/// Reads an error object in any of the shapes in use and names it.
pub(crate) fn from_value(status: Option<u16>, body: &Value) -> ModelError {
    let inner = match body.get("error") {
        Some(Value::Null) | None => body,
        Some(inner) => inner,
    };
    let text = |value: &Value| match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => None,
    };
    let field = |name: &str| inner.get(name).and_then(text);
    let detail_code = inner.pointer("/details/error_code").and_then(text);
    let mut error = ModelError::new(ModelErrorKind::Server);
    error.status = status;
    error.code = field("code").or(detail_code);
    error.error_type = field("type").filter(|kind| kind != "error");
    error.param = field("param");
    error.message = field("message").or_else(|| text(inner)).or_else(|| field("detail")).map(|message| {
        let end = message.char_indices().nth(MESSAGE_LIMIT).map_or(message.len(), |(at, _)| at);
        message[..end].to_owned()
    });
    error.request_id = body.get("request_id").and_then(text);
    error.kind = kind_of(&error, body);
    if error.kind == ModelErrorKind::RateLimited {
        error.retry_after = error.message.as_deref().and_then(wait_hint);
    }
    error
}

/// Branches on the codes, then on the status; on the message only for overlong prompts, where compatible
/// servers say it in no other way.
fn kind_of(error: &ModelError, body: &Value) -> ModelErrorKind {
    let names =
        [&error.code, &error.error_type].map(|name| name.as_deref().unwrap_or("").to_ascii_lowercase());
    let is_one_of = |list: &[&str]| names.iter().any(|name| list.contains(&name.as_str()));
    let status = error.status.filter(|status| *status >= 400).or_else(|| {
        // Gateways put the status into the code of an error inside a 200 stream.
        names.iter().find_map(|name| name.parse().ok()).filter(|status| (400..600).contains(status))
    });
    let by_code = [
        (&QUOTA[..], ModelErrorKind::QuotaExhausted),
        (&CONTEXT, ModelErrorKind::ContextTooLong),
        (&FILTER, ModelErrorKind::ContentBlocked),
        (&POLICY, ModelErrorKind::PolicyViolation),
        (&OVERLOADED, ModelErrorKind::Overloaded),
        (&RATE, ModelErrorKind::RateLimited),
        (&AUTH, ModelErrorKind::Unauthorized),
        (&FORBIDDEN, ModelErrorKind::Forbidden),
        (&NOT_FOUND, ModelErrorKind::ModelNotFound),
        (&SERVER, ModelErrorKind::Server),
    ];
    // A gateway may call its own 404 an "api_error": a status that blames the request beats a code that blames the
    // server.
    let blames_request =
        status.is_some_and(|status| matches!(status, 400..=407 | 410..=499) && status != 429);
    let found = by_code.into_iter().find(|(list, _)| is_one_of(list)).map(|(_, kind)| kind);
    // What says no more than "later" may hide that there is no later.
    let vague = |kind: &ModelErrorKind| {
        matches!(kind, ModelErrorKind::RateLimited | ModelErrorKind::Server | ModelErrorKind::Overloaded)
    };
    if found.as_ref().is_none_or(vague) && out_of_credit(body) {
        return ModelErrorKind::QuotaExhausted;
    }
    if let Some(kind) = found.filter(|kind| !(blames_request && *kind == ModelErrorKind::Server)) {
        return kind;
    }
    if status == Some(400) && names_no_model(error) {
        return ModelErrorKind::ModelNotFound;
    }
    match status {
        Some(402) => ModelErrorKind::QuotaExhausted,
        Some(413) => ModelErrorKind::ContextTooLong,
        Some(429) => ModelErrorKind::RateLimited,
        Some(401) => ModelErrorKind::Unauthorized,
        Some(403) => ModelErrorKind::Forbidden,
        Some(404) if names_a_model(error) => ModelErrorKind::ModelNotFound,
        Some(404) => ModelErrorKind::UnreadableResponse,
        Some(503 | 529) => ModelErrorKind::Overloaded,
        Some(408 | 409 | 500..) => ModelErrorKind::Server,
        Some(_) | None if too_long(error) => ModelErrorKind::ContextTooLong,
        Some(_) => ModelErrorKind::InvalidRequest,
        None if is_one_of(&INVALID) || names.iter().any(|name| name.contains("image")) => {
            ModelErrorKind::InvalidRequest
        }
        None => ModelErrorKind::Server,
    }
}

/// A 404 that speaks of a model is about the model; any other is about the address.
fn names_a_model(error: &ModelError) -> bool {
    let says = |text: &Option<String>| {
        text.as_deref().is_some_and(|text| text.to_ascii_lowercase().contains("model"))
    };
    says(&error.message) || says(&error.param) || says(&error.code)
}

/// LiteLLM refuses a model that it does not have with a 400 and says so in words alone.
fn names_no_model(error: &ModelError) -> bool {
    error.message.as_deref().is_some_and(|message| message.contains("Invalid model name passed in model="))
}

/// Used-up credit in words only: one provider reports it as a bad request, and gateways wrap what the provider behind them
/// said into a message or a list of their own. Whoever names a time to come back has only a limit for now.
fn out_of_credit(body: &Value) -> bool {
    const SIGNS: [&str; 6] = [
        "credit balance is too low",
        "insufficient_quota",
        "exceeded your current quota",
        "budget has been exceeded",
        "budget_exceeded",
        "insufficient credits",
    ];
    const LATER: [&str; 3] = ["try again in ", "retry in ", "retrydelay"];
    let words = body.to_string().to_ascii_lowercase();
    let says = |signs: &[&str]| signs.iter().any(|sign| words.contains(sign));
    says(&SIGNS) && !says(&LATER)
}

fn too_long(error: &ModelError) -> bool {
    let message = error.message.as_deref().unwrap_or("").to_ascii_lowercase();
    ["prompt is too long", "maximum context length", "context window", "context size", "maximum model length"]
        .iter()
        .any(|sign| message.contains(sign))
}

/// "try again in 1.898s", "… in 20ms", "… in 6m0s", as rate-limit messages say it.
pub(crate) fn wait_hint(message: &str) -> Option<Duration> {
    let (_, rest) = message.split_once("try again in ")?;
    let hint: String =
        rest.chars().take_while(|c| c.is_ascii_digit() || matches!(c, '.' | 'm' | 's' | 'h')).collect();
    parse_duration(hint.trim_end_matches('.'))
}

/// Durations as the providers write them: `1s`, `6m0s`, `12ms`, `1.5s`.
pub(crate) fn parse_duration(text: &str) -> Option<Duration> {
    let mut seconds = 0.0_f64;
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !(c.is_ascii_digit() || c == '.'))?;
        let (number, after) = rest.split_at(digits);
        let number: f64 = number.parse().ok()?;
        let (unit, after) = [("ms", 0.001), ("h", 3600.0), ("m", 60.0), ("s", 1.0)]
            .into_iter()
            .find_map(|(name, factor)| after.strip_prefix(name).map(|after| (factor, after)))?;
        seconds += number * unit;
        rest = after;
    }
    (!text.is_empty()).then(|| Duration::try_from_secs_f64(seconds).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[expect(clippy::needless_pass_by_value, reason = "a table reads better without borrows")]
    fn check(status: Option<u16>, body: Value, expected: ModelErrorKind) {
        assert_eq!(from_value(status, &body).kind, expected, "{status:?} {body}");
    }

    #[test]
    fn every_case_of_the_table_is_named() {
        use ModelErrorKind as K;
        check(Some(401), json!({"error":{"code":"invalid_api_key"}}), K::Unauthorized);
        check(Some(403), json!({"type":"error","error":{"type":"permission_error"}}), K::Forbidden);
        check(Some(404), json!({"error":{"code":"model_not_found"}}), K::ModelNotFound);
        check(
            Some(400),
            json!({"error":{"code":"unsupported_value","param":"temperature"}}),
            K::InvalidRequest,
        );
        check(Some(400), json!({"error":{"code":"context_length_exceeded"}}), K::ContextTooLong);
        check(
            Some(400),
            json!({"error":{"type":"invalid_request_error","message":"prompt is too long: 9"}}),
            K::ContextTooLong,
        );
        check(Some(413), json!({"error":{"type":"request_too_large"}}), K::ContextTooLong);
        check(Some(400), json!({"error":{"code":"content_filter"}}), K::ContentBlocked);
        check(Some(429), json!({"error":{"type":"insufficient_quota"}}), K::QuotaExhausted);
        check(
            Some(429),
            json!({"error":{"type":"rate_limit_error","details":{"error_code":"enforced_spend_limit_reached"}}}),
            K::QuotaExhausted,
        );
        check(Some(402), json!({"error":{"code":402,"message":"pay"}}), K::QuotaExhausted);
        check(Some(429), json!({"error":{"code":"rate_limit_exceeded"}}), K::RateLimited);
        check(Some(503), json!({"error":{"code":"slow_down"}}), K::RateLimited);
        check(
            Some(404),
            json!({"error":{"type":"api_error","message":"model \"x\" not found"}}),
            K::ModelNotFound,
        );
        check(
            Some(400),
            json!({"error":{"code":"400","message":"/responses: Invalid model name passed in model=x. Call `/v1/models`"}}),
            K::ModelNotFound,
        );
        check(Some(404), json!({"detail":"Not Found"}), K::UnreadableResponse);
        check(
            Some(400),
            json!({"error":{"type":"invalid_request_error","message":"Your credit balance is too low"}}),
            K::QuotaExhausted,
        );
        check(Some(409), json!({}), K::Server);
        check(Some(500), json!({"error":{"type":"api_error"}}), K::Server);
        check(Some(529), json!({"error":{"type":"overloaded_error"}}), K::Overloaded);
        check(Some(503), json!("busy"), K::Overloaded);
        check(None, json!({"code":"cyber_policy"}), K::PolicyViolation);
        check(None, json!({"error":"model crashed"}), K::Server);
        check(None, json!({"error":{"code":429}}), K::RateLimited);
    }

    #[test]
    fn quota_inside_a_429_of_a_gateway_is_quota() {
        use ModelErrorKind as K;
        let wrapped = "litellm.RateLimitError: RateLimitError: OpenAIException - {\"error\": {\"message\": \"You \
                       exceeded your current quota, please check your plan\", \"type\": \"insufficient_quota\"}}";
        for body in [
            json!({"error": {"message": wrapped, "type": "throttling_error", "param": null, "code": "429"}}),
            json!({"error": {"message": wrapped, "type": "rate_limit_error", "code": 429}}),
            json!({"error": {"message": "Budget has been exceeded! Current cost: 10.2, Max budget: 10.0", "code": "429"}}),
            json!({"error": {"message": "ExceededBudget", "type": "budget_exceeded", "code": "429"}}),
            json!({"error": {"message": "AnthropicException - Your credit balance is too low to access", "code": "429"}}),
            json!({"error": {"message": "Provider returned error", "code": 429,
                "metadata": {"raw": "{\"error\":{\"code\":\"insufficient_quota\"}}"}}}),
        ] {
            check(Some(429), body.clone(), K::QuotaExhausted);
            check(None, body, K::QuotaExhausted);
        }
        // A limit for now, in nearly the same words.
        let minute = "You exceeded your current quota, please check your plan. Please retry in 34.07s.";
        check(Some(429), json!({"error": {"message": minute, "code": 429}}), K::RateLimited);
        check(
            Some(401),
            json!({"error": {"code": "invalid_api_key", "message": "insufficient_quota"}}),
            K::Unauthorized,
        );
    }

    #[test]
    fn quota_is_never_retried_even_when_a_server_says_so() {
        let mut error = from_value(Some(429), &json!({"error":{"code":"insufficient_quota"}}));
        error.retry_advice = Some(true);
        assert!(!error.retryable());
    }

    #[test]
    fn durations_of_all_spellings() {
        let ms = |text| parse_duration(text).map(|d| d.as_millis());
        assert_eq!(ms("1s"), Some(1000));
        assert_eq!(ms("6m0s"), Some(360_000));
        assert_eq!(ms("12ms"), Some(12));
        assert_eq!(ms("1h1m1.5s"), Some(3_661_500));
        assert_eq!((ms(""), ms("soon"), ms("5")), (None, None, None));
        assert_eq!(wait_hint("Please try again in 1.898s.").map(|d| d.as_millis()), Some(1898));
        assert_eq!(wait_hint("Please try again in 20ms. Visit"), Some(Duration::from_millis(20)));
        assert_eq!(wait_hint("Please try again later"), None);
    }
}
