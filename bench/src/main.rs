//! What a turn costs: CPU, latency and memory, beside a hand-written reqwest loop in the same run.
//!
//! One turn is a request, one tool call, and a second request that answers in 50 pieces. The upstream is another
//! process on loopback that sends each answer in one burst. Every contender is a process of its own, so that its CPU
//! time is its own; the rounds alternate. Noise only ever adds, so the least of the rounds counts; the median is
//! printed beside it.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::wildcard_enum_match_arm,
    reason = "a program for developers: it stops at the first surprise"
)]

mod disk;
mod growth;
mod guided;
mod load;
mod measure;
mod ours;
mod raw;
mod review;
mod texts;
mod upstream;

use std::{
    process::{Child, Command, Stdio},
    time::Duration,
};

use disk::Folder;
use measure::{Figures, least, median, percentile, resident_bytes};

const HELP: &str = "\
What a turn costs: CPU, latency and memory, beside a hand-written reqwest loop in the same run.

Usage: cargo run --profile dist -p tata-bench [-- OPTIONS | COMMAND]

Commands:
  review        what a review of a job ad costs
  guided        what a turn of the guided model costs
  load PROGRAM  what many conversations at once cost `PROGRAM serve` (--sessions 1000 --seconds 60 --rate 30 --idle 0)
  growth        what a turn costs in a session that has had 10, 100, 1,000 or 5,000
  texts         what long texts and long conversations cost, and whether that grows

Options:
  --turns N     turns of a round, 1000 unless told
  --rounds N    rounds to compare CPU times by, 15 unless told: about a minute
  --help        this text

Contenders: raw (the hand-written loop), memory and sqlite (the agent with its journal there), decode (our wire alone).
For latency also: kept (the hand-written loop with two pages made durable) and no-disk (SQLite on a file in memory).";

/// Who runs turns.
const CONTENDERS: [&str; 4] = ["raw", "memory", "sqlite", "decode"];
const CONCURRENCY: usize = 64;
const STREAMS: usize = 1_000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["upstream", kind] => run(upstream::serve(upstream::Kind::named(kind))),
        ["contend", who, address, turns, at_once] => {
            contend(who, address, turns.parse().unwrap(), at_once.parse().unwrap());
        }
        ["review"] => review::report(),
        ["guided"] => guided::report(),
        ["texts"] => texts::report(),
        ["growth"] => growth::report(),
        ["load", program, options @ ..] => match load::Wish::read(options) {
            Some(wish) => load::report(program, wish),
            None => println!("{HELP}"),
        },
        ["hold", address, streams] => hold(address, streams.parse().unwrap()),
        options => match turns_and_rounds(options) {
            Some((turns, rounds)) => report(turns, rounds),
            None => println!("{HELP}"),
        },
    }
}

fn turns_and_rounds(options: &[&str]) -> Option<(usize, usize)> {
    let (mut turns, mut rounds) = (1_000, 15);
    for option in options.chunks(2) {
        let &[name, count] = option else { return None };
        let count = count.parse().ok().filter(|count| *count > 0)?;
        match name {
            "--turns" => turns = count,
            "--rounds" => rounds = count,
            _ => return None,
        }
    }
    Some((turns, rounds))
}

fn run<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

/// A contender's process: runs turns, then prints its figures.
fn contend(who: &str, address: &str, turns: usize, at_once: usize) {
    let figures = run(async {
        // Connections, caches and the allocator warm up first.
        let warm = at_once * 2;
        match who {
            "raw" | "kept" => {
                let pages = (who == "kept").then(disk::Pages::new);
                let contender = raw::Raw::new(address, pages);
                measure::turns(warm, at_once, || contender.turn()).await;
                measure::turns(turns, at_once, || contender.turn()).await
            }
            "decode" => {
                let contender = ours::Requests::new(address);
                measure::turns(warm, at_once, || contender.turn()).await;
                measure::turns(turns, at_once, || contender.turn()).await
            }
            "memory" | "sqlite" | "no-disk" => {
                let folder = match who {
                    "sqlite" => Some(Folder::on_disk()),
                    "no-disk" => Some(Folder::in_memory()),
                    _ => None,
                };
                let contender = ours::Ours::new(address, folder).await;
                contender.prepare(warm + turns).await;
                measure::turns(warm, at_once, || contender.turn()).await;
                measure::turns(turns, at_once, || contender.turn()).await
            }
            other => panic!("there is no contender {other}"),
        }
    });
    println!("{}", figures.to_line());
}

/// Opens streams that stay in the middle of an answer, and prints what each costs in memory.
fn hold(address: &str, streams: usize) {
    run(async {
        let ours = ours::Ours::new(address, None).await;
        let (before, own) = resident_bytes();
        ours.prepare(streams).await;
        let held = ours.hold(streams).await;
        let each = resident_bytes().0.saturating_sub(before) / streams;
        println!("{before} {own} {each}");
        drop(held);
    });
}

fn report(turns: usize, rounds: usize) {
    let (mut upstream, address) = start_upstream("burst");
    println!("{turns} turns, {rounds} rounds, {CONCURRENCY} at once; CPU seconds per 1,000 turns");
    let mut cpu: Vec<Vec<f64>> = vec![Vec::new(); CONTENDERS.len()];
    for _ in 0..rounds {
        for (who, cpu) in CONTENDERS.iter().zip(&mut cpu) {
            let figures = contender(who, &address, turns, CONCURRENCY);
            cpu.push(figures.cpu_seconds * 1_000.0 / figures.turns);
        }
    }
    let raw = cpu.first().cloned().unwrap_or_default();
    for (who, cpu) in CONTENDERS.iter().zip(&cpu) {
        let ratios: Vec<f64> = cpu.iter().zip(&raw).map(|(own, raw)| own / raw).collect();
        let (own, least) = (least(cpu), least(&raw));
        println!(
            "  {who:<7} {own:.3} s   {:.2} x raw   (median of the rounds {:.2})",
            own / least,
            median(&ratios)
        );
    }
    println!("latency of one turn at a time, {turns} turns, the best of three rounds");
    report_latencies(&address, turns);
    upstream.kill().unwrap();
    let (mut upstream, address) = start_upstream("thinking");
    println!(
        "the same, {} turns, when the model thinks for {:?} before each answer",
        turns / 2,
        upstream::THINKS
    );
    report_latencies(&address, turns / 2);
    upstream.kill().unwrap();
    println!("the disk alone, one page overwritten and synced");
    for pause in [Duration::ZERO, Duration::from_micros(100), upstream::THINKS] {
        let syncs = disk::syncs(turns / 2, pause);
        let (median, worst) = (percentile(&syncs, 0.5), percentile(&syncs, 0.99));
        println!("  after {pause:<5?} p50 {median:.3} ms   p99 {worst:.3} ms");
    }
    let (mut upstream, address) = start_upstream("held");
    let said = output(&["hold", &address, &STREAMS.to_string()]);
    let kilobytes: Vec<u64> =
        said.split_whitespace().map(|text| text.parse::<u64>().unwrap() / 1024).collect();
    println!(
        "memory: process {} KB, of which {} KB are its own; each of {STREAMS} streaming sessions {} KB",
        kilobytes[0], kilobytes[1], kilobytes[2]
    );
    upstream.kill().unwrap();
}

/// How long a turn takes, beside the raw loop.
fn report_latencies(address: &str, turns: usize) {
    let best = |who: &str| {
        let rounds = (0..3).map(|_| contender(who, address, turns, 1));
        rounds.min_by(|a, b| percentile(&a.latencies, 0.5).total_cmp(&percentile(&b.latencies, 0.5))).unwrap()
    };
    let raw = best("raw");
    let no_disk = disk::has_memory().then_some("no-disk");
    for who in CONTENDERS.into_iter().chain(["kept"]).chain(no_disk) {
        let own = best(who);
        let added = |share: f64| percentile(&own.latencies, share) - percentile(&raw.latencies, share);
        println!(
            "  {who:<7} p50 {:.3} ms (added {:+.3})   p99 {:.3} ms (added {:+.3})",
            percentile(&own.latencies, 0.5),
            added(0.5),
            percentile(&own.latencies, 0.99),
            added(0.99)
        );
    }
}

fn contender(who: &str, address: &str, turns: usize, at_once: usize) -> Figures {
    Figures::from_line(&output(&["contend", who, address, &turns.to_string(), &at_once.to_string()]))
}

fn output(arguments: &[&str]) -> String {
    let own = std::env::current_exe().unwrap();
    let output = Command::new(own).args(arguments).stderr(Stdio::inherit()).output().unwrap();
    assert!(output.status.success(), "{arguments:?} failed");
    String::from_utf8(output.stdout).unwrap()
}

/// Starts the upstream and reads the address it prints.
fn start_upstream(kind: &str) -> (Child, String) {
    use std::io::BufRead;
    let own = std::env::current_exe().unwrap();
    let mut child = Command::new(own).args(["upstream", kind]).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    std::io::BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (child, line.trim().to_owned())
}
