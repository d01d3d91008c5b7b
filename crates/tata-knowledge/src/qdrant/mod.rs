//! Qdrant, for what is too large for one machine: the same terms, the same scores, the same rules.
//!
//! The collection is reached through an alias, so that a rebuilt one takes its place in one step. Words are sparse
//! vectors of our own terms with the server's idf; their BM25 weights are computed here.

mod search;
mod wire;

use std::{collections::BTreeMap, time::SystemTime};

use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Value, json};

use self::wire::{chunk_only, point, url_filter};
use crate::{
    DocumentEntry, Engine, Hit, KnowledgeError, Lang, LexicalHits, LexicalQuery, Manifest, Patience,
    Prepared, Scope, Stats, WithVector,
    engine::EngineFuture,
    http::{Http, HttpFailure},
    settings::check_collection,
};

/// Points in one request.
const BATCH: usize = 200;
/// The point that holds the manifest.
const MANIFEST: &str = "00000000-0000-0000-0000-000000000001";

/// How to reach a server.
#[derive(Clone, Debug)]
pub struct QdrantSettings {
    /// Its address: `http://localhost:6333`.
    pub url: String,
    /// The key, if it wants one.
    pub key: Option<SecretString>,
    /// The collection.
    pub collection: String,
    /// Shards of a new collection; the server's choice if not given.
    pub shards: Option<u32>,
    /// Copies of each shard of a new collection.
    pub replicas: Option<u32>,
    /// How often and how long to try.
    pub patience: Patience,
}

/// A collection of a Qdrant server or cluster.
#[derive(Debug)]
pub struct Qdrant {
    settings: QdrantSettings,
    http: Http,
}

impl Qdrant {
    /// Sets up a client; nothing is sent yet.
    pub fn new(settings: QdrantSettings) -> Result<Self, KnowledgeError> {
        check_collection(&settings.collection)?;
        if !settings.url.starts_with("http://") && !settings.url.starts_with("https://") {
            let message =
                format!("{:?} is no address: QDRANT_URL looks like http://localhost:6333", settings.url);
            return Err(KnowledgeError::Configuration { field: "qdrant_url", message });
        }
        let http = Http::new(settings.patience)?;
        Ok(Self { settings, http })
    }

    async fn call(
        &self,
        method: reqwest::Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Value, HttpFailure> {
        let url = format!("{}{path}", self.settings.url.trim_end_matches('/'));
        let request = |client: &reqwest::Client| {
            let request = client.request(method.clone(), &url);
            match &self.settings.key {
                Some(key) => request.header("api-key", key.expose_secret()),
                None => request,
            }
        };
        let answer = self.http.send(request, body).await?;
        // A proxy or a sign-in page also answers 200: only Qdrant's own envelope says that something was found or stored.
        let told: Option<Value> = serde_json::from_slice(&answer).ok();
        let result = told.and_then(|mut told| Some(told.get_mut("result")?.take()));
        result.ok_or_else(|| HttpFailure::Foreign(what_answered(&answer)))
    }

    async fn post(&self, path: &str, body: &Value) -> Result<Value, KnowledgeError> {
        self.call(reqwest::Method::POST, path, Some(body)).await.map_err(failed)
    }

    async fn put(&self, path: &str, body: &Value) -> Result<Value, KnowledgeError> {
        self.call(reqwest::Method::PUT, path, Some(body)).await.map_err(failed)
    }

    /// The path of the collection, by its alias.
    fn path(&self) -> String {
        format!("/collections/{}", self.settings.collection)
    }

    async fn exists(&self) -> Result<bool, KnowledgeError> {
        match self.call(reqwest::Method::GET, &self.path(), None).await {
            Ok(_) => Ok(true),
            Err(HttpFailure::Status(404, _)) => Ok(false),
            Err(failure) => Err(failed(failure)),
        }
    }

    /// Creates a collection for vectors of this manifest; gives its path.
    async fn create(&self, name: &str, manifest: &Manifest) -> Result<String, KnowledgeError> {
        let mut body = json!({ "vectors": {}, "sparse_vectors": { "bm25": { "modifier": "idf" } } });
        if let Some(body) = body.as_object_mut() {
            if let Some(embedder) = &manifest.embedder {
                let dense = json!({ "dense": { "size": embedder.dimensions, "distance": "Cosine" } });
                body.insert("vectors".into(), dense);
            }
            for (key, value) in
                [("shard_number", self.settings.shards), ("replication_factor", self.settings.replicas)]
            {
                if let Some(value) = value {
                    body.insert(key.into(), value.into());
                }
            }
        }
        let path = format!("/collections/{name}");
        self.put(&path, &body).await?;
        for (field, kind) in [
            ("url", "keyword"),
            ("facet", "keyword"),
            ("hash", "keyword"),
            ("lang", "keyword"),
            ("ordinal", "integer"),
        ] {
            let body = json!({ "field_name": field, "field_schema": kind });
            self.put(&format!("{path}/index?wait=true"), &body).await?;
        }
        let manifest =
            json!({ "points": [{ "id": MANIFEST, "vector": {}, "payload": { "manifest": manifest } }] });
        self.put(&format!("{path}/points?wait=true"), &manifest).await?;
        Ok(path)
    }

    fn generation() -> u64 {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        u64::try_from(now.as_micros()).unwrap_or(u64::MAX)
    }

    /// Lets the alias point to another collection; gives the one it pointed to.
    async fn point_alias(&self, name: &str) -> Result<Option<String>, KnowledgeError> {
        let alias = &self.settings.collection;
        let aliases = self.call(reqwest::Method::GET, "/aliases", None).await.map_err(failed)?;
        let known = aliases.get("aliases").and_then(Value::as_array).into_iter().flatten();
        let old = known
            .filter(|known| known.get("alias_name").and_then(Value::as_str) == Some(alias))
            .find_map(|known| known.get("collection_name").and_then(Value::as_str).map(str::to_owned));
        let mut actions = Vec::new();
        if old.is_some() {
            actions.push(json!({ "delete_alias": { "alias_name": alias } }));
        }
        actions.push(json!({ "create_alias": { "collection_name": name, "alias_name": alias } }));
        self.post("/collections/aliases", &json!({ "actions": actions })).await?;
        Ok(old)
    }

    /// Writes a document's chunks: the first one last, since it is what says that the document is there.
    async fn write(&self, path: &str, document: &Prepared, generation: u64) -> Result<(), KnowledgeError> {
        let points: Vec<Value> =
            document.chunks.iter().rev().map(|chunk| point(document, chunk, generation)).collect();
        for batch in points.chunks(BATCH) {
            self.put(&format!("{path}/points?wait=true"), &json!({ "points": batch })).await?;
        }
        Ok(())
    }

    async fn all(&self, filter: Value, with_vector: bool) -> Result<Vec<Value>, KnowledgeError> {
        let mut points = Vec::new();
        let mut offset = Value::Null;
        loop {
            let body = json!({
                "filter": filter,
                "limit": BATCH,
                "offset": offset,
                "with_payload": true,
                "with_vector": with_vector,
            });
            let page = self.post(&format!("{}/points/scroll", self.path()), &body).await?;
            points.extend(page.get("points").and_then(Value::as_array).cloned().unwrap_or_default());
            offset = page.get("next_page_offset").cloned().unwrap_or_default();
            if offset.is_null() {
                return Ok(points);
            }
        }
    }

    async fn count(&self, filter: Value) -> Result<u64, KnowledgeError> {
        let body = json!({ "filter": filter, "exact": true });
        let found = self.post(&format!("{}/points/count", self.path()), &body).await?;
        Ok(found.get("count").and_then(Value::as_u64).unwrap_or_default())
    }
}

impl Engine for Qdrant {
    fn manifest(&self) -> EngineFuture<'_, Option<Manifest>> {
        Box::pin(async {
            let body = json!({ "ids": [MANIFEST], "with_payload": true });
            let path = format!("{}/points", self.path());
            let found = match self.call(reqwest::Method::POST, &path, Some(&body)).await {
                Ok(found) => found,
                Err(HttpFailure::Status(404, _)) => return Ok(None),
                Err(failure) => return Err(failed(failure)),
            };
            let manifest = found.pointer("/0/payload/manifest").cloned();
            let manifest = manifest.map(serde_json::from_value).transpose();
            manifest.map_err(|error| KnowledgeError::store(format!("its manifest is damaged: {error}")))
        })
    }

    fn replace<'a>(&'a self, documents: Vec<Prepared>, manifest: &'a Manifest) -> EngineFuture<'a, ()> {
        Box::pin(async move {
            let generation = Self::generation();
            if !self.exists().await? {
                let name = format!("{}_{generation}", self.settings.collection);
                self.create(&name, manifest).await?;
                self.point_alias(&name).await?;
            }
            for document in documents {
                self.write(&self.path(), &document, generation).await?;
                // Only when all of the new is there does the old go.
                let old = json!({
                    "must": [{ "key": "url", "match": { "value": document.entry.url } }],
                    "must_not": [{ "key": "generation", "match": { "value": generation } }],
                });
                self.post(&format!("{}/points/delete?wait=true", self.path()), &json!({ "filter": old }))
                    .await?;
            }
            Ok(())
        })
    }

    fn rebuild<'a>(&'a self, documents: Vec<Prepared>, manifest: &'a Manifest) -> EngineFuture<'a, ()> {
        Box::pin(async move {
            let generation = Self::generation();
            let name = format!("{}_{generation}", self.settings.collection);
            let path = self.create(&name, manifest).await?;
            for document in &documents {
                self.write(&path, document, generation).await?;
            }
            if let Some(old) = self.point_alias(&name).await? {
                self.call(reqwest::Method::DELETE, &format!("/collections/{old}"), None)
                    .await
                    .map_err(failed)?;
            }
            Ok(())
        })
    }

    fn remove<'a>(&'a self, urls: &'a [String]) -> EngineFuture<'a, ()> {
        Box::pin(async move {
            for urls in urls.chunks(BATCH) {
                let body = json!({ "filter": { "must": [{ "key": "url", "match": { "any": urls } }] } });
                self.post(&format!("{}/points/delete?wait=true", self.path()), &body).await?;
            }
            Ok(())
        })
    }

    fn finish(&self) -> EngineFuture<'_, ()> {
        Box::pin(std::future::ready(Ok(())))
    }

    fn document<'a>(&'a self, url: &'a str) -> EngineFuture<'a, Option<DocumentEntry>> {
        Box::pin(async move {
            if !self.exists().await? {
                return Ok(None);
            }
            let mut filter = url_filter(url);
            if let Some(must) = filter.get_mut("must").and_then(Value::as_array_mut) {
                must.push(json!({ "key": "ordinal", "match": { "value": 0 } }));
            }
            let found = self.all(filter, false).await?;
            // Two beginnings: a replacement was broken off. It is not what it says it is.
            let whole = found.len() == 1;
            let entry = found.first().map(wire::record).transpose()?.map(|(mut entry, _)| {
                if !whole {
                    entry.hash.clear();
                }
                entry
            });
            Ok(entry)
        })
    }

    fn documents(&self) -> EngineFuture<'_, Vec<DocumentEntry>> {
        Box::pin(async {
            if !self.exists().await? {
                return Ok(Vec::new());
            }
            let first = json!({ "must": [{ "key": "ordinal", "match": { "value": 0 } }] });
            let points = self.all(first, false).await?;
            let entry = |point: &Value| Ok(wire::record(point)?.0);
            let mut entries = points.iter().map(entry).collect::<Result<Vec<_>, KnowledgeError>>()?;
            entries.sort_by(|a, b| a.url.cmp(&b.url));
            entries.dedup_by(|a, b| a.url == b.url);
            Ok(entries)
        })
    }

    fn chunks<'a>(&'a self, url: &'a str) -> EngineFuture<'a, Vec<WithVector>> {
        Box::pin(async move {
            if !self.exists().await? {
                return Ok(Vec::new());
            }
            let points = self.all(url_filter(url), true).await?;
            let chunk = |point: &Value| Ok((wire::record(point)?.1, wire::dense(point)));
            let mut chunks = points.iter().map(chunk).collect::<Result<Vec<_>, KnowledgeError>>()?;
            chunks.sort_by_key(|(chunk, _)| chunk.ordinal);
            Ok(chunks)
        })
    }

    fn vectors<'a>(&'a self, hashes: &'a [String]) -> EngineFuture<'a, BTreeMap<String, Vec<f32>>> {
        Box::pin(async move {
            let mut found = BTreeMap::new();
            if !self.exists().await? {
                return Ok(found);
            }
            for hashes in hashes.chunks(BATCH) {
                let filter = json!({ "must": [{ "key": "hash", "match": { "any": hashes } }] });
                for point in self.all(filter, true).await? {
                    let hash = point.pointer("/payload/hash").and_then(Value::as_str);
                    if let (Some(hash), Some(vector)) = (hash, wire::dense(&point)) {
                        found.insert(hash.to_owned(), vector);
                    }
                }
            }
            Ok(found)
        })
    }

    fn lexical<'a>(&'a self, query: &'a LexicalQuery, scope: &'a Scope) -> EngineFuture<'a, LexicalHits> {
        Box::pin(self.find_words(query, scope))
    }

    fn dense<'a>(&'a self, vector: &'a [f32], scope: &'a Scope) -> EngineFuture<'a, Vec<Hit>> {
        Box::pin(self.find_meaning(vector, scope))
    }

    fn languages(&self) -> EngineFuture<'_, Vec<(Option<Lang>, u64)>> {
        Box::pin(async {
            if !self.exists().await? {
                return Ok(Vec::new());
            }
            let body = json!({ "key": "lang", "limit": 50, "exact": true });
            let found = self.post(&format!("{}/facet", self.path()), &body).await?;
            let hits = found.get("hits").and_then(Value::as_array).cloned().unwrap_or_default();
            let count = |hit: &Value| {
                let lang = hit.get("value").and_then(Value::as_str).and_then(Lang::find);
                (lang, hit.get("count").and_then(Value::as_u64).unwrap_or_default())
            };
            let mut counts: Vec<_> = hits.iter().map(count).collect();
            counts.sort_by_key(|(lang, count)| (std::cmp::Reverse(*count), *lang));
            Ok(counts)
        })
    }

    fn stats(&self) -> EngineFuture<'_, Stats> {
        Box::pin(async {
            let Some(manifest) = self.manifest().await? else { return Ok(Stats::default()) };
            let first = json!({ "must": [{ "key": "ordinal", "match": { "value": 0 } }] });
            let chunks = self.count(chunk_only()).await?;
            Ok(Stats {
                documents: self.count(first).await?,
                chunks,
                vectors: if manifest.embedder.is_some() { chunks } else { 0 },
                bytes: None,
            })
        })
    }
}

/// What an answer looks like that is not Qdrant's, for whoever has to find out who gave it.
fn what_answered(answer: &[u8]) -> String {
    let text =
        String::from_utf8_lossy(answer.get(..answer.len().min(4_000)).unwrap_or_default()).into_owned();
    let lower = text.to_lowercase();
    if !lower.contains("<html") && !lower.contains("<!doctype") {
        let kind = if text.trim().is_empty() { "an empty answer" } else { "an answer in another format" };
        return kind.to_owned();
    }
    let title = lower.find("<title>").zip(lower.find("</title>"));
    let title = title.and_then(|(from, to)| text.get(from + "<title>".len()..to));
    match title.map(str::trim).filter(|title| !title.is_empty()) {
        Some(title) => format!("a web page, “{}”", title.chars().take(80).collect::<String>()),
        None => "a web page".to_owned(),
    }
}

fn failed(failure: HttpFailure) -> KnowledgeError {
    let retryable = failure.retryable();
    match failure {
        HttpFailure::Foreign(what) => KnowledgeError::Store {
            message: format!(
                "what answers at QDRANT_URL is not Qdrant: it sent {what}. Check the address, and whether a proxy or a \
                 sign-in page stands in between"
            ),
            retryable,
            source: None,
        },
        HttpFailure::Unreachable(why) => {
            let message = format!("Qdrant cannot be reached ({why}): check QDRANT_URL and whether it runs");
            KnowledgeError::Store { message, retryable, source: None }
        }
        HttpFailure::Status(401 | 403, _) => KnowledgeError::Configuration {
            field: "qdrant_api_key",
            message: "Qdrant refuses the key: check QDRANT_API_KEY".to_owned(),
        },
        HttpFailure::Status(code, body) => {
            let said: Value = serde_json::from_slice(&body).unwrap_or_default();
            let said = said.pointer("/status/error").and_then(Value::as_str).unwrap_or("no reason given");
            let said: String = said.chars().take(300).collect();
            KnowledgeError::Store {
                message: format!("Qdrant, status {code}: {said}"),
                retryable,
                source: None,
            }
        }
    }
}
