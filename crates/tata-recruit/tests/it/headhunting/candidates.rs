//! Public profiles of candidates: what may be taken up, what may not, and what is no profile at all.

use proptest::prelude::*;

/// Lines of public profiles: what may be taken up, and what may not.
pub(super) const ROLES: &[&str] = &[
    "Network Engineer at Telia",
    "Senior Fibre Planner at TDC NET",
    "Nätverkstekniker på Telia",
    "Projektledare hos Skanova",
    "Projektleder hos TDC NET",
    "Driftstekniker hos Norlys",
    "Prosjektleder hos Telenor",
    "Sikkerhetsanalytiker i Atea",
    "Netzwerktechnikerin bei Vodafone",
    "Projektleiter bei der EWE TEL",
    "Service Delivery Manager at Deutsche Telekom",
];
pub(super) const YEARS: &[&str] = &[
    "12 years of experience with fibre networks",
    "Mer än 15 års erfarenhet av fiberutbyggnad",
    "Over 10 års erfaring med datacentre",
    "8 års erfaring innen drift av stamnett",
    "Seit 9 Jahren Erfahrung in der Glasfaserplanung",
];
pub(super) const SKILLS: &[&str] = &[
    "Certified in Juniper routing",
    "Certifierad inom projektledning",
    "Erfaring med offentlige udbud",
    "Sertifisert innen fibersveising",
    "Erfahrung mit SAP und Netzplanung",
    "Skills: BGP, MPLS, Juniper, Python",
];
pub(super) const SENTENCES: &[&str] = &[
    "I like to build networks that last.",
    "Jag tycker om att förklara teknik på ett enkelt sätt.",
    "Jeg kan bedst lide at være ude hos kunderne.",
    "Jeg liker å få ting til å virke.",
    "Am liebsten plane ich Netze auf dem Land.",
];
pub(super) const PRIVATE: &[&str] = &[
    "Anna Svensson",
    "45 år, gift, två barn",
    "Proud father of two and engineer at heart",
    "Geboren 1979 in Kiel",
    "Tillidsrepræsentant og tekniker hos TDC",
    "Muslim, network engineer at Telia",
    "Deaf engineer at Ericsson",
    "Gay and proud, technician at Telenor",
    "anna.svensson@example.com",
    "+46 70 123 45 67",
    "https://example.com/in/anna",
    "Engineer at Telia, anna@example.com",
    "Swedish citizen and engineer at Telia",
    "500+ connections",
    "(She/Her) Engineer at Telia",
];

pub(super) fn any_candidate() -> impl Strategy<Value = String> {
    let some = |from: &'static [&'static str], most: usize| proptest::sample::subsequence(from, 0..=most);
    let lines = (some(ROLES, 2), some(YEARS, 1), some(SKILLS, 2), some(SENTENCES, 2), some(PRIVATE, 6));
    let lines = lines.prop_map(|(roles, years, skills, sentences, private)| {
        [roles, years, skills, sentences, private].concat()
    });
    let ended = lines.prop_shuffle().prop_map(|lines| {
        lines.into_iter().map(|line| if line.ends_with('.') { format!("{line} ") } else { line.to_owned() })
    });
    ended.prop_map(|lines| {
        lines.collect::<Vec<_>>().join("\n")
            + "\nPeople also viewed\nOle Olsen\nCrane Operator at Nowhere Ltd"
    })
}

/// Anything, and things that nearly are a profile.
pub(super) fn hostile() -> impl Strategy<Value = String> {
    let parts: &[&str] = &[
        "Network Engineer at Telia",
        "Ingenieur bei Vodafone",
        "Skills:",
        "BGP, MPLS, Juniper",
        "12 years of experience",
        ", ",
        ": ",
        " | ",
        "\n",
        "\r\n",
        ". ",
        "\0",
        "\u{202E}",
        "\u{AD}",
        "🚀",
        "{detail}",
        "{position}",
        "“",
        "\"",
        "- ",
        "Sie",
        "du",
        "anna@example.com",
        "@",
        "İ",
        "ß",
        "e\u{301}",
        "\u{1F1F8}\u{1F1EA}",
        "People also viewed",
        "父",
        "Stockholm",
        "?",
        "!",
    ];
    let made = proptest::collection::vec(proptest::sample::select(parts.to_vec()), 0..12);
    prop_oneof![any::<String>(), made.prop_map(|parts| parts.concat())]
}
