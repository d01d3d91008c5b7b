//! The bad server, and what it leaves behind.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use tata_mcp::{ClientOptions, McpClient, Reach, ServerConfig};

/// A folder for one test.
pub(crate) struct Scene {
    pub(crate) folder: PathBuf,
}

static SCENES: AtomicU32 = AtomicU32::new(0);

impl Scene {
    pub(crate) fn new() -> Arc<Self> {
        let number = SCENES.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("tata-mcp-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Arc::new(Self { folder })
    }

    /// The server, told to behave in this way.
    pub(crate) fn server(&self, way: &str) -> ServerConfig {
        let args = vec![self.folder.display().to_string(), way.to_owned()];
        self.command(&example("rogue").display().to_string(), args)
    }

    pub(crate) fn command(&self, command: &str, args: Vec<String>) -> ServerConfig {
        let reach = Reach::Program {
            command: command.to_owned(),
            args,
            env: BTreeMap::new(),
            cwd: Some(self.folder.clone()),
        };
        ServerConfig { name: "rogue".to_owned(), reach }
    }

    pub(crate) fn client(&self, way: &str) -> McpClient {
        McpClient::new(self.server(way), options())
    }

    /// The tools that really ran, in order.
    pub(crate) fn calls(&self) -> Vec<String> {
        self.lines("calls")
    }

    pub(crate) fn lines(&self, file: &str) -> Vec<String> {
        let text = fs::read_to_string(self.folder.join(file)).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// The processes that were started here and are still in the process table, dead or alive.
    pub(crate) fn in_process_table(&self) -> Vec<String> {
        self.lines("pids").into_iter().filter(|pid| Path::new("/proc").join(pid).exists()).collect()
    }

    /// Waits until nothing that was started here is left.
    pub(crate) async fn nothing_is_left(&self) {
        let begun = Instant::now();
        while !self.in_process_table().is_empty() {
            assert!(begun.elapsed() < Duration::from_secs(15), "left behind: {:?}", self.in_process_table());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert!(!self.lines("pids").is_empty(), "nothing was started at all");
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.folder));
    }
}

pub(crate) fn options() -> ClientOptions {
    ClientOptions { connect_time: Duration::from_secs(20), ..ClientOptions::default() }
}

/// An example of this crate, which cargo builds with the tests.
pub(crate) fn example(name: &str) -> PathBuf {
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    let path = path.join("examples").join(name);
    assert!(path.exists(), "{} is not built: cargo build -p tata-mcp --examples", path.display());
    path
}
