//! PDF: characters with places become lines, lines become paragraphs, large lines become headings.

mod widths;

use std::io::Read as _;

use flate2::read::ZlibDecoder;
use pdf_extract::{Document, MediaBox, Object, OutputDev, OutputError, Transform, output_doc_page};

use crate::{BlockKind, Format, ReadError, Reading, limits::Guard};

/// A line this much larger than most is a heading.
const LARGER: f64 = 1.15;
/// The longest heading, in bytes.
const LONGEST_HEADING: usize = 160;
/// More than one letter in so many that no font names: words are missing.
const NAMELESS: usize = 20;
/// Packed inside packed inside packed: deeper nobody packs with good intent.
const LAYERS: usize = 3;

pub(super) fn read(bytes: &[u8], guard: &Guard) -> Result<Reading, ReadError> {
    unpacks_within(bytes, guard)?;
    let mut document = Document::load_mem(bytes).map_err(|error| ReadError::damaged(Format::Pdf, error))?;
    guard.time()?;
    // Many files are encrypted with an empty password, only to forbid printing.
    if document.is_encrypted() && document.decrypt("").is_err() {
        return Err(ReadError::Protected { format: Format::Pdf });
    }
    widths::write_out(&mut document, guard)?;
    let pages: Vec<u32> = document.get_pages().into_keys().collect();
    guard.entries(pages.len())?;
    let (mut lines, mut letters, mut nameless) = (Vec::new(), 0, 0);
    let mut reading = Reading::new(Format::Pdf);
    let mut unreadable = Vec::new();
    for page in &pages {
        guard.time()?;
        let mut output =
            Setter { page: *page, guard, lines: Vec::new(), letters, nameless: 0, end: 0.0, fresh: true };
        // One page with a broken font is not worth the others.
        let read = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            output_doc_page(&document, &mut output, *page)
        }));
        guard.time()?;
        letters = output.letters;
        nameless += output.nameless;
        guard.text(letters)?;
        if !matches!(read, Ok(Ok(()))) {
            unreadable.push(page.to_string());
        }
        lines.append(&mut output.lines);
    }
    if !unreadable.is_empty() && unreadable.len() == pages.len() {
        let reason = "no page of it can be read".to_owned();
        return Err(ReadError::Damaged { format: Format::Pdf, reason, source: None });
    }
    if !unreadable.is_empty() {
        reading.notes.push(format!("pages that could not be read to their end: {}", unreadable.join(", ")));
    }
    paragraphs(&lines, &mut reading);
    if reading.is_empty() {
        unread_text(&document, nameless, !unreadable.is_empty())?;
    } else if nameless * NAMELESS > letters {
        reading.notes.push("some of its letters cannot be told: words may be missing".to_owned());
    }
    reading.title = title(&document);
    Ok(reading)
}

/// Where nothing was read: whether there is text all the same. Only a file without any is a scan.
fn unread_text(document: &Document, nameless: usize, broken: bool) -> Result<(), ReadError> {
    let why = if nameless > 0 {
        "its fonts do not say which letters they show. Export it anew, or have its text recognised"
    } else if broken {
        "some of its pages cannot be read. Save it anew"
    } else if document.objects.values().any(is_filled_in) {
        "it stands in form fields or notes. Print it to a new PDF first"
    } else {
        return Ok(());
    };
    Err(ReadError::UnreadText { format: Format::Pdf, why: why.to_owned() })
}

/// A form field with a value, or a note on a page.
fn is_filled_in(object: &Object) -> bool {
    let Object::Dictionary(entries) = object else { return false };
    let is_text =
        |key: &[u8]| entries.get(key).is_ok_and(|value| value.as_str().is_ok_and(|text| !text.is_empty()));
    entries.has(b"FT") && is_text(b"V")
        || entries.get(b"Subtype").is_ok_and(|kind| kind.as_name().is_ok_and(|name| name == b"FreeText"))
            && is_text(b"Contents")
}

/// Looks at every packed stream before the parser unpacks it: it keeps all of it in memory, without a limit.
fn unpacks_within(bytes: &[u8], guard: &Guard) -> Result<(), ReadError> {
    const BEGIN: &[u8] = b"stream";
    let mut spent = 0;
    let mut at = 0;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr::memmem::find(rest, BEGIN)) {
        at += found + BEGIN.len();
        let rest = bytes.get(at..).unwrap_or_default();
        let rest = rest.strip_prefix(b"\r\n").or_else(|| rest.strip_prefix(b"\n")).unwrap_or(rest);
        spent += unpacked(rest, guard.limits.unpacked.saturating_sub(spent), LAYERS, guard)?;
        guard.unpacked(spent)?;
    }
    Ok(())
}

/// How many bytes a stream unpacks to, counted up to a little beyond `most` and thrown away.
fn unpacked(stream: &[u8], most: usize, layers: usize, guard: &Guard) -> Result<usize, ReadError> {
    if layers == 0 || stream.first().is_none_or(|byte| byte & 0x0f != 8) {
        return Ok(0);
    }
    let mut decoder = ZlibDecoder::new(stream);
    let mut count = 0;
    let mut head = Vec::new();
    let mut buffer = [0; 16 * 1024];
    while let Ok(read @ 1..) = decoder.read(&mut buffer) {
        // Enough of it to see what is packed again.
        if head.len() < 1024 * 1024 {
            head.extend_from_slice(buffer.get(..read).unwrap_or_default());
        }
        count += read;
        if count > most {
            return Ok(count);
        }
        guard.time()?;
    }
    Ok(count + unpacked(&head, most - count, layers - 1, guard)?)
}

fn title(document: &Document) -> Option<String> {
    let info = document.trailer.get(b"Info").ok()?;
    let info = document.dereference(info).ok()?.1.as_dict().ok()?;
    let title = document.dereference(info.get(b"Title").ok()?).ok()?.1.as_str().ok()?;
    let title = super::decode(title, None);
    let title = title.trim();
    (!title.is_empty() && title != "untitled").then(|| title.to_owned())
}

struct Line {
    page: u32,
    y: f64,
    size: f64,
    text: String,
}

/// Takes characters from the interpreter and sets them into lines.
struct Setter<'g> {
    page: u32,
    guard: &'g Guard,
    lines: Vec<Line>,
    /// Bytes of text so far, on this page and those before it: a font can let one sign stand for a whole book.
    letters: usize,
    /// Characters of which no font says what they are.
    nameless: usize,
    /// Where the last character ended.
    end: f64,
    /// The next character begins a word of the file's own making.
    fresh: bool,
}

impl OutputDev for Setter<'_> {
    fn begin_page(
        &mut self,
        _: u32,
        _: &MediaBox,
        _: Option<(f64, f64, f64, f64)>,
    ) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_page(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn output_character(
        &mut self,
        place: &Transform,
        width: f64,
        _spacing: f64,
        font_size: f64,
        character: &str,
    ) -> Result<(), OutputError> {
        self.letters += character.len();
        self.nameless += usize::from(character.is_empty());
        if self.guard.text(self.letters).is_err() {
            return Err(OutputError::FormatError(std::fmt::Error));
        }
        // The side of a square of the same area: fonts may be stretched.
        let size = (font_size * font_size * (place.m11 * place.m22 - place.m12 * place.m21).abs()).sqrt();
        let (x, y) = (place.m31, place.m32);
        let same = self.lines.last().is_some_and(|line| (line.y - y).abs() <= size.max(line.size) * 0.5);
        if !same {
            if self.lines.len().is_multiple_of(64) && self.guard.time().is_err() {
                return Err(OutputError::FormatError(std::fmt::Error));
            }
            self.lines.push(Line { page: self.page, y, size, text: String::new() });
        }
        if let Some(line) = self.lines.last_mut() {
            let apart = self.fresh && x > self.end + size * 0.1 || x < self.end - size * 2.0;
            if same && apart && !line.text.ends_with(' ') && character != " " {
                line.text.push(' ');
            }
            line.text.push_str(character);
            line.size = line.size.max(size);
        }
        self.fresh = false;
        self.end = x + width * size;
        Ok(())
    }

    fn begin_word(&mut self) -> Result<(), OutputError> {
        self.fresh = true;
        Ok(())
    }

    fn end_word(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), OutputError> {
        Ok(())
    }
}

fn paragraphs(lines: &[Line], reading: &mut Reading) {
    let usual = usual_size(lines);
    let mut sizes: Vec<u64> =
        lines.iter().filter(|line| heading(line, usual)).map(|line| tenths(line.size)).collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes.dedup();
    let mut current: Option<(BlockKind, &Line, String)> = None;
    for line in lines.iter().filter(|line| !line.text.trim().is_empty()) {
        let kind = if heading(line, usual) {
            let rank = sizes.iter().position(|size| *size == tenths(line.size)).unwrap_or(0);
            BlockKind::Heading(u8::try_from(rank + 1).unwrap_or(6).min(6))
        } else {
            BlockKind::Paragraph
        };
        let continued = current.as_ref().is_some_and(|(open, last, _)| {
            *open == kind && last.page == line.page && (last.y - line.y).abs() <= line.size.max(1.0) * 1.7
        });
        match &mut current {
            Some((_, last, text)) if continued => {
                join(text, line.text.trim());
                *last = line;
            }
            _ => {
                if let Some((kind, last, text)) = current.take() {
                    reading.push(kind, &text, Some(last.page));
                }
                current = Some((kind, line, line.text.trim().to_owned()));
            }
        }
    }
    if let Some((kind, last, text)) = current {
        reading.push(kind, &text, Some(last.page));
    }
}

/// A word divided at the end of a line is one word again.
fn join(text: &mut String, next: &str) {
    let divided = text.ends_with('-')
        && text.chars().rev().nth(1).is_some_and(char::is_alphabetic)
        && next.chars().next().is_some_and(char::is_lowercase);
    if divided {
        text.pop();
    } else {
        text.push(' ');
    }
    text.push_str(next);
}

fn heading(line: &Line, usual: f64) -> bool {
    line.size > usual * LARGER
        && line.text.len() <= LONGEST_HEADING
        && line.text.chars().any(char::is_alphabetic)
}

/// The size that most characters have.
fn usual_size(lines: &[Line]) -> f64 {
    let mut counts = std::collections::BTreeMap::<u64, usize>::new();
    for line in lines {
        *counts.entry(tenths(line.size)).or_default() += line.text.len();
    }
    let most = counts.into_iter().max_by_key(|(_, count)| *count).map_or(0, |(size, _)| size);
    f64::from(u32::try_from(most).unwrap_or(u32::MAX)) / 10.0
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sizes are small and not negative"
)]
fn tenths(size: f64) -> u64 {
    (size.clamp(0.0, 10_000.0) * 10.0).round() as u64
}
