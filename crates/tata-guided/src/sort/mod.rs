//! Notes cut into lines and sentences, and put in their places by the person.
//!
//! Nothing is lost: every character that is not blank lies in exactly one piece. A place is proposed only where a
//! label or a heading makes it certain.

mod cut;
mod place;
mod sorting;
mod unit;

use tata_core::{Field, FieldKind, Form};
use tata_language::{Language, Span};

pub use self::{
    cut::first_label,
    place::Place,
    sorting::{BadSorting, Groups, Sorting},
};

/// What a piece of notes is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It says where what follows belongs, and is not sorted itself.
    Heading,
    /// It is sorted.
    Line,
}

/// A piece of notes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// All of it, with its bullet or label.
    pub span: Span,
    /// What it says, without them.
    pub content: Span,
    /// The words of `content`, as they stand.
    pub text: String,
    /// What it is.
    pub role: Role,
    /// Where it goes: proposed by its label or heading, or as the person said.
    pub place: Option<Place>,
}

/// Notes in pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// The pieces in order.
    pub pieces: Vec<Piece>,
}

impl Notes {
    /// Cuts notes.
    pub fn cut(text: &str, language: Language) -> Self {
        Self { pieces: cut::cut(text, language) }
    }

    /// The lines to sort, in order; the first has number 1.
    pub fn lines(&self) -> impl Iterator<Item = &Piece> {
        self.pieces.iter().filter(|piece| piece.role == Role::Line)
    }

    /// How many lines have no place yet.
    pub fn unsorted(&self) -> usize {
        self.lines().filter(|line| line.place.is_none()).count()
    }

    /// Puts lines where the person said. The rest goes to lines without a place.
    pub fn sort(&mut self, sorting: &Sorting) {
        let lines = self.pieces.iter_mut().filter(|piece| piece.role == Role::Line);
        for (at, line) in lines.enumerate() {
            let said = sorting.placed.get(&(at + 1)).copied();
            line.place = said.or(line.place).or(sorting.rest);
        }
    }

    /// One field for each line, with its span and the proposed place, for programs.
    pub fn form(&self) -> Form {
        let field = |(at, line): (usize, &Piece)| {
            let mut field = Field::new(format!("line_{}", at + 1), FieldKind::Choice, line.text.clone())
                .choices(Place::ALL.map(Place::name))
                .about(line.content.start, line.content.end);
            field.proposed = line.place.map(|place| place.name().into());
            field
        };
        Form::new(self.lines().enumerate().map(field).collect())
    }
}
