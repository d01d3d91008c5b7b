//! Questions with their answers. An answer belongs to the question before it: "Yes, since 2011" says something about the
//! licence because the licence was asked for.

use std::collections::{BTreeMap, BTreeSet};
use tata_language::identify::is_frequent;
use tata_phrases::{Case, Word};

use super::{
    artifact::Quote,
    lexicon::{ANY, Spoken, cues, cues_of, lists, words},
    names::Scrubber,
    practical::is_practical,
    speech::{Sentence, Speech, Turn},
    topics::{ProfileTopics, Terms, Topic, telling},
};
use crate::{Evidence, ScreeningTemplate, clip::start, cues::List, tidy};

/// A question of so few words asks on: "And then?", "Which level would you say?"
const SHORT_QUESTION: usize = 7;
/// Fewer words are no answer to what was no question: "Thank you, I'd like that."
pub(super) const LEAST_ANSWER: usize = 6;
/// A remark of more words tells something of the others; one of so few may name what is talked about.
const LONGEST_REMARK: usize = 6;
/// A question of so few words may be about what the one before was about: "A thousand a year?"
const BARE_QUESTION: usize = 4;
/// "Ihnen" and its like are written with a capital letter, too.
const LONGEST_PRONOUN: usize = 5;
/// A question of so few words that names a language asks for it: "How is your Danish?"
const SHORT_LANGUAGE: usize = 5;
/// The longest question that is shown, in characters.
const LONGEST_QUESTION: usize = 240;
/// The longest answer that is quoted, in characters; longer ones end with a whole sentence.
const LONGEST_ANSWER: usize = 700;
/// How many letters in a row count when nothing but likeness is left.
const LETTERS: usize = 4;

/// A word of so many letters names something even where it is frequent: "Ausbildung".
const LONG_WORD: usize = 8;

/// How an exchange speaks of something, the clearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Link {
    /// The question names it.
    Asked,
    /// The question goes on about it.
    Followed,
    /// The answer names it.
    Answered,
}

/// A question and the answer to it.
pub(super) struct Exchange {
    /// What the others said before the answer.
    pub(super) asked: String,
    /// The sentences of the answer.
    pub(super) answer: std::ops::Range<usize>,
    /// What the question asks for, skills apart.
    pub(super) topic: Option<Topic>,
    /// It is about nothing but the conversation itself, or about what nobody may ask for.
    pub(super) aside: bool,
    /// It is a few words to a remark, which ask and answer nothing: what comes next goes on from what was before.
    between: bool,
    /// The skills it speaks of, by their places in the list.
    pub(super) skills: BTreeMap<usize, Link>,
}

/// The interview as questions and answers.
pub(super) struct Interview<'a> {
    pub(super) speech: &'a Speech,
    pub(super) exchanges: Vec<Exchange>,
    scrubber: Scrubber,
}

impl<'a> Interview<'a> {
    /// Cuts an interview into exchanges and finds what each of them is about.
    pub(super) fn new(
        speech: &'a Speech,
        template: &ScreeningTemplate,
        wanted: &ProfileTopics,
        scrubber: Scrubber,
    ) -> Self {
        let asked = template.motivation.iter().map(|one| telling(&words(&one.text), speech.spoken));
        let motivation: Vec<Vec<String>> = asked.filter(|known| known.len() > 1).collect();
        let mut exchanges: Vec<Exchange> = Vec::new();
        let mut asked = String::new();
        for turn in &speech.turns {
            match turn {
                Turn::Other(said) => asked.clone_from(said),
                Turn::Candidate(answer) => {
                    let exchange = Exchange {
                        asked: std::mem::take(&mut asked),
                        answer: answer.clone(),
                        topic: None,
                        aside: false,
                        between: false,
                        skills: BTreeMap::new(),
                    };
                    let before = exchanges.iter().rfind(|exchange| !exchange.between);
                    let placed = exchange.placed(before, speech, wanted, &motivation);
                    exchanges.push(placed);
                }
            }
        }
        Self { speech, exchanges, scrubber }
    }

    /// What every sentence of the candidate answers, skills apart.
    pub(super) fn topics(&self) -> Vec<Option<Topic>> {
        let mut topics = vec![None; self.speech.sentences.len()];
        for exchange in &self.exchanges {
            topics.get_mut(exchange.answer.clone()).unwrap_or_default().fill(exchange.topic);
        }
        topics
    }

    /// The answers that speak of a skill, the clearest first.
    pub(super) fn about_skill(&self, at: usize) -> Vec<&Exchange> {
        let mut found: Vec<&Exchange> =
            self.exchanges.iter().filter(|exchange| exchange.skills.contains_key(&at)).collect();
        found.sort_by_key(|exchange| exchange.skills.get(&at));
        found
    }

    /// The answers to questions for a topic, and those of which a sentence says so itself.
    pub(super) fn about(&self, topic: Topic, says: List) -> Vec<&Exchange> {
        let own = |exchange: &&Exchange| {
            let says = || self.sentences(exchange).iter().any(|sentence| sentence.cues.has(says));
            !exchange.aside && (exchange.topic == Some(topic) || says())
        };
        self.exchanges.iter().filter(own).collect()
    }

    /// The exchanges whose words look most like these.
    pub(super) fn nearest(&self, name: &str, most: usize) -> Vec<Quote> {
        let wanted = grams(name);
        let near = |exchange: &Exchange| {
            let quote = self.quote(exchange)?;
            let said = grams(&format!("{} {}", exchange.asked, quote.text));
            let alike = wanted.intersection(&said).count();
            // One run of letters in common says nothing.
            (alike > 1).then_some((alike, quote))
        };
        let asked = self.exchanges.iter().filter(|exchange| !exchange.aside);
        let mut found: Vec<(usize, Quote)> = asked.filter_map(near).collect();
        found.sort_by_key(|(alike, _)| std::cmp::Reverse(*alike));
        found.into_iter().take(most).map(|(_, quote)| quote).collect()
    }

    /// The answer in the candidate's own words with the question before it; nothing where nothing may be quoted.
    pub(super) fn quote(&self, exchange: &Exchange) -> Option<Quote> {
        let sentences = self.sentences(exchange);
        // Notice and pay have a place of their own in the report.
        let fits = |sentence: &Sentence| may_quote(sentence) && !is_practical(sentence, exchange.topic);
        // What may not be quoted is never bridged: the quotation ends before it.
        let mut fine =
            sentences.iter().skip_while(|sentence| !fits(sentence)).take_while(|sentence| fits(sentence));
        let first = fine.next()?;
        let short = |sentence: &&Sentence| sentence.span.1.saturating_sub(first.span.0) <= LONGEST_ANSWER;
        let last = fine.take_while(short).last().unwrap_or(first);
        Some(Quote { question: self.question(exchange), ..self.speech.quote_between(first, last) })
    }

    /// Whether an answer has something that may speak against what was asked for.
    pub(super) fn is_doubtful(&self, exchange: &Exchange) -> bool {
        let weak = |sentence: &Sentence| {
            let lacks = sentence.cues.has(lists::LACKING) || sentence.cues.has(lists::WEAK);
            // "We never missed a date" is nothing that is missing.
            lacks && !sentence.cues.has(lists::PRAISE)
        };
        self.is_declined(exchange) || self.sentences(exchange).iter().any(weak)
    }

    /// Whether an answer begins with a no, or says that the candidate is not sure. What somebody lacks where they are is
    /// why they want to leave, and speaks for them.
    pub(super) fn is_declined(&self, exchange: &Exchange) -> bool {
        let sentences = self.sentences(exchange);
        sentences.first().is_some_and(|first| self.speech.opens_with(first, lists::NO))
            || sentences.iter().any(|sentence| sentence.cues.has(lists::UNSURE))
    }

    /// The sentence of a quoted answer that speaks most clearly against what was asked for.
    pub(super) fn decisive(&self, quote: &Quote) -> Option<Quote> {
        let inside = |sentence: &&Sentence| {
            let spans = self.speech.quote(sentence).spans;
            let within =
                |one: &Evidence| quote.spans.iter().any(|all| all.start <= one.start && one.end <= all.end);
            spans.first().is_some_and(within)
        };
        let said: Vec<&Sentence> = self.speech.sentences.iter().filter(inside).collect();
        let clear = said.iter().find(|one| one.cues.has(lists::LACKING) || one.cues.has(lists::UNSURE));
        let declined = || said.first().filter(|first| self.speech.opens_with(first, lists::NO));
        let weak = || said.iter().find(|one| one.cues.has(lists::WEAK) && !one.cues.has(lists::PRAISE));
        let sentence = clear.or_else(declined).or_else(weak)?;
        Some(Quote { question: quote.question.clone(), ..self.speech.quote(sentence) })
    }

    pub(super) fn sentences(&self, exchange: &Exchange) -> &[Sentence] {
        self.speech.sentences.get(exchange.answer.clone()).unwrap_or_default()
    }

    /// The question as it may be shown: without a name, and not at all where it touches on what is private.
    pub(super) fn question(&self, exchange: &Exchange) -> Option<String> {
        let sentences: Vec<&str> = sentences(&exchange.asked).collect();
        let asks = sentences.iter().rposition(|sentence| sentence.ends_with('?'));
        let last = asks.unwrap_or_else(|| sentences.len().saturating_sub(1));
        // One sentence is the question; what else the others said is not for a report.
        let shown = tidy(sentences.get(last)?);
        let cues = cues(&words(&shown), self.speech.spoken);
        if asks.is_none() && !cues.has(lists::ASK_TELL) && shown.split(' ').count() > LONGEST_REMARK {
            return None;
        }
        let short: String = shown.chars().take(LONGEST_QUESTION).collect();
        (!cues.is_protected()).then(|| self.scrubber.scrub(&short))
    }
}

impl Exchange {
    /// The exchange with what it is about.
    fn placed(
        mut self,
        before: Option<&Self>,
        speech: &Speech,
        wanted: &ProfileTopics,
        motivation: &[Vec<String>],
    ) -> Self {
        let said = words(&self.asked);
        let own = speech.sentences.get(self.answer.clone()).unwrap_or_default();
        let cues = cues(&said, speech.spoken);
        // "I will ask about the role. All right?" "Sounds good.": that is about nothing but the conversation.
        self.topic = topic(&self.asked, speech.spoken, motivation).or_else(|| wanted.place(&self.asked));
        if is_small_talk(&self.asked, self.topic, speech.spoken) || asks_private(&self.asked, speech.spoken) {
            (self.aside, self.topic) = (true, None);
            return self;
        }
        let remark = !self.asked.contains('?') && !cues.has(lists::ASK_TELL);
        // "It sounds as if you knew payroll, too": nobody asked for pay. "The office is in Kolding": what follows is about
        // the way.
        if remark && said.len() > LONGEST_REMARK {
            self.topic = self.topic.filter(|topic| *topic == Topic::Location);
        }
        // "We have clusters here." "Right.": nothing was asked, and nothing answered.
        if remark && own.iter().map(|sentence| sentence.words.len()).sum::<usize>() < LEAST_ANSWER {
            self.between = true;
            return self;
        }
        let mut asked = if self.topic.is_some_and(Topic::is_apart) {
            Vec::new()
        } else {
            wanted.asked(&on_topic(&self.asked, speech.spoken), self.topic, speech.spoken)
        };
        // "So no production clusters?" after the clusters is about them, although another skill names production.
        let known = |at: &usize| before.is_some_and(|before| before.skills.contains_key(at));
        if asked.iter().any(known) {
            asked.retain(known);
        }
        for (at, skill) in wanted.skills.iter().enumerate() {
            // What is said to "Any Danish?" is not about the Swedish that is wanted.
            let elsewhere = skill.language && cues.has(lists::LANGUAGE_NAME);
            let told = |sentence: &Sentence| may_quote(sentence) && skill.is_told_by(sentence);
            let answered = || !elsewhere && own.iter().any(told);
            if asked.contains(&at) {
                self.skills.insert(at, Link::Asked);
            } else if answered() {
                self.skills.insert(at, Link::Answered);
            }
        }
        let asked_for = !asked.is_empty();
        let last = sentences(&self.asked).last().unwrap_or_default();
        let length = words(last).len();
        let short = self.asked.contains('?') && length <= SHORT_QUESTION;
        let goes_on = remark || short || cues.has(lists::ASK_MORE);
        if let Some(before) = before.filter(|_| goes_on && !asked_for && self.topic.is_none()) {
            self.topic = before.topic.filter(|_| remark || length <= BARE_QUESTION);
            // "So March?" after the notice asks for the start.
            let timed = self.asked.contains('?') && (cues.has(lists::PERIOD) || cues.has(lists::START));
            if timed && matches!(before.topic, Some(Topic::Notice | Topic::Start)) {
                self.topic = Some(Topic::Start);
            }
            let same = remark || cues.has(lists::ASK_MORE) || !before.is_left(last, speech);
            for (at, _) in before.skills.iter().filter(|(_, link)| same && **link != Link::Answered) {
                self.skills.entry(*at).or_insert(Link::Followed);
            }
        }
        self
    }

    /// Whether a question is about something else: it has a name that nobody had said, or shares no word with what was
    /// said. "Have you used Terraform?" after the English is no longer about the English.
    fn is_left(&self, question: &str, speech: &Speech) -> bool {
        let own = speech.sentences.get(self.answer.clone()).unwrap_or_default();
        let mut said = words(&self.asked);
        said.extend(own.iter().flat_map(|sentence| sentence.words.iter().cloned()));
        // A noun or a name that nobody had said, however frequent: "Wie sind Sie als Kollege?"
        let asked = words(question);
        let is_named = |word: &&Word<'_>| word.case != Case::Lower && word.end - word.start > LONGEST_PRONOUN;
        let is_said = |word: &Word<'_>| said.iter().any(|known| known.text == word.text);
        let named = asked.iter().skip(1).filter(is_named).any(|word| !is_said(word));
        named || Terms::of(question).is_new(&said)
    }
}

/// Whether a sentence may be quoted: nothing private, no former pay, no question.
pub(super) fn may_quote(sentence: &Sentence) -> bool {
    let cues = sentence.cues;
    // "More responsibility than I have today" is not about pay; a figure or a word for pay makes it so.
    let about_pay = sentence.number || cues.has(lists::PAY) || cues.has(lists::EXPECT);
    let pay_history = cues.has(lists::PAY_HISTORY) && about_pay;
    !sentence.words.is_empty() && !sentence.question && !cues.is_protected() && !pay_history
}

/// What is asked for, by the last sentence that says so.
fn topic(asked: &str, spoken: Spoken, motivation: &[Vec<String>]) -> Option<Topic> {
    let topics = sentences(asked).filter_map(|sentence| {
        let words = words(sentence);
        let cues = cues(&words, spoken);
        let cue = Topic::ASKED.into_iter().find(|(cue, _)| cues.has(*cue)).map(|(_, topic)| topic);
        // One list has the questions for notice and start; a word for notice tells which.
        let cue = match cue {
            Some(Topic::Notice) if !cues.has(lists::NOTICE) => Some(Topic::Start),
            None if sentence.ends_with('?') && cues.has(lists::START) => Some(Topic::Start),
            // "And Danish?"
            None if words.len() <= SHORT_LANGUAGE
                && cues.has(lists::LANGUAGE_NAME)
                && sentence.ends_with('?') =>
            {
                Some(Topic::Languages)
            }
            other => other,
        };
        let known = |known: &Vec<String>| {
            let there = known.iter().filter(|term| words.iter().any(|word| word.text == **term)).count();
            there > 1 && there * 100 >= known.len() * 60
        };
        cue.or_else(|| motivation.iter().any(known).then_some(Topic::Motivation))
    });
    topics.last()
}

/// What the others said without their thanks for the answer before: "Thanks for being clear. How do you …?" asks for no
/// clear language.
fn on_topic(asked: &str, spoken: Spoken) -> String {
    let thanks = |sentence: &&str| {
        let words = words(sentence);
        let opening = words.get(..words.len().min(2)).unwrap_or_default();
        !sentence.ends_with('?') && cues(opening, spoken).has(lists::THANKS)
    };
    sentences(asked).filter(|sentence| !thanks(sentence)).collect::<Vec<_>>().join(" ")
}

/// Whether something was asked that nobody may be judged by: what is answered to it stays out of the report.
fn asks_private(asked: &str, spoken: Spoken) -> bool {
    let asks = |sentence: &&str| sentence.ends_with('?');
    sentences(asked).filter(asks).last().is_some_and(|last| cues(&words(last), spoken).is_protected())
}

/// Whether the last thing that was asked is about the conversation itself. "The office is in Oslo. Does that suit?" asks
/// for the place.
fn is_small_talk(asked: &str, topic: Option<Topic>, spoken: Spoken) -> bool {
    if topic == Some(Topic::Location) {
        return false;
    }
    let of = |sentence: &str| cues(&words(sentence), spoken);
    let asks = |sentence: &&str| sentence.ends_with('?') || of(sentence).has(lists::ASK_TELL);
    sentences(asked).filter(asks).last().is_some_and(|last| of(last).has(lists::SMALL_TALK))
}

pub(super) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(['.', '?', '!']).map(str::trim).filter(|sentence| !sentence.is_empty())
}

/// The runs of letters in the words of a text that name something.
fn grams(text: &str) -> BTreeSet<String> {
    let mut grams = BTreeSet::new();
    for word in words(start(text, 4_000)) {
        let cues = cues_of(&word, ANY);
        let small = is_frequent(&word.text) && word.text.chars().count() < LONG_WORD;
        if cues.has(lists::COMMON) || small {
            continue;
        }
        let letters: Vec<char> = word.text.chars().collect();
        grams.extend(letters.windows(LETTERS).map(|run| run.iter().collect::<String>()));
    }
    grams
}
