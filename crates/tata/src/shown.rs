//! Stored documents on the screen: as they are, wrapped at its width.

use std::io;

use tata_core::Artifact;
use tata_document::{Document, Inks};
use tata_recruit::{Kind, rendered};

use crate::terminal::{BOLD, DIM, NOTE, Terminal};

/// The width of what is no screen.
const USUAL_WIDTH: usize = 100;

/// A stored document as people read it; nothing for what is no document, such as the settings of a project.
pub(crate) fn document(artifact: &Artifact) -> Option<Document> {
    let kind = Kind::find(artifact.name.kind.as_str()).filter(|kind| *kind != Kind::ProjectSettings)?;
    rendered(kind, &serde_json::from_str(artifact.json.as_str()).ok()?)
}

/// Shows a document on standard output.
pub(crate) fn show(document: &Document, terminal: &Terminal) -> io::Result<()> {
    let text = document.terminal(width(), &inks());
    io::Write::write_all(&mut terminal.out(), format!("{}\n", text.trim_end()).as_bytes())
}

fn width() -> usize {
    terminal_size::terminal_size().map_or(USUAL_WIDTH, |(width, _)| usize::from(width.0))
}

/// Our own marks: the terminal decides what becomes of them.
fn inks() -> Inks {
    let bold = [format!("{BOLD}"), format!("{BOLD:#}")];
    Inks {
        strong: bold.clone(),
        emphasis: bold,
        link: [String::new(), String::new()],
        faint: [format!("{DIM}"), format!("{DIM:#}")],
        warning: [format!("{NOTE}"), format!("{NOTE:#}")],
    }
}
