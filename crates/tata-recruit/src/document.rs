//! A document as people read it: blocks that any form of output can render.

use serde::{Deserialize, Serialize};

use crate::Voice;

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
        if !self.title.is_empty() {
            let rule = "=".repeat(self.title.chars().count().min(100));
            out.push(format!("{}\n{rule}", self.title));
        }
        for block in &self.blocks {
            out.push(match block {
                Block::Heading { level: 1, text } => text.to_uppercase(),
                Block::Heading { text, .. } | Block::Paragraph(text) => text.clone(),
                Block::Bullets(points) => lines(points.iter().map(|point| format!("• {point}"))),
                Block::Numbered(points) => {
                    lines(points.iter().enumerate().map(|(at, point)| format!("{}. {point}", at + 1)))
                }
                Block::Table { header, rows } => aligned(header, rows),
                Block::Quote { text, source } if source.is_empty() => format!("“{text}”"),
                Block::Quote { text, source } => format!("“{text}” ({source})"),
                Block::Notes(label) => format!("{label}: {}", "_".repeat(40)),
            });
        }
        out.join("\n\n") + "\n"
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
        assert!(plain.contains("TASKS\n\nPlain *words*.\n\n• One"), "{plain}");
        assert!(plain.contains("Stage           Count\n==============  ====="), "{plain}");
        assert_eq!(document.texts().len(), 10);
    }

    #[test]
    fn an_empty_table_is_a_table() {
        let mut document = Document::new(Voice::En, "");
        document.push(Block::Table { header: vec!["Candidate".into()], rows: vec![] });
        assert_eq!(document.markdown(), "| Candidate |\n| --- |\n");
    }
}
