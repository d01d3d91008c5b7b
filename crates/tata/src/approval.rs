//! What a tool was asked to do, as a person reads it before they let it run.

use tata_core::Question;

use crate::{
    arguments::faithful,
    on_one_line::{beginning, on_one_line},
    terminal::{DIM, NOTE, Terminal},
};

/// The most lines, and characters of a line, that are shown before somebody asks for all.
const MOST_LINES: usize = 20;
const LONGEST_LINE: usize = 300;
/// Values that lie deeper are not moved further to the right: a call could push them off the screen.
const WIDEST_INDENT: usize = 16;

/// Shows a call that waits; whether that is all of it.
pub(crate) fn show_head(question: &Question, terminal: &Terminal) -> bool {
    terminal.note(&format!("{NOTE}{}{NOTE:#}", question.tool));
    let lines = lines(&question.arguments);
    let mut is_whole = true;
    for line in lines.iter().take(MOST_LINES) {
        let (head, more) = beginning(line, LONGEST_LINE);
        if more > 0 {
            is_whole = false;
            terminal.note(&format!("  {head}{NOTE}… ({more} more letters){NOTE:#}"));
        } else {
            terminal.note(&format!("  {head}"));
        }
    }
    if let Some(more) = lines.len().checked_sub(MOST_LINES).filter(|more| *more > 0) {
        is_whole = false;
        terminal.note(&format!("  {NOTE}… ({more} more lines){NOTE:#}"));
    }
    is_whole
}

/// Shows a call that waits, to its end.
pub(crate) fn show_all(question: &Question, terminal: &Terminal) {
    let lines = lines(&question.arguments);
    for line in &lines {
        terminal.note(&format!("  {line}"));
    }
    terminal.note(&format!("{DIM}That is all of what {} was given.{DIM:#}", question.tool));
}

/// The arguments, a value a line. Line ends within a value are not obeyed. What a program would read otherwise than it
/// stands there is shown letter by letter.
fn lines(arguments: &str) -> Vec<String> {
    let pretty = faithful(arguments).and_then(|value| serde_json::to_string_pretty(&value).ok());
    let Some(pretty) = pretty else { return vec![on_one_line(arguments)] };
    let line = |line: &str| {
        let words = line.trim_start_matches(' ');
        let indent = line.len().saturating_sub(words.len()).min(WIDEST_INDENT);
        format!("{}{}", " ".repeat(indent), on_one_line(words))
    };
    pretty.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_cannot_be_pushed_off_the_screen() {
        let spaces = " ".repeat(8000);
        let cases = [
            (
                r#"{"a":"x\n\ny","b":[1]}"#.to_owned(),
                vec!["{", r#"  "a": "x\n\ny","#, "  \"b\": [", "    1", "  ]", "}"],
            ),
            (format!(r#"{{"path":"{spaces}/etc"}}"#), vec!["{", r#"  "path": "[8000 spaces]/etc""#, "}"]),
            // Twice the same key: what runs is not known, so that it is shown as it was written.
            ("{\"a\":1,\n\n\"a\":2}".to_owned(), vec!["{\"a\":1,⏎⏎\"a\":2}"]),
            (format!("{{}}{spaces}"), vec!["{}"]),
        ];
        for (arguments, shown) in cases {
            assert_eq!(lines(&arguments), shown, "{arguments:?}");
        }
    }
}
