//! Why somebody did not get in.

/// Why somebody did not get in by way of the directory. People read which of these it was, the log reads the rest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OidcError {
    /// An address that cannot be used.
    #[error("{0}")]
    Setup(String),
    /// The directory does not answer, or not as it should.
    #[error("the directory: {0}")]
    Directory(String),
    /// What came back is not what was sent, or too late.
    #[error("the way back: {0}")]
    Stray(&'static str),
    /// What the directory signed does not hold.
    #[error("the directory's token: {0}")]
    Token(String),
    /// Known to the directory, but not let in here.
    #[error("not let in: {0}")]
    NotAllowed(&'static str),
}
