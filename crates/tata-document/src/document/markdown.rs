//! What is written in Markdown, as a document: so a screen shows it without its marks.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::{Block, Document, Inline, Span, Table};

impl Document {
    /// What a text in Markdown says. Whatever it is, it is shown: what has no form of its own here becomes prose, and
    /// lines stay lines.
    pub fn from_markdown(text: &str) -> Self {
        let mut state = State::default();
        let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
        for (event, span) in Parser::new_ext(text, options).into_offset_iter() {
            match event {
                Event::Start(Tag::Item) => state.point(text.get(span.start..).unwrap_or_default()),
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
    /// The lists that are open: the number that the next point has at least, if points have one.
    lists: Vec<Option<u64>>,
    /// The points of the outermost list, each with its number.
    points: Vec<(Option<u64>, Inline)>,
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
                }
                self.lists.push(number);
            }
            // A second paragraph of a point.
            Tag::Paragraph if !self.lists.is_empty() && !self.text.is_blank() => self.say("\n"),
            _ => {}
        }
    }

    /// A point of a list begins. It keeps the number it was written with, also where numbers are left out before it:
    /// whoever answers by a number answers the one they see.
    fn point(&mut self, written: &str) {
        if let Some(Some(next)) = self.lists.last_mut() {
            let own = number_of(written).unwrap_or_default().max(*next);
            *next = own.saturating_add(1);
        }
        // A point in a list in a list is a line of the point above it.
        if self.lists.len() > 1 {
            if !self.text.is_blank() {
                self.say("\n");
            }
            let number = self.number();
            self.say(&number.map_or_else(|| "– ".to_owned(), |number| format!("{number}. ")));
        }
    }

    /// The number of the point that is open, if points of its list have one.
    fn number(&self) -> Option<u64> {
        self.lists.last().copied().flatten().map(|next| next.saturating_sub(1))
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
            TagEnd::Item if self.lists.len() == 1 => {
                let number = self.number();
                self.points.push((number, std::mem::take(&mut self.text)));
            }
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
        if points.iter().all(|(number, _)| number.is_none()) {
            let points = points.into_iter().map(|(_, text)| text).collect();
            return self.document.blocks.push(Block::Bullets(points));
        }
        if (1..).zip(&points).all(|(number, (own, _))| *own == Some(number)) {
            let points = points.into_iter().map(|(_, text)| text).collect();
            return self.document.blocks.push(Block::Numbered(points));
        }
        // A list that begins with another number, or leaves some out.
        for (number, point) in points {
            let mut text = Inline::default();
            if let Some(number) = number {
                text.push(Span::new(format!("{number}. ")));
            }
            point.spans().for_each(|(words, marks)| {
                text.push(Span { text: words.to_owned(), marks: marks.clone() });
            });
            self.document.blocks.push(Block::Paragraph(text));
        }
    }
}

/// The number that a point is written with.
fn number_of(written: &str) -> Option<u64> {
    let written = written.trim_start();
    let rest = written.trim_start_matches(|letter: char| letter.is_ascii_digit());
    written.get(..written.len() - rest.len())?.parse().ok()
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

    /// A person answers with the number on the screen.
    #[test]
    fn the_number_shown_is_the_number_written() {
        check("1. one\n3. three\n10. ten\n", "1. one\n\n3. three\n\n10. ten\n");
        check("2) two\n\n4) four\n", "2. two\n\n4. four\n");
        check("- a\n  1. one\n  3. three\n", "• a\n  1. one\n  3. three\n");
        check("3. three\n   - below\n5. five\n", "3. three\n– below\n\n5. five\n");
        // Who numbers every point with 1 leaves the counting to the reader.
        check("1. one\n1. two\n1. three\n", "1. one\n2. two\n3. three\n");
        check("0. nought\n1. one\n", "0. nought\n\n1. one\n");
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
