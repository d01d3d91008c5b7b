//! What sort of skill a requirement is, and how to ask about it.

use super::{
    Requirement, SkillType,
    cues::{Cues, Hit, Lexicon, Words},
};
use crate::{Language, Texts, identify};

/// What a requirement was taken for, with the words that decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Class {
    pub(super) skill_type: SkillType,
    pub(super) type_cue: Option<String>,
    pub(super) requirement: Requirement,
    pub(super) requirement_cue: Option<String>,
}

impl Class {
    /// What a requirement is; technical before leadership, else functional. A good-to-have is always one.
    pub(super) fn of(skill: &str, must_have: bool, content: Option<Language>) -> Self {
        let words = Words::of(skill);
        let lexicons = lexicons(skill, content);
        let first = |cues: fn(&Lexicon) -> &Cues| {
            let hits = lexicons.iter().filter_map(|lexicon| cues(lexicon).find(&words));
            hits.min_by_key(|hit| hit.at)
        };
        let (skill_type, type_cue) = if !must_have {
            (SkillType::GoodToHave, None)
        } else if let Some(hit) = first(|lexicon| &lexicon.technical) {
            (SkillType::Technical, Some(hit.text))
        } else if let Some(hit) = first(|lexicon| &lexicon.leadership) {
            (SkillType::Leadership, Some(hit.text))
        } else {
            (SkillType::Functional, None)
        };
        // "Experience of ISO certification" is experience; "a degree or similar experience" is a degree.
        let experience = first(|lexicon| &lexicon.experience).map_or(usize::MAX, |hit| hit.at);
        let before = |hit: Option<Hit>| hit.filter(|hit| hit.at < experience);
        let found = lexicons
            .iter()
            .find_map(|lexicon| spoken(lexicon, &words))
            .map(|hit| (Requirement::Language, hit))
            .or_else(|| Some((Requirement::Credential, before(first(|lexicon| &lexicon.credential))?)))
            .or_else(|| Some((Requirement::Education, before(first(|lexicon| &lexicon.education))?)))
            .or_else(|| Some((Requirement::Availability, before(first(|lexicon| &lexicon.availability))?)));
        let (requirement, requirement_cue) = match found {
            Some((requirement, hit)) => (requirement, Some(hit.text)),
            None => (Requirement::Experience, None),
        };
        Self { skill_type, type_cue, requirement, requirement_cue }
    }

    /// The reason in words.
    pub(super) fn reason(&self, texts: &Texts) -> String {
        let cue = self.type_cue.as_deref().unwrap_or_default();
        let reason = texts.say(&format!("screening.reason.{}", self.skill_type.name()), &[("cue", cue)]);
        self.with_requirement(&reason, texts)
    }

    /// A reason, and what else decided how to ask.
    pub(super) fn with_requirement(&self, reason: &str, texts: &Texts) -> String {
        let Some(cue) = &self.requirement_cue else { return reason.to_owned() };
        let key = format!("screening.reason.{}", self.requirement.name());
        texts.say(&key, &[("reason", reason), ("cue", cue)])
    }

    /// The name of the questions and of the scale that fit. What is only welcome is never asked about as a requirement.
    pub(super) fn style(&self) -> &'static str {
        let welcome = self.skill_type == SkillType::GoodToHave;
        match self.requirement {
            Requirement::Experience => self.skill_type.name(),
            Requirement::Language if welcome => self.skill_type.name(),
            Requirement::Credential | Requirement::Education | Requirement::Availability if welcome => {
                "welcome_formal"
            }
            Requirement::Language
            | Requirement::Credential
            | Requirement::Education
            | Requirement::Availability => self.requirement.name(),
        }
    }
}

/// The word lists to look into: those of the language the requirement is in, and English, which stands in all of them.
fn lexicons(skill: &str, content: Option<Language>) -> Vec<&'static Lexicon> {
    match content.or_else(|| identify(skill).map(|guess| guess.language)) {
        Some(Language::En) => vec![Lexicon::of(Language::En)],
        Some(language) => vec![Lexicon::of(language), Lexicon::of(Language::En)],
        None => Language::ALL.into_iter().map(Lexicon::of).collect(),
    }
}

/// The name of a language, if it is about speaking it: "fluent Swedish", "Swedish and English", not "Swedish law".
fn spoken(lexicon: &Lexicon, words: &Words) -> Option<Hit> {
    let cues = &lexicon.language;
    let names = cues.names.all(words);
    let only = names.len() + cues.joining.all(words).len() == words.count();
    let meant = only || (cues.signs.find(words).is_some() && cues.other.find(words).is_none());
    names.into_iter().next().filter(|_| meant)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skill_is_what_its_words_say() {
        use Language::{Da, De, En, No, Sv};
        use Requirement::{Availability, Credential, Education, Experience, Language as Spoken};
        use SkillType::{Functional, Leadership, Technical};
        let check = |skill: &str, language: Language, skill_type: SkillType, requirement: Requirement| {
            let class = Class::of(skill, true, Some(language));
            assert_eq!(
                (class.skill_type, class.requirement),
                (skill_type, requirement),
                "{skill}: {class:?}"
            );
        };
        check("maintenance and training", En, Functional, Experience);
        check("at least five years' experience of BGP and MPLS", En, Technical, Experience);
        check("experience of leading technicians in the field", En, Leadership, Experience);
        check("fluent Swedish, spoken and written", En, Functional, Spoken);
        check("Swedish", En, Functional, Spoken);
        check("good knowledge of Swedish labor law", En, Functional, Experience);
        check("a valid driving licence, class B", En, Functional, Credential);
        check("a degree in electrical engineering or similar experience", En, Technical, Education);
        check("experience of ISO 27001 certification", En, Technical, Experience);
        check("willing to travel and to be on call", En, Functional, Availability);
        check("permission to work on live electrical equipment", En, Technical, Credential);
        check("experience of recruitment and works councils", En, Functional, Experience);
        check("flytande svenska i tal och skrift", Sv, Functional, Spoken);
        check("giltigt körkort, behörighet B", Sv, Functional, Credential);
        check("erfarenhet av att leda tekniker ute på fältet", Sv, Leadership, Experience);
        check("beredskap var fjärde vecka", Sv, Functional, Availability);
        check("högskoleingenjör inom elkraft eller likvärdig erfarenhet", Sv, Technical, Education);
        check("projektledning enligt PPS eller IPMA", Sv, Functional, Experience);
        check("flydende dansk i skrift og tale", Da, Functional, Spoken);
        check("erfaring med at lede teknikere i marken", Da, Leadership, Experience);
        check("gyldigt kørekort, kategori B", Da, Functional, Credential);
        check("erfaring med offentlige udbud", Da, Functional, Experience);
        check("god engelsk i tale og skrift", No, Functional, Spoken);
        check("gyldig førerkort klasse B", No, Functional, Credential);
        check("hjemmevakt hver fjerde uke", No, Functional, Availability);
        check("FSE-kurs for arbeid på elektriske anlegg", No, Technical, Credential);
        check("fließendes Deutsch in Wort und Schrift", De, Functional, Spoken);
        check("gültiger Führerschein der Klasse B", De, Functional, Credential);
        check("Erfahrung in der Führung von Montageteams", De, Leadership, Experience);
        check("Bereitschaft zu Rufbereitschaft", De, Functional, Availability);
        check("C# und .NET", De, Technical, Experience);
        check("Schulung und Wartung", De, Functional, Experience);
    }

    #[test]
    fn what_is_welcome_is_never_required() {
        let class = Class::of("Kubernetes", false, None);
        assert_eq!((class.skill_type, class.requirement), (SkillType::GoodToHave, Requirement::Experience));
    }

    #[test]
    fn the_reason_names_the_cue() {
        let texts = Texts::of(crate::Voice::En);
        let reason = Class::of("Python for network automation", true, Some(Language::En)).reason(texts);
        assert!(reason.contains("“Python”"), "{reason}");
    }
}
