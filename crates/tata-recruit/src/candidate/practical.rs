//! Notice, pay expectation, place and languages, as the candidate put them. What somebody earned is not recorded.

use tata_phrases::{Case, Word};

use super::{
    artifact::{Detail, PracticalDetails, Quote},
    exchange::may_quote,
    lexicon::{cues, languages, lists, words},
    speech::{Sentence, Speech},
    topics::Topic,
};
use crate::{Texts, lists::AMOUNT_THOUSANDS};

/// How people say in passing where they are; the name of a place comes next.
const AT_HOME: &[&[&str]] = &[
    &["i'm", "in"],
    &["i", "am", "in"],
    &["hemma", "i"],
    &["hjemme", "i"],
    &["hjemme", "på"],
    &["zu", "hause", "in"],
    &["zuhause", "in"],
];
/// A start in so few words is the speaker's own: "Available from March."
const SHORT_START: usize = 6;

/// What tells whether a sentence says a detail; whether it answers the question for it is said beside it.
type Says = fn(&Sentence, bool) -> bool;

/// The practical details of an interview.
pub(super) fn details(speech: &Speech, topics: &[Option<Topic>], texts: &Texts) -> PracticalDetails {
    let find = |topic: Topic, says: Says| {
        find(speech, topics, topic, says).unwrap_or_else(|| Detail {
            text: texts.get(key!("candidate.not_discussed")).to_owned(),
            ..Detail::default()
        })
    };
    PracticalDetails {
        notice_period: find(Topic::Notice, says_notice),
        salary_expectation: find(Topic::Salary, says_salary),
        location: find(Topic::Location, says_location),
        languages: find(Topic::Languages, says_languages),
    }
}

/// Words that a model found, with what the candidate corrected afterwards.
pub(super) fn handed_over(name: &str, quote: Quote, speech: &Speech) -> Detail {
    let says: Says = match name {
        "notice_period" => says_notice,
        "salary_expectation" => says_salary,
        _ => return Detail::said(quote),
    };
    match speech.sentence_of(&quote).and_then(|at| correction(speech, at, says)) {
        Some(after) if !after.text.contains(&quote.text) && !quote.text.contains(&after.text) => {
            Detail { corrected: Some(quote), ..Detail::said(after) }
        }
        _ => Detail::said(quote),
    }
}

/// Whether former pay was mentioned.
pub(super) fn tells_pay_history(speech: &Speech) -> bool {
    speech.sentences.iter().any(|sentence| sentence.cues.has(lists::PAY_HISTORY) && sentence.number)
}

/// The first sentence that answers the question, else the first that says it anywhere, and what corrects it in the same
/// answer. Where a sentence also holds what must not be quoted, only the clause that answers.
fn find(speech: &Speech, topics: &[Option<Topic>], topic: Topic, says: Says) -> Option<Detail> {
    for asked in [true, false] {
        for (at, (sentence, other)) in speech.sentences.iter().zip(topics).enumerate() {
            if (!asked || *other == Some(topic))
                && let Some(detail) = said_in(speech, at, sentence, says, asked)
            {
                return Some(detail);
            }
        }
    }
    // Whatever was answered to the question is the answer, as long as it may be quoted. Pay needs a figure.
    let answers = |(sentence, other): &(&Sentence, &Option<Topic>)| {
        **other == Some(topic) && may_quote(sentence) && !sentence.cues.has(lists::PAY_HISTORY)
    };
    let mut answered = speech.sentences.iter().zip(topics).filter(|_| topic != Topic::Salary);
    answered.find(answers).map(|(sentence, _)| Detail::said(speech.quote(sentence)))
}

/// The detail, if a sentence says it.
fn said_in(speech: &Speech, at: usize, sentence: &Sentence, says: Says, asked: bool) -> Option<Detail> {
    let said = says(sentence, asked);
    if said && may_quote(sentence) {
        let quote = speech.quote(sentence);
        return Some(match correction(speech, at, says) {
            Some(after) if after.text != quote.text => {
                Detail { corrected: Some(quote), ..Detail::said(after) }
            }
            _ => Detail::said(quote),
        });
    }
    // Notice and pay in one breath are two answers.
    let both = sentence.cues.has(lists::PAY) && sentence.cues.has(lists::NOTICE);
    if sentence.question || !(said || both) {
        return None;
    }
    let clauses = speech.clauses(sentence);
    let fits = |clause: &&Sentence| may_quote(clause) && says(clause, asked);
    let clause = if clauses.iter().any(|clause| speech.corrects(clause)) {
        clauses.iter().rev().find(fits)
    } else {
        clauses.iter().find(fits)
    };
    clause.map(|clause| Detail::said(speech.quote(clause)))
}

/// What takes back a sentence later in the same answer: "Three months. No, sorry, two. I checked the contract, it is two
/// full months." The last of it counts.
fn correction(speech: &Speech, at: usize, says: Says) -> Option<Quote> {
    let rest = speech.rest_of_turn(at);
    let has_value = |sentence: &Sentence| sentence.number || sentence.cues.has(lists::PERIOD);
    let corrects = |sentence: &&Sentence| speech.corrects(sentence) && has_value(sentence);
    let first = rest.iter().position(|sentence| corrects(&sentence))?;
    let corrected = rest.get(first..)?;
    let more = corrected.iter().skip(1).take_while(|sentence| says(sentence, true) || corrects(sentence));
    let all = corrected.get(..=more.count())?;
    if !all.iter().all(may_quote) {
        return None;
    }
    Some(speech.quote_between(all.first()?, all.last()?))
}

fn says_notice(sentence: &Sentence, asked: bool) -> bool {
    let cues = sentence.cues;
    let time = cues.has(lists::PERIOD);
    // "We start in August with the budget" is nobody's start here.
    let start =
        cues.has(lists::START) && (asked || cues.has(lists::OWN) || sentence.words.len() <= SHORT_START);
    let said = cues.has(lists::NOTICE) && (time || sentence.number) || start && time;
    said || asked && time && !cues.has(lists::PAY)
}

fn says_salary(sentence: &Sentence, asked: bool) -> bool {
    let cues = sentence.cues;
    if cues.has(lists::NOTICE) {
        return false;
    }
    let sum = sentence.words.iter().any(is_sum);
    if asked {
        return (sentence.number || sum) && (cues.has(lists::EXPECT) || !cues.has(lists::PAY_HISTORY));
    }
    // "Three trips a month" is no pay.
    let money = sum && (cues.has(lists::PAY) || sentence.words.iter().any(is_thousands));
    money && cues.has(lists::EXPECT)
}

/// A number of two digits and more, or thousands.
fn is_sum(word: &Word<'_>) -> bool {
    let digits = word.text.chars().filter(char::is_ascii_digit).count();
    digits >= 2 || is_thousands(word)
}

/// "55k", "fünfundfünfzigtausend".
fn is_thousands(word: &Word<'_>) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // "560 000" is two words, and the second tells.
    word.text.ends_with("000") && digits(&word.text)
        || AMOUNT_THOUSANDS.iter().any(|ending| word.text.ends_with(ending))
        || word.text.strip_suffix('k').is_some_and(digits)
}

/// Whether a sentence is about notice, pay or a start, and therefore about no skill.
pub(super) fn is_practical(sentence: &Sentence, topic: Option<Topic>) -> bool {
    says_notice(sentence, topic == Some(Topic::Notice)) || says_salary(sentence, topic == Some(Topic::Salary))
}

fn says_location(sentence: &Sentence, asked: bool) -> bool {
    let cues = sentence.cues;
    // "I Sundbyberg": a name after the first word is enough once the question was asked.
    let names_place =
        sentence.words.iter().skip(1).any(|word| word.end - word.start > 2 && word.case != Case::Lower);
    cues.has(lists::LIVES) || is_somewhere(sentence) || asked && (cues.has(lists::PLACE) || names_place)
}

/// "I'm in Lund", "zu Hause, in Neuss": told in passing, in few words.
fn is_somewhere(sentence: &Sentence) -> bool {
    let named = |word: &Word<'_>| word.end - word.start > 2 && word.case != Case::Lower;
    let after = |start: &[&str]| {
        let runs = sentence.words.windows(start.len() + 1);
        let mut runs = runs.filter(|run| run.iter().zip(start).all(|(word, own)| word.text == **own));
        runs.any(|run| run.last().is_some_and(named))
    };
    AT_HOME.iter().any(|start| after(start))
}

fn says_languages(sentence: &Sentence, asked: bool) -> bool {
    let cues = sentence.cues;
    cues.has(lists::LANGUAGE_NAME) && (asked || cues.has(lists::LANGUAGE_ABILITY) && cues.has(lists::OWN))
}

/// Whether words are about what somebody earned and not about what is expected.
pub(super) fn is_pay_history(text: &str) -> bool {
    let words = words(text);
    cues(&words, languages(&words)).has(lists::PAY_HISTORY)
}
