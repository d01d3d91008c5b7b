//! A document as people read it: blocks that any form of output can render.

use serde::{Deserialize, Serialize};

use crate::{Language, Texts, Voice};

/// The widest line under a heading.
const WIDEST_RULE: usize = 100;
/// Names that are written small even at the start of a line.
const SMALL_NAMES: [&str; 12] = [
    "bash", "curl", "emacs", "etcd", "kubectl", "nginx", "numpy", "pandas", "pytest", "systemd", "vim",
    "webpack",
];

/// Abbreviations that people type small in their notes and that are written in capitals.
const CAPITALS: &str = "api apis aws bgp bim bms cad ccie ccna ccnp cipd cissp crm csm dcim dns dwdm erp ftth gcih gcp gdpr gis \
    hms hr hse hvac ifrs ip ipma iso itil kma kpi lan lou luf mpls noc ospf otdr plc pmp psm rhel sap scada siem sla soc sql tcp tms \
    vpn wan wms";

/// A document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// Its title.
    pub title: String,
    /// How it speaks.
    pub voice: Voice,
    /// What it says.
    pub blocks: Vec<Block>,
}

/// A part of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    /// A heading; level 1 is the first below the title.
    Heading {
        /// From 1 to 3.
        level: u8,
        /// The words.
        text: String,
    },
    /// Prose. Line breaks inside are kept.
    Paragraph(String),
    /// Points without an order.
    Bullets(Vec<String>),
    /// Points in order.
    Numbered(Vec<String>),
    /// A table with a header row.
    Table {
        /// Names of the columns.
        header: Vec<String>,
        /// The cells.
        rows: Vec<Vec<String>>,
    },
    /// Somebody's own words, and whose or where.
    Quote {
        /// The words.
        text: String,
        /// Whose, where, when.
        source: String,
    },
    /// Room to write in, with its label.
    Notes(String),
}

impl Document {
    /// An empty document.
    pub fn new(voice: Voice, title: impl Into<String>) -> Self {
        Self { title: title.into(), voice, blocks: Vec::new() }
    }

    /// Adds a heading.
    pub fn heading(&mut self, level: u8, text: impl Into<String>) -> &mut Self {
        self.push(Block::Heading { level, text: text.into() })
    }

    /// Adds prose; blank prose is left out.
    pub fn paragraph(&mut self, text: impl Into<String>) -> &mut Self {
        let text = text.into();
        if text.trim().is_empty() { self } else { self.push(Block::Paragraph(text)) }
    }

    /// Adds points; no points, no list.
    pub fn bullets(&mut self, points: impl IntoIterator<Item = impl Into<String>>) -> &mut Self {
        let points: Vec<String> = points.into_iter().map(Into::into).collect();
        if points.is_empty() { self } else { self.push(Block::Bullets(points)) }
    }

    /// Adds any block.
    pub fn push(&mut self, block: Block) -> &mut Self {
        self.blocks.push(block);
        self
    }

    /// Every piece of text in it, in order.
    pub fn texts(&self) -> Vec<&str> {
        let mut texts = vec![self.title.as_str()];
        for block in &self.blocks {
            match block {
                Block::Heading { text, .. } | Block::Paragraph(text) | Block::Notes(text) => texts.push(text),
                Block::Bullets(points) | Block::Numbered(points) => {
                    texts.extend(points.iter().map(String::as_str));
                }
                Block::Table { header, rows } => {
                    texts.extend(header.iter().chain(rows.iter().flatten()).map(String::as_str));
                }
                Block::Quote { text, source } => texts.extend([text.as_str(), source.as_str()]),
            }
        }
        texts
    }

    /// As Markdown. Lists use asterisks: a dash at the start of a line is never a bullet here.
    pub fn markdown(&self) -> String {
        let mut out = Vec::new();
        if !self.title.is_empty() {
            out.push(format!("# {}", escaped(&self.title)));
        }
        for block in &self.blocks {
            out.push(match block {
                Block::Heading { level, text } => {
                    format!("{} {}", "#".repeat(usize::from(*level) + 1), escaped(text))
                }
                Block::Paragraph(text) => escaped(text).replace('\n', "\\\n"),
                Block::Bullets(points) => lines(points.iter().map(|point| format!("* {}", escaped(point)))),
                Block::Numbered(points) => lines(
                    points.iter().enumerate().map(|(at, point)| format!("{}. {}", at + 1, escaped(point))),
                ),
                Block::Table { header, rows } => {
                    let row = |cells: &[String]| {
                        let cells: Vec<String> =
                            cells.iter().map(|cell| escaped(cell).replace('|', "\\|")).collect();
                        format!("| {} |", cells.join(" | ").replace('\n', " "))
                    };
                    let rule = format!("|{}", " --- |".repeat(header.len()));
                    lines([row(header), rule].into_iter().chain(rows.iter().map(|cells| row(cells))))
                }
                Block::Quote { text, source } if source.is_empty() => {
                    lines(escaped(text).lines().map(|line| format!("> {line}")))
                }
                Block::Quote { text, source } => {
                    lines(escaped(text).lines().map(|line| format!("> {line}")))
                        + &format!("\n>\n> ({})", escaped(source))
                }
                Block::Notes(label) => format!("{}: {}", escaped(label), "_".repeat(40).replace('_', "\\_")),
            });
        }
        out.join("\n\n") + "\n"
    }

    /// As plain text.
    pub fn plain(&self) -> String {
        let mut out = Vec::new();
        let ruled = |text: &str, sign: &str| {
            format!("{text}\n{}", sign.repeat(text.chars().count().min(WIDEST_RULE)))
        };
        let (open, close) = quotation_marks(self.voice.language());
        if !self.title.is_empty() {
            out.push(ruled(&self.title, "="));
        }
        for block in &self.blocks {
            out.push(match block {
                // As it is written: capitals throughout would change names.
                Block::Heading { level: 1, text } => ruled(text, "-"),
                Block::Heading { text, .. } | Block::Paragraph(text) => text.clone(),
                Block::Bullets(points) => lines(points.iter().map(|point| format!("• {point}"))),
                Block::Numbered(points) => {
                    lines(points.iter().enumerate().map(|(at, point)| format!("{}. {point}", at + 1)))
                }
                Block::Table { header, rows } => aligned(header, rows),
                Block::Quote { text, source } if source.is_empty() => format!("{open}{text}{close}"),
                Block::Quote { text, source } => format!("{open}{text}{close} ({source})"),
                Block::Notes(label) => format!("{label}: {}", "_".repeat(40)),
            });
        }
        out.join("\n\n") + "\n"
    }
}

/// The quotation marks of a language, as its texts have them.
fn quotation_marks(language: Language) -> (char, char) {
    match language {
        Language::En => ('“', '”'),
        Language::Sv | Language::Da => ('”', '”'),
        Language::No => ('«', '»'),
        Language::De => ('„', '“'),
    }
}

/// A statement as it stands inside a sentence: with a small letter, unless its first word is a name or an abbreviation.
/// German keeps the capital of its nouns.
pub(crate) fn lowered(statement: &str, language: Language) -> String {
    let end = statement.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(statement.len());
    let (word, rest) = statement.split_at(end);
    let mut letters = word.chars();
    let ordinary = letters.next().is_some_and(char::is_uppercase)
        && end > 1
        && letters.all(char::is_lowercase)
        && language != Language::De
        // "Linux-drift", "Cisco", "Danish": names.
        && !crate::screening::is_name(word);
    if ordinary { format!("{}{rest}", word.to_lowercase()) } else { statement.to_owned() }
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

fn lines(lines: impl IntoIterator<Item = String>) -> String {
    lines.into_iter().collect::<Vec<_>>().join("\n")
}

/// Text that Markdown must not take for its own signs. Only where it would: what people read should stay readable.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, line) in text.split('\n').enumerate() {
        if at > 0 {
            out.push('\n');
        }
        let trimmed = line.trim_start();
        if trimmed.starts_with(['#', '>', '+', '=']) {
            out.push('\\');
        }
        for letter in line.chars() {
            if matches!(letter, '*' | '_' | '`' | '[' | ']' | '<' | '\\') {
                out.push('\\');
            }
            out.push(letter);
        }
    }
    out
}

fn aligned(header: &[String], rows: &[Vec<String>]) -> String {
    let width = |text: &str| text.chars().count();
    let widths: Vec<usize> = (0..header.len())
        .map(|at| {
            let cells = rows.iter().filter_map(|row| row.get(at)).map(|cell| width(cell));
            cells.chain([width(&header[at])]).max().unwrap_or(0)
        })
        .collect();
    let row = |cells: &[String]| {
        let cells: Vec<String> = cells
            .iter()
            .zip(&widths)
            .map(|(cell, wide)| format!("{cell}{}", " ".repeat(wide - width(cell).min(*wide))))
            .collect();
        cells.join("  ").trim_end().to_owned()
    };
    let rule: Vec<String> = widths.iter().map(|wide| "=".repeat(*wide)).collect();
    lines([row(header), rule.join("  ")].into_iter().chain(rows.iter().map(|cells| row(cells))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_document_two_forms() {
        let mut document = Document::new(Voice::En, "Job ad: C# developer");
        document.heading(1, "Tasks").paragraph("Plain *words*.").bullets(["One", "Two_three"]).paragraph(" ");
        document.push(Block::Table {
            header: vec!["Stage".into(), "Count".into()],
            rows: vec![vec!["Applied | seen".into(), "12".into()]],
        });
        document.push(Block::Notes("Notes".into()));
        let markdown = document.markdown();
        assert!(markdown.starts_with(
            "# Job ad: C# developer\n\n## Tasks\n\nPlain \\*words\\*.\n\n* One\n* Two\\_three\n"
        ));
        assert!(markdown.contains("| Applied \\| seen | 12 |"), "{markdown}");
        let plain = document.plain();
        assert!(plain.contains("Tasks\n-----\n\nPlain *words*.\n\n• One"), "{plain}");
        assert!(plain.contains("Stage           Count\n==============  ====="), "{plain}");
        assert_eq!(document.texts().len(), 10);
    }

    #[test]
    fn plain_text_keeps_names_and_quotes_as_the_language_does() {
        let check = |voice: Voice, quoted: &str| {
            let mut document = Document::new(voice, "GlobalConnect");
            document.heading(1, "A").heading(1, "GlobalConnect: iOS");
            document.push(Block::Quote { text: "x".into(), source: "CV".into() });
            document.push(Block::Quote { text: "y".into(), source: String::new() });
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

    #[test]
    fn an_empty_table_is_a_table() {
        let mut document = Document::new(Voice::En, "");
        document.push(Block::Table { header: vec!["Candidate".into()], rows: vec![] });
        assert_eq!(document.markdown(), "| Candidate |\n| --- |\n");
    }
}
