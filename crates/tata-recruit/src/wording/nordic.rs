//! Swedish, Danish and Norwegian tasks: "Styrer leverandører" in the notes is "Styre leverandører" in a list of what somebody
//! will do.

use super::qualities::{is_quality, with_person};
use crate::{
    Language,
    capitals::capitalized_like,
    lists::{
        NORDIC_AFTER_A_QUALITY, NORDIC_AFTER_A_VERB, NORDIC_DANISH, NORDIC_DANISH_OWN, NORDIC_NORWEGIAN,
        NORDIC_NORWEGIAN_OWN, NORDIC_SUBJECTS, NORDIC_SWEDISH, NORDIC_SWEDISH_ER, NORDIC_SWEDISH_OWN,
        NORDIC_VERBS_OR_NOUNS,
    },
};

/// Who does a task, in notes.
const SOMEBODY: [&str; 8] = ["du", "man", "hen", "hon", "han", "hun", "personen", "vedkommende"];

/// A task in the infinitive, if its verb is certain.
pub(super) fn task(text: &str, language: Language) -> Option<String> {
    let words: Vec<&str> = text.split(' ').collect();
    // "Man rapporterer …", "Personen følger op …": whoever gets the job.
    let somebody = |word: &&str| SOMEBODY.contains(&word.to_lowercase().as_str());
    let addressed = usize::from(words.first().is_some_and(somebody));
    let verb = |at: usize| {
        let word = words.get(at)?.trim_end_matches(',').to_lowercase();
        let next = words.get(at + 1).copied().unwrap_or_default().to_lowercase();
        let both = has(&NORDIC_VERBS_OR_NOUNS, &word)
            && !(at == addressed && addressed == 1)
            && !has(&NORDIC_AFTER_A_VERB, &next);
        infinitive(&word, language).filter(|_| !both)
    };
    verb(addressed)?;
    // "Efter udbuddet samler man op": whoever is meant goes with the finite verb.
    let inverted = words.get(addressed + 1).is_some_and(|word| NORDIC_SUBJECTS.contains(word));
    let kept = words.iter().enumerate().skip(addressed).filter(|(at, _)| !inverted || *at != addressed + 1);
    // Some verbs changed and others not is no sentence: then it stays as it was said.
    let unknown = words.iter().enumerate().skip(addressed + 1).any(|(at, word)| {
        let before = at.checked_sub(1).and_then(|at| words.get(at)).copied().unwrap_or_default();
        let next = words.get(at + 1).copied().unwrap_or_default().to_lowercase();
        let joined = matches!(before, "og" | "och") || before.ends_with(',');
        let finite = word.starts_with(char::is_lowercase) && word.ends_with('r');
        joined && finite && has(&NORDIC_AFTER_A_VERB, &next) && verb(at).is_none()
    });
    if unknown {
        return None;
    }
    let out = kept.map(|(at, word)| {
        let before = at.checked_sub(1).and_then(|at| words.get(at)).copied().unwrap_or_default();
        // "Planlægger og gennemfører": joined to the first one.
        let joined = matches!(before, "og" | "och") || before.ends_with(',');
        let form = verb(at).filter(|_| at == addressed || joined);
        let comma = if word.ends_with(',') { "," } else { "" };
        form.map_or_else(|| (*word).to_owned(), |form| format!("{form}{comma}"))
    });
    Some(capitalized_like(text, out.collect::<Vec<_>>().join(" ")))
}

/// Endings of adjectives that agree with several people, and what one person has in their place.
const PLURALS: &[(&str, &str)] = &[
    ("ade", "ad"),
    ("ede", "et"),
    ("ne", "en"),
    ("na", "en"),
    ("re", "er"),
    ("ra", "er"),
    ("a", ""),
    ("e", ""),
];

/// A quality of one person, where the notes spoke of several: "Raka och glada på morgonen" is "Rak och glad på
/// morgonen". A clause that hangs on a person who is not named gets one: "Tålmodig, som lyssnar".
pub(super) fn quality(text: &str, language: Language) -> Option<String> {
    let (clause, person) = match language {
        Language::Sv => (", som ", " och en person som "),
        Language::Da => (", der ", " og en person, der "),
        Language::No => (", som ", " og en person som "),
        Language::En | Language::De => return None,
    };
    let words: Vec<&str> = text.split(' ').collect();
    let singular = |(at, word): (usize, &&str)| {
        let (bare, comma) = word.strip_suffix(',').map_or((*word, ""), |bare| (bare, ","));
        let next = words.get(at + 1).copied().unwrap_or_default();
        let alone = !comma.is_empty() || next.is_empty() || has(&NORDIC_AFTER_A_QUALITY, next);
        let one = one_person(bare).filter(|_| alone);
        one.map_or_else(|| (*word).to_owned(), |one| format!("{one}{comma}"))
    };
    let out = words.iter().enumerate().map(singular).collect::<Vec<_>>().join(" ");
    let out = with_person(&out, clause, person, |word| has(&NORDIC_AFTER_A_QUALITY, word)).unwrap_or(out);
    (out != text).then(|| capitalized_like(text, out))
}

fn one_person(word: &str) -> Option<String> {
    let word = word.to_lowercase();
    if is_quality(&word) {
        return None;
    }
    let stems = PLURALS.iter().filter_map(|(many, one)| Some(format!("{}{one}", word.strip_suffix(many)?)));
    stems.into_iter().find(|stem| stem.chars().count() >= 3 && is_quality(stem))
}

fn infinitive(present: &str, language: Language) -> Option<String> {
    let (verbs, own): (&[&str], _) = match language {
        Language::Da => (&NORDIC_DANISH, &NORDIC_DANISH_OWN),
        Language::No => (&NORDIC_NORWEGIAN, &NORDIC_NORWEGIAN_OWN),
        Language::Sv => (&NORDIC_SWEDISH, &NORDIC_SWEDISH_OWN),
        Language::En | Language::De => return None,
    };
    let own = own.iter().find(|(known, _)| *known == present).map(|(_, form)| *form);
    let by_r = || present.strip_suffix('r').filter(|form| has(verbs, form));
    let swedish = || {
        let form = format!("{}a", present.strip_suffix("er")?);
        (language == Language::Sv && has(&NORDIC_SWEDISH_ER, &form)).then_some(form)
    };
    own.or_else(by_r).map(str::to_owned).or_else(swedish)
}

fn has(list: &[&str], word: &str) -> bool {
    list.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_infinitives() {
        let check = |language: Language, text: &str, wanted: &str| {
            assert_eq!(task(text, language).as_deref(), Some(wanted), "{text:?}");
        };
        check(Language::Da, "Styrer leverandører", "Styre leverandører");
        check(Language::Da, "Du følger op på aftaler", "Følge op på aftaler");
        check(Language::Da, "Planlægger og gennemfører møder", "Planlægge og gennemføre møder");
        check(Language::Da, "Samler man op på aftaler", "Samle op på aftaler");
        check(Language::Da, "leder det daglige arbejde", "lede det daglige arbejde");
        check(Language::No, "utfører service på telehytter", "utføre service på telehytter");
        check(Language::No, "Bytter batterier", "Bytte batterier");
        check(Language::No, "Du er kontaktperson for kunder", "Være kontaktperson for kunder");
        check(Language::Sv, "Ringer befintliga kunder", "Ringa befintliga kunder");
        check(Language::Sv, "Planerar, budgeterar och följer upp", "Planera, budgetera och följa upp");
        check(Language::Sv, "Du ansvarar för budgeten", "Ansvara för budgeten");
    }

    #[test]
    fn qualities_are_those_of_one_person() {
        let check = |language: Language, text: &str, wanted: Option<&str>| {
            assert_eq!(quality(text, language).as_deref(), wanted, "{text:?}");
        };
        check(Language::Sv, "Raka", Some("Rak"));
        check(Language::Sv, "Glada på morgonen", Some("Glad på morgonen"));
        check(Language::Sv, "lugna, öppna och strukturerade", Some("lugn, öppen och strukturerad"));
        check(Language::Sv, "Tålmodig, som lyssnar", Some("Tålmodig och en person som lyssnar"));
        check(Language::Da, "Strukturerede og rolige", Some("Struktureret og rolig"));
        check(Language::No, "Blide og tydelige", Some("Blid og tydelig"));
        check(Language::Sv, "Glada kunder", None);
        check(Language::Sv, "Lugn och noggrann", None);
        check(Language::Sv, "Projektledare, som lyssnar", None);
        check(Language::No, "Direkte", None);
    }

    #[test]
    fn nouns_stay() {
        for (language, text) in [
            (Language::Da, "Leder af teamet"),
            (Language::Da, "Rapporter til ledelsen"),
            (Language::No, "Lager og logistikk"),
            (Language::No, "Selger i butikk"),
            (Language::Sv, "Avtal och upphandlingar"),
            (Language::Sv, "Styra leverantörer"),
            (Language::En, "Styrer"),
        ] {
            assert_eq!(task(text, language), None, "{text:?}");
        }
    }
}
