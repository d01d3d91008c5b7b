//! What the modules promise, over all languages.

mod funnel;
mod profiles;
