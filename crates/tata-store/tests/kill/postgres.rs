//! Postgres for these tests: a database of the test server, or a whole server of our own to be mistreated.

use std::{
    fs,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// A fresh database on the test server.
pub(crate) fn fresh_database(name: &str) -> Option<String> {
    let admin = tata_testkit::store::postgres_url()?;
    let name = format!("tata_{name}_{:x}", fastrand::u64(..));
    let made =
        Command::new("psql").args(["-qc", &format!("CREATE DATABASE {name}"), &admin]).status().unwrap();
    assert!(made.success(), "psql could not create {name}");
    let (start, _) = admin.rsplit_once('/').unwrap();
    Some(format!("{start}/{name}"))
}

/// A server of our own.
pub(crate) struct Cluster {
    bin: PathBuf,
    data: PathBuf,
    port: u16,
}

impl Cluster {
    /// Starts one; none, loudly, when Postgres is not installed.
    pub(crate) fn start() -> Option<Self> {
        // The same condition as for the other tests: whoever runs them without a server is told so.
        tata_testkit::store::postgres_url()?;
        let bin = binaries().expect("a Postgres server is given, so its programs are installed");
        let home = std::env::temp_dir().join(format!("tata-postgres-{:x}", fastrand::u64(..)));
        fs::create_dir_all(&home).unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let cluster = Self { bin, data: home.join("data"), port };
        if is_root() {
            // The server refuses to run as root.
            assert!(Command::new("chown").args(["postgres"]).arg(&home).status().unwrap().success());
        }
        cluster.run("initdb", &["-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync"]);
        cluster.control(&["start", "-w", "-l", &home.join("log").display().to_string()]);
        Some(cluster)
    }

    pub(crate) fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    /// As if the power had gone: no shutdown, recovery at the start.
    pub(crate) fn restart_immediately(&self) {
        let log = self.data.with_file_name("log").display().to_string();
        self.control(&["restart", "-m", "immediate", "-w", "-l", &log]);
    }

    fn control(&self, arguments: &[&str]) {
        let options =
            format!("-p {} -c listen_addresses=127.0.0.1 -k {}", self.port, std::env::temp_dir().display());
        let mut all = arguments.to_vec();
        if arguments.first() != Some(&"stop") {
            all.extend(["-o", &options]);
        }
        self.run("pg_ctl", &all);
    }

    fn run(&self, program: &str, arguments: &[&str]) {
        let path = self.bin.join(program);
        let mut command = if is_root() {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--"]).arg(path);
            command
        } else {
            Command::new(path)
        };
        let status =
            command.arg("-D").arg(&self.data).args(arguments).stdout(Stdio::null()).status().unwrap();
        assert!(status.success(), "{program} {arguments:?} failed");
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.control(&["stop", "-m", "immediate"]);
        }
        let _ = fs::remove_dir_all(self.data.parent().unwrap_or(Path::new("/nonexistent")));
    }
}

fn is_root() -> bool {
    nix::unistd::Uid::effective().is_root()
}

/// Where the server's programs are: Debian keeps them out of the path.
fn binaries() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").ok()?;
    let mut found: Vec<PathBuf> = versions.filter_map(|entry| Some(entry.ok()?.path().join("bin"))).collect();
    found.retain(|bin| bin.join("pg_ctl").is_file());
    found.sort();
    found.pop()
}
