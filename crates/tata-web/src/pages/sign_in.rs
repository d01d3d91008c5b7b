//! Where people sign in to a server for many, and out again. It is the one page for people who are not known yet.

use askama::Template;
use axum::{
    extract::{Form, FromRequestParts, Query},
    http::{
        HeaderMap, HeaderValue, StatusCode,
        header::{ACCEPT_LANGUAGE, HOST, SET_COOKIE},
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
    Oidc, OidcError, Problem,
    access::{
        self,
        oidc::{DOOR_COOKIE, Return, TIME_AT_DIRECTORY},
    },
    api::access::{end_browser, open_browser, sign_in_as},
    peer::Peer,
    state::{App, ServerState},
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
    company: &'static str,
    stray: &'static str,
    away: &'static str,
    not_allowed: &'static str,
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
            company: "Logga in med företagskontot",
            stray: "Inloggningen med företagskontot avbröts eller tog för lång tid. Försök igen.",
            away: "Företagets inloggning svarar inte som den ska. Försök igen om en stund, eller fråga den som sköter Tata hos er.",
            not_allowed: "Företagskontot har inte tillgång till Tata. Fråga den som sköter Tata hos er.",
        },
        "da" => Texts {
            title: "Log ind",
            name: "Navn eller e-mailadresse",
            password: "Adgangskode",
            button: "Log ind",
            help: "Har du ingen konto, eller har du glemt adgangskoden? Spørg den, der passer Tata hos jer.",
            wrong: "Navnet eller adgangskoden er forkert.",
            wait: "For mange forsøg. Vent et minut, og prøv igen.",
            company: "Log ind med virksomhedskontoen",
            stray: "Login med virksomhedskontoen blev afbrudt eller tog for lang tid. Prøv igen.",
            away: "Virksomhedens login svarer ikke, som det skal. Prøv igen om lidt, eller spørg den, der passer Tata hos jer.",
            not_allowed: "Virksomhedskontoen har ikke adgang til Tata. Spørg den, der passer Tata hos jer.",
        },
        "no" => Texts {
            title: "Logg inn",
            name: "Navn eller e-postadresse",
            password: "Passord",
            button: "Logg inn",
            help: "Har du ingen konto, eller har du glemt passordet? Spør den som tar seg av Tata hos dere.",
            wrong: "Navnet eller passordet stemmer ikke.",
            wait: "For mange forsøk. Vent et minutt og prøv igjen.",
            company: "Logg inn med bedriftskontoen",
            stray: "Innloggingen med bedriftskontoen ble avbrutt eller tok for lang tid. Prøv igjen.",
            away: "Bedriftens innlogging svarer ikke som den skal. Prøv igjen om litt, eller spør den som tar seg av Tata hos dere.",
            not_allowed: "Bedriftskontoen har ikke tilgang til Tata. Spør den som tar seg av Tata hos dere.",
        },
        "de" => Texts {
            title: "Anmelden",
            name: "Name oder E-Mail-Adresse",
            password: "Passwort",
            button: "Anmelden",
            help: "Noch kein Konto oder das Passwort vergessen? Wende dich an die Person, die sich bei euch um Tata kümmert.",
            wrong: "Der Name oder das Passwort stimmt nicht.",
            wait: "Zu viele Versuche. Warte eine Minute und versuch es noch einmal.",
            company: "Mit dem Firmenkonto anmelden",
            stray: "Die Anmeldung mit dem Firmenkonto wurde abgebrochen oder hat zu lange gedauert. Versuch es noch einmal.",
            away: "Die Anmeldung deines Unternehmens antwortet nicht wie erwartet. Versuch es später noch einmal, oder wende dich an die Person, die sich bei euch um Tata kümmert.",
            not_allowed: "Das Firmenkonto hat keinen Zugang zu Tata. Wende dich an die Person, die sich bei euch um Tata kümmert.",
        },
        _ => Texts {
            title: "Sign in",
            name: "Name or e-mail address",
            password: "Password",
            button: "Sign in",
            help: "No account, or the password forgotten? Ask whoever looks after Tata in your company.",
            wrong: "The name or the password is not right.",
            wait: "Too many tries. Wait a minute and try again.",
            company: "Sign in with your company account",
            stray: "The sign-in with the company account was broken off or took too long. Try again.",
            away: "The company's sign-in does not answer as it should. Try again later, or ask whoever looks after Tata in your company.",
            not_allowed: "The company account has no access to Tata. Ask whoever looks after Tata in your company.",
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
    /// Whether there is a directory to sign in with.
    company: bool,
}

/// Who reads, as far as the browser says.
pub(crate) struct Reader {
    app: App,
    lang: Lang,
}

impl FromRequestParts<ServerState> for Reader {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, server: &ServerState) -> Result<Self, Problem> {
        if !server.has_accounts() || !server.has_pages() {
            return Err(Problem::not_found("no_such_route", "Nobody need sign in here."));
        }
        let accepted = parts.headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        let chosen = cookie(&parts.headers, LANGUAGE).and_then(Lang::find);
        let lang = chosen.or_else(|| accepted.and_then(Lang::accepted)).unwrap_or_default();
        Ok(Self { app: server.stranger(), lang })
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

pub(crate) async fn enter(reader: Reader, peer: Peer, Form(typed): Form<Typed>) -> Result<Response, Problem> {
    let texts = texts(reader.lang);
    match sign_in_as(&reader.app, peer, &typed.name, typed.password).await {
        Ok((_, secret)) => Ok(see_with([access::set_cookie(Some(&secret))], "/")),
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
    let mut response = see_with([access::set_cookie(None)], "/sign-in");
    access::forget_in_browser(&mut response);
    Ok(response)
}

/// Leaves for the company's directory.
pub(crate) async fn company(reader: Reader, headers: HeaderMap) -> Result<Response, Problem> {
    let oidc = directory(&reader)?;
    match oidc.depart(host(&headers)).await {
        Ok(departure) => {
            let cookie = access::kept_cookie(DOOR_COOKIE, Some(&departure.secret), TIME_AT_DIRECTORY);
            Ok(see_with([cookie], &departure.address))
        }
        Err(error) => refused(&reader, &error),
    }
}

/// Comes back from there.
pub(crate) async fn back(
    reader: Reader,
    headers: HeaderMap,
    Query(back): Query<Return>,
) -> Result<Response, Problem> {
    let oidc = directory(&reader)?;
    let secret = access::cookie_named(&headers, DOOR_COOKIE);
    let app = &reader.app;
    match access::arrive(app, oidc, host(&headers), secret.as_deref(), back).await? {
        Ok(account) => {
            let secret = open_browser(app, &account, "by the company's directory").await?;
            let forgotten = access::kept_cookie(DOOR_COOKIE, None, 0);
            Ok(see_with([access::set_cookie(Some(&secret)), forgotten], "/"))
        }
        Err(error) => refused(&reader, &error),
    }
}

fn directory(reader: &Reader) -> Result<&Oidc, Problem> {
    let missing = || Problem::not_found("no_directory", "Nobody signs in with a company account here.");
    reader.app.services.oidc.as_deref().ok_or_else(missing)
}

fn host(headers: &HeaderMap) -> &str {
    headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default()
}

/// The page again, with what went wrong in plain words. The log has the rest.
fn refused(reader: &Reader, error: &OidcError) -> Result<Response, Problem> {
    tracing::warn!(%error, "nobody was signed in by the directory");
    let texts = texts(reader.lang);
    let (words, status) = match error {
        OidcError::Stray(_) => (texts.stray, StatusCode::UNAUTHORIZED),
        OidcError::NotAllowed(_) => (texts.not_allowed, StatusCode::FORBIDDEN),
        OidcError::Setup(_) | OidcError::Directory(_) | OidcError::Token(_) => {
            (texts.away, StatusCode::BAD_GATEWAY)
        }
    };
    page(reader, Some(words), String::new(), status)
}

/// Sends the browser to another page, with cookies.
fn see_with<const N: usize>(cookies: [Option<HeaderValue>; N], place: &str) -> Response {
    let mut response = see(place);
    for cookie in cookies.into_iter().flatten() {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    response
}

fn page(
    reader: &Reader,
    problem: Option<&'static str>,
    name: String,
    status: StatusCode,
) -> Result<Response, Problem> {
    let page = Page {
        lang: reader.lang.code(),
        assets: assets::folder(),
        texts: texts(reader.lang),
        problem,
        name,
        company: reader.app.services.oidc.is_some(),
    };
    send(&page, &uuid::Uuid::new_v4().simple().to_string(), status)
}
