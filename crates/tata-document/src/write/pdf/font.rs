//! The fonts of a PDF: one open family, which the program carries with it.

use std::{cell::RefCell, collections::BTreeMap};

use krilla::text::Font;
use rustybuzz::UnicodeBuffer;

const FILES: [&[u8]; 3] = [
    include_bytes!("../../../assets/NotoSans-Regular.ttf"),
    include_bytes!("../../../assets/NotoSans-Bold.ttf"),
    include_bytes!("../../../assets/NotoSans-Italic.ttf"),
];

/// A cut of the family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cut {
    Regular,
    Bold,
    Italic,
}

/// How a text looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Style {
    pub(super) cut: Cut,
    pub(super) size: f32,
    pub(super) color: [u8; 3],
    /// How far it stands above the line.
    pub(super) rise: f32,
}

impl Style {
    pub(super) fn new(cut: Cut, size: f32, color: [u8; 3]) -> Self {
        Self { cut, size, color, rise: 0.0 }
    }
}

/// The fonts, and the widths that were measured.
pub(super) struct Fonts {
    faces: Vec<rustybuzz::Face<'static>>,
    drawn: Vec<Font>,
    widths: RefCell<BTreeMap<(Cut, String), f32>>,
}

impl Fonts {
    /// Reads the fonts; nothing if the program was built with broken ones.
    pub(super) fn read() -> Option<Self> {
        let faces = FILES.iter().map(|file| rustybuzz::Face::from_slice(file, 0)).collect::<Option<_>>()?;
        let drawn = FILES.iter().map(|file| Font::new((*file).into(), 0)).collect::<Option<_>>()?;
        Some(Self { faces, drawn, widths: RefCell::default() })
    }

    pub(super) fn font(&self, cut: Cut) -> Option<Font> {
        self.drawn.get(cut as usize).cloned()
    }

    /// How wide a text is, in points.
    pub(super) fn width(&self, text: &str, style: Style) -> f32 {
        let key = (style.cut, text.to_owned());
        if let Some(width) = self.widths.borrow().get(&key) {
            return width * style.size;
        }
        let Some(face) = self.faces.get(style.cut as usize) else { return 0.0 };
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(text);
        buffer.guess_segment_properties();
        let shaped = rustybuzz::shape(face, &[], buffer);
        let units: i64 = shaped.glyph_positions().iter().map(|glyph| i64::from(glyph.x_advance)).sum();
        #[expect(
            clippy::cast_precision_loss,
            reason = "a width of a line is far below what a float holds exactly"
        )]
        let width = units as f32 / face.units_per_em().max(1) as f32;
        self.widths.borrow_mut().insert(key, width);
        width * style.size
    }

    /// A text of characters that the fonts have; others become a sign that something is missing.
    pub(super) fn covered(&self, text: &str) -> String {
        let has = |letter: char| self.faces.first().is_some_and(|face| face.glyph_index(letter).is_some());
        let shown = |letter: char| match letter {
            '\n' => '\n',
            letter if letter.is_whitespace() => {
                if letter == '\u{a0}' {
                    letter
                } else {
                    ' '
                }
            }
            // Marks that turn words around, and what is not seen.
            '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => '\u{fffd}',
            letter if !letter.is_control() && has(letter) => letter,
            _ => '\u{fffd}',
        };
        text.chars().filter(|letter| !matches!(letter, '\r' | '\u{ad}' | '\u{feff}')).map(shown).collect()
    }
}
