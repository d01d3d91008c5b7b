//! Hidden characters on pages: what would not be seen, or would turn other words around, is shown by its number. Every
//! page and part of one passes here on its way out, so that no view has to think of it.

use std::borrow::Cow;

use tata_core::visible;

/// Elements whose text goes back to us or is no text: it stays as it is.
const LEFT_ALONE: [&str; 3] = ["textarea", "script", "style"];

/// A page in which nothing is hidden in what people read. Attributes hold what a form sends back and are left as they are.
pub(super) fn shown(html: String) -> String {
    if matches!(visible(&html), Cow::Borrowed(_)) {
        return html;
    }
    let mut out = String::with_capacity(html.len() + 64);
    let mut rest = html.as_str();
    while let Some(at) = rest.find('<') {
        let (text, tagged) = rest.split_at(at);
        out.push_str(&visible(text));
        let (tag, after) = tagged.split_at(tag_end(tagged));
        out.push_str(tag);
        rest = after;
        if let Some(name) = LEFT_ALONE.into_iter().find(|name| opens(tag, name)) {
            let end = rest.find(&format!("</{name}")).unwrap_or(rest.len());
            let (inside, after) = rest.split_at(end);
            out.push_str(inside);
            rest = after;
        }
    }
    out.push_str(&visible(rest));
    out
}

/// Where a tag ends: at the first `>` outside of quotation marks.
fn tag_end(tag: &str) -> usize {
    let mut quote = None;
    for (at, letter) in tag.char_indices() {
        match (letter, quote) {
            ('>', None) => return at + 1,
            ('"' | '\'', None) => quote = Some(letter),
            (letter, Some(open)) if letter == open => quote = None,
            _ => {}
        }
    }
    tag.len()
}

/// Whether a tag opens an element of this name.
fn opens(tag: &str, name: &str) -> bool {
    let rest = tag.strip_prefix('<').and_then(|rest| rest.strip_prefix(name));
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_whitespace() || c == '>'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_in_the_words_of_a_page_is_shown() {
        let page = "<p title=\"a>\u{202e}b\">pay\u{202e}001 \u{e0041}</p><input value='\u{200b}'>\
                    <textarea rows=2>mine\u{200b}</textarea><script>x\u{200b}</script><b>\u{3164}</b>";
        assert_eq!(
            shown(page.to_owned()),
            "<p title=\"a>\u{202e}b\">pay[U+202E]001 [U+E0041]</p><input value='\u{200b}'>\
             <textarea rows=2>mine\u{200b}</textarea><script>x\u{200b}</script><b>[U+3164]</b>"
        );
        assert_eq!(shown("<p>plain 👩‍💻</p>".to_owned()), "<p>plain 👩‍💻</p>");
        assert_eq!(shown("cut \u{200b}<a href=\"".to_owned()), "cut [U+200B]<a href=\"");
    }
}
