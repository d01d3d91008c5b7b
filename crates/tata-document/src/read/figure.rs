//! Numbers in cells, as people write them in half of Europe and elsewhere.

/// The longest cell that is taken for a number.
const LONGEST: usize = 40;

/// Why a cell is no number of the kind that is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoFigure {
    /// Below zero.
    Negative,
    /// Not whole where it must be.
    Fraction,
    /// More than can be counted.
    TooBig,
    /// No number.
    Unreadable,
}

/// A count: whole, with or without signs between the thousands, up to `most`.
pub fn read_count(cell: &str, most: u64) -> Result<u64, NoFigure> {
    let (negative, whole, fraction) = parts(cell, true).ok_or(NoFigure::Unreadable)?;
    let zero = fraction.chars().chain(whole.chars()).all(|digit| digit == '0');
    if negative && !zero {
        return Err(NoFigure::Negative);
    }
    if fraction.chars().any(|digit| digit != '0') {
        return Err(NoFigure::Fraction);
    }
    whole.parse().ok().filter(|count| *count <= most).ok_or(NoFigure::TooBig)
}

/// A number with a decimal comma or point, from zero.
pub fn read_decimal(cell: &str) -> Result<f64, NoFigure> {
    let (negative, whole, fraction) = parts(cell, false).ok_or(NoFigure::Unreadable)?;
    let number: f64 = format!("{whole}.{fraction}0").parse().map_err(|_| NoFigure::Unreadable)?;
    if negative && number > 0.0 { Err(NoFigure::Negative) } else { Ok(number) }
}

/// Whether a cell is a number, of whatever kind.
pub fn is_number(cell: &str) -> bool {
    [true, false].into_iter().any(|counting| parts(cell, counting).is_some())
}

/// The sign, the whole part and the decimals of a number.
///
/// "1.234" as a count is a thousand and more, since counts have no decimals; else it is one and a bit.
fn parts(cell: &str, counting: bool) -> Option<(bool, String, String)> {
    if cell.len() > LONGEST {
        return None;
    }
    let cell = cell.trim();
    let (negative, cell) = match cell.strip_prefix(['-', '−', '–']) {
        Some(rest) => (true, rest.trim_start()),
        None => (false, cell.strip_prefix('+').unwrap_or(cell)),
    };
    let cell: String = cell
        .chars()
        .map(|letter| if letter.is_whitespace() || matches!(letter, '\'' | '’') { ' ' } else { letter })
        .collect();
    let (commas, points) = (cell.matches(',').count(), cell.matches('.').count());
    let decimal = match (commas, points) {
        (1, 0) | (0, 1) => cell.rsplit_once([',', '.']).filter(|(before, after)| {
            let thousands = counting && after.len() == 3 && before.len() <= 3 && !before.starts_with('0');
            !thousands
        }),
        // Both stand in it: the last one is the decimal sign, and it stands there once.
        (1, _) | (_, 1) if commas > 0 && points > 0 => cell.rsplit_once([',', '.']),
        _ => None,
    };
    let (whole, fraction) = decimal.unwrap_or((&cell, ""));
    let gaps: Vec<char> = whole.chars().filter(|letter| !letter.is_ascii_digit()).collect();
    let alike = gaps.iter().all(|gap| matches!(gap, ' ' | ',' | '.') && Some(gap) == gaps.first());
    let mut groups = whole.split([' ', ',', '.']);
    let first = groups.next().unwrap_or_default();
    let grouped = (gaps.is_empty() || first.len() <= 3) && groups.all(|group| group.len() == 3);
    let digits = fraction.chars().all(|letter| letter.is_ascii_digit())
        && (decimal.is_none() || !fraction.is_empty())
        && !first.is_empty();
    (alike && grouped && digits).then(|| {
        let whole = whole.chars().filter(char::is_ascii_digit).collect();
        (negative, whole, fraction.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_as_people_write_them() {
        let check = |cell: &str, number| assert_eq!(read_count(cell, 1 << 53), number, "{cell:?}");
        check("1200", Ok(1200));
        check("1 200", Ok(1200));
        check("1\u{202F}200", Ok(1200));
        check("1.200", Ok(1200));
        check("1,234,567", Ok(1_234_567));
        check("1.234.567,0", Ok(1_234_567));
        check("1'200", Ok(1200));
        check("12,0", Ok(12));
        check("-0", Ok(0));
        check("+7", Ok(7));
        check("12,5", Err(NoFigure::Fraction));
        check("0.125", Err(NoFigure::Fraction));
        check("-3", Err(NoFigure::Negative));
        check("−3", Err(NoFigure::Negative));
        check("18446744073709551615", Err(NoFigure::TooBig));
        check("99999999999999999999999999", Err(NoFigure::TooBig));
        for cell in ["12 34", "1,2,3", "12%", "=1+1", "1e9", "٣", "", "12.", ".5", "1.2,3.4", "0x10"] {
            check(cell, Err(NoFigure::Unreadable));
        }
    }

    #[test]
    fn numbers_may_have_decimals() {
        let check = |cell: &str, number| assert_eq!(read_decimal(cell), number, "{cell:?}");
        check("4,5", Ok(4.5));
        check("4.25", Ok(4.25));
        check("14", Ok(14.0));
        check("1.234", Ok(1.234));
        check("-1", Err(NoFigure::Negative));
        check("-0", Ok(0.0));
        check("x", Err(NoFigure::Unreadable));
    }
}
