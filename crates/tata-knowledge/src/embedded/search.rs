//! Reading the index.

use std::collections::{BTreeMap, HashMap};

use tantivy::{
    DocAddress, DocId, Searcher, TantivyDocument, Term,
    collector::{Count, DocSetCollector, TopDocs},
    columnar::Column,
    query::{
        AllQuery, Bm25StatisticsProvider, BooleanQuery, ConstScoreQuery, DisjunctionMaxQuery, EnableScoring,
        Occur, Query, TermQuery, TermSetQuery,
    },
    schema::{Field, IndexRecordOption},
};

use super::{
    Inner,
    schema::{Record, SOURCE},
    vectors::cosine,
};
use crate::{
    DocumentEntry, Hit, KnowledgeError, Lang, LexicalHits, LexicalQuery, Scope, Stats, WithVector,
    engine::check_filter,
    score::{LEAST_CHUNKS, idf},
};

/// How many more are looked at, so that of equals it is not chance who is among the best.
const TIES: usize = 8;

/// How many of the approximate best are scored exactly, for each that is wanted, and at least.
const AGAIN: (usize, usize) = (2, 20);

impl Inner {
    pub(super) fn document(&self, url: &str) -> Result<Option<DocumentEntry>, KnowledgeError> {
        let Some(searcher) = self.searcher()? else { return Ok(None) };
        let first = BooleanQuery::intersection(vec![
            Box::new(basic(self.fields.url_term(url))),
            Box::new(basic(Term::from_field_u64(self.fields.ordinal, 0))),
        ]);
        let found = searcher.search(&first, &TopDocs::with_limit(1).order_by_score())?;
        found.first().map(|(_, place)| Ok(self.fetch(&searcher, *place)?.0.entry)).transpose()
    }

    pub(super) fn documents(&self) -> Result<Vec<DocumentEntry>, KnowledgeError> {
        let Some(searcher) = self.searcher()? else { return Ok(Vec::new()) };
        let firsts = basic(Term::from_field_u64(self.fields.ordinal, 0));
        let mut places: Vec<DocAddress> = searcher.search(&firsts, &DocSetCollector)?.into_iter().collect();
        // In the order of the disk, so that each block is unpacked once.
        places.sort_unstable();
        let entry = |place: DocAddress| Ok(self.fetch(&searcher, place)?.0.entry);
        let mut entries = places.into_iter().map(entry).collect::<Result<Vec<_>, KnowledgeError>>()?;
        entries.sort_by(|a, b| a.url.cmp(&b.url));
        Ok(entries)
    }

    pub(super) fn chunks(&self, url: &str) -> Result<Vec<WithVector>, KnowledgeError> {
        let Some(searcher) = self.searcher()? else { return Ok(Vec::new()) };
        let places = searcher.search(&basic(self.fields.url_term(url)), &DocSetCollector)?;
        let mut chunks = Vec::with_capacity(places.len());
        for place in places {
            let (record, row) = self.fetch(&searcher, place)?;
            chunks.push((record.chunk, self.fields.exact(&row)));
        }
        chunks.sort_by_key(|(chunk, _)| chunk.ordinal);
        Ok(chunks)
    }

    pub(super) fn vectors(&self, hashes: &[String]) -> Result<BTreeMap<String, Vec<f32>>, KnowledgeError> {
        let mut found = BTreeMap::new();
        let Some(searcher) = self.searcher()? else { return Ok(found) };
        for hash in hashes {
            let query = basic(Term::from_field_text(self.fields.hash, hash));
            let places = searcher.search(&query, &TopDocs::with_limit(1).order_by_score())?;
            if let Some((_, place)) = places.first()
                && let Some(vector) = self.fields.exact(&searcher.doc(*place)?)
            {
                found.insert(hash.clone(), vector);
            }
        }
        Ok(found)
    }

    pub(super) fn lexical(&self, query: &LexicalQuery, scope: &Scope) -> Result<LexicalHits, KnowledgeError> {
        check_filter(&scope.filter)?;
        let searcher = self.needed()?;
        let all = searcher.total_num_docs()?;
        let term = |term: &String| Term::from_field_text(self.fields.body, term);
        let mut information = 0.0;
        let mut clauses: Vec<(Occur, Box<dyn Query>)> = Vec::new();
        for group in &query.groups {
            let mut weight: Option<f32> = None;
            for with in group.iter().map(|form| searcher.doc_freq(&term(form))) {
                let with = with?;
                if with > 0 {
                    weight = Some(weight.unwrap_or_default().max(idf(with, all)));
                }
            }
            information += weight.unwrap_or_else(|| idf(0, all));
            let scored = |form: &String| -> Box<dyn Query> {
                Box::new(TermQuery::new(term(form), IndexRecordOption::WithFreqs))
            };
            match group.as_slice() {
                _ if weight.is_none() => {}
                [form] => clauses.push((Occur::Should, scored(form))),
                forms => {
                    let forms = forms.iter().map(scored).collect();
                    clauses.push((Occur::Should, Box::new(DisjunctionMaxQuery::new(forms))));
                }
            }
        }
        if clauses.is_empty() || scope.limit == 0 {
            return Ok(LexicalHits { hits: Vec::new(), information });
        }
        let words = Box::new(BooleanQuery::new(clauses));
        let query: Box<dyn Query> = match self.filtered(scope) {
            Some(filter) => Box::new(BooleanQuery::new(vec![
                (Occur::Must, words),
                (Occur::Must, Box::new(ConstScoreQuery::new(filter, 0.0))),
            ])),
            None => words,
        };
        let mut limit = if scope.per_url == 0 { scope.limit + TIES } else { scope.limit * 3 + 10 };
        loop {
            let collector = TopDocs::with_limit(limit).order_by_score();
            let found = searcher.search_with_statistics_provider(&query, &collector, &Counts(&searcher))?;
            let full = found.len() == limit;
            let capped = capped(&searcher, found, scope)?;
            // Few documents with many hits hide the others.
            if capped.len() < scope.limit && full {
                limit *= 4;
                continue;
            }
            let mut hits = self.hits(&searcher, capped)?;
            // Equals by their documents: where a chunk lies depends on which thread wrote it.
            let key = |hit: &Hit| (hit.entry.url.clone(), hit.chunk.ordinal);
            hits.sort_by(|a, b| {
                rounded(b.score).total_cmp(&rounded(a.score)).then_with(|| key(a).cmp(&key(b)))
            });
            hits.truncate(scope.limit);
            return Ok(LexicalHits { hits, information });
        }
    }

    pub(super) fn dense(&self, vector: &[f32], scope: &Scope) -> Result<Vec<Hit>, KnowledgeError> {
        check_filter(&scope.filter)?;
        let searcher = self.needed()?;
        let filter = self.filtered(scope);
        let limit = (scope.limit * AGAIN.0).max(AGAIN.1) * if scope.per_url == 0 { 1 } else { 3 };
        let mut found: Vec<(f32, DocAddress)> = Vec::new();
        for (segment, reader) in (0_u32..).zip(searcher.segment_readers()) {
            let matrix = self.matrices.of(reader)?;
            let alive = |doc: DocId| reader.alive_bitset().is_none_or(|alive| alive.is_alive(doc));
            let best = if let Some(filter) = &filter {
                let mut allowed = vec![false; usize::try_from(reader.max_doc()).unwrap_or_default()];
                let weight = filter.weight(EnableScoring::disabled_from_searcher(&searcher))?;
                weight.for_each_no_score(reader, &mut |docs| {
                    for doc in docs {
                        if let Some(place) = usize::try_from(*doc).ok().and_then(|doc| allowed.get_mut(doc)) {
                            *place = true;
                        }
                    }
                })?;
                let passes = |doc: DocId| usize::try_from(doc).is_ok_and(|at| allowed.get(at) == Some(&true));
                matrix.best(vector, limit, |doc| passes(doc) && alive(doc))
            } else {
                matrix.best(vector, limit, alive)
            };
            found.extend(best.into_iter().map(|(score, doc)| (score, DocAddress::new(segment, doc))));
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        // Only what may still be shown is read from the disk.
        let again = Scope { limit: (scope.limit * AGAIN.0).max(AGAIN.1), ..scope.clone() };
        let mut found = capped(&searcher, found, &again)?;
        found.truncate(again.limit);
        for (score, place) in &mut found {
            let row: TantivyDocument = searcher.doc(*place)?;
            if let Some(exact) = self.fields.exact(&row) {
                *score = cosine(vector, &exact).max(0.0);
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut capped = capped(&searcher, found, scope)?;
        capped.truncate(scope.limit);
        self.hits(&searcher, capped)
    }

    pub(super) fn languages(&self) -> Result<Vec<(Option<Lang>, u64)>, KnowledgeError> {
        let Some(searcher) = self.searcher()? else { return Ok(Vec::new()) };
        let mut counts: HashMap<String, u64> = HashMap::new();
        for reader in searcher.segment_readers() {
            let index = reader.inverted_index(self.fields.facet)?;
            let read =
                |error: std::io::Error| KnowledgeError::store(format!("its terms cannot be read: {error}"));
            let mut terms = index.terms().range().ge("lang=").lt("lang>").into_stream().map_err(read)?;
            while terms.advance() {
                let code = String::from_utf8_lossy(terms.key()).trim_start_matches("lang=").to_owned();
                *counts.entry(code).or_default() += u64::from(terms.value().doc_freq);
            }
        }
        let mut counts: Vec<_> = counts.into_iter().map(|(code, count)| (Lang::find(&code), count)).collect();
        counts.sort_by_key(|(lang, count)| (std::cmp::Reverse(*count), *lang));
        Ok(counts)
    }

    pub(super) fn stats(&self) -> Result<Stats, KnowledgeError> {
        let Some(searcher) = self.searcher()? else { return Ok(Stats::default()) };
        let firsts = basic(Term::from_field_u64(self.fields.ordinal, 0));
        let mut vectors = 0;
        for reader in searcher.segment_readers() {
            vectors += u64::try_from(self.matrices.of(reader)?.count()).unwrap_or_default();
        }
        Ok(Stats {
            documents: u64::try_from(searcher.search(&firsts, &Count)?).unwrap_or_default(),
            chunks: u64::try_from(searcher.search(&AllQuery, &Count)?).unwrap_or_default(),
            vectors,
            bytes: self.bytes(),
        })
    }

    /// The filter as a query; nothing if everything passes.
    fn filtered(&self, scope: &Scope) -> Option<Box<dyn Query>> {
        if scope.filter.is_empty() {
            return None;
        }
        let clauses = scope.filter.iter().map(|(key, values)| -> Box<dyn Query> {
            Box::new(TermSetQuery::new(values.iter().map(|value| self.fields.facet_term(key, value))))
        });
        Some(Box::new(BooleanQuery::intersection(clauses.collect())))
    }

    fn hits(&self, searcher: &Searcher, places: Vec<(f32, DocAddress)>) -> Result<Vec<Hit>, KnowledgeError> {
        let hit = |(score, place)| {
            let Record { entry, chunk } = self.fetch(searcher, place)?.0;
            Ok(Hit { entry, chunk, score })
        };
        places.into_iter().map(hit).collect()
    }

    fn fetch(
        &self,
        searcher: &Searcher,
        place: DocAddress,
    ) -> Result<(Record, TantivyDocument), KnowledgeError> {
        let row: TantivyDocument = searcher.doc(place)?;
        Ok((self.fields.record(&row)?, row))
    }
}

/// The counts of an index, of a small one as if it had a hundred chunks of its usual length.
struct Counts<'s>(&'s Searcher);

impl Counts<'_> {
    fn chunks(&self) -> tantivy::Result<u64> {
        self.0.total_num_docs()
    }
}

impl Bm25StatisticsProvider for Counts<'_> {
    fn total_num_tokens(&self, field: Field) -> tantivy::Result<u64> {
        let (tokens, chunks) = (self.0.total_num_tokens(field)?, self.chunks()?.max(1));
        Ok(if chunks < LEAST_CHUNKS { tokens * LEAST_CHUNKS / chunks } else { tokens })
    }

    fn total_num_docs(&self) -> tantivy::Result<u64> {
        Ok(self.chunks()?.max(LEAST_CHUNKS))
    }

    fn doc_freq(&self, term: &Term) -> tantivy::Result<u64> {
        self.0.doc_freq(term)
    }
}

fn basic(term: Term) -> TermQuery {
    TermQuery::new(term, IndexRecordOption::Basic)
}

/// The documents of all chunks.
fn sources(searcher: &Searcher) -> Result<Sources, KnowledgeError> {
    let readers = searcher.segment_readers().iter();
    Ok(Sources(readers.map(|reader| reader.fast_fields().u64(SOURCE)).collect::<Result<Vec<_>, _>>()?))
}

/// Which document a chunk is of, by its place.
struct Sources(Vec<Column<u64>>);

impl Sources {
    fn of(&self, place: DocAddress) -> u64 {
        let column = usize::try_from(place.segment_ord).ok().and_then(|segment| self.0.get(segment));
        column.and_then(|column| column.first(place.doc_id)).unwrap_or_default()
    }
}

/// The parts of a score are added in any order, so that equals may differ in their last digits.
fn rounded(score: f32) -> f32 {
    (score * 1e4).round()
}

/// Keeps the best of each document, and of all.
fn capped(
    searcher: &Searcher,
    found: Vec<(f32, DocAddress)>,
    scope: &Scope,
) -> Result<Vec<(f32, DocAddress)>, KnowledgeError> {
    if scope.per_url == 0 {
        return Ok(with_equals(found, scope.limit));
    }
    let sources = sources(searcher)?;
    let mut counts: HashMap<u64, usize> = HashMap::new();
    let mut kept = Vec::with_capacity(scope.limit);
    for (score, place) in found {
        let count = counts.entry(sources.of(place)).or_default();
        *count += 1;
        if *count <= scope.per_url {
            kept.push((score, place));
        }
    }
    Ok(with_equals(kept, scope.limit))
}

/// The best, and those after them that are as good as the last.
fn with_equals(mut found: Vec<(f32, DocAddress)>, limit: usize) -> Vec<(f32, DocAddress)> {
    if let Some((last, _)) = limit.checked_sub(1).and_then(|at| found.get(at)).copied() {
        let kept = found.iter().take_while(|(score, _)| rounded(*score) >= rounded(last)).count();
        found.truncate(kept.max(limit));
    }
    found
}
