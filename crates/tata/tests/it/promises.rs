//! Every line of the promises page has a test, and the test is there.

use std::{collections::HashSet, fs};

use crate::tidy::{root, texts};

/// The names of all tests of the workspace.
pub(crate) fn names_of_tests() -> HashSet<String> {
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
    tests
}

/// The items of the lists of a page, each on one line.
pub(crate) fn items(page: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    let mut is_inside = false;
    for line in page.lines() {
        let text = line.trim();
        let number = text.split_once(". ").is_some_and(|(number, _)| number.parse::<u32>().is_ok());
        if line.starts_with("- ") || (number && !line.starts_with(' ')) {
            items.push(text.to_owned());
            is_inside = true;
        } else if text.is_empty() || !line.starts_with(' ') {
            is_inside = false;
        } else if is_inside && let Some(item) = items.last_mut() {
            item.push(' ');
            item.push_str(text);
        }
    }
    items
}

/// Fails where an item of a page names no test behind `Tests:`, or one that does not exist.
pub(crate) fn check_tests(page: &str, at_least: usize) {
    let tests = names_of_tests();
    let items = items(page);
    assert!(items.len() >= at_least, "{} items", items.len());
    for item in items {
        let (_, named) = item.split_once("Tests: ").unwrap();
        let named: Vec<&str> = named.split('`').skip(1).step_by(2).collect();
        assert!(!named.is_empty(), "no test is named: {item}");
        for name in named {
            assert!(tests.contains(name), "there is no test {name}: {item}");
        }
    }
}

#[test]
fn every_promise_has_a_test() {
    let page = fs::read_to_string(root().join("docs/guide/promises.md")).unwrap();
    check_tests(&page, 50);
}

#[test]
fn every_invariant_has_a_test() {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let (_, invariants) = page.split_once("\n## Invariants\n").unwrap();
    let (invariants, _) = invariants.split_once("\n## ").unwrap();
    check_tests(invariants, 15);
}
