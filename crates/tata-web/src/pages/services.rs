//! What the program hands over for the pages: documents as they are shown, files as they are read, and the doors to what the
//! pages do not know.

use std::{future::Future, pin::Pin, sync::Arc};

use jiff::{Timestamp, tz::TimeZone};
use serde_json::Value;
use tata_core::{Actor, Artifact, SessionId};

/// What a door gives once it is done.
pub type DoorFuture<T> = Pin<Box<dyn Future<Output = Result<T, String>> + Send>>;

/// A document as a page shows it, in the language of the page where it is about the document.
pub type ShowDocument = Arc<dyn Fn(&Artifact, &str) -> ShownDocument + Send + Sync>;

/// A word for people: of a tool or a kind of document, in a language.
pub type Naming = Arc<dyn Fn(&str, &str) -> String + Send + Sync>;

/// The tools that make the sample project, with what each is given.
pub type SampleSteps = Arc<dyn Fn() -> Result<Vec<(String, Value)>, String> + Send + Sync>;

/// Takes a file into the collection, by its name and bytes, for whoever brought it at that moment.
pub(super) type TakeFile = Arc<dyn Fn(String, Vec<u8>, Actor, Timestamp) -> DoorFuture<()> + Send + Sync>;

/// What the pages are made of, beside the services of the API.
#[derive(Clone)]
pub struct Pages {
    /// Documents as they are shown.
    pub document: ShowDocument,
    /// What a tool, or a kind of document, is called.
    pub tool_name: Naming,
    /// Whether a kind of document is one for people.
    pub is_document: Arc<dyn Fn(&str) -> bool + Send + Sync>,
    /// The tools whose forms people can fill in, in the order in which they are offered.
    pub forms: Vec<String>,
    /// What a choice of a form's field is called in a language, where it is not called so anyway.
    pub choice_name: ChoiceName,
    /// Tries a model with the smallest real requests.
    pub check_model: Arc<dyn Fn(String) -> DoorFuture<Vec<Probe>> + Send + Sync>,
    /// The sample project.
    pub sample: Sample,
    /// The documents that answers rest on, if there are any.
    pub collection: Option<Collection>,
    /// Where the reader is, for times.
    pub zone: TimeZone,
}

/// Names a choice: the field, the choice, the language.
pub type ChoiceName = Arc<dyn Fn(&str, &str, &str) -> Option<String> + Send + Sync>;

/// A document as a page shows it. Its HTML is not trusted.
#[derive(Clone, Debug, Default)]
pub struct ShownDocument {
    /// What such a document is called.
    pub name: String,
    /// Its own title.
    pub title: String,
    /// The tag of its language.
    pub language: String,
    /// The fragment; none for what is no document for people.
    pub html: Option<String>,
    /// Where its statements come from, numbered from 1 as its marks are.
    pub sources: Vec<SourceShown>,
    /// The endings of the formats it can be had in.
    pub formats: Vec<&'static str>,
    /// What should be decided about parts of it.
    pub findings: Vec<Finding>,
    /// The text that findings are about, cut at them; empty where they are about the document itself.
    pub text: Vec<TextPiece>,
    /// Parts that can be worded otherwise, taken out or added to.
    pub edits: Vec<Finding>,
    /// What can be decided about the whole.
    pub choices: Vec<Choice>,
    /// Why it may not be approved.
    pub not_ready: Option<String>,
}

/// A place that proves something.
#[derive(Clone, Debug, Default)]
pub struct SourceShown {
    /// The name of the source.
    pub source: String,
    /// What stands there.
    pub quote: String,
}

/// A remark about a part of a document.
#[derive(Clone, Debug, Default)]
pub struct Finding {
    /// Its number, from 1.
    pub number: usize,
    /// The words it is about.
    pub text: String,
    /// What it is, and how grave.
    pub label: String,
    /// Why it matters.
    pub reason: String,
    /// What was decided, if it was.
    pub decided: Option<String>,
    /// What can be decided.
    pub choices: Vec<Choice>,
}

/// A piece of a text that findings are about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextPiece {
    /// The words.
    pub words: String,
    /// The number of the finding about them, if there is one.
    pub finding: Option<usize>,
    /// What stands there since it was decided.
    pub replaced: Option<String>,
}

/// Something a person can decide with one click.
#[derive(Clone, Debug)]
pub struct Choice {
    /// What it does.
    pub kind: ChoiceKind,
    /// The words that it brings, where it brings some.
    pub words: String,
    /// The tool that does it.
    pub tool: &'static str,
    /// What the tool is given.
    pub arguments: Value,
    /// Where in the arguments the person's own words go, if they are asked for.
    pub own_words: Option<&'static str>,
    /// Where a rating from 1 to 5 goes, if one is asked for.
    pub rating: Option<&'static str>,
}

/// What a choice does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChoiceKind {
    /// Use the words offered.
    Accept,
    /// Leave it as it is.
    Ignore,
    /// Keep what nothing proves.
    Keep,
    /// Take it out.
    Delete,
    /// Use the person's words.
    Replace,
    /// Confirm the whole as it stands.
    Settle,
    /// Rate it.
    Rate,
    /// Leave it unrated.
    LeaveOpen,
    /// Add the person's words.
    Add,
}

/// One thing that a model was tried for.
#[derive(Clone, Debug)]
pub struct Probe {
    /// Which, counted as the pages name them.
    pub what: usize,
    /// Whether it works; none if it was not seen.
    pub works: Option<bool>,
    /// In words.
    pub detail: String,
}

/// The sample project: its steps, and where it is remembered.
#[derive(Clone)]
pub struct Sample {
    /// Its name.
    pub title: String,
    /// The tools to run, with what they are given.
    pub steps: SampleSteps,
    /// Which session it is, if there is one.
    pub marked: Arc<dyn Fn() -> Option<SessionId> + Send + Sync>,
    /// Remembers or forgets it.
    pub mark: Arc<dyn Fn(Option<SessionId>) -> Result<(), String> + Send + Sync>,
}

/// A collection of documents that answers rest on.
#[derive(Clone)]
pub struct Collection {
    /// What is in it.
    pub list: Arc<dyn Fn() -> DoorFuture<Vec<Kept>> + Send + Sync>,
    /// Passages that fit a question.
    pub search: Arc<dyn Fn(String) -> DoorFuture<Vec<PassageFound>> + Send + Sync>,
    /// Begins to take a file in, given by its name and bytes; once this is done, no kill of the server loses it. The audit
    /// tells who brought it, once it is a document.
    pub take: TakeFile,
    /// What is being taken in, and what came of it.
    pub taken: Arc<dyn Fn() -> Vec<Taken> + Send + Sync>,
    /// Begins to take in, or to remove, what an earlier process left that ended meanwhile. To be called before anybody is
    /// served.
    pub resume: Arc<dyn Fn() + Send + Sync>,
    /// Takes a document out, by its address, with the file that was brought and an audit entry. False if there was none.
    pub remove: Arc<dyn Fn(String, Actor, Timestamp) -> DoorFuture<bool> + Send + Sync>,
}

/// A document of a collection.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// Its address.
    pub address: String,
    /// Its title.
    pub title: String,
    /// The code of its language.
    pub language: Option<String>,
    /// How many passages it has.
    pub passages: usize,
}

/// A passage that was found.
#[derive(Clone, Debug, Default)]
pub struct PassageFound {
    /// The document.
    pub title: String,
    /// Its address.
    pub address: String,
    /// The headings it stands under.
    pub headings: Vec<String>,
    /// Its page.
    pub page: Option<u32>,
    /// The words.
    pub text: String,
    /// How well it fits, in hundredths.
    pub score: u32,
}

/// A file on its way into a collection.
#[derive(Clone, Debug)]
pub struct Taken {
    /// Its name.
    pub name: String,
    /// None while it is on its way; then how many passages it has, or why it has none.
    pub came: Option<Result<usize, String>>,
}
