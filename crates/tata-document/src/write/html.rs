//! A document as a web page of its own: nothing is fetched, nothing runs, and it prints well.

use super::Options;
use crate::{Document, render::escaped_html as escaped};

const STYLE: &str = include_str!("page.css");

/// Writes the page.
pub(super) fn write(document: &Document, options: &Options) -> String {
    let meta = |name: &str, value: &Option<String>| {
        value.as_deref().map_or_else(String::new, |value| {
            format!("<meta name=\"{name}\" content=\"{}\">\n", escaped(value))
        })
    };
    let created = options.created.map(|at| at.to_string());
    format!(
        "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n{}{}{}<title>{}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
        document.language,
        meta("author", &options.author),
        meta("description", &options.notice),
        meta("dcterms.created", &created),
        escaped(&document.title),
        document.html(1),
    )
}
