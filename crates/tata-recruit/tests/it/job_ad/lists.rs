//! Lists in sentences and lists of points.

use super::*;

/// Qualities that begin with a capital letter are points; small ones make a sentence, with semicolons where commas or
/// "and" would mislead.
#[test]
fn qualities_read_well() {
    let check = |voice: Voice, skills: &[&str], sentence: Option<&str>| {
        let mut profile = sample(voice.language());
        profile.sources.extend(Source::RecruiterInput, &skills.join("\n"));
        let tracer = tata_recruit::Tracer::new(&profile.sources);
        let item = |skill: &&str| tracer.item(skill, Some(Source::RecruiterInput)).unwrap();
        profile.soft_skills = skills.iter().map(item).collect();
        let (made, ad) = create(&profile, voice, JobAdInput::default()).unwrap();
        let person = ad.section(SectionName::SoftSkillsParagraph).unwrap();
        if let Some(sentence) = sentence {
            assert!(person.text.ends_with(&format!(": {sentence}.")), "{}", person.text);
            assert!(person.points.is_empty());
        } else {
            assert!(person.text.ends_with(':') && !person.text.contains('{'), "{}", person.text);
            assert_eq!(person.points, skills);
            let shown = made.document.markdown();
            let first = skills.iter().all(|skill| {
                let (letter, rest) = skill.split_at(1);
                shown.contains(&format!("\n* {}{rest}\n", letter.to_uppercase()))
            });
            assert!(first, "{shown}");
        }
    };
    check(Voice::En, &["calm", "curious"], Some("calm and curious"));
    check(
        Voice::En,
        &["calm when things break, and patient", "curious"],
        Some("calm when things break, and patient; curious"),
    );
    check(Voice::En, &["Persistent", "good with farmers"], None);
    check(Voice::Sv, &["Envis på ett bra sätt", "Ordningsam", "Lugn och noggrann"], None);
    check(
        Voice::Sv,
        &["lugn och noggrann", "envis", "ordningsam"],
        Some("lugn och noggrann; envis; ordningsam"),
    );
    check(Voice::Da, &["Robust", "Uformel i tonen"], None);
    check(Voice::Da, &["omhyggelig", "serviceminded"], Some("omhyggelig og serviceminded"));
    check(Voice::No, &["Nysgjerrig", "Tør å si fra"], None);
    check(Voice::No, &["tydelig og ryddig", "tålmodig"], Some("tydelig og ryddig; tålmodig"));
    for voice in [Voice::DeDu, Voice::DeSie] {
        check(voice, &["Hartnäckig in der Sache", "Verbindlich im Ton"], None);
        check(voice, &["Humor", "geduldig"], None);
        check(voice, &["geduldig", "genau"], Some("geduldig und genau"));
    }
    check(Voice::Sv, &["Ordningsam"], Some("ordningsam"));
}
