//! What an ad costs: the inclusion review, the review of its parts, the gate that every text passes, and telling its
//! language.

use std::{fs, hint::black_box, path::Path};
use tata_language::identify::identify;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use jiff::Timestamp;
use tata_recruit::{
    Audience, DiReviewInput, Gate, GermanForm, JobAdReviewInput, Language, Project, Voice, create_di_review,
    create_job_ad_review,
};

fn ad(language: Language) -> String {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ads").join(format!("{}-1.md", language.code()));
    fs::read_to_string(path).unwrap_or_default()
}

fn reviews(criterion: &mut Criterion) {
    let (project, now) = (Project::default(), Timestamp::default());
    for language in Language::ALL {
        let text = ad(language);
        let gate = Gate {
            voice: Voice::new(language, GermanForm::Sie),
            audience: Audience::Candidates,
            verbatim: &["GlobalConnect", "Network Operations Center"],
        };
        let mut group = criterion.benchmark_group(language.code());
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function("inclusion", |bencher| {
            bencher.iter(|| {
                let input = DiReviewInput { job_ad_text: Some(text.clone()), ..DiReviewInput::default() };
                create_di_review(black_box(input), &project, now)
            });
        });
        group.bench_function("ad", |bencher| {
            bencher.iter(|| {
                let input =
                    JobAdReviewInput { job_ad_text: Some(text.clone()), ..JobAdReviewInput::default() };
                create_job_ad_review(black_box(input), &project, now)
            });
        });
        group.bench_function("gate", |bencher| bencher.iter(|| gate.check(black_box(&text))));
        group.bench_function("language", |bencher| bencher.iter(|| identify(black_box(&text))));
        group.finish();
    }
}

criterion_group!(benches, reviews);
criterion_main!(benches);
