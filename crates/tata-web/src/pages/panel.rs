//! The documents of a project beside its conversation: a tab for each, its versions, what they rest on and what to decide.

use serde::Deserialize;
use tata_core::{Artifact, ArtifactKind, ArtifactName, Entry, Record, Session};

use super::{
    diff::{self, Piece},
    services::{Choice, ChoiceKind, Finding, ShownDocument, SourceShown, TextPiece},
    shown_text::{Kind, cleaned},
    turns::document_address,
    ui::Ui,
    words::{Words, counted},
};
use crate::{Problem, Rendering, encoded::encoded};

/// Which document, which version, and whether it is compared.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Wanted {
    #[serde(skip)]
    pub(crate) kind: String,
    pub(crate) key: String,
    pub(crate) version: Option<u32>,
    /// The version it is compared with.
    pub(crate) with: Option<u32>,
}

/// The panel.
pub(crate) struct PanelView {
    pub(crate) tabs: Vec<TabView>,
    pub(crate) document: Option<DocumentView>,
}

pub(crate) struct TabView {
    pub(crate) name: String,
    pub(crate) address: String,
    pub(crate) active: bool,
    pub(crate) stale: bool,
    pub(crate) approved: bool,
}

#[expect(clippy::struct_excessive_bools, reason = "a template asks about each of them by itself")]
pub(crate) struct DocumentView {
    pub(crate) kind: String,
    pub(crate) key: String,
    pub(crate) name: String,
    pub(crate) language: String,
    pub(crate) version: u32,
    pub(crate) newest: bool,
    pub(crate) html: String,
    pub(crate) address: String,
    pub(crate) versions: Vec<VersionView>,
    pub(crate) author: String,
    pub(crate) by_rules: bool,
    pub(crate) by_person: bool,
    pub(crate) stale: bool,
    pub(crate) approved: Option<String>,
    pub(crate) not_ready: Option<String>,
    pub(crate) formats: Vec<(String, String)>,
    pub(crate) sources: Vec<SourceShown>,
    /// Parts that can be worded otherwise; only of the newest version.
    pub(crate) edits: Vec<FindingView>,
    pub(crate) findings: Vec<FindingView>,
    /// The text they are about.
    pub(crate) text: Vec<TextPiece>,
    pub(crate) open_findings: usize,
    pub(crate) finding_count: String,
    pub(crate) open_count: String,
    pub(crate) choices: Vec<ChoiceView>,
    pub(crate) compared: Option<ComparedView>,
    pub(crate) before: Option<String>,
    pub(crate) can_restore: bool,
}

pub(crate) struct VersionView {
    pub(crate) number: u32,
    pub(crate) at: String,
    pub(crate) author: String,
    pub(crate) address: String,
    pub(crate) current: bool,
    pub(crate) approved: bool,
}

pub(crate) struct ComparedView {
    pub(crate) with: u32,
    pub(crate) pieces: Vec<Piece>,
    pub(crate) same: bool,
}

impl DocumentView {
    /// Whether what is to be decided are ratings.
    pub(crate) fn rates(&self) -> bool {
        self.findings.iter().any(|finding| finding.choices.iter().any(|choice| choice.rating))
    }
}

pub(crate) struct FindingView {
    pub(crate) number: usize,
    pub(crate) text: String,
    pub(crate) label: String,
    pub(crate) reason: String,
    pub(crate) decided: Option<String>,
    pub(crate) choices: Vec<ChoiceView>,
}

impl FindingView {
    /// How many lines its words need, about.
    pub(crate) fn rows(&self) -> usize {
        let lines = self.text.lines().map(|line| 1 + line.chars().count() / 70);
        lines.sum::<usize>().clamp(1, 12)
    }
}

pub(crate) struct ChoiceView {
    pub(crate) index: usize,
    pub(crate) label: String,
    pub(crate) words: String,
    pub(crate) own_words: bool,
    pub(crate) rating: bool,
}

/// Who made each version.
struct Authors<'a> {
    records: &'a [Record],
    ui: &'a Ui,
}

impl Authors<'_> {
    /// The author's name, whether it is the person, and whether rules wrote it.
    fn of(&self, name: &ArtifactName, version: u32) -> (String, bool, bool) {
        let stored = |entry: &Entry| {
            let Entry::ArtifactStored { turn, name: of, version: at } = entry else { return None };
            (of == name && *at == version).then_some(*turn)
        };
        let turn = self.records.iter().find_map(|record| stored(&record.entry));
        let replied = |entry: &Entry| {
            let Entry::ModelReply { turn: of, model, by_person, .. } = entry else { return None };
            (Some(*of) == turn).then(|| (model.to_string(), *by_person))
        };
        let Some((model, by_person)) = self.records.iter().find_map(|record| replied(&record.entry)) else {
            return (String::new(), false, false);
        };
        let w = self.ui.words();
        if by_person {
            return (w.author_person.to_owned(), true, false);
        }
        let by_rules = (self.ui.app.services.files.is_rules)(&model);
        (format!("{} {model}", w.author_model), false, by_rules)
    }
}

/// The panel of a project, with the document that is wanted or the one that was made last.
pub(crate) async fn view(
    ui: &Ui,
    session: &Session,
    records: &[Record],
    wanted: Option<Wanted>,
) -> Result<PanelView, Problem> {
    let mut all = ui.app.services.store.artifacts(session.id).await?;
    all.retain(|artifact| (ui.pages.is_document)(artifact.name.kind.as_str()));
    let mut newest = newest_of(&all);
    // In the order in which they came to be.
    newest.sort_by_key(|artifact| records.iter().position(|record| stores(&record.entry, &artifact.name)));
    let last = records.iter().rev().find_map(|record| {
        let Entry::ArtifactStored { name, .. } = &record.entry else { return None };
        newest.iter().any(|one| one.name == *name).then(|| name.clone())
    });
    let asked = wanted
        .as_ref()
        .map(|wanted| ArtifactName { kind: ArtifactKind::new(&wanted.kind), key: wanted.key.clone() });
    let chosen = asked.clone().or(last);
    let id = session.id.to_string();
    let tab = |artifact: &&Artifact| TabView {
        name: tab_name(ui, &artifact.name),
        address: document_address(&id, &artifact.name),
        active: chosen.as_ref() == Some(&artifact.name),
        stale: artifact.stale,
        approved: artifact.approval.is_some(),
    };
    let tabs = newest.iter().map(tab).collect();
    let versions: Vec<&Artifact> =
        all.iter().filter(|artifact| chosen.as_ref() == Some(&artifact.name)).collect();
    let wanted = wanted.unwrap_or_default();
    let shown = match wanted.version {
        Some(version) => versions.iter().find(|artifact| artifact.version == version),
        None => versions.iter().max_by_key(|artifact| artifact.version),
    };
    let drawing = Drawing { ui, session, records, versions: &versions, wanted: &wanted };
    let mut document = shown.map(|artifact| drawing.of(artifact));
    if let Some(document) = &mut document {
        document.html = cleaned(Kind::Document, std::mem::take(&mut document.html)).await?;
    }
    if asked.is_some() && document.is_none() {
        return Err(Problem::not_found("artifact_not_found", "There is no such document in this project."));
    }
    Ok(PanelView { tabs, document })
}

fn stores(entry: &Entry, wanted: &ArtifactName) -> bool {
    matches!(entry, Entry::ArtifactStored { name, .. } if name == wanted)
}

/// The newest version of each document, in the order of the store.
pub(crate) fn newest_of(all: &[Artifact]) -> Vec<&Artifact> {
    let mut newest: Vec<&Artifact> = Vec::new();
    for artifact in all {
        match newest.iter_mut().find(|one| one.name == artifact.name) {
            Some(one) if one.version < artifact.version => *one = artifact,
            Some(_) => {}
            None => newest.push(artifact),
        }
    }
    newest
}

/// What a document is called in a row of them.
pub(crate) fn tab_name(ui: &Ui, name: &ArtifactName) -> String {
    let kind = (ui.pages.tool_name)(name.kind.as_str(), ui.lang.code());
    if name.key.is_empty() { kind } else { format!("{kind} · {}", name.key) }
}

/// What a document is drawn from.
struct Drawing<'a> {
    ui: &'a Ui,
    session: &'a Session,
    records: &'a [Record],
    versions: &'a [&'a Artifact],
    wanted: &'a Wanted,
}

impl Drawing<'_> {
    fn of(&self, artifact: &Artifact) -> DocumentView {
        let (ui, w) = (self.ui, self.ui.words());
        let shown = (ui.pages.document)(artifact, ui.lang.code());
        let newest = self.versions.iter().map(|one| one.version).max() == Some(artifact.version);
        let authors = Authors { records: self.records, ui };
        let (author, by_person, by_rules) = authors.of(&artifact.name, artifact.version);
        let address = document_address(&self.session.id.to_string(), &artifact.name);
        let joint = if address.contains('?') { '&' } else { '?' };
        let earlier = self.versions.iter().map(|one| one.version).filter(|one| *one < artifact.version).max();
        let before = earlier.map(|with| format!("{address}{joint}version={}&with={with}", artifact.version));
        let ShownDocument {
            html, language, sources, formats, findings, text, edits, choices, not_ready, ..
        } = shown;
        let open_findings = findings.iter().filter(|finding| finding.decided.is_none()).count();
        DocumentView {
            kind: artifact.name.kind.to_string(),
            key: artifact.name.key.clone(),
            name: tab_name(ui, &artifact.name),
            version: artifact.version,
            versions: self.rows(artifact, &authors, &address, joint),
            html: html.unwrap_or_default(),
            approved: artifact.approval.as_ref().map(|yes| format!("{}, {}", yes.by, ui.moment(yes.at))),
            formats: formats.into_iter().map(|end| (end.to_owned(), self.file(artifact, end))).collect(),
            finding_count: counted(w.finding_count, findings.len()),
            open_count: counted(w.open_findings, open_findings),
            edits: if newest {
                edits.into_iter().map(|one| finding_view(one, w)).collect()
            } else {
                Vec::new()
            },
            findings: if newest {
                findings.into_iter().map(|one| finding_view(one, w)).collect()
            } else {
                Vec::new()
            },
            choices: if newest { choice_views(&choices, w) } else { Vec::new() },
            compared: self.compared(artifact),
            can_restore: !newest && ui.app.services.restore_tool.is_some(),
            text: if newest { text } else { Vec::new() },
            stale: artifact.stale,
            language,
            newest,
            author,
            by_rules,
            by_person,
            not_ready,
            sources,
            open_findings,
            address,
            before,
        }
    }

    fn rows(&self, shown: &Artifact, authors: &Authors<'_>, address: &str, joint: char) -> Vec<VersionView> {
        let row = |one: &&Artifact| VersionView {
            number: one.version,
            at: self.ui.moment(one.created_at),
            author: authors.of(&one.name, one.version).0,
            address: format!("{address}{joint}version={}", one.version),
            current: one.version == shown.version,
            approved: one.approval.is_some(),
        };
        let mut rows: Vec<VersionView> = self.versions.iter().map(row).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.number));
        rows
    }

    fn compared(&self, artifact: &Artifact) -> Option<ComparedView> {
        let with = self.wanted.with?;
        let old = self.versions.iter().find(|one| one.version == with)?;
        // Lines that only underline a heading are no words.
        let ruled = |line: &&str| !line.is_empty() && line.chars().all(|letter| "=-".contains(letter));
        let plain = |one: &Artifact| {
            let text = (self.ui.app.services.render)(one, Rendering::Plain).unwrap_or_default();
            text.lines().filter(|line| !ruled(line)).collect::<Vec<_>>().join("\n")
        };
        let pieces = diff::pieces(&plain(old), &plain(artifact));
        let same = !pieces.iter().any(|piece| piece.is_added() || piece.is_removed());
        Some(ComparedView { with, pieces, same })
    }

    fn file(&self, artifact: &Artifact, ending: &str) -> String {
        let (id, kind, key) =
            (self.session.id, encoded(artifact.name.kind.as_str()), encoded(&artifact.name.key));
        format!("/p/{id}/d/{kind}/file?key={key}&version={}&format={ending}", artifact.version)
    }
}

fn finding_view(finding: Finding, w: &'static Words) -> FindingView {
    FindingView {
        choices: choice_views(&finding.choices, w),
        number: finding.number,
        text: finding.text,
        label: finding.label,
        reason: finding.reason,
        decided: finding.decided,
    }
}

fn choice_views(choices: &[Choice], w: &'static Words) -> Vec<ChoiceView> {
    let label = |choice: &Choice| match choice.kind {
        ChoiceKind::Accept => w.accept.to_owned(),
        ChoiceKind::Ignore => w.ignore.to_owned(),
        ChoiceKind::Keep => w.keep.to_owned(),
        ChoiceKind::Delete => w.delete.to_owned(),
        ChoiceKind::Replace => w.replace.to_owned(),
        ChoiceKind::Settle => w.confirm.to_owned(),
        ChoiceKind::Rate => w.rate.to_owned(),
        ChoiceKind::LeaveOpen => w.leave_open.to_owned(),
        ChoiceKind::Add => w.add.to_owned(),
    };
    let view = |(index, choice): (usize, &Choice)| ChoiceView {
        index,
        label: label(choice),
        words: choice.words.clone(),
        own_words: choice.own_words.is_some(),
        rating: choice.rating.is_some(),
    };
    choices.iter().enumerate().map(view).collect()
}
