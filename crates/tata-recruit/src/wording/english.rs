//! English tasks: "Leads the team" in the notes is "Lead the team" in a list that begins with "you will".

use super::qualities::with_person;
use crate::{
    capitals::capitalized_like,
    lists::{ENGLISH_AFTER_A_VERB, ENGLISH_ASKING, ENGLISH_VERBS, ENGLISH_VERBS_OR_NOUNS},
};

/// The tasks of a list with their verbs in the form that follows "you will". What is not certain is left.
pub(super) fn tasks(tasks: &[String]) -> Vec<String> {
    let certain = tasks.iter().any(|task| {
        let mut words = task.split_whitespace();
        is_verb(words.next().unwrap_or_default(), words.next(), false).is_some()
    });
    tasks.iter().map(|task| base_form(task, certain)).collect()
}

/// A measure without the words that only led to it: "by the survey and by the budget" is "the survey and the budget".
pub(super) fn measure(text: &str) -> Option<String> {
    let bare = text.strip_prefix("by ").or_else(|| text.strip_prefix("By ")).unwrap_or(text);
    let joined = bare.replace(" and by ", " and ").replace(", by ", ", ");
    (joined != text).then(|| capitalized_like(text, joined))
}

/// A quality with a clause that hangs on a person who is not named: "Patient, who listens" is "Patient and someone who
/// listens".
pub(super) fn quality(text: &str) -> Option<String> {
    with_person(text, ", who ", " and someone who ", |word| word == "and")
}

fn base_form(task: &str, in_list: bool) -> String {
    let words: Vec<&str> = task.split(' ').collect();
    let verb = |at: usize, in_list: bool| is_verb(words.get(at)?, words.get(at + 1).copied(), in_list);
    let Some(first) = verb(0, in_list) else { return task.to_owned() };
    let mut out = vec![first];
    for (at, (before, word)) in words.iter().zip(words.iter().skip(1)).enumerate() {
        let after = words.get(at + 2).is_some_and(|next| has(&ENGLISH_AFTER_A_VERB, next));
        let asks = words.get(at + 2).is_some_and(|next| has(&ENGLISH_ASKING, next));
        let joined = *before == "and" || before.ends_with(',');
        // "Plans and runs": joined to the first one; "…, owns the budget": with its own object.
        let form = match at {
            1 if *before == "and" => verb(2, true),
            _ if after && joined => verb(at + 1, false),
            // "Decides who does what": a noun before "who" is none of the certain verbs.
            _ if asks && joined => base(word, &ENGLISH_VERBS),
            _ => None,
        };
        // Some verbs changed and others not is no sentence: then it stays as it was said.
        if form.is_none() && after && joined && is_finite(word) {
            return task.to_owned();
        }
        out.push(form.unwrap_or_else(|| (*word).to_owned()));
    }
    out.join(" ")
}

/// Whether a word looks like a verb of the third person.
fn is_finite(word: &str) -> bool {
    word.ends_with('s') && !word.ends_with("ss") && word.starts_with(char::is_lowercase)
}

/// The base of a verb in the third person, if the word is one here.
fn is_verb(word: &str, next: Option<&str>, in_list: bool) -> Option<String> {
    // "Reports, budgets" and "Checks" alone may be nouns.
    let sure = next.is_some_and(|next| in_list || has(&ENGLISH_AFTER_A_VERB, next));
    let found =
        base(word, &ENGLISH_VERBS).or_else(|| base(word, &ENGLISH_VERBS_OR_NOUNS).filter(|_| sure))?;
    Some(capitalized_like(word, found))
}

/// The verb of the list whose third person this is.
fn base(word: &str, verbs: &[&str]) -> Option<String> {
    let word = word.to_lowercase();
    let regular = word.strip_suffix('s')?;
    let irregular = match word.as_str() {
        "has" => Some("have"),
        "is" => Some("be"),
        _ => None,
    };
    let other = word.strip_suffix("ies").map(|stem| format!("{stem}y"));
    let hissing = word.strip_suffix("es").map(str::to_owned);
    [irregular.map(str::to_owned), Some(regular.to_owned()), other, hissing]
        .into_iter()
        .flatten()
        .find(|candidate| has(verbs, candidate))
}

fn has(list: &[&str], word: &str) -> bool {
    let word = word.trim_end_matches([',', '.', ';']).to_lowercase();
    list.binary_search(&word.as_str()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_stand_alone() {
        assert_eq!(
            measure("the survey and by keeping to the budget").as_deref(),
            Some("the survey and keeping to the budget")
        );
        assert_eq!(measure("By the number of incidents").as_deref(), Some("The number of incidents"));
        assert_eq!(measure("fewer incidents"), None);
    }

    #[test]
    fn a_clause_has_its_person() {
        let check =
            |text: &str, wanted: Option<&str>| assert_eq!(quality(text).as_deref(), wanted, "{text:?}");
        check("Patient, who listens to customers", Some("Patient and someone who listens to customers"));
        check("calm and patient, who listens", Some("calm and patient and someone who listens"));
        check("A team player, who listens", None);
        check("Patient", None);
    }

    #[test]
    fn tasks_follow_you_will() {
        let check = |given: &[&str], wanted: &[&str]| {
            let given: Vec<String> = given.iter().map(|task| (*task).to_owned()).collect();
            assert_eq!(tasks(&given), wanted);
        };
        check(&["Leads the team, owns the budget"], &["Lead the team, own the budget"]);
        check(
            &["Plans and runs the releases", "Is the contact"],
            &["Plan and run the releases", "Be the contact"],
        );
        check(
            &["Runs the weekly payroll", "Checks overtime and standby claims", "Answers payslip questions"],
            &["Run the weekly payroll", "Check overtime and standby claims", "Answer payslip questions"],
        );
        check(
            &["Looks after the contracts", "Carries out tests"],
            &["Look after the contracts", "Carry out tests"],
        );
        check(
            &["Has the final say", "Teaches new colleagues"],
            &["Have the final say", "Teach new colleagues"],
        );
        // All verbs of a sentence, or none.
        check(
            &["Runs the bridge call, decides who does what, and writes the customer update"],
            &["Run the bridge call, decide who does what, and write the customer update"],
        );
        check(
            &["Owns our post-incident reviews, zorbles the actions, and keeps the rota fair"],
            &["Owns our post-incident reviews, zorbles the actions, and keeps the rota fair"],
        );
        // Nouns, other forms and names stay.
        for same in [
            "Reports and budgets",
            "Month-end close for four legal entities",
            "Updates to the board",
            "Plan and carry out upgrades",
            "Drafting and negotiating contracts",
            "AWS migrations",
            "Sales in the Nordics",
            "Process documentation",
            "Business development",
            "Services",
            "Contracts with suppliers",
        ] {
            check(&[same], &[same]);
        }
    }
}
