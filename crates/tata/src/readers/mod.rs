//! Files are read by strangers: each parser of foreign bytes works in a process of its own, with limits that the kernel
//! keeps. `client.rs` starts such a process and talks with it, `queue.rs` says whose turn it is, `process.rs` is that
//! process, `rlimits.rs` what it may have. Whatever a file does to its reader (a stack that overflows, memory that is not
//! there, no end), this program gets an ordinary `ReadError`.

mod client;
mod process;
mod queue;
mod rlimits;

pub(crate) use self::{
    client::{OneEach, Series},
    process::serve,
    queue::Owner,
};

/// The hidden command by which this program starts itself as a reader.
pub(crate) const COMMAND: &str = "read-files";

/// How many readers work at once. Two of them stay below 300 MB together.
const PLACES: usize = 2;

/// The memory that a reader may write to, its stacks included.
const MEMORY: usize = 115 * 1024 * 1024;

/// The longest answer of a reader: text within its limit, and the marks around it.
const LONGEST_ANSWER: usize = 40 * 1024 * 1024;

/// The first line of a request, before the bytes of the file.
#[derive(serde::Serialize, serde::Deserialize)]
struct Head {
    /// What is wanted.
    request: tata_document::ReadRequest,
    /// How many bytes follow.
    bytes: usize,
}
