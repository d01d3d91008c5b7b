//! Where people sign in to a server for many, and out again. It is the one page for people who are not known yet.

use askama::Template;
use axum::{
    extract::{Form, FromRequestParts},
    http::{
        HeaderMap, HeaderValue, StatusCode,
        header::{ACCEPT_LANGUAGE, SET_COOKIE},
        request::Parts,
    },
    response::Response,
};
use serde::Deserialize;

use super::{
    assets,
    ui::{LANGUAGE, cookie, see, send},
    words::Lang,
};
use crate::{
    Problem, access,
    api::access::{end_browser, sign_in_as},
    state::App,
};

/// The words of this page. It is read before anything is known of the reader but the language of their browser.
struct Texts {
    title: &'static str,
    name: &'static str,
    password: &'static str,
    button: &'static str,
    help: &'static str,
    wrong: &'static str,
    wait: &'static str,
}

fn texts(lang: Lang) -> Texts {
    match lang.code() {
        "sv" => Texts {
            title: "Logga in",
            name: "Namn eller e-postadress",
            password: "Lösenord",
            button: "Logga in",
            help: "Har du inget konto eller glömt lösenordet? Fråga den som sköter Tata hos er.",
            wrong: "Namnet eller lösenordet stämmer inte.",
            wait: "För många försök. Vänta en minut och försök igen.",
        },
        "da" => Texts {
            title: "Log ind",
            name: "Navn eller e-mailadresse",
            password: "Adgangskode",
            button: "Log ind",
            help: "Har du ingen konto, eller har du glemt adgangskoden? Spørg den, der passer Tata hos jer.",
            wrong: "Navnet eller adgangskoden er forkert.",
            wait: "For mange forsøg. Vent et minut, og prøv igen.",
        },
        "no" => Texts {
            title: "Logg inn",
            name: "Navn eller e-postadresse",
            password: "Passord",
            button: "Logg inn",
            help: "Har du ingen konto, eller har du glemt passordet? Spør den som tar seg av Tata hos dere.",
            wrong: "Navnet eller passordet stemmer ikke.",
            wait: "For mange forsøk. Vent et minutt og prøv igjen.",
        },
        "de" => Texts {
            title: "Anmelden",
            name: "Name oder E-Mail-Adresse",
            password: "Passwort",
            button: "Anmelden",
            help: "Noch kein Konto, oder das Passwort vergessen? Fragen Sie, wer sich bei Ihnen um Tata kümmert.",
            wrong: "Der Name oder das Passwort stimmt nicht.",
            wait: "Zu viele Versuche. Warten Sie eine Minute und versuchen Sie es noch einmal.",
        },
        _ => Texts {
            title: "Sign in",
            name: "Name or e-mail address",
            password: "Password",
            button: "Sign in",
            help: "No account, or the password forgotten? Ask whoever looks after Tata in your company.",
            wrong: "The name or the password is not right.",
            wait: "Too many tries. Wait a minute and try again.",
        },
    }
}

#[derive(Template)]
#[template(path = "sign_in.html")]
struct Page<'a> {
    lang: &'a str,
    assets: &'static str,
    texts: Texts,
    problem: Option<&'static str>,
    name: String,
}

/// Who reads, as far as the browser says.
pub(crate) struct Reader {
    app: App,
    lang: Lang,
}

impl FromRequestParts<App> for Reader {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        if !app.services.accounts || app.services.pages.is_none() {
            return Err(Problem::not_found("no_such_route", "Nobody need sign in here."));
        }
        let accepted = parts.headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        let chosen = cookie(&parts.headers, LANGUAGE).and_then(Lang::find);
        let lang = chosen.or_else(|| accepted.and_then(Lang::accepted)).unwrap_or_default();
        Ok(Self { app: app.clone(), lang })
    }
}

pub(crate) async fn show(reader: Reader) -> Result<Response, Problem> {
    page(&reader, None, String::new(), StatusCode::OK)
}

/// What somebody typed.
#[derive(Deserialize)]
pub(crate) struct Typed {
    name: String,
    password: String,
}

pub(crate) async fn enter(reader: Reader, Form(typed): Form<Typed>) -> Result<Response, Problem> {
    let texts = texts(reader.lang);
    match sign_in_as(&reader.app, &typed.name, typed.password).await {
        Ok((_, secret)) => Ok(see_with(access::set_cookie(Some(&secret)), "/")),
        Err(problem) if problem.status == StatusCode::TOO_MANY_REQUESTS => {
            page(&reader, Some(texts.wait), typed.name, problem.status)
        }
        Err(problem) if problem.status == StatusCode::UNAUTHORIZED => {
            page(&reader, Some(texts.wrong), typed.name, problem.status)
        }
        Err(problem) => Err(problem),
    }
}

pub(crate) async fn leave(app: App, headers: HeaderMap) -> Result<Response, Problem> {
    end_browser(&app, &headers).await?;
    Ok(see_with(access::set_cookie(None), "/sign-in"))
}

/// Sends the browser to another page, with a cookie.
fn see_with(cookie: Option<HeaderValue>, place: &'static str) -> Response {
    let mut response = see(place);
    if let Some(cookie) = cookie {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
    response
}

fn page(
    reader: &Reader,
    problem: Option<&'static str>,
    name: String,
    status: StatusCode,
) -> Result<Response, Problem> {
    let page =
        Page { lang: reader.lang.code(), assets: assets::folder(), texts: texts(reader.lang), problem, name };
    send(&page, &uuid::Uuid::new_v4().simple().to_string(), status)
}
