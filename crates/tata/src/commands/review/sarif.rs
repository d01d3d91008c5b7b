//! SARIF 2.1.0: the form in which editors and code hosts read findings.

use std::collections::BTreeMap;
use tata_language::book::Severity;

use serde_json::{Value, json};

use super::marks::{Mark, Places, Reviewed};

/// The log of one run over all texts.
pub(super) fn log(all: &[Reviewed]) -> Value {
    let mut rules: BTreeMap<String, String> = BTreeMap::new();
    let mut results = Vec::new();
    for reviewed in all {
        let places = Places::of(reviewed.text());
        for mark in reviewed.marks() {
            rules.entry(mark.rule.clone()).or_insert_with(|| mark.message.clone());
            results.push(result(&mark, reviewed, &places));
        }
    }
    let rules: Vec<Value> = rules
        .iter()
        .map(|(id, message)| json!({ "id": id, "shortDescription": { "text": message } }))
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "tata", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn result(mark: &Mark, reviewed: &Reviewed, places: &Places<'_>) -> Value {
    let level = match mark.severity {
        Severity::Low => "note",
        Severity::Medium => "warning",
        Severity::High | Severity::Critical => "error",
    };
    let file = json!({ "uri": uri(&reviewed.path.to_string_lossy()) });
    let mut place = json!({ "artifactLocation": file });
    let mut result = json!({ "ruleId": mark.rule, "level": level, "message": { "text": message(mark) } });
    if let Some(bytes) = mark.bytes {
        let region = region(places, bytes);
        place["region"] = region.clone();
        let fixes: Vec<Value> = mark
            .alternatives
            .iter()
            .map(|text| {
                json!({
                    "description": { "text": text },
                    "artifactChanges": [{
                        "artifactLocation": file,
                        "replacements": [{ "deletedRegion": region, "insertedContent": { "text": text } }],
                    }],
                })
            })
            .collect();
        if !fixes.is_empty() {
            result["fixes"] = json!(fixes);
        }
    }
    result["locations"] = json!([{ "physicalLocation": place }]);
    result
}

/// A path as an address: whole paths name the disk, and what means something else in an address is written in digits.
fn uri(path: &str) -> String {
    let path = path.replace('\\', "/");
    let drive = matches!(path.as_bytes(), [letter, b':', b'/', ..] if letter.is_ascii_alphabetic());
    let mut uri = match (path.starts_with('/'), drive) {
        (true, _) => "file://".to_owned(),
        (_, true) => "file:///".to_owned(),
        (false, false) => String::new(),
    };
    for (at, byte) in path.bytes().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            b':' if drive && at == 1 => uri.push(':'),
            byte => {
                const DIGITS: [char; 16] =
                    ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'];
                uri.push('%');
                uri.extend([byte >> 4, byte & 15].map(|digit| DIGITS[usize::from(digit)]));
            }
        }
    }
    uri
}

fn message(mark: &Mark) -> String {
    match &mark.ground {
        Some(law) => format!("{} ({law})", mark.message),
        None => mark.message.clone(),
    }
}

/// Lines and columns from 1; the end is the column after the last.
fn region(places: &Places<'_>, (start, end): (usize, usize)) -> Value {
    let ((start_line, start_column), (end_line, end_column)) = (places.position(start), places.position(end));
    json!({ "startLine": start_line, "startColumn": start_column, "endLine": end_line, "endColumn": end_column })
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_are_addresses() {
        let check = |path: &str, expected: &str| assert_eq!(uri(path), expected);
        check("ads/my ad.md", "ads/my%20ad.md");
        check("./anzeige ä [1] 50% #a?.md", "./anzeige%20%C3%A4%20%5B1%5D%2050%25%20%23a%3F.md");
        check("/ads/ad.md", "file:///ads/ad.md");
        check("C:\\ads\\ad.md", "file:///C:/ads/ad.md");
        check("a:b.md", "a%3Ab.md");
    }
}
