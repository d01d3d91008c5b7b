//! The requirement profile as people read it: every statement with its source.

use tata_document::Inline;

use super::lists::named;
use crate::{Block, Document, Evidence, Item, Profile, ProfileStatus, Texts, capitals::capitalized};

/// The document.
pub(crate) fn render(profile: &Profile) -> Document {
    let texts = Texts::of(profile.voice);
    let title = texts.say("profile.title", &[("position", &profile.position_title)]);
    let mut document = Document::new(profile.voice, title);
    let status = texts.get(match profile.status {
        ProfileStatus::Draft => "profile.status.draft",
        ProfileStatus::Confirmed => "profile.status.confirmed",
    });
    let about = [("version", &*profile.version.to_string()), ("status", status)];
    document.paragraph(texts.say("profile.about", &about));
    document.heading(1, texts.get("profile.headings.must_haves"));
    document.push(Block::Numbered(lines(&profile.must_have_skills, texts)));
    for (list, items) in named(profile.lists()).skip(1).take(4) {
        bullets(&mut document, list.name, items, texts);
    }
    let team = &profile.team_info;
    let mut about_team = Vec::new();
    if let Some(size) = &team.size {
        let text = texts.say("profile.team_size", &[("people", &size.people.to_string())]);
        about_team.push(sourced(&text, &size.evidence, texts));
    }
    let about =
        [("profile.team_location", &team.location), ("profile.team_style", &team.collaboration_style)];
    for (key, item) in about {
        about_team.extend(
            item.as_ref()
                .map(|item| sourced(&texts.say(key, &[("text", &item.text)]), &item.evidence, texts)),
        );
    }
    if !about_team.is_empty() {
        document.heading(1, texts.get("profile.headings.team")).bullets(about_team);
    }
    for (name, item) in [
        ("business_unit", &profile.bu_description),
        ("contribution_to_mission", &profile.contribution_to_mission),
    ] {
        bullets(&mut document, name, item.as_slice(), texts);
    }
    for (list, items) in named(profile.lists()).skip(5) {
        bullets(&mut document, list.name, items, texts);
    }
    if let Some(pay) = &profile.pay_range {
        let text = super::written_pay(pay, texts, profile.voice.language());
        document.heading(1, texts.get("profile.headings.pay_range")).bullets([sourced(
            &text,
            &pay.evidence,
            texts,
        )]);
    }
    bullets(&mut document, "collective_agreement", profile.collective_agreement.as_slice(), texts);
    document
}

fn bullets(document: &mut Document, name: &str, items: &[Item], texts: &Texts) {
    if !items.is_empty() {
        document.heading(1, texts.get(&format!("profile.headings.{name}"))).bullets(lines(items, texts));
    }
}

fn lines(items: &[Item], texts: &Texts) -> Vec<Inline> {
    items.iter().map(|item| sourced(&capitalized(&item.text), &item.evidence, texts)).collect()
}

fn sourced(text: &str, evidence: &Evidence, texts: &Texts) -> Inline {
    let source = evidence.source.display(texts);
    let said = Inline::from(texts.say("profile.sourced", &[("text", text), ("source", source)]));
    said.marking(text, |span| span.evidence(evidence.named(source)))
}
