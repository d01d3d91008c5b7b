//! How fast claims are checked: megabytes of text a second against a source of 40,000 characters. What no person writes,
//! a word without end and a text without full stops, must not be slower when there is more of it.

use std::{fs, hint::black_box, path::Path};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tata_language::{Language, claims::check};

#[expect(dead_code, reason = "nothing is measured but time")]
#[path = "../../tata/src/commands/claims/labelled.rs"]
mod labelled;

use labelled::read_labelled;

/// Characters of the source.
const SOURCE: usize = 40_000;
/// Bytes of the text.
const TEXT: usize = 200_000;

/// All sources of a language one after the other, and all its sentences, each repeated up to a size. Names and numbers
/// vary from round to round, so that not every word has been seen before.
fn material(language: Language) -> (String, String) {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/claims").join(format!("{}.txt", language.code()));
    let text = fs::read_to_string(path).unwrap_or_default();
    let all = read_labelled(&text).unwrap_or_default();
    let mut source = String::new();
    let mut last = Vec::new();
    while source.chars().count() < SOURCE && !all.is_empty() {
        for labelled in &all {
            if labelled.sources != last {
                last.clone_from(&labelled.sources);
                for (_, text) in &last {
                    source.push_str(text);
                }
            }
        }
    }
    let source = source.chars().take(SOURCE).collect();
    let mut claims = String::new();
    let mut round = 0;
    while claims.len() < TEXT && !all.is_empty() {
        for labelled in &all {
            claims.push_str(&labelled.text);
            claims.push_str(&format!(" {}x{round} 1{round}.\n", labelled.kind));
        }
        round += 1;
    }
    (source, claims)
}

fn claims(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("claims");
    for language in Language::ALL {
        let (source, text) = material(language);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(language.code(), |bencher| {
            bencher.iter(|| check(language, black_box(&text), &[("notes", black_box(&source))]));
        });
    }
    group.finish();
}

fn endless(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("endless");
    let (source, text) = material(Language::De);
    for size in [TEXT / 16, TEXT / 4, TEXT] {
        group.throughput(Throughput::Bytes(size as u64));
        let word: String = "arbeitszeitkonto".chars().cycle().take(size).collect();
        let unstopped: String =
            text.chars().filter(|c| c.is_alphanumeric() || *c == ' ').cycle().take(size).collect();
        for (name, text) in [("word", word), ("sentence", unstopped)] {
            group.bench_function(format!("{name}/{size}"), |bencher| {
                bencher.iter(|| check(Language::De, black_box(&text), &[("notes", black_box(&source))]));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, claims, endless);
criterion_main!(benches);
