//! Finding what was said.

use axum::Json;
use serde::{Deserialize, Serialize};
use tata_core::{Entry, SessionFilter};
use utoipa::{IntoParams, ToSchema};

use super::{messages::alternating, rows};
use crate::{Problem, error::ProblemDocument, input::Asked, state::App};

/// The sessions with such words that are looked through, the last used first. More would make one question as dear as many.
const MOST_SESSIONS: u32 = 500;

/// The characters shown on each side of what was found.
const AROUND: usize = 80;

/// What to look for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Wanted {
    /// Words, all of which a message must contain, letter case aside; 2 to 200 characters.
    q: String,
    /// How many hits at most, up to 200.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u32>,
}

/// A message that contains what was looked for.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Hit {
    pub(crate) session_id: String,
    pub(crate) title: Option<String>,
    pub(crate) turn_number: u32,
    role: &'static str,
    /// The message around the first word.
    pub(crate) excerpt: String,
}

/// What was found.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Found {
    hits: Vec<Hit>,
    /// How many sessions were looked through.
    sessions: usize,
    /// There are older sessions that were not.
    more: bool,
}

/// Looks through what was said in the caller's sessions.
#[utoipa::path(get, path = "/api/v1/search", tag = "messages", params(Wanted),
    responses((status = 200, body = Found), (status = 422, body = ProblemDocument)))]
pub(crate) async fn search(app: App, Asked(wanted): Asked<Wanted>) -> Result<Json<Found>, Problem> {
    let most = rows(wanted.limit)?;
    let length = wanted.q.trim().chars().count();
    if !(2..=200).contains(&length) {
        return Err(Problem::invalid("q", format!("q has {length} characters; it must have 2 to 200.")));
    }
    let (hits, sessions, more) = hits(&app, &wanted.q, most).await?;
    Ok(Json(Found { hits, sessions, more }))
}

/// Messages that contain all words, how many sessions were looked through, and whether there are others.
pub(crate) async fn hits(app: &App, q: &str, most: usize) -> Result<(Vec<Hit>, usize, bool), Problem> {
    let words: Vec<String> = q.split_whitespace().map(str::to_lowercase).collect();
    let filter =
        SessionFilter { mentions: words.clone(), limit: Some(MOST_SESSIONS + 1), ..SessionFilter::default() };
    let mut all = app.desk().list(filter).await?.sessions;
    let more = all.len() > MOST_SESSIONS as usize;
    all.truncate(MOST_SESSIONS as usize);
    let (sessions, mut hits) = (all.len(), Vec::new());
    for session in all {
        let records = app.services.store.records(session.id, 0).await?;
        let by_hand = |turn: u32| {
            let ran = |entry: &Entry| matches!(entry, Entry::ModelReply { turn: of, by_person: true, .. } if *of == turn);
            records.iter().any(|record| ran(&record.entry))
        };
        for message in alternating(&records) {
            let Some(excerpt) = excerpt(&message.content, &words) else { continue };
            // What answers a call made by hand only says that it ran.
            if message.role == "assistant" && by_hand(message.turn_number) {
                continue;
            }
            let (session_id, title) = (session.id.to_string(), session.title.clone());
            let (turn_number, role) = (message.turn_number, message.role);
            hits.push(Hit { session_id, title, turn_number, role, excerpt });
        }
        if hits.len() >= most {
            hits.truncate(most);
            break;
        }
    }
    Ok((hits, sessions, more))
}

/// The text around the first word, if all words are in it.
fn excerpt(text: &str, words: &[String]) -> Option<String> {
    let folded = text.to_lowercase();
    if !words.iter().all(|word| folded.contains(word.as_str())) {
        return None;
    }
    let at = folded.find(words.first()?.as_str())?;
    let before = folded.get(..at)?.chars().count();
    // Letters whose lower case is longer move the place a little; it is an excerpt, not a citation.
    let from = before.saturating_sub(AROUND);
    let part: String = text.chars().skip(from).take(2 * AROUND + 40).collect();
    Some(part.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::excerpt;

    #[test]
    fn all_words_count_and_the_first_is_shown() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(
            excerpt("Ein  Ärger\nmit Köln", &words("ärger köln")).as_deref(),
            Some("Ein Ärger mit Köln")
        );
        assert_eq!(excerpt("Ein Ärger", &words("ärger köln")), None);
        let long = format!("{} needle {}", "x ".repeat(500), "y ".repeat(500));
        assert!(
            excerpt(&long, &words("needle")).is_some_and(|part| part.contains("needle") && part.len() < 250)
        );
    }
}
