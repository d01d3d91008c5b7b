//! The widths of characters, written so that pdf-extract 0.12 reads them.
//!
//! A font lists its widths as `first [w w w]` or as `first last w`. The crate takes `first` for the last character and for
//! the width of the second form, which is what browsers write: words fall apart where a character seems narrower than it
//! is. Here every range is written out in the first form. What is no list of widths is left out, so that the crate does
//! not break down on it.

use pdf_extract::{Dictionary, Document, Object, ObjectId};

use crate::{ReadError, limits::Guard};

/// The characters of all fonts together whose widths are written out. A font has at most 65,536.
const MOST: usize = 1 << 20;
/// The last character of a font.
const LAST: i64 = 0xffff;

/// Writes out the widths of every font.
pub(super) fn write_out(document: &mut Document, guard: &Guard) -> Result<(), ReadError> {
    let mut room = MOST;
    let mut fonts: Vec<(ObjectId, Object)> = Vec::new();
    for (id, object) in &document.objects {
        guard.time()?;
        let mended = if let Object::Dictionary(font) = object {
            mended_font(document, font, &mut room).map(Object::Dictionary)
        } else if let Object::Array(fonts) = object {
            mended_list(document, fonts, &mut room).map(Object::Array)
        } else {
            None
        };
        fonts.extend(mended.map(|mended| (*id, mended)));
    }
    for (id, font) in fonts {
        document.objects.insert(id, font);
    }
    Ok(())
}

/// A font with its widths written out, or one whose inner fonts have them; none where nothing is to be done.
fn mended_font(document: &Document, font: &Dictionary, room: &mut usize) -> Option<Dictionary> {
    if let Ok(Object::Array(inner)) = font.get(b"DescendantFonts") {
        let inner = mended_list(document, inner, room)?;
        let mut font = font.clone();
        font.set("DescendantFonts", Object::Array(inner));
        return Some(font);
    }
    let widths = resolved(document, font.get(b"W").ok()?).as_array().ok()?;
    let subtype = font.get(b"Subtype").ok().map(|subtype| resolved(document, subtype));
    if !subtype.and_then(|subtype| subtype.as_name().ok()).is_some_and(|name| name.starts_with(b"CIDFont")) {
        return None;
    }
    let mut font = font.clone();
    font.set("W", Object::Array(written_out(document, widths, room)));
    // A usual width with decimals is none to the crate.
    if let Some(usual) = font.get(b"DW").ok().and_then(|usual| number(document, usual)) {
        #[expect(clippy::cast_possible_truncation, reason = "a width is a few thousand")]
        font.set("DW", Object::Integer(usual.round() as i64));
    }
    Some(font)
}

fn mended_list(document: &Document, fonts: &[Object], room: &mut usize) -> Option<Vec<Object>> {
    let is_font = |font: &Object| matches!(font, Object::Dictionary(font) if font.has(b"W"));
    if !fonts.iter().any(is_font) {
        return None;
    }
    let mended = fonts.iter().map(|font| {
        let own = font.as_dict().ok().and_then(|own| mended_font(document, own, room));
        own.map_or_else(|| font.clone(), Object::Dictionary)
    });
    Some(mended.collect())
}

fn written_out(document: &Document, widths: &[Object], room: &mut usize) -> Vec<Object> {
    let mut written = Vec::new();
    let mut rest = widths.iter().map(|width| resolved(document, width));
    while let Some(first) = rest.next() {
        let (Ok(first), Some(second)) = (first.as_i64(), rest.next()) else { continue };
        let list: Vec<f32> = if let Object::Array(list) = second {
            list.iter().filter_map(|width| number(document, width)).collect()
        } else {
            let width = rest.next().and_then(|width| number(document, width));
            let (Ok(last), Some(width)) = (second.as_i64(), width) else { continue };
            let count = last.min(LAST).saturating_sub(first).saturating_add(1);
            vec![width; usize::try_from(count).unwrap_or_default().min(*room)]
        };
        if !(0..=LAST).contains(&first) || list.is_empty() || list.len() > *room {
            continue;
        }
        *room -= list.len();
        written.push(Object::Integer(first));
        written.push(Object::Array(list.into_iter().map(Object::Real).collect()));
    }
    written
}

fn resolved<'d>(document: &'d Document, object: &'d Object) -> &'d Object {
    document.dereference(object).map_or(object, |(_, object)| object)
}

fn number(document: &Document, object: &Object) -> Option<f32> {
    resolved(document, object).as_float().ok().filter(|number| number.is_finite())
}
