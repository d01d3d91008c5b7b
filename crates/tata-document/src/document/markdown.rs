//! What is written in Markdown, as a document: so a screen shows it without its marks.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::{Block, Document, Inline, Span, Table};

impl Document {
    /// What a text in Markdown says. Whatever it is, it is shown: what has no form of its own here becomes prose, and
    /// lines stay lines.
    pub fn from_markdown(text: &str) -> Self {
        let mut state = State::default();
        for event in Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
            match event {
                Event::Start(tag) => state.start(tag),
                Event::End(tag) => state.end(tag),
                Event::Text(words)
                | Event::Code(words)
                | Event::Html(words)
                | Event::InlineHtml(words)
                | Event::InlineMath(words)
                | Event::DisplayMath(words)
                | Event::FootnoteReference(words) => state.say(&words),
                Event::SoftBreak | Event::HardBreak => state.say("\n"),
                Event::Rule => state.finish(),
                Event::TaskListMarker(done) => state.say(if done { "[x] " } else { "[ ] " }),
            }
        }
        state.finish();
        state.document
    }
}

#[derive(Default)]
struct State {
    document: Document,
    /// What is being said.
    text: Inline,
    strong: usize,
    emphasis: usize,
    link: Option<String>,
    heading: Option<u8>,
    quotes: usize,
    /// The lists that are open: the number of the next point, if points have one.
    lists: Vec<Option<u64>>,
    /// The points of the outermost list.
    points: Vec<Inline>,
    /// The number of its first point.
    first: Option<u64>,
    table: Table,
    row: Vec<Inline>,
}

impl State {
    fn say(&mut self, words: &str) {
        let mut span = Span::new(words);
        span.marks.strong = self.strong > 0;
        span.marks.emphasis = self.emphasis > 0;
        span.marks.link.clone_from(&self.link);
        self.text.push(span);
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "what has no form of its own is prose")]
    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Strong => self.strong += 1,
            Tag::Emphasis => self.emphasis += 1,
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.link = Some(dest_url.into_string());
            }
            Tag::Heading { level, .. } => {
                self.finish();
                self.heading = Some(if level == HeadingLevel::H1 { 1 } else { 2 });
            }
            Tag::BlockQuote(_) => {
                self.finish();
                self.quotes += 1;
            }
            Tag::List(number) => {
                if self.lists.is_empty() {
                    self.finish();
                    self.first = number;
                } else if !self.text.is_blank() {
                    self.say("\n");
                }
                self.lists.push(number);
            }
            // A point in a list in a list is a line of the point above it.
            Tag::Item if self.lists.len() > 1 => {
                let number = self.lists.last_mut().and_then(Option::as_mut);
                let mark = number.map_or_else(|| "– ".to_owned(), |number| format!("{}. ", step(number)));
                self.say(&mark);
            }
            // A second paragraph of a point.
            Tag::Paragraph if !self.lists.is_empty() && !self.text.is_blank() => self.say("\n"),
            _ => {}
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "what has no form of its own is prose")]
    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Strong => self.strong = self.strong.saturating_sub(1),
            TagEnd::Emphasis => self.emphasis = self.emphasis.saturating_sub(1),
            TagEnd::Link | TagEnd::Image => self.link = None,
            TagEnd::Paragraph if self.lists.is_empty() => self.finish(),
            TagEnd::Heading(_) | TagEnd::CodeBlock | TagEnd::HtmlBlock => self.finish(),
            TagEnd::BlockQuote(_) => {
                self.finish();
                self.quotes = self.quotes.saturating_sub(1);
            }
            TagEnd::Item if self.lists.len() > 1 => self.say("\n"),
            TagEnd::Item => self.points.push(std::mem::take(&mut self.text)),
            TagEnd::List(_) => {
                self.lists.pop();
                if self.lists.is_empty() {
                    self.list();
                }
            }
            TagEnd::TableCell => self.row.push(std::mem::take(&mut self.text)),
            TagEnd::TableHead => self.table.header = std::mem::take(&mut self.row),
            TagEnd::TableRow => self.table.rows.push(std::mem::take(&mut self.row)),
            TagEnd::Table => self.document.blocks.push(Block::Table(std::mem::take(&mut self.table))),
            _ => {}
        }
    }

    /// What was said so far is a block.
    fn finish(&mut self) {
        let text = std::mem::take(&mut self.text);
        let heading = self.heading.take();
        if text.is_blank() {
            return;
        }
        self.document.blocks.push(match heading {
            Some(level) => Block::Heading { level, text },
            None if self.quotes > 0 => Block::Quote { text, source: Inline::default() },
            None => Block::Paragraph(text),
        });
    }

    fn list(&mut self) {
        let points = std::mem::take(&mut self.points);
        match self.first.take() {
            None => self.document.blocks.push(Block::Bullets(points)),
            Some(1) => self.document.blocks.push(Block::Numbered(points)),
            // A list that goes on with another number keeps it.
            Some(mut number) => {
                for point in points {
                    let mut text = Inline::default();
                    text.push(Span::new(format!("{}. ", step(&mut number))));
                    point.spans().for_each(|(words, marks)| {
                        text.push(Span { text: words.to_owned(), marks: marks.clone() });
                    });
                    self.document.blocks.push(Block::Paragraph(text));
                }
            }
        }
    }
}

/// A number, and the next one in its place.
fn step(number: &mut u64) -> u64 {
    let this = *number;
    *number = number.saturating_add(1);
    this
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Inks;

    fn check(markdown: &str, expected: &str) {
        assert_eq!(
            Document::from_markdown(markdown).terminal(40, &Inks::none()).trim_end(),
            expected.trim_end()
        );
    }

    #[test]
    fn marks_are_gone_and_long_lines_are_wrapped() {
        check(
            "A **long** sentence about `routers` that is wider than the screen.\nAnd a line.\n\n- one\n- two\n  - below\n",
            "A long sentence about routers that is\nwider than the screen.\nAnd a line.\n\n• one\n• two\n  – below\n",
        );
        check("3. three\n4. four\n", "3. three\n\n4. four\n");
        check("1. one\n2. two\n", "1. one\n2. two\n");
        check("1\\. as it stands \\*\n", "1. as it stands *\n");
        check("a < b & <c>\n", "a < b & <c>\n");
    }

    #[test]
    fn tables_and_headings_are_what_they_are() {
        let document =
            Document::from_markdown("# Title\n\n| Score | Meaning |\n|---|---|\n| 1 | *weak* |\n\n> said");
        let [Block::Heading { level: 1, .. }, Block::Table(table), Block::Quote { text, .. }] =
            &*document.blocks
        else {
            panic!("{document:?}");
        };
        assert_eq!((table.header.len(), table.rows.len(), text.as_str()), (2, 1, "said"));
    }

    #[test]
    fn nothing_that_is_said_is_lost() {
        for text in
            ["", "   ", "-", "1.", "> ", "|a|\n|-|\n", "```\ncode\n```", "<div>x</div>", "[a](b)", "---"]
        {
            let shown = Document::from_markdown(text).terminal(40, &Inks::none());
            let words = |text: &str| text.chars().filter(char::is_ascii_alphabetic).collect::<String>();
            let said = if text == "[a](b)" { "a" } else { text };
            assert!(words(&shown).contains(&words(said)), "{text:?} became {shown:?}");
        }
    }
}
