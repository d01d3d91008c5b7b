//! The calendar invitation: an interview, on Teams or in an office, at a time that is named or booked in Jobylon.

mod artifact;
mod calendar;
mod fields;
mod when;

use std::sync::Arc;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;
use tata_core::{Tool, ToolNameError};

pub use artifact::{BookingMethod, CalendarInvite, InterviewType, LocationType};
pub(crate) use artifact::{Location, Meeting, Part};
pub use calendar::invitation;

use self::when::{When, read};
use crate::{
    Audience, Document, FormWish, Gate, GermanForm, Key, Kind, Made, Notice, Project, Refusal, Texts, Voice,
    clip::start,
    job_ad,
    module::module,
    office::{self, Office},
    profile, tidy, tool,
};

const MOST_NAME: usize = 200;
const MOST_POINTS: usize = 20;
/// Longer than a day is a slip of the pen.
const MOST_MINUTES: u32 = 24 * 60;

/// What an invitation needs. Ask the recruiter for what is missing, never for the recruiter's own name.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct InviteInput {
    /// The position. Taken from the project when it is left out.
    pub position_name: Option<String>,
    /// The hiring manager.
    pub hiring_manager: Option<Person>,
    /// The sort of interview.
    pub interview_type: Option<InterviewType>,
    /// On Teams or on site.
    pub location_type: Option<LocationType>,
    /// The office, if on site: stockholm, copenhagen or oslo.
    pub city: Option<String>,
    /// How long, in minutes; usually 60 or 90.
    pub duration: Option<i64>,
    /// jobylon: the candidate books a time there. manual: date and time are named here.
    pub booking_method: Option<BookingMethod>,
    /// The date, if manual: YYYY-MM-DD.
    pub date: Option<String>,
    /// The weekday, if the recruiter named it: it must agree with the date.
    pub weekday: Option<String>,
    /// The time, if manual: HH:MM, 24 hours.
    pub time: Option<String>,
    /// The time zone, e.g. Europe/Oslo. On site it is the office's.
    pub time_zone: Option<String>,
    /// The candidate. Left out, a placeholder stands for the name.
    pub candidate_name: Option<String>,
    /// Where the ad can be read.
    pub job_ad_link: Option<String>,
    /// Who else takes part.
    pub additional_participants: Vec<Person>,
    /// What will be talked about, point by point.
    pub agenda: Vec<String>,
    /// How to get in, what to bring; as the recruiter says it.
    pub access_information: Option<String>,
    /// The signature, only if it is known from the account. Never ask for it.
    pub signature: Option<String>,
    /// The language of the invitation, if another than the project's: en, sv, da, no or de.
    pub language: Option<String>,
    /// How a German invitation addresses the candidate.
    pub german_form: Option<FormWish>,
}

/// Somebody the candidate will meet.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Person {
    /// The name.
    pub name: String,
    /// What they do.
    #[serde(default)]
    pub title: Option<String>,
    /// Their profile on LinkedIn.
    #[serde(default)]
    pub linkedin: Option<String>,
}

/// The tools of this module.
pub(crate) fn tools() -> Result<Vec<Arc<dyn Tool>>, ToolNameError> {
    Ok(vec![module(
        tool::CREATE_CALENDAR_INVITE,
        "Writes the invitation of a candidate to an interview: subject and text, with date and time or the instruction to \
         book in Jobylon, on Teams or in the office in Stockholm, Copenhagen or Oslo. Call it when the recruiter wants to \
         invite somebody.",
        Kind::CalendarInvite,
        create_calendar_invite,
    )?])
}

/// Writes an invitation.
#[expect(clippy::needless_pass_by_value, reason = "every module is handed its input")]
pub fn create_calendar_invite(
    input: InviteInput,
    project: &Project,
    now: Timestamp,
) -> Result<Made, Refusal> {
    // Where GlobalConnect's offices are it is the same time; readers look for the name they know.
    let language = project.language_of(input.language.as_deref());
    let usual_zone = Texts::of(Voice::new(language, GermanForm::Sie)).get(key!("invite.usual_zone"));
    let check =
        Check { input: &input, texts: project.texts(), refusal: Refusal::default(), notices: Vec::new() };
    let (checked, mut notices) = check.run(usual_zone, project, now)?;
    // Without a profile only the position can tell how people are addressed.
    let position = profile::of(project).is_none().then_some(checked.position.as_str());
    let form = job_ad::form_beside(project, input.german_form, position);
    let spoken = project.speak_in(input.language.as_deref(), form);
    notices.extend(spoken.notices);
    let texts = Texts::of(spoken.voice);
    let candidate_name = given(input.candidate_name.as_deref());
    let candidate = candidate_name.as_deref().unwrap_or(texts.get(key!("invite.placeholder")));
    let name = texts.get(group!("invite.types").key(format_args!("{}.name", checked.interview_type.name())));
    let values = [("type", name), ("position", &checked.position), ("candidate", candidate)];
    let mut invite = CalendarInvite {
        subject: texts.say(key!("invite.subject"), &values),
        parts: compose(&checked, &input, called(candidate, spoken.voice), texts),
        candidate_name,
        position_name: checked.position.clone(),
        voice: spoken.voice,
        form: spoken.form,
        interview_type: checked.interview_type,
        body: String::new(),
        booking_method: checked.booking,
        meeting: checked.when.as_ref().map(|when| Meeting {
            start: when.start.timestamp(),
            end: when.end.timestamp(),
            time_zone: when.start.time_zone().iana_name().unwrap_or("UTC").to_owned(),
        }),
        location: checked.office.map_or_else(Location::default, |(city, office)| Location {
            kind: LocationType::Onsite,
            city: Some(city.to_owned()),
            address: Some(office.address.to_owned()),
            map: Some(office.map.to_owned()),
        }),
        duration_minutes: checked.minutes,
        created_at: now,
    };
    let document = render(&invite);
    let body = Document { title: String::new(), ..document.clone() }.plain();
    body.trim_end().clone_into(&mut invite.body);
    let verbatim = checked.verbatim(&input);
    let verbatim: Vec<&str> = verbatim.iter().map(String::as_str).collect();
    let gate = Gate { voice: spoken.voice, audience: Audience::Candidates, verbatim: &verbatim };
    let texts = project.texts();
    let mut made = Made::passing(&gate, Kind::CalendarInvite, &invite, document, notices, texts)?;
    if invite.candidate_name.is_none() {
        made.notices.push(Notice::say("candidate_name", texts, key!("invite.notices.placeholder"), &[]));
    }
    made.next_steps.push(texts.get(key!("invite.next")).to_owned());
    Ok(made)
}

/// An invitation as people read it.
pub(crate) fn render(invite: &CalendarInvite) -> Document {
    let mut document = Document::new(invite.voice, invite.subject.clone());
    for part in &invite.parts {
        document.paragraph(part.text.clone()).bullets(part.points.clone());
    }
    document
}

/// What an input says in which nothing is missing.
struct Checked {
    position: String,
    manager: Person,
    interview_type: InterviewType,
    office: Option<(&'static str, &'static Office)>,
    minutes: u32,
    booking: BookingMethod,
    when: Option<When>,
}

impl Checked {
    /// Names and words of others, which stand as they were given.
    fn verbatim(&self, input: &InviteInput) -> Vec<String> {
        let people = input.additional_participants.iter().chain([&self.manager]);
        let people = people.flat_map(|person| [Some(&person.name), person.title.as_ref()]);
        let given = [&input.candidate_name, &input.access_information, &input.signature, &input.job_ad_link];
        let given = given.map(Option::as_ref).into_iter().chain(people).flatten();
        let said = given.chain(&input.agenda).chain([&self.position]).map(String::as_str);
        let all = said.chain(self.office.map(|(_, office)| office.address)).map(tidy);
        all.filter(|text| !text.is_empty()).collect()
    }
}

/// An input being checked.
struct Check<'a> {
    input: &'a InviteInput,
    texts: &'a Texts,
    refusal: Refusal,
    notices: Vec<Notice>,
}

impl Check<'_> {
    fn run(
        mut self,
        usual_zone: &str,
        project: &Project,
        now: Timestamp,
    ) -> Result<(Checked, Vec<Notice>), Refusal> {
        let input = self.input;
        let position = given(input.position_name.as_deref()).or_else(|| profile::position(project));
        let position = self.needed("position_name", position);
        let manager = input.hiring_manager.clone().filter(|person| !tidy(&person.name).is_empty());
        let manager = self.needed("hiring_manager", manager);
        let interview_type = self.needed("interview_type", input.interview_type);
        let place = self.needed("location_type", input.location_type);
        let booking = self.needed("booking_method", input.booking_method);
        let minutes = self.duration();
        let office = place.and_then(|place| self.office(place));
        check_lengths(input, self.texts, &mut self.refusal);
        let zone =
            office.map(|(_, office)| office.zone.to_owned()).or_else(|| given(input.time_zone.as_deref()));
        let manual = booking == Some(BookingMethod::Manual);
        if manual && zone.is_none() {
            let city = when::city(usual_zone, self.texts).unwrap_or_else(|| usual_zone.to_owned());
            self.notice("time_zone", key!("invite.notices.zone"), &[("zone", &city)]);
        }
        let zone = zone.as_deref().unwrap_or(usual_zone);
        let when = manual.then(|| read(&mut self, zone, minutes.unwrap_or(60), now)).flatten();
        if !manual && [&input.date, &input.time].into_iter().any(|text| given(text.as_deref()).is_some()) {
            self.notice("date", key!("invite.notices.date_not_used"), &[]);
        }
        let (Some(position), Some(manager), Some(interview_type), Some(booking), Some(minutes)) =
            (position, manager, interview_type, booking, minutes)
        else {
            return Err(self.refusal);
        };
        self.refusal.or_ok()?;
        Ok((Checked { position, manager, interview_type, office, minutes, booking, when }, self.notices))
    }

    /// A problem of a field, with the way out that all problems of this field have.
    fn problem(&mut self, field: &str, key: Key, values: &[(&str, &str)]) {
        let message = self.texts.say(key, values);
        self.refusal.add(field, message, self.texts.get(group!("invite.way_out").key(field)));
    }

    fn notice(&mut self, field: &str, key: Key, values: &[(&str, &str)]) {
        self.notices.push(Notice::say(field, self.texts, key, values));
    }

    /// What a field says; a problem if it says nothing.
    fn needed<T>(&mut self, field: &str, value: Option<T>) -> Option<T> {
        if value.is_none() {
            self.problem(field, group!("invite.problems").key(format_args!("no_{field}")), &[]);
        }
        value
    }

    fn duration(&mut self) -> Option<u32> {
        let minutes = self.needed("duration", self.input.duration)?;
        let possible = u32::try_from(minutes).ok().filter(|minutes| (1..=MOST_MINUTES).contains(minutes));
        let shown = [("minutes", &*minutes.to_string())];
        match possible {
            None => self.problem("duration", key!("invite.problems.bad_duration"), &shown),
            Some(15..=180) => {}
            Some(_) => self.notice("duration", key!("invite.notices.duration"), &shown),
        }
        possible
    }

    fn office(&mut self, place: LocationType) -> Option<(&'static str, &'static Office)> {
        let city = given(self.input.city.as_deref());
        match place {
            LocationType::Onsite => {
                let city = self.needed("city", city)?;
                let office = office::find(&city);
                if office.is_none() {
                    self.problem("city", key!("invite.problems.bad_city"), &[("city", &city)]);
                }
                office
            }
            LocationType::Teams => {
                if city.is_some() {
                    self.notice("city", key!("invite.notices.city_not_used"), &[]);
                }
                None
            }
        }
    }
}

fn given(text: Option<&str>) -> Option<String> {
    text.map(tidy).filter(|text| !text.is_empty())
}

fn check_lengths(input: &InviteInput, texts: &Texts, refusal: &mut Refusal) {
    let mut short = |field: &str, text: Option<&String>| {
        refusal.check_most(field, text.map_or("", String::as_str), MOST_NAME, texts);
    };
    short("position_name", input.position_name.as_ref());
    short("candidate_name", input.candidate_name.as_ref());
    short("signature", input.signature.as_ref());
    let people = || input.hiring_manager.iter().chain(&input.additional_participants);
    for person in people() {
        short("name", Some(&person.name));
        short("title", person.title.as_ref());
        short("linkedin", person.linkedin.as_ref());
    }
    input.agenda.iter().for_each(|point| short("agenda", Some(point)));
    let access = input.access_information.as_deref().unwrap_or_default();
    refusal.check_most("access_information", access, 1000, texts);
    for (field, count) in
        [("agenda", input.agenda.len()), ("additional_participants", input.additional_participants.len())]
    {
        refusal.check_count(field, count, MOST_POINTS, key!("invite.problems.too_many"), texts);
    }
    let links = people().map(|person| &person.linkedin).chain([&input.job_ad_link]);
    for link in links.flatten().map(|link| link.trim()).filter(|link| !link.is_empty()) {
        let rest = link.strip_prefix("https://").or_else(|| link.strip_prefix("http://"));
        let readable = rest.is_some_and(|rest| rest.contains('.') && !rest.contains(char::is_whitespace));
        if !readable || link.chars().count() > 2000 {
            refusal.say("job_ad_link", texts, key!("invite.problems.bad_link"), &[("link", start(link, 60))]);
        }
    }
}

fn compose(checked: &Checked, input: &InviteInput, candidate: &str, texts: &Texts) -> Vec<Part> {
    let say = |key: Key, values: &[(&str, &str)]| Part { text: texts.say(key, values), points: Vec::new() };
    let a_type = texts.get(group!("invite.types").key(format_args!("{}.a", checked.interview_type.name())));
    let length = length(checked.minutes, texts);
    let position = crate::wording::title_in_sentence(&checked.position, texts.language());
    // A first conversation is with the recruiter, who signs; the manager is in later ones.
    let manager = Some(&checked.manager).filter(|_| checked.interview_type != InterviewType::TaScreening);
    let people = manager.into_iter().chain(&input.additional_participants);
    let people: Vec<String> = people.map(person).filter(|name| !name.is_empty()).collect();
    let mut parts = vec![
        say(key!("invite.hello"), &[("candidate", candidate)]),
        say(key!("invite.invitation"), &[("position", &position), ("type", a_type), ("duration", &length)]),
        match &checked.when {
            Some(when) => Part { text: when.said(texts), points: Vec::new() },
            None => say(key!("invite.jobylon"), &[]),
        },
        match checked.office {
            Some((city, office)) => {
                let city = texts.get(group!("invite.cities").key(city));
                let values = [("city", city), ("address", office.address), ("map", office.map)];
                say(key!("invite.onsite"), &values)
            }
            None => say(key!("invite.teams"), &[]),
        },
    ];
    let people = Part { points: people, ..say(key!("invite.people"), &[]) };
    parts.extend(Some(people).filter(|people| !people.points.is_empty()));
    let points = input.agenda.iter().map(|point| tidy(point)).filter(|point| !point.is_empty());
    let agenda = Part { points: points.collect(), ..say(key!("invite.agenda"), &[]) };
    parts.extend(Some(agenda).filter(|agenda| !agenda.points.is_empty()));
    let [link, access, signature] =
        [&input.job_ad_link, &input.access_information, &input.signature].map(|text| given(text.as_deref()));
    parts.extend(link.map(|link| say(key!("invite.ad"), &[("link", &link)])));
    parts.extend(access.map(|access| say(key!("invite.access"), &[("access", &access)])));
    let reschedule =
        if checked.when.is_some() { key!("invite.reschedule") } else { key!("invite.reschedule_jobylon") };
    let signature = signature.as_deref().unwrap_or(texts.get(key!("invite.signature")));
    parts.extend([
        say(key!("invite.adjustments"), &[]),
        say(reschedule, &[]),
        say(key!("invite.farewell"), &[("signature", signature)]),
    ]);
    parts
}

/// The first name, as people write to each other here; the whole name, or a placeholder, where people say Sie.
fn called(candidate: &str, voice: Voice) -> &str {
    let placeholder = candidate.starts_with('[');
    match voice.form() {
        Some(GermanForm::Sie) => candidate,
        Some(GermanForm::Du) | None if placeholder => candidate,
        Some(GermanForm::Du) | None => candidate.split(' ').next().unwrap_or(candidate),
    }
}

fn person(person: &Person) -> String {
    let name = tidy(&person.name);
    let title = given(person.title.as_deref()).map(|title| format!(", {title}")).unwrap_or_default();
    let link = given(person.linkedin.as_deref()).map(|link| format!(" ({link})")).unwrap_or_default();
    if name.is_empty() { name } else { format!("{name}{title}{link}") }
}

/// A length as people say it: one hour, an hour and a half, 45 minutes.
fn length(minutes: u32, texts: &Texts) -> String {
    let say = |key: Key, count: u32| texts.say(key, &[("count", &count.to_string())]);
    match minutes {
        60 => texts.get(key!("invite.lengths.one_hour")).to_owned(),
        90 => texts.get(key!("invite.lengths.hour_and_a_half")).to_owned(),
        minutes if minutes % 60 == 0 => say(key!("invite.lengths.hours"), minutes / 60),
        1 => texts.get(key!("invite.lengths.one_minute")).to_owned(),
        minutes => say(key!("invite.lengths.minutes"), minutes),
    }
}
