//! Documents as files: one file a format.

mod csv;
mod docx;
mod html;
mod ics;
mod pdf;
mod svg;
mod xlsx;

use std::error::Error as StdError;

use jiff::Timestamp;

pub use self::ics::{Act, Attendee, Invitation, ics};
pub(crate) use self::svg::inline_picture;
use crate::{Block, Document, Evidence, Inline, Span, Table};

/// The most characters of a quotation in the list of sources.
const LONGEST_QUOTE: usize = 240;

/// A form in which a document leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// Word.
    Docx,
    /// PDF, tagged.
    Pdf,
    /// Markdown.
    Markdown,
    /// A web page of its own.
    Html,
    /// Plain text.
    Text,
    /// Its tables as rows of values.
    Csv,
    /// Its tables as sheets.
    Xlsx,
    /// Its charts as a picture.
    Svg,
}

impl Target {
    /// All of them.
    pub const ALL: [Self; 8] =
        [Self::Docx, Self::Pdf, Self::Markdown, Self::Html, Self::Text, Self::Csv, Self::Xlsx, Self::Svg];

    /// The ending of a file, which is also its name on the command line.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Docx => "docx",
            Self::Pdf => "pdf",
            Self::Markdown => "md",
            Self::Html => "html",
            Self::Text => "txt",
            Self::Csv => "csv",
            Self::Xlsx => "xlsx",
            Self::Svg => "svg",
        }
    }

    /// The target with this ending.
    pub fn of_ending(ending: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|target| target.ending().eq_ignore_ascii_case(ending))
    }

    /// Its media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Docx => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            Self::Pdf => "application/pdf",
            Self::Markdown => "text/markdown; charset=utf-8",
            Self::Html => "text/html; charset=utf-8",
            Self::Text => "text/plain; charset=utf-8",
            Self::Csv => "text/csv; charset=utf-8; header=present",
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            Self::Svg => "image/svg+xml",
        }
    }
}

/// What goes with a document when it leaves. This crate has no words of its own: they are handed to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// What readers must know, at the end and in the file's properties: that a machine wrote it.
    pub notice: Option<String>,
    /// The heading of the list of sources; without one, there is no list and no reference to it.
    pub sources: Option<String>,
    /// Who answers for it.
    pub author: Option<String>,
    /// The company.
    pub organization: Option<String>,
    /// When it was made.
    pub created: Option<Timestamp>,
}

/// Why a file could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// It has nothing of what the format holds.
    #[error(
        "the document has no {what}, which is all that {format} holds: choose docx, pdf, md, html or txt"
    )]
    Nothing {
        /// What it lacks.
        what: &'static str,
        /// The format.
        format: &'static str,
    },
    /// It has more than the format holds.
    #[error(
        "the document has {found} {what}, more than the {most} that {format} holds: make it in smaller parts"
    )]
    TooMuch {
        /// Of what.
        what: &'static str,
        /// How many.
        found: usize,
        /// How many are allowed.
        most: usize,
        /// The format.
        format: &'static str,
    },
    /// A field cannot be used.
    #[error("{field}: {reason}")]
    Invalid {
        /// Which one.
        field: &'static str,
        /// What is wrong, and the way out.
        reason: String,
    },
    /// The library that makes the format failed.
    #[error("the {format} file could not be made: {reason}")]
    Failed {
        /// The format.
        format: &'static str,
        /// What it said.
        reason: String,
        /// The cause.
        #[source]
        source: Option<Box<dyn StdError + Send + Sync>>,
    },
}

impl WriteError {
    fn failed(format: &'static str, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        let source = source.into();
        Self::Failed { format, reason: source.to_string(), source: Some(source) }
    }
}

/// Writes a document as a file.
pub fn write(document: &Document, target: Target, options: &Options) -> Result<Vec<u8>, WriteError> {
    match target {
        Target::Docx => docx::write(&finished(document, options), options),
        Target::Pdf => pdf::write(&finished(document, options), options),
        Target::Markdown => Ok(finished(document, options).markdown().into_bytes()),
        Target::Html => Ok(html::write(&finished(document, options), options).into_bytes()),
        Target::Text => Ok(finished(document, options).plain().into_bytes()),
        Target::Csv => csv::write(document),
        Target::Xlsx => xlsx::write(document, options),
        Target::Svg => svg::write(document).map(String::into_bytes),
    }
}

/// The document with its sources and the notice at its end.
fn finished(document: &Document, options: &Options) -> Document {
    let mut finished = document.clone();
    let (open, close) = document.language.quotation_marks();
    let sources = document.sources();
    if let Some(heading) = options.sources.as_deref().filter(|_| !sources.is_empty()) {
        let line = |one: &&Evidence| format!("{}: {open}{}{close}", one.source, shortened(&one.quote));
        finished.heading(1, heading).push(Block::numbered(sources.iter().map(line)));
    }
    if let Some(notice) = options.notice.as_deref() {
        finished.paragraph(Span::new(notice).emphasis());
    }
    finished
}

/// A quotation on one line, cut where it is long.
fn shortened(quote: &str) -> String {
    let line = quote.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST_QUOTE) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
        None => line,
    }
}

/// The numbers of the sources of a span, from 1; none where no list is shown.
fn numbers(evidence: &[Evidence], sources: &[Evidence]) -> Vec<usize> {
    let place = |one: &Evidence| sources.iter().position(|known| known == one);
    evidence.iter().filter_map(place).map(|at| at + 1).collect()
}

/// The sources that are listed at the end of a document.
fn listed(document: &Document, options: &Options) -> Vec<Evidence> {
    if options.sources.is_none() {
        return Vec::new();
    }
    document.sources().into_iter().cloned().collect()
}

/// The tables of a document with the heading above each; a chart is a table of its numbers.
fn tables(document: &Document) -> Vec<(String, Vec<Vec<&Inline>>)> {
    let mut heading = document.title.clone();
    let mut tables = Vec::new();
    for block in &document.blocks {
        match block {
            Block::Heading { text, .. } => text.as_str().clone_into(&mut heading),
            Block::Table(table) => {
                let rows = std::iter::once(&table.header).chain(&table.rows);
                tables.push((heading.clone(), rows.map(|row| row.iter().collect()).collect()));
            }
            Block::Chart(chart) => {
                let [label, _, count] = &chart.columns;
                let rows = chart.stages.iter().map(|stage| vec![&stage.label, &stage.shown]);
                tables.push((heading.clone(), std::iter::once(vec![label, count]).chain(rows).collect()));
            }
            Block::Paragraph(_)
            | Block::Bullets(_)
            | Block::Numbered(_)
            | Block::Quote { .. }
            | Block::Notes(_) => {}
        }
    }
    tables
}

/// Characters that a row of a table has room for.
const ROW: f32 = 88.0;

/// What part of the page each column gets: room for its longest word first, so that no figure is broken, and of what is left
/// as much as its longest cell asks for.
fn shares(table: &Table) -> Vec<f32> {
    let rows = || std::iter::once(&table.header).chain(&table.rows);
    let columns = rows().map(Vec::len).max().unwrap_or(0).min(60);
    let letters = |count: usize| f32::from(u16::try_from(count).unwrap_or(u16::MAX));
    let wish = |column: usize| {
        let (mut longest, mut word) = (1, 1);
        for cell in rows().filter_map(|row| row.get(column)).map(Inline::as_str) {
            longest = longest.max(cell.chars().count());
            word = word.max(cell.split_whitespace().map(|word| word.chars().count()).max().unwrap_or(0));
        }
        let word = word.min(24);
        // The margins of a cell, and bold letters, which are wider.
        (letters(word) * 1.15 + 3.5, letters(longest.min(45).saturating_sub(word)))
    };
    let wishes: Vec<(f32, f32)> = (0..columns).map(wish).collect();
    let (least, more) = wishes.iter().fold((0.0, 0.0), |(least, more), wish| (least + wish.0, more + wish.1));
    let left = (ROW - least).max(0.0);
    let each = |(least, wish): &(f32, f32)| if more > 0.0 { least + left * wish / more } else { *least };
    let widths: Vec<f32> = wishes.iter().map(each).collect();
    let all: f32 = widths.iter().sum();
    widths.iter().map(|width| width / all.max(1.0)).collect()
}
