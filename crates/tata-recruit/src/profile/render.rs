//! The requirement profile as people read it: every statement with its source.

use tata_document::Inline;

use super::lists::{List, named};
use crate::{
    Block, Document, Evidence, Item, Key, Profile, ProfileStatus, TeamInfo, Texts, capitals::capitalized,
};

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
    let mut bullets = |heading: Key, points: Vec<Inline>| {
        if !points.is_empty() {
            document.heading(1, texts.get(heading)).bullets(points);
        }
    };
    let all = || named(profile.lists());
    let (before, behind, terms) = (all().skip(1).take(4), all().skip(5).take(2), all().skip(7));
    let heading = |list: &List| group!("profile.headings").key(list.name);
    before.for_each(|(list, items)| bullets(heading(list), lines(items, texts)));
    let TeamInfo { size, location, collaboration_style } = &profile.team_info;
    let size = size.as_ref().map(|size| {
        let text = texts.say(key!("profile.team_size"), &[("people", &size.people.to_string())]);
        sourced(&text, &size.evidence, texts)
    });
    let about =
        [(key!("profile.team_location"), location), (key!("profile.team_style"), collaboration_style)];
    let about = about.into_iter().filter_map(|(key, item)| {
        let Item { text, evidence } = item.as_ref()?;
        Some(sourced(&texts.say(key, &[("text", text)]), evidence, texts))
    });
    let country = profile.country.map(|country| {
        Inline::from(texts.say(key!("profile.team_country"), &[("text", country.label(texts))]))
    });
    bullets(key!("profile.headings.team"), size.into_iter().chain(about).chain(country).collect());
    let single = |item: &Option<Item>| lines(item.as_slice(), texts);
    bullets(key!("profile.headings.business_unit"), single(&profile.bu_description));
    bullets(key!("profile.headings.contribution_to_mission"), single(&profile.contribution_to_mission));
    behind.for_each(|(list, items)| bullets(heading(list), lines(items, texts)));
    let pay = profile.pay_range.iter().map(|pay| {
        let text = super::written_whole_pay(pay, texts);
        sourced(&text, &pay.evidence, texts)
    });
    bullets(key!("profile.headings.pay_range"), pay.collect());
    bullets(key!("profile.headings.collective_agreement"), single(&profile.collective_agreement));
    terms.for_each(|(list, items)| bullets(heading(list), lines(items, texts)));
    document
}

fn lines(items: &[Item], texts: &Texts) -> Vec<Inline> {
    items.iter().map(|item| sourced(&capitalized(&item.text), &item.evidence, texts)).collect()
}

fn sourced(text: &str, evidence: &Evidence, texts: &Texts) -> Inline {
    let source = evidence.source.display(texts);
    let said = Inline::from(texts.say(key!("profile.sourced"), &[("text", text), ("source", source)]));
    said.marking(text, |span| span.evidence(evidence.named(source)))
}
