//! A document as people read it: blocks of spans that any form of output can show.

mod block;
mod inline;
mod language;
mod markdown;

use serde::{Deserialize, Serialize};

pub use self::{
    block::{Align, Block, Chart, Stage, Table},
    inline::{Evidence, Inline, Marks, Span},
    language::LanguageTag,
};

/// A document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// Its title.
    pub title: String,
    /// The language it is written in.
    pub language: LanguageTag,
    /// What it says.
    pub blocks: Vec<Block>,
}

impl Document {
    /// An empty document.
    pub fn new(language: impl Into<LanguageTag>, title: impl Into<String>) -> Self {
        Self { title: title.into(), language: language.into(), blocks: Vec::new() }
    }

    /// Adds a heading; level 1 is the first below the title.
    pub fn heading(&mut self, level: u8, text: impl Into<Inline>) -> &mut Self {
        self.push(Block::Heading { level, text: text.into() })
    }

    /// Adds prose; blank prose is left out.
    pub fn paragraph(&mut self, text: impl Into<Inline>) -> &mut Self {
        let text = text.into();
        if text.is_blank() { self } else { self.push(Block::Paragraph(text)) }
    }

    /// Adds points; no points, no list.
    pub fn bullets(&mut self, points: impl IntoIterator<Item = impl Into<Inline>>) -> &mut Self {
        let points: Vec<Inline> = points.into_iter().map(Into::into).collect();
        if points.is_empty() { self } else { self.push(Block::Bullets(points)) }
    }

    /// Adds any block.
    pub fn push(&mut self, block: Block) -> &mut Self {
        self.blocks.push(block);
        self
    }

    /// Every piece of text in it, in order.
    pub fn texts(&self) -> Vec<&str> {
        let mut texts = vec![self.title.as_str()];
        texts.extend(self.blocks.iter().flat_map(Block::inlines).map(Inline::as_str));
        texts
    }

    /// Where its statements come from: every piece of evidence once, in the order of the text.
    pub fn sources(&self) -> Vec<&Evidence> {
        let mut sources: Vec<&Evidence> = Vec::new();
        let marks = self.blocks.iter().flat_map(Block::inlines).flat_map(Inline::spans);
        for evidence in marks.flat_map(|(_, marks)| &marks.evidence) {
            if !sources.contains(&evidence) {
                sources.push(evidence);
            }
        }
        sources
    }
}
