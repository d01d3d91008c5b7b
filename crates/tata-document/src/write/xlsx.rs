//! The tables of a document as sheets of a workbook.

use rust_xlsxwriter::{
    DocProperties, ExcelDateTime, Format, FormatAlign, FormatBorder, Workbook, Worksheet, XlsxError,
};

use super::{Options, WriteError, tables::tables};
use crate::{Document, Inline};

const FORMAT: &str = "xlsx";
/// What Excel holds in one cell and on one sheet.
const CELL: usize = 32_767;
const ROWS: usize = 1_048_576;
const COLUMNS: usize = 16_384;
const SHEETS: usize = 255;
/// The widest column, in characters.
const WIDEST: f64 = 60.0;

/// Writes the tables, each on its sheet. Every value is text or a number: nothing is a formula.
pub(super) fn write(document: &Document, options: &Options) -> Result<Vec<u8>, WriteError> {
    let tables = tables(document);
    if tables.is_empty() {
        return Err(WriteError::Nothing { what: "table", format: FORMAT });
    }
    hold("tables", tables.len(), SHEETS)?;
    let mut workbook = Workbook::new();
    let mut properties = DocProperties::new().set_title(cut(&document.title, 255));
    if let Some(author) = &options.author {
        properties = properties.set_author(cut(author, 255));
    }
    if let Some(company) = &options.organization {
        properties = properties.set_company(cut(company, 255));
    }
    if let Some(notice) = &options.notice {
        properties = properties.set_comment(cut(notice, 255));
    }
    if let Some(created) = options.created.and_then(|at| ExcelDateTime::from_timestamp(at.as_second()).ok()) {
        properties = properties.set_creation_datetime(&created);
    }
    workbook.set_properties(&properties);
    let mut names: Vec<String> = Vec::new();
    for (heading, rows) in &tables {
        hold("rows", rows.len(), ROWS)?;
        hold("columns", rows.iter().map(Vec::len).max().unwrap_or(0), COLUMNS)?;
        let name = sheet_name(heading, &names);
        let sheet = workbook.add_worksheet();
        sheet.set_name(&name).map_err(failed)?;
        names.push(name);
        fill(sheet, rows).map_err(failed)?;
    }
    workbook.save_to_buffer().map_err(failed)
}

fn failed(error: XlsxError) -> WriteError {
    WriteError::failed(FORMAT, error)
}

fn hold(what: &'static str, found: usize, most: usize) -> Result<(), WriteError> {
    if found > most { Err(WriteError::TooMuch { what, found, most, format: FORMAT }) } else { Ok(()) }
}

fn fill(sheet: &mut Worksheet, rows: &[Vec<&Inline>]) -> Result<(), XlsxError> {
    let words = Format::new().set_text_wrap().set_align(FormatAlign::Top);
    let header =
        words.clone().set_bold().set_border_bottom(FormatBorder::Thin).set_background_color("#E8EEF4");
    let number = Format::new().set_align(FormatAlign::Top).set_num_format("#,##0");
    let mut widths: Vec<f64> = Vec::new();
    for (at, row) in (0_u32..).zip(rows) {
        for (column, cell) in (0_u16..).zip(row) {
            let text = cut(cell.as_str(), CELL);
            let wide = f64::from(u16::try_from(text.chars().count()).unwrap_or(u16::MAX)) + 2.0;
            let slot = usize::from(column);
            if widths.len() <= slot {
                widths.resize(slot + 1, 8.0);
            }
            if let Some(known) = widths.get_mut(slot) {
                *known = known.max(wide.min(WIDEST));
            }
            match count(&text).filter(|_| at > 0) {
                Some(count) => sheet.write_number_with_format(at, column, count, &number)?,
                None => sheet.write_string_with_format(
                    at,
                    column,
                    text,
                    if at == 0 { &header } else { &words },
                )?,
            };
        }
    }
    for (column, wide) in (0_u16..).zip(widths) {
        sheet.set_column_width(column, wide)?;
    }
    sheet.set_freeze_panes(1, 0)?;
    sheet.set_repeat_rows(0, 0)?;
    sheet.set_landscape().set_paper_size(9).set_print_fit_to_pages(1, 0);
    Ok(())
}

/// A count as a number; digits may be grouped by blanks. Anything else could be a telephone number or an id.
fn count(text: &str) -> Option<f64> {
    let groups: Vec<&str> = text.split(['\u{a0}', '\u{202f}', '\u{2009}', ' ']).collect();
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let (first, others) = groups.split_first()?;
    let grouped = others.is_empty() || first.len() <= 3;
    let whole = digits(first) && grouped && others.iter().all(|part| part.len() == 3 && digits(part));
    let plain = *first == "0" || !first.starts_with('0');
    let digits: String = groups.concat();
    if whole && plain && digits.len() <= 9 { digits.parse().ok() } else { None }
}

/// A name that Excel allows, once in a workbook.
fn sheet_name(heading: &str, taken: &[String]) -> String {
    let allowed = |letter: &char| !letter.is_control() && !"[]:*?/\\'".contains(*letter);
    let clean: String = heading.chars().map(|c| if c == '\n' { ' ' } else { c }).filter(allowed).collect();
    let base = Some(cut(clean.trim(), 28).trim().to_owned()).filter(|name| !name.is_empty());
    let base = base.unwrap_or_else(|| "1".to_owned());
    let is_free = |name: &str| !taken.iter().any(|known| known.to_lowercase() == name.to_lowercase());
    let numbered = (2..=SHEETS + 1).map(|number| format!("{} {number}", cut(&base, 26)));
    // "History" is a name Excel keeps for itself.
    let first = Some(base.clone()).filter(|name| !name.eq_ignore_ascii_case("history"));
    first.into_iter().chain(numbered).find(|name| is_free(name)).unwrap_or(base)
}

/// The first characters, as Excel counts them.
fn cut(text: &str, most: usize) -> String {
    let mut units = 0;
    let fits = |letter: &char| {
        units += letter.len_utf16();
        units <= most
    };
    text.chars().take_while(fits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_counts_are_numbers() {
        let check = |text: &str, number: Option<f64>| assert_eq!(count(text), number, "{text}");
        check("12", Some(12.0));
        check("1 204", Some(1204.0));
        check("1\u{a0}204\u{a0}000", Some(1_204_000.0));
        check("0", Some(0.0));
        check("007", None);
        check("070 123 45 67", None);
        check("1204 000", None);
        check("12 %", None);
        check("1234567890", None);
        check("", None);
    }

    #[test]
    fn sheets_have_names_that_excel_allows() {
        let check = |heading: &str, taken: &[&str], name: &str| {
            let taken: Vec<String> = taken.iter().map(|name| (*name).to_owned()).collect();
            assert_eq!(sheet_name(heading, &taken), name);
        };
        check("Figures: all/some", &[], "Figures allsome");
        check("'[x]'", &[], "x");
        check("Figures", &["figures"], "Figures 2");
        check("***", &[], "1");
        check("History", &[], "History 2");
        check(&"ä".repeat(40), &[], &"ä".repeat(28));
    }
}
