//! Who speaks to whom in the notes: a hiring manager to a recruiter, of somebody who will get the job.
//!
//! In an ad "you" is the applicant and nobody says "I". A line in the manager's own voice ("first you, then me") would say
//! something else there than it did in the notes, so it is never printed: the recruiter words it. Only what surely means
//! the same is changed here: words that lead to the point are left out, and "they get" is "you get".

use tata_phrases::whole_words;

use crate::{
    Language,
    capitals::capitalized,
    lists::{
        TORN_AUTHOR, TORN_CANDIDATE, TORN_CHATTER, TORN_CLAUSES, TORN_LEADS, TORN_RECRUITER, TORN_TERMS,
    },
};

/// The most words between two terms of a contract that still belong to one phrase: "full time, 37 hours".
const NEAR: usize = 3;

/// Whether the author of the notes speaks of themselves, or to a colleague.
pub(crate) fn is_authors(text: &str, language: Language) -> bool {
    let words = words(text);
    let chatter =
        words.first().is_some_and(|first| TORN_CHATTER[language as usize].contains(&first.as_str()));
    let own = words.iter().enumerate().any(|(at, word)| {
        TORN_AUTHOR[language as usize].contains(&word.as_str())
            && !is_short_for_at_least(&words, at)
            && !is_numeral(&words, at)
    });
    own || chatter && text.contains(',')
}

/// Whether a step of the recruitment, or a term, is told to the recruiter: "you call first, then they meet the team".
pub(crate) fn is_to_recruiter(text: &str, language: Language) -> bool {
    let at = language as usize;
    let words = words(text);
    let polite = language == Language::De
        && text.split(|letter: char| !letter.is_alphabetic()).any(|word| matches!(word, "Sie" | "Ihnen"));
    let told = |word: &String| {
        TORN_RECRUITER[at].contains(&word.as_str()) || TORN_CANDIDATE[at].contains(&word.as_str())
    };
    // "Så træffer de teamet": after a verb it is who comes to the interview.
    let they = words.windows(2).any(|pair| {
        let [verb, word] = pair else { return false };
        match language {
            Language::Sv | Language::Da | Language::No => word == "de" && verb.ends_with('r'),
            Language::De => word == "sie" && verb.ends_with('n'),
            Language::En => false,
        }
    });
    polite || they || is_authors(text, language) || words.iter().any(told)
}

/// Whether a line speaks of whoever gets the job as of somebody else.
pub(crate) fn is_about_candidate(text: &str, language: Language) -> bool {
    let at = language as usize;
    let lower = format!(" {} ", text.to_lowercase());
    let first = words(text).into_iter().next().unwrap_or_default();
    TORN_CANDIDATE[at].contains(&first.as_str())
        || TORN_CLAUSES[at].iter().any(|clause| whole_words(&lower, clause).next().is_some())
}

/// A line without the words that only lead to the point: "The job is to plan networks" is "Plan networks".
pub(super) fn without_lead(text: &str, language: Language) -> Option<String> {
    let lower = text.to_lowercase();
    // Lower case must not move the bytes.
    if lower.len() != text.len() {
        return None;
    }
    let fits = |lead: &&&str| lower.strip_prefix(**lead).is_some_and(|rest| rest.starts_with(' '));
    let lead = TORN_LEADS[language as usize].iter().filter(fits).max_by_key(|lead| lead.len())?;
    let rest = text.get(lead.len()..)?.trim().trim_end_matches('.');
    (!rest.is_empty()).then(|| capitalized(rest))
}

/// A German line about "die Person" as a quality: "Die Person soll gründlich sein" is "Gründlich".
pub(super) fn german_quality(text: &str) -> Option<String> {
    let rest = ["Die Person soll ", "Die Person sollte ", "Die Person muss "]
        .into_iter()
        .find_map(|lead| text.strip_prefix(lead))?;
    let rest = rest.trim_end_matches('.').strip_suffix(" sein")?;
    Some(capitalized(rest))
}

/// A reason in the words of an ad: "They get to build" is "You get to build", and so is "Man får bygga".
pub(crate) fn addressed(text: &str, language: Language) -> Option<String> {
    let words = words(text);
    let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(&word.as_str()));
    match language {
        Language::En => {
            // "They pay well" may be the company; who gets something is the applicant.
            let rest = text.strip_prefix("They ")?;
            let gets =
                ["get ", "get to ", "will get ", "would get "].iter().any(|verb| rest.starts_with(verb));
            let others = words.iter().skip(1).any(|word| matches!(word.as_str(), "they" | "them" | "their"));
            (gets && !others && !has(&["you", "your"])).then(|| format!("You {rest}"))
        }
        Language::Sv | Language::Da | Language::No => {
            text.strip_prefix("Man ")?;
            // What belongs to "man" would have to change with it.
            if has(&["sin", "sitt", "sit", "sina", "sine", "sig", "seg", "ens", "en", "du"]) {
                return None;
            }
            let told = text.split(' ').map(|word| match word {
                "Man" => "Du",
                "man" => "du",
                other => other,
            });
            Some(told.collect::<Vec<_>>().join(" "))
        }
        Language::De => None,
    }
}

/// What a sentence says of the contract, in its own words: "permanent", "tillsvidare, heltid".
pub(crate) fn terms(text: &str, language: Language) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let bare = |word: &str| word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
    let mut found: Vec<String> = Vec::new();
    let mut last: Option<usize> = None;
    for at in 0..words.len() {
        let longest = [2, 1].into_iter().find_map(|count| {
            let name: Vec<String> = words.get(at..at + count)?.iter().map(|word| bare(word)).collect();
            TORN_TERMS[language as usize].contains(&name.join(" ").as_str()).then_some(count)
        });
        let Some(count) = longest else { continue };
        let negated = at.checked_sub(1).and_then(|before| words.get(before)).is_some_and(|before| {
            matches!(
                bare(before).as_str(),
                "not" | "no" | "inte" | "ej" | "ikke" | "nicht" | "kein" | "keine"
            )
        });
        if negated || last.is_some_and(|last| at > last + NEAR) {
            return None;
        }
        let count = count + hours(words.get(at + count..).unwrap_or_default());
        let term = words.get(at..at + count).unwrap_or_default().join(" ");
        let term = term.trim_matches(|letter: char| !letter.is_alphanumeric()).to_owned();
        if !found.iter().any(|known| known.to_lowercase().contains(&term.to_lowercase())) {
            found.push(term);
        }
        last = Some(at + count - 1);
    }
    (!found.is_empty()).then(|| found.join(", "))
}

/// How many of the words behind a term say how much work it is: "mit 38,5 Stunden", "37 timer".
fn hours(words: &[&str]) -> usize {
    let figure = |word: &str| word.starts_with(|letter: char| letter.is_ascii_digit());
    let unit = |word: &str| {
        let word = word.trim_end_matches([',', '.', ';']).to_lowercase();
        matches!(
            word.as_str(),
            "hours" | "timer" | "timmar" | "stunden" | "prosent" | "procent" | "percent" | "%"
        )
    };
    match words {
        [number, measure, ..] if figure(number) && unit(measure) => 2,
        [with, number, measure, ..]
            if matches!(*with, "with" | "mit" | "med" | "på" | "at") && figure(number) && unit(measure) =>
        {
            3
        }
        _ => 0,
    }
}

/// "min 2 års erfarenhet", "30 min": short for "at least", or minutes.
fn is_short_for_at_least(words: &[String], at: usize) -> bool {
    let figure = |word: Option<&String>| {
        word.is_some_and(|word| word.starts_with(|letter: char| letter.is_ascii_digit()))
    };
    let before = at.checked_sub(1).and_then(|at| words.get(at));
    words.get(at).is_some_and(|word| word == "min") && (figure(before) || figure(words.get(at + 1)))
}

/// "Phase I trials", "level I support": the numeral.
fn is_numeral(words: &[String], at: usize) -> bool {
    const COUNTED: [&str; 9] =
        ["class", "category", "grade", "level", "part", "phase", "stage", "tier", "type"];
    let before = at.checked_sub(1).and_then(|at| words.get(at));
    words.get(at).is_some_and(|word| word == "i")
        && before.is_some_and(|before| COUNTED.contains(&before.as_str()))
}

/// The words of a line in small letters, without the marks around them.
fn words(text: &str) -> Vec<String> {
    let words = text.split(|letter: char| letter.is_whitespace() || matches!(letter, '–' | '—'));
    words
        .map(|word| {
            word.trim_matches(|letter: char| !letter.is_alphanumeric()).replace('’', "'").to_lowercase()
        })
        .filter(|word| !word.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use Language::{Da, De, En, No, Sv};

    /// An ad told applicants "first you, then me", which the manager had written to the recruiter.
    #[test]
    fn a_line_in_the_managers_voice_is_seen_in_every_language() {
        for (language, text) in [
            (En, "First you, then me, then a 45-minute simulated incident with two of the team."),
            (En, "I would like the person in place by 1 March 2027."),
            (En, "Oh, and the start: 1 February would be even better."),
            (Sv, "Du ringer först, sedan träffar de mig och två projektchefer."),
            (Sv, "Teamet är fem controllers och jag."),
            (Da, "Du tager første samtale, jeg tager den næste."),
            (No, "Du tar den første samtalen, så møter de meg."),
            (De, "Das Team besteht aus fünf Leuten und mir."),
            (De, "Erst Sie am Telefon, dann ein Gespräch mit mir."),
        ] {
            assert!(is_authors(text, language), "{text}");
            assert!(is_to_recruiter(text, language), "{text}");
        }
        for (language, text) in [
            (En, "We help each other, and you decide how you plan your days."),
            (En, "A phone call, an interview with the team lead and an exercise"),
            (En, "Phase I trials and I/O systems"),
            (Sv, "Minst 2 års erfarenhet, min 3 år i branschen, 30 min från Lund"),
            (Da, "Vi er syv planlæggere, og vi hjælper hinanden meget."),
            (No, "Du får en portefølje med kunder som svarer når du ringer."),
            (De, "Zwei Tage Büro, drei Tage mobil. Sie verhandeln selbst."),
        ] {
            assert!(!is_authors(text, language), "{text}");
        }
    }

    #[test]
    fn steps_are_told_to_the_applicant_or_not_at_all() {
        for (language, text) in [
            (En, "You screen, then a case, then they meet the team"),
            (Sv, "Du ringer först"),
            (Sv, "Sedan träffar de teamet"),
            (Da, "Derefter møder de holdet"),
            (No, "Så møter de teamet"),
            (De, "Erst telefonieren Sie, dann folgt ein Gespräch"),
        ] {
            assert!(is_to_recruiter(text, language), "{text}");
        }
        for (language, text) in [
            (En, "A phone call and an interview in person"),
            (Sv, "Intervju med de närmaste kollegorna"),
            (Da, "En samtale med de nærmeste kolleger"),
            (De, "Ein Gespräch und eine Fallstudie"),
        ] {
            assert!(!is_to_recruiter(text, language), "{text}");
        }
    }

    #[test]
    fn what_surely_means_the_same_is_said_to_the_applicant() {
        let check = |language: Language, text: &str, wanted: Option<&str>| {
            assert_eq!(addressed(text, language).as_deref(), wanted, "{text}");
        };
        check(En, "They get to redesign the process.", Some("You get to redesign the process."));
        check(En, "They pay well.", None);
        check(En, "They get to plan their own days.", None);
        check(
            Sv,
            "Man får bygga om allt, man kommer nära besluten.",
            Some("Du får bygga om allt, du kommer nära besluten."),
        );
        check(Sv, "Man bestämmer över sin tid.", None);
        check(Da, "Man følger projekterne.", Some("Du følger projekterne."));
        check(De, "Man verhandelt selbst mit.", None);
    }

    #[test]
    fn words_that_lead_to_the_point_are_left_out() {
        let check = |language: Language, text: &str, wanted: Option<&str>| {
            assert_eq!(without_lead(text, language).as_deref(), wanted, "{text}");
        };
        check(En, "It would be lovely if they knew ServiceNow.", Some("ServiceNow"));
        check(En, "As for the person: unflappable and honest.", Some("Unflappable and honest"));
        check(Sv, "Som person ska hen vara nyfiken och rak.", Some("Nyfiken och rak"));
        check(Sv, "I vardagen handlar det om att följa upp projekt", Some("Följa upp projekt"));
        check(Da, "Jeg leder efter en, der er grundig og rolig.", Some("Grundig og rolig"));
        check(No, "Jobben går ut på å følge opp kunder", Some("Følge opp kunder"));
        check(De, "Von Vorteil wären Kenntnisse in SAP Ariba.", Some("Kenntnisse in SAP Ariba"));
        check(En, "Danish helps, but nobody needs it.", None);
        let german =
            german_quality("Die Person soll gründlich, verbindlich und hartnäckig in der Sache sein.");
        assert_eq!(german.as_deref(), Some("Gründlich, verbindlich und hartnäckig in der Sache"));
    }

    #[test]
    fn the_terms_of_a_sentence_stand_alone() {
        let check = |language: Language, text: &str, wanted: Option<&str>| {
            assert_eq!(terms(text, language).as_deref(), wanted, "{text}");
        };
        check(
            En,
            "We need a manager in Copenhagen, permanent, and I would like them soon.",
            Some("permanent"),
        );
        check(
            Sv,
            "Tjänsten är tillsvidare på heltid och jag vill ha personen snart.",
            Some("tillsvidare, heltid"),
        );
        check(
            De,
            "Wir suchen jemanden, unbefristet, Vollzeit mit 38,5 Stunden.",
            Some("unbefristet, Vollzeit mit 38,5 Stunden"),
        );
        check(
            Da,
            "Stillingen er fast og på fuld tid, 37 timer, med start snart.",
            Some("fast, fuld tid, 37 timer"),
        );
        check(En, "It is not permanent yet.", None);
        check(No, "Vi trenger en kundeansvarlig.", None);
    }
}
