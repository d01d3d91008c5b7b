//! Pasted tables as rows of cells, and cells as numbers. Knows nothing of stages.

use super::numbers::{MOST, Tenths};

/// What may stand between cells, the most telling first. A colon counts only where there is nothing else.
const DELIMITERS: [char; 5] = ['\t', ';', '|', ',', ':'];

/// How many lines are looked at to find the delimiter.
const LOOKED_AT: usize = 50;

/// The longest cell that is taken for a number.
const LONGEST_NUMBER: usize = 40;

/// The rows that have anything in them. One pass over the text, whatever it is.
pub(super) fn rows(text: &str) -> Vec<Vec<String>> {
    let text = text.trim_start_matches(['\u{FEFF}', '\n', '\r']);
    // Excel writes the delimiter into the first line.
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let announced = first.trim().strip_prefix("sep=").and_then(|sign| sign.chars().next());
    let (delimiter, text) = match (announced, delimiter(text)) {
        (Some(sign), _) => (sign, rest),
        (None, Some(sign)) => (sign, text),
        (None, None) => return text.lines().filter(|line| !line.trim().is_empty()).map(pair).collect(),
    };
    let mut rows = Vec::new();
    let (mut row, mut cell) = (Vec::new(), String::new());
    let (mut quoted, mut letters) = (false, text.chars().peekable());
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.next_if_eq(&'"').is_some() => cell.push('"'),
            '"' if quoted => quoted = false,
            '"' if cell.trim().is_empty() => {
                cell.clear();
                quoted = true;
            }
            sign if sign == delimiter && !quoted => row.push(finished(&mut cell)),
            '\n' | '\r' if !quoted => {
                row.push(finished(&mut cell));
                keep(&mut rows, &mut row);
            }
            other => cell.push(other),
        }
    }
    row.push(finished(&mut cell));
    keep(&mut rows, &mut row);
    rows
}

fn finished(cell: &mut String) -> String {
    std::mem::take(cell).trim_matches(|letter: char| letter.is_whitespace() || letter == '\0').to_owned()
}

/// Blank rows are none, and neither are the rules of a Markdown table or its outer bars.
fn keep(rows: &mut Vec<Vec<String>>, row: &mut Vec<String>) {
    let row = std::mem::take(row);
    let ruled =
        |cell: &String| !cell.is_empty() && cell.chars().all(|letter| matches!(letter, '-' | ':' | '='));
    let blank = row.iter().all(String::is_empty);
    let rule = !blank && row.iter().all(|cell| cell.is_empty() || (ruled(cell) && cell.chars().count() > 2));
    if !blank && !rule {
        rows.push(row);
    }
}

/// The delimiter that cuts the most lines into equally many cells; nothing where it cuts less than half of them.
fn delimiter(text: &str) -> Option<char> {
    let mut best = (0, None);
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).take(LOOKED_AT).collect();
    for sign in DELIMITERS {
        let mut cuts: Vec<usize> = lines.iter().map(|line| outside_quotes(line, sign)).collect();
        cuts.retain(|cut| *cut > 0);
        let thousands =
            sign == ',' && lines.iter().filter(|line| only_thousands(line)).count() * 2 >= lines.len();
        let alike =
            cuts.iter().map(|cut| cuts.iter().filter(|other| *other == cut).count()).max().unwrap_or(0);
        let weak = sign == ':' && best.0 > 0;
        if alike > best.0 && cuts.len() * 2 >= lines.len() && !weak && !thousands {
            best = (alike, Some(sign));
        }
    }
    best.1
}

/// Whether all commas of a line stand inside numbers: "1,200 views".
fn only_thousands(line: &str) -> bool {
    let mut rest = line;
    let mut commas = 0;
    while let Some((before, after)) = rest.split_once(',') {
        let digits = after.chars().take_while(char::is_ascii_digit).count();
        if !before.ends_with(|letter: char| letter.is_ascii_digit()) || digits != 3 {
            return false;
        }
        (commas, rest) = (commas + 1, after);
    }
    commas > 0 && line.chars().any(char::is_alphabetic)
}

/// "96 applications", "Applications (96)", "* Applications – 96": a name and a number on a line of their own.
fn pair(line: &str) -> Vec<String> {
    let sign = |letter: char| {
        letter.is_whitespace() || matches!(letter, '*' | '•' | '-' | '–' | '—' | '=' | '(' | ')' | '.')
    };
    let line = line.trim_matches(sign);
    let number = |letter: char| {
        letter.is_ascii_digit() || matches!(letter, ' ' | '\u{A0}' | '\u{202F}' | '.' | ',' | '\'')
    };
    let words = line.trim_start_matches(number);
    let (cut, words_first) =
        if words.len() < line.len() && line.starts_with(|letter: char| letter.is_ascii_digit()) {
            (line.len() - words.len(), false)
        } else {
            (line.trim_end_matches(number).len(), true)
        };
    let (Some(first), Some(last)) = (line.get(..cut), line.get(cut..)) else { return vec![line.to_owned()] };
    let (words, number) = if words_first { (first, last) } else { (last, first) };
    let (words, number) = (words.trim_matches(sign), number.trim());
    if words.is_empty() || number.is_empty() || words.chars().any(|letter| letter.is_ascii_digit()) {
        return vec![line.to_owned()];
    }
    vec![words.to_owned(), number.to_owned()]
}

fn outside_quotes(line: &str, sign: char) -> usize {
    let (mut quoted, mut count) = (false, 0);
    for letter in line.chars() {
        if letter == '"' {
            quoted = !quoted;
        } else if letter == sign && !quoted {
            count += 1;
        }
    }
    count
}

/// What a cell says where a count is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number<T> {
    /// A number.
    Is(T),
    /// Below zero.
    Negative,
    /// Not whole where it must be.
    Fraction,
    /// More than can be counted.
    TooBig,
    /// No number.
    Unreadable,
}

/// A count: whole, with or without signs between the thousands.
pub(super) fn read_count(cell: &str) -> Number<u64> {
    let Some((negative, whole, fraction)) = parts(cell, true) else { return Number::Unreadable };
    let zero = fraction.chars().chain(whole.chars()).all(|digit| digit == '0');
    if negative && !zero {
        return Number::Negative;
    }
    if fraction.chars().any(|digit| digit != '0') {
        return Number::Fraction;
    }
    match whole.parse::<u64>() {
        Ok(count) if count <= MOST => Number::Is(count),
        Ok(_) | Err(_) => Number::TooBig,
    }
}

/// Days: with a decimal comma or point.
pub(super) fn read_days(cell: &str, most: u32) -> Number<Tenths> {
    let Some((negative, whole, fraction)) = parts(cell, false) else { return Number::Unreadable };
    let Ok(number) = format!("{whole}.{fraction}0").parse::<f64>() else { return Number::Unreadable };
    if negative && number > 0.0 {
        return Number::Negative;
    }
    Tenths::of(number, most).map_or(Number::TooBig, Number::Is)
}

/// The sign, the whole part and the decimals of a number as people write it in any of the five languages.
///
/// "1.234" as a count is a thousand and more, since counts have no decimals; as days it is one day and a bit.
fn parts(cell: &str, counting: bool) -> Option<(bool, String, String)> {
    if cell.len() > LONGEST_NUMBER {
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

/// A cell that a spreadsheet does not take for a formula.
pub(super) fn guarded(cell: &str) -> String {
    let risky = cell.trim_start().starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠'])
        || cell.starts_with(['\t', '\r', '\n']);
    if risky { format!("'{cell}") } else { cell.to_owned() }
}

/// A row as a spreadsheet reads it.
pub(super) fn line(cells: &[String]) -> String {
    let cells: Vec<String> =
        cells.iter().map(|cell| format!("\"{}\"", guarded(cell).replace('"', "\"\""))).collect();
    cells.join(";") + "\r\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_whatever_stands_between_the_cells() {
        let check = |text: &str, expected: &[&[&str]]| assert_eq!(rows(text), expected, "{text:?}");
        check("\u{FEFF}a;b\r\n1;2\r\n", &[&["a", "b"], &["1", "2"]]);
        check("a,b\n\"1,200\",\"say \"\"hi\"\"\"", &[&["a", "b"], &["1,200", "say \"hi\""]]);
        check("a\tb\n1,5\t2", &[&["a", "b"], &["1,5", "2"]]);
        check("| a | b |\n| --- | --- |\n| 1 | 2 |", &[&["", "a", "b", ""], &["", "1", "2", ""]]);
        check("sep=;\na;b,c", &[&["a", "b,c"]]);
        check("a: 1\nb: 2", &[&["a", "1"], &["b", "2"]]);
        check(
            "Export of today\n\na;b\n1;2\n3;4",
            &[&["Export of today"], &["a", "b"], &["1", "2"], &["3", "4"]],
        );
        check("1,200 views\n80 applications", &[&["views", "1,200"], &["applications", "80"]]);
        check("• Applications (96)\n• Offers – 2", &[&["Applications", "96"], &["Offers", "2"]]);
        check("", &[]);
        check("\n\n;;\n", &[]);
    }

    #[test]
    fn counts_are_read_as_people_write_them() {
        let check = |cell: &str, number| assert_eq!(read_count(cell), number, "{cell:?}");
        check("1200", Number::Is(1200));
        check("1 200", Number::Is(1200));
        check("1\u{202F}200", Number::Is(1200));
        check("1.200", Number::Is(1200));
        check("1,234,567", Number::Is(1_234_567));
        check("1.234.567,0", Number::Is(1_234_567));
        check("1'200", Number::Is(1200));
        check("12,0", Number::Is(12));
        check("-0", Number::Is(0));
        check("+7", Number::Is(7));
        check("12,5", Number::Fraction);
        check("0.125", Number::Fraction);
        check("-3", Number::Negative);
        check("−3", Number::Negative);
        check("18446744073709551615", Number::TooBig);
        check("99999999999999999999999999", Number::TooBig);
        for cell in ["12 34", "1,2,3", "12%", "=1+1", "1e9", "٣", "", "12.", ".5", "1.2,3.4", "0x10"] {
            check(cell, Number::Unreadable);
        }
    }

    #[test]
    fn days_may_have_decimals() {
        let check = |cell: &str, number| assert_eq!(read_days(cell, 10_000), number, "{cell:?}");
        check("4,5", Number::Is(Tenths(45)));
        check("4.25", Number::Is(Tenths(43)));
        check("14", Number::Is(Tenths(140)));
        check("1.234", Number::Is(Tenths(12)));
        check("-1", Number::Negative);
        check("20000", Number::TooBig);
    }

    #[test]
    fn no_cell_becomes_a_formula() {
        let check = |cell: &str, expected: &str| assert_eq!(guarded(cell), expected);
        check("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0");
        check(" +1", "' +1");
        check("-2", "'-2");
        check("@SUM(A1)", "'@SUM(A1)");
        check("plain", "plain");
        assert_eq!(line(&["a\"b".to_owned(), "=1".to_owned()]), "\"a\"\"b\";\"'=1\"\r\n");
    }
}
