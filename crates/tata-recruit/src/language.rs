//! The languages Tata writes, and how it addresses people in German.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::lists::{FORM_DU_DENIED, FORM_FORMAL, FORM_INFORMAL, FORM_SAYS_DU, FORM_SAYS_SIE};

/// A language documents are written in.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Swedish.
    Sv,
    /// Danish.
    Da,
    /// Norwegian (bokmål).
    No,
    /// German.
    De,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::En, Self::Sv, Self::Da, Self::No, Self::De];

    /// Its code: en, sv, da, no, de.
    pub fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Sv => "sv",
            Self::Da => "da",
            Self::No => "no",
            Self::De => "de",
        }
    }

    /// The same for those who read texts.
    pub(crate) fn spoken(self) -> tata_language::Language {
        match self {
            Self::En => tata_language::Language::En,
            Self::Sv => tata_language::Language::Sv,
            Self::Da => tata_language::Language::Da,
            Self::No => tata_language::Language::No,
            Self::De => tata_language::Language::De,
        }
    }

    /// The language somebody means by a code, a tag such as `nb-NO`, or a name in one of the five languages.
    pub fn find(wish: &str) -> Option<Self> {
        let wish = wish.trim().to_lowercase();
        let short = wish.split(['-', '_']).next().unwrap_or_default();
        match short {
            "en" | "eng" | "english" | "engelska" | "engelsk" | "englisch" => Some(Self::En),
            "sv" | "se" | "swe" | "swedish" | "svenska" | "svensk" | "schwedisch" => Some(Self::Sv),
            "da" | "dk" | "dan" | "danish" | "danska" | "dansk" | "dänisch" => Some(Self::Da),
            "no" | "nb" | "nor" | "nob" | "norwegian" | "norska" | "norsk" | "bokmål" | "norwegisch" => {
                Some(Self::No)
            }
            "de" | "deu" | "ger" | "german" | "tyska" | "tysk" | "deutsch" => Some(Self::De),
            _ => None,
        }
    }
}

/// How a German text addresses its reader.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum GermanForm {
    /// Informal.
    Du,
    /// Formal.
    #[default]
    Sie,
}

/// Which form a recruiter wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FormWish {
    /// Informal.
    Du,
    /// Formal.
    Sie,
    /// What the context suggests.
    #[default]
    Auto,
}

/// One of the six ways a text can speak: the five languages, German twice.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Voice {
    /// English.
    #[default]
    En,
    /// Swedish.
    Sv,
    /// Danish.
    Da,
    /// Norwegian.
    No,
    /// German, informal.
    DeDu,
    /// German, formal.
    DeSie,
}

impl Voice {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::En, Self::Sv, Self::Da, Self::No, Self::DeDu, Self::DeSie];

    /// The voice of a language; the form matters in German only.
    pub fn new(language: Language, form: GermanForm) -> Self {
        match (language, form) {
            (Language::En, _) => Self::En,
            (Language::Sv, _) => Self::Sv,
            (Language::Da, _) => Self::Da,
            (Language::No, _) => Self::No,
            (Language::De, GermanForm::Du) => Self::DeDu,
            (Language::De, GermanForm::Sie) => Self::DeSie,
        }
    }

    /// Its language.
    pub fn language(self) -> Language {
        match self {
            Self::En => Language::En,
            Self::Sv => Language::Sv,
            Self::Da => Language::Da,
            Self::No => Language::No,
            Self::DeDu | Self::DeSie => Language::De,
        }
    }

    /// How it addresses people, if it is German.
    pub fn form(self) -> Option<GermanForm> {
        match self {
            Self::DeDu => Some(GermanForm::Du),
            Self::DeSie => Some(GermanForm::Sie),
            Self::En | Self::Sv | Self::Da | Self::No => None,
        }
    }

    /// Its name in documents: en, sv, da, no, `de_du`, `de_sie`.
    pub fn code(self) -> &'static str {
        match self {
            Self::DeDu => "de_du",
            Self::DeSie => "de_sie",
            Self::En | Self::Sv | Self::Da | Self::No => self.language().code(),
        }
    }
}

/// The German form that was chosen, and by which rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormDecision {
    /// The form.
    pub form: GermanForm,
    /// Why.
    pub rule: FormRule,
}

/// What decided about the German form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FormRule {
    /// The recruiter said so.
    Chosen,
    /// Cues in the context were counted.
    Cues {
        /// Words that suggest du.
        informal: usize,
        /// Words that suggest Sie.
        formal: usize,
    },
    /// Nothing suggested anything; Sie is the default.
    NoCue,
}

/// Decides between du and Sie: the recruiter's word, else whole-word cues in the context. Only a clear majority of
/// informal ones gives du.
pub fn decide_form(wish: FormWish, context: &str) -> FormDecision {
    let form = match wish {
        FormWish::Du => GermanForm::Du,
        FormWish::Sie => GermanForm::Sie,
        FormWish::Auto => {
            let words = format!(" {} ", words(context).join(" "));
            let count = |cues: &[&str]| {
                let mut seen: Vec<String> =
                    cues.iter().map(|cue| format!(" {} ", cue.replace('-', " "))).collect();
                seen.sort_unstable();
                seen.dedup();
                seen.iter().map(|cue| occurrences(&words, cue)).sum::<usize>()
            };
            // What somebody says outright about the form beats all hints.
            let denied = count(&FORM_DU_DENIED);
            let (du, sie) = (count(&FORM_SAYS_DU).saturating_sub(denied), count(&FORM_SAYS_SIE) + denied);
            let (informal, formal) =
                if du == sie { (count(&FORM_INFORMAL), count(&FORM_FORMAL)) } else { (du, sie) };
            let form = if informal > formal { GermanForm::Du } else { GermanForm::Sie };
            let rule =
                if informal + formal == 0 { FormRule::NoCue } else { FormRule::Cues { informal, formal } };
            return FormDecision { form, rule };
        }
    };
    FormDecision { form, rule: FormRule::Chosen }
}

/// How often a cue with its blanks occurs; neighbours may share a blank.
fn occurrences(text: &str, cue: &str) -> usize {
    let (mut count, mut rest) = (0, text);
    while let Some(at) = rest.find(cue) {
        count += 1;
        rest = &rest[at + cue.len() - 1..];
    }
    count
}

fn words(text: &str) -> Vec<String> {
    text.split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_follows_whole_word_cues() {
        let check = |context: &str, form: GermanForm| {
            assert_eq!(decide_form(FormWish::Auto, context).form, form, "{context:?}");
        };
        check("tech startup", GermanForm::Du);
        check("leading bank", GermanForm::Sie);
        check("modern banking", GermanForm::Sie);
        check("international law firm", GermanForm::Sie);
        check("", GermanForm::Sie);
        check("An FORM_INFORMAL place without a flaw, agile", GermanForm::Du);
        check("flat hierarchy, Start-up", GermanForm::Du);
        check("agile agile bank", GermanForm::Du);
        check("Konzern, aber Du-Kultur; senior, management", GermanForm::Du);
        check("Wir duzen uns hier alle, auch im Management", GermanForm::Du);
        check("Hier wird nicht geduzt, agil hin oder her", GermanForm::Sie);
        check("modern, agil, wir siezen Kunden und Bewerber", GermanForm::Sie);
        assert_eq!(decide_form(FormWish::Du, "bank").rule, FormRule::Chosen);
        assert_eq!(decide_form(FormWish::Auto, "fibre").rule, FormRule::NoCue);
    }

    #[test]
    fn languages_are_found_by_code_tag_and_name() {
        let check = |wish: &str, language| assert_eq!(Language::find(wish), language, "{wish:?}");
        check("nb-NO", Some(Language::No));
        check(" Svenska ", Some(Language::Sv));
        check("Dänisch", Some(Language::Da));
        check("de_AT", Some(Language::De));
        check("suomi", None);
        check("", None);
    }
}
