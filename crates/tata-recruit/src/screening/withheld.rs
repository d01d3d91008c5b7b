//! Keeps what must not pass out of interview templates.

use super::{Anchors, ScreeningInput};
use crate::{Refusal, Sources, withheld::Sieve};

/// Refuses areas and questions that must not pass.
pub(super) fn check(input: &ScreeningInput, sieve: &Sieve<'_>) -> Result<(), Refusal> {
    let mut refusal = Refusal::default();
    let kept = Sources::default();
    let mut check = |field: String, text: &str| sieve.statement(&field, text, &kept, &mut refusal);
    let lists = [
        ("additional_areas", &input.additional_areas),
        ("motivation", &input.motivation),
        ("closing", &input.closing),
    ];
    for (field, texts) in lists {
        texts.iter().flatten().enumerate().for_each(|(at, text)| check(format!("{field}[{at}]"), text));
    }
    for (at, one) in input.questions.iter().flatten().enumerate() {
        let asked = std::iter::once(&one.main_question).chain(&one.follow_ups);
        let anchors = one.anchors.iter().flat_map(Anchors::all);
        asked.chain(anchors).for_each(|text| check(format!("questions[{at}]"), text));
    }
    if let Some(one) = &input.practical {
        let wordings = [&one.notice_period, &one.salary_expectation, &one.location, &one.candidate_questions];
        wordings.into_iter().flatten().for_each(|text| check("practical".to_owned(), text));
    }
    refusal.or_ok()
}
