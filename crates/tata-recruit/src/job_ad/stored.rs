//! The ad of a project, and what others take from it.

use jiff::Timestamp;

use super::{JobAd, reword::revised};
use crate::{
    Audience, Country, FormDecision, FormWish, Gate, Kind, Made, Notice, Project, decide_form, profile,
    profile::form_context,
};

/// The job ad of a project.
pub(crate) fn of(project: &Project) -> Option<JobAd> {
    project.read(Kind::JobAd, "")
}

/// The text of a project's ad.
pub(crate) fn text(project: &Project) -> Option<String> {
    of(project).map(|ad| ad.document().markdown())
}

/// The country of a project's job: as the profile tells it, else by the place of work in the ad.
pub(crate) fn country(project: &Project) -> Option<Country> {
    let of_profile = profile::of(project).and_then(|profile| profile.job_country());
    of_profile.or_else(|| Country::of_place(of(project)?.given.work_place.as_deref()?))
}

/// du or Sie for what candidates read beside the job ad: the recruiter's word, else what was said about the company
/// for this document, else as the ad does it, else by the context.
pub(crate) fn form_beside(project: &Project, form: Option<FormWish>, company: Option<&str>) -> FormDecision {
    let wish = project.wish(form);
    let ad = of(project).and_then(|ad| ad.form);
    ad.filter(|_| wish == FormWish::Auto && company.is_none())
        .unwrap_or_else(|| decide_form(wish, &form_context(project, company)))
}

/// The ad of the project in the words of a review, where it is the text that was reviewed: changed as far as it was, or as
/// it was before.
pub(crate) fn carry_over(made: &mut Made, project: &Project, (before, after): (&str, &str), now: Timestamp) {
    let texts = project.texts();
    let Some(ad) = of(project).filter(|ad| before != after && ad.document().markdown() == before) else {
        return;
    };
    let new: Vec<&str> = after.lines().filter(|line| !before.lines().any(|known| known == *line)).collect();
    let title = ad.position_title.clone();
    let gate = Gate { voice: ad.voice, audience: Audience::Candidates, verbatim: &[&title] };
    let revised = revised(ad, before, after).filter(|_| gate.pass_lines(&new, texts).is_ok());
    let said = match revised {
        Some(mut ad) => {
            ad.created_at = now;
            made.also.push((Kind::JobAd, serde_json::to_value(&ad).unwrap_or_default()));
            key!("review.ad_revised")
        }
        None => key!("review.ad_kept"),
    };
    made.notices.push(Notice::say("job_ad", texts, said, &[]));
}
