//! What a recruiter sees first: who Tata is, what it can do, and how to begin.

use crate::{Block, Document, Kind, Texts, Voice};

/// The greeting of a new project. It asks for the position if nobody named it, and never for the recruiter's name.
pub fn greeting(voice: Voice, position: Option<&str>) -> Document {
    let mut document = services(voice, position);
    document.blocks.insert(0, Block::paragraph(Texts::of(voice).get(key!("project.greeting.hello"))));
    document
}

/// The same without a greeting, for somebody who asks again.
pub(crate) fn services(voice: Voice, position: Option<&str>) -> Document {
    let texts = Texts::of(voice);
    let mut document = Document::new(voice, "");
    document.paragraph(texts.get(key!("project.greeting.menu")));
    document.push(menu(texts));
    document.paragraph(match position {
        Some(position) => texts.say(key!("project.greeting.known_position"), &[("position", position)]),
        None => texts.get(key!("project.greeting.ask_position")).to_owned(),
    });
    document.paragraph(texts.get(key!("project.greeting.guidance")));
    document
}

/// The ten services, each with what it is and whether it builds on the requirement profile.
fn menu(texts: &Texts) -> Block {
    let line = |kind: Kind| {
        let about = texts.get(group!("project.services").key(format_args!("{}.about", kind.name())));
        let line = format!("{}: {about}", kind.display(texts));
        if kind.requires().contains(&Kind::RequirementProfile) {
            return format!("{line} ({})", texts.get(key!("project.greeting.builds_on_profile")));
        }
        line
    };
    Block::bulleted(Kind::SERVICES.into_iter().map(line))
}
