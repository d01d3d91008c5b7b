//! What the pages of `tata serve` are made of: documents, files, models, the sample project and the collection.

pub(super) mod collection;
mod remarks;
mod sample;

use std::sync::Arc;

use tata_core::{Artifact, Session, Store};
use tata_document::{Limits, ReadError, Target};
use tata_recruit::{Kind, group, tool};
use tata_web::{FileOwner, FileServices, Pages, Probe, ShownDocument, SourceShown, UnreadFile, UploadRead};

use super::{artifacts::unready, check, exports};
use crate::{
    attached,
    cli::ExportForm,
    config::Config,
    readers::Owner,
    shown::{self, texts, tool_name},
    wiring,
};

/// What the pages are made of.
pub(super) fn pages(config: &Arc<Config>, store: &Arc<dyn Store>) -> anyhow::Result<Pages> {
    let of_models = Arc::clone(config);
    Ok(Pages {
        document: Arc::new(document),
        tool_name: Arc::new(tool_name),
        is_document: Arc::new(|kind| Kind::find(kind).is_some_and(|kind| kind != Kind::ProjectSettings)),
        forms: FORMS.map(str::to_owned).to_vec(),
        choice_name: Arc::new(choice_name),
        check_model: Arc::new(move |name| {
            let config = Arc::clone(&of_models);
            Box::pin(async move { probes(&name, &config).await })
        }),
        sample: sample::sample(config),
        collection: Some(collection::collection(config, store, None)?),
        zone: jiff::tz::TimeZone::system(),
    })
}

/// The modules, in the order in which a recruitment needs them.
const FORMS: [&str; 11] = [
    tool::CREATE_REQUIREMENT_PROFILE,
    tool::CREATE_JOB_AD,
    tool::CREATE_TA_SCREENING_TEMPLATE,
    tool::CREATE_HM_SCREENING_TEMPLATE,
    tool::CREATE_HEADHUNTING_MESSAGES,
    tool::CREATE_CANDIDATE_REPORT,
    tool::COMPARE_CANDIDATES,
    tool::CREATE_FUNNEL_REPORT,
    tool::CREATE_JOB_AD_REVIEW,
    tool::CREATE_DI_REVIEW,
    tool::CREATE_CALENDAR_INVITE,
];

/// What a place for a line of notes is called; other choices are called as their labels.
fn choice_name(field: &str, choice: &str, language: &str) -> Option<String> {
    let key = group!("guided.sort.place").find(choice).filter(|_| field.starts_with("line_"))?;
    Some(texts(language).get(key).to_owned())
}

/// Files in and out.
pub(super) fn files() -> FileServices {
    FileServices {
        export: Arc::new(export),
        read: Arc::new(read),
        largest: Limits::default().bytes,
        is_rules: Arc::new(|model| !wiring::is_ai(model)),
    }
}

fn document(artifact: &Artifact, language: &str) -> ShownDocument {
    let texts = texts(language);
    let kind = Kind::find(artifact.name.kind.as_str());
    let name = tool_name(artifact.name.kind.as_str(), language);
    let Some((kind, document)) = kind.zip(shown::document(artifact)) else {
        return ShownDocument {
            title: name.clone(),
            name,
            formats: vec!["json"],
            ..ShownDocument::default()
        };
    };
    let json = serde_json::from_str(artifact.json.as_str()).unwrap_or_default();
    let sources = document.sources().into_iter();
    let source = |place: &tata_document::Evidence| SourceShown {
        source: place.source.clone(),
        quote: place.quote.clone(),
    };
    ShownDocument {
        title: document.title.clone(),
        language: document.language.to_string(),
        html: Some(document.html(2)),
        sources: sources.map(source).collect(),
        formats: formats(kind, &document),
        findings: remarks::findings(kind, &json, texts),
        text: remarks::marked(kind, &json),
        edits: remarks::edits(kind, &json, texts),
        choices: remarks::choices(kind, &json),
        not_ready: unready(artifact),
        name,
    }
}

/// The formats that have something to hold.
fn formats(kind: Kind, document: &tata_document::Document) -> Vec<&'static str> {
    use tata_document::Block;
    let has = |wanted: fn(&Block) -> bool| document.blocks.iter().any(wanted);
    let tables = has(|block| matches!(block, Block::Table(_) | Block::Chart(_)));
    let charts = has(|block| matches!(block, Block::Chart(_)));
    let fits = |target: &Target| match target {
        Target::Csv | Target::Xlsx => tables,
        Target::Svg => charts,
        Target::Docx | Target::Pdf | Target::Markdown | Target::Html | Target::Text => true,
    };
    let calendar = (kind == Kind::CalendarInvite).then_some("ics");
    Target::ALL.into_iter().filter(fits).map(Target::ending).chain(calendar).chain(["json"]).collect()
}

fn export(session: &Session, artifact: &Artifact, ending: &str, by_ai: bool) -> Result<Vec<u8>, String> {
    let form = <ExportForm as clap::ValueEnum>::from_str(ending, true)
        .map_err(|_| format!("There is no format {:?}.", ending.chars().take(20).collect::<String>()))?;
    exports::written(session, artifact, form, by_ai).map_err(|error| format!("{error:#}"))
}

fn read(owner: FileOwner, name: &str, bytes: Vec<u8>) -> Result<UploadRead, UnreadFile> {
    let owner = Owner { company: owner.company, account: owner.account };
    let attached = attached::read_bytes(owner, name, bytes).map_err(|why| {
        let later = matches!(why, ReadError::Busy | ReadError::NoReader(_));
        let said = why.to_string();
        if later { UnreadFile::Later(said) } else { UnreadFile::Unreadable(said) }
    })?;
    Ok(UploadRead { kind: attached.kind, text: attached.text, notes: attached.notes })
}

async fn probes(name: &str, config: &Config) -> Result<Vec<Probe>, String> {
    let findings = check::findings(name, config).await.map_err(|error| format!("{error:#}"))?;
    let probe = |(what, finding): (usize, check::Finding)| Probe {
        what,
        works: finding.works,
        detail: finding.detail,
    };
    Ok(findings.into_iter().enumerate().map(probe).collect())
}
