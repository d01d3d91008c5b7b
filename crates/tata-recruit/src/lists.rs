//! Word lists of `data/`, made into Rust by the build. Each is sorted.

include!(concat!(env!("OUT_DIR"), "/lists.rs"));
