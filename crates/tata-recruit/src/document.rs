//! How statements are written where documents show them. The documents themselves are those of `tata-document`.

use tata_document::LanguageTag;

use crate::{Texts, Voice};

/// Names that are written small even at the start of a line.
const SMALL_NAMES: [&str; 12] = [
    "bash", "curl", "emacs", "etcd", "kubectl", "nginx", "numpy", "pandas", "pytest", "systemd", "vim",
    "webpack",
];

/// Abbreviations that people type small in their notes and that are written in capitals.
const CAPITALS: &str = "api apis aws bgp bim bms cad ccie ccna ccnp cipd cissp crm csm dcim dns dwdm erp ftth gcih gcp gdpr gis \
    hms hr hse hvac ifrs ip ipma iso itil kma kpi lan lou luf mpls noc ospf otdr plc pmp psm rhel sap scada siem sla soc sql tcp tms \
    vpn wan wms";

impl From<Voice> for LanguageTag {
    fn from(voice: Voice) -> Self {
        voice.language().code().into()
    }
}

/// A statement as it stands at the start of a point or a heading: with a capital letter, unless its first word is
/// written small wherever it stands (iOS, dbt, k8s). What is stored stays as somebody wrote it.
pub(crate) fn capitalized(statement: &str) -> String {
    let end = statement.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(statement.len());
    let (word, rest) = statement.split_at(end);
    let mut letters = statement.chars();
    let Some(first) = letters.next().filter(|letter| letter.is_lowercase()) else {
        return statement.to_owned();
    };
    if CAPITALS.split_ascii_whitespace().any(|known| known == word) {
        return format!("{}{rest}", word.to_uppercase());
    }
    let inner = word.chars().skip(1).any(|letter| letter.is_uppercase() || letter.is_numeric());
    // An abbreviation such as mpls: no ordinary word is without a vowel.
    let abbreviation = end > 1 && word.is_ascii() && !word.contains(['a', 'e', 'i', 'o', 'u', 'y']);
    let mut capital = first.to_uppercase();
    match (capital.next(), capital.next()) {
        (Some(capital), None) if !inner && !abbreviation && !SMALL_NAMES.contains(&word) => {
            std::iter::once(capital).chain(letters).collect()
        }
        (Some(_) | None, _) => statement.to_owned(),
    }
}

/// Statements in one sentence: "a, b and c". Where one of them has a comma or a joining word itself, semicolons part them.
pub(crate) fn listed(statements: &[impl AsRef<str>], texts: &Texts) -> String {
    let and = texts.get("project.and");
    let joins = |text: &str| text.contains([',', ';']) || text.split_whitespace().any(|word| word == and);
    if statements.len() > 1 && statements.iter().any(|statement| joins(statement.as_ref())) {
        statements.iter().map(AsRef::as_ref).collect::<Vec<_>>().join("; ")
    } else {
        texts.enumerate(statements)
    }
}

#[cfg(test)]
mod tests {
    use tata_document::{Block, Document};

    use super::*;

    #[test]
    fn plain_text_keeps_names_and_quotes_as_the_language_does() {
        let check = |voice: Voice, quoted: &str| {
            let mut document = Document::new(voice, "GlobalConnect");
            document.heading(1, "A").heading(1, "GlobalConnect: iOS");
            document.push(Block::quote("x", "CV")).push(Block::quote("y", ""));
            let plain = document.plain();
            assert!(plain.contains("A\n-\n\nGlobalConnect: iOS\n------------------\n"), "{plain}");
            assert!(plain.contains(quoted) && !plain.lines().any(|line| line.starts_with("- ")), "{plain}");
            // The same marks as the texts of the language.
            let texts = Texts::of(voice).say("candidate.quoted", &[("text", "y")]);
            assert!(plain.ends_with(&format!("\n{texts}\n")), "{plain}");
        };
        check(Voice::En, "“x” (CV)");
        check(Voice::Sv, "”x” (CV)");
        check(Voice::Da, "”x” (CV)");
        check(Voice::No, "«x» (CV)");
        check(Voice::DeDu, "„x“ (CV)");
        check(Voice::DeSie, "„x“ (CV)");
    }

    #[test]
    fn points_begin_with_a_capital_letter() {
        let check = |statement: &str, shown: &str| assert_eq!(capitalized(statement), shown);
        check("varit teamledare eller arbetsledare tidigare", "Varit teamledare eller arbetsledare tidigare");
        check("ansvara för driften", "Ansvara för driften");
        check("økonomi og jura", "Økonomi og jura");
        check("in der Führung erfahren", "In der Führung erfahren");
        check("a degree", "A degree");
        check("i drift sedan 2020", "I drift sedan 2020");
        check("iOS and Android", "iOS and Android");
        check("eBay", "eBay");
        check("dbt in production", "dbt in production");
        check("k8s i prod", "k8s i prod");
        check("mpls + bgp", "MPLS + bgp");
        check("crm-system", "CRM-system");
        check("nginx", "nginx");
        check("B-körkort", "B-körkort");
        check("2 år i SOC", "2 år i SOC");
        check("ßharp", "ßharp");
        check("", "");
    }

    #[test]
    fn a_list_in_a_sentence_can_be_read() {
        let check = |voice: Voice, items: &[&str], shown: &str| {
            assert_eq!(listed(items, Texts::of(voice)), shown);
        };
        check(Voice::En, &["calm", "curious"], "calm and curious");
        check(Voice::En, &["calm and curious", "patient"], "calm and curious; patient");
        check(Voice::Sv, &["lugn och noggrann", "envis"], "lugn och noggrann; envis");
        check(Voice::Da, &["rolig, også om natten", "vedholdende"], "rolig, også om natten; vedholdende");
        check(Voice::No, &["tydelig og ryddig", "tålmodig", "blid"], "tydelig og ryddig; tålmodig; blid");
        check(Voice::DeSie, &["ruhig und genau", "geduldig"], "ruhig und genau; geduldig");
        check(Voice::DeSie, &["ruhig", "geduldig", "genau"], "ruhig, geduldig und genau");
        check(Voice::Sv, &["lugn och noggrann"], "lugn och noggrann");
        check(Voice::Sv, &[], "");
    }
}
