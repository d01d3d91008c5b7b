//! How statements from notes stand in a text that others read.
//!
//! What can be mended without a change of meaning is mended: shorthand with one reading, the verb of a task, a case
//! that only the torn sentence explains. What cannot is named, so that the recruiter can write it. The must-haves stay
//! word for word as the profile has them; the evidence of every statement stays as it was.

mod english;
mod german;
mod nordic;
mod qualities;
pub(crate) mod shorthand;
mod title;
mod torn;

use shorthand::Short;
pub(crate) use title::in_sentence as title_in_sentence;

use crate::{Item, Language, Notice, Profile, Texts};

/// How long a statement is shown in a notice.
const SHOWN: usize = 120;

/// What became of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Form {
    /// It can stand as it is.
    Fine,
    /// As it stands in a list.
    Restored(String),
    /// Only the one who wrote it knows how it should read.
    Doubtful,
}

/// A profile whose statements can be read, and what had to stay.
pub(crate) struct Reworded {
    pub(crate) profile: Profile,
    written_out: Vec<Short>,
    /// Field, statement, shorthand in it.
    shorthand: Vec<(&'static str, String, Vec<Short>)>,
    /// Field, statement.
    torn: Vec<(&'static str, String)>,
    /// The same for what a text can do without.
    left_out: Vec<(&'static str, String)>,
}

/// Whether a must-have, which stands word for word wherever it is shown, should be written anew by somebody first.
pub(crate) fn reads_like_notes(item: &Item, profile: &Profile, language: Language) -> bool {
    !shorthand::find(&item.text, language).is_empty() || is_torn(item, profile, language)
}

fn is_torn(item: &Item, profile: &Profile, language: Language) -> bool {
    torn::is_torn(&item.text, language) || german_quality(item, profile, language) != Form::Fine
}

/// Rewords a profile that is written in this language, all but its must-haves.
pub(crate) fn reword(profile: &Profile, language: Language) -> Reworded {
    let mut done = Reworded {
        profile: profile.clone(),
        written_out: Vec::new(),
        shorthand: Vec::new(),
        torn: Vec::new(),
        left_out: Vec::new(),
    };
    let mut new = profile.clone();
    for item in &profile.must_have_skills {
        done.note("must_have_skills", &item.text, language);
        if is_torn(item, profile, language) {
            done.torn.push(("must_have_skills", item.text.clone()));
        }
    }
    for (field, items) in [
        ("primary_responsibilities", &mut new.primary_responsibilities),
        ("good_to_haves", &mut new.good_to_haves),
        ("soft_skills", &mut new.soft_skills),
        ("motivations", &mut new.motivations),
        ("performance_measures", &mut new.performance_measures),
        ("challenges", &mut new.challenges),
    ] {
        for item in items.iter_mut() {
            let form = match field {
                _ if torn::is_torn(&item.text, language) => Form::Doubtful,
                "primary_responsibilities" if language == Language::De => german::task(&item.text),
                "primary_responsibilities" => {
                    nordic::task(&item.text, language).map_or(Form::Fine, Form::Restored)
                }
                "soft_skills" if language == Language::En => {
                    english::quality(&item.text).map_or(Form::Fine, Form::Restored)
                }
                "soft_skills" if language != Language::De => {
                    nordic::quality(&item.text, language).map_or(Form::Fine, Form::Restored)
                }
                "performance_measures" if language == Language::En => {
                    english::measure(&item.text).map_or(Form::Fine, Form::Restored)
                }
                "motivations" | "challenges" => Form::Fine,
                _ => german_quality(item, profile, language),
            };
            match form {
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
    if language == Language::En {
        let tasks: Vec<String> = new.primary_responsibilities.iter().map(|item| item.text.clone()).collect();
        for (item, task) in new.primary_responsibilities.iter_mut().zip(english::tasks(&tasks)) {
            item.text = task;
        }
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

impl Reworded {
    /// What the recruiter should know, for a document made from all of it.
    pub(crate) fn notices(&self, own: &Texts) -> Vec<Notice> {
        let quoted = |text: &str| own.say("candidate.quoted", &[("text", &clipped(text))]);
        let mut notices = Vec::new();
        if !self.written_out.is_empty() {
            let words = enumerated(&self.written_out, own);
            let message = own.say("profile.wording.written_out", &[("words", &words)]);
            notices.push(Notice::new("requirement_profile", message));
        }
        let mut fields: Vec<&str> = self.shorthand.iter().map(|(field, ..)| *field).collect();
        fields.dedup();
        for field in fields {
            let own_field = self.shorthand.iter().filter(|(known, ..)| *known == field);
            let (items, words): (Vec<String>, Vec<Vec<Short>>) =
                own_field.map(|(_, item, words)| (quoted(item), words.clone())).unzip();
            let words = enumerated(&words.concat(), own);
            let values = [("words", words.as_str()), ("items", &*items.join("; "))];
            notices.push(Notice::new(field, own.say("profile.wording.shorthand", &values)));
        }
        for (list, key) in [(&self.torn, "torn"), (&self.left_out, "left_out")] {
            let mut fields: Vec<&str> = list.iter().map(|(field, _)| *field).collect();
            fields.dedup();
            for field in fields {
                let items = list.iter().filter(|(known, _)| *known == field);
                let items: Vec<String> = items.map(|(_, item)| quoted(item)).collect();
                let message = own.say(&format!("profile.wording.{key}"), &[("items", &items.join("; "))]);
                notices.push(Notice::new(field, message));
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

fn german_quality(item: &Item, profile: &Profile, language: Language) -> Form {
    if language != Language::De {
        return Form::Fine;
    }
    let source = profile.sources.get(item.evidence.source).unwrap_or_default();
    let before: String = source.chars().take(item.evidence.start).collect();
    // Only the line it stands in: a point of a list has nothing before it.
    let before = before.rsplit('\n').next().unwrap_or_default();
    german::quality(&item.text, before, item.evidence.quote.starts_with(char::is_lowercase))
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

fn clipped(text: &str) -> String {
    if text.chars().count() <= SHOWN {
        return text.to_owned();
    }
    let cut: String = text.chars().take(SHOWN).collect();
    format!("{}…", cut.trim_end())
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
        let done = reword(&profile, Language::Sv);
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
            let done = reword(&profile, language);
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
