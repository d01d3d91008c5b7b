//! The ad as candidates read it.

use super::{JobAd, Section, SectionName};
use crate::{Block, Document, Texts, capitals::capitalized};

/// Renders an ad. The intro stands without a heading, and the person belongs under the requirements.
pub(super) fn document(ad: &JobAd) -> Document {
    let texts = Texts::of(ad.voice);
    let headline =
        ad.section(SectionName::Headline).map_or(ad.position_title.as_str(), |one| one.text.as_str());
    let mut document = Document::new(ad.voice, headline);
    for section in &ad.sections {
        if section.name == SectionName::Headline {
            continue;
        }
        if !matches!(section.name, SectionName::Intro | SectionName::SoftSkillsParagraph) {
            document.heading(1, texts.get(group!("job_ad.headings").key(section.name.name())));
        }
        body(section, &mut document);
    }
    if !ad.unproven.is_empty() {
        document.heading(1, texts.get(key!("project.unproven.heading")));
        document.paragraph(texts.get(key!("project.unproven.not_ready")));
        document.push(Block::numbered(ad.unproven.iter().map(|one| one.shown(texts))));
    }
    document
}

fn body(section: &Section, document: &mut Document) {
    for paragraph in section.text.lines() {
        document.paragraph(paragraph);
    }
    // The must-haves stand there word for word; only the first letter is that of a point.
    let points = section.points.iter().map(|point| capitalized(point));
    if section.name == SectionName::Process && !section.points.is_empty() {
        document.push(Block::numbered(points));
    } else {
        document.bullets(points);
    }
    for more in &section.further {
        document.paragraph(more.lead.as_str());
        document.bullets(more.points.iter().map(|point| capitalized(point)));
    }
}
