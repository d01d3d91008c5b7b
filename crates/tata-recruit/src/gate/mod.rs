//! The gate that every outgoing text passes.
//!
//! It refuses emoji, dash bullets, banned words, module letters, questions for the recruiter's name, the wrong language
//! and a German text that mixes du and Sie. What is invented is kept out by [`crate::Tracer`], before a text is
//! written.
//!
//! Words of others (`verbatim`, and quotations in a document) may be in any language, say du or Sie and ask for a name.
//! The other rules hold for them too: a text that candidates read has no emoji and no banned word, whoever wrote it.
//! Only what is barred in headhunting alone ("market-leading") may stand in somebody's own words.

mod address;
mod foreign;
mod names;
mod signs;
mod text;
mod verbatim;

use tata_language::{
    book::{Book, Scope},
    identify::LanguageEvidence,
    named,
};
use text::{Pieces, Text};
use verbatim::Verbatim;

use tata_phrases::{Case, Gap, Hit, Word};

use crate::{Block, Document, Language, Notice, Refusal, Texts, Voice};

/// The most problems that are told at once: nobody reads more.
const MOST_TOLD: usize = 20;

/// Whom a text is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Candidates: banned words are refused.
    Candidates,
    /// People who did not apply: some more words are refused.
    Headhunting,
    /// Recruiters and hiring managers.
    Colleagues,
}

/// How a text must be.
#[derive(Clone, Copy, Debug)]
pub struct Gate<'a> {
    /// How it must speak.
    pub voice: Voice,
    /// Whom it is for.
    pub audience: Audience,
    /// Names and words of others that stand in it as they were written: they may be in any language.
    pub verbatim: &'a [&'a str],
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Which rule.
    pub rule: Rule,
    /// Whether it may not leave.
    pub level: Level,
    /// The first character.
    pub start: usize,
    /// The character after the last.
    pub end: usize,
    /// What stands there.
    pub excerpt: String,
    /// What would be better.
    pub suggestion: Option<String>,
}

named! {
    /// Its rules.
    pub enum Rule {
        /// Emoji.
        Emoji = "emoji",
        /// A dash as a bullet.
        DashBullet = "dash_bullet",
        /// Hype or exclusion.
        BannedWord = "banned_word",
        /// "Module A".
        ModuleLetter = "module_letter",
        /// GlobalConnect, written otherwise.
        CompanyName = "company_name",
        /// A question for the recruiter's name.
        NameQuestion = "name_question",
        /// Not the language it should be.
        Language = "language",
        /// du in a Sie text, or the other way round.
        Address = "address",
    }
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// It may leave; the recruiter is told.
    Warning,
    /// It may not leave.
    Error,
}

/// That texts passed the gate, and what it said about them. Only the gate gives one, and no document is made without.
#[derive(Debug, PartialEq, Eq)]
pub struct Cleared(Vec<Notice>);

impl Cleared {
    /// What the recruiter should know.
    pub fn notices(&self) -> impl Iterator<Item = Notice> {
        self.0.iter().cloned()
    }

    /// That other texts of the same document passed, too.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// For what is no document: it has no words but those of this program.
    pub(crate) fn own_words() -> Self {
        Self(Vec::new())
    }
}

impl Gate<'_> {
    /// What is wrong with a text, in order.
    pub fn check(&self, text: &str) -> Vec<Finding> {
        self.findings(Pieces::of(&[text]))
    }

    /// What keeps a single line from leaving. Which language it is in is asked elsewhere: a few words are too little to
    /// tell.
    pub(crate) fn errors(&self, line: &str) -> impl Iterator<Item = Finding> + use<> {
        let wrong = |finding: &Finding| finding.level == Level::Error && finding.rule != Rule::Language;
        self.check(line).into_iter().filter(wrong)
    }

    /// Lets a document through, with warnings, or refuses it, saying where and why in the recruiter's language.
    pub fn pass(&self, document: &Document, texts: &Texts) -> Result<Cleared, Refusal> {
        self.judge(pieces(document), texts)
    }

    /// The same for single texts of a document, of which all others are known to be right.
    pub(crate) fn pass_lines(&self, lines: &[&str], texts: &Texts) -> Result<Cleared, Refusal> {
        self.judge(Pieces::of(lines), texts)
    }

    fn judge(&self, pieces: Pieces<'_>, texts: &Texts) -> Result<Cleared, Refusal> {
        let (mut refusal, mut notices) = (Refusal::default(), Vec::new());
        let mut told: Vec<(Rule, String)> = Vec::new();
        for finding in self.findings(pieces) {
            let place = (finding.rule, finding.excerpt.to_lowercase());
            if told.len() == MOST_TOLD || told.contains(&place) {
                continue;
            }
            told.push(place);
            let name = finding.rule.name();
            let problem = texts.say(group!("project.gate").key(name), &[("excerpt", &finding.excerpt)]);
            match finding.level {
                Level::Warning => notices.push(Notice::new(name, problem)),
                Level::Error => {
                    let message = texts.say(key!("project.gate.refused"), &[("problem", &problem)]);
                    refusal.add(name, message, way_out(&finding, texts));
                }
            }
        }
        refusal.or_ok()?;
        Ok(Cleared(notices))
    }

    /// What the rules find in some texts, in each by itself and in all together.
    fn findings(&self, pieces: Pieces<'_>) -> Vec<Finding> {
        let pieces = pieces.read(&Verbatim::new(self.verbatim));
        let (mut findings, mut whole) = (Vec::new(), LanguageEvidence::default());
        for text in pieces.texts() {
            self.inspect(&text, &mut whole, &mut findings);
        }
        self.judge_whole(&pieces, &whole, &mut findings);
        findings
    }

    /// What the rules find in one text.
    fn inspect(&self, text: &Text<'_>, whole: &mut LanguageEvidence, all: &mut Vec<Finding>) {
        let language = self.voice.language();
        let mut findings = Vec::new();
        signs::emoji(text, &mut findings);
        signs::dash_bullets(text, &mut findings);
        self.banned_words(text, &mut findings);
        names::module_letters(text, language, self.audience == Audience::Colleagues, &mut findings);
        names::company_name(text, &mut findings);
        names::name_questions(text, &mut findings);
        foreign::other_language(text, language, whole, &mut findings);
        if let Some(form) = self.voice.form() {
            address::other_form(text, form, &mut findings);
        }
        findings.sort_by_key(|finding| (finding.start, finding.end, finding.rule));
        all.append(&mut findings);
    }

    fn banned_words(&self, text: &Text<'_>, findings: &mut Vec<Finding>) {
        if self.audience == Audience::Colleagues {
            return;
        }
        let headhunting = self.audience == Audience::Headhunting;
        for (entry, Hit { first, last, .. }) in Book::of(self.voice.language()).banned(text.words) {
            let barred = match entry.scope {
                // "Feil i Synergi": the name of a system, in the words of whoever works with it.
                Scope::All => !(first == last && text.is_verbatim(first) && self.is_name(text, first)),
                Scope::Headhunting => headhunting && !(first..=last).all(|word| text.is_verbatim(word)),
            };
            if let Some(finding) = text.finding(Rule::BannedWord, first, last).filter(|_| barred) {
                findings.push(Finding { suggestion: Some(entry.suggestion.to_owned()), ..finding });
            }
        }
    }

    /// Whether a word is written as a name: with a capital letter inside a sentence, where other nouns have none.
    fn is_name(&self, text: &Text<'_>, at: usize) -> bool {
        let inside = |word: &Word<'_>| word.gap == Gap::Blank && word.case == Case::Capital;
        self.voice.language() != Language::De && at > 0 && text.words.get(at).is_some_and(inside)
    }

    /// A text whose sentences are too short or too alike to be told one by one may still be in another language.
    fn judge_whole(&self, pieces: &Pieces<'_>, whole: &LanguageEvidence, findings: &mut Vec<Finding>) {
        let told = findings.iter().any(|finding| finding.rule == Rule::Language);
        if !told
            && foreign::is_other(whole, self.voice.language())
            && let Some(longest) = pieces.texts().max_by_key(|text| text.words.len())
        {
            findings.extend(longest.finding(Rule::Language, 0, longest.words.len().saturating_sub(1)));
            findings.sort_by_key(|finding| (finding.start, finding.end, finding.rule));
        }
    }
}

/// The texts of a document; quotations are somebody else's.
fn pieces(document: &Document) -> Pieces<'_> {
    let mut pieces = Pieces::of(&[&document.title]);
    for block in &document.blocks {
        // The words of a quotation come first, before where they come from.
        let quoted = usize::from(matches!(block, Block::Quote { .. }));
        for (at, text) in block.inlines().into_iter().enumerate() {
            pieces.push(text.as_str(), at < quoted);
        }
    }
    pieces
}

/// What to do about a finding.
fn way_out(finding: &Finding, texts: &Texts) -> String {
    let way_out = texts.get(key!("project.gate.way_out"));
    match &finding.suggestion {
        Some(suggestion) => {
            format!("{way_out} {}", texts.say(key!("project.gate.better"), &[("suggestion", suggestion)]))
        }
        None => way_out.to_owned(),
    }
}
