//! A profile as others read it: its statements worded by the rules of `wording`, and what had to stay.
//!
//! The must-haves stay word for word as the profile has them; the evidence of every statement stays as it was.

use super::{
    Profile,
    lists::{List, named},
};
use crate::{
    Item, Language, Notice, Texts,
    clip::clipped,
    wording::{
        Form, author, form_of, is_torn,
        shorthand::{self, Short},
        tasks,
    },
};

/// How long a statement is shown in a notice.
const SHOWN: usize = 120;

/// A profile whose statements can be read, and what had to stay.
#[derive(Default)]
pub(crate) struct Readable {
    pub(crate) profile: Profile,
    written_out: Vec<Short>,
    remarks: Vec<Remark>,
}

/// What the recruiter should know about a statement.
struct Remark {
    /// The text that says it: of shorthand, of a torn statement, of one that a text can do without.
    key: &'static str,
    field: &'static str,
    statement: String,
    /// The shorthand in it.
    words: Vec<Short>,
}

/// Rewords a profile that is written in this language, all but its must-haves.
pub(crate) fn readable(profile: &Profile, language: Language) -> Readable {
    let (mut done, mut new) = (Readable::default(), profile.clone());
    for item in &profile.must_have_skills {
        let found = shorthand::find(&item.text, language);
        if !found.is_empty() {
            done.remark("shorthand", "must_have_skills", item, found);
        }
        // "She must also be good at …" stands word for word in the ad, so the profile has to change.
        let told =
            author::is_authors(&item.text, language) || author::is_about_candidate(&item.text, language);
        if told || is_torn(item, &profile.sources, language) {
            done.remark("torn", "must_have_skills", item, Vec::new());
        }
    }
    // Days, steps and terms are facts, and stay as they were said.
    for (List { stored: field, .. }, items) in named(new.lists_mut()).skip(1).take(6) {
        items.retain_mut(|item| {
            match form_of(field, item, &profile.sources, language) {
                Form::Fine => {}
                Form::Restored(text) => item.text = text,
                // What is only welcome need not stand there in words that nobody understands.
                Form::Doubtful if *field == "good_to_haves" => {
                    done.remark("left_out", field, item, Vec::new());
                    return false;
                }
                Form::Doubtful => done.remark("torn", field, item, Vec::new()),
            }
            done.write_out(field, item, language);
            true
        });
    }
    let said: Vec<String> = new.primary_responsibilities.iter().map(|item| item.text.clone()).collect();
    for (item, task) in
        new.primary_responsibilities.iter_mut().zip(tasks(&said, language).unwrap_or_default())
    {
        item.text = task;
    }
    for (field, item) in [
        ("bu_description", &mut new.bu_description),
        ("contribution_to_mission", &mut new.contribution_to_mission),
        ("team_info.collaboration_style", &mut new.team_info.collaboration_style),
    ] {
        if let Some(item) = item {
            done.write_out(field, item, language);
        }
    }
    Readable { profile: new, ..done }
}

impl Readable {
    /// What the recruiter should know, for a document made from all of it.
    pub(crate) fn notices(&self, own: &Texts) -> Vec<Notice> {
        let mut notices = Vec::new();
        if !self.written_out.is_empty() {
            let words = enumerated(&self.written_out, own);
            let key = key!("profile.wording.written_out");
            notices.push(Notice::say("requirement_profile", own, key, &[("words", &words)]));
        }
        for key in ["shorthand", "torn", "left_out"] {
            let remarks: Vec<&Remark> = self.remarks.iter().filter(|remark| remark.key == key).collect();
            for of_field in remarks.chunk_by(|one, next| one.field == next.field) {
                let quoted = |remark: &&Remark| {
                    own.say(key!("candidate.quoted"), &[("text", &clipped(&remark.statement, SHOWN))])
                };
                let items: Vec<String> = of_field.iter().map(quoted).collect();
                let words: Vec<Short> = of_field.iter().flat_map(|remark| remark.words.clone()).collect();
                let values = [("words", &*enumerated(&words, own)), ("items", &*items.join("; "))];
                let field = of_field.first().map_or("", |remark| remark.field);
                notices.push(Notice::say(field, own, group!("profile.wording").key(key), &values));
            }
        }
        notices
    }

    fn remark(&mut self, key: &'static str, field: &'static str, item: &Item, words: Vec<Short>) {
        self.remarks.push(Remark { key, field, statement: item.text.clone(), words });
    }

    fn write_out(&mut self, field: &'static str, item: &mut Item, language: Language) {
        let (certain, unclear): (Vec<Short>, Vec<Short>) =
            shorthand::find(&item.text, language).into_iter().partition(|short| short.reading.is_some());
        item.text = shorthand::written_out(&item.text, language);
        self.written_out.extend(certain);
        if !unclear.is_empty() {
            self.remark("shorthand", field, item, unclear);
        }
    }
}

/// Shorthand with its reading where there is one, each once.
fn enumerated(words: &[Short], own: &Texts) -> String {
    let mut shown: Vec<String> = Vec::new();
    for word in words {
        let written = own.say(key!("candidate.quoted"), &[("text", &word.written)]);
        let text = match &word.reading {
            Some(reading) => format!("{written} ({reading})"),
            None => written,
        };
        if !shown.contains(&text) {
            shown.push(text);
        }
    }
    shown.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GermanForm, Voice};

    #[test]
    fn what_is_only_welcome_is_left_out_when_it_is_torn() {
        let item = |text: &str| Item { text: text.to_owned(), ..Item::default() };
        let profile = Profile {
            must_have_skills: vec![item("Och gärna engelska")],
            good_to_haves: vec![item("Inom kundservice"), item("Danska")],
            ..Profile::default()
        };
        let done = readable(&profile, Language::Sv);
        assert_eq!(done.profile.good_to_haves, [item("Danska")]);
        assert_eq!(done.profile.must_have_skills, profile.must_have_skills);
        let notices = done.notices(Texts::of(Voice::Sv));
        let named = |field: &str, text: &str| {
            notices.iter().any(|notice| notice.about == field && notice.message.contains(text))
        };
        assert!(named("good_to_haves", "”Inom kundservice”"), "{notices:?}");
        assert!(named("must_have_skills", "”Och gärna engelska”"), "{notices:?}");
    }

    #[test]
    fn an_ad_never_carries_shorthand_silently() {
        let item = |text: &str| Item { text: text.to_owned(), ..Item::default() };
        let check = |language: Language, must: &str, task: &str, written: &str, named: &[&str]| {
            let profile = Profile {
                must_have_skills: vec![item(must)],
                primary_responsibilities: vec![item(task)],
                ..Profile::default()
            };
            let done = readable(&profile, language);
            assert_eq!(done.profile.must_have_skills[0].text, must);
            assert_eq!(done.profile.primary_responsibilities[0].text, written);
            let notices = done.notices(Texts::of(Voice::new(language, GermanForm::Sie)));
            let all: Vec<&str> = notices.iter().map(|notice| notice.message.as_str()).collect();
            for word in named {
                assert!(all.iter().any(|message| message.contains(word)), "{word}: {all:?}");
            }
        };
        check(
            Language::En,
            "min 3 yrs exp",
            "Handles cust. contact incl contracts",
            "Handle cust. contact including contracts",
            &["“yrs exp” (years' experience)", "“cust.”", "“incl” (including)"],
        );
        check(
            Language::Sv,
            "säljare m. kundansv.",
            "drift inkl. jour",
            "drift inklusive jour",
            &["”m.”", "”inkl.”"],
        );
        check(Language::Da, "mpls + bgp", "drift inkl. vagt", "drift inklusive vagt", &["”+”", "”inkl.”"]);
        check(
            Language::No,
            "resp. f. drift",
            "drift inkl. vakt",
            "drift inkludert vakt",
            &["«f.»", "«inkl.»"],
        );
        check(
            Language::De,
            "Engl. f. Kunden",
            "Prüft die Anlagen inkl. Kälte",
            "die Anlagen einschließlich Kälte prüfen",
            &["„f.“", "„inkl.“"],
        );
    }
}
