//! kill -9: a child runs turns, is killed again and again, and nothing that was promised is lost (R1, R3).
//!
//! *An acknowledged message is never lost, a finished step is never repeated, an uncertain step is never repeated
//! silently.* The child is this very test binary, started with a job in its environment. `TATA_KILLS` sets how many
//! kills each engine gets; 100 are shared by both when it is not set.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::wildcard_enum_match_arm,
    reason = "a test: it stops at the first surprise"
)]

mod child;
mod judge;
mod postgres;
mod supervisor;
mod world;

use supervisor::Supervisor;
use world::{Engine, kills};

/// The child's whole life. Not a test: the supervisor starts it.
#[test]
#[ignore = "started by the other tests as a child process"]
fn child() {
    child::live();
}

#[test]
fn kills_lose_nothing_on_sqlite() {
    let mut supervisor = Supervisor::new(Engine::sqlite());
    supervisor.kill(kills());
    supervisor.judge();
}

#[test]
fn kills_lose_nothing_on_postgres() {
    let Some(engine) = Engine::postgres("kills") else { return };
    let mut supervisor = Supervisor::new(engine);
    supervisor.kill(kills());
    supervisor.judge();
}

#[test]
fn two_processes_share_a_session_without_mixing_their_turns() {
    let Some(engine) = Engine::postgres("replicas") else { return };
    let mut supervisor = Supervisor::new(engine);
    supervisor.run_two_replicas();
    supervisor.judge();
}

#[test]
fn two_processes_share_an_sqlite_file() {
    let mut supervisor = Supervisor::new(Engine::sqlite());
    supervisor.run_two_replicas();
    supervisor.judge();
}

/// A process that was stopped past its lease wakes up and finds that it may not write.
#[test]
fn a_process_that_slept_past_its_lease_cannot_write() {
    let Some(engine) = Engine::postgres("sleeper") else { return };
    let mut supervisor = Supervisor::new(engine);
    supervisor.put_one_to_sleep();
    supervisor.judge();
}

#[test]
fn a_database_that_restarts_at_once_loses_nothing() {
    let Some(cluster) = postgres::Cluster::start() else { return };
    let mut supervisor = Supervisor::new(Engine::Postgres(cluster.url()));
    supervisor.run_while(|| cluster.restart_immediately(), 3);
    supervisor.judge();
}
