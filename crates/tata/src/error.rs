//! What commands fail with. What helps is told by `explain`, how the program ends by `exit`.

use tata_core::{Damage, SessionId};

/// Wrong usage that clap cannot see.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct UsageError(pub(crate) String);

/// Somebody pressed Ctrl-C while a file was read.
#[derive(Debug, thiserror::Error)]
#[error("stopped before the file was read")]
pub(crate) struct Stopped;

/// Something broke down that nobody thought of.
#[derive(Debug, thiserror::Error)]
#[error(
    "something unexpected happened (code {0}); what was stored is safe, and the log has the details under this code"
)]
pub(crate) struct Unexpected(pub(crate) String);

/// A conversation that is not there, or not the only one.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UnknownSession {
    #[error("There is no conversation {0:?}.")]
    NotFound(String),
    #[error("{count} conversations begin with {wish:?}.")]
    Several { wish: String, count: usize },
    #[error("There is no conversation yet.")]
    None,
}

impl UnknownSession {
    pub(crate) fn hint(&self) -> String {
        match self {
            Self::NotFound(_) => "`tata session list` shows all.".to_owned(),
            Self::Several { .. } => "Give more of the id; `tata session list` shows all.".to_owned(),
            Self::None => "`tata` begins one.".to_owned(),
        }
    }
}

/// A conversation whose row cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("This conversation cannot be read: {}", .0.iter().map(ToString::to_string).collect::<String>())]
pub(crate) struct DamagedSession(pub(crate) Vec<Damage>);

impl DamagedSession {
    pub(crate) fn hints(&self) -> Vec<String> {
        self.0.iter().map(Damage::remedy).collect()
    }
}

/// A tool that is not there.
#[derive(Debug, thiserror::Error)]
#[error("There is no tool {name:?}.")]
pub(crate) struct UnknownTool {
    pub(crate) name: String,
    pub(crate) near: Vec<String>,
}

impl UnknownTool {
    pub(crate) fn hint(&self) -> String {
        match self.near.as_slice() {
            [] => "`tata run` lists them.".to_owned(),
            near => format!("Did you mean {}? `tata run` lists all.", near.join(", ")),
        }
    }
}

/// A document, or a version of one, that is not there.
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub(crate) struct UnknownDocument {
    pub(crate) what: String,
    pub(crate) hint: String,
}

/// A conversation in which a person must decide first.
#[derive(Debug, thiserror::Error)]
#[error("A person must decide before this can go on.")]
pub(crate) struct Undecided(pub(crate) SessionId);

impl Undecided {
    pub(crate) fn hint(&self) -> String {
        let id = self.0;
        format!(
            "`tata session show {id}` shows what is asked; `tata session resume {id} --decide CALL=run` decides."
        )
    }
}

/// There is no such document in a collection.
#[derive(Debug, thiserror::Error)]
#[error("there is no document {0:?}; `tata docs list` names them")]
pub(crate) struct NoDocument(pub(crate) String);
