//! What speaks against a candidate by their own words, quoted: a must-have that is not met, a later start, a pay above the
//! range, a long way. Nothing here is a rating.

use jiff::{ToSpan, civil::Date};
use tata_language::{Amount, Unit, tokens, values};

use super::{
    artifact::{CandidateReport, Detail, Quote, Statement},
    compose::{label, quoted},
    exchange::Interview,
    lexicon::{ANY, cues, lists, words},
};
use crate::{Key, Language, PayRange, Profile, Texts, figures::grouped};

/// How many answers against one must-have are quoted again.
const MOST_QUOTES: usize = 2;
/// Below this a figure for pay is thousands: "fifty-two".
const THOUSAND: u64 = 1_000;
/// The longest notice in months; a higher number counts something else.
const LONGEST_NOTICE: u64 = 12;

/// The risks that the candidate's own words show.
pub(super) fn found(
    report: &CandidateReport,
    interview: &Interview<'_>,
    profile: &Profile,
    texts: &Texts,
) -> Vec<Statement> {
    let mut risks = Vec::new();
    for assessment in report.skill_assessments.iter().filter(|one| one.must_have) {
        let against = assessment.against.iter().filter_map(|quote| interview.decisive(quote));
        let quotes: Vec<Quote> = against.take(MOST_QUOTES).collect();
        if !quotes.is_empty() {
            let skill = quoted(&label(assessment, texts), texts);
            let text = texts.say(key!("candidate.risk.unmet"), &[("skill", &skill)]);
            risks.push(Statement { text, quotes });
        }
    }
    risks.extend(late_start(report, profile, texts));
    risks.extend(high_pay(report, profile, texts));
    let location = &report.practical_details.location;
    let is_far = |quote: &&Quote| cues(&words(&quote.text), ANY).has(lists::FAR);
    let far = location.quote.iter().find(is_far);
    risks.extend(far.map(|quote| risk(key!("candidate.risk.place"), &[], quote, texts)));
    risks
}

fn risk(key: Key, values: &[(&str, &str)], quote: &Quote, texts: &Texts) -> Statement {
    Statement { text: texts.say(key, values), quotes: vec![quote.clone()] }
}

/// A start later than the profile wants, as the candidate said it; else a notice that runs longer.
fn late_start(report: &CandidateReport, profile: &Profile, texts: &Texts) -> Option<Statement> {
    let language = profile.written_in();
    let is_start = |text: &str| cues(&words(text), ANY).has(lists::FIRST_DAY);
    let wanted = profile.dates.iter().find(|item| is_start(&item.text))?;
    let wanted = first_date(&wanted.text, language, report.interview_date, true)?;
    let day = texts.date(wanted);
    let values = [("date", &*day)];
    let details = &report.practical_details;
    if let Some(quote) = &details.start.quote {
        let earliest = first_date(&quote.text, language, report.interview_date, false)?;
        return (earliest > wanted).then(|| risk(key!("candidate.risk.start"), &values, quote, texts));
    }
    let notice = details.notice_period.quote.as_ref()?;
    let months = months(notice, language)?;
    let free = report.interview_date.checked_add(months.months()).ok()?;
    (free > wanted).then(|| risk(key!("candidate.risk.long_notice"), &values, notice, texts))
}

/// The first day that a text names, in the year that makes it come next. A month without a day is over late where it is
/// wanted, and begins early where it is offered: in doubt nothing speaks against anybody.
fn first_date(text: &str, language: Language, after: Date, wanted: bool) -> Option<Date> {
    let tokens = tokens(text);
    let dates = values(language, &tokens).into_iter().filter_map(|value| match value.amount {
        Amount::Date(date) => Some(date),
        Amount::Number(..) => None,
    });
    let usual_day = if wanted { 28 } else { 1 };
    let dates = dates.filter_map(|date| {
        let month = i8::try_from(date.month).ok()?;
        let day = i8::try_from(date.day.unwrap_or(usual_day)).ok()?;
        let in_year = |year: i16| Date::new(year, month, day).ok();
        match date.year {
            Some(year) => in_year(i16::try_from(year).ok()?),
            None => {
                [after.year(), after.year() + 1].into_iter().filter_map(in_year).find(|day| *day >= after)
            }
        }
    });
    dates.min()
}

/// How many months a notice lasts.
fn months(notice: &Quote, language: Language) -> Option<i64> {
    let tokens = tokens(&notice.text);
    let counts = values(language, &tokens).into_iter().filter_map(|value| match value.amount {
        Amount::Number(hundredths, Unit::Things) => Some(hundredths / 100),
        Amount::Number(_, Unit::Place | Unit::Money(_) | Unit::Percent) | Amount::Date(_) => None,
    });
    let in_months = cues(&words(&notice.text), ANY).has(lists::MONTHS);
    let months = counts.filter(|count| (1..=LONGEST_NOTICE).contains(count)).min();
    months.filter(|_| in_months).and_then(|months| i64::try_from(months).ok())
}

/// A pay that begins above the range of the profile.
fn high_pay(report: &CandidateReport, profile: &Profile, texts: &Texts) -> Option<Statement> {
    let most = profile.pay_range.as_ref().and_then(|PayRange { max, .. }| *max)?;
    let Detail { quote, .. } = &report.practical_details.salary_expectation;
    let quote = quote.as_ref()?;
    let tokens = tokens(&quote.text);
    let sums = values(profile.written_in(), &tokens).into_iter().filter_map(|value| match value.amount {
        Amount::Number(hundredths, Unit::Things | Unit::Money(_)) => Some(hundredths / 100),
        Amount::Number(_, Unit::Place | Unit::Percent) | Amount::Date(_) => None,
    });
    let sums =
        sums.map(|sum| if sum < THOUSAND && most > THOUSAND { sum.saturating_mul(THOUSAND) } else { sum });
    // A sum by the year beside one by the month is no comparison.
    let least = sums.filter(|sum| *sum > most / 2 && *sum < most.saturating_mul(3)).min()?;
    let most_shown = grouped(most, report.voice.language());
    (least > most).then(|| risk(key!("candidate.risk.pay"), &[("most", &most_shown)], quote, texts))
}
