//! Text with what is known about its parts.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::LanguageTag;

/// Where a statement comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The name of the source, for people.
    pub source: String,
    /// The first character in the source.
    pub start: usize,
    /// The character after the last.
    pub end: usize,
    /// What stands there, unchanged.
    pub quote: String,
}

/// What is known about a span of text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Marks {
    /// It matters.
    #[serde(skip_serializing_if = "is_off")]
    pub strong: bool,
    /// It is stressed.
    #[serde(skip_serializing_if = "is_off")]
    pub emphasis: bool,
    /// Where it leads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// Where it comes from; several places where a source says it in pieces.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
    /// Nothing proves it yet.
    #[serde(skip_serializing_if = "is_off")]
    pub unproven: bool,
    /// Its language, where it is not that of the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<LanguageTag>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
fn is_off(mark: &bool) -> bool {
    !mark
}

impl Marks {
    pub(crate) const NONE: &'static Self = &Self {
        strong: false,
        emphasis: false,
        link: None,
        evidence: Vec::new(),
        unproven: false,
        language: None,
    };

    /// The address, if it is one that may be followed. Others are text only.
    pub fn address(&self) -> Option<&str> {
        let link = self.link.as_deref()?.trim();
        let known = ["http://", "https://", "mailto:"];
        let safe = known.iter().any(|scheme| {
            link.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
                && link.len() > scheme.len()
        });
        let clean = !link.chars().any(|c| c.is_control() || c.is_whitespace() || "<>\"'\\`".contains(c));
        (safe && clean).then_some(link)
    }
}

/// A text of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// The words.
    pub text: String,
    /// What is known about them.
    #[serde(flatten)]
    pub marks: Marks,
}

impl Span {
    /// Words without marks.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), marks: Marks::default() }
    }

    /// As something that matters.
    #[must_use]
    pub fn strong(mut self) -> Self {
        self.marks.strong = true;
        self
    }

    /// Stressed.
    #[must_use]
    pub fn emphasis(mut self) -> Self {
        self.marks.emphasis = true;
        self
    }

    /// With an address.
    #[must_use]
    pub fn link(mut self, address: impl Into<String>) -> Self {
        self.marks.link = Some(address.into());
        self
    }

    /// With a place it comes from.
    #[must_use]
    pub fn evidence(mut self, evidence: Evidence) -> Self {
        self.marks.evidence.push(evidence);
        self
    }

    /// In another language than the document.
    #[must_use]
    pub fn language(mut self, language: impl Into<LanguageTag>) -> Self {
        self.marks.language = Some(language.into());
        self
    }

    /// As something that nothing proves yet.
    #[must_use]
    pub fn unproven(mut self) -> Self {
        self.marks.unproven = true;
        self
    }
}

/// Text made of spans. The words are kept in one piece, so that whoever checks them reads them as they are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Form", into = "Form")]
pub struct Inline {
    text: String,
    /// Where each span ends; a text without any is one span without marks.
    runs: Vec<(usize, Marks)>,
}

/// How it is written down: words alone, or spans.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Form {
    Words(String),
    Spans(Vec<Span>),
}

impl Inline {
    /// The words.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether there is nothing to read.
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// The spans, in order; none is empty.
    pub fn spans(&self) -> impl Iterator<Item = (&str, &Marks)> {
        let starts = std::iter::once(0).chain(self.runs.iter().map(|(end, _)| *end));
        let marked = starts
            .zip(&self.runs)
            .map(|(start, (end, marks))| (self.text.get(start..*end).unwrap_or_default(), marks));
        let bare = self.runs.is_empty().then_some((self.text.as_str(), Marks::NONE));
        marked.chain(bare).filter(|(text, _)| !text.is_empty())
    }

    /// Adds a span; one without words is none.
    pub fn push(&mut self, span: Span) -> &mut Self {
        if span.text.is_empty() {
            return self;
        }
        if self.runs.is_empty() && (span.marks != Marks::default()) && !self.text.is_empty() {
            self.runs.push((self.text.len(), Marks::default()));
        }
        self.text.push_str(&span.text);
        match self.runs.last_mut() {
            Some((end, marks)) if *marks == span.marks => *end = self.text.len(),
            None if span.marks == Marks::default() => {}
            Some(_) | None => self.runs.push((self.text.len(), span.marks)),
        }
        self
    }

    /// The same words, of which a part is marked further: the first place where it stands, else all of them.
    #[must_use]
    pub fn marking(&self, part: &str, mark: impl Fn(Span) -> Span) -> Self {
        let at = self.text.find(part).filter(|_| !part.is_empty());
        let (from, to) = at.map_or((0, self.text.len()), |at| (at, at + part.len()));
        let mut made = Self::default();
        let mut start = 0;
        for (text, marks) in self.spans() {
            let cut = |at: usize| at.clamp(start, start + text.len()) - start;
            let [before, inside, after] = [0..cut(from), cut(from)..cut(to), cut(to)..text.len()]
                .map(|range| text.get(range).unwrap_or_default())
                .map(|text| Span { text: text.to_owned(), marks: marks.clone() });
            made.push(before).push(mark(inside)).push(after);
            start += text.len();
        }
        made
    }
}

impl From<Form> for Inline {
    fn from(form: Form) -> Self {
        match form {
            Form::Words(text) => text.into(),
            Form::Spans(spans) => spans.into(),
        }
    }
}

impl From<Inline> for Form {
    fn from(inline: Inline) -> Self {
        if inline.runs.is_empty() {
            return Self::Words(inline.text);
        }
        let span = |(text, marks): (&str, &Marks)| Span { text: text.to_owned(), marks: marks.clone() };
        Self::Spans(inline.spans().map(span).collect())
    }
}

impl From<String> for Inline {
    fn from(text: String) -> Self {
        Self { text, runs: Vec::new() }
    }
}

impl From<&String> for Inline {
    fn from(text: &String) -> Self {
        text.clone().into()
    }
}

impl From<&str> for Inline {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<Span> for Inline {
    fn from(span: Span) -> Self {
        vec![span].into()
    }
}

impl From<Vec<Span>> for Inline {
    fn from(spans: Vec<Span>) -> Self {
        let mut inline = Self::default();
        for span in spans {
            inline.push(span);
        }
        inline
    }
}

impl fmt::Display for Inline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(inline: &Inline) -> Vec<(&str, bool)> {
        inline.spans().map(|(text, marks)| (text, marks.strong)).collect()
    }

    #[test]
    fn words_stay_in_one_piece() {
        let mut inline = Inline::from("At ");
        inline.push(Span::new("least").strong()).push(Span::new(" four").strong()).push(Span::new(" years"));
        assert_eq!(inline.as_str(), "At least four years");
        assert_eq!(shown(&inline), [("At ", false), ("least four", true), (" years", false)]);
        let json = r#"["At ",{"text":"x"}]"#;
        assert!(serde_json::from_str::<Inline>(json).is_err());
        let written = serde_json::to_string(&inline).unwrap();
        assert_eq!(written, r#"[{"text":"At "},{"text":"least four","strong":true},{"text":" years"}]"#);
        assert_eq!(serde_json::from_str::<Inline>(&written).unwrap(), inline);
        assert_eq!(serde_json::to_string(&Inline::from("plain")).unwrap(), r#""plain""#);
    }

    #[test]
    fn a_part_is_marked_where_it_stands() {
        let check = |text: &str, part: &str, expected: &[(&str, bool)]| {
            assert_eq!(shown(&Inline::from(text).marking(part, Span::strong)), expected);
        };
        check("Calm (notes)", "Calm", &[("Calm", true), (" (notes)", false)]);
        check("Är lugn, är lugn", "lugn", &[("Är ", false), ("lugn", true), (", är lugn", false)]);
        check("Calm", "calm", &[("Calm", true)]);
        check("Calm", "", &[("Calm", true)]);
        check("", "x", &[]);
    }

    #[test]
    fn only_addresses_that_may_be_followed_are_links() {
        let check = |link: &str, kept: bool| {
            assert_eq!(Span::new("x").link(link).marks.address().is_some(), kept, "{link}");
        };
        check("https://example.com/a?b=c&d", true);
        check("HTTP://example.com", true);
        check("mailto:a@example.com", true);
        check("javascript:alert(1)", false);
        check(" javascript:alert(1)//https://", false);
        check("data:text/html,x", false);
        check("https://example.com/\" onclick=\"x", false);
        check("https://example.com/\nx", false);
        check("https://", false);
        check("//example.com", false);
    }
}
