//! The text of a Word file.

use super::{
    escaped,
    parts::{FOOTER, HEAD, MAIN},
};
use crate::{
    Align, Block, Chart, Document, Evidence, Inline, LanguageTag, Marks, Table,
    render::described,
    write::{options::numbers, tables::shares},
};

/// The width of the text on the page, in twentieths of a point.
const ROOM: usize = 9638;
const ROOM_WIDE: f32 = 9638.0;
/// How many lines there are to write on.
const NOTES_LINES: usize = 4;
/// Units of drawings in a centimetre.
const CENTIMETRE: usize = 360_000;

/// Collects the text, and what it refers to.
pub(super) struct Body<'a> {
    document: &'a Document,
    sources: Vec<Evidence>,
    language: String,
    /// Addresses of links.
    pub(super) links: Vec<String>,
    /// Charts, each a part of its own.
    pub(super) charts: Vec<&'a Chart>,
    /// How many numbered lists there are.
    pub(super) lists: usize,
}

impl<'a> Body<'a> {
    pub(super) fn new(document: &'a Document, sources: Vec<Evidence>) -> Self {
        let language = document.language.with_region();
        Self { document, sources, language, links: Vec::new(), charts: Vec::new(), lists: 0 }
    }

    /// The whole part.
    pub(super) fn write(&mut self) -> String {
        let mut out = format!(
            "{HEAD}<w:document {MAIN} xmlns:wp=\"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing\" \
             xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" \
             xmlns:c=\"http://schemas.openxmlformats.org/drawingml/2006/chart\"><w:body>"
        );
        let document = self.document;
        if !document.title.is_empty() {
            out.push_str(&self.paragraph("Title", "", &document.title.as_str().into()));
        }
        for block in &document.blocks {
            self.block(block, &mut out);
        }
        out.push_str(&format!(
            "<w:sectPr><w:footerReference w:type=\"default\" r:id=\"{FOOTER}\"/><w:pgSz w:w=\"11906\" w:h=\"16838\"/>\
             <w:pgMar w:top=\"1134\" w:right=\"1134\" w:bottom=\"1134\" w:left=\"1134\" w:header=\"567\" w:footer=\"567\" \
             w:gutter=\"0\"/></w:sectPr></w:body></w:document>"
        ));
        out
    }

    fn block(&mut self, block: &'a Block, out: &mut String) {
        match block {
            Block::Heading { level, text } => {
                out.push_str(&self.paragraph(&format!("Heading{}", (*level).clamp(1, 3)), "", text));
            }
            Block::Paragraph(text) => out.push_str(&self.paragraph("Normal", "", text)),
            Block::Bullets(points) => self.list("ListBullet", 1, points, out),
            Block::Numbered(points) => {
                self.lists += 1;
                self.list("ListNumber", self.lists + 1, points, out);
            }
            Block::Table(table) => self.table(table, out),
            Block::Quote { text, source } => {
                let (open, close) = self.document.language.quotation_marks();
                let words = self.runs(text, false);
                let [open, close] = [open, close].map(|mark| self.run(&mark.to_string(), Marks::NONE, false));
                // Alone, it needs the room below that its source would have.
                let alone = "<w:keepNext w:val=\"0\"/><w:spacing w:after=\"160\"/>";
                let properties = if source.is_blank() { alone } else { "" };
                out.push_str(&wrapped("Quote", properties, &format!("{open}{words}{close}")));
                if !source.is_blank() {
                    out.push_str(&self.paragraph("QuoteSource", "", source));
                }
            }
            Block::Notes(label) => self.notes(label, out),
            Block::Chart(chart) => self.chart(chart, out),
        }
    }

    fn paragraph(&mut self, style: &str, properties: &str, text: &Inline) -> String {
        wrapped(style, properties, &self.runs(text, false))
    }

    fn list(&mut self, style: &str, number: usize, points: &[Inline], out: &mut String) {
        let properties = format!("<w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"{number}\"/></w:numPr>");
        for point in points {
            out.push_str(&self.paragraph(style, &properties, point));
        }
    }

    fn table(&mut self, table: &Table, out: &mut String) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of the page")]
        let widths: Vec<usize> =
            shares(table).into_iter().map(|share| (ROOM_WIDE * share) as usize).collect();
        if widths.is_empty() {
            return;
        }
        out.push_str(
            "<w:tbl><w:tblPr><w:tblStyle w:val=\"Figures\"/><w:tblW w:w=\"5000\" w:type=\"pct\"/><w:tblLayout w:type=\"fixed\"/>\
             <w:tblLook w:val=\"0020\" w:firstRow=\"1\" w:lastRow=\"0\" w:firstColumn=\"0\" w:lastColumn=\"0\" w:noHBand=\"1\" w:noVBand=\"1\"/>\
             </w:tblPr><w:tblGrid>",
        );
        for width in &widths {
            out.push_str(&format!("<w:gridCol w:w=\"{width}\"/>"));
        }
        out.push_str("</w:tblGrid>");
        let nothing = Inline::default();
        for (at, row) in std::iter::once(&table.header).chain(&table.rows).enumerate() {
            let header = if at == 0 { "<w:tblHeader/>" } else { "" };
            out.push_str(&format!("<w:tr><w:trPr><w:cantSplit/>{header}</w:trPr>"));
            for (column, width) in widths.iter().enumerate() {
                let text = row.get(column).unwrap_or(&nothing);
                let align = match table.align_of(column) {
                    Align::Start => "",
                    Align::End => "<w:jc w:val=\"right\"/>",
                };
                let next = if at == 0 { "<w:keepNext/>" } else { "" };
                let runs = self.runs(text, at == 0);
                out.push_str(&format!(
                    "<w:tc><w:tcPr><w:tcW w:w=\"{width}\" w:type=\"dxa\"/></w:tcPr><w:p><w:pPr><w:pStyle w:val=\"TableText\"/>\
                     {next}{align}</w:pPr>{runs}</w:p></w:tc>"
                ));
            }
            out.push_str("</w:tr>");
        }
        out.push_str("</w:tbl>");
        // Word would join two tables that follow one another.
        out.push_str("<w:p><w:pPr><w:pStyle w:val=\"Spacer\"/></w:pPr></w:p>");
    }

    fn notes(&mut self, label: &Inline, out: &mut String) {
        out.push_str(&self.paragraph("NotesLabel", "", label));
        out.push_str(&format!(
            "<w:tbl><w:tblPr><w:tblStyle w:val=\"NotesLines\"/><w:tblW w:w=\"5000\" w:type=\"pct\"/>\
             <w:tblLook w:val=\"0000\"/></w:tblPr><w:tblGrid><w:gridCol w:w=\"{ROOM}\"/></w:tblGrid>"
        ));
        for _ in 0..NOTES_LINES {
            out.push_str(&format!(
                "<w:tr><w:trPr><w:cantSplit/><w:trHeight w:val=\"420\" w:hRule=\"atLeast\"/></w:trPr><w:tc><w:tcPr>\
                 <w:tcW w:w=\"{ROOM}\" w:type=\"dxa\"/></w:tcPr><w:p><w:pPr><w:pStyle w:val=\"TableText\"/></w:pPr></w:p></w:tc></w:tr>"
            ));
        }
        out.push_str("</w:tbl><w:p><w:pPr><w:pStyle w:val=\"Spacer\"/></w:pPr></w:p>");
    }

    fn chart(&mut self, chart: &'a Chart, out: &mut String) {
        if chart.stages.is_empty() {
            return;
        }
        self.charts.push(chart);
        let number = self.charts.len();
        let high = (chart.stages.len() * 8 + 8) * CENTIMETRE / 10;
        out.push_str(&format!(
            "<w:p><w:r><w:drawing><wp:inline distT=\"0\" distB=\"0\" distL=\"0\" distR=\"0\"><wp:extent cx=\"{}\" cy=\"{}\"/>\
             <wp:docPr id=\"{number}\" name=\"Chart {number}\" descr=\"{}\"/><wp:cNvGraphicFramePr/><a:graphic>\
             <a:graphicData uri=\"http://schemas.openxmlformats.org/drawingml/2006/chart\"><c:chart r:id=\"chart{number}\"/>\
             </a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>",
            17 * CENTIMETRE,
            high.min(23 * CENTIMETRE),
            escaped(&described(chart)),
        ));
    }

    fn runs(&mut self, text: &Inline, strong: bool) -> String {
        let mut out = String::new();
        for (text, marks) in text.spans() {
            let run = self.run(text, marks, strong);
            match marks.address() {
                Some(address) => {
                    self.links.push(address.to_owned());
                    out.push_str(&format!(
                        "<w:hyperlink r:id=\"link{}\">{run}</w:hyperlink>",
                        self.links.len()
                    ));
                }
                None => out.push_str(&run),
            }
            let numbers = numbers(&marks.evidence, &self.sources);
            if !numbers.is_empty() {
                let shown: Vec<String> = numbers.iter().map(ToString::to_string).collect();
                out.push_str(&format!(
                    "<w:r><w:rPr><w:vertAlign w:val=\"superscript\"/></w:rPr><w:t>[{}]</w:t></w:r>",
                    shown.join(", ")
                ));
            }
        }
        out
    }

    fn run(&self, text: &str, marks: &Marks, strong: bool) -> String {
        let style = if marks.address().is_some() {
            "<w:rStyle w:val=\"Hyperlink\"/>"
        } else if marks.unproven {
            "<w:rStyle w:val=\"Unproven\"/>"
        } else {
            ""
        };
        let bold = if marks.strong || strong { "<w:b/>" } else { "" };
        let italic = if marks.emphasis { "<w:i/>" } else { "" };
        let language =
            marks.language.as_ref().map_or_else(|| self.language.clone(), LanguageTag::with_region);
        let mut out = format!("<w:r><w:rPr>{style}{bold}{italic}<w:lang w:val=\"{language}\"/></w:rPr>");
        for (at, line) in text.split('\n').enumerate() {
            if at > 0 {
                out.push_str("<w:br/>");
            }
            if !line.is_empty() {
                out.push_str(&format!("<w:t xml:space=\"preserve\">{}</w:t>", escaped(line)));
            }
        }
        out + "</w:r>"
    }
}

fn wrapped(style: &str, properties: &str, runs: &str) -> String {
    format!("<w:p><w:pPr><w:pStyle w:val=\"{style}\"/>{properties}</w:pPr>{runs}</w:p>")
}
