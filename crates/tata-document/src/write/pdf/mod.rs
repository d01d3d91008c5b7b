//! A document as a PDF: tagged with its structure and language, its text can be searched and read aloud.

mod blocks;
mod flow;
mod font;

use std::{collections::BTreeMap, num::NonZeroU16};

use krilla::{
    SerializeSettings,
    action::{Action, LinkAction},
    annotation::{Annotation, LinkAnnotation, Target},
    color::rgb,
    geom::{PathBuilder, Point, Rect},
    metadata::{DateTime, Metadata},
    num::NormalizedF32,
    page::PageSettings,
    paint::Fill,
    surface::Surface,
    tagging::{
        Artifact, ArtifactType, ContentTag, Identifier, ListNumbering, SpanTag, TableHeaderScope, Tag,
        TagGroup, TagKind, TagTree,
    },
    text::TextDirection,
};

use self::{
    blocks::Writer,
    flow::{Child, Flow, Kind, MARGIN, Node, Op, PAGE, Page},
    font::{Cut, Fonts, Style},
};
use super::{
    error::WriteError,
    options::{Options, listed},
};
use crate::Document;

const FORMAT: &str = "pdf";

/// Writes the pages.
pub(super) fn write(document: &Document, options: &Options) -> Result<Vec<u8>, WriteError> {
    let fonts = Fonts::read().ok_or_else(|| failed("the program's fonts cannot be read"))?;
    let sources = listed(document, options);
    let mut flow = Flow::new(&fonts);
    Writer { flow: &mut flow, document, sources: &sources }.write();
    let settings = SerializeSettings { enable_tagging: true, ..SerializeSettings::default() };
    let mut pdf = krilla::Document::new_with(settings);
    let mut marks = Marked::default();
    let count = flow.pages.len();
    for (at, page) in flow.pages.iter().enumerate() {
        let size = PageSettings::from_wh(PAGE[0], PAGE[1]).ok_or_else(|| failed("the page has no size"))?;
        let mut paper = pdf.start_page_with(size);
        let mut surface = paper.surface();
        draw(page, &fonts, &mut surface, &mut marks);
        footer(&document.title, [at + 1, count], &fonts, &mut surface);
        surface.finish();
        for (number, [x, y, wide, high], address) in &page.links {
            let Some(place) = Rect::from_xywh(*x, *y, *wide, *high) else { continue };
            let target = Target::Action(Action::Link(LinkAction::new(address.clone())));
            let annotation = Annotation::new_link(LinkAnnotation::new(place, target), Some(address.clone()));
            marks.links.insert(*number, paper.add_tagged_annotation(annotation));
        }
        paper.finish();
    }
    let mut tree = TagTree::new().with_lang(Some(document.language.with_region()));
    if let Some(root) = flow.nodes.first() {
        for child in &root.children {
            if let Child::Node(node) = child
                && let Some(node) = flow.nodes.get(*node)
            {
                tree.push(group(node, &flow.nodes, &mut marks));
            }
        }
    }
    pdf.set_tag_tree(tree);
    pdf.set_metadata(metadata(document, options));
    pdf.finish().map_err(|error| failed(&format!("{error:?}")))
}

fn failed(reason: &str) -> WriteError {
    WriteError::Failed { format: FORMAT, reason: reason.to_owned(), source: None }
}

/// What was drawn, by its number.
#[derive(Default)]
struct Marked {
    contents: BTreeMap<usize, Identifier>,
    links: BTreeMap<usize, Identifier>,
}

fn metadata(document: &Document, options: &Options) -> Metadata {
    let mut metadata = Metadata::new()
        .title(document.title.clone())
        .language(document.language.with_region())
        .creator("Tata".to_owned())
        .authors(options.author.iter().chain(&options.organization).cloned().collect());
    if let Some(notice) = &options.notice {
        metadata = metadata.description(notice.clone());
    }
    if let Some(at) = options.created {
        let at = jiff::tz::Offset::UTC.to_datetime(at);
        let small = |number: i8| u8::try_from(number).unwrap_or_default();
        metadata = metadata.creation_date(
            DateTime::new(u16::try_from(at.year()).unwrap_or(1970))
                .month(small(at.month()))
                .day(small(at.day()))
                .hour(small(at.hour()))
                .minute(small(at.minute()))
                .second(small(at.second()))
                .utc_offset_hour(0)
                .utc_offset_minute(0),
        );
    }
    metadata
}

fn draw(page: &Page, fonts: &Fonts, surface: &mut Surface<'_>, marks: &mut Marked) {
    for (number, op) in &page.ops {
        let tag = match (number, op) {
            (Some(_), Op::Text { .. }) => ContentTag::Span(SpanTag::empty()),
            (Some(_), Op::Box { .. }) => ContentTag::Other,
            (None, _) => ContentTag::Artifact(Artifact::with_kind(ArtifactType::Other)),
        };
        let identifier = surface.start_tagged(tag);
        if let Some(number) = number {
            marks.contents.insert(*number, identifier);
        }
        paint(op, fonts, surface);
        surface.end_tagged();
    }
}

fn paint(op: &Op, fonts: &Fonts, surface: &mut Surface<'_>) {
    let fill = |[red, green, blue]: [u8; 3]| Fill {
        paint: rgb::Color::new(red, green, blue).into(),
        opacity: NormalizedF32::ONE,
        rule: krilla::paint::FillRule::default(),
    };
    match op {
        Op::Text { x, y, style, text } => {
            surface.set_fill(Some(fill(style.color)));
            if let Some(font) = fonts.font(style.cut) {
                surface.draw_text(
                    Point::from_xy(*x, *y),
                    font,
                    style.size,
                    text,
                    false,
                    TextDirection::LeftToRight,
                );
            }
        }
        Op::Box { x, y, wide, high, color } => {
            surface.set_fill(Some(fill(*color)));
            let mut path = PathBuilder::new();
            if let Some(place) = Rect::from_xywh(*x, *y, *wide, *high) {
                path.push_rect(place);
            }
            if let Some(path) = path.finish() {
                surface.draw_path(&path);
            }
        }
    }
}

/// The title, and which page of how many.
fn footer(title: &str, [page, pages]: [usize; 2], fonts: &Fonts, surface: &mut Surface<'_>) {
    let style = Style::new(Cut::Regular, 8.0, [0x4d, 0x58, 0x63]);
    let y = PAGE[1] - 36.0;
    let number = format!("{page} / {pages}");
    let end = PAGE[0] - MARGIN - fonts.width(&number, style);
    let line: String = fonts.covered(title).replace('\n', " ");
    let mut shown = line.clone();
    while fonts.width(&shown, style) > end - MARGIN - 20.0 && shown.pop().is_some() {}
    if shown.len() < line.len() {
        shown.push('…');
    }
    surface.start_tagged(ContentTag::Artifact(Artifact::with_kind(ArtifactType::Footer)));
    for (x, text) in [(MARGIN, shown), (end, number)] {
        paint(&Op::Text { x, y, style, text }, fonts, surface);
    }
    surface.end_tagged();
}

/// A part of the document with everything in it.
fn group(node: &Node, nodes: &[Node], marks: &mut Marked) -> TagGroup {
    let kind: TagKind = match &node.kind {
        Kind::Root => Tag::Div.into(),
        Kind::Heading(level, text) => {
            let level = NonZeroU16::new(u16::from(*level)).unwrap_or(NonZeroU16::MIN);
            Tag::Hn(level, Some(text.clone())).into()
        }
        Kind::Paragraph => Tag::P.into(),
        Kind::List { numbered: true } => Tag::L(ListNumbering::Decimal).into(),
        Kind::List { numbered: false } => Tag::L(ListNumbering::Disc).into(),
        Kind::Item => Tag::LI.into(),
        Kind::Label => Tag::Lbl.into(),
        Kind::Body => Tag::LBody.into(),
        Kind::Table => Tag::Table.into(),
        Kind::Row => Tag::TR.into(),
        Kind::HeaderCell => Tag::TH(TableHeaderScope::Column).into(),
        Kind::Cell => Tag::TD.into(),
        Kind::Quote => Tag::BlockQuote.into(),
        Kind::Figure(text) => Tag::Figure(Some(text.clone())).into(),
        Kind::Link => Tag::Link.into(),
    };
    let mut group = TagGroup::new(kind);
    for child in &node.children {
        match child {
            Child::Node(at) => {
                if let Some(inner) = nodes.get(*at) {
                    group.push(self::group(inner, nodes, marks));
                }
            }
            Child::Content(number) => {
                if let Some(identifier) = marks.contents.remove(number) {
                    group.push(identifier);
                }
            }
            Child::Link(number) => {
                if let Some(identifier) = marks.links.remove(number) {
                    group.push(identifier);
                }
            }
        }
    }
    group
}
