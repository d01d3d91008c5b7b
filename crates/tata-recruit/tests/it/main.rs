//! What the modules promise, over all languages.

mod headhunting;
mod profiles;
