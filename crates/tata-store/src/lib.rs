//! Where sessions live: in memory, in one SQLite file, or in Postgres.
//!
//! Three stores fill the same ports of `tata-core` and pass the same contract suite (`tata_testkit::store`):
//!
//! - [`MemoryStore`] keeps everything in this process: for tests, and for conversations nobody wants to keep.
//! - [`SqliteStore`] keeps one file, which several processes of one machine may share.
//! - [`PostgresStore`] lets many replicas share one database.
//!
//! This crate saves and loads. It does **not** know agents, models or tools, what a journal entry means beyond what
//! [`tata_core::Batch`] counts, who may see a session, or where its database comes from: it reads no configuration
//! and no environment. No other crate knows SQL.

mod change;
mod failure;
mod inspect;
mod memory;
mod postgres;
mod raw;
mod rows;
mod search;
mod sql;
mod sqlite;
mod version;

pub use memory::MemoryStore;
pub use postgres::PostgresStore;
pub use sqlite::SqliteStore;
pub use version::DatabaseVersion;
