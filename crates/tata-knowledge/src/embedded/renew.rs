//! An index of another version of this program: its rows are read all the same, and written anew beside it.

use std::{collections::BTreeMap, fs, path::Path, sync::Arc};

use tantivy::{
    DocAddress, Index, TantivyDocument,
    collector::DocSetCollector,
    directory::{Directory, INDEX_WRITER_LOCK},
    query::AllQuery,
    schema::Value as _,
};

use super::{
    Embedded, Inner, lock,
    schema::{Fields, RECORD, Record},
    unreachable_folder,
};
use crate::{KnowledgeError, Manifest, Prepared};

impl Inner {
    /// The index, of whatever version, if it is not one of this program's.
    fn of_another_version(&self) -> Result<Option<Index>, KnowledgeError> {
        if !self.folder.join("meta.json").is_file() {
            return Ok(None);
        }
        let index = Index::open(self.directory()?)?;
        Ok((index.schema() != Fields::schema().0).then_some(index))
    }

    /// All documents, also those of an index that cannot be searched any more.
    pub(super) fn all(&self) -> Result<Vec<Prepared>, KnowledgeError> {
        let Some(index) = self.of_another_version()? else {
            let entries = self.documents()?.into_iter();
            return entries.map(|entry| Ok(Prepared { chunks: self.chunks(&entry.url)?, entry })).collect();
        };
        let record = index.schema().get_field(RECORD)?;
        let searcher = index.reader()?.searcher();
        let mut places: Vec<DocAddress> = searcher.search(&AllQuery, &DocSetCollector)?.into_iter().collect();
        places.sort_unstable();
        let mut documents: BTreeMap<String, Prepared> = BTreeMap::new();
        for place in places {
            let row: TantivyDocument = searcher.doc(place)?;
            let text = row.get_first(record).and_then(|value| value.as_str().map(str::to_owned));
            let Record { entry, chunk } = Record::read(text.as_deref())?;
            let empty = || Prepared { entry: entry.clone(), chunks: Vec::new() };
            documents.entry(entry.url.clone()).or_insert_with(empty).chunks.push((chunk, None));
        }
        for document in documents.values_mut() {
            document.chunks.sort_by_key(|(chunk, _)| chunk.ordinal);
        }
        Ok(documents.into_values().collect())
    }

    /// Writes an index of another version anew, if it is one: whoever is stopped on the way still has the old one.
    pub(super) fn renew(&self, documents: &[Prepared], manifest: &Manifest) -> Result<bool, KnowledgeError> {
        let Some(old) = self.of_another_version()? else { return Ok(false) };
        let failed = |error: std::io::Error| unreachable_folder(&self.folder, &error);
        // Nobody else may write meanwhile.
        let held = old.directory().acquire_lock(&INDEX_WRITER_LOCK);
        let held = held.map_err(|_| KnowledgeError::Locked(self.folder.clone()))?;
        let (beside, before) =
            (self.folder.with_added_extension("new"), self.folder.with_added_extension("old"));
        for left in [&beside, &before] {
            remove(left).map_err(failed)?;
        }
        let fresh = Arc::clone(&Embedded::new(&beside).inner);
        fresh.change(manifest, |writer| fresh.add(writer, documents))?;
        if let Some(writer) = lock(&fresh.writer).take() {
            writer.wait_merging_threads()?;
        }
        drop((fresh, held, old));
        fs::rename(&self.folder, &before).map_err(failed)?;
        fs::rename(&beside, &self.folder).map_err(failed)?;
        remove(&before).map_err(failed)?;
        *lock(&self.open) = None;
        Ok(true)
    }

    /// Brings an index back that was set aside by a process that did not live to put the new one in its place.
    pub(super) fn recover(&self) {
        let before = self.folder.with_added_extension("old");
        if !self.folder.exists() && before.join("meta.json").is_file() {
            // If this fails, the folder is still missing, and that is what is said.
            let _ = fs::rename(before, &self.folder);
        }
    }
}

fn remove(folder: &Path) -> std::io::Result<()> {
    if folder.exists() { fs::remove_dir_all(folder) } else { Ok(()) }
}
