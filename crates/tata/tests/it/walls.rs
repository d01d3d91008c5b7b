//! The walls: who may know whom. Cargo is asked, not the eye.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

/// The house: every crate, the neighbours it may know, and the foreign crates it may name. An edge that is not written down
/// fails, and so does a line that is no longer true; a new crate has no line, and so cannot escape.
#[rustfmt::skip]
const HOUSE: [(&str, &[&str], &[&str]); 13] = [
    ("tata-core", &[], &[
        "fail", "futures-util", "jiff", "jsonschema", "schemars", "serde", "serde-saphyr", "serde_json", "sha2",
        "smol_str", "strsim", "thiserror", "tokio", "tokio-util", "tracing", "unicode-normalization",
        "uuid",
    ]),
    ("tata-language", &["tata-phrases"], &["rustc-hash", "serde", "whatlang"]),
    ("tata-phrases", &[], &["rustc-hash", "unicode-normalization"]),
    ("tata-document", &[], &[
        "calamine", "chardetng", "csv", "dom_query", "dom_smoothie", "encoding_rs", "flate2", "jiff", "krilla", "memchr",
        "pdf-extract", "pulldown-cmark", "quick-xml", "rust_xlsxwriter", "rustybuzz", "serde", "thiserror",
        "unicode-segmentation", "unicode-width", "zip",
    ]),
    ("tata-guided", &["tata-core", "tata-language", "tata-phrases"], &["jiff", "serde", "serde_json", "thiserror"]),
    ("tata-llm", &["tata-core"], &[
        "bytes", "fastrand", "futures-util", "httpdate", "memchr", "reqwest", "secrecy", "serde", "serde_json", "simdutf8",
        "thiserror", "tokio", "tracing", "uuid",
    ]),
    ("tata-store", &["tata-core"], &[
        "fail", "jiff", "rusqlite", "serde", "serde_json", "sqlx", "thiserror", "tokio", "tracing", "unicode-normalization",
        "uuid",
    ]),
    ("tata-knowledge", &["tata-core", "tata-document", "tata-language"], &[
        "futures-util", "reqwest", "schemars", "secrecy", "serde", "serde-saphyr", "serde_json", "sha2", "tantivy", "tantivy-common",
        "thiserror", "tokio", "tracing", "url", "uuid", "whatlang",
    ]),
    ("tata-mcp", &["tata-core"], &[
        "async-trait", "bytes", "futures-util", "http", "http-body", "http-body-util", "nix", "reqwest", "rmcp", "secrecy",
        "serde_json", "sha2", "thiserror", "tokio", "tokio-util", "tower-service", "tracing", "uuid",
    ]),
    ("tata-recruit", &["tata-core", "tata-document", "tata-guided", "tata-language", "tata-phrases"], &[
        "futures-util", "jiff", "schemars", "serde", "serde_json", "tokio", "unicode-normalization",
        "unicode-properties",
    ]),
    ("tata-web", &["tata-core"], &[
        "ammonia", "argon2", "askama", "axum", "base64", "bytes", "comrak", "futures-util", "http-body-util", "hyper",
        "hyper-util", "jiff", "jsonwebtoken", "serde", "serde_json",
        "sha2", "similar", "thiserror", "tokio", "tokio-util", "tower", "tracing", "utoipa", "utoipa-axum", "uuid",
    ]),
    ("tata-testkit", &["tata-core"], &["futures-util", "jiff", "proptest", "reqwest", "serde", "serde_json", "tokio"]),
    (
        "tata",
        &[
            "tata-core", "tata-document", "tata-knowledge", "tata-language", "tata-llm", "tata-mcp", "tata-recruit",
            "tata-store", "tata-web",
        ],
        &[
            "anstream", "anyhow", "clap", "clap_complete", "etcetera", "futures-util", "jiff", "nix", "rpassword", "rustyline", "secrecy", "serde",
            "serde_json", "sha2", "similar", "terminal_size", "thiserror", "tokio", "tokio-util", "toml", "tracing",
            "tracing-subscriber",
        ],
    ),
];

/// What must not be reached even through others: a driver that slips in by a feature of something harmless.
const UNREACHED: [(&str, &[&str]); 5] = [
    ("tata-core", &["reqwest", "hyper", "axum", "sqlx", "rusqlite", "tantivy", "rmcp", "clap", "anyhow"]),
    ("tata-language", &["serde_json", "regex", "tokio", "reqwest", "sqlx"]),
    ("tata-phrases", &["serde", "regex", "tokio"]),
    ("tata-document", &["tokio", "reqwest", "hyper", "sqlx", "rusqlite", "tantivy", "rmcp", "clap"]),
    ("tata-recruit", &["reqwest", "hyper", "axum", "sqlx", "rusqlite", "tantivy", "rmcp", "clap"]),
];

/// Doors that no linter can lock: words the sources of a crate may not contain.
const UNSPOKEN: [(&str, &[&str]); 10] = [
    ("tata-core", &["std::env", "std::fs", "std::net", "openai", "anthropic", "http://", "https://"]),
    (
        "tata-language",
        &[
            "std::env",
            "std::fs",
            "std::net",
            "openai",
            "anthropic",
            "tata_core",
            "json",
            "http://",
            "https://",
        ],
    ),
    ("tata-document", &["std::env", "std::fs", "std::net", "openai", "anthropic", "tata_core", "session"]),
    // Its `build` reads and writes files for build scripts, and is part of no program.
    ("tata-phrases", &["std::env", "std::fs", "std::net", "hashmap", "json", "http://", "https://"]),
    ("tata-knowledge", &["std::env::", "anthropic", "session_id"]),
    ("tata-llm", &["std::env::", "std::fs", "session_id"]),
    ("tata-mcp", &["std::env::", "std::fs", "openai", "anthropic", "recruit"]),
    (
        "tata-recruit",
        &["std::env::", "std::fs", "std::net", "openai", "anthropic", "timestamp::now", "hashmap", "hashset"],
    ),
    ("tata-store", &["std::env::", "openai", "anthropic", "http://", "https://"]),
    ("tata-web", &["std::env::", "std::fs", "openai", "anthropic", "select ", "tata_recruit"]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

fn metadata() -> Value {
    let cargo = option_env!("CARGO").unwrap_or("cargo");
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Names of the packages that a package needs to run, by name; tests' own needs do not count.
fn edges(metadata: &Value) -> BTreeMap<String, BTreeSet<String>> {
    let names: BTreeMap<&str, &str> = metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|package| (package["id"].as_str().unwrap(), package["name"].as_str().unwrap()))
        .collect();
    let mut edges: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for node in metadata["resolve"]["nodes"].as_array().unwrap() {
        let from = names[node["id"].as_str().unwrap()].to_owned();
        for dependency in node["deps"].as_array().unwrap() {
            let kinds = dependency["dep_kinds"].as_array().unwrap();
            if kinds.iter().any(|kind| kind["kind"] != "dev") {
                let to = names[dependency["pkg"].as_str().unwrap()].to_owned();
                edges.entry(from.clone()).or_default().insert(to);
            }
        }
    }
    edges
}

fn reachable(edges: &BTreeMap<String, BTreeSet<String>>, from: &str) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let mut open = vec![from.to_owned()];
    while let Some(next) = open.pop() {
        for to in edges.get(&next).into_iter().flatten() {
            if seen.insert(to.clone()) {
                open.push(to.clone());
            }
        }
    }
    seen
}

#[test]
fn every_edge_is_written_down() {
    let metadata = metadata();
    let members = metadata["workspace_members"].as_array().unwrap();
    let packages = metadata["packages"].as_array().unwrap().iter();
    let mut unseen: BTreeSet<&str> = HOUSE.iter().map(|(name, ..)| *name).collect();
    for package in packages.filter(|package| members.contains(&package["id"])) {
        let name = package["name"].as_str().unwrap();
        // The bench is no part of the product.
        if name == "tata-bench" {
            continue;
        }
        let Some((_, neighbours, foreign)) = HOUSE.iter().find(|(known, ..)| *known == name) else {
            panic!("{name} has no line in the house: write down what it may know");
        };
        unseen.remove(name);
        let named = package["dependencies"].as_array().unwrap().iter().filter(|one| one["kind"].is_null());
        let named: BTreeSet<&str> = named.map(|one| one["name"].as_str().unwrap()).collect();
        let allowed: BTreeSet<&str> = neighbours.iter().chain(*foreign).copied().collect();
        assert_eq!(named, allowed, "{name}: what it names, and what is written down");
    }
    assert!(unseen.is_empty(), "{unseen:?} are no crates");
}

#[test]
fn no_driver_slips_in_through_others() {
    let edges = edges(&metadata());
    for (name, unreached) in UNREACHED {
        let known = reachable(&edges, name);
        assert!(!known.is_empty(), "{name} is part of the house");
        let found: Vec<_> = unreached.iter().filter(|word| known.contains(**word)).collect();
        assert!(found.is_empty(), "{name} reaches {found:?}");
    }
}

#[test]
fn no_source_speaks_of_what_its_crate_does_not_know() {
    for (name, words) in UNSPOKEN {
        let mut open = vec![root().join("crates").join(name).join("src")];
        let mut count = 0;
        while let Some(path) = open.pop() {
            if path.is_dir() {
                open.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
                continue;
            }
            // Tests beside the code may use what the code may not.
            if path.file_name().is_some_and(|file| file == "tests.rs") {
                continue;
            }
            count += 1;
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap();
            for (at, line) in
                code.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"))
            {
                let found = words.iter().find(|word| line.to_lowercase().contains(*word));
                assert!(found.is_none(), "{}:{}: {found:?}", path.display(), at + 1);
            }
        }
        assert!(count > 5, "{name} has sources");
    }
}

/// A plain yes may rest on what the program wrote. Whoever could call a provider's words that would have people decide by
/// the questions of a model.
#[test]
fn no_model_of_a_provider_speaks_for_the_program() {
    let (mut open, mut found) = (vec![root().join("crates")], BTreeSet::new());
    while let Some(path) = open.pop() {
        if path.is_dir() {
            if !path.ends_with("tests") {
                open.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            }
        } else if path.extension().is_some_and(|ending| ending == "rs")
            && fs::read_to_string(&path).unwrap().contains("fn is_program(")
        {
            found.insert(path.strip_prefix(root().join("crates")).unwrap().to_string_lossy().into_owned());
        }
    }
    let known = ["tata-core/src/model.rs", "tata-recruit/src/guided/mod.rs"];
    assert_eq!(
        found,
        known.map(str::to_owned).into(),
        "the port, and the one model whose words are texts of ours"
    );
}

/// Parsers of foreign files can be made to end their process, so only the process that does nothing else runs them.
#[test]
fn files_are_parsed_by_the_reading_process_alone() {
    let reader = root().join("crates/tata/src/readers/process.rs");
    let mut open: Vec<PathBuf> =
        HOUSE.iter().map(|(name, ..)| root().join("crates").join(name).join("src")).collect();
    let mut readers = 0;
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        if path.starts_with(root().join("crates/tata-document")) {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap_or_default();
        let named = text.contains("in_process") || text.contains("ReadHere");
        readers += usize::from(named);
        assert!(!named || path == reader, "{} reads files in its own process", path.display());
    }
    assert_eq!(readers, 1, "the reader itself");
}
