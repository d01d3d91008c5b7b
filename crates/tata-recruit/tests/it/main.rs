//! What the modules promise, over all languages.

mod profiles;
mod screening;
