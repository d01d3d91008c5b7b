//! What a turn costs in a session that has had many: the journal is long, the request is cut to its budget.

use crate::{
    disk::Folder,
    measure::{self, least},
    ours::Ours,
    run, start_upstream,
};

/// Turns before those that are measured.
const BEFORE: [usize; 4] = [10, 100, 1_000, 5_000];
/// Turns that are measured, so often.
const MEASURED: usize = 40;
const ROUNDS: usize = 3;

/// Measures and prints.
pub(crate) fn report() {
    let (mut upstream, address) = start_upstream("burst");
    println!(
        "CPU milliseconds of a turn after so many in its session, the least of {ROUNDS} rounds of {MEASURED}"
    );
    for kind in ["memory", "sqlite"] {
        let mut first = None;
        for before in BEFORE {
            let cost = run(cost(&address, kind, before)) * 1e3;
            let first = *first.get_or_insert(cost);
            println!("  {kind:<7} {before:>5} turns   {cost:>7.3} ms   {:.2} x", cost / first);
        }
    }
    upstream.kill().unwrap();
}

async fn cost(address: &str, kind: &str, before: usize) -> f64 {
    let folder = (kind == "sqlite").then(Folder::on_disk);
    let contender = Ours::new(address, folder).await;
    contender.prepare_one(before + MEASURED * ROUNDS).await;
    measure::turns(before, 1, || contender.turn()).await;
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        let figures = measure::turns(MEASURED, 1, || contender.turn()).await;
        rounds.push(figures.cpu_seconds / figures.turns);
    }
    least(&rounds)
}
