//! Where documents come from.

use std::{
    fs,
    path::{Path, PathBuf},
};

use tata_document::{Format, Hint, Limits};
use url::Url;

use super::{Failure, hint};
use crate::{Fetcher, KnowledgeError, address::address_of_file};

/// Folders inside folders.
const DEEPEST: usize = 64;
/// Files of one folder.
const MOST_FILES: usize = 1_000_000;

/// A file, a folder, a page or a sitemap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A file, or all files in a folder.
    Path(PathBuf),
    /// A page.
    Page(String),
    /// All pages of a sitemap.
    Sitemap(String),
}

impl Source {
    /// What a person wrote: an address, or a path.
    pub fn parse(text: &str) -> Self {
        let lower = text.to_ascii_lowercase();
        if !lower.starts_with("http://") && !lower.starts_with("https://") {
            return Self::Path(PathBuf::from(text));
        }
        let path = Url::parse(text).map(|url| url.path().to_ascii_lowercase()).unwrap_or_default();
        let file = path.rsplit('/').next().unwrap_or_default();
        let xml = Path::new(file).extension().is_some_and(|end| end.eq_ignore_ascii_case("xml"));
        if file.contains("sitemap") && xml {
            Self::Sitemap(text.to_owned())
        } else {
            Self::Page(text.to_owned())
        }
    }
}

/// One document to be.
pub(super) struct Item {
    pub(super) url: String,
    /// The source it came through.
    pub(super) source: String,
    place: Place,
}

enum Place {
    File(PathBuf),
    Page,
}

/// A document's bytes and what is known of them.
pub(super) struct Loaded {
    pub(super) bytes: Vec<u8>,
    pub(super) hint: Hint,
}

impl Item {
    pub(super) async fn load(&self, fetcher: &Fetcher, limits: &Limits) -> Result<Loaded, KnowledgeError> {
        match &self.place {
            Place::File(path) => {
                let (path, most) = (path.clone(), limits.bytes);
                let loaded = tokio::task::spawn_blocking(move || load_file(&path, most)).await;
                loaded.map_err(|error| KnowledgeError::store(format!("reading broke down: {error}")))?
            }
            Place::Page => {
                let page = fetcher.fetch(&self.url).await?;
                Ok(Loaded { bytes: page.bytes, hint: hint(&self.url, page.media_type) })
            }
        }
    }
}

/// The bytes of a file that is not too large.
fn load_file(path: &Path, most: usize) -> Result<Loaded, KnowledgeError> {
    let unreachable =
        |message: String| KnowledgeError::Unreachable { place: path.display().to_string(), message };
    let failed = |error: std::io::Error| unreachable(error.to_string());
    let size = usize::try_from(fs::metadata(path).map_err(failed)?.len()).unwrap_or(usize::MAX);
    if size > most {
        return Err(unreachable(format!("it has {size} bytes, more than the {most} that are read")));
    }
    // The reader of the file needs its ending and nothing of where it lies.
    let own = path.file_name().unwrap_or_default().to_string_lossy();
    Ok(Loaded { bytes: fs::read(path).map_err(failed)?, hint: hint(&own, None) })
}

/// What all sources hold.
#[derive(Default)]
pub(super) struct Listed {
    pub(super) items: Vec<Item>,
    /// The sources that could be listed whole: only these are pruned.
    pub(super) whole: Vec<String>,
    pub(super) failures: Vec<Failure>,
    pub(super) notes: Vec<String>,
}

pub(super) async fn list(sources: &[Source], fetcher: &Fetcher) -> Listed {
    let mut listed = Listed::default();
    for source in sources {
        match source {
            Source::Path(path) => listed.path(path),
            Source::Page(url) => {
                listed.items.push(Item { url: url.clone(), source: url.clone(), place: Place::Page });
            }
            Source::Sitemap(url) => match fetcher.sitemap(url).await {
                Ok((pages, notes)) => {
                    // With a note something is missing: what is missing is not gone.
                    if notes.is_empty() {
                        listed.whole.push(url.clone());
                    }
                    let item = |page| Item { url: page, source: url.clone(), place: Place::Page };
                    listed.items.extend(pages.into_iter().map(item));
                    listed.notes.extend(notes);
                }
                Err(error) => listed.failures.push(Failure { place: url.clone(), reason: error.to_string() }),
            },
        }
    }
    listed
}

impl Listed {
    fn fail(&mut self, path: &Path, error: &std::io::Error) {
        self.failures.push(Failure { place: path.display().to_string(), reason: error.to_string() });
    }

    fn path(&mut self, path: &Path) {
        let root = match fs::canonicalize(path) {
            Ok(root) => root,
            Err(error) => return self.fail(path, &error),
        };
        let source = address(&root);
        if root.is_file() {
            self.items.push(Item { url: source.clone(), source, place: Place::File(root) });
            return;
        }
        let failures = self.failures.len();
        let mut files = Vec::new();
        let mut ignored = 0_usize;
        let mut open = vec![(root.clone(), 0)];
        while let Some((folder, depth)) = open.pop() {
            let entries = match fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(error) => {
                    self.fail(&folder, &error);
                    continue;
                }
            };
            for entry in entries.flatten() {
                let path = entry.path();
                let hidden = entry.file_name().to_string_lossy().starts_with('.');
                // A link may lead anywhere, also in a circle.
                let Ok(kind) = entry.file_type() else { continue };
                let known =
                    path.extension().and_then(|end| end.to_str()).and_then(Format::of_ending).is_some();
                match () {
                    () if hidden || kind.is_symlink() => {}
                    () if kind.is_dir() && depth < DEEPEST => open.push((path, depth + 1)),
                    () if kind.is_file() && known && files.len() < MOST_FILES => files.push(path),
                    () => ignored += 1,
                }
            }
        }
        if ignored > 0 {
            self.notes.push(format!("{}: {ignored} files of kinds that are not read", root.display()));
        }
        if self.failures.len() == failures {
            self.whole.push(source.clone());
        }
        files.sort();
        let item =
            |path: PathBuf| Item { url: address(&path), source: source.clone(), place: Place::File(path) };
        self.items.extend(files.into_iter().map(item));
    }
}

/// A file as an address.
fn address(path: &Path) -> String {
    if !path.is_dir() {
        return address_of_file(path);
    }
    Url::from_directory_path(path).map_or_else(|()| path.display().to_string(), |url| url.to_string())
}
