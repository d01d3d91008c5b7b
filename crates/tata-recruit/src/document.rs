//! How statements are written where documents show them. The documents themselves are those of `tata-document`.

use tata_document::LanguageTag;

use crate::{Texts, Voice};

impl From<Voice> for LanguageTag {
    fn from(voice: Voice) -> Self {
        voice.language().code().into()
    }
}

/// Statements in one sentence: "a, b and c". Where one of them has a comma or a joining word itself, semicolons part them.
pub(crate) fn listed(statements: &[impl AsRef<str>], texts: &Texts) -> String {
    let and = texts.get(key!("project.and"));
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
            let texts = Texts::of(voice).say(key!("candidate.quoted"), &[("text", "y")]);
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
