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
const MOST_MINUTES: i64 = 24 * 60;

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
    notices.extend(spoken.notices.clone());
    let texts = Texts::of(spoken.voice);
    let candidate =
        checked.candidate.clone().unwrap_or_else(|| texts.get(key!("invite.placeholder")).to_owned());
    let name = texts.get(group!("invite.types").key(format_args!("{}.name", checked.interview_type.name())));
    let values = [("type", name), ("position", checked.position.as_str()), ("candidate", candidate.as_str())];
    let subject = texts.say(key!("invite.subject"), &values);
    let parts = compose(&checked, &input, &candidate, texts);
    let mut invite = CalendarInvite {
        position_name: checked.position.clone(),
        voice: spoken.voice,
        form: spoken.form,
        interview_type: checked.interview_type,
        candidate_name: checked.candidate.clone(),
        subject,
        body: String::new(),
        parts,
        booking_method: checked.booking,
        meeting: checked.when.as_ref().map(|when| Meeting {
            start: when.start.timestamp(),
            end: when.end.timestamp(),
            time_zone: when.start.time_zone().iana_name().unwrap_or("UTC").to_owned(),
        }),
        location: checked.location(),
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
    if checked.candidate.is_none() {
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

/// An input in which nothing is missing.
struct Checked {
    position: String,
    manager: Person,
    interview_type: InterviewType,
    office: Option<(&'static str, &'static Office)>,
    minutes: u32,
    booking: BookingMethod,
    when: Option<When>,
    candidate: Option<String>,
}

impl Checked {
    fn location(&self) -> Location {
        Location {
            kind: if self.office.is_some() { LocationType::Onsite } else { LocationType::Teams },
            city: self.office.map(|(city, _)| city.to_owned()),
            address: self.office.map(|(_, office)| office.address.to_owned()),
            map: self.office.map(|(_, office)| office.map.to_owned()),
        }
    }

    /// Names and words of others, which stand as they were given.
    fn verbatim(&self, input: &InviteInput) -> Vec<String> {
        let people = input.additional_participants.iter().chain([&self.manager]);
        let people = people.flat_map(|person| [Some(person.name.clone()), person.title.clone()]).flatten();
        let office = self.office.iter().map(|(_, office)| office.address.to_owned());
        let given = [&self.candidate, &input.access_information, &input.signature, &input.job_ad_link];
        let given = given.into_iter().flatten().cloned();
        people
            .chain(office)
            .chain(given)
            .chain(input.agenda.clone())
            .chain([self.position.clone()])
            .map(|text| tidy(&text))
            .filter(|text| !text.is_empty())
            .collect()
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
        let manager = input.hiring_manager.clone().filter(|person| !tidy(&person.name).is_empty());
        for (field, absent) in [
            ("position_name", position.is_none()),
            ("hiring_manager", manager.is_none()),
            ("interview_type", input.interview_type.is_none()),
            ("location_type", input.location_type.is_none()),
            ("booking_method", input.booking_method.is_none()),
        ] {
            if absent {
                self.problem(field, group!("invite.problems").key(format_args!("no_{field}")), &[]);
            }
        }
        let minutes = self.duration();
        let office = self.office();
        check_lengths(input, self.texts, &mut self.refusal);
        let zone =
            office.map(|(_, office)| office.zone.to_owned()).or_else(|| given(input.time_zone.as_deref()));
        let manual = input.booking_method == Some(BookingMethod::Manual);
        if manual && zone.is_none() {
            let city = when::city(usual_zone, self.texts).unwrap_or_else(|| usual_zone.to_owned());
            self.notice("time_zone", key!("invite.notices.zone"), &[("zone", &city)]);
        }
        let zone = zone.as_deref().unwrap_or(usual_zone);
        let when = manual.then(|| read(&mut self, zone, minutes.unwrap_or(60), now)).flatten();
        if !manual && (given(input.date.as_deref()).is_some() || given(input.time.as_deref()).is_some()) {
            self.notice("date", key!("invite.notices.date_not_used"), &[]);
        }
        self.refusal.or_ok()?;
        // Everything that is missing has been refused by now.
        let Some(((position, manager), (interview_type, booking))) =
            position.zip(manager).zip(input.interview_type.zip(input.booking_method))
        else {
            return Err(Refusal::default());
        };
        let (candidate, minutes) = (given(input.candidate_name.as_deref()), minutes.unwrap_or_default());
        let checked =
            Checked { position, manager, interview_type, office, minutes, booking, when, candidate };
        Ok((checked, self.notices))
    }

    /// A problem of a field, with the way out that all problems of this field have.
    fn problem(&mut self, field: &str, key: Key, values: &[(&str, &str)]) {
        let message = self.texts.say(key, values);
        self.refusal.add(field, message, self.texts.get(group!("invite.way_out").key(field)));
    }

    fn notice(&mut self, field: &str, key: Key, values: &[(&str, &str)]) {
        self.notices.push(Notice::say(field, self.texts, key, values));
    }

    fn duration(&mut self) -> Option<u32> {
        let minutes = self.input.duration;
        let possible = minutes.filter(|minutes| (1..=MOST_MINUTES).contains(minutes));
        let shown = [("minutes", &*minutes.unwrap_or_default().to_string())];
        match (minutes, possible) {
            (None, _) => self.problem("duration", key!("invite.problems.no_duration"), &[]),
            (Some(_), None) => self.problem("duration", key!("invite.problems.bad_duration"), &shown),
            (Some(_), Some(15..=180)) => {}
            (Some(_), Some(_)) => self.notice("duration", key!("invite.notices.duration"), &shown),
        }
        possible.and_then(|minutes| u32::try_from(minutes).ok())
    }

    fn office(&mut self) -> Option<(&'static str, &'static Office)> {
        let city = given(self.input.city.as_deref());
        let office = city.as_deref().and_then(office::find);
        match (self.input.location_type, &city) {
            (Some(LocationType::Onsite), Some(_)) if office.is_some() => return office,
            (Some(LocationType::Onsite), Some(city)) => {
                self.problem("city", key!("invite.problems.bad_city"), &[("city", city)]);
            }
            (Some(LocationType::Onsite), None) => self.problem("city", key!("invite.problems.no_city"), &[]),
            (Some(LocationType::Teams), Some(_)) => {
                self.notice("city", key!("invite.notices.city_not_used"), &[]);
            }
            (Some(LocationType::Teams), None) | (None, _) => {}
        }
        None
    }
}

fn given(text: Option<&str>) -> Option<String> {
    text.map(tidy).filter(|text| !text.is_empty())
}

fn check_lengths(input: &InviteInput, texts: &Texts, refusal: &mut Refusal) {
    let mut short = |field: &str, text: &str| refusal.check_most(field, text, MOST_NAME, texts);
    let single = [
        ("position_name", &input.position_name),
        ("candidate_name", &input.candidate_name),
        ("signature", &input.signature),
    ];
    for (field, text) in single {
        short(field, text.as_deref().unwrap_or_default());
    }
    for person in input.hiring_manager.iter().chain(&input.additional_participants) {
        short("name", &person.name);
        short("title", person.title.as_deref().unwrap_or_default());
        short("linkedin", person.linkedin.as_deref().unwrap_or_default());
    }
    for point in &input.agenda {
        short("agenda", point);
    }
    let access = input.access_information.as_deref().unwrap_or_default();
    refusal.check_most("access_information", access, 1000, texts);
    for (field, count) in
        [("agenda", input.agenda.len()), ("additional_participants", input.additional_participants.len())]
    {
        refusal.check_count(field, count, MOST_POINTS, key!("invite.problems.too_many"), texts);
    }
    let people = input.hiring_manager.iter().chain(&input.additional_participants);
    let links = people.map(|person| &person.linkedin).chain([&input.job_ad_link]);
    for link in links.flatten().map(|link| link.trim()).filter(|link| !link.is_empty()) {
        let rest = link.strip_prefix("https://").or_else(|| link.strip_prefix("http://"));
        let readable = rest.is_some_and(|rest| rest.contains('.') && !rest.contains(char::is_whitespace));
        if !readable || link.chars().count() > 2000 {
            refusal.say("job_ad_link", texts, key!("invite.problems.bad_link"), &[("link", start(link, 60))]);
        }
    }
}

fn compose(checked: &Checked, input: &InviteInput, candidate: &str, texts: &Texts) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut say = |key: Key, values: &[(&str, &str)], points: Vec<String>| {
        parts.push(Part { text: texts.say(key, values), points });
    };
    say(key!("invite.hello"), &[("candidate", candidate)], vec![]);
    let a_type = texts.get(group!("invite.types").key(format_args!("{}.a", checked.interview_type.name())));
    let length = length(checked.minutes, texts);
    let position = crate::wording::title_in_sentence(&checked.position, texts.language());
    say(
        key!("invite.invitation"),
        &[("position", &position), ("type", a_type), ("duration", &length)],
        vec![],
    );
    match &checked.when {
        Some(when) => {
            let clock = |moment: &jiff::Zoned| {
                let part = |format: &str| moment.strftime(format).to_string();
                texts.say(key!("invite.clock"), &[("hour", &part("%H")), ("minute", &part("%M"))])
            };
            let (day, start, end, zone) =
                (when.day(texts), clock(&when.start), clock(&when.end), when.zone(texts));
            say(
                key!("invite.when"),
                &[("day", &day), ("start", &start), ("end", &end), ("zone", &zone)],
                vec![],
            );
        }
        None => say(key!("invite.jobylon"), &[], vec![]),
    }
    match checked.office {
        Some((city, office)) => {
            let city = texts.get(group!("invite.cities").key(city));
            say(
                key!("invite.onsite"),
                &[("city", city), ("address", office.address), ("map", office.map)],
                vec![],
            );
        }
        None => say(key!("invite.teams"), &[], vec![]),
    }
    let people = [&checked.manager].into_iter().chain(&input.additional_participants);
    say(key!("invite.people"), &[], people.map(person).filter(|name| !name.is_empty()).collect());
    let agenda: Vec<String> =
        input.agenda.iter().map(|point| tidy(point)).filter(|point| !point.is_empty()).collect();
    if !agenda.is_empty() {
        say(key!("invite.agenda"), &[], agenda);
    }
    if let Some(link) = given(input.job_ad_link.as_deref()) {
        say(key!("invite.ad"), &[("link", &link)], vec![]);
    }
    if let Some(access) = given(input.access_information.as_deref()) {
        say(key!("invite.access"), &[("access", &access)], vec![]);
    }
    say(key!("invite.adjustments"), &[], vec![]);
    say(
        if checked.when.is_some() { key!("invite.reschedule") } else { key!("invite.reschedule_jobylon") },
        &[],
        vec![],
    );
    let signature = given(input.signature.as_deref());
    say(
        key!("invite.farewell"),
        &[("signature", signature.as_deref().unwrap_or(texts.get(key!("invite.signature"))))],
        vec![],
    );
    parts
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
