//! What sort of skill a requirement is, and how to ask about it.

use std::collections::BTreeSet;

use tata_language::{identify::identify, named};

use super::{Requirement, SkillType};
use crate::{
    GermanForm, Language, Texts, Voice,
    cues::List,
    skills::{FoundCue, Words, lists},
};

/// A tool is asked about as such only where nothing else is said than that somebody knows it.
const TOOL_WORDS: usize = 12;

named! {
    /// A requirement that has questions of its own within its sort.
    pub(super) enum Special {
        Clearance = "clearance",
        WorkPermit = "work_permit",
        Driving = "driving",
        Tool = "tool",
        /// The language that the interview is held in.
        OwnLanguage = "own_language",
        /// Something to know: a law, a method, a market.
        Knowledge = "knowledge",
        /// So many years in a job or a field.
        Years = "years",
    }
}

/// The lists of what is no experience, in the order in which they are asked.
const FORMAL: [(Requirement, Option<Special>, List); 6] = [
    (Requirement::Credential, Some(Special::Clearance), lists::CLEARANCE),
    (Requirement::Credential, Some(Special::WorkPermit), lists::WORK_PERMIT),
    (Requirement::Credential, Some(Special::Driving), lists::DRIVING),
    (Requirement::Credential, None, lists::CREDENTIAL),
    (Requirement::Education, None, lists::EDUCATION),
    (Requirement::Availability, None, lists::AVAILABILITY),
];

/// What a requirement was taken for, with the words that decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Class {
    pub(super) skill_type: SkillType,
    pub(super) type_cue: Option<String>,
    pub(super) requirement: Requirement,
    pub(super) requirement_cue: Option<String>,
    /// More than one language is named: nobody is asked about "the language".
    pub(super) several_languages: bool,
    pub(super) special: Option<Special>,
}

impl Class {
    /// What a requirement is; technical before leadership, else functional. A good-to-have is always one.
    pub(super) fn of(skill: &str, must_have: bool, content: Option<Language>) -> Self {
        let words = Words::of(skill);
        let languages = languages(skill, content);
        let first = |list: List| words.first(list, &languages);
        let sorts = [(SkillType::Technical, lists::TECHNICAL), (SkillType::Leadership, lists::LEADERSHIP)];
        let sort = sorts.into_iter().find_map(|(sort, list)| Some((sort, Some(first(list)?.text))));
        let sort = sort.unwrap_or((SkillType::Functional, None));
        let (skill_type, type_cue) = if must_have { sort } else { (SkillType::GoodToHave, None) };
        let language = languages.iter().find_map(|language| spoken(*language, &words));
        let language = language.map(|hit| (Requirement::Language, None, hit));
        // "Experience of ISO certification" is experience; "a degree or similar experience" is a degree.
        let experience = first(lists::EXPERIENCE).map_or(usize::MAX, |hit| hit.at);
        let formal = FORMAL.into_iter().find_map(|(requirement, special, list)| {
            Some((requirement, special, first(list).filter(|hit| hit.at < experience)?))
        });
        let tool = skill_type != SkillType::Leadership && words.count() <= TOOL_WORDS;
        let functional = skill_type == SkillType::Functional;
        let special = [
            (Special::Tool, lists::TOOLS, tool),
            (Special::Knowledge, lists::KNOWLEDGE, functional),
            (Special::Years, lists::YEARS, functional),
        ];
        let special = special.into_iter().find_map(|(special, list, fits)| {
            Some((Requirement::Experience, Some(special), first(list).filter(|_| fits)?))
        });
        let (requirement, special, requirement_cue) = match language.or(formal).or(special) {
            Some((requirement, special, hit)) => (requirement, special, Some(hit.text)),
            None => (Requirement::Experience, None, None),
        };
        let names = languages.iter().flat_map(|language| words.all(lists::LANGUAGE_NAMES, *language));
        let names: BTreeSet<String> = names.map(|hit| hit.text.to_lowercase()).collect();
        let several_languages = names.len() > 1;
        Self { skill_type, type_cue, requirement, requirement_cue, several_languages, special }
    }

    /// The same for an interview in this language: nobody proposes to speak the language that is being spoken.
    pub(super) fn held_in(mut self, spoken: Language, content: Option<Language>) -> Self {
        let voice = Voice::new(content.unwrap_or(spoken), GermanForm::Sie);
        let name = Texts::of(voice).language_name(spoken).to_lowercase();
        let start: String = name.chars().take(5).collect();
        let cue = self.requirement_cue.as_deref().unwrap_or_default().to_lowercase();
        if self.requirement == Requirement::Language && !start.is_empty() && cue.starts_with(&start) {
            self.special = Some(Special::OwnLanguage);
        }
        self
    }

    /// The reason in words.
    pub(super) fn reason(&self, texts: &Texts) -> String {
        let cue = self.type_cue.as_deref().unwrap_or_default();
        let reason = texts.say(group!("screening.reason").key(self.skill_type.name()), &[("cue", cue)]);
        self.with_requirement(&reason, texts)
    }

    /// A reason, and what else decided how to ask.
    pub(super) fn with_requirement(&self, reason: &str, texts: &Texts) -> String {
        let Some(cue) = &self.requirement_cue else { return reason.to_owned() };
        let name = self.special.map_or(self.requirement.name(), Special::name);
        let key = group!("screening.reason").key(name);
        texts.say(key, &[("reason", reason), ("cue", cue)])
    }

    /// The name of the questions and of the scale that fit. What is only welcome is never asked about as a requirement.
    pub(super) fn style(&self) -> &'static str {
        if self.skill_type == SkillType::GoodToHave {
            return match self.requirement {
                Requirement::Experience => self.skill_type.name(),
                Requirement::Language => "welcome_language",
                Requirement::Credential | Requirement::Education | Requirement::Availability => {
                    "welcome_formal"
                }
            };
        }
        match self.special {
            _ if self.requirement == Requirement::Language && self.several_languages => "languages",
            Some(special) => special.name(),
            None if self.requirement == Requirement::Experience => self.skill_type.name(),
            None => self.requirement.name(),
        }
    }
}

/// Whose word lists to look into: the language the requirement is in, and English, which stands in all of them.
fn languages(skill: &str, content: Option<Language>) -> Vec<Language> {
    match content.or_else(|| identify(skill).map(|guess| guess.language)) {
        Some(Language::En) => vec![Language::En],
        Some(language) => vec![language, Language::En],
        None => Language::ALL.to_vec(),
    }
}

/// The name of a language, if it is about speaking it: "fluent Swedish", "Swedish and English", not "Swedish law".
fn spoken(language: Language, words: &Words<'_>) -> Option<FoundCue> {
    let names = words.all(lists::LANGUAGE_NAMES, language);
    let only = names.len() + words.all(lists::LANGUAGE_JOINING, language).len() == words.count();
    // "Swedish labor law" is about the country; "Swedish, to talk to customers" is about the language.
    let others = words.all(lists::LANGUAGE_OTHER, language);
    let country =
        |name: &FoundCue| others.iter().any(|other| (1..=2).contains(&other.at.saturating_sub(name.at)));
    let signs = || words.find(lists::LANGUAGE_SIGNS, language).is_some();
    let meant = only || (signs() && !names.iter().any(country));
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
        check("Schulung und Beratung", De, Functional, Experience);
    }

    #[test]
    fn requirements_as_people_write_them() {
        use Language::{Da, De, En, No, Sv};
        use Requirement::{Availability, Credential, Education, Experience, Language as Spoken};
        let check = |skill: &str, language: Language, requirement: Requirement| {
            let class = Class::of(skill, true, Some(language));
            assert_eq!(class.requirement, requirement, "{skill:?}: {class:?}");
            // The words that decided are recorded, and stand in the reason.
            let texts = Texts::of(Voice::new(language, GermanForm::Sie));
            let named = class.requirement_cue.as_deref().map(|cue| class.reason(texts).contains(cue));
            assert!(named.unwrap_or(requirement == Experience), "{skill:?}: {class:?}");
        };
        check("Högskoleutbildning inom geodata, lantmäteri eller motsvarande", Sv, Education);
        check("Gymnasieexamen", Sv, Education);
        check("en ekonomisk eller teknisk högskoleexamen på minst tre år", Sv, Education);
        check("jur. kand.", Sv, Education);
        check("kan hålla utbildningar inför folk", Sv, Experience);
        check("Kunna delta i möten på svenska", Sv, Spoken);
        check("bra svenska i telefon", Sv, Spoken);
        check("Engelska på en nivå så att man klarar revisorns frågor", Sv, Spoken);
        check("läsa o skriva eng dokumentation", Sv, Spoken);
        check("Van att förhandla ramavtal på engelska", Sv, Experience);
        check("Kan LOU eller LUF", Sv, Experience);
        check("ren bakgrundskontroll", Sv, Credential);
        check("truckkort A och B", Sv, Credential);
        check("svensk medborgare → säkerhetsprövning, placerad i säkerhetsklass", Sv, Credential);
        check("kunna arbeta vissa kvällar och helger", Sv, Availability);
        check("obekväm tid, skift", Sv, Availability);
        check("läsa elscheman utan hjälp", Sv, Experience);
        check("kontoruddannelse med speciale i økonomi", Da, Education);
        check("cand.merc.aud. eller cand.merc. i regnskab", Da, Education);
        check("Arbejdsmiljøkoordinator-uddannelse (bygge og anlæg)", Da, Education);
        check("kunne engelsk på et niveau, hvor man kan hjælpe kunder i telefonen", Da, Spoken);
        check("kan facilitere på engelsk", Da, Spoken);
        check("kan tale og skrive dansk", Da, Spoken);
        check("kan læse engelsk leverandørdokumentation uden besvær", Da, Spoken);
        check("kølemontørcertifikat (kategori I)", Da, Credential);
        check("psm I el csm", Da, Credential);
        check("ren straffeattest", Da, Credential);
        check("kan tage tilkald om natten", Da, Availability);
        check("kan arbejde på skiftende tidspunkter, også nat", Da, Availability);
        check("kan arbejde, når deadlines ligger skævt", Da, Availability);
        check("Kan gennemføre undersøgelser af ulykker", Da, Experience);
        check("norsk el. svensk/dansk + grei engelsk", No, Spoken);
        check("kan skrive feilfritt norsk", No, Spoken);
        check("kunne norsk godt nok til å møte grunneiere", No, Spoken);
        check("høyere utdanning på minst bachelornivå", No, Education);
        check("kjøre bil", No, Credential);
        check("kunne sikkerhetsklareres", No, Credential);
        check("ren politiattest", No, Credential);
        check("må kunne jobbe kveldsvakt annenhver uke", No, Availability);
        check("oppvakt og nysgjerrig", No, Experience);
        check("kan kravene til universell utforming (WCAG 2.1)", No, Experience);
        check("abgeschlossene kaufmännische Lehre", De, Education);
        check("Technikerausbildung in dieser Richtung", De, Education);
        check("Erfahrung mit dem Jahresabschluss", De, Experience);
        check("Sicherheit beim Jahresabschluss", De, Experience);
        check("diplomatisches Geschick", De, Experience);
        check("gutes Deutsch am Telefon", De, Spoken);
        check("Deutsch auf C1", De, Spoken);
        check("Stilsicheres Deutsch, auch in Schriftsätzen", De, Spoken);
        check("einwandfreies Führungszeugnis", De, Credential);
        check("Ausbildereignungsschein (AEVO)", De, Credential);
        check("Auto fahren", De, Credential);
        check("Dienstreisen nach Frankfurt", De, Availability);
        check("kann nachts zu Störungen ausrücken", De, Availability);
        check("an HNC in electrical or mechanical engineering", En, Education);
        check("can run meetings in Swedish", En, Spoken);
        check("clear spoken english", En, Spoken);
        check("a clean criminal record", En, Credential);
        check("passing a background check", En, Credential);
        check("able to drive a car", En, Credential);
        check("experience of authentication and authorization", En, Experience);
        check("able to work one Saturday in four", En, Availability);
        check("can take call-outs at night", En, Availability);
        check("able to advise the German subsidiaries", En, Experience);
        check("current knowledge of HMRC rules on travel and subsistence", En, Experience);
        check("nogle ord på tysk", Da, Spoken);
        check("litt svensk", No, Spoken);
        check("litt svensk bakgrunn", No, Experience);
    }

    #[test]
    fn several_languages_are_asked_about_as_several() {
        let check = |skill: &str, language: Language, style: &str| {
            assert_eq!(Class::of(skill, true, Some(language)).style(), style, "{skill:?}");
        };
        check("Verhandlungssicheres Deutsch, gutes Englisch", Language::De, "languages");
        check("dt. B2 mind., Unterweisungen nur dt.", Language::De, "language");
        check("fluent Swedish, spoken and written", Language::En, "language");
        check("Swedish and English", Language::En, "languages");
        check("norsk el. svensk/dansk + grei engelsk", Language::No, "languages");
        check("flydende dansk og engelsk", Language::Da, "languages");
        check("god svenska och engelska", Language::Sv, "languages");
    }

    #[test]
    fn facts_are_asked_for_as_facts() {
        use Language::{Da, De, En, No, Sv};
        let check = |language: Language, skill: &str, style: &str| {
            let class = Class::of(skill, true, Some(language)).held_in(language, Some(language));
            assert_eq!(class.style(), style, "{skill:?}: {class:?}");
            let texts = Texts::of(Voice::new(language, GermanForm::Du));
            let cue = class.requirement_cue.clone().unwrap_or_default();
            assert!(class.reason(texts).contains(&cue), "{skill:?}");
            assert!(group!("screening.anchors").find(format_args!("{style}.one")).is_some(), "{style}");
        };
        check(En, "SC clearance or eligible for it", "clearance");
        check(En, "passing a background check", "clearance");
        check(En, "Right to work in the UK, no sponsorship", "work_permit");
        check(En, "Full UK driving licence", "driving");
        check(En, "SAP S/4HANA", "tool");
        check(En, "Confident user of Excel (lookups, pivots)", "tool");
        check(En, "Fluent English, spoken and written", "own_language");
        check(En, "Fluent Swedish", "language");
        check(Sv, "Ren bakgrundskontroll", "clearance");
        check(Sv, "Giltigt arbetstillstånd", "work_permit");
        check(Sv, "B-körkort", "driving");
        check(Sv, "Excel på avancerad nivå", "tool");
        check(Sv, "Svenska i tal och skrift", "own_language");
        check(Sv, "God engelska", "language");
        check(Da, "Ren straffeattest", "clearance");
        check(Da, "Gyldig arbejdstilladelse", "work_permit");
        check(Da, "Kørekort til almindelig bil", "driving");
        check(Da, "Rutineret bruger af Excel", "tool");
        check(Da, "Kan tale og skrive dansk", "own_language");
        check(No, "Må kunne sikkerhetsklareres", "clearance");
        check(No, "Gyldig arbeidstillatelse", "work_permit");
        check(No, "Førerkort klasse B", "driving");
        check(No, "God kjennskap til Excel", "tool");
        check(No, "Godt norsk muntlig og skriftlig", "own_language");
        check(De, "einwandfreies Führungszeugnis", "clearance");
        check(De, "gültige Arbeitserlaubnis", "work_permit");
        check(De, "Ein Führerschein der Klasse B", "driving");
        check(De, "Sicherer Umgang mit SAP CO", "tool");
        check(De, "DATEV-Kenntnisse", "tool");
        check(De, "Gutes Deutsch am Telefon", "own_language");
        // Experience of something stays experience.
        check(En, "Experience of leading the roll-out of SAP in eight countries at once", "technical");
        assert_eq!(Class::of("B-körkort", false, Some(Sv)).style(), "welcome_formal");
        assert_eq!(Class::of("Excel", false, Some(En)).style(), "good_to_have");
    }

    #[test]
    fn readers_stumbled_over_these() {
        use Language::{De, En};
        use Requirement::{Availability, Credential, Experience};
        use SkillType::{Functional, Leadership, Technical};
        let check = |skill: &str, language: Language, skill_type: SkillType, requirement: Requirement| {
            let class = Class::of(skill, true, Some(language));
            assert_eq!(
                (class.skill_type, class.requirement),
                (skill_type, requirement),
                "{skill}: {class:?}"
            );
        };
        check("Drei bis fünf Jahre Erfahrung im technischen Einkauf", De, Functional, Experience);
        check("ein Team aus Bauleitern schon geführt", De, Leadership, Experience);
        check("hat ein Team geführt", De, Leadership, Experience);
        check("Verhandlungen mit Betriebsräten geführt", De, Functional, Experience);
        check("Geprüfter Bilanzbuchhalter oder vergleichbare Qualifikation", De, Functional, Credential);
        check("Dienstreisen nach Frankfurt", De, Functional, Availability);
        check("sicherer Umgang mit Revit", De, Technical, Experience);
        check("networking basics, CCNA lvl", En, Technical, Experience);
        check("CCNA certificate", En, Technical, Credential);
        check("3+ yrs Spark in production (pyspark fine)", En, Technical, Experience);
        check("Led a contact centre team of 10 or more", En, Leadership, Experience);
        check("a qualified solicitor in England & Wales", En, Functional, Credential);
        check("CIPD level 7 or equivalent experience", En, Functional, Credential);
        check("can get to Leeds twice a week", En, Functional, Availability);
    }

    #[test]
    fn what_is_welcome_is_never_required() {
        let class = Class::of("Kubernetes", false, None);
        assert_eq!((class.skill_type, class.requirement), (SkillType::GoodToHave, Requirement::Experience));
    }

    /// The lists of `tests/requirements`: at least nineteen of twenty are asked about as their writers would.
    #[test]
    fn requirements_of_all_trades_are_asked_about_as_they_should() {
        macro_rules! lists {
            ($($language:ident $code:literal)*) => {
                [$((Language::$language, include_str!(concat!("../../tests/requirements/", $code, ".txt")))),*]
            };
        }
        for (language, list) in lists!(En "en" Sv "sv" Da "da" No "no" De "de") {
            let lines: Vec<(&str, &str)> = list.lines().filter_map(|line| line.rsplit_once(" | ")).collect();
            assert!(lines.len() >= 200, "{language:?}");
            let wrong: Vec<(&str, &str)> = lines
                .iter()
                .map(|(skill, wanted)| (*skill, *wanted, Class::of(skill, true, Some(language)).style()))
                .filter(|(_, wanted, style)| !wanted.split('/').any(|wanted| wanted == *style))
                .map(|(skill, _, style)| (skill, style))
                .collect();
            assert!(
                wrong.len() * 20 <= lines.len(),
                "{language:?}: {} of {}: {wrong:#?}",
                wrong.len(),
                lines.len()
            );
        }
    }

    #[test]
    fn the_reason_names_the_cue() {
        let texts = Texts::of(Voice::En);
        let reason = Class::of("Python for network automation", true, Some(Language::En)).reason(texts);
        assert!(reason.contains("“Python”"), "{reason}");
    }
}
