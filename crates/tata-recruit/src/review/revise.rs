//! Decisions about findings, and a revised text from what was accepted. The original stays as it is.

use std::{collections::BTreeMap, str::FromStr};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::fits::{fits, in_case_of, reads};
use crate::{
    Key, Kind, Language, Notice, Project, Refusal, Texts,
    form::Asked,
    input::{
        Fields,
        Rule::{Choice, Said},
    },
    lists::{REVISE_ADVICE, REVISE_RELATIVE},
};

/// What the recruiter decided about the findings of a review.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DecideInput {
    /// The findings whose words are replaced.
    pub accept: Vec<Accepted>,
    /// The numbers of the findings that stay as they are.
    pub ignore: Vec<usize>,
}

impl Asked for DecideInput {
    const FIELDS: Fields =
        Fields(&[(Choice, "accept/*/{finding,alternative} ignore/*"), (Said, "accept/*/text")]);
}

/// A finding that is accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Accepted {
    /// Its number in the review.
    pub finding: usize,
    /// Which of its alternatives, from 1. Left out, the first that surely fits its sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alternative: Option<usize>,
    /// Other words, as the recruiter wrote them. They go before the alternative.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl FromStr for Accepted {
    type Err = String;

    /// `3`, `3=2`, `3=other words`.
    fn from_str(text: &str) -> Result<Self, String> {
        let (number, how) = text.split_once('=').map_or((text, None), |(number, how)| (number, Some(how)));
        let finding = number.trim().parse();
        let finding = finding.map_err(|_| "begins with the number of a finding, e.g. 3 or 3=2".to_owned())?;
        let alternative: Option<usize> = how.and_then(|how| how.trim().parse().ok());
        let text = how.filter(|_| alternative.is_none()).map(|how| how.trim().to_owned());
        Ok(Self { finding, alternative, text })
    }
}

impl Accepted {
    /// What a message chooses for findings, if it does nothing else: "2=1, 5=our own words".
    pub(crate) fn chosen(message: &str) -> Option<Vec<Self>> {
        let mut parts: Vec<String> = Vec::new();
        for part in message.split_inclusive([',', ';', '\n']) {
            let number = part.split_once('=').map(|(number, _)| number.trim());
            if number.is_some_and(|number| number.parse::<usize>().is_ok()) {
                parts.push(part.to_owned());
            } else {
                parts.last_mut()?.push_str(part);
            }
        }
        let parts = parts.iter().map(|part| part.trim_end().trim_end_matches([',', ';']).parse().ok());
        parts.collect::<Option<Vec<_>>>().filter(|parts| !parts.is_empty())
    }
}

/// A decision about one finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewDecision {
    /// The number of the finding.
    pub finding: usize,
    /// What stands there now; nothing if it was ignored.
    pub replacement: Option<String>,
}

/// Findings by their numbers.
pub(crate) type Findings<'a> = BTreeMap<usize, Decidable<'a>>;

/// A finding as far as a decision needs it.
pub(crate) struct Decidable<'a> {
    /// The first byte and the one after the last; nothing if it has no place in the text.
    pub(crate) bytes: Option<(usize, usize)>,
    pub(crate) alternatives: &'a [String],
}

/// The most characters that may replace a finding.
const MOST_REPLACEMENT: usize = 2000;

/// Whether an alternative says what to write rather than being what to write: put into the sentence it would break it.
fn is_advice(alternative: &str) -> bool {
    let text = alternative.to_lowercase();
    REVISE_ADVICE.iter().any(|words| text.contains(words))
}

/// Whether an alternative is advice in this place: by itself, or because the sentence would not bear it.
pub(crate) fn advises(
    alternative: &str,
    bytes: Option<(usize, usize)>,
    (original, language): (&str, Language),
) -> bool {
    let found = bytes.and_then(|(start, end)| Some((original.get(start..end)?, original.get(end..)?)));
    is_advice(alternative)
        || language != Language::De
            && found
                .is_some_and(|(found, after)| goes_on(after, alternative) || loses_name(found, alternative))
}

/// The alternatives that people are offered, each with its number from 1: only those that surely read on in their sentence.
/// Any of the others can still be chosen by its number, or written.
pub(crate) fn offered<'a>(
    alternatives: &'a [String],
    bytes: Option<(usize, usize)>,
    text: (&str, Language),
) -> Vec<(usize, &'a str)> {
    let fit = |one: &str| fits(text.0, bytes.unwrap_or_default(), one, text.1) && !advises(one, bytes, text);
    let all = (1..).zip(alternatives.iter().map(String::as_str));
    all.filter(|(_, one)| bytes.is_some() && fit(one)).collect()
}

/// "No commitments that keep you from travelling" does not bear "any way of life that suits you": a clause of its own, and
/// then the one that was there.
fn goes_on(after: &str, alternative: &str) -> bool {
    let relative = |word: &str| REVISE_RELATIVE.contains(&word.to_lowercase().as_str());
    let next = after.strip_prefix(' ').and_then(|after| after.split_whitespace().next());
    next.is_some_and(relative) && alternative.split_whitespace().any(relative)
}

/// "Native Swedish speaker": a better word for the outer two would drop the one in the middle.
fn loses_name(found: &str, alternative: &str) -> bool {
    let words: Vec<&str> = found.split_whitespace().collect();
    let inner = words.get(1..words.len().saturating_sub(1)).unwrap_or_default();
    let small = words.last().is_some_and(|word| word.starts_with(char::is_lowercase));
    small && inner.iter().any(|word| word.starts_with(char::is_uppercase) && !alternative.contains(word))
}

/// The decisions after new ones, and what the recruiter has to choose first: a later one about the same finding counts.
fn decide(
    input: &DecideInput,
    findings: &Findings<'_>,
    before: &[ReviewDecision],
    text: (&str, Language),
    texts: &Texts,
) -> Result<(Vec<ReviewDecision>, Vec<Notice>), Refusal> {
    let mut refusal = Refusal::default();
    for (at, text) in input.accept.iter().map(|accepted| &accepted.text).enumerate() {
        let text = text.as_deref().unwrap_or_default();
        refusal.check_most(&format!("accept[{at}].text"), text, MOST_REPLACEMENT, texts);
    }
    let mut unsures = Vec::new();
    let mut refuse = |key: Key, field: String, values: &[(&str, &str)]| {
        refusal.say(field, texts, key, values);
    };
    if input.accept.is_empty() && input.ignore.is_empty() {
        refuse(key!("review.refuse.nothing"), "accept".to_owned(), &[]);
    }
    let count = findings.len().to_string();
    let mut decisions: BTreeMap<usize, Option<String>> = BTreeMap::new();
    for (at, accepted) in input.accept.iter().enumerate() {
        let number = accepted.finding.to_string();
        let field = format!("accept[{at}]");
        let Some(finding) = findings.get(&accepted.finding) else {
            refuse(key!("review.refuse.finding"), field, &[("number", &number), ("count", &count)]);
            continue;
        };
        let own = accepted.text.as_deref();
        let advice = |alternative: &str| advises(alternative, finding.bytes, text);
        let mut possible = finding.alternatives.iter().enumerate().filter(|(_, one)| !advice(one)).peekable();
        let wish = match (accepted.alternative, finding.bytes) {
            (None, Some(bytes)) if own.is_none() && possible.peek().is_some() => {
                let unsure = Unsure { finding: accepted.finding, bytes, possible: possible.collect() };
                let Some(sure) = unsure.sure(text) else {
                    unsures.push(unsure);
                    continue;
                };
                sure
            }
            (wish, _) => wish.unwrap_or_else(|| possible.next().map_or(0, |(at, _)| at) + 1),
        };
        let listed = wish.checked_sub(1).and_then(|at| finding.alternatives.get(at)).map(String::as_str);
        let known = finding.alternatives.len().to_string();
        let values = [("number", number.as_str()), ("count", &known), ("wish", &wish.to_string())];
        match own.or(listed) {
            _ if finding.bytes.is_none() => refuse(key!("review.refuse.no_words"), field, &values),
            Some(text) if own.is_none() && advice(text) => {
                refuse(key!("review.refuse.advice"), field, &values);
            }
            // Of several about one finding, the first counts.
            Some(text) => {
                decisions.entry(accepted.finding).or_insert_with(|| Some(text.to_owned()));
            }
            None if finding.alternatives.is_empty() => refuse(key!("review.refuse.no_words"), field, &values),
            None => refuse(key!("review.refuse.alternative"), field, &values),
        }
    }
    for (at, number) in input.ignore.iter().enumerate() {
        let values = [("number", &*number.to_string()), ("count", &count)];
        let field = format!("ignore[{at}]");
        if !findings.contains_key(number) {
            refuse(key!("review.refuse.finding"), field, &values);
        } else if decisions.get(number).is_some_and(Option::is_some) {
            refuse(key!("review.refuse.twice"), field, &values);
        } else {
            decisions.insert(*number, None);
        }
    }
    // What is decided stands; where nothing is, the choice is all there is to say.
    let mut notices = Vec::new();
    for unsure in &unsures {
        let (number, sentences) = (unsure.finding.to_string(), unsure.sentences(text.0));
        let values = [("number", number.as_str()), ("sentences", &sentences)];
        if decisions.is_empty() {
            refusal.say("accept", texts, key!("review.refuse.choose"), &values);
        } else {
            notices.push(Notice::say("accept", texts, key!("review.refuse.choose"), &values));
        }
    }
    if let Some(last) = notices.last_mut() {
        last.message = format!("{}\n{}", last.message, texts.get(key!("review.refuse.choose_way_out")));
    }
    refusal.or_ok()?;
    for before in before {
        decisions.entry(before.finding).or_insert_with(|| before.replacement.clone());
    }
    let decision = |(finding, replacement)| ReviewDecision { finding, replacement };
    Ok((decisions.into_iter().map(decision).collect(), notices))
}

/// A finding that is accepted without saying which of its alternatives.
struct Unsure<'a> {
    finding: usize,
    bytes: (usize, usize),
    /// The alternatives that can stand in the text, with their places.
    possible: Vec<(usize, &'a String)>,
}

impl Unsure<'_> {
    /// The number of the first that surely fits its sentence.
    fn sure(&self, (original, language): (&str, Language)) -> Option<usize> {
        let fit = |(_, one): &&(usize, &String)| fits(original, self.bytes, one, language);
        self.possible.iter().find(fit).map(|(at, _)| at + 1)
    }

    /// How the sentence would read, each with what chooses it.
    fn sentences(&self, original: &str) -> String {
        let line = |(at, one): &(usize, &String)| {
            format!("{}={}: {}", self.finding, at + 1, reads(original, self.bytes, one))
        };
        self.possible.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

/// The decisions of a review and its text in the words that were accepted, after new decisions. Tells how the text read
/// before, and reads now, and what is to be chosen first.
pub(crate) fn record(
    input: &DecideInput,
    findings: &Findings<'_>,
    (original, language): (&str, Language),
    (decisions, text): (&mut Vec<ReviewDecision>, &mut Option<String>),
    texts: &Texts,
) -> Result<([String; 2], Vec<Notice>), Refusal> {
    let notices;
    (*decisions, notices) = decide(input, findings, decisions, (original, language), texts)?;
    let before = std::mem::replace(text, revised(original, findings, decisions));
    let read = [before, text.clone()].map(|text| text.unwrap_or_else(|| original.to_owned()));
    Ok((read, notices))
}

/// What new decisions come to, in the case in which each would stand in the text.
pub(crate) fn replacements(
    input: &DecideInput,
    findings: &Findings<'_>,
    (original, language): (&str, Language),
    texts: &Texts,
) -> Result<Vec<ReviewDecision>, Refusal> {
    let (mut decisions, _) = decide(input, findings, &[], (original, language), texts)?;
    for decision in &mut decisions {
        let bytes = findings.get(&decision.finding).and_then(|finding| finding.bytes);
        let old = bytes.and_then(|(start, end)| original.get(start..end));
        if let (Some(old), Some(words)) = (old, &mut decision.replacement) {
            *words = in_case_of(old, words);
        }
    }
    Ok(decisions)
}

/// The review whose findings are decided, or the offer to make one.
pub(crate) fn decided_review<Review: DeserializeOwned>(
    project: &Project,
    kind: Kind,
) -> Result<Review, Refusal> {
    let texts = project.texts();
    let none =
        || Refusal::saying("", texts, key!("review.refuse.review"), &[("review", kind.display(texts))]);
    project.read(kind, "").ok_or_else(none)
}

/// The text with what was accepted, and nothing else changed; nothing if nothing was accepted.
fn revised(original: &str, findings: &Findings<'_>, decisions: &[ReviewDecision]) -> Option<String> {
    let mut changes: Vec<(usize, usize, &str)> = decisions
        .iter()
        .filter_map(|decision| {
            let (start, end) = findings.get(&decision.finding)?.bytes?;
            Some((start, end, decision.replacement.as_deref()?))
        })
        .collect();
    if changes.is_empty() {
        return None;
    }
    changes.sort_unstable();
    let (mut text, mut done) = (String::with_capacity(original.len()), 0);
    for (start, end, replacement) in changes {
        let (Some(before), Some(old)) = (original.get(done..start), original.get(start..end)) else {
            continue;
        };
        text.push_str(before);
        text.push_str(&in_case_of(old, replacement));
        done = end;
    }
    text.push_str(original.get(done..).unwrap_or_default());
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_accepted_changes() {
        let alternatives = ["team".to_owned(), "team of varied experience".to_owned()];
        let items = BTreeMap::from([
            (1, Decidable { bytes: Some((0, 10)), alternatives: &alternatives }),
            (2, Decidable { bytes: Some((16, 23)), alternatives: &alternatives }),
        ]);
        let original = "Young team with manpower.";
        let texts = Texts::default();
        let check = |accept: &[(usize, Option<usize>)], ignore: &[usize], expected: Option<&str>| {
            let accept = accept.iter().map(|(finding, alternative)| Accepted {
                finding: *finding,
                alternative: *alternative,
                text: None,
            });
            let input = DecideInput { accept: accept.collect(), ignore: ignore.to_vec() };
            let (decisions, _) = decide(&input, &items, &[], (original, Language::En), &texts).unwrap();
            assert_eq!(revised(original, &items, &decisions).as_deref(), expected);
        };
        check(&[(1, None)], &[2], Some("Team with manpower."));
        check(&[(1, Some(2))], &[], Some("Team of varied experience with manpower."));
        check(&[], &[1], None);
        let wrong = |accept: usize, alternative: usize| {
            let accept = vec![Accepted { finding: accept, alternative: Some(alternative), text: None }];
            let input = DecideInput { accept, ignore: Vec::new() };
            decide(&input, &items, &[], (original, Language::En), &texts).is_err()
        };
        assert!(wrong(3, 1) && wrong(1, 3) && wrong(1, 0));
    }

    /// Specification 12.15: what does not fit the sentence is advice, not a replacement.
    #[test]
    fn what_would_break_the_sentence_is_advice() {
        let check = |text: &str, found: &str, alternative: &str, language: Language, expected: bool| {
            let start = text.find(found).unwrap();
            let bytes = Some((start, start + found.len()));
            assert_eq!(advises(alternative, bytes, (text, language)), expected, "{text:?}");
        };
        let sv = "Du har inga familjeförpliktelser som hindrar dig från att resa.";
        check(sv, "inga familjeförpliktelser", "vilken livssituation som helst", Language::Sv, true);
        check("En ung grupp som trivs", "ung grupp", "grupp", Language::Sv, false);
        check(
            "You are a native Swedish speaker.",
            "native Swedish speaker",
            "confident speaker",
            Language::En,
            true,
        );
        check("You are a native speaker.", "native speaker", "confident speaker", Language::En, false);
        check("We are a young team.", "young team", "team", Language::En, false);
    }

    /// Where nothing surely fits, the sentences are shown with what chooses them; what is decided stands.
    #[test]
    fn what_may_not_fit_is_shown_and_chosen() {
        let texts = Texts::of(crate::Voice::No);
        let (original, alternatives) = ("Vi er en ung gjeng med en salgsmann.", ["team".to_owned()]);
        let items = BTreeMap::from([
            (1, Decidable { bytes: Some((9, 18)), alternatives: &alternatives }),
            (2, Decidable { bytes: Some((26, 35)), alternatives: &alternatives }),
        ]);
        let said = |accept: &str| {
            let input = DecideInput {
                accept: Accepted::chosen(accept).unwrap_or_default(),
                ..DecideInput::default()
            };
            decide(&input, &items, &[], (original, Language::No), texts)
        };
        assert_eq!(Accepted::chosen("take 1"), None);
        assert_eq!(Accepted::chosen("1"), None);
        let (decisions, notices) = said("1=1, 2=selger, gjerne med bil").unwrap();
        assert_eq!(notices, []);
        let revised = revised(original, &items, &decisions).unwrap();
        assert_eq!(revised, "Vi er en team med en selger, gjerne med bil.");
        let bare = |numbers: &[usize]| {
            let one = |finding: &usize| Accepted { finding: *finding, ..Accepted::default() };
            let accept = numbers.iter().map(one).collect();
            decide(&DecideInput { accept, ignore: Vec::new() }, &items, &[], (original, Language::No), texts)
        };
        let long = said(&format!("1={}", "ord ".repeat(MOST_REPLACEMENT))).unwrap_err();
        assert!(long.problems[0].message.contains("2000"), "own words are never left out silently: {long:?}");
        let refused = bare(&[1]).unwrap_err();
        assert!(refused.problems[0].message.contains("1=1: Vi er en team med en salgsmann."), "{refused:?}");
        let mixed =
            DecideInput { accept: vec![Accepted { finding: 1, ..Accepted::default() }], ignore: vec![2] };
        let (decisions, notices) = decide(&mixed, &items, &[], (original, Language::No), texts).unwrap();
        assert_eq!((decisions.len(), notices.len()), (1, 1));
    }

    #[test]
    fn advice_is_not_put_into_the_text() {
        let texts = Texts::default();
        let accept = |alternatives: &[&str], text: Option<&str>| {
            let alternatives: Vec<String> = alternatives.iter().map(|one| (*one).to_owned()).collect();
            let items = BTreeMap::from([(1, Decidable { bytes: Some((0, 3)), alternatives: &alternatives })]);
            let one = Accepted { finding: 1, alternative: None, text: text.map(str::to_owned) };
            let input = DecideInput { accept: vec![one], ignore: Vec::new() };
            decide(&input, &items, &[], ("mad", Language::En), &texts)
                .ok()
                .and_then(|(found, _)| found.into_iter().next()?.replacement)
        };
        for advice in [
            "able to do the tasks, which we describe",
            "delar våra värderingar, som vi beskriver",
            "værdier, som vi beskriver",
            "verdiene våre, som vi beskriver",
            "teilt die Arbeitsweise, die wir beschreiben",
        ] {
            assert_eq!(accept(&[advice], None), None, "{advice}");
            assert_eq!(accept(&[advice, "grundig"], None).as_deref(), Some("grundig"), "{advice}");
            assert_eq!(accept(&[advice], Some("own words")).as_deref(), Some("own words"));
        }
    }
}
