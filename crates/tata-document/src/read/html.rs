//! Web pages: the main content where there is one, else everything but navigation.

use dom_query::{Document, NodeRef};
use dom_smoothie::{Config, Readability};

use crate::{BlockKind, Format, ReadError, Reading, limits::Guard};

/// Less than this share of a page's text is no main content: a page of cards or questions has none.
const SHARE: usize = 3;

/// Elements that readers of a page do not read.
const SILENT: [&str; 14] = [
    "script", "style", "noscript", "template", "svg", "head", "iframe", "object", "button", "select",
    "canvas", "audio", "video", "math",
];

/// Elements around a page's content.
const AROUND: [&str; 5] = ["nav", "footer", "aside", "header", "form"];

pub(super) fn read(html: &str, guard: &Guard) -> Result<Reading, ReadError> {
    // Before the parser: its work grows with the square of the nesting.
    guard.depth(nesting(html, guard.limits.depth))?;
    let page = Document::from(html);
    guard.time()?;
    let title = page.select_single("title").text();
    let language = page.select_single("html").attr("lang").map(|lang| lang.to_string());

    let mut whole = Reading::new(Format::Html);
    if let Some(body) = page.body() {
        walk(body, &AROUND, &mut whole, guard)?;
        if whole.is_empty() {
            walk(body, &[], &mut whole, guard)?;
        }
    }
    let mut reading = match main_content(page, guard)? {
        Some(main) if main.len() * SHARE >= whole.len() => main,
        _ => whole,
    };
    let title = spaced(&title);
    reading.title = (!title.is_empty()).then_some(title).or_else(|| first_heading(&reading));
    reading.language = language.filter(|language| !language.trim().is_empty());
    Ok(reading)
}

fn main_content(page: Document, guard: &Guard) -> Result<Option<Reading>, ReadError> {
    let config = Config { disable_json_ld: true, ..Config::default() };
    let Ok(mut readability) = Readability::with_document(page, None, Some(config)) else { return Ok(None) };
    let Ok(article) = readability.parse() else { return Ok(None) };
    guard.time()?;
    let content = Document::from(article.content);
    let mut reading = Reading::new(Format::Html);
    if let Some(body) = content.body() {
        walk(body, &[], &mut reading, guard)?;
    }
    Ok(Some(reading))
}

fn first_heading(reading: &Reading) -> Option<String> {
    let heading = reading.blocks.iter().find(|block| matches!(block.kind, BlockKind::Heading(_)));
    heading.map(|block| block.text.clone())
}

/// Collects blocks in the order of the page. No recursion: a page decides how deep it is.
fn walk(root: NodeRef<'_>, skipped: &[&str], reading: &mut Reading, guard: &Guard) -> Result<(), ReadError> {
    let mut collector = Collector { reading, text: String::new(), kinds: vec![BlockKind::Paragraph] };
    let mut open: Vec<(NodeRef<'_>, bool)> = vec![(root, false)];
    while let Some((node, left)) = open.pop() {
        if node.is_text() {
            collector.words(&node.text());
            continue;
        }
        let name = node.node_name();
        let name = name.as_deref().unwrap_or_default();
        if left {
            collector.leave(name);
            guard.entries(collector.reading.blocks.len())?;
            continue;
        }
        if SILENT.contains(&name) || skipped.contains(&name) || hidden(&node) {
            continue;
        }
        guard.time()?;
        collector.enter(name);
        open.push((node, true));
        open.extend(node.children_it(true).map(|child| (child, false)));
    }
    collector.flush();
    Ok(())
}

fn hidden(node: &NodeRef<'_>) -> bool {
    node.has_attr("hidden") || node.attr("aria-hidden").is_some_and(|value| value.as_ref() == "true")
}

struct Collector<'r> {
    reading: &'r mut Reading,
    text: String,
    /// The kind of the innermost block, last.
    kinds: Vec<BlockKind>,
}

impl Collector<'_> {
    fn kind(&self) -> BlockKind {
        self.kinds.last().copied().unwrap_or(BlockKind::Paragraph)
    }

    fn flush(&mut self) {
        let text =
            if self.kind() == BlockKind::Code { std::mem::take(&mut self.text) } else { spaced(&self.text) };
        self.reading.push(self.kind(), text.trim_end_matches(" |"), None);
        self.text.clear();
    }

    fn words(&mut self, words: &str) {
        self.text.push_str(words);
    }

    fn enter(&mut self, name: &str) {
        if let Some(kind) = block(name, self.kind()) {
            self.flush();
            self.kinds.push(kind);
        } else if name == "br" {
            self.text.push(if self.kind() == BlockKind::Code { '\n' } else { ' ' });
        }
    }

    fn leave(&mut self, name: &str) {
        if block(name, self.kind()).is_some() {
            self.flush();
            if self.kinds.len() > 1 {
                self.kinds.pop();
            }
        } else if matches!(name, "td" | "th") {
            self.text.push_str(" | ");
        }
    }
}

/// What a block element makes of its words; other elements stand in a line.
fn block(name: &str, around: BlockKind) -> Option<BlockKind> {
    // A paragraph in a cell or in a point of a list is a part of it.
    let inner = match around {
        BlockKind::Item | BlockKind::Row => around,
        BlockKind::Heading(_) | BlockKind::Paragraph | BlockKind::Code => BlockKind::Paragraph,
    };
    Some(match name {
        "h1" => BlockKind::Heading(1),
        "h2" => BlockKind::Heading(2),
        "h3" => BlockKind::Heading(3),
        "h4" => BlockKind::Heading(4),
        "h5" => BlockKind::Heading(5),
        "h6" => BlockKind::Heading(6),
        "li" | "dt" | "dd" => BlockKind::Item,
        "tr" => BlockKind::Row,
        "pre" => BlockKind::Code,
        "p" | "div" if around == BlockKind::Row => return None,
        "p" | "div" => inner,
        "section" | "article" | "main" | "ul" | "ol" | "dl" | "table" | "thead" | "tbody" | "tfoot"
        | "caption" | "blockquote" | "figure" | "figcaption" | "address" | "details" | "summary"
        | "fieldset" | "header" | "footer" | "aside" | "nav" | "form" | "body" | "hr" => BlockKind::Paragraph,
        _ => return None,
    })
}

/// White space as a browser shows it.
fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Elements whose end may be left out: an open one is no nesting.
const UNCLOSED: [&str; 35] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
    "param", "p", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "option", "optgroup",
    "colgroup", "rb", "rt", "rtc", "rp", "html", "head", "body", "caption",
];

/// How deep elements lie in one another, roughly, by one look at the tags; stops a little beyond `most`.
fn nesting(html: &str, most: usize) -> usize {
    let bytes = html.as_bytes();
    let (mut depth, mut deepest, mut at) = (0_usize, 0_usize, 0_usize);
    while let Some(found) = bytes.get(at..).and_then(|rest| rest.iter().position(|byte| *byte == b'<')) {
        at += found + 1;
        let rest = html.get(at..).unwrap_or_default();
        if let Some(comment) = rest.strip_prefix("!--") {
            at += 3 + comment.find("-->").map_or(comment.len(), |end| end + 3);
            continue;
        }
        let closing = rest.starts_with('/');
        let name: String = rest
            .bytes()
            .skip(usize::from(closing))
            .take(16)
            .take_while(u8::is_ascii_alphanumeric)
            .map(|byte| char::from(byte.to_ascii_lowercase()))
            .collect();
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || UNCLOSED.contains(&name.as_str()) {
            continue;
        }
        if closing {
            depth = depth.saturating_sub(1);
        } else {
            depth += 1;
            deepest = deepest.max(depth);
        }
        if deepest > most {
            break;
        }
        if !closing && matches!(name.as_str(), "script" | "style") {
            at += end_of(rest, &name);
        }
    }
    deepest
}

/// Where the end tag of an element begins whose content is not markup.
fn end_of(rest: &str, name: &str) -> usize {
    let wanted = format!("</{name}");
    let found = rest
        .as_bytes()
        .windows(wanted.len())
        .position(|window| window.eq_ignore_ascii_case(wanted.as_bytes()));
    found.unwrap_or(rest.len())
}
