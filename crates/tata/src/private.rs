//! Files that only their owner can read: they hold conversations.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write},
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
};

use anyhow::{Context, bail};

/// Tells the files apart that this process has not put into their places yet.
static WRITTEN: AtomicU64 = AtomicU64::new(0);

/// Writes a file that only its owner can read. It is written beside its place and put there when it is whole, so that one
/// that was there is replaced, with its rights, and never half. Links and what is no file are refused: they lead elsewhere.
pub(crate) fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    write_bytes(path, text.as_bytes())
}

/// The same for any bytes.
pub(crate) fn write_bytes(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let shown = path.display();
    match fs::symlink_metadata(path) {
        Ok(there) if there.is_symlink() => {
            bail!("{shown} is a link, and what is written would go where it leads; name the file itself")
        }
        Ok(there) if !there.is_file() => {
            bail!("{shown} is not a file; name one, or leave the name out for standard output")
        }
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(error).with_context(|| format!("{shown} cannot be written"));
        }
        Ok(_) | Err(_) => {}
    }
    let Some(name) = path.file_name() else { bail!("{shown} is not the name of a file") };
    // Two may write the same file at once: each has a place of its own until it is whole.
    let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
    let mut beside = std::ffi::OsString::from(".");
    beside.push(name);
    beside.push(format!(".{}-{number}.part", std::process::id()));
    let beside = path.with_file_name(beside);
    let written = write_new(&beside, bytes).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        drop(fs::remove_file(&beside));
    }
    written.with_context(|| format!("{shown} cannot be written"))
}

/// Whether a name is that of what [`write_bytes`] had not put into its place yet.
pub(crate) fn is_half_written(name: &std::ffi::OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.starts_with(b".") && name.ends_with(b".part")
}

/// From now on, what is made without further words is for its owner alone.
pub(crate) fn by_default() {
    #[cfg(unix)]
    nix::sys::stat::umask(nix::sys::stat::Mode::from_bits_truncate(0o077));
}

/// Makes a folder, and those above it, that only their owner may enter.
pub(crate) fn folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Takes from everybody else the right to a folder and all that is in it, as earlier versions made them. Links are left
/// alone: they lead elsewhere. What cannot be changed is said in the log.
#[cfg(unix)]
pub(crate) fn mend(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;

    let mut open = vec![path.to_owned()];
    while let Some(path) = open.pop() {
        let Ok(found) = fs::symlink_metadata(&path) else { continue };
        let wanted = match () {
            () if found.is_dir() => 0o700,
            () if found.is_file() => 0o600,
            () => continue,
        };
        if found.permissions().mode() & 0o077 != 0
            && let Err(error) = fs::set_permissions(&path, fs::Permissions::from_mode(wanted))
        {
            tracing::warn!(path = %path.display(), %error, "others may read this, and it could not be changed");
        }
        if found.is_dir() {
            open.extend(fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path()));
        }
    }
}

#[cfg(not(unix))]
pub(crate) fn mend(_: &Path) {}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}
