//! Text that others wrote, as HTML that does nothing: Markdown without raw HTML, then an allow-list.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use ammonia::Builder;
use comrak::{Options, markdown_to_html};

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

/// An answer as it is shown.
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
    let html = CLEANER.clean(&markdown_to_html(markdown, &OPTIONS)).to_string();
    wide_tables(&demoted(&html))
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
    let known = ["http://", "https://", "mailto:", "#cite-"];
    known
        .iter()
        .any(|start| address.get(..start.len()).is_some_and(|begun| begun.eq_ignore_ascii_case(start)))
}

#[cfg(test)]
mod tests {
    use super::*;

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
