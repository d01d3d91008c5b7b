//! The word lists as a linguist edits them: a mistake is named with its file and line.

use std::{fs, path::Path};

#[path = "../../src/book/order.rs"]
#[allow(dead_code, reason = "the lists need only a part of it")]
mod order;
#[path = "../../build/sources.rs"]
#[allow(dead_code, reason = "the build uses the rest")]
mod sources;

use sources::{Sources, file};
use tata_phrases::build::{Meaning, phrases};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data");

#[test]
fn every_language_has_the_phrases_that_were_promised() {
    for (code, least) in [("en", 700), ("sv", 350), ("da", 350), ("no", 350), ("de", 350)] {
        let lists = Sources::read(Path::new(FOLDER), code).unwrap_or_else(|problem| panic!("{problem}"));
        let count = lists.patterns().iter().filter(|(id, _, _)| *id < lists.inclusion.len()).count();
        assert!(count >= least, "{code}: {count}");
    }
}

#[test]
fn mistakes_are_named() {
    let folder = std::env::temp_dir().join(format!("tata-lists-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let check = |text: &str, parts: &[&str]| {
        let path = folder.join("list.yaml");
        fs::write(&path, text).unwrap();
        let problem = file::<Vec<sources::Flag>>(&path).unwrap_err();
        for part in parts {
            assert!(problem.contains(part), "{problem}");
        }
    };
    let good = "- rule: a\n  term: a\n  category: age\n  reason: youth\n  alternatives: [b]\n";
    check(&good.replace("reason", "resaon"), &["list.yaml:4", "resaon"]);
    check(&good.replace("category: age", "severity: huge"), &["list.yaml:3", "huge"]);
    check("- rule: a\n  term: [", &["list.yaml:"]);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn patterns_that_cannot_be_read_are_named() {
    for wrong in ["", "* x", "a (b|c", "a) b", "~ a", "a ~", "a | b"] {
        let problem = phrases([(7, Meaning::Hit, wrong)]).unwrap_err();
        assert!(problem.contains(&format!("{wrong:?}")), "{problem}");
    }
}
