//! Whether what is stored fits together. Plain functions: the stores read, these judge.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    Artifact, AuditEntry, Batch, Damage, DamageKind, Entry, NewAudit, Salvage, audit::Action, damage::Lost,
};

/// The positions that are missing before `last`, as ranges. Those given are in order.
pub fn missing_positions(positions: impl IntoIterator<Item = u64>, last: u64) -> Vec<(u64, u64)> {
    let (mut missing, mut next) = (Vec::new(), 1);
    for position in positions {
        if position > next {
            missing.push((next, position - 1));
        }
        next = next.max(position.saturating_add(1));
    }
    if next <= last {
        missing.push((next, last));
    }
    missing
}

/// What is damaged about a session apart from what could not be read, of which `salvage` tells already.
pub fn check_session(salvage: &Salvage) -> Vec<Damage> {
    let Some(session) = &salvage.session else { return Vec::new() };
    let is_whole = |table: &str| !salvage.lost.iter().any(|lost| lost.damage.table == table);
    let mut found = Vec::new();
    let mut add = |kind, table, what: String| {
        let session = Some(session.id.to_string());
        found.push(Damage { kind, table, session, position: None, what });
    };
    let batch = Batch { records: salvage.records.clone(), usage: salvage.usage.clone(), ..Batch::default() };
    if is_whole("journal") {
        let counted = [
            ("turns", u64::from(session.turn_count), u64::from(batch.turns())),
            ("searches", u64::from(session.retrieval_count), u64::from(batch.retrievals())),
        ];
        for (name, said, real) in counted {
            if said != real {
                let what = format!("its row counts {said} {name}, its journal has {real}");
                add(DamageKind::CountWrong, "sessions", what);
            }
        }
        if session.open_turn != batch.open_turn().unwrap_or(false) {
            let [said, real] =
                if session.open_turn { ["unfinished", "finished"] } else { ["finished", "unfinished"] };
            let what = format!("its row says that its last turn is {said}, but it is {real} in its journal");
            add(DamageKind::CountWrong, "sessions", what);
        }
    }
    if is_whole("usage") && session.total_tokens_used != batch.tokens() {
        let (said, real) = (session.total_tokens_used, batch.tokens());
        let what = format!("its row counts {said} tokens, its requests add up to {real}");
        add(DamageKind::CountWrong, "sessions", what);
    }
    check_documents(salvage, is_whole("journal"), is_whole("artifacts"), &mut add);
    found
}

/// The journal tells of every version, and of no other.
fn check_documents(
    salvage: &Salvage,
    journal_is_whole: bool,
    documents_are_whole: bool,
    add: &mut impl FnMut(DamageKind, &'static str, String),
) {
    let announced: BTreeSet<_> = salvage
        .records
        .iter()
        .filter_map(|record| {
            let Entry::ArtifactStored { name, version, .. } = &record.entry else { return None };
            Some((name, *version))
        })
        .collect();
    let stored: BTreeSet<_> = salvage.artifacts.iter().map(|one| (&one.name, one.version)).collect();
    if documents_are_whole {
        for (name, version) in announced.difference(&stored) {
            let what = format!("version {version} of a document of kind {} is missing", name.kind);
            add(DamageKind::ArtifactMissing, "artifacts", what);
        }
        let mut versions: BTreeMap<_, Vec<u64>> = BTreeMap::new();
        for (name, version) in &stored {
            versions.entry(*name).or_default().push(u64::from(*version));
        }
        for (name, versions) in versions {
            for version in missing_positions(versions, 0).into_iter().flat_map(|(first, last)| first..=last) {
                let told = u32::try_from(version).is_ok_and(|version| announced.contains(&(name, version)));
                if !told {
                    let what = format!("version {version} of a document of kind {} is missing", name.kind);
                    add(DamageKind::ArtifactMissing, "artifacts", what);
                }
            }
        }
    }
    if journal_is_whole {
        for (name, version) in stored.difference(&announced) {
            let what =
                format!("the journal does not tell of version {version} of a document of kind {}", name.kind);
            add(DamageKind::ArtifactUnannounced, "artifacts", what);
        }
    }
}

/// What is wrong with the audit trail. Its entries are in order; those at `unreadable` positions are known already.
pub fn check_chain(entries: &[AuditEntry], unreadable: &BTreeSet<u64>) -> Vec<Damage> {
    let mut found = Vec::new();
    let mut add = |kind, position, what: String| {
        found.push(Damage { kind, table: "audit", session: None, position: Some(position), what });
    };
    let positions: BTreeSet<u64> =
        entries.iter().map(|entry| entry.position).chain(unreadable.iter().copied()).collect();
    for (first, last) in missing_positions(positions, 0) {
        let what = if first == last {
            format!("entry {first} is missing")
        } else {
            format!("entries {first} to {last} are missing")
        };
        add(DamageKind::AuditMissing, first, what);
    }
    let mut before: Option<&AuditEntry> = None;
    for entry in entries {
        let position = entry.position;
        if !entry.is_sealed() {
            let what = format!("entry {position} was changed after it was written");
            add(DamageKind::AuditForged, position, what);
        }
        let follows = before.map_or(position == 1, |before| before.position + 1 == position);
        if follows && entry.previous != before.map(|before| before.seal.as_str()).unwrap_or_default() {
            let what =
                format!("entry {position} does not continue the one before: one of both was exchanged");
            add(DamageKind::AuditBroken, position, what);
        }
        before = Some(entry);
    }
    found
}

/// What was done in the sessions that are there, to be held against the audit trail.
#[derive(Debug, Default)]
pub struct Acts {
    sessions: BTreeSet<String>,
    /// Whose journal and documents are whole, so that what is not in them did not happen.
    whole: BTreeSet<String>,
    /// By what was done to which session.
    done: BTreeMap<(String, String), Vec<Act>>,
}

/// What was done, and where in the journal it stands, if it does.
type Act = (NewAudit, Option<u64>);

impl Acts {
    /// Takes note of a session's approvals and decisions.
    pub fn note(&mut self, id: &str, salvage: &Salvage) {
        self.sessions.insert(id.to_owned());
        let Some(session) = &salvage.session else { return };
        if !salvage.lost.iter().any(|Lost { damage, .. }| ["journal", "artifacts"].contains(&damage.table)) {
            self.whole.insert(id.to_owned());
        }
        let approved =
            salvage.artifacts.iter().filter_map(|Artifact { name, version, json, approval, .. }| {
                let approval = approval.as_ref()?;
                Some((NewAudit::approved(session.id, name, *version, json.as_str(), approval), None))
            });
        let decided = salvage
            .records
            .iter()
            .filter_map(|record| Some((NewAudit::decided(session.id, record, None)?, Some(record.position))));
        for (act, position) in approved.chain(decided) {
            let of = (act.action.clone(), act.subject.clone());
            self.done.entry(of).or_default().push((act, position));
        }
    }

    /// Acts without their entry, and entries without their act. An approval that somebody renewed has several entries.
    pub fn check(&self, trail: &[AuditEntry]) -> Vec<Damage> {
        let mut told: BTreeMap<(&str, &str), Vec<&AuditEntry>> = BTreeMap::new();
        for entry in trail {
            told.entry((&entry.action, &entry.subject)).or_default().push(entry);
        }
        let mut found = Vec::new();
        for (act, position) in self.done.values().flatten() {
            let entries = told.get(&(act.action.as_str(), act.subject.as_str()));
            if !entries.is_some_and(|entries| entries.iter().any(|entry| entry.tells_of(act))) {
                let what = format!("the audit trail does not tell of {}", act.action);
                let session = Some(act.subject.clone());
                let kind = DamageKind::ActUnaudited;
                found.push(Damage { kind, table: "audit", session, position: *position, what });
            }
        }
        for entry in trail {
            if self.did_not_happen(entry) {
                let what =
                    format!("entry {} tells of {}, which did not happen", entry.position, entry.action);
                let (session, position) = (Some(entry.subject.clone()), Some(entry.position));
                let kind = DamageKind::ActMissing;
                found.push(Damage { kind, table: "audit", session, position, what });
            }
        }
        found
    }

    fn did_not_happen(&self, entry: &AuditEntry) -> bool {
        match Action::of(&entry.action) {
            Some(Action::Deleted) => self.sessions.contains(&entry.subject),
            Some(Action::Approved | Action::Decided) => {
                let acts = self.done.get(&(entry.action.clone(), entry.subject.clone()));
                // Who approved it before is not kept, but that it is approved is.
                let is_told = acts.is_some_and(|acts| acts.iter().any(|(act, _)| entry.is_about(act)));
                self.whole.contains(&entry.subject) && !is_told
            }
            None => false,
        }
    }
}
