//! Notice, pay expectation, place and languages, as the candidate put them. What somebody earned is not recorded.

use super::{
    artifact::{Detail, PracticalDetails, Quote},
    lexicon::{Cue, Lexicon, Marks},
    rate::may_quote,
    speech::{Sentence, Speech},
    topics::Topic,
};
use crate::Texts;

/// What was found, and whether former pay was mentioned.
pub(super) struct Found {
    pub(super) details: PracticalDetails,
    pub(super) pay_history: bool,
}

/// The practical details of an interview.
pub(super) fn details(speech: &Speech, topics: &[Option<Topic>], texts: &Texts) -> Found {
    let find = |topic: Topic, says: fn(&Sentence, bool) -> bool| {
        let quote = find(speech, topics, topic, says);
        let text = quote.as_ref().map_or(texts.get("candidate.not_discussed"), |quote| quote.text.as_str());
        Detail { text: text.to_owned(), quote }
    };
    let details = PracticalDetails {
        notice_period: find(Topic::Notice, says_notice),
        salary_expectation: find(Topic::Salary, says_salary),
        location: find(Topic::Location, says_location),
        languages: find(Topic::Languages, says_languages),
    };
    let pay_history =
        speech.sentences.iter().any(|sentence| sentence.marks.has(Cue::PayHistory) && sentence.number);
    Found { details, pay_history }
}

/// The first sentence that answers the question, else the first that says it anywhere. Where a sentence also holds what
/// must not be quoted, only the clause that answers.
fn find(
    speech: &Speech,
    topics: &[Option<Topic>],
    topic: Topic,
    says: fn(&Sentence, bool) -> bool,
) -> Option<Quote> {
    [true, false].into_iter().find_map(|asked| {
        let sentences = speech.sentences.iter().zip(topics);
        sentences.filter(|(_, other)| !asked || **other == Some(topic)).find_map(|(sentence, _)| {
            if may_quote(sentence) {
                return says(sentence, asked).then(|| speech.quote(sentence));
            }
            if sentence.question || !says(sentence, asked) {
                return None;
            }
            let clauses = speech.clauses(sentence);
            let clause = clauses.iter().find(|clause| may_quote(clause) && says(clause, asked))?;
            Some(speech.quote(clause))
        })
    })
}

fn says_notice(sentence: &Sentence, asked: bool) -> bool {
    let marks = sentence.marks;
    let time = marks.has(Cue::Period);
    let said = marks.has(Cue::Notice) && (time || sentence.number) || marks.has(Cue::Start) && time;
    said || asked && time
}

fn says_salary(sentence: &Sentence, asked: bool) -> bool {
    let marks = sentence.marks;
    let amount = sentence.number && !marks.has(Cue::Notice);
    let about_pay = asked || marks.has(Cue::Pay);
    about_pay && amount && (marks.has(Cue::Expect) || asked && !marks.has(Cue::PayHistory))
}

fn says_location(sentence: &Sentence, asked: bool) -> bool {
    let marks = sentence.marks;
    // "I Sundbyberg": a name after the first word is enough once the question was asked.
    let names_place = sentence.words.iter().skip(1).any(|word| {
        word.written.chars().count() > 2 && word.written.chars().next().is_some_and(char::is_uppercase)
    });
    marks.has(Cue::Lives) || asked && (marks.has(Cue::Place) || names_place)
}

fn says_languages(sentence: &Sentence, asked: bool) -> bool {
    let marks = sentence.marks;
    marks.has(Cue::LanguageName) && (asked || marks.has(Cue::LanguageAbility) && marks.has(Cue::Own))
}

/// Whether words are about what somebody earned and not about what is expected.
pub(super) fn is_pay_history(text: &str) -> bool {
    let lexicon = Lexicon::get();
    let words = super::lexicon::words(text.chars());
    let marks: Marks = lexicon.marks(&words, lexicon.languages(&words));
    marks.has(Cue::PayHistory)
}
