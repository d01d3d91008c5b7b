//! Files in, blocks out.
//!
//! [`read`] turns the bytes of a file into a [`Reading`]: headings, paragraphs, list items, rows of tables, with the page
//! each stands on. One file of `read/` knows one format. What a hostile file may cost is written down once, in
//! [`Limits`], and a file that asks for more ends in a [`ReadError`] which names the limit.
//!
//! This crate knows nothing of sessions, of recruiting or of what a document is for.

mod block;
mod error;
mod format;
mod limits;
mod read;

pub use self::{
    block::{Block, BlockKind, Reading},
    error::ReadError,
    format::{Format, Hint},
    limits::Limits,
    read::{decode, read},
};
