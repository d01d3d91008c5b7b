//! Statements that somebody hands over, and the proof that a source has them.

use crate::{
    Evidence, Item, PayRange, Refusal, Size, Source, Sources, Texts, Tracer,
    notes::{parse_pay, without_wrapping},
    profile::Said,
    tidy,
};

/// The most characters of one statement.
pub(super) const MOST_OF_STATEMENT: usize = 2_000;
/// The most statements of one kind that anybody hands over.
const MOST_STATEMENTS: usize = 100;

/// The sources as they may be quoted: signatures and footers of mails are none.
pub(super) fn quotable(sources: &Sources) -> Sources {
    sources
        .iter()
        .fold(Sources::default(), |kept, (source, text)| kept.with(source, Some(&without_wrapping(text))))
}

/// Finds each quotation in the sources; what cannot be found becomes a problem that quotes it.
pub(super) fn traced(
    field: &str,
    said: &[Said],
    tracer: &Tracer<'_>,
    refusal: &mut Refusal,
    texts: &Texts,
) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    for (at, said) in said.iter().take(MOST_STATEMENTS).enumerate() {
        let text = tidy(&said.text);
        // Signs alone say nothing, and cannot be found again.
        if !text.chars().any(char::is_alphanumeric) {
            continue;
        }
        let short = text.chars().count() <= MOST_OF_STATEMENT;
        match short.then(|| tracer.item(&said.text, said.source)).flatten() {
            Some(item) if items.iter().any(|known| known.text.to_lowercase() == item.text.to_lowercase()) => {
            }
            Some(item) => items.push(item),
            None => {
                let quote: String = text.chars().take(200).collect();
                let message = match said.source {
                    Some(source) => {
                        let source = texts.get(&format!("project.sources.{}", source.name()));
                        texts.say("profile.untraced_in", &[("text", &quote), ("source", source)])
                    }
                    None => texts.say("profile.untraced", &[("text", &quote)]),
                };
                refusal.add(format!("/{field}/{at}"), message, texts.get("profile.untraced_way_out"));
            }
        }
    }
    items
}

/// What the recruiter says, gathered into one source while its statements keep their places.
pub(super) struct Spoken {
    text: String,
    characters: usize,
    start: usize,
}

impl Spoken {
    /// Goes on after what the recruiter said before.
    pub(super) fn after(before: Option<&str>) -> Self {
        let text = before.unwrap_or_default().to_owned();
        let characters = text.chars().count();
        let start = text.len();
        Self { text, characters, start }
    }

    /// Writes a statement down; blank ones are none.
    pub(super) fn say(&mut self, statement: &str) -> Option<Evidence> {
        // The words themselves: they stand like that in what the recruiter brought.
        let quote = statement.trim().to_owned();
        // A statement of signs alone says nothing.
        if !quote.chars().any(char::is_alphanumeric) {
            return None;
        }
        if !self.text.is_empty() {
            self.text.push('\n');
            self.characters += 1;
        }
        let start = self.characters;
        self.text.push_str(&quote);
        self.characters += quote.chars().count();
        Some(Evidence { source: Source::RecruiterInput, start, end: self.characters, quote })
    }

    /// A statement as an item.
    pub(super) fn item(&mut self, statement: &str) -> Option<Item> {
        let evidence = self.say(statement)?;
        Some(Item { text: tidy(&evidence.quote), evidence })
    }

    /// Several.
    pub(super) fn items(&mut self, statements: &[String]) -> Vec<Item> {
        statements.iter().take(MOST_STATEMENTS).filter_map(|statement| self.item(statement)).collect()
    }

    /// A number of people; said as the number.
    pub(super) fn size(&mut self, people: u32) -> Option<Size> {
        let evidence = self.say(&people.to_string())?;
        Some(Size { people, evidence })
    }

    /// Everything the recruiter said, if there is anything new.
    pub(super) fn whole(&self) -> Option<&str> {
        (self.text.len() > self.start || self.start > 0).then_some(self.text.as_str())
    }
}

/// A pay the recruiter names; what is missing in it becomes a problem.
pub(super) fn pay(
    field: &str,
    statement: &str,
    spoken: &mut Spoken,
    refusal: &mut Refusal,
    texts: &Texts,
) -> Option<PayRange> {
    if statement.trim().is_empty() {
        return None;
    }
    let quote: String = tidy(statement).chars().take(200).collect();
    let range = parse_pay(&quote).and_then(|said| {
        let (min, max) = (said.min, said.max.unwrap_or(said.min));
        let evidence = Evidence::default();
        Some(PayRange { min, max, currency: said.currency?, period: said.period?, evidence })
    });
    let Some(mut range) = range else {
        let message = texts.say("profile.pay_unclear", &[("text", &quote)]);
        refusal.add(field, message, texts.get("profile.pay_way_out"));
        return None;
    };
    range.evidence = spoken.say(&quote)?;
    Some(range)
}
