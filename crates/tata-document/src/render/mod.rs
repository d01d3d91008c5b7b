//! Documents as text: one file a form.

mod html;
mod markdown;
mod plain;
mod svg;
mod terminal;
mod wrap;

pub use self::terminal::Inks;
pub(crate) use self::{
    html::escaped as escaped_html,
    svg::{described, pictures},
};

/// How many blocks the longest bar of a chart has where there is no other measure.
const BAR: u64 = 30;

fn lines(lines: impl IntoIterator<Item = String>) -> String {
    lines.into_iter().collect::<Vec<_>>().join("\n")
}
