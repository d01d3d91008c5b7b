//! Writes where symbols lead, see `crate::transitions`.

use super::byte_writer::ByteWriter;
use crate::rows::number;

/// Whose a free place is.
const NOBODY: u32 = u32::MAX;

/// Writes the transitions of rows, symbols and targets; the symbols are sorted. Gives the base of each row.
pub(super) fn write(rows: &[&[(u16, u32)]], output: &mut ByteWriter) -> Vec<u32> {
    let (mut places, mut room, mut bases) = (Vec::new(), Room::default(), vec![0; rows.len()]);
    // Small rows find room between large ones, not the other way round.
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|row| std::cmp::Reverse(rows.get(*row).map_or(0, |transitions| transitions.len())));
    for row in order {
        let Some((transitions, base)) = rows.get(row).zip(bases.get_mut(row)) else { continue };
        let Some((first, _)) = transitions.first() else { continue };
        let offsets: Vec<usize> = transitions.iter().map(|(symbol, _)| usize::from(symbol - first)).collect();
        let place = room.take(&offsets);
        *base = number(place).wrapping_sub(u32::from(*first));
        for (offset, (_, target)) in offsets.iter().zip(*transitions) {
            if places.len() <= place + offset {
                places.resize(place + offset + 1, [NOBODY, 0]);
            }
            if let Some(free) = places.get_mut(place + offset) {
                *free = [number(row), *target];
            }
        }
    }
    output.rows(&places);
    bases
}

/// Which places are taken, a bit for each.
#[derive(Default)]
struct Room {
    taken: Vec<u64>,
    /// Every place before these 64 is taken.
    full: usize,
}

impl Room {
    /// Takes the first free places that lie so far from each other.
    fn take(&mut self, offsets: &[usize]) -> usize {
        while self.taken.get(self.full) == Some(&u64::MAX) {
            self.full += 1;
        }
        let mut eights = self.full;
        let place = loop {
            let fits = offsets.iter().try_fold(u64::MAX, |fits, offset| {
                let fits = fits & !self.from(eights * 64 + offset);
                (fits != 0).then_some(fits)
            });
            if let Some(fits) = fits {
                break eights * 64 + fits.trailing_zeros() as usize;
            }
            eights += 1;
        };
        for place in offsets.iter().map(|offset| place + offset) {
            if self.taken.len() <= place / 64 {
                self.taken.resize(place / 64 + 1, 0);
            }
            if let Some(taken) = self.taken.get_mut(place / 64) {
                *taken |= 1 << (place % 64);
            }
        }
        place
    }

    /// The 64 places from one on.
    fn from(&self, place: usize) -> u64 {
        let word = |at: usize| self.taken.get(at).copied().unwrap_or(0);
        let (at, shift) = (place / 64, place % 64);
        let next = if shift == 0 { 0 } else { word(at + 1) << (64 - shift) };
        word(at) >> shift | next
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{rows::ByteReader, transitions::Transitions};

    #[test]
    fn every_way_leads_where_it_was_written_and_no_other_does() {
        let rows: Vec<Vec<(u16, u32)>> = (0..200_u32)
            .map(|row| {
                let symbols = (0..u16::try_from(row % 9).unwrap_or(0)).map(|at| at * at * 7 + at + 1);
                symbols.map(|symbol| (symbol, row * 1_000 + u32::from(symbol))).collect()
            })
            .collect();
        let mut output = ByteWriter::default();
        let bases = write(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>(), &mut output);
        let bytes = output.finish();
        let transitions = Transitions::read(&mut ByteReader::of(&bytes)).unwrap();
        for (row, (written, base)) in (0..).zip(rows.iter().zip(bases)) {
            for symbol in 0..500 {
                let expected = written.iter().find(|(known, _)| *known == symbol).map(|(_, target)| *target);
                assert_eq!(transitions.target(row, base, symbol), expected, "row {row}, symbol {symbol}");
            }
        }
    }
}
