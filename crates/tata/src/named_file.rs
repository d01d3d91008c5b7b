//! Files that people name by their path. All of them are opened here: a device never ends, a pipe that nobody writes to
//! waits for ever, and neither says so before it is opened.

use std::{
    fmt,
    fs::{self, File},
    io::{self, Read as _},
    path::Path,
};

/// Why a file was not read.
#[derive(Debug)]
pub(crate) enum NotRead {
    /// The system says why.
    Failed(io::Error),
    /// It is a folder.
    Folder,
    /// It is a pipe or a device.
    NoFile,
    /// It has more bytes than are read: how many, as far as is known, and how many are the most.
    TooLarge { size: Option<u64>, most: u64 },
}

impl fmt::Display for NotRead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(error) => error.fmt(f),
            Self::Folder => f.write_str("it is a folder"),
            Self::NoFile => f.write_str("it is a pipe or a device and no file"),
            Self::TooLarge { size: Some(size), most } => {
                write!(f, "it has {size} bytes, and {most} is the most")
            }
            Self::TooLarge { size: None, most } => {
                write!(f, "it has more than {most} bytes, which is the most")
            }
        }
    }
}

impl From<NotRead> for io::Error {
    fn from(why: NotRead) -> Self {
        match why {
            NotRead::Failed(error) => error,
            why @ (NotRead::Folder | NotRead::NoFile | NotRead::TooLarge { .. }) => {
                Self::other(why.to_string())
            }
        }
    }
}

/// Opens a file. A pipe is one only where the shell made it, for `<(command)`.
pub(crate) fn open(path: &Path) -> Result<File, NotRead> {
    // Asked before it is opened: to open a pipe that nobody writes to would wait for ever.
    let kind = fs::metadata(path).map_err(NotRead::Failed)?;
    if kind.is_dir() {
        return Err(NotRead::Folder);
    }
    if !(kind.is_file() || is_pipe(&kind) && is_of_the_shell(path)) {
        return Err(NotRead::NoFile);
    }
    File::open(path).map_err(NotRead::Failed)
}

/// The bytes of a file that has at most so many.
pub(crate) fn bytes(path: &Path, most: u64) -> Result<Vec<u8>, NotRead> {
    let file = open(path)?;
    let size = file.metadata().map_err(NotRead::Failed)?.len();
    if size > most {
        return Err(NotRead::TooLarge { size: Some(size), most });
    }
    bounded(file, most)
}

/// The same where somebody may keep it in a pipe, such as a secret; whoever names that waits for who writes to it.
pub(crate) fn bytes_of_any_pipe(path: &Path, most: u64) -> Result<Vec<u8>, NotRead> {
    let kind = fs::metadata(path).map_err(NotRead::Failed)?;
    if !is_pipe(&kind) {
        return bytes(path, most);
    }
    bounded(File::open(path).map_err(NotRead::Failed)?, most)
}

/// A file can grow while it is read, and a pipe has no size.
fn bounded(file: File, most: u64) -> Result<Vec<u8>, NotRead> {
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(NotRead::Failed)?;
    if u64::try_from(bytes.len()).is_ok_and(|size| size > most) {
        return Err(NotRead::TooLarge { size: None, most });
    }
    Ok(bytes)
}

/// Whether a path is one that a shell writes for `<(command)`.
fn is_of_the_shell(path: &Path) -> bool {
    let folder = path
        .parent()
        .is_some_and(|folder| ["/dev/fd", "/proc/self/fd"].iter().any(|known| folder == Path::new(known)));
    let number = path
        .file_name()
        .and_then(|name| name.to_str())
        .is_some_and(|name| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()));
    folder && number
}

#[cfg(unix)]
fn is_pipe(kind: &fs::Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&kind.file_type())
}

#[cfg(not(unix))]
fn is_pipe(_: &fs::Metadata) -> bool {
    false
}
