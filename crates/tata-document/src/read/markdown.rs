//! Markdown: its words without its marks.

use pulldown_cmark::{Event, HeadingLevel, MetadataBlockKind, Options, Parser, Tag, TagEnd};

use crate::{BlockKind, Format, ReadError, Reading, limits::Guard};

pub(super) fn read(text: &str, guard: &Guard) -> Result<Reading, ReadError> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let mut state =
        State { reading: Reading::new(Format::Markdown), kind: None, text: String::new(), meta: false };
    let mut depth = 0;
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Start(tag) => {
                depth += 1;
                guard.depth(depth)?;
                state.start(&tag);
            }
            Event::End(tag) => {
                depth -= 1;
                state.end(tag);
                guard.entries(state.reading.blocks.len())?;
                guard.time()?;
            }
            Event::Text(words) if state.meta => state.metadata(&words),
            Event::Text(words) | Event::Code(words) => state.text.push_str(&words),
            Event::SoftBreak => state.text.push(' '),
            Event::HardBreak => state.text.push('\n'),
            Event::TaskListMarker(done) => state.text.push_str(if done { "[x] " } else { "[ ] " }),
            Event::Html(html) | Event::InlineHtml(html) => state.html(&html),
            Event::Rule | Event::FootnoteReference(_) | Event::InlineMath(_) | Event::DisplayMath(_) => {}
        }
    }
    state.flush();
    let mut reading = state.reading;
    if reading.title.is_none() {
        let first = reading.blocks.iter().find(|block| block.kind == BlockKind::Heading(1));
        reading.title = first.map(|block| block.text.clone());
    }
    Ok(reading)
}

struct State {
    reading: Reading,
    kind: Option<BlockKind>,
    text: String,
    meta: bool,
}

impl State {
    fn flush(&mut self) {
        let kind = self.kind.take().unwrap_or(BlockKind::Paragraph);
        self.reading.push(kind, &self.text, None);
        self.text.clear();
    }

    fn begin(&mut self, kind: BlockKind) {
        // The paragraph inside a point of a list is that point.
        if kind == BlockKind::Paragraph && self.kind == Some(BlockKind::Item) && self.text.is_empty() {
            return;
        }
        self.flush();
        self.kind = Some(kind);
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "all other marks stand in a line")]
    fn start(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => self.begin(BlockKind::Heading(number(*level))),
            Tag::Paragraph | Tag::FootnoteDefinition(_) => self.begin(BlockKind::Paragraph),
            Tag::Item => self.begin(BlockKind::Item),
            Tag::CodeBlock(_) => self.begin(BlockKind::Code),
            Tag::TableHead | Tag::TableRow => self.begin(BlockKind::Row),
            Tag::TableCell if !self.text.is_empty() => self.text.push_str(" | "),
            Tag::MetadataBlock(MetadataBlockKind::YamlStyle) => self.meta = true,
            _ => {}
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "all other marks stand in a line")]
    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_)
            | TagEnd::Paragraph
            | TagEnd::Item
            | TagEnd::CodeBlock
            | TagEnd::TableHead
            | TagEnd::TableRow
            | TagEnd::FootnoteDefinition => self.flush(),
            TagEnd::MetadataBlock(_) => self.meta = false,
            _ => {}
        }
    }

    /// Of the lines before a document only its title and language are of use here.
    fn metadata(&mut self, lines: &str) {
        for (key, value) in lines.lines().filter_map(|line| line.split_once(':')) {
            let value = value.trim().trim_matches(['"', '\'']).to_owned();
            match key.trim() {
                "title" if !value.is_empty() => self.reading.title = Some(value),
                "lang" | "language" if !value.is_empty() => self.reading.language = Some(value),
                _ => {}
            }
        }
    }

    /// Tags say nothing; the words between them come as text of their own, except inside a block of HTML.
    fn html(&mut self, html: &str) {
        let mut inside = false;
        for c in html.chars() {
            match c {
                '<' => inside = true,
                '>' => inside = false,
                _ if !inside => self.text.push(c),
                _ => {}
            }
        }
    }
}

fn number(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}
