//! What the modules promise, over all languages.

mod invite;
mod profiles;
mod project;
