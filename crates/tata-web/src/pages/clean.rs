//! Text that others wrote, as HTML that does nothing: Markdown without raw HTML, then an allow-list.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use ammonia::Builder;
use comrak::{
    Arena, Node, Options, format_html,
    nodes::{ListType, NodeValue},
    parse_document,
};

use super::depth::{bounded, is_too_nested};

/// The most bytes of an answer that are read as Markdown; a longer one is no answer, and is shown as the text it is.
const LONGEST_MARKDOWN: usize = 64 * 1024;
/// The most bytes of HTML that comes of it: a table of short rows becomes hundreds of times as long.
const MOST_HTML: usize = 1024 * 1024;

/// The elements of answers.
const ANSWER: [&str; 25] = [
    "a",
    "blockquote",
    "br",
    "code",
    "del",
    "em",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "li",
    "ol",
    "p",
    "pre",
    "strong",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "tr",
    "ul",
];
/// What documents have beside them.
const DOCUMENT: [&str; 12] =
    ["article", "div", "figure", "footer", "mark", "span", "svg", "rect", "text", "title", "desc", "g"];

/// An answer as it is shown. What is too long, or too deep to be read, is shown as text.
pub(crate) fn answer(markdown: &str) -> String {
    static OPTIONS: LazyLock<Options<'static>> = LazyLock::new(|| {
        let mut options = Options::default();
        options.extension.strikethrough = true;
        options.extension.table = true;
        options.extension.autolink = true;
        // What looks like HTML is shown as what it is: text.
        options.render.escape = true;
        options.render.hardbreaks = true;
        options
    });
    static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| cleaner(&[&ANSWER]));
    if markdown.len() > LONGEST_MARKDOWN {
        return as_text(markdown);
    }
    let written = written(&bounded(markdown), &OPTIONS);
    if written.len() > MOST_HTML || is_too_nested(&written) {
        return as_text(markdown);
    }
    wide_tables(&demoted(&CLEANER.clean(&written).to_string()))
}

/// Markdown as HTML. Every point of a numbered list keeps the number it was written with, also where numbers are left out
/// before it: whoever answers by a number answers the one they see.
fn written(markdown: &str, options: &Options<'_>) -> String {
    let arena = Arena::new();
    let root = parse_document(&arena, markdown, options);
    let mut html = String::new();
    if format_html(root, options, &mut html).is_err() {
        return as_text(markdown);
    }
    let mut marks = Vec::new();
    for node in root.descendants() {
        let before = node.previous_sibling().and_then(point_number);
        let mut data = node.data_mut();
        let NodeValue::Item(point) = &mut data.value else { continue };
        // Who numbers every point with 1 leaves the counting to the reader.
        let next = before.map(|number| number.saturating_add(1));
        point.start = point.start.max(next.unwrap_or_default());
        let leaves_out = point.list_type == ListType::Ordered && next.is_some_and(|next| point.start > next);
        marks.push(leaves_out.then_some(point.start));
    }
    // What looks like an element in the text itself is escaped, so these are the points, in their order.
    let mut pieces = html.split("<li>");
    let mut numbered = pieces.next().unwrap_or_default().to_owned();
    let mut marks = marks.into_iter();
    for piece in pieces {
        match marks.next().flatten() {
            Some(number) => numbered.extend(["<li value=\"", &number.to_string(), "\">"]),
            None => numbered.push_str("<li>"),
        }
        numbered.push_str(piece);
    }
    numbered
}

/// The number of a point of a list.
fn point_number(node: Node<'_>) -> Option<usize> {
    if let NodeValue::Item(point) = &node.data().value { Some(point.start) } else { None }
}

/// A text with nothing in it that a browser could take for more.
fn as_text(text: &str) -> String {
    let mut html = String::with_capacity(text.len() + text.len() / 8 + 16);
    html.push_str("<p class=\"text\">");
    for letter in text.chars() {
        match letter {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            other => html.push(other),
        }
    }
    html.push_str("</p>");
    html
}

/// A document's own fragment as it is shown. Marks of evidence can be reached by keyboard.
pub(crate) fn document(html: &str) -> String {
    static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| {
        let mut cleaner = cleaner(&[&ANSWER, &DOCUMENT]);
        cleaner
            .add_generic_attributes(["lang"])
            .add_tag_attributes("span", ["class", "data-sources", "title"])
            .add_tag_attributes("mark", ["class"])
            .add_tag_attributes("article", ["class"])
            .add_tag_attributes("div", ["class"])
            .add_tag_attributes("figure", ["class"])
            .add_tag_attributes("td", ["class"])
            .add_tag_attributes("th", ["class", "scope"]);
        let drawn =
            ["x", "y", "width", "height", "fill", "stroke", "stroke-width", "font-weight", "text-anchor"];
        cleaner
            .add_tag_attributes("svg", ["viewBox", "role", "font-size", "font-family"])
            .add_tag_attributes("rect", drawn)
            .add_tag_attributes("text", drawn);
        cleaner
    });
    let html = CLEANER.clean(html).to_string();
    // A quotation mark cannot stand raw inside an attribute, so only elements begin like this.
    let reachable = "<span class=\"evidence\" tabindex=\"0\" role=\"note\"";
    wide_tables(&html.replace("<span class=\"evidence\"", reachable))
}

/// A table that is wider than its place is scrolled by itself, also by keyboard.
fn wide_tables(html: &str) -> String {
    html.replace("<table>", "<div class=\"wide\" tabindex=\"0\" role=\"group\"><table>")
        .replace("</table>", "</table></div>")
}

/// Headings of an answer stand below those of the page.
fn demoted(html: &str) -> String {
    let mut html = html.to_owned();
    for level in (1..=3).rev() {
        html = html.replace(&format!("<h{level}>"), &format!("<h{}>", level + 3));
        html = html.replace(&format!("</h{level}>"), &format!("</h{}>", level + 3));
    }
    html
}

fn cleaner(tags: &[&[&'static str]]) -> Builder<'static> {
    let mut builder = Builder::empty();
    builder
        .tags(tags.iter().flat_map(|tags| tags.iter().copied()).collect())
        .clean_content_tags(HashSet::from(["script", "style", "noscript", "iframe", "template", "math"]))
        .tag_attributes(HashMap::from([
            ("a", HashSet::from(["href"])),
            ("ol", HashSet::from(["start"])),
            ("li", HashSet::from(["value"])),
            ("th", HashSet::from(["align"])),
            ("td", HashSet::from(["align"])),
        ]))
        .url_schemes(HashSet::from(["http", "https", "mailto"]))
        .link_rel(Some("noopener noreferrer nofollow"))
        .attribute_filter(|element, attribute, value| match (element, attribute) {
            ("a", "href") => leads_out(value).then_some(Cow::Borrowed(value)),
            _ => Some(Cow::Borrowed(value)),
        });
    builder
}

/// Whether an address leads to another site or to a source on this page; nothing of ours may be reached by a link of others.
fn leads_out(address: &str) -> bool {
    let known = ["http://", "https://", "mailto:", "#cite-", "#unproven-"];
    known
        .iter()
        .any(|start| address.get(..start.len()).is_some_and(|begun| begun.eq_ignore_ascii_case(start)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One answer of quotation marks kept a server busy for minutes, at every look: what HTML costs is its size and its
    /// depth, and both have a limit whatever a text is made of.
    #[test]
    fn whatever_a_text_is_made_of_its_html_is_neither_deep_nor_large() {
        let marks = [
            ">",
            "> ",
            ">\n",
            "- ",
            "1. ",
            "* a\n",
            "&",
            "&amp;",
            "[",
            "![",
            "[a](",
            "[a]: b\n",
            "*a **b ",
            "_a __b ",
            "~~",
            "`` ` ",
            "```\n",
            "|a\n|-\n",
            "a|b\n",
            "<",
            "<!--",
            "http://a ",
            "a@b.c ",
            "\\",
            "\"",
            "- - - a\n",
            "\t- a\n",
            "+\t",
            "- \n\n",
            "- a\n\n  ",
            "***a",
            "\u{0}",
        ];
        for mark in marks {
            let html = answer(&mark.repeat(4_096 / mark.len()));
            assert!(!is_too_nested(&html) && html.len() < 4_096 * 16, "{mark:?}: {} bytes", html.len());
            let html = answer(&mark.repeat(1024 * 1024 / mark.len()));
            assert!(
                html.starts_with("<p class=\"text\">"),
                "{mark:?}: {}",
                html.get(..80).unwrap_or_default()
            );
            assert!(html.len() < 7 * 1024 * 1024, "{mark:?}: {} bytes", html.len());
        }
        // A table fills up the rows that are shorter than its head.
        let table = format!("{}\n{}\n{}", "|a".repeat(4_000), "|-".repeat(4_000), "|\n".repeat(4_000));
        assert!(answer(&table).len() < MOST_HTML * 2, "{}", answer(&table).len());
    }

    #[test]
    fn what_is_too_deep_or_too_long_is_shown_as_text() {
        let deep = answer(&">".repeat(1000));
        assert_eq!(deep.matches("<blockquote>").count(), 20, "{deep}");
        assert!(deep.contains(&"&gt;".repeat(980)), "{deep}");
        let long = answer(&"<b>&".repeat(LONGEST_MARKDOWN));
        assert!(
            long.starts_with("<p class=\"text\">&lt;b&gt;&amp;&lt;"),
            "{}",
            long.get(..60).unwrap_or_default()
        );
        let stressed = "*a **b ".repeat(3000) + &"c** d*".repeat(3000);
        assert!(answer(&stressed).starts_with("<p class=\"text\">*a **b "));
    }

    #[test]
    fn an_answer_is_markdown_and_nothing_else() {
        let check = |markdown: &str, html: &str| assert_eq!(answer(markdown).trim(), html, "{markdown}");
        check("**bold** and `code`", "<p><strong>bold</strong> and <code>code</code></p>");
        check("<b>x</b>", "<p>&lt;b&gt;x&lt;/b&gt;</p>");
        check("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;");
        check("![x](https://example.com/a.png)", "<p></p>");
        check("[x](javascript:alert(1))", "<p><a rel=\"noopener noreferrer nofollow\">x</a></p>");
        check("[x](/p/1/stop)", "<p><a rel=\"noopener noreferrer nofollow\">x</a></p>");
        check("[1](#cite-1-1)", "<p><a href=\"#cite-1-1\" rel=\"noopener noreferrer nofollow\">1</a></p>");
        check("# Title", "<h4>Title</h4>");
        check("### Title", "<h6>Title</h6>");
        check("one\ntwo", "<p>one<br>\ntwo</p>");
        check("* a\n* b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>");
    }

    /// A person answers with the number on the screen.
    #[test]
    fn the_number_shown_is_the_number_written() {
        let check = |markdown: &str, html: &str| assert_eq!(answer(markdown).trim(), html, "{markdown}");
        check(
            "1. one\n3. three\n10. ten",
            "<ol>\n<li>one</li>\n<li value=\"3\">three</li>\n<li value=\"10\">ten</li>\n</ol>",
        );
        check(
            "17. one\n    * below\n19. two <li>",
            "<ol start=\"17\">\n<li>one\n<ul>\n<li>below</li>\n</ul>\n</li>\n<li value=\"19\">two &lt;li&gt;</li>\n</ol>",
        );
        // Who numbers every point with 1 leaves the counting to the reader.
        check("1. one\n1. two", "<ol>\n<li>one</li>\n<li>two</li>\n</ol>");
    }

    #[test]
    fn a_document_keeps_its_marks_and_its_picture_and_loses_the_rest() {
        let shown = document(
            "<article class=\"document\" lang=\"de\"><p onclick=\"x()\"><span class=\"evidence\" data-sources=\"1\" \
             title=\"a &lt;span class=&quot;evidence&quot; b\">Ruhig</span></p><svg viewBox=\"0 0 8 8\" role=\"img\" onload=\"x()\">\
             <title>T</title><rect x=\"1\" fill=\"#fff\"></rect><script>x()</script></svg><img src=x onerror=x()></article>",
        );
        for kept in
            ["lang=\"de\"", "tabindex=\"0\"", "data-sources=\"1\"", "<rect x=\"1\"", "viewBox=\"0 0 8 8\""]
        {
            assert!(shown.contains(kept), "{kept}: {shown}");
        }
        for gone in ["onclick", "onload", "script", "<img", "x()"] {
            assert!(!shown.contains(gone), "{gone}: {shown}");
        }
        assert_eq!(shown.matches("tabindex").count(), 1, "{shown}");
    }
}
