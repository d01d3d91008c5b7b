//! What a database says about itself.

/// An engine and the schema in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseVersion {
    /// The engine with its version, e.g. `SQLite 3.51.3`.
    pub engine: String,
    /// The version of our schema, counted from 1.
    pub schema: i64,
}
