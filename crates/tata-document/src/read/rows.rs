//! Text as rows of cells, whatever stands between them: files, and what people paste.

use std::{iter::Peekable, str::Chars};

/// What may stand between cells, the most telling first. A colon counts only where there is nothing else.
const DELIMITERS: [char; 5] = ['\t', ';', '|', ',', ':'];

/// How many lines are looked at to find the delimiter.
const LOOKED_AT: usize = 50;

/// A table has so many rows with figures.
const FEWEST_ROWS: usize = 3;

/// Whether a text is rows of cells, most of them with a figure.
pub fn is_table(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let figure = |cell: &str| {
        let cell = cell.trim().trim_end_matches('%');
        !cell.is_empty()
            && cell
                .chars()
                .all(|letter| letter.is_ascii_digit() || matches!(letter, '.' | ',' | ' ' | '\u{a0}'))
    };
    let row = |line: &&&str| {
        ['\t', ';', '|', ',', ':'].into_iter().any(|mark| {
            let mut cells = line.split(mark);
            cells.next().is_some_and(|label| !figure(label))
                && cells.clone().next().is_some()
                && cells.all(|cell| cell.trim().is_empty() || figure(cell))
        })
    };
    let rows = lines.iter().filter(row).count();
    rows >= FEWEST_ROWS && rows * 3 >= lines.len() * 2
}

/// The rows of a pasted table that have anything in them: cells, or a name and a number on a line of their own.
pub(super) fn rows(text: &str) -> Vec<Vec<String>> {
    let (announced, text) = announced(text);
    match announced.or_else(|| delimiter(text)) {
        Some(sign) => cells(text, sign).filter(|row| is_row(row)).collect(),
        None => text.lines().filter(|line| !line.trim().is_empty()).map(pair).collect(),
    }
}

/// The delimiter that Excel tells in a line of its own, and the text after it.
pub(super) fn announced(text: &str) -> (Option<char>, &str) {
    let text = text.trim_start_matches(['\u{feff}', '\n', '\r']);
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let first = first.trim_matches(['\r', ' ']);
    let sign = first.strip_prefix("sep=").or_else(|| first.strip_prefix("SEP="));
    match sign.and_then(|sign| sign.chars().next()) {
        Some(sign) => (Some(sign), rest),
        None => (None, text),
    }
}

/// The delimiter that cuts the most lines into equally many cells; nothing where it cuts less than half of them.
pub(super) fn delimiter(text: &str) -> Option<char> {
    let mut best = (0, None);
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).take(LOOKED_AT).collect();
    for sign in DELIMITERS {
        let mut cuts: Vec<usize> = lines.iter().map(|line| outside_quotes(line, sign)).collect();
        cuts.retain(|cut| *cut > 0);
        let thousands = sign == ',' && commas_are_thousands(text);
        let alike =
            cuts.iter().map(|cut| cuts.iter().filter(|other| *other == cut).count()).max().unwrap_or(0);
        let weak = sign == ':' && best.0 > 0;
        if alike > best.0 && cuts.len() * 2 >= lines.len() && !weak && !thousands {
            best = (alike, Some(sign));
        }
    }
    best.1
}

/// Cuts a text into rows, one at a time: a line without anything is a row of one blank cell.
pub(super) fn cells(text: &str, delimiter: char) -> impl Iterator<Item = Vec<String>> + '_ {
    let mut letters = text.chars().peekable();
    std::iter::from_fn(move || row(&mut letters, delimiter))
}

fn row(letters: &mut Peekable<Chars<'_>>, delimiter: char) -> Option<Vec<String>> {
    letters.peek()?;
    let (mut row, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.next_if_eq(&'"').is_some() => cell.push('"'),
            '"' if quoted => quoted = false,
            '"' if cell.trim().is_empty() => {
                cell.clear();
                quoted = true;
            }
            sign if sign == delimiter && !quoted => row.push(finished(&mut cell)),
            '\n' | '\r' if !quoted => break,
            other => cell.push(other),
        }
    }
    row.push(finished(&mut cell));
    Some(row)
}

fn finished(cell: &mut String) -> String {
    std::mem::take(cell).trim_matches(|letter: char| letter.is_whitespace() || letter == '\0').to_owned()
}

/// Blank rows are none, and neither are the rules of a Markdown table.
fn is_row(row: &[String]) -> bool {
    let ruled = |cell: &String| {
        cell.chars().count() > 2 && cell.chars().all(|letter| matches!(letter, '-' | ':' | '='))
    };
    !row.iter().all(|cell| cell.is_empty() || ruled(cell))
}

/// Whether commas stand inside numbers only: in all lines that have any, or in half of all lines.
pub(super) fn commas_are_thousands(text: &str) -> bool {
    let lines = || text.lines().filter(|line| !line.trim().is_empty()).take(LOOKED_AT);
    let with_commas = lines().filter(|line| line.contains(',')).count();
    let thousands = lines().filter(|line| only_thousands(line)).count();
    thousands > 0 && (thousands == with_commas || thousands * 2 >= lines().count())
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
    let (words, number) = if line.starts_with(|letter: char| letter.is_ascii_digit()) {
        (words, line.strip_suffix(words).unwrap_or_default())
    } else {
        line.split_at(line.trim_end_matches(number).len())
    };
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
        check(
            "3,400 views\n210 clicks\n64 applications",
            &[&["views", "3,400"], &["clicks", "210"], &["applications", "64"]],
        );
        check("• Applications (96)\n• Offers – 2", &[&["Applications", "96"], &["Offers", "2"]]);
        check("", &[]);
        check("\n\n;;\n", &[]);
    }
}
