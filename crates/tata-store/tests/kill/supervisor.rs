//! Starts children, kills them, and asks the judge.

use std::{
    collections::HashMap,
    path::PathBuf,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{self, Signal},
    unistd::Pid,
};

use crate::{
    child::WORKERS,
    judge,
    world::{Engine, LEASE, folder, lines},
};

/// Every place where a process may die with something half done.
const FAIL_POINTS: [&str; 7] = [
    "turn::before_append",
    "turn::after_append",
    "turn::before_model",
    "turn::after_model",
    "turn::before_tool",
    "turn::after_tool",
    "{engine}::before_commit",
];

pub(crate) struct Supervisor {
    engine: Engine,
    folder: PathBuf,
    kills: u32,
    /// How often each step had run when it was first seen finished.
    finished: HashMap<String, u32>,
}

impl Supervisor {
    pub(crate) fn new(engine: Engine) -> Self {
        Self { engine, folder: folder(), kills: 0, finished: HashMap::new() }
    }

    /// Kills a child so often: half of the times at a random moment, half at a fail point.
    pub(crate) fn kill(&mut self, times: u32) {
        let engine = if matches!(self.engine, Engine::Sqlite(_)) { "sqlite" } else { "postgres" };
        let mut points: Vec<String> = FAIL_POINTS.map(|point| point.replace("{engine}", engine)).to_vec();
        points.push(format!("{engine}::after_commit"));
        // Between an act and its audit entry, and around the commit of both.
        points.push(format!("{engine}::before_entry"));
        if engine == "postgres" {
            points.extend(["before_act_commit", "after_act_commit"].map(|at| format!("postgres::{at}")));
        }
        for round in 0..times {
            let mut command = self.child();
            let at_point = round % 2 == 0;
            if at_point {
                let point = &points[(round / 2) as usize % points.len()];
                command.env("KILL_DIES_AT", format!("{point}={}", fastrand::u32(1..25)));
            }
            let ready = lines(&self.folder.join("ready")).len();
            let mut child = command.spawn().unwrap();
            if !at_point {
                // From the first moment on: opening, finishing what is open and working can all be hit.
                self.wait_until(&mut child, |folder| {
                    lines(&folder.join("ready")).len() > ready || fastrand::u8(..) < 2
                });
                thread::sleep(Duration::from_micros(fastrand::u64(0..60_000)));
                signal::kill(pid(&child), Signal::SIGKILL).unwrap();
            }
            end(&mut child);
            self.kills += 1;
            if round % 10 == 9 {
                judge::remember_finished(&self.engine, &self.folder, &mut self.finished);
            }
        }
    }

    /// Two processes at once on the same sessions. Nobody dies here, so the leases are as long as real ones: a machine whose
    /// disk stands still for a second loses none.
    pub(crate) fn run_two_replicas(&mut self) {
        let replica = || self.child().env("KILL_TURNS", "12").env("KILL_LEASE", "30000").spawn().unwrap();
        let mut both: [Child; 2] = [replica(), replica()];
        both.iter_mut().for_each(finished);
        let shared = lines(&self.folder.join("done")).len();
        let broken = lines(&self.folder.join("broken"));
        assert_eq!(shared, 2 * WORKERS * 12, "every turn of both processes ended, but for {broken:?}");
    }

    /// One process is stopped for longer than its leases last, with a step that has begun and not yet changed the
    /// world. Another takes over and, as a person decides, takes that step. The first one wakes up and must not.
    pub(crate) fn put_one_to_sleep(&mut self) {
        // Slow tools: there is time to stop it before the effect.
        let mut sleeper = self.child().env("KILL_PAUSE", "150").env("KILL_TURNS", "6").spawn().unwrap();
        self.wait_until(&mut sleeper, |folder| {
            let done = lines(&folder.join("effects"));
            lines(&folder.join("begun")).iter().any(|line| line.starts_with("send ") && !done.contains(line))
        });
        signal::kill(pid(&sleeper), Signal::SIGSTOP).unwrap();
        let done = lines(&self.folder.join("effects"));
        let begun: Vec<String> = lines(&self.folder.join("begun"));
        assert!(
            begun.iter().any(|line| line.starts_with("send ") && !done.contains(line)),
            "stopped too late"
        );
        thread::sleep(LEASE + Duration::from_millis(300));
        let open = judge::open_turns(&self.engine);
        assert!(!open.is_empty(), "the sleeper was stopped in a turn");
        let mut other = self.child().env("KILL_ONLY_FINISH", "1").spawn().unwrap();
        finished(&mut other);
        signal::kill(pid(&sleeper), Signal::SIGCONT).unwrap();
        finished(&mut sleeper);
        let refused = lines(&self.folder.join("broken"));
        let lost = refused.iter().filter(|line| line.ends_with("lease_lost")).count();
        assert!(lost >= 1, "the sleeper was refused: {refused:?}");
    }

    /// Runs two children while `disturb` is done so many times.
    pub(crate) fn run_while(&mut self, disturb: impl Fn(), times: u32) {
        let mut both: Vec<Child> = (0..2).map(|_| self.child().spawn().unwrap()).collect();
        for child in &mut both {
            self.wait_until(child, |folder| lines(&folder.join("acks")).len() >= 6);
        }
        for _ in 0..times {
            let before = lines(&self.folder.join("done")).len();
            disturb();
            // They must come back by themselves.
            for child in &mut both {
                self.wait_until(child, |folder| lines(&folder.join("done")).len() >= before + 10);
            }
        }
        for child in &mut both {
            // Clerks toss a coin whether they delete; where they did a few things only, that may be never.
            self.wait_until(child, |folder| {
                lines(&folder.join("acts")).iter().any(|act| act.starts_with("session.deleted"))
            });
        }
        for child in &mut both {
            signal::kill(pid(child), Signal::SIGKILL).unwrap();
            end(child);
        }
        self.kills += 2;
    }

    /// Lets a last child finish what is open, then checks every promise.
    pub(crate) fn judge(&mut self) {
        let mut last = self.child().env("KILL_ONLY_FINISH", "1").spawn().unwrap();
        finished(&mut last);
        judge::remember_finished(&self.engine, &self.folder, &mut self.finished);
        let verdict = judge::judge(&self.engine, &self.folder);
        eprintln!("{} kills: {verdict}", self.kills);
        let _ = std::fs::remove_dir_all(&self.folder);
        if let Engine::Sqlite(path) = &self.engine {
            let _ = path.parent().map(std::fs::remove_dir_all);
        }
    }

    fn child(&self) -> Command {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "child", "--ignored", "--nocapture"]);
        command.env("KILL_ENGINE", self.engine.as_text()).env("KILL_FOLDER", &self.folder);
        command.env_remove("KILL_DIES_AT").env_remove("NEXTEST_EXECUTION_MODE");
        command.stdout(Stdio::null());
        command
    }

    fn wait_until(&self, child: &mut Child, seen: impl Fn(&PathBuf) -> bool) {
        let patience = Instant::now() + Duration::from_mins(1);
        while !seen(&self.folder) {
            assert!(Instant::now() < patience, "a child is stuck");
            assert!(child.try_wait().unwrap().is_none(), "a child ended by itself");
            thread::sleep(Duration::from_millis(2));
        }
    }
}

fn pid(child: &Child) -> Pid {
    Pid::from_raw(i32::try_from(child.id()).unwrap())
}

/// Waits for a child that is killed, or that kills itself at its fail point. One whose point is never passed is killed.
fn end(child: &mut Child) {
    let patience = Instant::now() + Duration::from_secs(5);
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > patience {
            child.kill().unwrap();
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// Waits for a child that ends by itself, and well.
fn finished(child: &mut Child) {
    let patience = Instant::now() + Duration::from_mins(2);
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success(), "a child failed: {status}");
            return;
        }
        assert!(Instant::now() < patience, "a turn is stuck");
        thread::sleep(Duration::from_millis(10));
    }
}
