//! The documents for people: short enough to read, true to the program, and whole.

use std::{collections::BTreeSet, fs};

use crate::{
    program::World,
    tidy::{root, texts},
};

/// A line that fits beside another window.
const WIDEST: usize = 120;

/// Folders whose Markdown is test data or made by the program, not written for a reader of the source.
const NOT_WRITTEN_BY_HAND: [&str; 2] = ["docs/examples/", "crates/tata-recruit/tests/ads/"];

fn page(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// Every Markdown file with its path from the root.
fn markdown() -> Vec<(String, String)> {
    let mut pages = Vec::new();
    for (path, text) in texts(&["md"]) {
        let inside = path.strip_prefix(root()).unwrap_or(&path);
        if inside.extension().is_some_and(|end| end == "md") {
            pages.push((inside.to_string_lossy().into_owned(), text));
        }
    }
    assert!(pages.len() > 20, "{} pages", pages.len());
    pages
}

/// The words between backquotes.
fn named(text: &str) -> BTreeSet<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

fn check_size(path: &str, most_lines: usize, widest: usize) {
    let text = page(path);
    let lines = text.lines().count();
    assert!(lines <= most_lines, "{path} has {lines} lines, more than {most_lines}");
    for (at, line) in text.lines().enumerate() {
        let width = line.chars().count();
        assert!(width <= widest, "{path}:{} has {width} columns, more than {widest}", at + 1);
    }
}

#[test]
fn the_front_doors_are_short() {
    check_size("README.md", 120, 100);
    check_size("ARCHITECTURE.md", 150, 120);
}

#[test]
fn no_line_of_a_document_is_too_wide() {
    for (path, text) in markdown() {
        if NOT_WRITTEN_BY_HAND.iter().any(|folder| path.starts_with(folder)) {
            continue;
        }
        for (at, line) in text.lines().enumerate() {
            let width = line.chars().count();
            assert!(width <= WIDEST, "{path}:{} has {width} columns, more than {WIDEST}", at + 1);
        }
    }
}

/// A link to a file of the repository leads somewhere.
#[test]
fn no_link_of_a_document_is_broken() {
    let mut seen = 0;
    for (path, text) in markdown() {
        let folder = root().join(&path).parent().unwrap().to_owned();
        for link in text.split("](").skip(1) {
            let target = link.split([')', '#']).next().unwrap_or_default();
            if target.is_empty() || target.contains("://") || target.contains(char::is_whitespace) {
                continue;
            }
            seen += 1;
            assert!(folder.join(target).exists(), "{path} links to {target}, which is not there");
        }
    }
    assert!(seen > 30, "{seen} links");
}

/// The excerpt in the guide is a piece of the recorded chat.
#[test]
fn the_excerpt_of_the_first_minute_is_recorded() {
    let guide = page("docs/guide/recruiter.md");
    let (_, rest) = guide.split_once("<!-- excerpt of first-minute.txt -->\n```text\n").unwrap();
    let (excerpt, _) = rest.split_once("```\n<!-- end of excerpt -->").unwrap();
    assert!(page("docs/first-minute.txt").contains(excerpt), "not in docs/first-minute.txt:\n{excerpt}");
}

/// The table of exit codes has exactly the codes that `--help` has.
#[test]
fn the_exit_codes_are_those_of_the_help() {
    let help = World::new().run(&["--help"]).out;
    let (_, listed) = help.split_once("Exit codes:").unwrap();
    let (listed, _) = listed.split_once("Environment:").unwrap();
    let in_help: BTreeSet<&str> =
        listed.split_whitespace().filter(|word| word.parse::<u8>().is_ok()).collect();
    let text = page("docs/reference/exit-codes.md");
    let cells = text.lines().filter_map(|line| line.strip_prefix("| ")?.split(' ').next());
    let in_page: BTreeSet<&str> = cells.filter(|cell| cell.parse::<u8>().is_ok()).collect();
    assert_eq!(in_page, in_help);
}

/// A variable that a source names between quotes is described.
#[test]
fn every_variable_is_described() {
    let text = page("docs/reference/environment.md");
    let described = named(&text);
    let catalog = page("crates/tata-llm/models.yaml");
    let keys = catalog.lines().filter_map(|line| {
        let (name, value) = line.trim().split_once(": ")?;
        matches!(name, "key_env" | "base_url_env").then(|| value.trim().to_owned())
    });
    let mut variables: BTreeSet<String> = keys.collect();
    for (path, source) in texts(&["rs"]) {
        let path = path.to_string_lossy();
        if !path.contains("/src/") || path.contains("tata-testkit") || path.contains("tests") {
            continue;
        }
        let code = source.split("#[cfg(test)]").next().unwrap_or_default();
        for word in code.split('"').skip(1) {
            let begins = ["TATA_", "OTEL_", "QDRANT_", "COHERE_"].iter().any(|start| word.starts_with(start));
            let is_name = word.chars().all(|letter| letter.is_ascii_uppercase() || letter == '_');
            if begins && is_name && !word.ends_with('_') {
                variables.insert(word.to_owned());
            }
        }
    }
    assert!(variables.len() > 30, "{variables:?}");
    let missing: Vec<&String> =
        variables.iter().filter(|variable| !described.contains(variable.as_str())).collect();
    assert!(missing.is_empty(), "docs/reference/environment.md lacks {missing:?}");
}

/// A variable and a file that `--help` names are described, and the commonest are in the help.
#[test]
fn the_variables_of_the_help_are_described() {
    let help = World::new().run(&["--help"]).out;
    let (_, listed) = help.split_once("Environment:").unwrap();
    let text = page("docs/reference/environment.md");
    let described = named(&text);
    let letters = |letter: char| !letter.is_ascii_uppercase() && letter != '_';
    for name in listed.split(letters).filter(|word| word.contains('_') && !word.starts_with('_')) {
        assert!(described.contains(name), "docs/reference/environment.md lacks {name}");
    }
    for name in ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "TATA_MODEL", "TATA_LOG", "TATA_HOME"] {
        assert!(listed.contains(name), "the help lacks {name}");
    }
    assert!(help.contains("tata.toml") && page("docs/reference/configuration.md").contains("tata.toml"));
}

/// A key that a folder's file can set is on the page of the configuration.
#[test]
fn every_key_is_described() {
    let keys = World::new().run(&["trust", "--keys"]).out;
    let text = page("docs/reference/configuration.md") + &page("docs/reference/environment.md");
    let described = named(&text);
    let mut seen = 0;
    for line in keys.lines() {
        let name = line.split_whitespace().nth(1).unwrap_or_default();
        let name = name.rsplit('.').next().unwrap_or_default();
        assert!(described.contains(name), "docs/reference/configuration.md lacks {name}");
        seen += 1;
    }
    assert!(seen > 50, "{seen} keys");
}

#[test]
fn every_command_is_in_the_guide() {
    let help = World::new().run(&["--help"]).out;
    let (_, listed) = help.split_once("Commands:\n").unwrap();
    let (listed, _) = listed.split_once("\nOptions:").unwrap();
    let text = page("docs/guide/command-line.md");
    let described = named(&text);
    let mut seen = 0;
    for line in listed.lines() {
        let Some(rest) = line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')) else { continue };
        let command = rest.split_whitespace().next().unwrap_or_default();
        if command != "help" {
            assert!(described.contains(command), "docs/guide/command-line.md lacks {command}");
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen} commands");
}

#[test]
fn every_route_is_described() {
    let text = page("docs/reference/api.md");
    let described = named(&text);
    let mut seen = 0;
    for (path, source) in texts(&["rs"]) {
        if !path.to_string_lossy().contains("tata-web/src") {
            continue;
        }
        for declared in source.split("utoipa::path(").skip(1) {
            let Some((method, rest)) = declared.split_once(", path = \"") else { continue };
            let route = rest.split('"').next().unwrap_or_default();
            let line = format!("{} {route}", method.trim().to_uppercase());
            assert!(described.contains(line.as_str()), "docs/reference/api.md lacks {line}");
            seen += 1;
        }
    }
    assert!(seen > 50, "{seen} routes");
}

/// A number of a requirement, such as A2.6, AP5, B6 or S1.
fn is_requirement(word: &str) -> bool {
    let letters = word.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    let number = &word[letters.len()..];
    let whole = number.len() <= 2 && number.parse::<u8>().is_ok_and(|number| number > 0);
    let parted = number.split_once('.').is_some_and(|(before, after)| {
        before.len() == 1 && after.len() == 1 && (before.to_owned() + after).parse::<u8>().is_ok()
    });
    match letters {
        "A" | "C" => parted,
        "AP" | "B" | "D" | "R" | "S" => whole,
        _ => false,
    }
}

/// Tests name what they prove by a number; a reader finds there what it says.
#[test]
fn every_requirement_that_is_named_is_stated() {
    let text = page("docs/requirements.md");
    let mut seen = 0;
    for (path, source) in texts(&["rs"]) {
        let comments = source.lines().filter_map(|line| line.trim().strip_prefix("//"));
        for comment in comments {
            let mut before = "";
            for word in comment.split(|letter: char| !letter.is_alphanumeric() && letter != '.') {
                let word = word.trim_end_matches('.');
                let is_counted = matches!(before, "pain" | "pains" | "Property" | "Properties");
                let number = is_counted && word.parse::<u8>().is_ok();
                let named = match (number, is_requirement(word)) {
                    (true, _) if before.starts_with("pain") => format!("- **pain {word}** "),
                    (true, _) => format!("- **Property {word}** "),
                    (false, true) => format!("- **{word}** "),
                    (false, false) => String::new(),
                };
                assert!(
                    text.contains(&named),
                    "{} names {word}, docs/requirements.md does not",
                    path.display()
                );
                seen += usize::from(!named.is_empty());
                before = word;
            }
        }
    }
    assert!(seen > 150, "{seen} numbers");
}
