//! The languages of this program.

use serde::{Deserialize, Serialize};
use tata_phrases::named;

named! {
    /// A language.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Language {
        /// English.
        #[default]
        En = "en",
        /// Swedish.
        Sv = "sv",
        /// Danish.
        Da = "da",
        /// Norwegian (bokmål).
        No = "no",
        /// German.
        De = "de",
    }
}

impl Language {
    /// Its code: en, sv, da, no, de.
    pub const fn code(self) -> &'static str {
        self.name()
    }

    /// The language somebody means by a code, a tag such as `nb-NO`, or a name in one of the five languages.
    pub fn wished(wish: &str) -> Option<Self> {
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

    /// Whether words grow together: "Nachtdienst", "nattarbete".
    pub(crate) fn compounds(self) -> bool {
        self != Self::En
    }
}
