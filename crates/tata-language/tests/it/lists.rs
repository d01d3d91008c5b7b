//! The word lists as a linguist edits them: a mistake is named with its file and line.

use std::{fs, path::Path};

#[path = "../../src/book/kinds.rs"]
#[allow(dead_code, unreachable_pub, reason = "the lists need only a part of it")]
mod kinds;
#[path = "../../build/sources.rs"]
#[allow(dead_code, reason = "the build uses the rest")]
mod sources;

use sources::{Entry, Sources};
use tata_phrases::build::{List, Meaning, Section, phrases};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data");

#[test]
fn every_language_has_the_phrases_that_were_promised() {
    for (code, least) in [("en", 700), ("sv", 350), ("da", 350), ("no", 350), ("de", 350)] {
        let lists = Sources::read(Path::new(FOLDER), code).unwrap_or_else(|problem| panic!("{problem}"));
        let count = lists.patterns().filter(|(id, _, _)| *id < lists.lists[0].len()).count();
        assert!(count >= least, "{code}: {count}");
    }
}

#[test]
fn mistakes_are_named() {
    let folder = std::env::temp_dir().join(format!("tata-lists-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let check = |text: &str, parts: &[&str]| {
        let path = folder.join("list.txt");
        fs::write(&path, text).unwrap();
        let problem = List::read(&path).and_then(|list| list.each(Entry::flag)).unwrap_err();
        for part in parts {
            assert!(problem.contains(part), "{problem}");
        }
    };
    let good = "# A comment.\n[a]\nage = youth\nbetter = b\n(young|old) ~ team\n!young tree\n";
    check(&good.replace("better", "bettre"), &["list.txt:2", "better"]);
    check(&good.replace('!', "term = a\nwhy = b\n!"), &["list.txt:7", "why"]);
    check(&good.replace("age", "agge"), &["list.txt:2", "category"]);
    check(&good.replace("youth", "youth huge"), &["list.txt:2", "huge"]);
    check(&good.replace("[a]\n", "[a]\n[a]\n"), &["list.txt:3", "[a] stands twice"]);
    check(&good.replace('!', "better = c\n!"), &["list.txt:6", "stands twice"]);
    check(&good.replace('!', "(young|old)\n  ~ team\n!"), &["list.txt:6", "stands twice"]);
    check(&good.replace("young|", "{ages}|"), &["list.txt:5", "no set", "ages"]);
    check(&format!("[sets]\nages = young|old\n{good}"), &["list.txt:2", "ages"]);
    check("  young team\n", &["list.txt:1"]);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn entries_that_are_out_of_order_or_wrong_are_named() {
    let path = std::env::temp_dir().join(format!("tata-order-{}.txt", std::process::id()));
    let read = |text: &str| {
        fs::write(&path, text).unwrap();
        List::read(&path).unwrap()
    };
    let unsorted = read("[a]\nx\n\n[b]\nb\na\n").section("b").and_then(Section::sorted);
    assert!(unsorted.unwrap_err().contains(".txt:6: the entries are not sorted"));
    let capital = |text: &str| text.contains(char::is_uppercase);
    let refused = read("[a]\nx\n[b]\nan X\n").refuse("has a capital", capital);
    assert!(refused.unwrap_err().contains(".txt:4: \"an X\" has a capital"));
    let unread = read("one = 1\ntwo = b\n")
        .section("")
        .and_then(|section| section.pairs_as(|_, value| value.parse::<u8>().ok()));
    assert!(unread.unwrap_err().contains(".txt:2"));
    fs::remove_file(&path).unwrap();
}

#[test]
fn a_set_stands_for_its_choices() {
    let path = std::env::temp_dir().join(format!("tata-sets-{}.txt", std::process::id()));
    fs::write(&path, "[sets]\nages = young|old|\n  aged\none = fresh\n[all]\na {one} team\n{ages} team\n(new|{ages}) team\n({ages}) crew\nteam of\n  {ages}\n").unwrap();
    let entries = List::read(&path).and_then(|mut list| list.entries("all"));
    let wanted = [
        "a fresh team",
        "(young|old|aged) team",
        "(new|young|old|aged) team",
        "(young|old|aged) crew",
        "team of (young|old|aged)",
    ];
    assert_eq!(entries.unwrap(), wanted);
    fs::remove_file(&path).unwrap();
}

#[test]
fn patterns_that_cannot_be_read_are_named() {
    for wrong in ["", "* x", "a (b|c", "a) b", "~ a", "a ~", "a | b"] {
        let problem = phrases([(7, Meaning::Hit, wrong)]).unwrap_err();
        assert!(problem.contains(&format!("{wrong:?}")), "{problem}");
    }
}
