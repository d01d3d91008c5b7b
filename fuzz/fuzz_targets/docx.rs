//! Word files: the bytes as they come, and as the body of a file that is otherwise right.
#![no_main]

use std::io::{Cursor, Write as _};

use libfuzzer_sys::fuzz_target;
use tata_document::{Hint, Limits, in_process::{read, read_transcript}};
use zip::{ZipWriter, write::SimpleFileOptions};

fn packed(body: &[u8]) -> Vec<u8> {
    let head = br#"<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>"#;
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let files: [(&str, &[&[u8]]); 2] =
        [("[Content_Types].xml", &[b"<Types/>"]), ("word/document.xml", &[head, body, b"</w:body></w:document>"])];
    for (name, parts) in files {
        writer.start_file(name, SimpleFileOptions::default()).expect("a name");
        for part in parts {
            writer.write_all(part).expect("room");
        }
    }
    writer.finish().expect("an archive").into_inner()
}

fuzz_target!(|data: &[u8]| {
    for file in [data.to_vec(), packed(data)] {
        if let Ok(reading) = read(file.clone(), &Hint::named("a.docx"), &Limits::default()) {
            assert!(reading.blocks.iter().all(|block| !block.text.trim().is_empty()));
        }
        let _ = read_transcript(file, &Hint::named("a.docx"), &Limits::default());
    }
});
