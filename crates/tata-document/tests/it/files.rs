//! Files written for the tests, byte by byte where a library would not write them.

use std::io::{Cursor, Write as _};

use zip::{ZipWriter, write::SimpleFileOptions};

/// A Word document with this body.
pub(crate) fn docx(body: &str) -> Vec<u8> {
    let document = format!(
        r#"<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>{body}</w:body></w:document>"#
    );
    archive(&[
        ("[Content_Types].xml", b"<Types/>"),
        ("word/document.xml", document.as_bytes()),
        ("docProps/core.xml", b"<cp:coreProperties xmlns:cp=\"a\" xmlns:dc=\"b\"><dc:title>Handbook &amp; rules</dc:title></cp:coreProperties>"),
    ])
}

/// A paragraph of a Word document in a style.
pub(crate) fn styled(style: &str, text: &str) -> String {
    format!(r#"<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"#)
}

/// A zip file.
pub(crate) fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A PDF with one text per page: the first line of each is large.
pub(crate) fn pdf(pages: &[&[&str]]) -> Vec<u8> {
    let contents = pages.iter().map(|lines| {
        let mut content = String::from("BT\n");
        for (at, line) in lines.iter().enumerate() {
            let size = if at == 0 { 20 } else { 11 };
            let y = 780 - 14 * at - if at > 0 { 20 } else { 0 };
            content.push_str(&format!("/F1 {size} Tf 1 0 0 1 72 {y} Tm ({line}) Tj\n"));
        }
        content.push_str("ET");
        (String::new(), content.into_bytes())
    });
    pdf_of(contents.collect())
}

/// A PDF of raw content streams, each with more entries of its dictionary.
pub(crate) fn pdf_of(contents: Vec<(String, Vec<u8>)>) -> Vec<u8> {
    pdf_with(contents, &[])
}

/// The same with more objects. `F2` is a font whose characters have no names.
pub(crate) fn pdf_with(contents: Vec<(String, Vec<u8>)>, more: &[&str]) -> Vec<u8> {
    let mut objects: Vec<Vec<u8>> = Vec::new();
    let kids: Vec<String> = (0..contents.len()).map(|at| format!("{} 0 R", 4 + 2 * at)).collect();
    objects.push(b"<< /Type /Catalog /Pages 2 0 R >>".to_vec());
    objects.push(
        format!("<< /Type /Pages /Kids [{}] /Count {} >>", kids.join(" "), contents.len()).into_bytes(),
    );
    objects
        .push(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_vec());
    for (at, (entries, content)) in contents.into_iter().enumerate() {
        let stream = 5 + 2 * at;
        objects.push(
            format!(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {stream} 0 R \
                 /Resources << /Font << /F1 3 0 R /F2 << /Type /Font /Subtype /Type0 /BaseFont /X \
                 /Encoding /Identity-H /DescendantFonts [ << /Type /Font /Subtype /CIDFontType2 /BaseFont /X \
                 /W [1 3 500] /FontDescriptor << /Type /FontDescriptor >> >> ] >> >> >> >>"
            )
            .into_bytes(),
        );
        let mut object = format!("<< /Length {} {entries} >>\nstream\n", content.len()).into_bytes();
        object.extend(content);
        object.extend(b"\nendstream");
        objects.push(object);
    }
    objects.extend(more.iter().map(|object| object.as_bytes().to_vec()));
    let mut file = b"%PDF-1.4\n".to_vec();
    let mut places = Vec::new();
    for (at, object) in objects.iter().enumerate() {
        places.push(file.len());
        file.extend(format!("{} 0 obj\n", at + 1).into_bytes());
        file.extend(object);
        file.extend(b"\nendobj\n");
    }
    let table = file.len();
    file.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).into_bytes());
    for place in places {
        file.extend(format!("{place:010} 00000 n \n").into_bytes());
    }
    let size = objects.len() + 1;
    file.extend(format!("trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n").into_bytes());
    file
}
