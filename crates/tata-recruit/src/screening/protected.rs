//! What an interview must not ask about: protected traits, and what somebody earned before.

use crate::{
    Language, Refusal, Texts,
    skills::{Words, lists::PROTECTED},
};

/// The first word that leads to a topic that is none of the employer's business, after the name that the word lists have
/// for the topic. All five languages are looked through: a recruiter may write in any of them.
fn protected(text: &str) -> Option<(&'static str, String)> {
    let words = Words::of(text);
    Language::ALL.into_iter().find_map(|language| {
        PROTECTED.into_iter().find_map(|(topic, list)| Some((topic, words.find(list, language)?.text)))
    })
}

/// Refuses a text that asks for what is private, and says why.
pub(super) fn check_private(refusal: &mut Refusal, field: &str, text: &str, texts: &Texts) {
    let Some((topic, cue)) = protected(text) else { return };
    let key = if topic == "pay_history" {
        key!("screening.refusal.pay_history")
    } else {
        key!("screening.refusal.protected")
    };
    let topic = texts.get(group!("screening.protected").key(topic));
    refusal.say(field, texts, key, &[("cue", &cue), ("topic", topic)]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Voice;

    #[test]
    fn private_matters_are_recognized_in_five_languages() {
        let check = |text: &str, topic: Option<&str>| {
            assert_eq!(protected(text).map(|(topic, _)| topic), topic, "{text:?}");
        };
        check("Age", Some("age"));
        check("family plans", Some("family"));
        check("What is your current salary?", Some("pay_history"));
        check("What are your salary expectations?", None);
        check("race conditions in distributed systems", None);
        check("health and safety on site", None);
        check("barn och familj", Some("family"));
        check("Hur gammal är du?", Some("age"));
        check("sex års erfarenhet", None);
        check("fackliga förhandlingar", None);
        check("facklig tillhörighet", Some("union"));
        check("Vad tjänar du i dag?", Some("pay_history"));
        check("Hvad er din nuværende løn?", Some("pay_history"));
        check("barselsorlov", Some("pregnancy"));
        check("etnisk baggrund", Some("ethnicity"));
        check("sykefravær", Some("health"));
        check("seksuell legning", Some("orientation"));
        check("Familienplanung", Some("family"));
        check("Religionszugehörigkeit", Some("religion"));
        check("Parteizugehörigkeit", Some("politics"));
        check("ALTER TABLE in SQL", None);
        check("Wie hoch ist Ihr aktuelles Gehalt?", Some("pay_history"));
        check("", None);
    }

    /// Property 38: nothing that Tata asks by itself touches a protected trait or earlier pay.
    #[test]
    fn property_38_no_built_in_question_is_private() {
        for voice in Voice::ALL {
            let texts = Texts::of(voice);
            let own = texts.keys().filter(|key| {
                let part = |name: &str| key.name().starts_with(&format!("screening.{name}"));
                part("questions")
                    || part("motivation")
                    || part("practical")
                    || part("area")
                    || part("closing")
            });
            for key in own {
                let one = texts.get(key).to_owned();
                for text in texts.list(key).iter().chain([&one]) {
                    assert_eq!(protected(text), None, "{}: {}: {text}", voice.name(), key.name());
                }
            }
        }
    }
}
