//! Which format a file is in: by what it holds, then by what it is called.

use std::fmt;

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};
use serde::{Deserialize, Serialize};

use crate::ReadError;

/// A format that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// A web page.
    Html,
    /// Markdown.
    Markdown,
    /// PDF.
    Pdf,
    /// A Word document.
    Docx,
    /// Plain text in any usual charset.
    Text,
    /// Rows of values.
    Csv,
    /// A workbook.
    Xlsx,
    /// A transcript with times.
    Vtt,
}

impl Format {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Html => "HTML",
            Self::Markdown => "Markdown",
            Self::Pdf => "PDF",
            Self::Docx => "DOCX",
            Self::Text => "text",
            Self::Csv => "CSV",
            Self::Xlsx => "XLSX",
            Self::Vtt => "VTT",
        }
    }

    /// The format a file ending stands for.
    pub fn of_ending(ending: &str) -> Option<Self> {
        Some(match ending.to_ascii_lowercase().as_str() {
            "html" | "htm" | "xhtml" => Self::Html,
            "md" | "markdown" | "mdx" => Self::Markdown,
            "pdf" => Self::Pdf,
            "docx" => Self::Docx,
            "txt" | "text" | "log" | "rst" => Self::Text,
            "csv" | "tsv" => Self::Csv,
            "xlsx" => Self::Xlsx,
            "vtt" => Self::Vtt,
            _ => return None,
        })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What is known of a file besides its bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hint {
    /// Its name, path or address.
    pub name: Option<String>,
    /// Its media type as a server gave it, with parameters: `text/html; charset=iso-8859-1`.
    pub media_type: Option<String>,
}

impl Hint {
    /// A file by its name.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: Some(name.into()), media_type: None }
    }

    /// The ending of the name, without the query of an address.
    fn ending(&self) -> Option<&str> {
        let name = self.name.as_deref()?;
        let path = name.split(['?', '#']).next().unwrap_or(name);
        let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
        file.rsplit_once('.').map(|(_, ending)| ending)
    }

    /// The charset the media type names.
    pub(crate) fn charset(&self) -> Option<&str> {
        let (_, parameters) = self.media_type.as_deref()?.split_once(';')?;
        let charset = parameters.split(';').find_map(|parameter| {
            let (key, value) = parameter.split_once('=')?;
            key.trim().eq_ignore_ascii_case("charset").then_some(value)
        })?;
        Some(charset.trim().trim_matches('"'))
    }

    /// Whether the cells are parted by tabs.
    pub(crate) fn tabs(&self) -> bool {
        self.ending().is_some_and(|ending| ending.eq_ignore_ascii_case("tsv"))
            || self.media_type.as_deref().is_some_and(|media| media.contains("tab-separated"))
    }
}

/// Decides what the bytes are. What they hold counts for more than what they are called.
pub(crate) fn detect(bytes: &[u8], hint: &Hint) -> Result<Format, ReadError> {
    let head = bytes.get(..bytes.len().min(1024)).unwrap_or_default();
    if find(head, b"%PDF-").is_some() {
        return Ok(Format::Pdf);
    }
    if head.starts_with(b"PK\x03\x04") {
        // The names of what is inside stand in the archive as they are.
        let inside = |name: &[u8]| memchr::memmem::find(bytes, name).is_some();
        let book = inside(b"xl/workbook.xml") && !inside(b"word/document.xml");
        return Ok(if book { Format::Xlsx } else { Format::Docx });
    }
    if head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).starts_with(b"WEBVTT") {
        return Ok(Format::Vtt);
    }
    if head.starts_with(b"\xd0\xcf\x11\xe0") {
        return Err(ReadError::Unknown { seen: compound(bytes).to_owned() });
    }
    let foreign: [(&[u8], &str); 6] = [
        (b"\x89PNG", "a picture"),
        (b"\xff\xd8\xff", "a picture"),
        (b"GIF8", "a picture"),
        (b"\x7fELF", "a program"),
        (b"\x1f\x8b", "a packed file"),
        (b"{\\rtf", "RTF, save it as DOCX"),
    ];
    if let Some((_, seen)) = foreign.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Err(ReadError::Unknown { seen: (*seen).to_owned() });
    }
    let media = hint.media_type.as_deref().unwrap_or_default().to_ascii_lowercase();
    let media = media.split(';').next().unwrap_or_default().trim();
    let by_media = match media {
        "text/html" | "application/xhtml+xml" => Some(Format::Html),
        "text/markdown" => Some(Format::Markdown),
        "text/csv" | "text/tab-separated-values" => Some(Format::Csv),
        "text/vtt" => Some(Format::Vtt),
        _ => None,
    };
    let known = by_media.or_else(|| hint.ending().and_then(Format::of_ending));
    match known {
        // The bytes would have said so.
        Some(format @ (Format::Pdf | Format::Docx | Format::Xlsx)) => {
            let reason = "it does not begin as such a file does".to_owned();
            Err(ReadError::Damaged { format, reason, source: None })
        }
        // A name does not make a text of bytes.
        Some(format) if looks_like_text(head) => Ok(format),
        None if looks_like_html(head) => Ok(Format::Html),
        None if looks_like_text(head) => Ok(Format::Text),
        Some(_) | None => Err(ReadError::Unknown { seen: "bytes that are no text".to_owned() }),
    }
}

/// Office files of before 2007, and the protected ones of today, are told by the names of what is inside.
fn compound(bytes: &[u8]) -> &'static str {
    let inside = |name: &str| {
        let name: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        memchr::memmem::find(bytes, &name).is_some()
    };
    if inside("EncryptedPackage") {
        "an Office file with a password, save it without one"
    } else if inside("Workbook") || inside("Book") {
        "an old Excel file, save it as XLSX"
    } else {
        "an old Office file, save it as DOCX"
    }
}

fn looks_like_html(head: &[u8]) -> bool {
    let head = head.to_ascii_lowercase();
    [b"<!doctype html".as_slice(), b"<html", b"<head", b"<body"]
        .iter()
        .any(|mark| find(&head, mark).is_some())
}

/// Text has next to no control characters; UTF-16 has one zero in two bytes.
fn looks_like_text(head: &[u8]) -> bool {
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        return true;
    }
    let control = head.iter().filter(|byte| **byte < 9 || (14..27).contains(*byte)).count();
    control * 50 <= head.len() || utf16_without_mark(head).is_some()
}

/// Latin text in UTF-16 has a zero in every second byte.
pub(crate) fn utf16_without_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes.get(..bytes.len().min(512)).unwrap_or_default();
    let zeros = |odd: usize| head.iter().skip(odd).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    let half = head.len() / 2;
    if half < 4 {
        None
    } else if odd * 10 > half * 7 && even * 10 < half {
        Some(UTF_16LE)
    } else if even * 10 > half * 7 && odd * 10 < half {
        Some(UTF_16BE)
    } else {
        None
    }
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}
