//! A document as a Word file: real styles, headings, lists and tables, a language on every run.

mod body;
mod chart;
mod parts;

use std::io::{Cursor, Write};

use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use self::body::Body;
use super::{
    error::WriteError,
    options::{Options, listed},
};
use crate::{Document, render::escaped_html as escaped};

const FORMAT: &str = "docx";

/// Writes the package.
pub(super) fn write(document: &Document, options: &Options) -> Result<Vec<u8>, WriteError> {
    let mut body = Body::new(document, listed(document, options));
    let text = body.write();
    let mut files = vec![
        ("[Content_Types].xml".to_owned(), parts::content_types(body.charts.len())),
        ("_rels/.rels".to_owned(), parts::RELATIONS.to_owned()),
        ("docProps/core.xml".to_owned(), core_properties(document, options)),
        ("docProps/app.xml".to_owned(), parts::app(options)),
        ("word/document.xml".to_owned(), text),
        ("word/styles.xml".to_owned(), parts::styles(&document.language.with_region())),
        ("word/numbering.xml".to_owned(), parts::numbering(body.lists)),
        ("word/settings.xml".to_owned(), parts::settings(&document.language.with_region())),
        ("word/footer1.xml".to_owned(), parts::footer(&document.title, &document.language.with_region())),
        (
            "word/_rels/document.xml.rels".to_owned(),
            parts::document_relations(&body.links, body.charts.len()),
        ),
    ];
    for (at, chart) in body.charts.iter().enumerate() {
        files.push((
            format!("word/charts/chart{}.xml", at + 1),
            chart::write(chart, &document.language.with_region()),
        ));
    }
    packed(&files).map_err(|error| WriteError::failed(FORMAT, error))
}

/// All parts carry one fixed date: equal documents are equal files.
fn packed(files: &[(String, String)]) -> Result<Vec<u8>, zip::result::ZipError> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, content) in files {
        archive.start_file(name.as_str(), options)?;
        archive.write_all(content.as_bytes())?;
    }
    Ok(archive.finish()?.into_inner())
}

fn core_properties(document: &Document, options: &Options) -> String {
    let field = |name: &str, value: Option<&str>| {
        value.map_or_else(String::new, |value| format!("<{name}>{}</{name}>", escaped(value)))
    };
    let created = options.created.map_or_else(String::new, |at| {
        let at = at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
        ["created", "modified"]
            .map(|name| format!("<dcterms:{name} xsi:type=\"dcterms:W3CDTF\">{at}</dcterms:{name}>"))
            .concat()
    });
    format!(
        "{}<cp:coreProperties xmlns:cp=\"http://schemas.openxmlformats.org/package/2006/metadata/core-properties\" \
         xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:dcterms=\"http://purl.org/dc/terms/\" \
         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">{}{}{}{}{created}</cp:coreProperties>",
        parts::HEAD,
        field("dc:title", Some(&document.title)),
        field("dc:creator", options.author.as_deref()),
        field("dc:description", options.notice.as_deref()),
        field("dc:language", Some(&document.language.with_region())),
    )
}
