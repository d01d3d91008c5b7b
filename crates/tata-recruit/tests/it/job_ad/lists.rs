//! Lists of points, and sentences of the person.

use tata_recruit::{JobAdInput, SectionName, Source, Texts, Voice};
use tata_recruit::{group, key};

use super::{create, sample};

/// Nobody can tell for certain whether words are adjectives, so qualities are points; whole sentences stay sentences.
#[test]
fn qualities_read_well() {
    let check = |voice: Voice, skills: &[&str], is_prose: bool| {
        let mut profile = sample(voice.language());
        profile.sources.extend(Source::RecruiterInput, &skills.join("\n"));
        let tracer = tata_recruit::Tracer::new(&profile.sources);
        let item = |skill: &&str| tracer.item(skill, Some(Source::RecruiterInput)).unwrap();
        profile.soft_skills = skills.iter().map(item).collect();
        let (made, ad) = create(&profile, voice, JobAdInput::default()).unwrap();
        let person = ad.section(SectionName::SoftSkillsParagraph).unwrap();
        if is_prose {
            assert_eq!((person.text.as_str(), person.points.len()), (&*skills.join(" "), 0));
            return;
        }
        assert_eq!(person.text, Texts::of(voice).get(key!("job_ad.leads.person")));
        assert_eq!(person.points, skills);
        let shown = made.document.markdown();
        let first = skills.iter().all(|skill| {
            let (letter, rest) = skill.split_at(1);
            shown.contains(&format!("\n* {}{rest}\n", letter.to_uppercase()))
        });
        assert!(first, "{shown}");
    };
    check(Voice::En, &["calm when things break, and patient", "curious"], false);
    check(Voice::Sv, &["noggrann", "prestigelös", "van vid deadlines"], false);
    check(Voice::Sv, &["Du är noggrann och prestigelös, van vid deadlines och serviceinriktad."], true);
    check(Voice::Da, &["omhyggelig", "tør tage den svære samtale"], false);
    check(Voice::No, &["trygg", "kan stå i det når det stormer"], false);
    for voice in [Voice::DeDu, Voice::DeSie] {
        check(voice, &["Humor", "geduldig"], false);
    }
}

/// Trial 3: no frame with a colon around a fragment, nothing that only says "read on", and gaps that are marked.
#[test]
fn trial_3_an_ad_is_an_honest_skeleton() {
    for voice in Voice::ALL {
        let mut profile = sample(voice.language());
        profile.bu_description = None;
        profile.team_info = tata_recruit::TeamInfo::default();
        let (made, ad) = create(&profile, voice, JobAdInput::default()).unwrap();
        let texts = Texts::of(voice);
        for (name, gap) in [
            (SectionName::RoleDescription, "role"),
            (SectionName::TeamAndWhyGc, "team"),
            (SectionName::Process, "process"),
        ] {
            let section = ad.section(name).unwrap();
            assert_eq!(section.text, texts.get(group!("job_ad.gaps").key(gap)), "{voice:?}");
            assert!(section.text.starts_with('[') && section.text.ends_with(']'), "{}", section.text);
        }
        assert!(made.notices.iter().any(|notice| notice.about == "gaps"), "{:?}", made.notices);
        // What stands in the tasks stands nowhere else.
        let text = made.document.plain();
        for task in &profile.primary_responsibilities {
            assert!(text.to_lowercase().matches(&task.text.to_lowercase()).count() <= 1, "{}", task.text);
        }
        // What is a challenge or a measure is for the hiring team.
        for item in profile.challenges.iter().chain(&profile.performance_measures) {
            assert!(!text.contains(&item.text), "{}", item.text);
        }
    }
}
