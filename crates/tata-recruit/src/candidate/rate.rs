//! What an interview shows about motivation and skills, and what the ratings of people add up to.
//!
//! Code quotes, for and against, and proposes no number: silence proves nothing, and how good an answer is needs
//! judgment. A mean and a recommendation exist once a person has rated motivation and every must-have.

use super::{
    artifact::{Assessment, Basis, CandidateReport, Quote, Rating, Recommendation},
    exchange::{Exchange, Interview},
    lexicon::lists,
    topics::{Skill, Topic},
};
use crate::Texts;

/// The most answers on each side of an assessment.
pub(super) const MOST_EXAMPLES: usize = 3;
/// How many passages are shown where nothing was found.
const MOST_NEAREST: usize = 2;

/// What the interview shows about a skill.
pub(super) fn skill(at: usize, skill: &Skill, interview: &Interview<'_>, texts: &Texts) -> Assessment {
    let found = interview.about_skill(at);
    let mut assessment = assessment(&found, interview, texts, "skill", Interview::is_doubtful);
    skill.name.clone_into(&mut assessment.skill_name);
    assessment.must_have = skill.must_have;
    if assessment.examples.is_empty() && assessment.against.is_empty() {
        assessment.nearest = interview.nearest(&skill.name, MOST_NEAREST);
    }
    assessment
}

/// What the interview shows about motivation.
pub(super) fn motivation(interview: &Interview<'_>, texts: &Texts) -> Assessment {
    let found = interview.about(Topic::Motivation, lists::APPLIED);
    let against = Interview::is_declined;
    Assessment { must_have: true, ..assessment(&found, interview, texts, "motivation", against) }
}

fn assessment<'a>(
    found: &[&Exchange],
    interview: &Interview<'a>,
    texts: &Texts,
    about: &str,
    against_it: fn(&Interview<'a>, &Exchange) -> bool,
) -> Assessment {
    let (mut examples, mut against): (Vec<Quote>, Vec<Quote>) = (Vec::new(), Vec::new());
    for exchange in found {
        let list = if against_it(interview, exchange) { &mut against } else { &mut examples };
        if list.len() < MOST_EXAMPLES {
            list.extend(interview.quote(exchange));
        }
    }
    let found = match (examples.is_empty(), against.is_empty()) {
        (true, true) => "none",
        (_, true) => "found",
        (_, false) => "doubtful",
    };
    let explanation = group!("candidate.not_assessed").key(format_args!("{about}_{found}"));
    Assessment {
        summary: usual_summary(found != "none", texts),
        explanation: texts.get(explanation).to_owned(),
        examples,
        against,
        ..Assessment::default()
    }
}

/// The summary of what nobody put in words of their own.
pub(super) fn usual_summary(is_quoted: bool, texts: &Texts) -> String {
    let key = if is_quoted {
        key!("candidate.assessment.summary_quoted")
    } else {
        key!("candidate.assessment.summary_none")
    };
    texts.get(key).to_owned()
}

/// The rating of an assessment that counts: a person gave or confirmed it.
pub(super) fn decided(assessment: &Assessment) -> Option<Rating> {
    let by_person = assessment.decision.is_some() || assessment.basis == Basis::Person;
    assessment.rating.filter(|_| by_person)
}

/// How many of motivation and must-haves a person has rated, and how many there are.
pub(super) fn assessed(report: &CandidateReport) -> (usize, usize) {
    (report.counted().filter_map(decided).count(), report.counted().count())
}

/// What motivation and must-haves add up to, and their mean in tenths, once a person has rated every one of them.
pub(super) fn sum(ratings: &[Option<Rating>]) -> (Recommendation, Option<u32>) {
    let rated: Option<Vec<Rating>> = ratings.iter().copied().collect();
    let Some(rated) = rated.filter(|rated| !rated.is_empty()) else {
        return (Recommendation::NotEnoughAssessed, None);
    };
    let total: u32 = rated.iter().map(|rating| u32::from(rating.value())).sum();
    let low = rated.iter().filter(|rating| rating.is_low()).count();
    let count = u32::try_from(rated.len()).unwrap_or(u32::MAX);
    let recommendation = if low >= 2 || 2 * total < 5 * count {
        Recommendation::NotRecommended
    } else if low == 0 && total >= 4 * count {
        Recommendation::Recommended
    } else {
        Recommendation::Borderline
    };
    (recommendation, (20 * total + count).checked_div(2 * count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_add_up_by_the_rule_and_only_when_all_are_there() {
        let check = |ratings: &[i64], recommendation: Recommendation, mean: Option<u32>| {
            let rated: Vec<Option<Rating>> = ratings.iter().map(|rating| Rating::new(*rating)).collect();
            assert_eq!(sum(&rated), (recommendation, mean), "{ratings:?}");
        };
        check(&[4, 4, 4, 4, 4], Recommendation::Recommended, Some(40));
        check(&[5, 5, 5, 3, 3], Recommendation::Recommended, Some(42));
        check(&[5, 5, 5, 5, 2], Recommendation::Borderline, Some(44));
        check(&[5, 5, 5, 2, 2], Recommendation::NotRecommended, Some(38));
        check(&[3, 3, 3, 3, 3], Recommendation::Borderline, Some(30));
        check(&[2, 3, 3, 2, 2], Recommendation::NotRecommended, Some(24));
        for open in [&[5, 5, 5, 5, 0][..], &[4, 4, 3, 0, 0], &[1, 1, 0, 0, 0], &[0, 0, 0, 0, 0], &[]] {
            check(open, Recommendation::NotEnoughAssessed, None);
        }
    }
}
