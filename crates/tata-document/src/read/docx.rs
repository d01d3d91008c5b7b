//! Word documents: a zip file of XML.

use std::io::{Cursor, Read as _};

use quick_xml::{
    Reader, XmlVersion,
    events::{BytesStart, Event},
};
use zip::{ZipArchive, result::ZipError};

use crate::{BlockKind, Format, ReadError, Reading, error::Limit, limits::Guard};

/// What a part may unpack to: it is held in memory, and no document that people wrote comes near it.
const UNPACKED: usize = 48 * 1024 * 1024;

pub(super) fn read(bytes: &[u8], guard: &Guard) -> Result<Reading, ReadError> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(damaged)?;
    guard.entries(archive.len())?;
    let mut spent = 0;
    let Some(body) = part(&mut archive, "word/document.xml", &mut spent, guard)? else {
        let known = [
            ("xl/workbook.xml", "a damaged workbook, save it anew"),
            ("xl/workbook.bin", "a binary workbook, save it as XLSX"),
            ("ppt/presentation.xml", "slides"),
        ];
        let seen = known.iter().find(|(name, _)| archive.index_for_name(name).is_some());
        let seen = seen.map_or("an archive", |(_, seen)| *seen).to_owned();
        return Err(ReadError::Unknown { seen });
    };
    let mut reading = Reading::new(Format::Docx);
    document(&body, &mut reading, guard)?;
    if let Some(core) = part(&mut archive, "docProps/core.xml", &mut spent, guard)? {
        reading.title = element_text(&core, "title");
    }
    if reading.title.is_none() {
        let first = reading.blocks.iter().find(|block| matches!(block.kind, BlockKind::Heading(1)));
        reading.title = first.map(|block| block.text.clone());
    }
    Ok(reading)
}

/// One file of the archive, unpacked within what is left of the limit.
fn part(
    archive: &mut ZipArchive<Cursor<&[u8]>>,
    name: &str,
    spent: &mut usize,
    guard: &Guard,
) -> Result<Option<String>, ReadError> {
    let file = match archive.by_name(name) {
        Ok(file) => file,
        Err(ZipError::FileNotFound) => return Ok(None),
        Err(error) => return Err(damaged(error)),
    };
    let all = guard.limits.unpacked.min(UNPACKED);
    let left = all.saturating_sub(*spent);
    let mut bytes = Vec::new();
    // What the archive says about sizes is a claim; what comes out counts.
    let most = u64::try_from(left).unwrap_or(u64::MAX).saturating_add(1);
    file.take(most).read_to_end(&mut bytes).map_err(|error| ReadError::damaged(Format::Docx, error))?;
    *spent += bytes.len();
    Guard::within(Limit::Unpacked, *spent, all)?;
    guard.time()?;
    // Nearly always it is UTF-8 without a mark, and then the bytes are not copied.
    let plain = !bytes.starts_with(b"\xef\xbb\xbf");
    Ok(Some(match String::from_utf8(bytes) {
        Ok(text) if plain => text,
        Ok(text) => super::decode(text.as_bytes(), None).into_owned(),
        Err(other) => super::decode(other.as_bytes(), None).into_owned(),
    }))
}

fn document(xml: &str, reading: &mut Reading, guard: &Guard) -> Result<(), ReadError> {
    let mut reader = Reader::from_str(xml);
    let mut state = State::default();
    let mut depth = 0_usize;
    loop {
        match reader.read_event().map_err(|error| ReadError::damaged(Format::Docx, error))? {
            Event::Start(element) => {
                depth += 1;
                guard.depth(depth)?;
                state.start(&element);
            }
            Event::Empty(element) => state.empty(&element),
            Event::End(element) => {
                depth = depth.saturating_sub(1);
                state.end(element.local_name().as_ref(), reading);
                guard.entries(reading.blocks.len())?;
                guard.time()?;
            }
            Event::Text(text) if state.in_text => {
                state.text.push_str(&text.xml_content(XmlVersion::Implicit1_0));
            }
            Event::GeneralRef(reference) if state.in_text => state.text.push_str(entity(&reference).as_str()),
            Event::Eof => return Ok(()),
            Event::Text(_)
            | Event::GeneralRef(_)
            | Event::CData(_)
            | Event::Comment(_)
            | Event::Decl(_)
            | Event::PI(_)
            | Event::DocType(_) => {}
        }
    }
}

/// Only the five that XML itself has and characters by number: a document brings no entities of its own.
fn entity(name: &str) -> String {
    match name {
        "amp" => "&".into(),
        "lt" => "<".into(),
        "gt" => ">".into(),
        "quot" => "\"".into(),
        "apos" => "'".into(),
        _ => {
            let number = name.strip_prefix('#').and_then(|number| match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok(),
                None => number.parse().ok(),
            });
            number.and_then(char::from_u32).map(String::from).unwrap_or_default()
        }
    }
}

#[derive(Default)]
struct State {
    text: String,
    in_text: bool,
    heading: Option<u8>,
    item: bool,
    /// How many tables this paragraph lies in.
    tables: usize,
    /// The cells of the row so far, in a table.
    row: Vec<String>,
    cell: String,
}

impl State {
    fn start(&mut self, element: &BytesStart<'_>) {
        match element.local_name().as_ref() {
            "p" => {
                self.text.clear();
                self.heading = None;
                self.item = false;
            }
            "t" => self.in_text = true,
            "tbl" => self.tables += 1,
            "tr" if self.tables == 1 => self.row.clear(),
            "tc" if self.tables == 1 => self.cell.clear(),
            _ => self.empty(element),
        }
    }

    fn empty(&mut self, element: &BytesStart<'_>) {
        match element.local_name().as_ref() {
            "tab" => self.text.push(' '),
            "br" | "cr" => self.text.push('\n'),
            "noBreakHyphen" => self.text.push('-'),
            "pStyle" => self.heading = value(element).as_deref().and_then(heading_of),
            "outlineLvl" if self.heading.is_none() => {
                let level = value(element).and_then(|level| level.parse::<u8>().ok());
                self.heading = level.filter(|level| *level < 6).map(|level| level + 1);
            }
            "numPr" => self.item = true,
            _ => {}
        }
    }

    fn end(&mut self, name: &str, reading: &mut Reading) {
        match name {
            "t" => self.in_text = false,
            "p" if self.tables > 0 => {
                if !self.cell.is_empty() && !self.text.trim().is_empty() {
                    self.cell.push(' ');
                }
                self.cell.push_str(self.text.trim());
                self.text.clear();
            }
            "p" => {
                let kind = match (self.heading, self.item) {
                    (Some(level), _) => BlockKind::Heading(level),
                    (None, true) => BlockKind::Item,
                    (None, false) => BlockKind::Paragraph,
                };
                reading.push(kind, &self.text, None);
                self.text.clear();
            }
            "tc" if self.tables == 1 => self.row.push(std::mem::take(&mut self.cell)),
            "tr" if self.tables == 1 => {
                let filled = self.row.iter().any(|cell| !cell.is_empty());
                if filled {
                    reading.push(BlockKind::Row, &self.row.join(" | "), None);
                }
            }
            "tbl" => self.tables = self.tables.saturating_sub(1),
            _ => {}
        }
    }
}

/// The attribute `w:val`.
fn value(element: &BytesStart<'_>) -> Option<String> {
    let found =
        element.attributes().flatten().find(|attribute| attribute.key.local_name().as_ref() == "val")?;
    Some(found.value.into_owned())
}

/// Word names its headings in the language it speaks: "Heading1", "Rubrik1", "berschrift1", "Overskrift1".
fn heading_of(style: &str) -> Option<u8> {
    if style.eq_ignore_ascii_case("title") || style == "Rubrik" || style == "Titel" || style == "Tittel" {
        return Some(1);
    }
    let name = style.trim_end_matches(|c: char| c.is_ascii_digit());
    let level: u8 = style.get(name.len()..)?.parse().ok()?;
    let known = ["heading", "rubrik", "overskrift", "berschrift", "überschrift", "titre", "otsikko", "kop"];
    known.contains(&name.trim().to_lowercase().as_str()).then_some(level.clamp(1, 6))
}

/// The text of the first element with this name.
fn element_text(xml: &str, wanted: &str) -> Option<String> {
    let mut reader = Reader::from_str(xml);
    let mut text = None;
    loop {
        match reader.read_event().ok()? {
            Event::Start(element) if element.local_name().as_ref() == wanted => text = Some(String::new()),
            Event::Text(words) => {
                if let Some(text) = &mut text {
                    text.push_str(&words.xml_content(XmlVersion::Implicit1_0));
                }
            }
            Event::GeneralRef(reference) => {
                if let Some(text) = &mut text {
                    text.push_str(&entity(&reference));
                }
            }
            Event::End(element) if element.local_name().as_ref() == wanted => {
                return text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
            }
            Event::Eof => return None,
            Event::Start(_)
            | Event::End(_)
            | Event::Empty(_)
            | Event::CData(_)
            | Event::Comment(_)
            | Event::Decl(_)
            | Event::PI(_)
            | Event::DocType(_) => {}
        }
    }
}

fn damaged(error: ZipError) -> ReadError {
    ReadError::damaged(Format::Docx, error)
}
