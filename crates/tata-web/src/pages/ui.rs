//! What every page needs: who reads it and in which language, and how it is sent.

use std::sync::Arc;

use askama::Template;
use axum::{
    extract::FromRequestParts,
    http::{
        HeaderMap, HeaderValue, StatusCode,
        header::{
            ACCEPT, ACCEPT_LANGUAGE, CONTENT_SECURITY_POLICY, CONTENT_TYPE, COOKIE, LOCATION,
            REFERRER_POLICY, SET_COOKIE,
        },
        request::Parts,
    },
    response::{IntoResponse, Response},
};
use tata_core::{AccountRole, Session, SessionFilter, SessionId};

use super::{
    assets, day, hidden,
    services::Pages,
    words::{Lang, Words},
};
use crate::{
    Problem,
    state::{App, ServerState},
};

/// The cookies of the pages: they hold what somebody likes, nothing secret.
pub(crate) const LANGUAGE: &str = "tata_language";
pub(crate) const THEME: &str = "tata_theme";
pub(crate) const PINS: &str = "tata_pins";

/// The projects in the list at the side.
const MOST_RECENT: u32 = 30;
/// A cookie has little room.
pub(crate) const MOST_PINS: usize = 40;

/// Light, dark, or as the system is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

impl Theme {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    pub(crate) fn find(name: &str) -> Option<Self> {
        [Self::System, Self::Light, Self::Dark].into_iter().find(|theme| theme.name() == name)
    }
}

/// Which entry of the menu a page belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    New,
    Project,
    Projects,
    Documents,
    Knowledge,
    Models,
    Settings,
    Account,
    Admin,
}

/// Who reads, and how they like it.
pub(crate) struct Ui {
    pub(crate) app: App,
    pub(crate) pages: Arc<Pages>,
    pub(crate) lang: Lang,
    pub(crate) theme: Theme,
    pub(crate) pins: Vec<SessionId>,
    /// A script asks: for a part of a page, or for what it can read.
    pub(crate) by_script: bool,
    nonce: String,
}

impl FromRequestParts<ServerState> for Ui {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, server: &ServerState) -> Result<Self, Problem> {
        let app = App::from_request_parts(parts, server).await?;
        let Some(pages) = app.services.pages.clone() else {
            return Err(Problem::not_found("no_such_route", "This server has no pages."));
        };
        let headers = &parts.headers;
        let accepted =
            headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).and_then(Lang::accepted);
        let accepts = headers.get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let pins = cookie(headers, PINS).unwrap_or_default();
        Ok(Self {
            app,
            pages,
            lang: cookie(headers, LANGUAGE).and_then(Lang::find).or(accepted).unwrap_or_default(),
            theme: cookie(headers, THEME).and_then(Theme::find).unwrap_or_default(),
            pins: pins.split('.').filter_map(|id| id.parse().ok()).take(MOST_PINS).collect(),
            by_script: accepts.contains("application/json") || headers.contains_key("x-part"),
            nonce: uuid::Uuid::new_v4().simple().to_string(),
        })
    }
}

/// The value of a cookie.
pub(crate) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
}

/// What the frame of every page shows.
pub(crate) struct Shell {
    pub(crate) w: &'static Words,
    pub(crate) lang: Lang,
    pub(crate) theme: Theme,
    pub(crate) title: String,
    pub(crate) place: Place,
    pub(crate) assets: &'static str,
    pub(crate) nonce: String,
    pub(crate) recent: Vec<RecentView>,
    pub(crate) current: Option<SessionId>,
    pub(crate) notice: Option<String>,
    /// The role of whoever is signed in, where people sign in.
    pub(crate) role: Option<AccountRole>,
    /// The id of their account: what a browser keeps for them is kept apart by it.
    pub(crate) person: Option<String>,
}

/// A project in the list at the side.
pub(crate) struct RecentView {
    pub(crate) id: SessionId,
    pub(crate) title: String,
    pub(crate) open: bool,
}

impl Shell {
    pub(crate) fn is(&self, place: Place) -> bool {
        self.place == place
    }

    pub(crate) fn is_admin(&self) -> bool {
        self.role == Some(AccountRole::Admin)
    }

    pub(crate) fn is_current(&self, id: &SessionId) -> bool {
        self.current.as_ref() == Some(id)
    }
}

impl Ui {
    pub(crate) fn words(&self) -> &'static Words {
        self.lang.words()
    }

    /// The frame of a page.
    pub(crate) async fn shell(
        &self,
        title: &str,
        place: Place,
        current: Option<SessionId>,
    ) -> Result<Shell, Problem> {
        let filter = SessionFilter { limit: Some(MOST_RECENT), ..SessionFilter::default() };
        let recent = self.app.desk().list(filter).await?.sessions;
        let view = |session: Session| RecentView {
            id: session.id,
            open: session.open_turn,
            title: self.title_of(&session),
        };
        Ok(Shell { recent: recent.into_iter().map(view).collect(), current, ..self.bare(title, place) })
    }

    /// The frame without what the store knows.
    pub(crate) fn bare(&self, title: &str, place: Place) -> Shell {
        Shell {
            w: self.words(),
            lang: self.lang,
            theme: self.theme,
            title: title.to_owned(),
            place,
            assets: assets::folder(),
            nonce: self.nonce.clone(),
            recent: Vec::new(),
            current: None,
            notice: None,
            role: self.app.account.as_ref().map(|account| account.role),
            person: self.app.account.as_ref().map(|account| account.id.clone()),
        }
    }

    /// What a project is called.
    pub(crate) fn title_of(&self, session: &Session) -> String {
        let title = session.title.as_deref().map(str::trim).filter(|title| !title.is_empty());
        title.unwrap_or(self.words().untitled).chars().take(200).collect()
    }

    pub(crate) fn moment(&self, at: jiff::Timestamp) -> String {
        day::moment(at, &self.pages.zone, self.lang)
    }

    /// A page, with the policy that its nonce belongs to.
    pub(crate) fn page(&self, template: &impl Template) -> Result<Response, Problem> {
        send(template, &self.nonce, StatusCode::OK)
    }

    /// A part of a page, for a script.
    pub(crate) fn part(&self, template: &impl Template) -> Result<Response, Problem> {
        self.page(template)
    }

    /// A page that says what went wrong.
    pub(crate) fn error(&self, problem: &Problem) -> Result<Response, Problem> {
        let shell = self.bare(self.words().error_title, Place::New);
        send(&ErrorPage { shell, detail: &problem.detail }, &self.nonce, problem.status)
    }
}

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage<'a> {
    shell: Shell,
    detail: &'a str,
}

pub(crate) fn send(template: &impl Template, nonce: &str, status: StatusCode) -> Result<Response, Problem> {
    let html = hidden::shown(template.render().map_err(|error| Problem::internal(&error))?);
    // Scripts only with the nonce, HTML from strings only through the one policy, nothing from elsewhere.
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'self'; img-src 'self'; connect-src 'self'; \
         form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types tata"
    );
    let policy = HeaderValue::from_str(&policy).map_err(|error| Problem::internal(&error))?;
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    // Without a referrer a browser does not say either where a form comes from, and the door refuses it.
    let referrer = HeaderValue::from_static("same-origin");
    let headers = [(CONTENT_TYPE, kind), (CONTENT_SECURITY_POLICY, policy), (REFERRER_POLICY, referrer)];
    Ok((status, headers, html).into_response())
}

/// Goes on at another page of ours.
pub(crate) fn see(place: &str) -> Response {
    let place = HeaderValue::from_str(place).unwrap_or(HeaderValue::from_static("/"));
    (StatusCode::SEE_OTHER, [(LOCATION, place)]).into_response()
}

/// The same, and remembers something in the browser.
pub(crate) fn see_with(place: &str, name: &str, value: &str) -> Response {
    let mut response = see(place);
    let cookie = format!("{name}={value}; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly");
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    response
}
