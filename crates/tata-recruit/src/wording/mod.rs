//! How a statement from notes stands in a text that others read.
//!
//! What can be mended without a change of meaning is mended: shorthand with one reading, the verb of a task, a case
//! that only the torn sentence explains. What cannot is named, so that the recruiter can write it.

pub(crate) mod author;
mod english;
mod german;
mod nordic;
mod place;
mod qualities;
pub(crate) mod shorthand;
mod title;
mod torn;

pub(crate) use place::{is_known as is_known_place, name as place_name};
pub(crate) use title::in_sentence as title_in_sentence;

use crate::{Item, Language, Sources, capitals::capitalized};

/// What became of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// It can stand as it is.
    Fine,
    /// As it stands in a list.
    Restored(String),
    /// Only the one who wrote it knows how it should read.
    Doubtful,
}

/// Whether a must-have, which stands word for word wherever it is shown, should be written anew by somebody first.
pub(crate) fn reads_like_notes(item: &Item, sources: &Sources, language: Language) -> bool {
    !shorthand::find(&item.text, language).is_empty() || is_torn(item, sources, language)
}

/// Whether only the one who wrote a statement knows how it should read.
pub(crate) fn is_torn(item: &Item, sources: &Sources, language: Language) -> bool {
    torn::is_torn(&item.text, language) || german_quality(item, sources, language) != Form::Fine
}

/// What becomes of a statement of a field, in a text of this language.
pub(crate) fn form_of(field: &str, item: &Item, sources: &Sources, language: Language) -> Form {
    if let Some(text) = in_ad_words(field, &item.text, language) {
        let shorter = Item { text, ..item.clone() };
        return match form_of(field, &shorter, sources, language) {
            Form::Fine => Form::Restored(shorter.text),
            other @ (Form::Restored(_) | Form::Doubtful) => other,
        };
    }
    let restored = match field {
        _ if torn::is_torn(&item.text, language) => return Form::Doubtful,
        "primary_responsibilities" if language == Language::De => return german::task(&item.text),
        "primary_responsibilities" => nordic::task(&item.text, language),
        "soft_skills" if language == Language::En => english::quality(&item.text),
        "soft_skills" if language != Language::De => nordic::quality(&item.text, language),
        "performance_measures" if language == Language::En => english::measure(&item.text),
        "motivations" | "challenges" => None,
        _ => return german_quality(item, sources, language),
    };
    restored.map_or(Form::Fine, Form::Restored)
}

/// A statement as an ad says it, where that surely means the same.
fn in_ad_words(field: &str, text: &str, language: Language) -> Option<String> {
    match field {
        "motivations" => author::addressed(text, language),
        "soft_skills" if language == Language::De => author::german_quality(text),
        "soft_skills" | "good_to_haves" => author::without_lead(text, language),
        "primary_responsibilities" => {
            let german = || text.strip_prefix("Die Person ").filter(|_| language == Language::De);
            author::without_lead(text, language).or_else(|| german().map(capitalized))
        }
        _ => None,
    }
}

/// Tasks in one form, in a language in which one task decides about the others.
pub(crate) fn tasks(tasks: &[String], language: Language) -> Option<Vec<String>> {
    (language == Language::En).then(|| english::tasks(tasks))
}

fn german_quality(item: &Item, sources: &Sources, language: Language) -> Form {
    if language != Language::De {
        return Form::Fine;
    }
    let source = sources.get(item.evidence.source).unwrap_or_default();
    let before: String = source.chars().take(item.evidence.start).collect();
    // Only the line it stands in: a point of a list has nothing before it.
    let before = before.rsplit('\n').next().unwrap_or_default();
    german::quality(&item.text, before, item.evidence.quote.starts_with(char::is_lowercase))
}
