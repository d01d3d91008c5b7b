//! Documents on a terminal: words wrapped at its width, tables fitted into it.

use super::wrap::{Glyph, Line, Look, glyphs, spans, width, wrap};
use crate::{Align, Block, Chart, Document, Inline, Table};

/// The narrowest terminal that is laid out for.
const NARROWEST: usize = 20;
/// The widest lines of prose: longer ones are hard to read.
const WIDEST: usize = 100;
/// Blanks between two columns.
const GAP: usize = 2;
/// The narrowest column; where they all need more than there is, rows are shown one value a line.
const COLUMN: usize = 8;

/// What switches a look on and off again. A program may put marks of its own here and colour them later.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inks {
    /// Headings and words that matter.
    pub strong: [String; 2],
    /// Stressed words.
    pub emphasis: [String; 2],
    /// Links.
    pub link: [String; 2],
    /// Sources, addresses, rules.
    pub faint: [String; 2],
    /// What nothing proves.
    pub warning: [String; 2],
}

impl Inks {
    /// No colours: structure is shown by characters alone.
    pub fn none() -> Self {
        Self::default()
    }

    /// The sequences terminals know.
    pub fn ansi() -> Self {
        let ink = |code: &str| [format!("\x1b[{code}m"), "\x1b[0m".to_owned()];
        Self { strong: ink("1"), emphasis: ink("3"), link: ink("4"), faint: ink("2"), warning: ink("33") }
    }

    fn of(&self, look: Look) -> Option<&[String; 2]> {
        Some(match look {
            Look::Plain => return None,
            Look::Strong => &self.strong,
            Look::Emphasis => &self.emphasis,
            Look::Link => &self.link,
            Look::Faint => &self.faint,
            Look::Warning => &self.warning,
        })
    }

    fn are_none(&self) -> bool {
        self.strong[0].is_empty()
    }
}

impl Document {
    /// For a terminal of so many columns. No line is wider (from 20 columns on), and nothing in the text can steer it.
    pub fn terminal(&self, columns: usize, inks: &Inks) -> String {
        let columns = columns.max(NARROWEST);
        let screen = Screen { prose: columns.min(WIDEST), columns, inks, document: self };
        let mut blocks = Vec::new();
        if !self.title.is_empty() {
            blocks.push(screen.ruled(&glyphs(&self.title, Look::Strong), "="));
        }
        blocks.extend(self.blocks.iter().map(|block| screen.block(block)));
        let texts: Vec<String> = (blocks.iter())
            .filter(|lines| !lines.is_empty())
            .map(|lines| lines.iter().map(|line| screen.inked(line)).collect::<Vec<_>>().join("\n"))
            .collect();
        texts.join("\n\n") + "\n"
    }
}

struct Screen<'a> {
    document: &'a Document,
    inks: &'a Inks,
    columns: usize,
    prose: usize,
}

impl Screen<'_> {
    fn block(&self, block: &Block) -> Vec<Line> {
        match block {
            Block::Heading { level: 1, text } => self.ruled(&spans(text, Look::Strong), "-"),
            Block::Heading { text, .. } => wrap(&spans(text, Look::Strong), self.prose),
            Block::Paragraph(text) => wrap(&spans(text, Look::Plain), self.prose),
            Block::Bullets(points) => {
                points.iter().flat_map(|point| self.hanging("• ", &spans(point, Look::Plain))).collect()
            }
            Block::Numbered(points) => {
                let wide = points.len().to_string().len();
                let point = |(at, point): (usize, &Inline)| {
                    self.hanging(&format!("{:>wide$}. ", at + 1), &spans(point, Look::Plain))
                };
                points.iter().enumerate().flat_map(point).collect()
            }
            Block::Table(table) => self.table(table),
            Block::Quote { text, source } => self.quote(text, source),
            Block::Notes(label) => {
                let mut line = spans(label, Look::Plain);
                line.extend(glyphs(": ", Look::Plain));
                let room = self.prose.saturating_sub(width(&line)).clamp(10, 40);
                line.extend(glyphs(&"_".repeat(room), Look::Faint));
                wrap(&line, self.prose)
            }
            Block::Chart(chart) => self.chart(chart),
        }
    }

    /// A heading; without colours a line below it shows that it is one.
    fn ruled(&self, text: &[Glyph], sign: &str) -> Vec<Line> {
        let mut lines = wrap(text, self.prose);
        if self.inks.are_none() {
            let wide = lines.iter().map(|line| width(line)).max().unwrap_or(0);
            lines.push(glyphs(&sign.repeat(wide), Look::Plain));
        }
        lines
    }

    /// A point: its sign, and all its lines below one another.
    fn hanging(&self, sign: &str, text: &[Glyph]) -> Vec<Line> {
        let sign = glyphs(sign, Look::Plain);
        let room = self.prose.saturating_sub(width(&sign));
        let blank = glyphs(&" ".repeat(width(&sign)), Look::Plain);
        let lines = wrap(text, room).into_iter().enumerate();
        lines.map(|(at, line)| [if at == 0 { &sign } else { &blank }.as_slice(), &line].concat()).collect()
    }

    fn quote(&self, text: &Inline, source: &Inline) -> Vec<Line> {
        let (open, close) = self.document.language.quotation_marks();
        let mut all = glyphs(&open.to_string(), Look::Plain);
        all.extend(spans(text, Look::Plain));
        all.extend(glyphs(&close.to_string(), Look::Plain));
        if !source.is_blank() {
            all.extend(glyphs(" (", Look::Faint));
            all.extend(spans(source, Look::Faint));
            all.extend(glyphs(")", Look::Faint));
        }
        let lines = wrap(&all, self.prose.saturating_sub(4));
        lines.into_iter().map(|line| [glyphs("  │ ", Look::Faint), line].concat()).collect()
    }

    fn table(&self, table: &Table) -> Vec<Line> {
        let cells = |row: &[Inline], look: Look| row.iter().map(|cell| spans(cell, look)).collect();
        let header: Vec<Line> = cells(&table.header, Look::Strong);
        let rows: Vec<Vec<Line>> = table.rows.iter().map(|row| cells(row, Look::Plain)).collect();
        let natural: Vec<usize> = (header.iter().enumerate())
            .map(|(at, name)| {
                let cells = rows.iter().filter_map(|row| row.get(at));
                let lines = cells.chain([name]).flat_map(|cell| cell.split(|glyph| glyph.text == "\n"));
                lines.map(width).max().unwrap_or(0).max(1)
            })
            .collect();
        let gaps = GAP * natural.len().saturating_sub(1);
        let Some(widths) = fitted(&natural, self.columns.saturating_sub(gaps)) else {
            return self.records(&header, &rows);
        };
        let mut lines = laid_out(&header, &widths, table);
        let rule: Vec<String> = widths.iter().map(|wide| "─".repeat(*wide)).collect();
        lines.push(glyphs(&rule.join(&" ".repeat(GAP)), Look::Faint));
        // Where a cell takes several lines, only a blank line shows which belong together.
        let laid: Vec<Vec<Line>> = rows.iter().map(|row| laid_out(row, &widths, table)).collect();
        let loose = laid.iter().any(|row| row.len() > 1);
        for (at, row) in laid.into_iter().enumerate() {
            if loose && at > 0 {
                lines.push(Line::new());
            }
            lines.extend(row);
        }
        lines
    }

    /// One value a line, for tables that no width of columns fits.
    fn records(&self, header: &[Line], rows: &[Vec<Line>]) -> Vec<Line> {
        let mut lines = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            if at > 0 {
                lines.push(Line::new());
            }
            for (name, cell) in header.iter().zip(row) {
                let line = [name.as_slice(), &glyphs(": ", Look::Plain), cell].concat();
                lines.extend(wrap(&line, self.prose));
            }
        }
        if rows.is_empty() {
            lines.extend(header.iter().flat_map(|name| wrap(name, self.prose)));
        }
        lines
    }

    fn chart(&self, chart: &Chart) -> Vec<Line> {
        let widest = |texts: &mut dyn Iterator<Item = &Inline>| {
            texts.map(|text| width(&spans(text, Look::Plain))).max().unwrap_or(0)
        };
        let labels = widest(&mut chart.stages.iter().map(|stage| &stage.label));
        let counts = widest(&mut chart.stages.iter().map(|stage| &stage.shown));
        let room = self.prose.saturating_sub(labels + counts + 2 * GAP);
        let bar = u64::try_from(room.clamp(COLUMN, 60)).unwrap_or(30);
        self.table(&chart.table(bar))
    }

    fn inked(&self, line: &[Glyph]) -> String {
        let mut out = String::new();
        for run in line.chunk_by(|one, next| one.look == next.look) {
            let text: String = run.iter().map(|glyph| glyph.text.as_str()).collect();
            match run.first().and_then(|glyph| self.inks.of(glyph.look)) {
                Some([on, off]) => out.extend([on, text.as_str(), off]),
                None => out.push_str(&text),
            }
        }
        out
    }
}

/// Widths of columns that fit together: narrow ones keep theirs, wide ones share what is left.
fn fitted(natural: &[usize], room: usize) -> Option<Vec<usize>> {
    if natural.iter().sum::<usize>() <= room {
        return Some(natural.to_vec());
    }
    let mut left = room;
    let mut open: Vec<usize> = (0..natural.len()).collect();
    let mut widths = vec![0; natural.len()];
    while !open.is_empty() {
        let share = left / open.len();
        let wide = |at: &usize| natural.get(*at).copied().unwrap_or(0);
        let (narrow, others): (Vec<usize>, Vec<usize>) = open.iter().partition(|at| wide(at) <= share);
        for at in if narrow.is_empty() { &others } else { &narrow } {
            let width = wide(at).min(share);
            left = left.saturating_sub(width);
            if let Some(slot) = widths.get_mut(*at) {
                *slot = width;
            }
        }
        open = if narrow.is_empty() { Vec::new() } else { others };
    }
    let too_narrow = natural.iter().zip(&widths).any(|(natural, width)| *width < COLUMN.min(*natural));
    (!too_narrow).then_some(widths)
}

/// A row as lines.
fn laid_out(row: &[Line], widths: &[usize], table: &Table) -> Vec<Line> {
    let cells: Vec<Vec<Line>> = row.iter().zip(widths).map(|(cell, wide)| wrap(cell, *wide)).collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    let line = |at: usize| {
        let mut line = Line::new();
        for (column, (cell, wide)) in cells.iter().zip(widths).enumerate() {
            let text = cell.get(at).cloned().unwrap_or_default();
            let room = glyphs(&" ".repeat(wide.saturating_sub(width(&text))), Look::Plain);
            if column > 0 {
                line.extend(glyphs(&" ".repeat(GAP), Look::Plain));
            }
            match table.align_of(column) {
                Align::Start => line.extend([text, room].concat()),
                Align::End => line.extend([room, text].concat()),
            }
        }
        while line.last().is_some_and(|glyph| glyph.text == " ") {
            line.pop();
        }
        line
    };
    (0..height).map(line).collect()
}
