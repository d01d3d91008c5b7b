//! Documents as Markdown.

use super::{BAR, lines};
use crate::{Align, Block, Document, Inline, Marks, Table};

impl Document {
    /// As Markdown. Lists use asterisks: a dash at the start of a line is never a bullet here.
    pub fn markdown(&self) -> String {
        let mut out = Vec::new();
        if !self.title.is_empty() {
            out.push(format!("# {}", written(&self.title.as_str().into())));
        }
        out.extend(self.blocks.iter().map(block));
        out.join("\n\n") + "\n"
    }
}

fn block(block: &Block) -> String {
    match block {
        Block::Heading { level, text } => {
            format!("{} {}", "#".repeat(usize::from(*level).min(5) + 1), written(text))
        }
        Block::Paragraph(text) => written(text).replace('\n', "\\\n"),
        Block::Bullets(points) => lines(points.iter().map(|point| format!("* {}", written(point)))),
        Block::Numbered(points) => {
            lines(points.iter().enumerate().map(|(at, point)| format!("{}. {}", at + 1, written(point))))
        }
        Block::Table(table) => rows(table),
        Block::Quote { text, source } if source.as_str().is_empty() => {
            lines(written(text).lines().map(|line| format!("> {line}")))
        }
        Block::Quote { text, source } => {
            lines(written(text).lines().map(|line| format!("> {line}")))
                + &format!("\n>\n> ({})", written(source))
        }
        Block::Notes(label) => format!("{}: {}", written(label), "\\_".repeat(40)),
        // Bars say the same whatever a column is told.
        Block::Chart(chart) => rows(&Table { align: Vec::new(), ..chart.table(BAR) }),
    }
}

fn rows(table: &Table) -> String {
    let row = |cells: &[Inline]| {
        let cells: Vec<String> = cells.iter().map(|cell| written(cell).replace('|', "\\|")).collect();
        format!("| {} |", cells.join(" | ").replace('\n', " "))
    };
    let rule = (0..table.header.len()).map(|at| match table.align_of(at) {
        Align::Start => " --- |",
        Align::End => " ---: |",
    });
    let rule = format!("|{}", rule.collect::<String>());
    lines([row(&table.header), rule].into_iter().chain(table.rows.iter().map(|cells| row(cells))))
}

/// Text that Markdown must not take for its own signs. Only where it would: what people read should stay readable.
fn written(inline: &Inline) -> String {
    let mut out = String::with_capacity(inline.as_str().len() + 8);
    let mut rest = inline.as_str();
    let mut begins = true;
    for (text, marks) in inline.spans() {
        let (open, close) = signs(marks);
        // Signs stand close to the words, or they are none.
        let blank = text.len() - text.trim_start().len();
        let last = text.trim_end().len();
        for (at, letter) in text.char_indices() {
            if begins && rest.trim_start_matches(is_blank).starts_with(['#', '>', '+', '=']) {
                out.push('\\');
            }
            if at == blank && blank < last {
                out.push_str(&open);
            }
            if at == last && blank < last {
                out.push_str(&close);
            }
            if matches!(letter, '*' | '_' | '`' | '[' | ']' | '<' | '\\') {
                out.push('\\');
            }
            out.push(letter);
            begins = letter == '\n';
            rest = rest.get(letter.len_utf8()..).unwrap_or_default();
        }
        if last == text.len() && blank < last {
            out.push_str(&close);
        }
    }
    out
}

/// What may stand before the first sign of a line; the line's end is none of it.
fn is_blank(letter: char) -> bool {
    letter.is_whitespace() && letter != '\n'
}

/// What stands before and after a span.
fn signs(marks: &Marks) -> (String, String) {
    let star = match (marks.strong, marks.emphasis) {
        (true, true) => "***",
        (true, false) => "**",
        (false, true) => "*",
        (false, false) => "",
    };
    let unproven = if marks.unproven { " \\[?\\]" } else { "" };
    match marks.address() {
        Some(address) => {
            let address = address.replace('(', "%28").replace(')', "%29");
            (format!("{star}["), format!("]({address}){star}{unproven}"))
        }
        None => (star.to_owned(), format!("{star}{unproven}")),
    }
}
