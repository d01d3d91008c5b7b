//! Styles and scripts: part of the program, under a name that changes whenever they do.

use std::sync::LazyLock;

use axum::{
    extract::Path,
    http::header::{CACHE_CONTROL, CONTENT_TYPE},
    response::{IntoResponse, Response},
};
use sha2::{Digest, Sha256};

use crate::Problem;

const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";

macro_rules! asset {
    ($name:literal, $kind:expr) => {
        ($name, $kind, include_str!(concat!("../../assets/", $name)))
    };
}

const ASSETS: [(&str, &str, &str); 12] = [
    asset!("base.css", CSS),
    asset!("chat.css", CSS),
    asset!("panel.css", CSS),
    asset!("icon.svg", "image/svg+xml"),
    asset!("page.js", JS),
    asset!("trusted.js", JS),
    asset!("chat.js", JS),
    asset!("answer.js", JS),
    asset!("stream.js", JS),
    asset!("files.js", JS),
    asset!("panel.js", JS),
    asset!("sorting.js", JS),
];

/// The folder of all of them: modules that name each other by file stay together.
pub(crate) fn folder() -> &'static str {
    static FOLDER: LazyLock<String> = LazyLock::new(|| {
        let mut digest = Sha256::new();
        for (name, _, text) in ASSETS {
            digest.update(name);
            digest.update([0]);
            digest.update(text);
            digest.update([0]);
        }
        let start = digest.finalize().iter().take(8).fold(0_u64, |mark, byte| (mark << 8) | u64::from(*byte));
        format!("/assets/{start:016x}")
    });
    &FOLDER
}

pub(crate) async fn asset(Path((hash, name)): Path<(String, String)>) -> Result<Response, Problem> {
    let current = folder().ends_with(&hash);
    let found = ASSETS.iter().find(|(known, ..)| *known == name).filter(|_| current);
    let Some((_, kind, text)) = found else {
        return Err(Problem::not_found("no_such_route", "There is no such file; load the page again."));
    };
    let headers = [(CONTENT_TYPE, *kind), (CACHE_CONTROL, "public, max-age=31536000, immutable")];
    Ok((headers, *text).into_response())
}
