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
        Form, form_of, is_torn,
        shorthand::{self, Short},
        tasks,
    },
};

/// How long a statement is shown in a notice.
const SHOWN: usize = 120;

/// A profile whose statements can be read, and what had to stay.
pub(crate) struct Readable {
    pub(crate) profile: Profile,
    written_out: Vec<Short>,
    /// Field, statement, shorthand in it.
    shorthand: Vec<(&'static str, String, Vec<Short>)>,
    /// Field, statement.
    torn: Vec<(&'static str, String)>,
    /// The same for what a text can do without.
    left_out: Vec<(&'static str, String)>,
}

/// Rewords a profile that is written in this language, all but its must-haves.
pub(crate) fn readable(profile: &Profile, language: Language) -> Readable {
    let mut done = Readable {
        profile: profile.clone(),
        written_out: Vec::new(),
        shorthand: Vec::new(),
        torn: Vec::new(),
        left_out: Vec::new(),
    };
    let mut new = profile.clone();
    for item in &profile.must_have_skills {
        done.note("must_have_skills", &item.text, language);
        if is_torn(item, &profile.sources, language) {
            done.torn.push(("must_have_skills", item.text.clone()));
        }
    }
    for (List { stored: field, .. }, items) in named(new.lists_mut()).skip(1) {
        let field = *field;
        for item in items.iter_mut() {
            match form_of(field, item, &profile.sources, language) {
                Form::Fine => {}
                Form::Restored(text) => item.text = text,
                // What is only welcome need not stand there in words that nobody understands.
                Form::Doubtful if field == "good_to_haves" => {
                    done.left_out.push((field, item.text.clone()));
                    continue;
                }
                Form::Doubtful => done.torn.push((field, item.text.clone())),
            }
            done.write_out(field, item, language);
        }
        items.retain(|item| !done.left_out.iter().any(|(of, text)| *of == field && *text == item.text));
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
    done.profile = new;
    done
}

impl Readable {
    /// What the recruiter should know, for a document made from all of it.
    pub(crate) fn notices(&self, own: &Texts) -> Vec<Notice> {
        let quoted = |text: &str| own.say("candidate.quoted", &[("text", &clipped(text, SHOWN))]);
        let mut notices = Vec::new();
        if !self.written_out.is_empty() {
            let words = enumerated(&self.written_out, own);
            let key = "profile.wording.written_out";
            notices.push(Notice::say("requirement_profile", own, key, &[("words", &words)]));
        }
        let mut fields: Vec<&str> = self.shorthand.iter().map(|(field, ..)| *field).collect();
        fields.dedup();
        for field in fields {
            let own_field = self.shorthand.iter().filter(|(known, ..)| *known == field);
            let (items, words): (Vec<String>, Vec<Vec<Short>>) =
                own_field.map(|(_, item, words)| (quoted(item), words.clone())).unzip();
            let words = enumerated(&words.concat(), own);
            let values = [("words", words.as_str()), ("items", &*items.join("; "))];
            notices.push(Notice::say(field, own, "profile.wording.shorthand", &values));
        }
        for (list, key) in [(&self.torn, "torn"), (&self.left_out, "left_out")] {
            let mut fields: Vec<&str> = list.iter().map(|(field, _)| *field).collect();
            fields.dedup();
            for field in fields {
                let items = list.iter().filter(|(known, _)| *known == field);
                let items: Vec<String> = items.map(|(_, item)| quoted(item)).collect();
                let items = [("items", &*items.join("; "))];
                notices.push(Notice::say(field, own, &format!("profile.wording.{key}"), &items));
            }
        }
        notices
    }

    fn note(&mut self, field: &'static str, text: &str, language: Language) {
        let found = shorthand::find(text, language);
        if !found.is_empty() {
            self.shorthand.push((field, text.to_owned(), found));
        }
    }

    fn write_out(&mut self, field: &'static str, item: &mut Item, language: Language) {
        let (certain, unclear): (Vec<Short>, Vec<Short>) =
            shorthand::find(&item.text, language).into_iter().partition(|short| short.reading.is_some());
        item.text = shorthand::written_out(&item.text, language);
        self.written_out.extend(certain);
        if !unclear.is_empty() {
            self.shorthand.push((field, item.text.clone(), unclear));
        }
    }
}

/// Shorthand with its reading where there is one, each once.
fn enumerated(words: &[Short], own: &Texts) -> String {
    let mut shown: Vec<String> = Vec::new();
    for word in words {
        let written = own.say("candidate.quoted", &[("text", &word.written)]);
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
