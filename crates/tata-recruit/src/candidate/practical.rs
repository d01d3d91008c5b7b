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

/// The practical details of an interview.
pub(super) fn details(speech: &Speech, topics: &[Option<Topic>], texts: &Texts) -> PracticalDetails {
    let find = |topic: Topic, says: fn(&Sentence, bool) -> bool| {
        let quote = find(speech, topics, topic, says);
        let text =
            quote.as_ref().map_or(texts.get(key!("candidate.not_discussed")), |quote| quote.text.as_str());
        Detail { text: text.to_owned(), quote }
    };
    PracticalDetails {
        notice_period: find(Topic::Notice, says_notice),
        salary_expectation: find(Topic::Salary, says_salary),
        location: find(Topic::Location, says_location),
        languages: find(Topic::Languages, says_languages),
    }
}

/// Whether former pay was mentioned.
pub(super) fn tells_pay_history(speech: &Speech) -> bool {
    speech.sentences.iter().any(|sentence| sentence.cues.has(lists::PAY_HISTORY) && sentence.number)
}

/// The first sentence that answers the question, else the first that says it anywhere. Where a sentence also holds what
/// must not be quoted, only the clause that answers.
fn find(
    speech: &Speech,
    topics: &[Option<Topic>],
    topic: Topic,
    says: fn(&Sentence, bool) -> bool,
) -> Option<Quote> {
    let said = [true, false].into_iter().find_map(|asked| {
        let sentences = speech.sentences.iter().zip(topics);
        sentences.filter(|(_, other)| !asked || **other == Some(topic)).find_map(|(sentence, _)| {
            let said = says(sentence, asked);
            if said && may_quote(sentence) {
                return Some(speech.quote(sentence));
            }
            // Notice and pay in one breath are two answers.
            let both = sentence.cues.has(lists::PAY) && sentence.cues.has(lists::NOTICE);
            if sentence.question || !(said || both) {
                return None;
            }
            let clauses = speech.clauses(sentence);
            let clause = clauses.iter().find(|clause| may_quote(clause) && says(clause, asked))?;
            Some(speech.quote(clause))
        })
    });
    // Whatever was answered to the question is the answer, as long as it may be quoted. Pay needs a figure.
    let answers = |(sentence, other): &(&Sentence, &Option<Topic>)| {
        **other == Some(topic) && may_quote(sentence) && !sentence.cues.has(lists::PAY_HISTORY)
    };
    let mut answered = speech.sentences.iter().zip(topics).filter(|_| topic != Topic::Salary);
    said.or_else(|| answered.find(answers).map(|(sentence, _)| speech.quote(sentence)))
}

fn says_notice(sentence: &Sentence, asked: bool) -> bool {
    let cues = sentence.cues;
    let time = cues.has(lists::PERIOD);
    let said = cues.has(lists::NOTICE) && (time || sentence.number) || cues.has(lists::START) && time;
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
    cues.has(lists::LIVES) || asked && (cues.has(lists::PLACE) || names_place)
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
