//! Notice, start, pay expectation, place and languages, as the candidate put them. What somebody earned is not recorded.

use tata_phrases::{Case, Word};

use super::{
    artifact::{Detail, PracticalDetails, Quote},
    correction::{self, Correction, correction},
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
/// Fewer words than this, such as "That works", say nothing of a place or a language.
const LEAST_ANSWER: usize = 3;

/// The longest answer to a question for a detail, in characters; a longer one ends with a whole sentence.
const LONGEST_DETAIL: usize = 400;

/// What tells whether a sentence says a detail; whether it answers the question for it is said beside it.
type Says = fn(&Sentence, bool) -> bool;

/// The practical details of an interview.
pub(super) fn details(speech: &Speech, topics: &[Option<Topic>], texts: &Texts) -> PracticalDetails {
    let find = |topic: Topic, says: Says| {
        let finder = Finder { speech, topics, topic, says };
        finder.find().unwrap_or_else(|| Detail {
            text: texts.get(key!("candidate.not_discussed")).to_owned(),
            ..Detail::default()
        })
    };
    PracticalDetails {
        notice_period: find(Topic::Notice, says_notice),
        start: find(Topic::Start, says_start),
        salary_expectation: find(Topic::Salary, says_salary),
        location: find(Topic::Location, says_location),
        languages: find(Topic::Languages, says_languages),
    }
}

/// Words that a model found, with what the candidate corrected afterwards.
pub(super) fn handed_over(name: &str, quote: Quote, speech: &Speech) -> Detail {
    let says: Says = match name {
        "notice_period" => says_notice,
        "start" => says_start,
        "salary_expectation" => says_salary,
        _ => return Detail::said(quote),
    };
    let corrected = speech.sentence_of(&quote).and_then(|at| correction(speech, at, says));
    let Some(Correction { quote: after, changes: true }) = corrected else { return Detail::said(quote) };
    if after.text.contains(&quote.text) || quote.text.contains(&after.text) {
        return Detail::said(quote);
    }
    Detail { corrected: Some(quote), ..Detail::said(after) }
}

/// Whether former pay was mentioned.
pub(super) fn tells_pay_history(speech: &Speech) -> bool {
    speech.sentences.iter().any(|sentence| sentence.cues.has(lists::PAY_HISTORY) && sentence.number)
}

/// Looks for one detail.
struct Finder<'a> {
    speech: &'a Speech,
    topics: &'a [Option<Topic>],
    topic: Topic,
    says: Says,
}

impl Finder<'_> {
    /// The first sentence that answers the question, else the first that says it anywhere, and what corrects it: in the
    /// same answer, or later in the interview. Where a sentence also holds what must not be quoted, only the clause that
    /// answers.
    fn find(&self) -> Option<Detail> {
        for asked in [true, false] {
            for (at, (sentence, other)) in self.speech.sentences.iter().zip(self.topics).enumerate() {
                if (!asked || *other == Some(self.topic))
                    && let Some(detail) = self.said_in(at, sentence, asked)
                {
                    return Some(self.corrected_later(at, detail));
                }
            }
        }
        self.answered()
    }

    /// Whatever was answered to the question is the answer, as long as it may be quoted and says something. Pay needs a
    /// figure, and notice and start a time.
    fn answered(&self) -> Option<Detail> {
        let fits = |sentence: &Sentence| match self.topic {
            Topic::Notice | Topic::Start => sentence.number || sentence.cues.has(lists::PERIOD),
            Topic::Location | Topic::Languages => true,
            Topic::Salary | Topic::Motivation | Topic::Background => false,
        };
        // "How soon could you come?" "I have one month." tells the notice.
        let is_bound = |sentence: &Sentence| {
            let cues = sentence.cues;
            let told = sentence.number || sentence.words.len() <= SHORT_START;
            told && cues.has(lists::MONTHS) && !cues.has(lists::START)
        };
        let answers = |topic: Option<Topic>, sentence: &Sentence| {
            let bound = self.topic == Topic::Notice && topic == Some(Topic::Start) && is_bound(sentence);
            let own = topic == Some(self.topic) && fits(sentence) || bound;
            own && may_quote(sentence) && !sentence.cues.has(lists::PAY_HISTORY)
        };
        let mut all = self.speech.sentences.iter().zip(self.topics).enumerate();
        let (at, _) = all.find(|(_, (sentence, topic))| answers(**topic, sentence))?;
        let quote = self.whole(at);
        let enough = quote.text.split(' ').count() >= LEAST_ANSWER || self.topic == Topic::Notice;
        enough.then(|| Detail::said(quote))
    }

    /// The detail, if a sentence says it.
    fn said_in(&self, at: usize, sentence: &Sentence, asked: bool) -> Option<Detail> {
        let says = self.says;
        let said = says(sentence, asked);
        // "I have forty-six today and would like fifty-two": what somebody has is not recorded.
        let cues = sentence.cues;
        let with_present = self.topic == Topic::Salary && cues.has(lists::TODAY) && cues.has(lists::EXPECT);
        if said && may_quote(sentence) && !with_present {
            let Some(Correction { quote, changes }) = correction(self.speech, at, says) else {
                return Some(Detail::said(self.whole(at)));
            };
            let before = changes.then(|| self.speech.quote(sentence));
            return Some(Detail { corrected: before, ..Detail::said(quote) });
        }
        // Notice and pay in one breath are two answers.
        let both = sentence.cues.has(lists::PAY) && sentence.cues.has(lists::NOTICE);
        if sentence.question || !(said || both) {
            return None;
        }
        let clauses = self.speech.clauses(sentence);
        let fits = |clause: &&Sentence| {
            let present = with_present && clause.cues.has(lists::TODAY);
            may_quote(clause) && says(clause, asked) && !present
        };
        let clause = if clauses.iter().any(|clause| self.speech.corrects(clause)) {
            clauses.iter().rev().find(fits)
        } else {
            clauses.iter().find(fits)
        };
        clause.map(|clause| Detail::said(self.speech.quote(clause)))
    }

    /// A sentence with those after it that say more about the same: "Three months, from the end of the month. I could ask
    /// to leave after two."
    fn whole(&self, at: usize) -> Quote {
        let Some(mut first) = self.speech.sentences.get(at) else { return Quote::default() };
        let mut rest = self.speech.rest_of_turn(at);
        let asked = self.topics.get(at).copied().flatten() == Some(self.topic);
        // How somebody speaks a language is told by the whole answer: "Fair. I write, speaking is harder."
        if asked && self.topic == Topic::Languages {
            let turn = self.speech.turn_of(at);
            let opens = turn.iter().position(may_quote);
            if let Some((opening, others)) = opens.and_then(|at| turn.get(at..)).and_then(<[_]>::split_first)
            {
                (first, rest) = (opening, others);
            }
        }
        let last = rest
            .iter()
            .take_while(|next| may_quote(next) && self.goes_on(next, asked))
            .take_while(|next| next.span.1.saturating_sub(first.span.0) <= LONGEST_DETAIL)
            .last();
        self.speech.quote_between(first, last.unwrap_or(first))
    }

    /// Whether a sentence says more about the detail that the one before it said.
    fn goes_on(&self, next: &Sentence, asked: bool) -> bool {
        let cues = next.cues;
        let timed = next.number || cues.has(lists::PERIOD);
        match self.topic {
            Topic::Notice => {
                timed && !cues.has(lists::PAY) || cues.has(lists::NOTICE) || cues.has(lists::START)
            }
            Topic::Start => (asked || timed) && !cues.has(lists::PAY) || cues.has(lists::START),
            Topic::Salary => next.number && (cues.has(lists::PAY) || cues.has(lists::EXPECT)),
            Topic::Location => cues.has(lists::LIVES) || cues.has(lists::PLACE) && !next.number,
            Topic::Languages => asked,
            Topic::Motivation | Topic::Background => false,
        }
    }

    /// What the candidate takes back later in the interview: "By the way, I said three months' notice, it is two."
    fn corrected_later(&self, at: usize, detail: Detail) -> Detail {
        let (says, end) = (self.says, at + self.speech.rest_of_turn(at).len());
        let mut later = self.speech.sentences.iter().enumerate().skip(end + 1);
        let corrects = |sentence: &Sentence| {
            let takes_back = self.speech.corrects(sentence) || sentence.cues.has(lists::RECALLED);
            takes_back && may_quote(sentence) && says(sentence, false)
        };
        let Some((at, sentence)) = later.rfind(|(_, sentence)| corrects(sentence)) else {
            return detail;
        };
        let quote = self.whole(at);
        let before =
            self.speech.sentences.iter().find(|one| {
                detail.quote.as_ref().is_some_and(|known| self.speech.quote(one).text == known.text)
            });
        if before.is_some_and(|before| !correction::changes(before, sentence)) {
            return detail;
        }
        Detail { corrected: detail.quote, ..Detail::said(quote) }
    }
}

fn says_notice(sentence: &Sentence, asked: bool) -> bool {
    let cues = sentence.cues;
    let time = cues.has(lists::PERIOD);
    let said = cues.has(lists::NOTICE) && (time || sentence.number);
    said || asked && time && !cues.has(lists::PAY)
}

fn says_start(sentence: &Sentence, asked: bool) -> bool {
    let cues = sentence.cues;
    let time = cues.has(lists::PERIOD);
    // "We start in August with the budget" is nobody's start here.
    let own = asked || cues.has(lists::OWN) || sentence.words.len() <= SHORT_START;
    cues.has(lists::START) && own && time || asked && time && !cues.has(lists::PAY)
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

/// Whether a sentence is about notice, a start or pay, and therefore about no skill.
pub(super) fn is_practical(sentence: &Sentence, topic: Option<Topic>) -> bool {
    says_notice(sentence, topic == Some(Topic::Notice))
        || says_start(sentence, topic == Some(Topic::Start))
        || says_salary(sentence, topic == Some(Topic::Salary))
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
