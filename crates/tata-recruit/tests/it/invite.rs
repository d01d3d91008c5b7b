//! Invitations: every condition, in every language.

use jiff::Timestamp;
use proptest::prelude::*;
use tata_recruit::{
    BookingMethod, CalendarInvite, FormWish, InterviewType, InviteInput, Language, LocationType, Made,
    Person, Project, Refusal, SettingsInput, Voice, create_calendar_invite, offices, set_project,
};

fn now() -> Timestamp {
    "2026-11-15T09:00:00Z".parse().unwrap()
}

fn input() -> InviteInput {
    InviteInput {
        position_name: Some("Network Engineer".to_owned()),
        hiring_manager: Some(Person {
            name: "Kim Dahl".to_owned(),
            title: Some("Head of Network".to_owned()),
            linkedin: None,
        }),
        interview_type: Some(InterviewType::Case),
        location_type: Some(LocationType::Onsite),
        city: Some("oslo".to_owned()),
        duration: Some(90),
        booking_method: Some(BookingMethod::Manual),
        date: Some("2026-11-24".to_owned()),
        time: Some("14:30".to_owned()),
        candidate_name: Some("Robin Lund".to_owned()),
        ..InviteInput::default()
    }
}

fn invite(input: InviteInput) -> CalendarInvite {
    let made =
        create_calendar_invite(input, &Project::default(), now()).unwrap_or_else(|no| panic!("{no:?}"));
    serde_json::from_value(made.json).unwrap()
}

fn refused(input: InviteInput) -> Refusal {
    create_calendar_invite(input, &Project::default(), now()).map(|made| made.json).unwrap_err()
}

fn in_voice(voice: Voice) -> (Option<String>, Option<FormWish>) {
    let form = if voice == Voice::DeDu { FormWish::Du } else { FormWish::Sie };
    (Some(voice.language().code().to_owned()), Some(form))
}

/// Properties 28, 29 and 30, over all voices, places and ways to book.
#[test]
fn properties_28_29_30_place_booking_and_candidate() {
    for voice in Voice::ALL {
        for (city, office) in offices() {
            for manual in [true, false] {
                for candidate in [Some("Robin Lund"), None] {
                    let (language, german_form) = in_voice(voice);
                    let booking = if manual { BookingMethod::Manual } else { BookingMethod::Jobylon };
                    let candidate_name = candidate.map(str::to_owned);
                    let wish = InviteInput {
                        language,
                        german_form,
                        candidate_name,
                        booking_method: Some(booking),
                        city: Some((*city).to_owned()),
                        ..input()
                    };
                    let on_site = invite(wish.clone());
                    let body = &on_site.body;
                    assert!(body.contains(office.address) && body.contains(office.map), "{body}");
                    for (other, there) in offices() {
                        assert_eq!(body.contains(there.address), other == city, "{body}");
                    }
                    assert_eq!(
                        body.contains("2026") && ["14:30", "14.30"].iter().any(|time| body.contains(time)),
                        manual,
                        "{body}"
                    );
                    assert_eq!(body.contains("Jobylon"), !manual, "{body}");
                    assert_eq!(body.contains("UTC+1"), manual, "the zone is stated: {body}");
                    let called = candidate.map_or("[", |_| "Robin");
                    assert!(on_site.subject.contains(candidate.unwrap_or("[")), "{}", on_site.subject);
                    assert!(body.lines().next().unwrap().contains(called), "{body}");
                    let on_teams =
                        invite(InviteInput { location_type: Some(LocationType::Teams), city: None, ..wish });
                    assert!(on_teams.body.contains("Teams"));
                    assert!(offices().iter().all(|(_, office)| !on_teams.body.contains(office.address)));
                }
            }
        }
    }
}

#[test]
fn times_and_zones_are_written_as_readers_know_them() {
    for (voice, time, zone) in [
        (Voice::En, "14:30 to 16:00", "Stockholm time, UTC+1"),
        (Voice::Sv, "kl. 14.30–16.00", "lokal tid i Stockholm, UTC+1"),
        (Voice::Da, "kl. 14.30–16.00", "lokal tid i København, UTC+1"),
        (Voice::No, "kl. 14.30–16.00", "lokal tid i Oslo, UTC+1"),
        (Voice::DeSie, "14:30 bis 16:00 Uhr", "Ortszeit Berlin, UTC+1"),
    ] {
        let (language, german_form) = in_voice(voice);
        let wish = InviteInput {
            location_type: Some(LocationType::Teams),
            booking_method: Some(BookingMethod::Manual),
            city: None,
            language,
            german_form,
            ..input()
        };
        let body = invite(wish.clone()).body;
        assert!(body.contains(time) && body.contains(zone), "{body}");
        let given = invite(InviteInput { time_zone: Some("Europe/Helsinki".to_owned()), ..wish }).body;
        assert!(given.contains("Helsinki") && given.contains("UTC+2") && !given.contains(zone), "{given}");
    }
}

#[test]
fn durations_are_said_as_people_say_them() {
    let said = |minutes, voice: Voice| {
        let (language, german_form) = in_voice(voice);
        invite(InviteInput { duration: Some(minutes), language, german_form, ..input() }).body
    };
    for (minutes, words) in [
        (30, "30 minutes"),
        (45, "45 minutes"),
        (60, "one hour"),
        (90, "an hour and a half"),
        (120, "2 hours"),
        (75, "75 minutes"),
    ] {
        assert!(said(minutes, Voice::En).contains(words), "{minutes}");
    }
    for (voice, words) in [
        (Voice::Sv, "en och en halv timme"),
        (Voice::Da, "halvanden time"),
        (Voice::No, "halvannen time"),
        (Voice::DeSie, "anderthalb Stunden"),
    ] {
        assert!(said(90, voice).contains(words), "{words}");
    }
}

/// Property 39: all that is missing is said at once, in the project's language, each with the way out.
#[test]
fn property_39_a_refusal_names_field_and_way_out() {
    for language in Language::ALL {
        let wish = SettingsInput { language: Some(language.code().to_owned()), ..SettingsInput::default() };
        let Made { json, .. } = set_project(wish, &Project::default(), now()).unwrap();
        let project = Project::default().with(tata_recruit::Kind::ProjectSettings, "", &json);
        let refusal = create_calendar_invite(InviteInput::default(), &project, now())
            .map(|made| made.json)
            .unwrap_err();
        let fields: Vec<&str> = refusal.problems.iter().map(|problem| problem.field.as_str()).collect();
        assert_eq!(
            fields,
            [
                "position_name",
                "hiring_manager",
                "interview_type",
                "location_type",
                "booking_method",
                "duration"
            ]
        );
        for problem in &refusal.problems {
            let hint = problem.hint.as_deref().unwrap_or_default();
            assert!(!problem.message.is_empty() && hint.ends_with(['?', '.']), "{problem:?}");
        }
    }
}

#[test]
fn dates_places_and_lengths_are_strict() {
    let check = |change: fn(&mut InviteInput), field: &str, word: &str| {
        let mut wish = input();
        change(&mut wish);
        let refusal = refused(wish);
        let said = format!("{:?}", refusal.problems);
        assert!(
            refusal.problems.iter().any(|one| one.field == field) && said.contains(word),
            "{field}: {said}"
        );
    };
    check(|wish| wish.date = Some("24/11/2026".to_owned()), "date", "YYYY-MM-DD");
    check(|wish| wish.date = Some("2026-02-30".to_owned()), "date", "2026-02-30");
    check(|wish| wish.date = Some("2025-11-24".to_owned()), "date", "past");
    check(|wish| wish.date = None, "date", "missing");
    check(|wish| wish.time = Some("2 pm".to_owned()), "time", "24 hours");
    check(|wish| wish.weekday = Some("Monday".to_owned()), "weekday", "Tuesday");
    check(|wish| wish.date = Some("onsdag 2026-11-24".to_owned()), "weekday", "Tuesday");
    check(|wish| wish.city = Some("Malmö".to_owned()), "city", "Stockholm, Copenhagen or Oslo");
    check(|wish| wish.duration = Some(0), "duration", "0 minutes");
    check(|wish| wish.duration = Some(-5), "duration", "-5");
    check(|wish| wish.job_ad_link = Some("javascript:alert(1)".to_owned()), "job_ad_link", "https://");
    // Clocks go forward on 28 March 2027: half past two does not exist.
    check(
        |wish| (wish.date, wish.time) = (Some("2027-03-28".to_owned()), Some("02:30".to_owned())),
        "time",
        "clock",
    );
    let right = InviteInput {
        date: Some("tisdag 2026-11-24".to_owned()),
        weekday: Some("Tue".to_owned()),
        ..input()
    };
    assert!(invite(right).body.contains("Tuesday 24 November 2026"));
}

#[test]
fn unusual_lengths_and_unused_fields_are_mentioned() {
    let about = |wish: InviteInput| -> Vec<String> {
        let made = create_calendar_invite(wish, &Project::default(), now()).unwrap();
        made.notices.into_iter().map(|notice| notice.about).collect()
    };
    assert_eq!(about(InviteInput { duration: Some(10), ..input() }), ["duration"]);
    assert_eq!(about(InviteInput { duration: Some(240), ..input() }), ["duration"]);
    let booked = InviteInput { booking_method: Some(BookingMethod::Jobylon), ..input() };
    assert_eq!(about(booked), ["date"]);
    let teams = InviteInput { location_type: Some(LocationType::Teams), ..input() };
    assert_eq!(about(teams), ["city", "time_zone"]);
    assert_eq!(about(InviteInput { language: Some("suomi".to_owned()), ..input() }), ["language"]);
    assert_eq!(about(InviteInput { candidate_name: None, ..input() }), ["candidate_name"]);
}

/// Native M8: the hiring manager is not in the recruiter's first conversation, and people greet by the first name.
#[test]
fn a_screening_names_nobody_who_is_not_there() {
    let wish = InviteInput {
        interview_type: Some(InterviewType::TaScreening),
        candidate_name: Some("Martin Osei".to_owned()),
        ..input()
    };
    let invite = invite(wish);
    assert!(!invite.body.contains("Kim Dahl") && !invite.body.contains("You will meet"), "{}", invite.body);
    assert!(invite.body.starts_with("Hi Martin,"), "{}", invite.body);
    assert!(invite.subject.contains("Martin Osei"), "{}", invite.subject);
}

#[test]
fn everybody_is_named_the_manager_first() {
    let guest = Person {
        name: "Alex Berg".to_owned(),
        title: Some("Architect".to_owned()),
        linkedin: Some("https://www.linkedin.com/in/x".to_owned()),
    };
    let wish = InviteInput {
        additional_participants: vec![guest],
        agenda: vec!["Your case".to_owned(), " ".to_owned()],
        ..input()
    };
    let invite = invite(wish);
    let people = invite.parts.iter().find(|part| part.text == "You will meet:").unwrap();
    assert_eq!(
        people.points,
        ["Kim Dahl, Head of Network", "Alex Berg, Architect (https://www.linkedin.com/in/x)"]
    );
    assert!(invite.parts.iter().any(|part| part.points == ["Your case"]));
    assert!(invite.body.contains("GlobalConnect Talent Acquisition"));
    assert!(!invite.body.lines().any(|line| line.trim_start().starts_with("- ")));
}

proptest! {
    /// No input makes it panic; what is accepted names the candidate and the position. Property 36 on the way.
    #[test]
    fn hostile_input_is_refused_or_written(
        texts in proptest::collection::vec("\\PC{0,60}|[\\x00-\\x1f\\u{202e}\\u{200d}a-z ]{0,30}", 8),
        duration in any::<i64>(),
        manual in any::<bool>(),
        voice in proptest::sample::select(&Voice::ALL[..]),
    ) {
        let [position, manager, title, city, date, time, candidate, point] = texts.try_into().unwrap();
        let (language, german_form) = in_voice(voice);
        let wish = InviteInput {
            position_name: Some(position), language, german_form,
            hiring_manager: Some(Person { name: manager, title: Some(title), linkedin: None }),
            location_type: Some(if city.is_empty() { LocationType::Teams } else { LocationType::Onsite }),
            city: Some(city), duration: Some(duration), date: Some(date), time: Some(time),
            booking_method: Some(if manual { BookingMethod::Manual } else { BookingMethod::Jobylon }),
            candidate_name: Some(candidate), agenda: vec![point], ..input()
        };
        let once = create_calendar_invite(wish.clone(), &Project::default(), now()).map(|made| made.json);
        let twice = create_calendar_invite(wish, &Project::default(), now()).map(|made| made.json);
        prop_assert_eq!(&once, &twice);
        match once {
            Ok(json) => {
                let invite: CalendarInvite = serde_json::from_value(json).unwrap();
                prop_assert!(invite.subject.contains(&invite.position_name));
            }
            Err(refusal) => prop_assert!(refusal.problems.iter().all(|problem| !problem.message.is_empty())),
        }
    }

    /// Property 1 for this module: what is stored reads back equal.
    #[test]
    fn property_1_reads_back_equal(minutes in 1_i64..=1440, voice in proptest::sample::select(&Voice::ALL[..])) {
        let (language, german_form) = in_voice(voice);
        let invite = invite(InviteInput { duration: Some(minutes), language, german_form, ..input() });
        let text = serde_json::to_string(&invite).unwrap();
        prop_assert_eq!(serde_json::from_str::<CalendarInvite>(&text).unwrap(), invite);
    }
}
