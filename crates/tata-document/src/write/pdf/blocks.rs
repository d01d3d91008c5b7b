//! The blocks of a document on pages.

use super::{
    flow::{Flow, Kind, MARGIN, Piece, ROOM},
    font::{Cut, Style},
};
use crate::{
    Align, Block, Chart, Document, Evidence, Inline, Table,
    render::described,
    write::{options::numbers, tables::shares},
};

const INK: [u8; 3] = [0x1a, 0x1a, 0x1a];
const ACCENT: [u8; 3] = [0x1b, 0x3a, 0x57];
const FAINT: [u8; 3] = [0x4d, 0x58, 0x63];
const RULE: [u8; 3] = [0xc5, 0xcc, 0xd3];
const SHADE: [u8; 3] = [0xe8, 0xee, 0xf4];
const BAR: [u8; 3] = [0x2f, 0x6f, 0x9f];
const LINK: [u8; 3] = [0x1b, 0x5e, 0x8f];

const SIZE: f32 = 10.0;
const LEADING: f32 = 14.5;
const SMALL: f32 = 9.0;
const SMALL_LEADING: f32 = 12.5;
const ROOT: usize = 0;
const INDENT: f32 = 18.0;
/// Between the text of a cell and its edge.
const PAD: f32 = 5.0;

/// Puts a document onto pages.
pub(super) struct Writer<'a, 'b> {
    pub(super) flow: &'a mut Flow<'b>,
    pub(super) document: &'a Document,
    pub(super) sources: &'a [Evidence],
}

impl Writer<'_, '_> {
    pub(super) fn write(&mut self) {
        let document = self.document;
        if !document.title.is_empty() {
            let node = self.flow.node(ROOT, Kind::Heading(1, document.title.clone()));
            let style = Style::new(Cut::Bold, 20.0, ACCENT);
            let pieces = self.pieces(&document.title.as_str().into(), style);
            let lines = self.flow.broken(&pieces, ROOM);
            self.flow.lines(&lines, MARGIN, 26.0, node);
            self.flow.top += 4.0;
            self.flow.fill(MARGIN, self.flow.top, [ROOM, 1.5], ACCENT);
            self.flow.top += 14.0;
        }
        for block in &document.blocks {
            self.block(block);
        }
    }

    fn block(&mut self, block: &Block) {
        let body = Style::new(Cut::Regular, SIZE, INK);
        match block {
            Block::Heading { level, text } => self.heading(*level, text),
            Block::Paragraph(text) => {
                let node = self.flow.node(ROOT, Kind::Paragraph);
                self.text(text, body, [MARGIN, ROOM, LEADING], node);
                self.flow.skip(6.0);
            }
            Block::Bullets(points) => self.list(points, false),
            Block::Numbered(points) => self.list(points, true),
            Block::Table(table) => self.table(table),
            Block::Quote { text, source } => self.quote(text, source),
            Block::Notes(label) => {
                let node = self.flow.node(ROOT, Kind::Paragraph);
                self.flow.need(LEADING + 4.0 * 22.0);
                self.text(label, Style::new(Cut::Regular, SMALL, FAINT), [MARGIN, ROOM, SMALL_LEADING], node);
                for _ in 0..4 {
                    self.flow.need(22.0);
                    self.flow.top += 22.0;
                    self.flow.fill(MARGIN, self.flow.top - 1.0, [ROOM, 0.5], FAINT);
                }
                self.flow.skip(12.0);
            }
            Block::Chart(chart) => self.chart(chart),
        }
    }

    fn heading(&mut self, level: u8, text: &Inline) {
        let level = level.clamp(1, 3);
        let (size, before) = match level {
            1 => (14.0, 14.0),
            2 => (12.0, 10.0),
            _ => (11.0, 8.0),
        };
        self.flow.skip(before);
        // A heading does not stand alone at the end of a page.
        self.flow.need(size * 1.4 + 3.0 * LEADING);
        let node = self.flow.node(ROOT, Kind::Heading(level + 1, text.as_str().to_owned()));
        self.text(text, Style::new(Cut::Bold, size, ACCENT), [MARGIN, ROOM, size * 1.35], node);
        self.flow.skip(4.0);
    }

    /// Lines of a text at a place, of a width, with a leading.
    fn text(&mut self, text: &Inline, style: Style, [x, room, leading]: [f32; 3], node: usize) {
        let pieces = self.pieces(text, style);
        let lines = self.flow.broken(&pieces, room);
        self.flow.lines(&lines, x, leading, node);
    }

    fn list(&mut self, points: &[Inline], numbered: bool) {
        let style = Style::new(Cut::Regular, SIZE, INK);
        let list = self.flow.node(ROOT, Kind::List { numbered });
        for (at, point) in points.iter().enumerate() {
            let item = self.flow.node(list, Kind::Item);
            let sign = if numbered { format!("{}.", at + 1) } else { "•".to_owned() };
            self.flow.need(LEADING);
            let label = self.flow.node(item, Kind::Label);
            let sign = self.pieces(&sign.into(), style);
            let wide = sign.iter().map(|piece| self.flow.fonts.width(&piece.text, piece.style)).sum::<f32>();
            let x = (MARGIN + INDENT - 5.0 - wide).max(MARGIN - 12.0);
            self.flow.line(&sign, x, self.flow.top + LEADING * 0.74, Some(label));
            let body = self.flow.node(item, Kind::Body);
            self.text(point, style, [MARGIN + INDENT, ROOM - INDENT, LEADING], body);
            self.flow.skip(2.0);
        }
        self.flow.skip(6.0);
    }

    fn quote(&mut self, text: &Inline, source: &Inline) {
        let (open, close) = self.document.language.quotation_marks();
        let style = Style::new(Cut::Italic, SIZE, INK);
        let mut pieces = self.pieces(&open.to_string().into(), style);
        pieces.extend(self.pieces(text, style));
        pieces.extend(self.pieces(&close.to_string().into(), style));
        let mut lines: Vec<(Vec<Piece>, f32)> =
            self.flow.broken(&pieces, ROOM - INDENT).into_iter().map(|line| (line, LEADING)).collect();
        if !source.is_blank() {
            let pieces = self.pieces(source, Style::new(Cut::Regular, SMALL, FAINT));
            let below = self.flow.broken(&pieces, ROOM - INDENT);
            lines.extend(below.into_iter().map(|line| (line, SMALL_LEADING)));
        }
        let quote = self.flow.node(ROOT, Kind::Quote);
        let node = self.flow.node(quote, Kind::Paragraph);
        self.flow.need(lines.iter().take(3).map(|(_, leading)| leading).sum());
        for (line, leading) in lines {
            self.flow.need(leading);
            self.flow.fill(MARGIN + 2.0, self.flow.top, [2.5, leading], BAR);
            self.flow.line(&line, MARGIN + INDENT, self.flow.top + leading * 0.74, Some(node));
            self.flow.top += leading;
        }
        self.flow.skip(8.0);
    }

    fn table(&mut self, table: &Table) {
        let widths: Vec<f32> = shares(table).into_iter().map(|share| ROOM * share).collect();
        if widths.is_empty() {
            return;
        }
        let node = self.flow.node(ROOT, Kind::Table);
        let header = self.cells(&table.header, &widths, Cut::Bold);
        let first = table.rows.first().map_or(0.0, |row| high(&self.cells(row, &widths, Cut::Regular)));
        if Flow::fits_a_page(high(&header) + first) {
            self.flow.need(high(&header) + first);
        }
        self.header(&header, &widths, table, Some(node));
        for row in &table.rows {
            let cells = self.cells(row, &widths, Cut::Regular);
            if Flow::fits_a_page(high(&cells) + high(&header)) && self.flow.need(high(&cells)) {
                self.header(&header, &widths, table, None);
            }
            let tag = self.flow.node(node, Kind::Row);
            self.row(&cells, &widths, table, Some((tag, false)));
            self.flow.fill(MARGIN, self.flow.top - 0.5, [ROOM, 0.5], RULE);
        }
        self.flow.skip(10.0);
    }

    /// The first row, or on further pages its repetition, which is decoration.
    fn header(&mut self, cells: &[Vec<Vec<Piece>>], widths: &[f32], table: &Table, node: Option<usize>) {
        let tag = node.map(|node| (self.flow.node(node, Kind::Row), true));
        self.flow.fill(MARGIN, self.flow.top, [ROOM, high(cells)], SHADE);
        self.row(cells, widths, table, tag);
        self.flow.fill(MARGIN, self.flow.top - 1.0, [ROOM, 1.0], ACCENT);
    }

    fn cells(&mut self, row: &[Inline], widths: &[f32], cut: Cut) -> Vec<Vec<Vec<Piece>>> {
        let color = if cut == Cut::Bold { ACCENT } else { INK };
        let style = Style::new(cut, SMALL, color);
        let cells = row.iter().zip(widths);
        cells.map(|(cell, wide)| self.flow.broken(&self.pieces(cell, style), wide - 2.0 * PAD)).collect()
    }

    /// A row; one that is higher than a page goes on on the next.
    fn row(&mut self, cells: &[Vec<Vec<Piece>>], widths: &[f32], table: &Table, tag: Option<(usize, bool)>) {
        let nodes: Vec<Option<usize>> = cells
            .iter()
            .map(|_| {
                tag.map(|(row, header)| {
                    self.flow.node(row, if header { Kind::HeaderCell } else { Kind::Cell })
                })
            })
            .collect();
        self.flow.top += PAD * 0.6;
        for at in 0..cells.iter().map(Vec::len).max().unwrap_or(0) {
            self.flow.need(SMALL_LEADING);
            let mut x = MARGIN;
            for (column, (cell, wide)) in cells.iter().zip(widths).enumerate() {
                if let Some(line) = cell.get(at) {
                    let used: f32 = line.iter().map(|piece| piece.wide).sum();
                    let start = match table.align_of(column) {
                        Align::Start => x + PAD,
                        Align::End => x + wide - PAD - used,
                    };
                    let node = nodes.get(column).copied().flatten();
                    self.flow.line(line, start, self.flow.top + SMALL_LEADING * 0.74, node);
                }
                x += wide;
            }
            self.flow.top += SMALL_LEADING;
        }
        self.flow.top += PAD * 0.6;
    }

    fn chart(&mut self, chart: &Chart) {
        const STAGE: f32 = 22.0;
        let figure = self.flow.node(ROOT, Kind::Figure(described(chart)));
        let style = Style::new(Cut::Regular, SMALL, INK);
        let bold = Style::new(Cut::Bold, SMALL, INK);
        let label_room = 150.0;
        let left = MARGIN + label_room + 8.0;
        let bar_room = ROOM - label_room - 8.0 - 70.0;
        for stage in &chart.stages {
            self.flow.need(STAGE);
            let baseline = self.flow.top + STAGE / 2.0 + SMALL * 0.36;
            let label = self.flow.broken(&self.pieces(&stage.label, style), label_room);
            if let Some(line) = label.first() {
                let wide: f32 = line.iter().map(|piece| piece.wide).sum();
                self.flow.line(line, left - 8.0 - wide, baseline, Some(figure));
            }
            let share = f32::from(u16::try_from(stage.length.min(1000)).unwrap_or(1000)) / 1000.0;
            let bar = (bar_room * share).max(if stage.count > 0 { 1.5 } else { 0.0 });
            if bar > 0.0 {
                self.flow.fill(left, self.flow.top + 4.0, [bar, STAGE - 8.0], BAR);
            }
            let count = self.flow.broken(&self.pieces(&stage.shown, bold), 64.0);
            if let Some(line) = count.first() {
                self.flow.line(line, left + bar + 6.0, baseline, Some(figure));
            }
            self.flow.top += STAGE;
        }
        self.flow.skip(8.0);
    }

    fn pieces(&self, text: &Inline, style: Style) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for (text, marks) in text.spans() {
            let link = marks.address().map(str::to_owned);
            let cut = match (marks.strong, marks.emphasis) {
                (true, _) => Cut::Bold,
                (false, true) => Cut::Italic,
                (false, false) => style.cut,
            };
            let color = if link.is_some() { LINK } else { style.color };
            let mut text = self.flow.fonts.covered(text);
            if marks.unproven {
                text.push_str(" [?]");
            }
            pieces.push(Piece { text, style: Style { cut, color, ..style }, link, wide: 0.0 });
            let numbers = numbers(&marks.evidence, self.sources);
            if !numbers.is_empty() {
                let shown: Vec<String> = numbers.iter().map(ToString::to_string).collect();
                let text = format!("[{}]", shown.join(", "));
                let raised = Style {
                    size: style.size * 0.65,
                    rise: style.size * 0.35,
                    color: FAINT,
                    cut: Cut::Regular,
                };
                pieces.push(Piece { text, style: raised, link: None, wide: 0.0 });
            }
        }
        pieces
    }
}

fn high(cells: &[Vec<Vec<Piece>>]) -> f32 {
    let lines = cells.iter().map(Vec::len).max().unwrap_or(0);
    f32::from(u16::try_from(lines).unwrap_or(u16::MAX)) * SMALL_LEADING + PAD * 1.2
}
