//! What the kernel says about the readers that a test's programs have started.

use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

/// The processes that read files and were started below another one.
pub(super) fn readers_below(ancestor: u32) -> Vec<u32> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    numbers.filter(|number| is_reader(*number) && is_below(*number, ancestor)).collect()
}

fn is_reader(process: u32) -> bool {
    let line = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
    line.split(|byte| *byte == 0).nth(1) == Some(b"read-files")
}

fn is_below(process: u32, ancestor: u32) -> bool {
    let mut process = process;
    while process > 1 {
        if process == ancestor {
            return true;
        }
        let about = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        // The name of the program, in brackets, may hold anything.
        let parent = about.rsplit(") ").next().and_then(|rest| rest.split(' ').nth(1));
        let Some(parent) = parent.and_then(|parent| parent.parse().ok()) else { return false };
        process = parent;
    }
    false
}

/// Bytes of memory that a process has in use.
fn resident(process: u32) -> u64 {
    let about = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = about.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes: u64 =
        line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or_default();
    kilobytes * 1024
}

/// Looks at the readers below a process many times a second.
pub(super) struct Watch {
    peak: Arc<AtomicU64>,
    end: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    pub(super) fn start(ancestor: u32) -> Self {
        let (peak, end) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let (seen, ended) = (Arc::clone(&peak), Arc::clone(&end));
        let thread = thread::spawn(move || {
            while !ended.load(Ordering::Relaxed) {
                let sum = readers_below(ancestor).into_iter().map(resident).sum();
                seen.fetch_max(sum, Ordering::Relaxed);
                thread::sleep(Duration::from_millis(10));
            }
        });
        Self { peak, end, thread: Some(thread) }
    }

    /// The most that all of them had at one moment.
    pub(super) fn peak(mut self) -> u64 {
        self.end.store(true, Ordering::Relaxed);
        self.thread.take().unwrap().join().unwrap();
        self.peak.load(Ordering::Relaxed)
    }
}
