//! The rule by which code proposes a rating, and what ratings add up to.
//!
//! The rule is small and can be explained to a candidate. A skill is **3** when the candidate tells an own action and a
//! result or a figure about it, and **4** when there is a measured result: an own action, and a sentence that has both a
//! result and a figure, in at least two sentences together.
//! Motivation is **3** when a reason is tied to this role and **4** when there is also a next step. Everything else is
//! left to a person: code never proposes 1 or 2, because silence proves nothing; nor 5, because depth needs judgment;
//! nor anything once the candidate says that experience is missing; nor for papers and working hours, which are there or
//! not. How often a word occurs never matters.
//!
//! A sentence is about a skill when it has the skill's own words, or when it answers a question that names the skill.
//! Notice, pay and a start are never about a skill.

use super::{
    artifact::{Assessment, Basis, Quote, Rating, Recommendation},
    lexicon::Cue,
    practical::is_practical,
    speech::{Sentence, Speech},
    topics::{Skill, Terms, Topic},
};
use crate::{Anchors, Profile, Texts};

/// The most examples of one assessment.
pub(super) const MOST_EXAMPLES: usize = 3;
/// A shorter sentence shows nothing.
const LEAST_WORDS: usize = 5;

/// "I have a licence" says enough about a paper.
const LEAST_ABOUT_PAPERS: usize = 3;

/// What the sentences about a skill contain.
#[derive(Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "five findings that are independent of each other")]
struct Shown {
    action: bool,
    result: bool,
    figure: bool,
    measured: bool,
    lacking: bool,
    concrete_sentences: usize,
}

/// Whether a sentence may be quoted: nothing private, no former pay, no question.
pub(super) fn may_quote(sentence: &Sentence) -> bool {
    let marks = sentence.marks;
    // "More responsibility than I have today" is not about pay; a figure or a word for pay makes it so.
    let about_pay = sentence.number || marks.has(Cue::Pay) || marks.has(Cue::Expect);
    let pay_history = marks.has(Cue::PayHistory) && about_pay;
    !sentence.question && !marks.is_protected() && !pay_history
}

/// Whether a sentence tells something the candidate did.
pub(super) fn has_action(sentence: &Sentence) -> bool {
    let marks = sentence.marks;
    marks.has(Cue::Own) && marks.has(Cue::Action) && !marks.has(Cue::Unreal) && !marks.has(Cue::Lacking)
}

/// What the interview shows about a skill.
pub(super) fn skill(
    at: usize,
    skill: &Skill,
    speech: &Speech,
    topics: &[Option<Topic>],
    texts: &Texts,
) -> Assessment {
    let about: Vec<&Sentence> = speech
        .sentences
        .iter()
        .zip(topics)
        .filter(|(sentence, topic)| {
            let asked = **topic == Some(Topic::Skill(at));
            // A language, a paper or the will to travel is not shown by what else comes up in the answer.
            let answered = asked && !skill.language && !skill.formal;
            let touched =
                (skill.language || skill.formal && asked) && skill.terms.touched_by(&sentence.words);
            may_quote(sentence)
                && !is_practical(sentence, **topic)
                && (answered || touched || skill.terms.in_words(&sentence.words))
        })
        .map(|(sentence, _)| sentence)
        .filter(|sentence| {
            sentence.words.len() >= if skill.formal { LEAST_ABOUT_PAPERS } else { LEAST_WORDS }
        })
        .collect();
    let mut shown = Shown::default();
    for sentence in &about {
        let (action, result) = (has_action(sentence), sentence.marks.has(Cue::Outcome));
        shown.action |= action;
        shown.result |= result;
        shown.figure |= sentence.number && (action || result);
        shown.measured |= sentence.number && result;
        shown.lacking |= sentence.marks.has(Cue::Lacking);
        shown.concrete_sentences += usize::from(action || result);
    }
    let examples = examples(speech, &about, |sentence| {
        let marks = sentence.marks;
        (has_action(sentence), marks.has(Cue::Outcome), sentence.number || marks.has(Cue::Lacking))
    });
    let rating = if skill.language || skill.formal || shown.lacking || !shown.action {
        None
    } else if shown.measured && shown.concrete_sentences >= 2 {
        Some(Rating::STRONG)
    } else if shown.result || shown.figure {
        Some(Rating::MEETS)
    } else {
        None
    };
    let why = if examples.is_empty() {
        if skill.language { "not_heard_language" } else { "not_talked_about" }
    } else if skill.language {
        "language"
    } else if shown.lacking {
        "lacking"
    } else if skill.formal {
        "formal"
    } else if !shown.action {
        "no_action"
    } else {
        "no_result"
    };
    let explanation = match rating {
        Some(rating) => proposed(rating, "skill", &skill.anchors, texts),
        None => texts.get(&format!("candidate.not_assessed.{why}")).to_owned(),
    };
    assessment(&skill.name, skill.must_have, examples, rating, explanation, texts)
}

/// What the interview shows about motivation.
pub(super) fn motivation(
    speech: &Speech,
    topics: &[Option<Topic>],
    profile: &Profile,
    anchors: &Anchors,
    texts: &Texts,
) -> Assessment {
    let role = role_terms(profile);
    let about: Vec<&Sentence> = speech
        .sentences
        .iter()
        .zip(topics)
        .filter(|(sentence, topic)| {
            // Whoever says why they applied has been asked, in whatever words.
            let asked = **topic == Some(Topic::Motivation) || sentence.marks.has(Cue::Applied);
            asked && !is_practical(sentence, **topic)
        })
        .filter(|(sentence, _)| may_quote(sentence))
        .map(|(sentence, _)| sentence)
        .filter(|sentence| sentence.words.len() >= LEAST_WORDS)
        .collect();
    let tied = |sentence: &Sentence| role.iter().any(|terms| terms.touched_by(&sentence.words));
    let has = |cue: Cue| about.iter().any(|sentence| sentence.marks.has(cue));
    let reason = has(Cue::Reason) || has(Cue::Applied);
    let tie = about.iter().any(|sentence| tied(sentence));
    let rating = match (reason && tie, has(Cue::Plan) && about.len() >= 2) {
        (true, true) => Some(Rating::STRONG),
        (true, false) => Some(Rating::MEETS),
        (false, _) => None,
    };
    let examples = examples(speech, &about, |sentence| {
        (sentence.marks.has(Cue::Reason), tied(sentence), sentence.marks.has(Cue::Plan))
    });
    let why = match (examples.is_empty(), reason) {
        (true, _) => "motivation_not_talked_about",
        (false, true) => "motivation_not_tied",
        (false, false) => "motivation_no_reason",
    };
    let explanation = match rating {
        Some(rating) => proposed(rating, "motivation", anchors, texts),
        None => texts.get(&format!("candidate.not_assessed.{why}")).to_owned(),
    };
    assessment("", true, examples, rating, explanation, texts)
}

/// The words of this role: title, tasks, what draws people to it, and the company.
fn role_terms(profile: &Profile) -> Vec<Terms> {
    let items = [&profile.primary_responsibilities, &profile.must_have_skills, &profile.motivations];
    let mut terms: Vec<Terms> = items.into_iter().flatten().map(|item| Terms::of(&item.text)).collect();
    terms.extend([Terms::of(&profile.position_title), Terms::of("GlobalConnect")]);
    terms.extend(profile.bu_description.iter().map(|item| Terms::of(&item.text)));
    terms
}

/// The most telling sentences, in the order in which they were said.
fn examples(
    speech: &Speech,
    about: &[&Sentence],
    telling: impl Fn(&Sentence) -> (bool, bool, bool),
) -> Vec<Quote> {
    let mut order: Vec<usize> = (0..about.len()).collect();
    let weight = |at: &usize| {
        let (first, second, third) = about.get(*at).map(|sentence| telling(sentence)).unwrap_or_default();
        std::cmp::Reverse((u8::from(first) + u8::from(second) + u8::from(third), first, second))
    };
    order.sort_by_key(weight);
    order.truncate(MOST_EXAMPLES);
    order.sort_unstable();
    order.into_iter().filter_map(|at| about.get(at)).map(|sentence| speech.quote(sentence)).collect()
}

/// Why a rule proposes a rating: what was found, and which anchor it meets.
fn proposed(rating: Rating, about: &str, anchors: &Anchors, texts: &Texts) -> String {
    let key = format!("candidate.proposed.{about}_{}", rating.value());
    let mut explanation = texts.get(&key).to_owned();
    let mut anchor = |name: &str, anchor: &str| {
        let anchor = anchor.trim();
        if !anchor.is_empty() {
            explanation.push(' ');
            explanation.push_str(&quoting(&format!("candidate.proposed.{name}"), anchor, texts));
        }
    };
    anchor("anchor_3", &anchors.three);
    if rating > Rating::MEETS {
        anchor("anchor_5", &anchors.five);
    }
    explanation
}

/// An anchor in its frame. It is a sentence, whether or not somebody ended it with a stop; the frame needs no second one.
fn quoting(frame: &str, anchor: &str, texts: &Texts) -> String {
    let stop = if anchor.ends_with(['.', '!', '?', '…']) { "" } else { "." };
    let quoted = texts.say(frame, &[("anchor", &format!("{anchor}{stop}"))]);
    match quoted.strip_suffix('.') {
        Some(rest) if rest.ends_with(['”', '“', '«', '»']) => rest.to_owned(),
        Some(_) | None => quoted,
    }
}

fn assessment(
    name: &str,
    must_have: bool,
    examples: Vec<Quote>,
    rating: Option<Rating>,
    explanation: String,
    texts: &Texts,
) -> Assessment {
    let summary = if examples.is_empty() { "summary_none" } else { "summary_quoted" };
    Assessment {
        skill_name: name.to_owned(),
        must_have,
        summary: texts.get(&format!("candidate.assessment.{summary}")).to_owned(),
        examples,
        rating,
        explanation,
        basis: if rating.is_some() { Basis::Anchor } else { Basis::NotAssessed },
        decision: None,
    }
}

/// What ratings add up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sum {
    pub(super) recommendation: Recommendation,
    pub(super) mean_tenths: Option<u32>,
    pub(super) not_assessed: u32,
}

/// The least number of ratings that say anything: nobody is turned away, or waved through, on fewer.
const LEAST_ASSESSED: u32 = 3;

/// Adds up motivation and must-haves. Whatever is not assessed stands in the way of a recommendation.
pub(super) fn sum(ratings: impl IntoIterator<Item = Option<Rating>>) -> Sum {
    let (mut total, mut assessed, mut low, mut not_assessed) = (0_u32, 0_u32, 0_u32, 0_u32);
    for rating in ratings {
        match rating {
            Some(rating) => {
                total += u32::from(rating.value());
                assessed += 1;
                low += u32::from(rating.is_low());
            }
            None => not_assessed += 1,
        }
    }
    let recommendation = if assessed < LEAST_ASSESSED {
        Recommendation::NotEnoughAssessed
    } else if low >= 2 || 2 * total < 5 * assessed {
        Recommendation::NotRecommended
    } else if not_assessed == 0 && low == 0 && total >= 4 * assessed {
        Recommendation::Recommended
    } else {
        Recommendation::Borderline
    };
    let mean_tenths = (20 * total + assessed).checked_div(2 * assessed);
    Sum { recommendation, mean_tenths, not_assessed }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_add_up_by_the_rule() {
        let check = |ratings: &[i64], recommendation: Recommendation, mean: Option<u32>| {
            let found = sum(ratings.iter().map(|rating| Rating::new(*rating)));
            assert_eq!((found.recommendation, found.mean_tenths), (recommendation, mean), "{ratings:?}");
        };
        check(&[4, 4, 4, 4, 4], Recommendation::Recommended, Some(40));
        check(&[5, 5, 5, 3, 3], Recommendation::Recommended, Some(42));
        check(&[5, 5, 5, 5, 2], Recommendation::Borderline, Some(44));
        check(&[5, 5, 5, 2, 2], Recommendation::NotRecommended, Some(38));
        check(&[3, 3, 3, 3, 3], Recommendation::Borderline, Some(30));
        check(&[2, 3, 3, 2, 2], Recommendation::NotRecommended, Some(24));
        check(&[5, 5, 5, 5, 0], Recommendation::Borderline, Some(50));
        check(&[2, 2, 5, 0, 0], Recommendation::NotRecommended, Some(30));
        check(&[1, 1, 0, 0, 0], Recommendation::NotEnoughAssessed, Some(10));
        check(&[4, 3, 3, 0, 0], Recommendation::Borderline, Some(33));
        check(&[0, 0, 0, 0, 0], Recommendation::NotEnoughAssessed, None);
        check(&[], Recommendation::NotEnoughAssessed, None);
    }
}
