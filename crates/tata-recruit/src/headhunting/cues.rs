//! The words by which a public profile is read (`data/headhunting.txt`).

use tata_phrases::{Cues, Hit};

use crate::cues::{Cued, List};

/// The lists, as the build numbered them.
pub(super) mod lists {
    use super::List;

    include!(concat!(env!("OUT_DIR"), "/headhunting.rs"));
}

/// The words of a statement, and what gives it away.
pub(super) fn read(statement: &str) -> Cued<'_> {
    static CUES: Cues<'_> = Cues::of(include_bytes!(concat!(env!("OUT_DIR"), "/headhunting.cues")));
    Cued::of(statement, CUES)
}

/// Whether a statement touches something private, and not only in the name of a company.
pub(super) fn is_private(statement: &Cued<'_>) -> bool {
    let allowed = |cue: &Hit| {
        statement.all(lists::ALLOWED).any(|name| cue.first <= name.last && name.first <= cue.last)
    };
    lists::PROTECTED.iter().any(|(_, list)| statement.all(*list).any(|cue| !allowed(cue)))
}

/// Whether a line, or what stands before a colon, is a heading of a list.
pub(super) fn is_heading(line: &str, list: List) -> bool {
    line.len() < 100 && read(line).has(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_matters_are_seen_in_every_language() {
        let check = |statement: &str, private: bool| {
            assert_eq!(is_private(&read(statement)), private, "{statement:?}");
        };
        check("Proud father of two and network engineer", true);
        check("Mamma till tre och projektledare på Telia", true);
        check("Tillitsvalgt og montør hos Telenor", true);
        check("Verheiratet, zwei Kinder", true);
        check("Dansk ingeniør med base i Odense", true);
        check("She/Her", true);
        check("Born 1984", true);
        check("Netzwerktechnikerin bei der Deutschen Telekom", false);
        check("Service Manager at Deutsche Telekom", false);
        check("Network Engineer at Telia", false);
        check("15 års erfarenhet av fiber", false);
    }
}
