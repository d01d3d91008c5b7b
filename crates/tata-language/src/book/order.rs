//! The names that word lists may use, in the order of their numbers.

/// The parts of an ad that are found by headings and cues; the headline is its first line.
pub(crate) const SECTIONS: [&str; 11] = [
    "intro",
    "role",
    "responsibilities",
    "requirements",
    "soft_skills",
    "good_to_haves",
    "team",
    "company",
    "benefits",
    "process",
    "call_to_action",
];

/// What a good ad says.
pub(crate) const ELEMENTS: [&str; 7] =
    ["pay", "accommodation", "equal_opportunity", "contact", "deadline", "contract", "workplace"];

#[allow(dead_code, reason = "only the build looks categories up by their names")]
/// What is wrong with a phrase, and how bad it is unless its entry says otherwise.
pub(crate) const CATEGORIES: [(&str, &str); 11] = [
    ("gender", "high"),
    ("age", "high"),
    ("disability", "high"),
    ("nationality", "medium"),
    ("ethnicity", "high"),
    ("religion", "high"),
    ("family", "medium"),
    ("orientation", "high"),
    ("socioeconomic", "medium"),
    ("requirements", "low"),
    ("location", "low"),
];
