//! The template as people read it. Questions are numbered through; follow-ups count below their main question.

use super::{Anchors, Question, ScreeningTemplate};
use crate::{Block, Document, Key, Texts, capitals::capitalized};

/// The template as a document.
pub(crate) fn render(template: &ScreeningTemplate) -> Document {
    let texts = Texts::of(template.voice);
    let get = |key: Key| texts.get(key).to_owned();
    let title = if template.is_hm_template { key!("screening.title_hm") } else { key!("screening.title_ta") };
    let title = texts.say(title, &[("title", &template.position_title)]);
    let mut document = Document::new(template.voice, title);
    document.paragraph(get(key!("screening.guide")));
    if let Some(intro) = &template.role_intro {
        document.heading(1, get(key!("screening.headings.role_intro")));
        introduce(&mut document, intro);
    }

    document.heading(1, get(key!("screening.headings.overview"))).bullets(overview(template, texts));

    let mut numbers = (1..).map(|number: u32| number.to_string());
    document.heading(1, get(key!("screening.headings.motivation")));
    for (question, number) in template.motivation.iter().zip(numbers.by_ref()) {
        ask(&mut document, &number, question, texts);
    }
    scale(&mut document, &template.motivation_anchors, texts);

    document.heading(1, get(key!("screening.headings.skills")));
    let (mut must_haves, mut welcome) = (0, 0);
    for (set, number) in template.skills.iter().zip(numbers.by_ref()) {
        let (heading, count) = if set.must_have {
            (key!("screening.must_have_heading"), &mut must_haves)
        } else {
            (key!("screening.good_to_have_heading"), &mut welcome)
        };
        *count += 1;
        let values = [("number", &*count.to_string()), ("skill", &*capitalized(&set.skill_name))];
        document.heading(2, texts.say(heading, &values));
        ask(&mut document, &number, &set.main_question, texts);
        for (at, question) in set.follow_ups.iter().enumerate() {
            ask(&mut document, &format!("{number}.{}", at + 1), question, texts);
        }
        scale(&mut document, &set.anchors, texts);
    }

    document.heading(1, get(key!("screening.headings.practical")));
    for (question, number) in template.practical.iter().zip(numbers) {
        ask(&mut document, &number, question, texts);
    }
    document.heading(1, get(key!("screening.headings.closing"))).bullets(template.closing.iter());
    document
}

/// All must-haves of the role, also those that are not asked about.
fn overview(template: &ScreeningTemplate, texts: &Texts) -> Vec<String> {
    let asked = template.skills.iter().filter(|set| set.must_have).map(|set| capitalized(&set.skill_name));
    let left = template.not_asked.iter();
    let left = left.map(|skill| texts.say(key!("screening.not_asked"), &[("skill", &capitalized(skill))]));
    asked.chain(left).collect()
}

fn introduce(document: &mut Document, intro: &str) {
    let (points, prose): (Vec<&str>, Vec<&str>) = intro.lines().partition(|line| line.starts_with("• "));
    document.paragraph(prose.join("\n"));
    document.bullets(points.iter().map(|point| capitalized(point.trim_start_matches("• "))));
}

fn ask(document: &mut Document, number: &str, question: &Question, texts: &Texts) {
    document.paragraph(format!("{number}. {}", question.text));
    if question.notes_space {
        document.push(Block::notes(texts.get(key!("screening.notes"))));
    }
}

fn scale(document: &mut Document, anchors: &Anchors, texts: &Texts) {
    let get = |key: Key| texts.get(key).to_owned();
    let rows = [["1", &anchors.one], ["3", &anchors.three], ["5", &anchors.five]];
    document
        .push(Block::table([get(key!("screening.scale.score")), get(key!("screening.scale.shows"))], rows));
}
