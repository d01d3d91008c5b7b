//! Takes what must not pass out of what a module is given, and tells the recruiter once.

use super::{Ground, Withheld, find};
use tata_language::book::Category;

use crate::{
    Country, Evidence, Language, Notice, Refusal, Source, Sources, Texts, Tracer, clip::clipped, review::law,
    tidy,
};

/// The most characters of a sentence that are quoted to the recruiter.
const QUOTED: usize = 120;
/// The most sentences that are named one by one.
const NAMED: usize = 10;

/// Gathers what is withheld of one call.
pub(crate) struct Sieve<'a> {
    texts: &'a Texts,
    language: Language,
    /// Whose law is named; where nobody knows, that of the country in which a text of its language is written.
    country: Option<Country>,
    found: Vec<Withheld>,
    /// What was told before, with an earlier document.
    known: Vec<Withheld>,
}

impl<'a> Sieve<'a> {
    /// For a recruiter who is spoken to in this language, about a job in this country.
    pub(crate) fn new(texts: &'a Texts, language: Language, country: Option<Country>) -> Self {
        Self { texts, language, country, found: Vec::new(), known: Vec::new() }
    }

    /// The same, where the country is known only after the texts were read.
    pub(crate) fn in_country(mut self, country: Option<Country>) -> Self {
        self.country = country.or(self.country);
        self
    }

    /// Whether something was withheld that a law names.
    pub(crate) fn cites_law(&self) -> bool {
        self.found.iter().any(|found| !found.categories().is_empty())
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

    /// Why something is withheld, in one sentence: all grounds, and the law once.
    fn grounds(&self, found: &Withheld) -> String {
        let mut reasons: Vec<String> = Vec::new();
        if found.grounds.contains(&Ground::Confidence) {
            reasons.push(self.texts.get(key!("withheld.confidence")).to_owned());
        }
        let categories = found.categories();
        if !categories.is_empty() {
            reasons.push(self.unlawful(&categories, found.language));
        }
        reasons.join("; ")
    }

    fn unlawful(&self, categories: &[Category], language: Language) -> String {
        let texts = self.texts;
        let name = |category: &Category| texts.get(group!("withheld.grounds").key(category.name()));
        let ground = texts.enumerate(&categories.iter().map(name).collect::<Vec<_>>());
        let country = self.country.unwrap_or(Country::of_language(language));
        let Some(law) = law::about_wish(country, categories, texts.language()) else {
            return texts.say(key!("withheld.unlawful"), &[("ground", &ground)]);
        };
        // Poor health is not always a disability, and the laws name that alone.
        let key = match categories {
            [Category::Disability] => key!("withheld.protected_health"),
            _ => key!("withheld.protected"),
        };
        texts.say(key, &[("ground", &ground), ("country", country.display(texts)), ("law", &law)])
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
