//! Stored documents on the screen: as they are, wrapped at its width.

use std::io;

use tata_core::Artifact;
use tata_document::{Document, Inks};
use tata_recruit::{GermanForm, Kind, Language, Texts, Voice, rendered};

use crate::terminal::{BOLD, DIM, NOTE, Terminal};

/// The width of what is no screen.
const USUAL_WIDTH: usize = 100;

/// A stored document as people read it; nothing for what is no document, such as the settings of a project.
pub(crate) fn document(artifact: &Artifact) -> Option<Document> {
    let kind = Kind::find(artifact.name.kind.as_str()).filter(|kind| *kind != Kind::ProjectSettings)?;
    rendered(kind, &serde_json::from_str(artifact.json.as_str()).ok()?)
}

/// The words of a language.
pub(crate) fn texts(language: &str) -> &'static Texts {
    Texts::of(Voice::new(Language::wished(language).unwrap_or_default(), GermanForm::default()))
}

/// What a tool or a kind of document is called: as the document it is about, else in plain words.
pub(crate) fn tool_name(name: &str, language: &str) -> String {
    let about = name.strip_prefix("create_").or_else(|| name.strip_prefix("edit_")).unwrap_or(name);
    let found = Kind::find(about).or_else(|| Kind::find(&format!("{about}s")));
    if let Some(kind) = found.filter(|kind| *kind != Kind::ProjectSettings) {
        return kind.display(texts(language)).to_owned();
    }
    let words = name.replace(['_', '-'], " ");
    let mut letters = words.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// A document as the screen shows it.
pub(crate) fn wrapped(document: &Document) -> String {
    document.terminal(width(), &inks())
}

/// Shows a document on standard output.
pub(crate) fn show(document: &Document, terminal: &Terminal) -> io::Result<()> {
    let text = wrapped(document);
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
