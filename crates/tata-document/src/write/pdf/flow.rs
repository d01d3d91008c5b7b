//! Lines on pages: where everything stands, and which part of the document it is.

use super::font::{Fonts, Style};

pub(super) const PAGE: [f32; 2] = [595.28, 841.89];
pub(super) const MARGIN: f32 = 56.7;
const BOTTOM: f32 = PAGE[1] - 64.0;
/// The width of the text.
pub(super) const ROOM: f32 = PAGE[0] - 2.0 * MARGIN;

/// Something drawn.
pub(super) enum Op {
    Text { x: f32, y: f32, style: Style, text: String },
    Box { x: f32, y: f32, wide: f32, high: f32, color: [u8; 3] },
}

/// A page: what is drawn, each with the number of its content where it is part of the text, and links.
#[derive(Default)]
pub(super) struct Page {
    pub(super) ops: Vec<(Option<usize>, Op)>,
    /// The number of the link, where it stands, where it leads.
    pub(super) links: Vec<(usize, [f32; 4], String)>,
}

/// A part of the document, for readers that do not see the page.
pub(super) enum Kind {
    Root,
    Heading(u8, String),
    Paragraph,
    List { numbered: bool },
    Item,
    Label,
    Body,
    Table,
    Row,
    HeaderCell,
    Cell,
    Quote,
    Figure(String),
    Link,
}

pub(super) enum Child {
    Node(usize),
    Content(usize),
    Link(usize),
}

pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) children: Vec<Child>,
}

/// Words of one look, on one line.
#[derive(Clone)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) style: Style,
    pub(super) link: Option<String>,
    pub(super) wide: f32,
}

/// The pages so far.
pub(super) struct Flow<'a> {
    pub(super) fonts: &'a Fonts,
    pub(super) pages: Vec<Page>,
    pub(super) nodes: Vec<Node>,
    /// The top of what comes next.
    pub(super) top: f32,
    contents: usize,
    links: usize,
}

impl<'a> Flow<'a> {
    pub(super) fn new(fonts: &'a Fonts) -> Self {
        let root = Node { kind: Kind::Root, children: Vec::new() };
        Self { fonts, pages: vec![Page::default()], nodes: vec![root], top: MARGIN, contents: 0, links: 0 }
    }

    /// A new part inside another.
    pub(super) fn node(&mut self, parent: usize, kind: Kind) -> usize {
        let id = self.nodes.len();
        self.nodes.push(Node { kind, children: Vec::new() });
        self.child(parent, Child::Node(id));
        id
    }

    fn child(&mut self, parent: usize, child: Child) {
        if let Some(node) = self.nodes.get_mut(parent) {
            node.children.push(child);
        }
    }

    /// Goes to the next page unless so much fits; whether it did.
    pub(super) fn need(&mut self, high: f32) -> bool {
        let full = self.top + high > BOTTOM && self.top > MARGIN;
        if full {
            self.pages.push(Page::default());
            self.top = MARGIN;
        }
        full
    }

    /// Whether so much fits on an empty page.
    pub(super) fn fits_a_page(high: f32) -> bool {
        high <= BOTTOM - MARGIN
    }

    pub(super) fn skip(&mut self, high: f32) {
        if self.top > MARGIN {
            self.top += high;
        }
    }

    /// A filled box that is decoration.
    pub(super) fn fill(&mut self, x: f32, y: f32, [wide, high]: [f32; 2], color: [u8; 3]) {
        self.draw(Op::Box { x, y, wide, high, color }, None);
    }

    /// Draws something as content of a part, or as decoration.
    pub(super) fn draw(&mut self, op: Op, node: Option<usize>) {
        let number = node.map(|node| {
            self.contents += 1;
            self.child(node, Child::Content(self.contents));
            self.contents
        });
        if let Some(page) = self.pages.last_mut() {
            page.ops.push((number, op));
        }
    }

    /// Draws the pieces of a line from a place on; no line means decoration.
    pub(super) fn line(&mut self, pieces: &[Piece], mut x: f32, baseline: f32, node: Option<usize>) {
        for piece in pieces {
            let target = match (&piece.link, node) {
                (Some(address), Some(node)) => {
                    let link = self.node(node, Kind::Link);
                    self.links += 1;
                    self.child(link, Child::Link(self.links));
                    let place =
                        [x, baseline - piece.style.size, piece.wide.max(1.0), piece.style.size * 1.25];
                    let (number, address) = (self.links, address.clone());
                    if let Some(page) = self.pages.last_mut() {
                        page.links.push((number, place, address));
                    }
                    Some(link)
                }
                (_, node) => node,
            };
            let y = baseline - piece.style.rise;
            self.draw(Op::Text { x, y, style: piece.style, text: piece.text.clone() }, target);
            x += piece.wide;
        }
    }

    /// Draws lines below one another.
    pub(super) fn lines(&mut self, lines: &[Vec<Piece>], x: f32, leading: f32, node: usize) {
        for line in lines {
            self.need(leading);
            self.line(line, x, self.top + leading * 0.74, Some(node));
            self.top += leading;
        }
    }

    /// Breaks pieces of text into lines of a width. A word that is wider than a line is cut.
    pub(super) fn broken(&self, pieces: &[Piece], room: f32) -> Vec<Vec<Piece>> {
        let mut lines = vec![Vec::new()];
        let mut used = 0.0;
        for word in words(pieces) {
            match word {
                FlowItem::Break => {
                    lines.push(Vec::new());
                    used = 0.0;
                }
                FlowItem::Parts(parts) => {
                    let wide: f32 =
                        parts.iter().map(|part| self.fonts.width(part.text.trim_end(), part.style)).sum();
                    if used + wide > room && used > 0.0 {
                        lines.push(Vec::new());
                        used = 0.0;
                    }
                    for part in parts {
                        used = self.put(part, room, used, &mut lines);
                    }
                }
            }
        }
        lines
    }

    /// Puts a part of a word onto the last line, and onto further ones where it is too wide.
    fn put(&self, part: Piece, room: f32, mut used: f32, lines: &mut Vec<Vec<Piece>>) -> f32 {
        let wide = self.fonts.width(&part.text, part.style);
        if used + self.fonts.width(part.text.trim_end(), part.style) <= room || part.text.chars().count() <= 1
        {
            append(lines, Piece { wide, ..part });
            return used + wide;
        }
        for letter in part.text.chars() {
            let text = letter.to_string();
            let wide = self.fonts.width(&text, part.style);
            if used + wide > room && used > 0.0 {
                lines.push(Vec::new());
                used = 0.0;
            }
            append(lines, Piece { text, wide, ..part.clone() });
            used += wide;
        }
        used
    }
}

/// Adds to the last piece of a line where it looks the same.
fn append(lines: &mut [Vec<Piece>], piece: Piece) {
    let Some(line) = lines.last_mut() else { return };
    match line.last_mut() {
        Some(last) if last.style == piece.style && last.link == piece.link => {
            last.text.push_str(&piece.text);
            last.wide += piece.wide;
        }
        Some(_) | None => line.push(piece),
    }
}

enum FlowItem {
    Parts(Vec<Piece>),
    Break,
}

/// Words with the blanks behind them; a word may change its look in the middle.
fn words(pieces: &[Piece]) -> Vec<FlowItem> {
    let mut words = Vec::new();
    let mut current: Vec<Piece> = Vec::new();
    for piece in pieces {
        for (at, line) in piece.text.split('\n').enumerate() {
            if at > 0 {
                words.push(FlowItem::Parts(std::mem::take(&mut current)));
                words.push(FlowItem::Break);
            }
            for part in line.split_inclusive(' ') {
                current.push(Piece { text: part.to_owned(), ..piece.clone() });
                if part.ends_with(' ') {
                    words.push(FlowItem::Parts(std::mem::take(&mut current)));
                }
            }
        }
    }
    words.push(FlowItem::Parts(current));
    words
}
