//! Documents as files: one file a format.

mod csv;
mod docx;
mod error;
mod html;
mod ics;
mod options;
mod pdf;
mod svg;
mod tables;
mod xlsx;

pub use self::{
    error::WriteError,
    ics::{Act, Attendee, Invitation, ics},
    options::Options,
};
use crate::{Block, Document, Evidence, Span};

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
