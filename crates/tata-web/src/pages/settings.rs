//! What somebody likes: the language of the pages and how they look. It stays in their browser.

use askama::Template;
use axum::{Form, http::header::SET_COOKIE, response::Response};
use serde::Deserialize;

use super::{
    ui::{LANGUAGE, Place, Shell, THEME, Theme, Ui, see_with},
    words::{Lang, Words},
};
use crate::{Problem, input::Asked};

#[derive(Template)]
#[template(path = "settings.html")]
struct SettingsPage {
    shell: Shell,
    w: &'static Words,
    languages: Vec<(&'static str, &'static str, bool)>,
    themes: Vec<(&'static str, &'static str, bool)>,
}

/// What was said before.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Which {
    saved: bool,
}

pub(crate) async fn show(ui: Ui, Asked(which): Asked<Which>) -> Result<Response, Problem> {
    let w = ui.words();
    let mut shell = ui.shell(w.settings, Place::Settings, None).await?;
    shell.notice = which.saved.then(|| w.saved.to_owned());
    let themes =
        [(Theme::System, w.theme_system), (Theme::Light, w.theme_light), (Theme::Dark, w.theme_dark)];
    ui.page(&SettingsPage {
        shell,
        w,
        languages: Lang::ALL.map(|lang| (lang.code(), lang.own_name(), lang == ui.lang)).to_vec(),
        themes: themes.map(|(theme, name)| (theme.name(), name, theme == ui.theme)).to_vec(),
    })
}

/// What they like now.
#[derive(Debug, Deserialize)]
pub(crate) struct Liked {
    language: String,
    theme: String,
}

pub(crate) async fn save(Form(liked): Form<Liked>) -> Result<Response, Problem> {
    let unknown = |field: &str| Problem::invalid(field, format!("{field} must be one of those offered."));
    let language = Lang::find(&liked.language).ok_or_else(|| unknown("language"))?;
    let theme = Theme::find(&liked.theme).ok_or_else(|| unknown("theme"))?;
    let mut response = see_with("/settings?saved=true", LANGUAGE, language.code());
    let other = see_with("/", THEME, theme.name());
    if let Some(cookie) = other.headers().get(SET_COOKIE) {
        response.headers_mut().append(SET_COOKIE, cookie.clone());
    }
    Ok(response)
}
