//! The embedded engine: one tantivy index holds the words, the vectors and the metadata, so that one commit covers all.

mod directory;
mod renew;
mod schema;
mod search;
mod vectors;

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tantivy::{
    Index, IndexReader, IndexSettings, IndexWriter, ReloadPolicy, Searcher, SegmentMeta, TantivyDocument,
    TantivyError, directory::error::LockError, index::SegmentId,
};

use self::{directory::RowsOnDisk, schema::Fields, vectors::Matrices};
use crate::{
    DocumentEntry, Engine, Hit, KnowledgeError, Lang, LexicalHits, LexicalQuery, Manifest, Prepared, Scope,
    Stats, WithVector, engine::EngineFuture,
};

/// Memory for rows that are not on disk yet, of all threads together.
const BUFFER: usize = 96 * 1024 * 1024;
const THREADS: usize = 2;
/// The least a writer takes, for one that adds no rows.
const SMALL_BUFFER: usize = 16 * 1024 * 1024;
/// Bytes that are packed together.
const BLOCK: usize = 4 * 1024;

/// An index in a folder.
#[derive(Clone)]
pub struct Embedded {
    inner: Arc<Inner>,
}

struct Inner {
    folder: PathBuf,
    fields: Fields,
    open: Mutex<Option<Open>>,
    /// Held from the first change to [`Engine::finish`]: it locks other writers out.
    writer: Mutex<Option<IndexWriter>>,
    matrices: Matrices,
}

#[derive(Clone)]
struct Open {
    index: Index,
    reader: IndexReader,
}

impl Embedded {
    /// An index in this folder, which need not exist yet.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        let (_, fields) = Fields::schema();
        let inner = Inner {
            folder: folder.into(),
            fields,
            open: Mutex::default(),
            writer: Mutex::default(),
            matrices: Matrices::default(),
        };
        Self { inner: Arc::new(inner) }
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Inner) -> Result<T, KnowledgeError> + Send + 'static,
    ) -> Result<T, KnowledgeError> {
        let inner = Arc::clone(&self.inner);
        let done = tokio::task::spawn_blocking(move || work(&inner)).await;
        done.map_err(|error| KnowledgeError::store(format!("writing broke down: {error}")))?
    }
}

impl Inner {
    /// The index, opened once; nothing if there is none.
    fn open(&self) -> Result<Option<Open>, KnowledgeError> {
        let mut open = lock(&self.open);
        if let Some(open) = &*open {
            return Ok(Some(open.clone()));
        }
        self.recover();
        if !self.folder.join("meta.json").is_file() {
            return Ok(None);
        }
        let index = Index::open(self.directory()?)?;
        let (schema, _) = Fields::schema();
        if index.schema() != schema {
            let wanted = Manifest::current(None).layout;
            let payload = index.load_metas()?.payload.unwrap_or_default();
            let found = serde_json::from_str(&payload).map_or(0, |manifest: Manifest| manifest.layout);
            return Err(KnowledgeError::OtherVersion { found, wanted });
        }
        Ok(Some(Self::opened(&mut open, index)?))
    }

    fn directory(&self) -> Result<RowsOnDisk, KnowledgeError> {
        RowsOnDisk::open(&self.folder).map_err(|error| unreachable_folder(&self.folder, &error))
    }

    fn opened(open: &mut Option<Open>, mut index: Index) -> Result<Open, KnowledgeError> {
        // The pieces of an index are searched side by side.
        index.set_multithread_executor(THREADS)?;
        let builder = index.reader_builder().reload_policy(ReloadPolicy::OnCommitWithDelay);
        let reader: IndexReader = builder.try_into()?;
        let opened = Open { index, reader };
        *open = Some(opened.clone());
        Ok(opened)
    }

    fn open_or_create(&self) -> Result<Open, KnowledgeError> {
        if let Some(open) = self.open()? {
            return Ok(open);
        }
        private_folder(&self.folder).map_err(|error| unreachable_folder(&self.folder, &error))?;
        let (schema, _) = Fields::schema();
        // A hit unpacks the block it lies in: small ones are quicker to have.
        let settings = IndexSettings { docstore_blocksize: BLOCK, ..IndexSettings::default() };
        let index = Index::builder().schema(schema).settings(settings).open_or_create(self.directory()?)?;
        Self::opened(&mut lock(&self.open), index)
    }

    /// What readers see now.
    fn searcher(&self) -> Result<Option<Searcher>, KnowledgeError> {
        Ok(self.open()?.map(|open| open.reader.searcher()))
    }

    fn needed(&self) -> Result<Searcher, KnowledgeError> {
        self.searcher()?.ok_or_else(|| KnowledgeError::NoIndex(self.folder.clone()))
    }

    fn manifest(&self) -> Result<Option<Manifest>, KnowledgeError> {
        let Some(open) = self.open()? else { return Ok(None) };
        let Some(payload) = open.index.load_metas()?.payload else { return Ok(None) };
        let manifest = serde_json::from_str(&payload);
        manifest.map(Some).map_err(|error| KnowledgeError::store(format!("its manifest is damaged: {error}")))
    }

    /// Changes rows and commits them with the manifest: all of it is seen, or nothing.
    fn change(
        &self,
        manifest: &Manifest,
        change: impl FnOnce(&IndexWriter) -> Result<(), KnowledgeError>,
    ) -> Result<(), KnowledgeError> {
        let open = self.open_or_create()?;
        let mut writer = lock(&self.writer);
        if writer.is_none() {
            let opened = open.index.writer_with_num_threads(THREADS, BUFFER);
            let opened = opened.map_err(|error| self.locked(error))?;
            // A process that was killed may have left files of a commit that never was; the next would stumble over them.
            opened.garbage_collect_files().wait()?;
            *writer = Some(opened);
        }
        let Some(open_writer) = writer.as_mut() else {
            return Err(KnowledgeError::Locked(self.folder.clone()));
        };
        let payload = serde_json::to_string(manifest)
            .map_err(|error| KnowledgeError::store(format!("the manifest cannot be written: {error}")))?;
        let changed = change(open_writer).and_then(|()| {
            let mut commit = open_writer.prepare_commit()?;
            commit.set_payload(&payload);
            commit.commit()?;
            Ok(())
        });
        if let Err(error) = changed {
            // What was begun is forgotten; the writer may be broken, so it goes too.
            *writer = None;
            return Err(error);
        }
        drop(writer);
        open.reader.reload()?;
        self.matrices.keep(open.reader.searcher().segment_readers());
        Ok(())
    }

    /// Finding the terms is most of the work, so it is shared out. The rows of a document may come in any order.
    fn add(&self, writer: &IndexWriter, documents: &[Prepared]) -> Result<(), KnowledgeError> {
        let add = |documents: &[Prepared]| {
            for document in documents {
                let lang = document.lang();
                for (chunk, vector) in &document.chunks {
                    writer.add_document(self.fields.row(lang, &document.entry, chunk, vector.as_deref()))?;
                }
            }
            Ok(())
        };
        if documents.len() < THREADS {
            return add(documents);
        }
        let share = documents.len().div_ceil(THREADS);
        std::thread::scope(|scope| {
            let shares: Vec<_> =
                documents.chunks(share).map(|share| scope.spawn(move || add(share))).collect();
            shares.into_iter().try_for_each(|share| {
                share.join().unwrap_or_else(|_| Err(KnowledgeError::store("writing broke down")))
            })
        })
    }

    /// Writes the segments anew that hold rows which were removed or replaced: until then no search finds such a row, and its
    /// words still stand in the files.
    fn expunge(&self, open: &Open) -> Result<(), KnowledgeError> {
        let marked = || -> Result<Vec<SegmentId>, TantivyError> {
            let segments = open.index.searchable_segment_metas()?;
            Ok(segments.iter().filter(|segment| segment.has_deletes()).map(SegmentMeta::id).collect())
        };
        if marked()?.is_empty() {
            return Ok(());
        }
        let mut writer = match open.index.writer_with_num_threads::<TantivyDocument>(1, SMALL_BUFFER) {
            Ok(writer) => writer,
            // Another process writes: what it finishes with does the same.
            Err(TantivyError::LockFailure(LockError::LockBusy, _)) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        // Each by itself: what is left of large ones need not become one larger one.
        for segment in marked()? {
            writer.merge(&[segment]).wait()?;
        }
        // The files stay as long as a reader has them open.
        open.reader.reload()?;
        self.matrices.keep(open.reader.searcher().segment_readers());
        writer.garbage_collect_files().wait()?;
        writer.wait_merging_threads()?;
        Ok(())
    }

    fn locked(&self, error: TantivyError) -> KnowledgeError {
        if matches!(error, TantivyError::LockFailure(LockError::LockBusy, _)) {
            KnowledgeError::Locked(self.folder.clone())
        } else {
            error.into()
        }
    }

    /// Bytes of all files of the index.
    fn bytes(&self) -> Option<u64> {
        let files = fs::read_dir(&self.folder).ok()?;
        Some(files.flatten().filter_map(|file| file.metadata().ok()).map(|metadata| metadata.len()).sum())
    }
}

impl Engine for Embedded {
    fn manifest(&self) -> EngineFuture<'_, Option<Manifest>> {
        Box::pin(async { self.inner.manifest() })
    }

    fn replace<'a>(&'a self, documents: Vec<Prepared>, manifest: &'a Manifest) -> EngineFuture<'a, ()> {
        let manifest = manifest.clone();
        Box::pin(self.blocking(move |inner| {
            inner.change(&manifest, |writer| {
                for document in &documents {
                    writer.delete_term(inner.fields.url_term(&document.entry.url));
                }
                inner.add(writer, &documents)
            })
        }))
    }

    fn rebuild<'a>(&'a self, documents: Vec<Prepared>, manifest: &'a Manifest) -> EngineFuture<'a, ()> {
        let manifest = manifest.clone();
        Box::pin(self.blocking(move |inner| {
            if inner.renew(&documents, &manifest)? {
                return Ok(());
            }
            inner.change(&manifest, |writer| {
                writer.delete_all_documents()?;
                inner.add(writer, &documents)
            })
        }))
    }

    fn remove<'a>(&'a self, urls: &'a [String]) -> EngineFuture<'a, ()> {
        let urls = urls.to_vec();
        Box::pin(self.blocking(move |inner| {
            let Some(manifest) = inner.manifest()? else { return Ok(()) };
            inner.change(&manifest, |writer| {
                for url in &urls {
                    writer.delete_term(inner.fields.url_term(url));
                }
                Ok(())
            })
        }))
    }

    fn finish(&self) -> EngineFuture<'_, ()> {
        Box::pin(self.blocking(|inner| {
            // Held to the end: whoever changes the index meanwhile would be told that another process does.
            let mut writer = lock(&inner.writer);
            if let Some(writer) = writer.take() {
                writer.wait_merging_threads()?;
            }
            let Some(open) = inner.open()? else { return Ok(()) };
            inner.expunge(&open)?;
            drop(writer);
            open.reader.reload()?;
            inner.matrices.keep(open.reader.searcher().segment_readers());
            Ok(())
        }))
    }

    fn document<'a>(&'a self, url: &'a str) -> EngineFuture<'a, Option<DocumentEntry>> {
        Box::pin(async move { self.inner.document(url) })
    }

    fn documents(&self) -> EngineFuture<'_, Vec<DocumentEntry>> {
        Box::pin(async { self.inner.documents() })
    }

    fn chunks<'a>(&'a self, url: &'a str) -> EngineFuture<'a, Vec<WithVector>> {
        Box::pin(async move { self.inner.chunks(url) })
    }

    fn all(&self) -> EngineFuture<'_, Vec<Prepared>> {
        Box::pin(self.blocking(Inner::all))
    }

    fn vectors<'a>(
        &'a self,
        hashes: &'a [String],
    ) -> EngineFuture<'a, std::collections::BTreeMap<String, Vec<f32>>> {
        Box::pin(async move { self.inner.vectors(hashes) })
    }

    fn lexical<'a>(&'a self, query: &'a LexicalQuery, scope: &'a Scope) -> EngineFuture<'a, LexicalHits> {
        Box::pin(async move { self.inner.lexical(query, scope) })
    }

    fn dense<'a>(&'a self, vector: &'a [f32], scope: &'a Scope) -> EngineFuture<'a, Vec<Hit>> {
        Box::pin(async move { self.inner.dense(vector, scope) })
    }

    fn languages(&self) -> EngineFuture<'_, Vec<(Option<Lang>, u64)>> {
        Box::pin(async { self.inner.languages() })
    }

    fn stats(&self) -> EngineFuture<'_, Stats> {
        Box::pin(async { self.inner.stats() })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes a folder, and those above it, that only their owner may enter: an index holds the text of the documents.
fn private_folder(path: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

fn unreachable_folder(folder: &Path, error: &dyn std::error::Error) -> KnowledgeError {
    KnowledgeError::Unreachable { place: folder.display().to_string(), message: error.to_string() }
}
