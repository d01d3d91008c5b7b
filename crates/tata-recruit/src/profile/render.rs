//! The requirement profile as people read it: every statement with its source.

use tata_document::Inline;

use super::lists::named;
use crate::{Block, Document, Evidence, Item, Key, Profile, ProfileStatus, Texts, capitals::capitalized};

/// The document.
pub(crate) fn render(profile: &Profile) -> Document {
    let texts = Texts::of(profile.voice);
    let title = texts.say(key!("profile.title"), &[("position", &profile.position_title)]);
    let mut document = Document::new(profile.voice, title);
    let status = texts.get(match profile.status {
        ProfileStatus::Draft => key!("profile.status.draft"),
        ProfileStatus::Confirmed => key!("profile.status.confirmed"),
    });
    let about = [("version", &*profile.version.to_string()), ("status", status)];
    document.paragraph(texts.say(key!("profile.about"), &about));
    document.heading(1, texts.get(key!("profile.headings.must_haves")));
    document.push(Block::Numbered(lines(&profile.must_have_skills, texts)));
    for (list, items) in named(profile.lists()).skip(1).take(4) {
        bullets(&mut document, group!("profile.headings").key(list.name), items, texts);
    }
    let team = &profile.team_info;
    let mut about_team = Vec::new();
    if let Some(size) = &team.size {
        let text = texts.say(key!("profile.team_size"), &[("people", &size.people.to_string())]);
        about_team.push(sourced(&text, &size.evidence, texts));
    }
    let about = [
        (key!("profile.team_location"), &team.location),
        (key!("profile.team_style"), &team.collaboration_style),
    ];
    for (key, item) in about {
        about_team.extend(
            item.as_ref()
                .map(|item| sourced(&texts.say(key, &[("text", &item.text)]), &item.evidence, texts)),
        );
    }
    if !about_team.is_empty() {
        document.heading(1, texts.get(key!("profile.headings.team"))).bullets(about_team);
    }
    for (name, item) in [
        (key!("profile.headings.business_unit"), &profile.bu_description),
        (key!("profile.headings.contribution_to_mission"), &profile.contribution_to_mission),
    ] {
        bullets(&mut document, name, item.as_slice(), texts);
    }
    for (list, items) in named(profile.lists()).skip(5) {
        bullets(&mut document, group!("profile.headings").key(list.name), items, texts);
    }
    if let Some(pay) = &profile.pay_range {
        let text = super::written_pay(pay, texts, profile.voice.language());
        document.heading(1, texts.get(key!("profile.headings.pay_range"))).bullets([sourced(
            &text,
            &pay.evidence,
            texts,
        )]);
    }
    bullets(
        &mut document,
        key!("profile.headings.collective_agreement"),
        profile.collective_agreement.as_slice(),
        texts,
    );
    document
}

fn bullets(document: &mut Document, heading: Key, items: &[Item], texts: &Texts) {
    if !items.is_empty() {
        document.heading(1, texts.get(heading)).bullets(lines(items, texts));
    }
}

fn lines(items: &[Item], texts: &Texts) -> Vec<Inline> {
    items.iter().map(|item| sourced(&capitalized(&item.text), &item.evidence, texts)).collect()
}

fn sourced(text: &str, evidence: &Evidence, texts: &Texts) -> Inline {
    let source = evidence.source.display(texts);
    let said = Inline::from(texts.say(key!("profile.sourced"), &[("text", text), ("source", source)]));
    said.marking(text, |span| span.evidence(evidence.named(source)))
}
