//! What the pages say, in five languages. Every language has every word: one that is missing does not compile.

mod da;
mod de;
mod en;
mod no;
mod sv;

/// The languages of the pages. The documents have a language of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Lang {
    #[default]
    En,
    De,
    Sv,
    Da,
    No,
}

impl Lang {
    pub(crate) const ALL: [Self; 5] = [Self::En, Self::De, Self::Sv, Self::Da, Self::No];

    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::De => "de",
            Self::Sv => "sv",
            Self::Da => "da",
            Self::No => "no",
        }
    }

    /// As its speakers call it.
    pub(crate) fn own_name(self) -> &'static str {
        match self {
            Self::En => "English",
            Self::De => "Deutsch",
            Self::Sv => "Svenska",
            Self::Da => "Dansk",
            Self::No => "Norsk",
        }
    }

    /// The language with this tag; Norwegian goes by three names.
    pub(crate) fn find(tag: &str) -> Option<Self> {
        match tag.split(['-', '_']).next().unwrap_or_default().trim().to_ascii_lowercase().as_str() {
            "en" => Some(Self::En),
            "de" => Some(Self::De),
            "sv" => Some(Self::Sv),
            "da" => Some(Self::Da),
            "no" | "nb" | "nn" => Some(Self::No),
            _ => None,
        }
    }

    /// The first of a browser's languages that is known here.
    pub(crate) fn accepted(header: &str) -> Option<Self> {
        header.split(',').find_map(|part| Self::find(part.split(';').next()?))
    }

    pub(crate) fn words(self) -> &'static Words {
        match self {
            Self::En => &en::WORDS,
            Self::De => &de::WORDS,
            Self::Sv => &sv::WORDS,
            Self::Da => &da::WORDS,
            Self::No => &no::WORDS,
        }
    }
}

/// A number of things: `{}` stands for it; one has words of its own.
pub(crate) fn counted([one, many]: [&str; 2], count: usize) -> String {
    if count == 1 { one.to_owned() } else { many.replace("{}", &count.to_string()) }
}

/// Why a part of an answer is not proven, by the names that the check gives; the words stand in `Words::gaps`.
const GAPS: [&str; 15] = [
    "source",
    "value",
    "name",
    "benefit",
    "pay",
    "promise",
    "superlative",
    "trait",
    "quotation",
    "word",
    "negation",
    "doubt",
    "strength",
    "bound",
    "combined",
];

impl Words {
    /// Why a part of an answer is not proven; for a name that is not known here, that it is not.
    pub(crate) fn gap(&self, reason: &str) -> &'static str {
        let at = GAPS.iter().position(|known| *known == reason);
        at.and_then(|at| self.gaps.get(at)).copied().unwrap_or(self.unproven)
    }
}

macro_rules! words {
    ($($name:ident),* $(,)?; $($counted:ident),* $(,)?; $($list:ident: $size:literal),* $(,)?) => {
        /// What the pages say.
        #[derive(Debug)]
        pub(crate) struct Words {
            $(pub(crate) $name: &'static str,)*
            // One, and many with `{}` for the number.
            $(pub(crate) $counted: [&'static str; 2],)*
            $(pub(crate) $list: [&'static str; $size],)*
        }

        impl Words {
            /// Every text, for tests.
            #[cfg(test)]
            fn all(&self) -> Vec<(&'static str, &'static str)> {
                let mut all = vec![$((stringify!($name), self.$name),)*];
                $(all.extend(self.$counted.map(|text| (stringify!($counted), text)));)*
                $(all.extend(self.$list.map(|text| (stringify!($list), text)));)*
                all
            }
        }
    };
}

words! {
    skip, menu, close, new_project, projects, documents, knowledge, models, settings, recent,
    hello, hello_text, examples, message, message_placeholder, send, stop, attach, drop_here, remove,
    you, assistant, working, copied, copy, again, edit, edit_note, cancel, retry, steps_running, failed_why, stopped,
    interrupted, go_on, tokens, cost_unknown, seconds, ai_notice, rules_notice, by_hand, brought,
    asks_approval, asks_decision, asks_uncertain, arguments, approve_call, reject_call, decide_yes, decide_no,
    happened, not_happened, went_wrong, answer_ready, offline, online_again, reconnecting, draft_kept,
    no_documents, no_documents_text, versions, version, newest, compare, no_difference, back_to_chat,
    author_model, author_person, approve, approved, approved_by, confirm, draft, stale, stale_text, not_ready, restore, export, sources,
    source, findings, finding, marked_text, finding_done, accept, ignore, keep, delete, replace, own_words, reason,
    added, removed,
    search, search_projects, search_documents, nothing_found, found_in_messages, pinned, today, yesterday,
    last_week, last_month, older, rename, name, save, pin, unpin, delete_project, deleted, undo, restored,
    no_projects, untitled, more, files, file_queued, file_reading, file_read, file_failed, file_preview, file_limits,
    file_none, knowledge_text, add_document, search_knowledge, score, page, no_knowledge, knowledge_empty,
    ingest_running, ingest_done, ingest_failed, sources_found, no_source, sources_left, unproven, unproven_none,
    unproven_title, unproven_text,
    models_text, ready, missing, usual, check, how_to_add, set_variable, works, fails, not_seen, on_this_machine,
    language, language_text, theme, theme_system, theme_light, theme_dark, saved,
    first_title, first_model, first_model_text, first_documents, first_documents_text, first_try, first_try_text,
    demo_create, demo_remove, demo_text, demo_done, demo_gone, error_title, error_back, of_model, change_model,
    model_in_use, copy_failed, leave_running,
    account, sign_out, company, role, role_recruiter, role_admin, password_change, password_old, password_new,
    password_rule, password_bad, password_wrong, password_elsewhere, keys, keys_text, keys_none, key_label,
    key_make, key_once, key_end, admin, people, person_add, person_name, person_password, person_bad,
    person_own, person_disable, person_enable, person_disabled, person_promote, person_demote, usage_days,
    usage_none, usage_person, usage_model, usage_requests, usage_read, usage_written, usage_cost, usage_unknown,
    trail, trail_none, trail_when, trail_who, trail_what, api_reference,
    form_menu, form_begin, form_optional, form_missing, form_send, form_lines, form_lines_text, yes, no,
    rate, rating, leave_open, add, edit_document, password_keys, key_ends, key_until, key_never;
    finding_count, open_findings, chunk_count;
    months: 12, example_titles: 3, example_tasks: 3, check_steps: 5, key_days: 3, gaps: 15
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_says_everything_in_its_own_words() {
        for lang in Lang::ALL {
            for (name, text) in lang.words().all() {
                assert!(!text.trim().is_empty(), "{}: {name} is empty", lang.code());
            }
        }
        let english = Lang::En.words().all();
        for lang in Lang::ALL.into_iter().filter(|lang| *lang != Lang::En) {
            let same = lang.words().all().into_iter().zip(&english).filter(|(own, en)| own.1 == en.1);
            let same: Vec<_> = same.map(|(own, _)| own.0).collect();
            // Some words are the same in related languages; most are not.
            assert!(same.len() * 6 < english.len(), "{}: {same:?}", lang.code());
        }
    }

    /// A field of a form, a count of characters, the number of a material or the name of an argument.
    #[test]
    fn no_machine_words_are_said() {
        for lang in Lang::ALL {
            let of_machines: &[&str] = match lang {
                Lang::En => &["json", "schema", "seal", "character", "characters", "field", "fields"],
                Lang::Sv => &["json", "tecken", "fält", "fältet", "fälten"],
                Lang::Da => &["json", "tegn", "felt", "feltet", "felter", "felterne"],
                Lang::No => &["json", "tegn", "felt", "feltet", "felter", "feltene"],
                Lang::De => &["json", "zeichen", "feld", "felder", "feldern", "feldes"],
            };
            for (name, text) in lang.words().all() {
                let lower = text.to_lowercase();
                for word in lower.split(|letter: char| !letter.is_alphanumeric() && letter != '_') {
                    let number = word.strip_prefix('m').unwrap_or_default();
                    let is_material = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
                    let is_plain = !is_material && !word.contains('_') && !of_machines.contains(&word);
                    assert!(is_plain, "{}: {name}: {word}", lang.code());
                }
            }
        }
    }

    #[test]
    fn a_number_has_its_place_in_every_language() {
        for lang in Lang::ALL {
            let words = lang.words();
            for both in [words.finding_count, words.open_findings, words.chunk_count] {
                assert!(both[1].contains("{}"), "{both:?}");
                assert!(counted(both, 3).contains('3'), "{both:?}");
                assert!(!counted(both, 1).contains("{}"), "{both:?}");
            }
        }
    }

    #[test]
    fn a_browser_is_answered_in_its_first_known_language() {
        for (header, lang) in [
            ("nb-NO,nb;q=0.9,en;q=0.8", Some(Lang::No)),
            ("fr, de-CH;q=0.9", Some(Lang::De)),
            ("fr", None),
            ("", None),
            ("SV", Some(Lang::Sv)),
        ] {
            assert_eq!(Lang::accepted(header), lang, "{header}");
        }
    }
}
