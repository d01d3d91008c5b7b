//! Documents as HTML that is safe to put into any page: every text is escaped, there are no scripts and no styles, and
//! links lead to the web or to a mailbox.

use super::svg::inline_picture;
use crate::{Align, Block, Chart, Document, Evidence, Inline, Marks, Table};

impl Document {
    /// As an HTML fragment; the title is a heading of the given level, from 1 to 6.
    ///
    /// Evidence is a `span` of the class `evidence`, whose `data-sources` has the numbers of its places in
    /// [`Document::sources`], from 1.
    pub fn html(&self, title_level: u8) -> String {
        let page = Page { sources: self.sources(), first: title_level.max(1), document: self };
        let mut out = format!("<article class=\"document\" lang=\"{}\">\n", self.language);
        if !self.title.is_empty() {
            page.heading(0, &self.title.as_str().into(), &mut out);
        }
        for block in &self.blocks {
            page.block(block, &mut out);
        }
        out.push_str("</article>\n");
        out
    }
}

struct Page<'a> {
    document: &'a Document,
    sources: Vec<&'a Evidence>,
    first: u8,
}

impl Page<'_> {
    fn heading(&self, level: u8, text: &Inline, out: &mut String) {
        let level = self.first.saturating_add(level).min(6);
        out.push_str(&format!("<h{level}>{}</h{level}>\n", self.written(text)));
    }

    fn block(&self, block: &Block, out: &mut String) {
        match block {
            Block::Heading { level, text } => self.heading(*level, text, out),
            Block::Paragraph(text) => out.push_str(&format!("<p>{}</p>\n", self.written(text))),
            Block::Bullets(points) => self.list("ul", points, out),
            Block::Numbered(points) => self.list("ol", points, out),
            Block::Table(table) => self.table(table, out),
            Block::Quote { text, source } => {
                let (open, close) = self.document.language.quotation_marks();
                out.push_str(&format!("<blockquote><p>{open}{}{close}</p>", self.written(text)));
                if !source.is_blank() {
                    out.push_str(&format!("<footer>{}</footer>", self.written(source)));
                }
                out.push_str("</blockquote>\n");
            }
            Block::Notes(label) => {
                let label = self.written(label);
                out.push_str(&format!(
                    "<div class=\"notes\"><p>{label}:</p><div class=\"room\"></div></div>\n"
                ));
            }
            Block::Chart(chart) => self.chart(chart, out),
        }
    }

    fn list(&self, name: &str, points: &[Inline], out: &mut String) {
        out.push_str(&format!("<{name}>\n"));
        for point in points {
            out.push_str(&format!("<li>{}</li>\n", self.written(point)));
        }
        out.push_str(&format!("</{name}>\n"));
    }

    fn table(&self, table: &Table, out: &mut String) {
        let class = |at: usize| match table.align_of(at) {
            Align::Start => "",
            Align::End => " class=\"number\"",
        };
        out.push_str("<table>\n<thead><tr>");
        for (at, cell) in table.header.iter().enumerate() {
            out.push_str(&format!("<th scope=\"col\"{}>{}</th>", class(at), self.written(cell)));
        }
        out.push_str("</tr></thead>\n<tbody>\n");
        for row in &table.rows {
            out.push_str("<tr>");
            for (at, cell) in row.iter().enumerate() {
                out.push_str(&format!("<td{}>{}</td>", class(at), self.written(cell)));
            }
            out.push_str("</tr>\n");
        }
        out.push_str("</tbody>\n</table>\n");
    }

    /// A picture without styles, which a strict page allows; its numbers are text, and its description says them all.
    fn chart(&self, chart: &Chart, out: &mut String) {
        if !chart.stages.is_empty() {
            let picture = inline_picture(chart, self.document.language.as_str());
            out.push_str(&format!("<figure class=\"chart\">\n{picture}</figure>\n"));
        }
    }

    fn written(&self, inline: &Inline) -> String {
        let mut out = String::with_capacity(inline.as_str().len() + 16);
        for (text, marks) in inline.spans() {
            let mut close = String::new();
            for (open, end) in self.elements(marks) {
                out.push_str(&open);
                close.insert_str(0, end);
            }
            out.push_str(&escaped(text).replace('\n', "<br>\n"));
            out.push_str(&close);
        }
        out
    }

    /// The elements around a span, from the outside in.
    fn elements(&self, marks: &Marks) -> Vec<(String, &'static str)> {
        let mut elements = Vec::new();
        if let Some(language) = &marks.language {
            elements.push((format!("<span lang=\"{language}\">"), "</span>"));
        }
        if let Some(address) = marks.address() {
            let open = format!("<a href=\"{}\" rel=\"noopener noreferrer\">", escaped(address));
            elements.push((open, "</a>"));
        }
        let numbers: Vec<String> = (marks.evidence.iter())
            .filter_map(|one| self.sources.iter().position(|known| *known == one))
            .map(|at| (at + 1).to_string())
            .collect();
        if let Some(first) = marks.evidence.first() {
            let title = escaped(&format!("{}: {}", first.source, first.quote));
            let numbers = numbers.join(" ");
            let open = format!("<span class=\"evidence\" data-sources=\"{numbers}\" title=\"{title}\">");
            elements.push((open, "</span>"));
        }
        if marks.unproven {
            elements.push(("<mark class=\"unproven\">".to_owned(), "</mark>"));
        }
        if marks.strong {
            elements.push(("<strong>".to_owned(), "</strong>"));
        }
        if marks.emphasis {
            elements.push(("<em>".to_owned(), "</em>"));
        }
        elements
    }
}

/// Text that is text wherever it stands, in an element or in a quoted attribute. What no page may hold is replaced.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\r' => {}
            // Not allowed in XML and HTML; marks that turn words around could make a text lie.
            '\u{fffe}' | '\u{ffff}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                out.push('\u{fffd}');
            }
            letter if letter.is_control() && !matches!(letter, '\n' | '\t') => out.push('\u{fffd}'),
            letter => out.push(letter),
        }
    }
    out
}
