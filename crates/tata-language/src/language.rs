//! The languages there are lists for.

/// A language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// English.
    En,
    /// Swedish.
    Sv,
    /// Danish.
    Da,
    /// Norwegian.
    No,
    /// German.
    De,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::En, Self::Sv, Self::Da, Self::No, Self::De];

    /// Its code.
    pub fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Sv => "sv",
            Self::Da => "da",
            Self::No => "no",
            Self::De => "de",
        }
    }

    /// The language with this code; `nb` is Norwegian too.
    pub fn find(code: &str) -> Option<Self> {
        let code = code.trim().to_lowercase();
        let code = if code == "nb" { "no" } else { &code };
        Self::ALL.into_iter().find(|language| language.code() == code)
    }

    /// Whether words grow together: "Nachtdienst", "nattarbete".
    pub(crate) fn compounds(self) -> bool {
        self != Self::En
    }

    /// Its place in tables.
    pub(crate) fn index(self) -> usize {
        self as usize
    }
}
