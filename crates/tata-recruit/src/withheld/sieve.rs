//! Takes what must not pass out of what a module is given, and tells the recruiter once.

use super::{Ground, Withheld, find};
use crate::{
    Evidence, Language, Notice, Refusal, Source, Sources, Texts, Tracer, clip::clipped, review::law, tidy,
};

/// The most characters of a sentence that are quoted to the recruiter.
const QUOTED: usize = 120;
/// The most sentences that are named one by one.
const NAMED: usize = 10;

/// Gathers what is withheld of one call.
pub(crate) struct Sieve<'a> {
    texts: &'a Texts,
    language: Language,
    found: Vec<Withheld>,
    /// What was told before, with an earlier document.
    known: Vec<Withheld>,
}

impl<'a> Sieve<'a> {
    /// For a recruiter who is spoken to in this language.
    pub(crate) fn new(texts: &'a Texts, language: Language) -> Self {
        Self { texts, language, found: Vec::new(), known: Vec::new() }
    }

    /// Blanks what must not pass in a text somebody gave. What is left keeps its place.
    pub(crate) fn text(&mut self, text: &mut String) {
        let found = find(text, self.language);
        self.blank(text, found);
    }

    /// Blanks in a text what another one of the same length shows to be said in confidence.
    pub(crate) fn confided(&mut self, text: &mut String, shown: &str) {
        let mut found = find(shown, self.language);
        found.retain_mut(|one| {
            one.grounds.retain(|ground| *ground == Ground::Confidence);
            !one.grounds.is_empty()
        });
        self.blank(text, found);
    }

    fn blank(&mut self, text: &mut String, found: Vec<Withheld>) {
        if !found.is_empty() {
            *text = blanked(text, &found);
            self.found.extend(found);
        }
    }

    /// The same where a text may be missing.
    pub(crate) fn optional(&mut self, text: &mut Option<String>) {
        if let Some(text) = text {
            self.text(text);
        }
    }

    /// The same for a text that an earlier document may have been made from: then the recruiter was told.
    pub(crate) fn again(&mut self, text: &mut Option<String>, before: Option<&str>) {
        let Some(text) = text else { return };
        let told = self.found.len();
        self.text(text);
        if before.is_some_and(|before| before.contains(text.trim())) {
            self.known.extend(self.found.drain(told..));
        }
    }

    /// Refuses a statement that must not pass: by itself, or because it stands in what was withheld and nowhere else.
    pub(crate) fn statement(&self, field: &str, statement: &str, kept: &Sources, refusal: &mut Refusal) {
        let own = find(statement, self.language);
        let found = own.first().or_else(|| {
            let elsewhere = || Tracer::new(kept).find(statement, None).is_some();
            let stands = |withheld: &&Withheld| {
                Tracer::over([((), withheld.text.as_str())]).place(statement, None).is_some()
            };
            self.found.iter().chain(&self.known).find(stands).filter(|_| !elsewhere())
        });
        if let Some(found) = found {
            let values = [("text", &*clipped(&tidy(statement), QUOTED)), ("ground", &*self.grounds(found))];
            refusal.say(field, self.texts, key!("withheld.refused"), &values);
        }
    }

    /// Tells what was withheld and why; nothing if nothing was.
    pub(crate) fn notice(&self) -> Option<Notice> {
        let named = self.found.iter().take(NAMED).map(|found| {
            let text = clipped(&tidy(&found.text), QUOTED);
            self.texts.say(key!("withheld.item"), &[("text", &text), ("ground", &self.grounds(found))])
        });
        let mut named: Vec<String> = named.collect();
        if named.is_empty() {
            return None;
        }
        if self.found.len() > NAMED {
            let more = self.found.len() - NAMED;
            named.push(self.texts.say(key!("withheld.more"), &[("count", &more.to_string())]));
        }
        Some(Notice::say("withheld", self.texts, key!("withheld.told"), &[("items", &named.join("; "))]))
    }

    fn grounds(&self, found: &Withheld) -> String {
        let grounds: Vec<String> = found
            .grounds
            .iter()
            .map(|ground| match ground {
                Ground::Confidence => self.texts.get(key!("withheld.confidence")).to_owned(),
                Ground::Protected(category) => {
                    let name = self.texts.get(group!("withheld.grounds").key(category.name()));
                    match law::ground(found.language, *category) {
                        Some(law) => {
                            self.texts.say(key!("withheld.protected"), &[("ground", name), ("law", law)])
                        }
                        None => self.texts.say(key!("withheld.unlawful"), &[("ground", name)]),
                    }
                }
            })
            .collect();
        self.texts.enumerate(&grounds)
    }
}

/// A text with blanks where something must not pass. Lines stay lines, and characters keep their places.
pub(crate) fn blanked(text: &str, withheld: &[Withheld]) -> String {
    let mut spans = withheld.iter().peekable();
    let letters = text.chars().enumerate().map(|(at, letter)| {
        while spans.next_if(|span| span.end <= at).is_some() {}
        let inside = spans.peek().is_some_and(|span| span.start <= at);
        if inside && !matches!(letter, '\n' | '\r' | '\u{2028}') { ' ' } else { letter }
    });
    letters.collect()
}

/// Whether a statement's evidence lies in something withheld.
pub(crate) fn overlaps(evidence: &Evidence, source: Source, withheld: &[Withheld]) -> bool {
    evidence.source == source
        && withheld.iter().any(|span| span.start < evidence.end && evidence.start < span.end)
}
