//! Whether a text for candidates may be published: not while the inclusion review calls something in it high.

use tata_language::{
    book::{Category, Severity},
    review::{Reading, TitleForm, places},
};

use super::shown::shown;
use crate::{Language, Texts};

/// The most places that are named.
const NAMED: usize = 5;

/// Says that texts are not ready to publish, and which words keep them from it; nothing if they may go out.
pub(crate) fn not_ready<'a>(
    checked: impl IntoIterator<Item = (Language, &'a str)>,
    texts: &Texts,
) -> Option<String> {
    let mut found: Vec<(String, Category)> = Vec::new();
    for (language, text) in checked {
        let reading = Reading::new(text, language);
        for place in places(&reading, TitleForm::default()) {
            let one = (shown(reading.cut(place.start, place.end)), place.category);
            if place.severity >= Severity::High && !found.contains(&one) {
                found.push(one);
            }
        }
    }
    if found.is_empty() {
        return None;
    }
    let named = found.iter().take(NAMED).map(|(text, category)| {
        texts.say(key!("review.ready.item"), &[("text", text), ("category", texts.category(*category))])
    });
    let named: Vec<String> = named.collect();
    Some(texts.say(key!("review.ready.not_ready"), &[("items", &named.join(", "))]))
}
