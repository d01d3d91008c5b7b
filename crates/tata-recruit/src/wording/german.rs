//! German statements that notes tear out of their sentence: adjectives in a case that only the sentence explains,
//! verbs of a person, relative clauses without what they are about.

use super::Form;
use crate::lists::{
    GERMAN_ADJECTIVES, GERMAN_APART, GERMAN_CLAUSES, GERMAN_JOINTS, GERMAN_MASCULINE, GERMAN_NEUTER,
    GERMAN_OPEN_ENDS, GERMAN_PREFIXES, GERMAN_SOMEBODY, GERMAN_STRONG_VERBS, GERMAN_VERBS,
};

/// A quality or a skill; what stands before it in its source, and whether it began small there.
pub(super) fn quality(text: &str, before: &str, began_small: bool) -> Form {
    let words: Vec<&str> = text.split_whitespace().collect();
    let with = before.trim_end().ends_with(" mit") || before.trim() == "mit";
    let hangs = with && [", der ", ", die ", ", das "].iter().any(|part| text.contains(part));
    let person = before.trim_end().strip_suffix("mit").map(|before| before.trim_end().to_lowercase());
    let named = person.is_some_and(|before| GERMAN_SOMEBODY.iter().any(|who| before.ends_with(who)));
    match (is_torn(text), hangs) {
        // The clause is about the person: with it the statement is whole.
        (false, true) if named => return Form::Restored(format!("Jemand mit {text}")),
        (true, _) | (_, true) => return Form::Doubtful,
        (false, false) => {}
    }
    match words.as_slice() {
        [only] => match only.strip_suffix("en").filter(|stem| is_adjective(stem)) {
            Some(stem) if began_small && !stem.ends_with("end") => Form::Restored(stem.to_owned()),
            Some(_) | None => Form::Fine,
        },
        [first, second, rest @ ..] if !ends_in_a_verb(&words) => {
            let article = matches!(*first, "Einen" | "einen");
            let (adjective, noun, rest) = match rest {
                [noun, rest @ ..] if article && is_oblique(second) => (Some(*second), *noun, rest),
                _ => (Some(*first).filter(|word| is_oblique(word)), *second, rest),
            };
            let Some(adjective) = adjective.filter(|_| noun.starts_with(char::is_uppercase)) else {
                return Form::Fine;
            };
            let more = rest.iter().zip(rest.iter().skip(1)).any(|(word, next)| {
                next.starts_with(char::is_uppercase)
                    && (is_oblique(word) || is_feminine(word))
                    && !rest.iter().any(|word| GERMAN_APART.contains(word))
            });
            let Some(nominative) = nominative(adjective, noun).filter(|_| !more) else {
                return if with { Form::Restored(format!("mit {}", small(text))) } else { Form::Doubtful };
            };
            let mut restored: Vec<&str> = if article { vec!["Ein"] } else { Vec::new() };
            restored.push(&nominative);
            restored.push(noun);
            restored.extend(rest);
            Form::Restored(restored.join(" "))
        }
        _ => Form::Fine,
    }
}

/// A task in the infinitive, as a list of tasks has it.
pub(super) fn task(text: &str) -> Form {
    if is_torn(text) {
        return Form::Doubtful;
    }
    let plain = text.trim_end_matches('.');
    let words: Vec<&str> = plain.split_whitespace().collect();
    let (verb, rest, polite) = match words.as_slice() {
        ["Du" | "du", verb, rest @ ..] => (verb, rest, false),
        ["Sie", verb, rest @ ..] => (verb, rest, true),
        [verb, rest @ ..]
            if infinitive(verb.to_lowercase().trim_end_matches(',')).is_some() && !rest.is_empty() =>
        {
            (verb, rest, false)
        }
        _ => {
            let turned = inverted(&words).or_else(|| without_zu(&words));
            return turned.map_or(Form::Fine, Form::Restored);
        }
    };
    moved(verb, rest, polite).map_or(Form::Doubtful, Form::Restored)
}

/// "Einmal im Quartal berichtet sie an die Leitung": whoever gets the job goes, and the verb moves to the end.
fn inverted(words: &[&str]) -> Option<String> {
    let at = words.iter().position(|word| matches!(*word, "sie" | "er")).filter(|at| *at >= 2)?;
    let (before, [verb, _, rest @ ..]) = words.split_at_checked(at - 1)? else { return None };
    infinitive(verb)?;
    if rest.is_empty() || before.iter().any(|word| word.ends_with(',')) {
        return None;
    }
    Some(format!("{} {}", before.join(" "), moved(verb, rest, false)?))
}

/// Whether a statement depends on a sentence that is not there.
pub(super) fn is_torn(text: &str) -> bool {
    let mut words = text.split_whitespace().map(|word| word.trim_matches([',', '.', ';']));
    let first = words.next().unwrap_or_default().to_lowercase();
    let last = words.next_back().unwrap_or_default();
    GERMAN_CLAUSES.contains(&first.as_str()) || GERMAN_OPEN_ENDS.contains(&last)
}

/// A verb of a person moved to the end: "Prüft die Entwürfe" becomes "die Entwürfe prüfen". Only a single clause.
fn moved(verb: &str, rest: &[&str], polite: bool) -> Option<String> {
    let verb = verb.to_lowercase();
    let base = if polite { knows(&verb).then_some(verb) } else { infinitive(&verb) }?;
    // A second verb, a clause: where the parts belong is not certain.
    let second = rest.iter().zip(rest.iter().skip(1)).any(|(word, next)| {
        GERMAN_JOINTS.contains(word)
            && next.starts_with(char::is_lowercase)
            && (next.ends_with('t') || infinitive(next).is_some())
    });
    let joined = rest.first().is_some_and(|word| GERMAN_JOINTS.contains(word));
    if second || joined || rest.iter().any(|word| word.contains([',', ';', ':'])) {
        return None;
    }
    let (rest, base) = match rest {
        [rest @ .., last] if GERMAN_PREFIXES.contains(last) && !rest.is_empty() => {
            (rest, format!("{last}{base}"))
        }
        _ => (rest, base),
    };
    (!rest.is_empty()).then(|| format!("{} {base}", rest.join(" ")))
}

/// "Das Backlog zu priorisieren" is "Das Backlog priorisieren" in a list.
fn without_zu(words: &[&str]) -> Option<String> {
    let [before @ .., last] = words else { return None };
    let closes = |at: usize| {
        words.get(at + 1).is_none_or(|next| GERMAN_JOINTS.contains(next))
            || words.get(at).is_some_and(|word| word.ends_with(','))
    };
    let verb = |word: &str| word.starts_with(char::is_lowercase) && word.trim_end_matches(',').ends_with('n');
    let joined = |word: &str| {
        let inner = GERMAN_PREFIXES.iter().find_map(|prefix| {
            let rest = word.strip_prefix(prefix)?.strip_prefix("zu")?;
            (rest.chars().count() > 3 && verb(rest)).then(|| format!("{prefix}{rest}"))
        });
        inner.filter(|_| verb(word))
    };
    let apart = before.last().is_some_and(|word| *word == "zu") && verb(last) && before.len() > 1;
    if !apart && (joined(last).is_none() || before.is_empty()) {
        return None;
    }
    let mut out: Vec<String> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let dropped = *word == "zu" && words.get(at + 1).is_some_and(|next| verb(next) && closes(at + 1));
        if !dropped {
            out.push(joined(word).filter(|_| closes(at)).unwrap_or_else(|| (*word).to_owned()));
        }
    }
    Some(out.join(" "))
}

/// The infinitive of a verb in the form of "he" or "you".
fn infinitive(form: &str) -> Option<String> {
    let strong = GERMAN_STRONG_VERBS.iter().find(|(known, _)| *known == form).map(|(_, verb)| *verb);
    let weak = || GERMAN_VERBS.iter().copied().find(|verb| forms(verb).iter().any(|known| known == form));
    strong.or_else(weak).map(str::to_owned)
}

fn forms(verb: &str) -> [String; 2] {
    let stem = verb.strip_suffix("en").or_else(|| verb.strip_suffix('n')).unwrap_or(verb);
    let link = if stem.ends_with(['t', 'd']) || ["chn", "dn", "gn"].iter().any(|end| stem.ends_with(end)) {
        "e"
    } else {
        ""
    };
    let you = if stem.ends_with(['s', 'ß', 'z', 'x']) { "t" } else { "st" };
    [format!("{stem}{link}t"), format!("{stem}{link}{you}")]
}

fn knows(verb: &str) -> bool {
    GERMAN_VERBS.binary_search(&verb).is_ok() || GERMAN_STRONG_VERBS.iter().any(|(_, known)| *known == verb)
}

fn is_adjective(stem: &str) -> bool {
    let stem = stem.to_lowercase();
    stem.chars().count() > 2 && GERMAN_ADJECTIVES.iter().any(|end| stem.ends_with(end))
}

/// Whether a word is an adjective in a case that a list does not have.
fn is_oblique(word: &str) -> bool {
    ["em", "en"].iter().any(|case| word.strip_suffix(case).is_some_and(is_adjective))
}

fn is_feminine(word: &str) -> bool {
    word.strip_suffix("er").is_some_and(is_adjective)
}

/// The adjective as it stands before its noun in a list, where the gender is certain.
fn nominative(adjective: &str, noun: &str) -> Option<String> {
    let noun = noun.trim_matches([',', '.', ';']).to_lowercase();
    let ends = |nouns: &[&str]| nouns.iter().any(|end| noun.ends_with(end));
    let stem = adjective.strip_suffix("em").or_else(|| adjective.strip_suffix("en"))?;
    // "sicheren Deutsch" is no accusative: it may be a genitive, and is left.
    match (ends(&GERMAN_MASCULINE), ends(&GERMAN_NEUTER), adjective.ends_with("em")) {
        (true, false, _) => Some(format!("{stem}er")),
        (false, true, true) => Some(format!("{stem}es")),
        (true | false, true, _) | (false, false, _) => None,
    }
}

fn ends_in_a_verb(words: &[&str]) -> bool {
    words.last().is_some_and(|word| word.starts_with(char::is_lowercase) && word.ends_with('n'))
}

fn small(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_infinitives() {
        let check = |text: &str, wanted: &str| {
            assert_eq!(task(text), Form::Restored(wanted.to_owned()), "{text:?}");
        };
        check("Baust das Team in Hamburg auf", "das Team in Hamburg aufbauen");
        check("Baut das Führungskräfteprogramm auf", "das Führungskräfteprogramm aufbauen");
        check("Du verantwortest das Budget.", "das Budget verantworten");
        check("Sie verantworten das Budget", "das Budget verantworten");
        check("Betreut das Lernportal", "das Lernportal betreuen");
        check("prüft die Entwürfe für Kälte", "die Entwürfe für Kälte prüfen");
        check("Kümmert sich um das Lager", "sich um das Lager kümmern");
        check("Übernimmt Rufbereitschaft", "Rufbereitschaft übernehmen");
        check("Das Backlog zu priorisieren", "Das Backlog priorisieren");
        check("Releases mit dem Kundenservice abzustimmen", "Releases mit dem Kundenservice abstimmen");
        check("Kennzahlen zu prüfen und auszuwerten", "Kennzahlen prüfen und auswerten");
        for fine in [
            "Monats- und Quartalsberichte erstellen",
            "Wartung der Anlagen",
            "Kontakt zu Kunden",
            "Auszubildende betreuen",
            "Unterstützung des Vertriebs",
            "Budget",
            "Fachexperten hinzuziehen",
        ] {
            assert_eq!(task(fine), Form::Fine, "{fine:?}");
        }
        for doubtful in [
            "Plant und steuert die Projekte",
            "Prüft, ob die Entwürfe stimmen",
            "Dass die Kunden zufrieden sind",
            "Du bist Ansprechperson",
            "Verträge, die",
        ] {
            assert_eq!(task(doubtful), Form::Doubtful, "{doubtful:?}");
        }
    }

    #[test]
    fn qualities_stand_in_the_nominative() {
        let check = |text: &str, before: &str, wanted: &str| {
            assert_eq!(quality(text, before, true), Form::Restored(wanted.to_owned()), "{text:?}");
        };
        check("Sicheren Umgang mit Revit", "", "Sicherer Umgang mit Revit");
        check("Einen sicheren Umgang mit Revit", "", "Ein sicherer Umgang mit Revit");
        check("Analytischem Blick", "mit ", "Analytischer Blick");
        check("Technischem Verständnis", "mit ", "Technisches Verständnis");
        check(
            "Analytischem Blick und ruhiger Hand",
            "jemand mit ",
            "mit analytischem Blick und ruhiger Hand",
        );
        check("Herzlichen", "einen ", "Herzlich");
        for fine in [
            "Ruhige Hand",
            "Sicherer Umgang mit Revit",
            "Einen kühlen Kopf bewahren",
            "Gute Kenntnisse",
            "Den Überblick behalten",
            "Ruhig und sorgfältig",
            "Hartnäckig in der Sache",
            "Entscheidend",
            "Anzeigen",
        ] {
            assert_eq!(quality(fine, "", false), Form::Fine, "{fine:?}");
        }
        for doubtful in
            ["Verlässlichen Menschen", "Einen mehrsprachigen Menschen", "Fertigen Anschlüssen pro Quartal"]
        {
            assert_eq!(quality(doubtful, "einen ", true), Form::Doubtful, "{doubtful:?}");
        }
        let whole = Form::Restored("Jemand mit Humor, der Konflikte anspricht".to_owned());
        assert_eq!(quality("Humor, der Konflikte anspricht", "Gesucht ist jemand mit ", false), whole);
        assert_eq!(quality("Humor, der Konflikte anspricht", "ein Mensch mit ", false), Form::Doubtful);
        assert_eq!(quality("Ein Mensch, der Konflikte anspricht", "wir suchen ", false), Form::Fine);
    }
}
