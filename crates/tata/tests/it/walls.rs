//! The walls: who may know whom. Cargo is asked, not the eye.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

/// What each crate may not know, directly or through others: the foreign dependency of another room.
const FORBIDDEN: [(&str, &[&str]); 9] = [
    (
        "tata-core",
        &[
            "reqwest",
            "hyper",
            "axum",
            "sqlx",
            "rusqlite",
            "tantivy",
            "qdrant-client",
            "rmcp",
            "clap",
            "anyhow",
            "tata-llm",
            "tata-store",
        ],
    ),
    (
        "tata-llm",
        &[
            "axum",
            "sqlx",
            "rusqlite",
            "tantivy",
            "qdrant-client",
            "rmcp",
            "clap",
            "anyhow",
            "tata",
            "tata-store",
        ],
    ),
    (
        "tata-store",
        &[
            "reqwest",
            "hyper",
            "axum",
            "tantivy",
            "qdrant-client",
            "rmcp",
            "clap",
            "anyhow",
            "tata",
            "tata-llm",
        ],
    ),
    (
        "tata-recruit",
        &[
            "reqwest",
            "hyper",
            "axum",
            "sqlx",
            "rusqlite",
            "tantivy",
            "qdrant-client",
            "rmcp",
            "clap",
            "anyhow",
            "tata",
            "tata-llm",
            "tata-store",
        ],
    ),
    (
        "tata-language",
        &[
            "reqwest",
            "hyper",
            "axum",
            "sqlx",
            "rusqlite",
            "tantivy",
            "qdrant-client",
            "rmcp",
            "clap",
            "anyhow",
            "serde",
            "serde_json",
            "regex",
            "tokio",
            "tata",
            "tata-core",
            "tata-llm",
            "tata-recruit",
            "tata-store",
        ],
    ),
    (
        "tata-mcp",
        &[
            "axum",
            "sqlx",
            "rusqlite",
            "tantivy",
            "qdrant-client",
            "clap",
            "anyhow",
            "tata",
            "tata-knowledge",
            "tata-llm",
            "tata-recruit",
            "tata-store",
        ],
    ),
    (
        "tata-document",
        &[
            "reqwest",
            "hyper",
            "axum",
            "sqlx",
            "rusqlite",
            "tantivy",
            "qdrant-client",
            "rmcp",
            "clap",
            "anyhow",
            "tokio",
            "tata",
            "tata-core",
            "tata-llm",
            "tata-recruit",
            "tata-store",
        ],
    ),
    (
        "tata-knowledge",
        &[
            "axum",
            "sqlx",
            "rusqlite",
            "rmcp",
            "clap",
            "anyhow",
            "tata",
            "tata-llm",
            "tata-mcp",
            "tata-recruit",
            "tata-store",
        ],
    ),
    ("tata", &["tata-testkit", "proptest", "criterion"]),
];

/// The crates that may name a foreign dependency in their manifests. Models and embedders speak HTTP to different servers,
/// with different retries; neither room knows the other.
const OWNED: [(&str, &[&str]); 14] = [
    ("reqwest", &["tata-llm", "tata-knowledge"]),
    ("rmcp", &["tata-mcp"]),
    ("tantivy", &["tata-knowledge"]),
    ("dom_query", &["tata-document"]),
    ("dom_smoothie", &["tata-document"]),
    ("pdf-extract", &["tata-document"]),
    ("quick-xml", &["tata-document"]),
    ("zip", &["tata-document"]),
    ("sqlx", &["tata-store"]),
    ("rusqlite", &["tata-store"]),
    ("clap", &["tata"]),
    ("rustyline", &["tata"]),
    ("anyhow", &["tata"]),
    ("serde-saphyr", &["tata-core"]),
];

/// The MCP SDK asks servers by a client of reqwest's, which whoever uses the SDK must make.
const LENT: [(&str, &str); 1] = [("reqwest", "tata-mcp")];

/// Doors that no linter can lock: words the sources of a crate may not contain.
const UNSPOKEN: [(&str, &[&str]); 8] = [
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
    ("tata-knowledge", &["std::env::", "anthropic", "session_id"]),
    ("tata-llm", &["std::env::", "std::fs", "session_id"]),
    ("tata-mcp", &["std::env::", "std::fs", "openai", "anthropic", "recruit"]),
    (
        "tata-recruit",
        &["std::env::", "std::fs", "std::net", "openai", "anthropic", "timestamp::now", "hashmap", "hashset"],
    ),
    ("tata-store", &["std::env::", "openai", "anthropic", "http://", "https://"]),
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
fn no_crate_knows_what_it_may_not_know() {
    let edges = edges(&metadata());
    for (name, forbidden) in FORBIDDEN {
        assert!(edges.contains_key(name), "{name} is part of the house");
        let known = reachable(&edges, name);
        assert!(!known.is_empty());
        let found: Vec<_> = forbidden.iter().filter(|word| known.contains(**word)).collect();
        assert!(found.is_empty(), "{name} knows {found:?}");
    }
}

#[test]
fn every_foreign_dependency_has_one_owner() {
    let metadata = metadata();
    let members = metadata["workspace_members"].as_array().unwrap();
    for package in
        metadata["packages"].as_array().unwrap().iter().filter(|package| members.contains(&package["id"]))
    {
        let name = package["name"].as_str().unwrap();
        for dependency in package["dependencies"].as_array().unwrap() {
            let wanted = dependency["name"].as_str().unwrap();
            let owners = OWNED.iter().find(|(foreign, _)| *foreign == wanted).map(|(_, owners)| *owners);
            let for_tests = dependency["kind"] == "dev" || ["tata-testkit", "tata-bench"].contains(&name);
            // What only the build uses is no part of the program: word lists are YAML until then (ADR 10).
            let for_the_build = dependency["kind"] == "build";
            assert!(
                owners.is_none_or(|owners| owners.contains(&name))
                    || LENT.contains(&(wanted, name))
                    || for_tests
                    || for_the_build,
                "{name} names {wanted}, which {owners:?} own"
            );
        }
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
