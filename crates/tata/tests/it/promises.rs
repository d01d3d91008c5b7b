//! Every line of the promises page has a test, and the test is there.

use std::{collections::HashSet, fs};

use crate::tidy::{root, texts};

#[test]
fn every_promise_has_a_test() {
    let mut tests = HashSet::new();
    for (_, source) in texts(&["rs"]) {
        let mut is_test = false;
        for line in source.lines().map(str::trim) {
            if line.starts_with("#[test]") || line.starts_with("#[tokio::test") {
                is_test = true;
            } else if let Some(rest) = line.strip_prefix("async fn ").or_else(|| line.strip_prefix("fn ")) {
                if is_test && let Some((name, _)) = rest.split_once('(') {
                    tests.insert(name.to_owned());
                }
                is_test = false;
            }
        }
    }
    let page = fs::read_to_string(root().join("docs/guide/promises.md")).unwrap();
    let rows: Vec<&str> =
        page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| promise |")).collect();
    let rows: Vec<&str> = rows.into_iter().filter(|line| !line.starts_with("| --- ")).collect();
    assert!(rows.len() > 20, "{} rows", rows.len());
    for row in rows {
        let named = row.trim_end_matches('|').rsplit('|').next().unwrap_or_default();
        let tests_named: Vec<&str> = named.split('`').skip(1).step_by(2).collect();
        assert!(!tests_named.is_empty(), "no test is named: {row}");
        for name in tests_named {
            assert!(tests.contains(name), "there is no test {name}: {row}");
        }
    }
}
