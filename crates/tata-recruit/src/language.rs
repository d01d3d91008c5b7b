//! The languages Tata writes, and how it addresses people in German.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
pub use tata_language::Language;
use tata_language::named;
use tata_phrases::Cues;

use crate::cues::{Cued, List};

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

named! {
    /// One of the six ways a text can speak: the five languages, German twice.
    #[derive(Default, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum Voice {
        /// English.
        #[default]
        En = "en",
        /// Swedish.
        Sv = "sv",
        /// Danish.
        Da = "da",
        /// Norwegian.
        No = "no",
        /// German, informal.
        DeDu = "de_du",
        /// German, formal.
        DeSie = "de_sie",
    }
}

impl Voice {
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

/// Hints in the words of a company, and what it says outright (`data/form.txt`), as the build numbered them.
mod lists {
    use super::List;

    include!(concat!(env!("OUT_DIR"), "/form.rs"));
}

/// Decides between du and Sie: the recruiter's word, else whole-word cues in the context. Only a clear majority of
/// informal ones gives du.
pub(crate) fn decide_form(wish: FormWish, context: &str) -> FormDecision {
    let form = match wish {
        FormWish::Du => GermanForm::Du,
        FormWish::Sie => GermanForm::Sie,
        FormWish::Auto => {
            static CUES: Cues<'_> = Cues::of(include_bytes!(concat!(env!("OUT_DIR"), "/form.cues")));
            let said = Cued::of(context, CUES);
            let count = |list: List| said.all(list).count();
            // What somebody says outright about the form beats all hints.
            let denied = count(lists::DU_DENIED);
            let (du, sie) = (count(lists::SAYS_DU).saturating_sub(denied), count(lists::SAYS_SIE) + denied);
            let (informal, formal) =
                if du == sie { (count(lists::INFORMAL), count(lists::FORMAL)) } else { (du, sie) };
            let form = if informal > formal { GermanForm::Du } else { GermanForm::Sie };
            let rule =
                if informal + formal == 0 { FormRule::NoCue } else { FormRule::Cues { informal, formal } };
            return FormDecision { form, rule };
        }
    };
    FormDecision { form, rule: FormRule::Chosen }
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
        check("An INFORMAL place without a flaw, agile", GermanForm::Du);
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
        let check = |wish: &str, language| assert_eq!(Language::wished(wish), language, "{wish:?}");
        check("nb-NO", Some(Language::No));
        check(" Svenska ", Some(Language::Sv));
        check("Dänisch", Some(Language::Da));
        check("de_AT", Some(Language::De));
        check("suomi", None);
        check("", None);
    }
}
