//! The names that the lists of `data/withheld` may use, in the order of their numbers.

/// The lists of `data/withheld` besides the wishes, in the order of their numbers.
pub(crate) const REMARKS: [&str; 6] = ["confidential", "pointing", "whom", "neutral", "pay", "mark"];

/// The protected grounds of a wish, in the order of their numbers after the remarks.
pub(crate) const GROUNDS: [&str; 8] =
    ["age", "gender", "disability", "nationality", "ethnicity", "religion", "family", "orientation"];
