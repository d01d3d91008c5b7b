//! Where notes are cut.

use std::ops::Range;

use tata_language::{Language, Offsets, sentences, tokens};

use super::{Piece, Place, Role, unit};
use crate::answer::{
    pieces::pieces,
    words::{Meaning, Words},
};

/// A heading has no more words.
const HEADING: usize = 6;
/// No page is narrower: shorter lines were ended by whoever wrote them.
const FULL: usize = 55;
/// An abbreviation has no more letters.
const ABBREVIATED: usize = 5;
/// The name of a position has no more words.
const TITLE: usize = 5;
/// A label has no more characters.
const LABEL: usize = 60;
/// What stands between a label and what it names; a question does so at the beginning of a line alone: "Why? Because …".
const LABEL_ENDS: [&str; 4] = [":", "->", "→", "?"];
/// Lists of short things, several of which may stand in one line.
const LISTS: [Place; 5] = [Place::Must, Place::Good, Place::Task, Place::Reason, Place::Trait];
/// A line that was ended by the edge of the page is not much shorter than the longest, in percent.
const WRAPPED: usize = 80;

/// Cuts notes into pieces.
pub(super) fn cut(text: &str, language: Language) -> Vec<Piece> {
    let mut cutter = Cutter {
        text,
        language,
        offsets: Offsets::new(text),
        found: Vec::new(),
        prose: None,
        section: Section::default(),
        block: Block::default(),
    };
    let mut start = 0;
    let mut lines =
        text.split_inclusive(['\n', '\r', '\u{2028}', '\u{2029}', '\u{b}', '\u{c}', '\u{85}']).peekable();
    while let Some(line) = lines.next() {
        let end = start + line.len();
        if start >= cutter.block.end {
            cutter.block = cutter.block_at(start);
        }
        let underlined = lines.peek().is_some_and(|next| is_rule(next)) && !line.trim().is_empty();
        // "Must have: SQL; BGP. Tasks: run the network": each label begins a line of its own. A point stays whole.
        while let Some(cut) = next_label(text.get(start..end).unwrap_or_default(), language) {
            cutter.line(start..start + cut, false);
            start += cut;
        }
        cutter.line(start..end, underlined);
        start = end;
    }
    cutter.end_prose();
    cutter.found
}

/// What the last heading said.
#[derive(Clone, Copy, Debug, Default)]
struct Section {
    place: Option<Place>,
    /// Nothing but bullets has come since, blank lines aside.
    bullets: bool,
    /// No blank line has come since.
    close: bool,
}

/// Lines without a blank one between them.
#[derive(Clone, Copy, Debug, Default)]
struct Block {
    /// The byte behind it.
    end: usize,
    /// How many characters its longest line has.
    width: usize,
    /// It has points or labels: whoever wrote it ended its lines.
    listed: bool,
}

struct Cutter<'t> {
    text: &'t str,
    language: Language,
    offsets: Offsets<'t>,
    found: Vec<Piece>,
    /// Lines of prose that may be one paragraph, in bytes.
    prose: Option<Range<usize>>,
    section: Section,
    block: Block,
}

impl Cutter<'_> {
    /// The block that begins here; a blank line is one of its own.
    fn block_at(&self, start: usize) -> Block {
        let mut block = Block { end: start, ..Block::default() };
        for line in self.text.get(start..).unwrap_or_default().split_inclusive('\n') {
            let blank = line.trim().is_empty();
            if blank && block.end > start {
                break;
            }
            block.end += line.len();
            let line = line.trim();
            block.width = block.width.max(line.chars().count());
            block.listed |= bullet(line).is_some() || self.label(line).is_some();
            if blank {
                break;
            }
        }
        block
    }

    fn line(&mut self, whole: Range<usize>, underlined: bool) {
        let quoted = unquoted(self.text, whole.clone());
        let bytes = trimmed(self.text, quoted.clone());
        let line = self.text.get(bytes.clone()).unwrap_or_default();
        if is_rule(line) {
            return self.end_prose();
        }
        if line.is_empty() {
            self.end_prose();
            self.section.close = false;
            return;
        }
        let indented = bytes.start > quoted.start;
        if let Some(skipped) = bullet(line) {
            self.end_prose();
            self.item(bytes, skipped);
        } else if let Some(section) = self.heading(line, underlined) {
            self.end_prose();
            self.begin(bytes.clone(), bytes, section);
        } else if indented && self.prose.is_none() && self.goes_on(bytes.start) {
            self.extend(bytes);
        } else if let Some((place, skipped)) = self.label(line) {
            self.end_prose();
            let content = bytes.start + skipped..bytes.end;
            self.listed(bytes, content, place);
            self.section = Section::default();
        } else {
            let start = self.prose.as_ref().map_or(bytes.start, |prose| prose.start);
            self.prose = Some(start..bytes.end);
        }
    }

    /// A heading that names no place is a line like any other, so that it is not lost.
    fn begin(&mut self, bytes: Range<usize>, content: Range<usize>, section: Section) {
        let role = if section.place.is_some() { Role::Heading } else { Role::Line };
        self.push(bytes, content, role, None);
        self.section = section;
    }

    /// A point of a list is one piece, whatever stands in it.
    fn item(&mut self, bytes: Range<usize>, skipped: usize) {
        let content = trimmed(self.text, bytes.start + skipped..bytes.end);
        let line = self.text.get(content.clone()).unwrap_or_default();
        // "3. What must they bring?": a question in a list is a heading of what comes below.
        if line.ends_with('?') {
            let place = place_of(line, self.language);
            return self.begin(bytes, content, Section { place, bullets: true, close: true });
        }
        if let Some((place, label)) = self.label(line) {
            let content = trimmed(self.text, content.start + label..content.end);
            return self.listed(bytes, content, place);
        }
        // A sentence after the points is about them, not one of them.
        self.section.close = false;
        let listed = self.section.place.filter(|_| self.section.bullets);
        let kind = self.kind(line);
        match listed.filter(|place| self.belongs(line, *place)) {
            Some(place) => self.kept_part(bytes, content, place),
            None => self.push(bytes, content, Role::Line, kind),
        }
    }

    /// What follows a label: its sentences while they speak of the same, and below them whatever comes next.
    fn listed(&mut self, bytes: Range<usize>, content: Range<usize>, place: Place) {
        let mut place = Some(place);
        let mut whole = bytes.start;
        let sentences = self.sentence_ranges(&content);
        for (at, sentence) in sentences.iter().enumerate() {
            let last = sentences.get(at + 1).map_or(bytes.end, |next| next.start);
            let text = self.text.get(sentence.clone()).unwrap_or_default();
            if at > 0 {
                place = place.filter(|place| self.says_more(text, *place));
            }
            match place {
                Some(place) => self.parts(whole..last, sentence.clone(), place),
                None => self.push(sentence.clone(), sentence.clone(), Role::Line, self.kind_or_wish(text)),
            }
            whole = last;
        }
    }

    /// One thing, unless semicolons or slashes part it. A comma parts nothing.
    fn parts(&mut self, bytes: Range<usize>, content: Range<usize>, place: Place) {
        let text = self.text.get(content.clone()).unwrap_or_default();
        let mark = if text.contains(';') { ";" } else { " / " };
        if !LISTS.contains(&place) || !text.contains(mark) {
            return self.kept_part(bytes, content, place);
        }
        let mut start = content.start;
        let mut whole = bytes.start;
        for part in text.split(mark) {
            let end = start + part.len();
            let piece = without_stop(self.text, trimmed(self.text, start..end));
            start = end + mark.len();
            if !piece.is_empty() {
                let last = start.min(bytes.end);
                self.kept_part(whole..last, piece, place);
                whole = last;
            }
        }
    }

    /// A part of a list; what its own words take back has no place: "SAP – no wait, scrap that".
    fn kept_part(&mut self, bytes: Range<usize>, content: Range<usize>, place: Place) {
        let text = self.text.get(content.clone()).unwrap_or_default();
        let Some(gone) = unit::scrapped(text, self.language) else {
            return self.push(bytes, content, Role::Line, Some(place));
        };
        let gone = content.start + gone.start..content.start + gone.end;
        let before = without_mark(self.text, trimmed(self.text, content.start..gone.start));
        let after = without_mark(self.text, trimmed(self.text, gone.end..content.end));
        let mut whole = bytes.start;
        if !before.is_empty() {
            self.push(whole..before.end, before, Role::Line, Some(place));
            whole = gone.start;
        }
        let end = if after.is_empty() { bytes.end } else { gone.end };
        let gone = trimmed(self.text, gone);
        self.push(whole..end, gone, Role::Line, None);
        if !after.is_empty() {
            self.push(after.start..bytes.end, after, Role::Line, Some(place));
        }
    }

    /// Whether a further sentence still speaks of what the label names.
    fn says_more(&self, sentence: &str, place: Place) -> bool {
        // A day, a sum, a town is said in one sentence.
        let several = LISTS.contains(&place)
            || [
                Place::Team,
                Place::Company,
                Place::Challenge,
                Place::Measure,
                Place::Process,
                Place::Contact,
            ]
            .contains(&place);
        let own = [Place::Team, Place::Company, Place::Reason].contains(&place);
        let speaker = !own && unit::speaks_of_us(sentence, self.language);
        let other = self.kind(sentence).is_some_and(|kind| kind != place);
        let welcome = place == Place::Must && unit::is_welcome(sentence, self.language);
        several && !speaker && !other && !welcome && !unit::is_aside(sentence, self.language)
    }

    /// The same for a sentence behind a label, which may also say what is only welcome.
    fn kind_or_wish(&self, sentence: &str) -> Option<Place> {
        let wish = || unit::is_welcome(sentence, self.language).then_some(Place::Good);
        self.kind(sentence).or_else(wish)
    }

    /// Whether a point belongs to the list it stands in: one that plainly is of another kind does not.
    fn belongs(&self, line: &str, place: Place) -> bool {
        let other = LISTS.contains(&place) && self.kind(line).is_some_and(|kind| kind != place);
        !other && !unit::is_aside(line, self.language)
    }

    /// The place that a line's own words make plain, whatever list it stands in.
    fn kind(&self, line: &str) -> Option<Place> {
        unit::kind(line, self.language)
    }

    /// Ends a paragraph: its sentences, in the section if they follow its heading at once.
    fn end_prose(&mut self) {
        let Some(prose) = self.prose.take() else { return };
        let place = self.section.place.filter(|_| self.section.close && self.section.bullets);
        for lines in self.paragraphs(&prose) {
            self.sentences(&lines, place);
        }
        self.section.bullets = false;
    }

    /// A paragraph in lines that belong together: a line ended by the edge of the page goes on in the next one, any other
    /// stands for itself.
    fn paragraphs(&self, bytes: &Range<usize>) -> Vec<Range<usize>> {
        let text = self.text.get(bytes.clone()).unwrap_or_default();
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let lengths: Vec<usize> = lines.iter().map(|line| line.trim().chars().count()).collect();
        let width = lengths.iter().copied().max().unwrap_or_default();
        let width = if self.block.listed { width.max(self.block.width) } else { width };
        // Most lines were ended by whoever wrote them: these are points without signs.
        let wrapped = lengths.get(..lengths.len().saturating_sub(1)).unwrap_or_default();
        let short = wrapped.iter().filter(|length| **length * 100 < width * WRAPPED).count();
        let ragged = lines.len() > 2 && short * 2 > wrapped.len();
        let (mut found, mut start, mut end) = (Vec::new(), bytes.start, bytes.start);
        for (line, next) in lines.iter().zip(lines.iter().skip(1).map(Some).chain([None])) {
            end += line.len();
            if ragged || next.is_none_or(|next| self.stands_alone(line.trim(), next.trim(), width)) {
                found.push(unquoted(self.text, start..end));
                start = end;
            }
        }
        found
    }

    /// Whether a line does not go on in the next one.
    fn stands_alone(&self, line: &str, next: &str, width: usize) -> bool {
        let begins = next.trim_start_matches(|letter: char| !letter.is_alphanumeric());
        // Among points and labels every line was ended by whoever wrote it, unless it is as long as a page is wide.
        let small = !self.block.listed && begins.starts_with(char::is_lowercase) && self.kind(next).is_none();
        let length = line.chars().count();
        let word = next.split_whitespace().next().map_or(0, |word| word.chars().count());
        !small && !line.ends_with([',', '-', '–', '/', '&']) && (width < FULL || length + 1 + word <= width)
    }

    /// The sentences of a paragraph.
    fn sentences(&mut self, bytes: &Range<usize>, place: Option<Place>) {
        let mut place = place;
        for piece in self.sentence_ranges(bytes) {
            let text = self.text.get(piece.clone()).unwrap_or_default();
            let kind = self.kind(text);
            // A label that nobody knows begins something else, and so does a line of another kind.
            if kind.is_some_and(|kind| Some(kind) != place) || unit::is_labelled(text) {
                place = None;
            }
            let scrapped = unit::scrapped(text, self.language).is_some();
            let place = place.or(kind).filter(|_| !scrapped);
            self.push(piece.clone(), piece, Role::Line, place);
        }
    }

    /// Where the sentences of a paragraph stand. What is in brackets goes with the sentence before it.
    fn sentence_ranges(&self, bytes: &Range<usize>) -> Vec<Range<usize>> {
        let Some(text) = self.text.get(bytes.clone()) else { return Vec::new() };
        let words = tokens(text);
        let starts = sentences(self.language, &words).into_iter().skip(1);
        let cuts = starts
            .filter_map(|sentence| words.get(sentence.start))
            .map(|token| bytes.start + token.byte)
            .filter(|at| self.begins_sentence(bytes, *at))
            .chain([bytes.end]);
        let mut found = Vec::new();
        let mut start = bytes.start;
        for end in cuts {
            let piece = trimmed(self.text, start..end);
            if !piece.is_empty() {
                found.push(piece);
            }
            start = end;
        }
        found
    }

    /// Whether a sentence begins here. What is in brackets belongs to the one before, and one or two words behind a short
    /// one with a point stand behind an abbreviation: "kender DanLøn el. Visma".
    fn begins_sentence(&self, bytes: &Range<usize>, at: usize) -> bool {
        let (before, rest) = (self.text.get(bytes.start..at), self.text.get(at..bytes.end));
        let (Some(before), Some(rest)) = (before, rest) else { return false };
        let last = before.split_whitespace().next_back().unwrap_or_default();
        let short = self.block.listed
            && last.strip_suffix('.').is_some_and(|word| {
                (1..=ABBREVIATED).contains(&word.chars().count())
                    && word.chars().all(|letter| letter.is_lowercase() || letter.is_ascii_digit())
            });
        let is_tail = short && rest.split_whitespace().count() <= 2;
        !rest.starts_with('(') && !is_tail
    }

    fn push(&mut self, bytes: Range<usize>, content: Range<usize>, role: Role, place: Option<Place>) {
        let text = self.text.get(content.clone()).unwrap_or_default().to_owned();
        let (span, content) = (self.offsets.span(bytes), self.offsets.span(content));
        self.found.push(Piece { span, content, text, role, place });
    }

    /// Whether an indented line goes on with the point before it: nothing but its line break lies between.
    fn goes_on(&self, start: usize) -> bool {
        let Some(last) =
            self.found.last().filter(|last| last.role == Role::Line && last.span != last.content)
        else {
            return false;
        };
        let between = self.text.get(self.offsets.byte(last.span.end)..start).unwrap_or_default();
        between.matches('\n').count() == 1
    }

    fn extend(&mut self, bytes: Range<usize>) {
        let end = self.offsets.character(bytes.end);
        let Some(last) = self.found.last_mut() else { return };
        (last.span.end, last.content.end) = (end, end);
        self.offsets.text(last.content).clone_into(&mut last.text);
    }

    /// A section that a line begins, if it is a heading; it need not name a place.
    fn heading(&self, line: &str, underlined: bool) -> Option<Section> {
        let bold = line.starts_with("**") && line.ends_with("**") && line.len() > 4;
        let marked = underlined || bold || line.starts_with('#');
        let bare =
            line.trim_matches(|letter: char| matches!(letter, '#' | '*' | '_' | ' ' | '=' | '!' | '>'));
        let (name, colon) = match bare.strip_suffix(':') {
            Some(name) => (name.trim_end_matches('*'), true),
            None => (bare, false),
        };
        // "Must-haves (not negotiable)", "Basics, without them we do not go on": what comes after explains.
        let named =
            name.split([',', '(']).next().filter(|first| (marked || colon) && first.len() < name.len());
        let place = place_of(name, self.language)
            .or_else(|| named.and_then(|first| place_of(first.trim_end(), self.language)));
        let short = name.split_whitespace().count() <= HEADING && name.contains(char::is_alphabetic);
        let begins = place.is_some() || (short && (colon || marked));
        begins.then_some(Section { place, bullets: true, close: true })
    }

    /// "Must: SQL": the place, and how many bytes the label has.
    fn label(&self, line: &str) -> Option<(Place, usize)> {
        LABEL_ENDS.iter().find_map(|mark| {
            let (name, rest) = line.split_once(mark)?;
            let at = name.len();
            let name = name.trim_matches(|letter: char| matches!(letter, '*' | '_' | ' '));
            let place = place_of(name, self.language)?;
            // "Stelle: Servicetechniker" names the position, "Die Stelle:" before a sentence what it is about.
            let words = rest.split_whitespace().count();
            if words <= TITLE && unit::names_position(name, self.language) {
                return None;
            }
            let marks = rest.len() - rest.trim_start_matches(['*', '_', ' ', '\t', ':']).len();
            (marks < rest.len()).then_some((place, at + mark.len() + marks))
        })
    }
}

/// Where the next label begins behind the end of a sentence in the same line.
fn next_label(line: &str, language: Language) -> Option<usize> {
    if bullet(line.trim_start()).is_some() {
        return None;
    }
    let mut ends = line.match_indices(['.', ';', '!', '?']);
    ends.find_map(|(at, mark)| label_behind(line, at + mark.len(), language))
}

/// A piece of a list without the stop that ends its sentence.
fn without_stop(text: &str, piece: Range<usize>) -> Range<usize> {
    let stop =
        text.get(piece.clone()).is_some_and(|text| text.ends_with('.') && text.matches('.').count() == 1);
    piece.start..piece.end - usize::from(stop)
}

/// Where the first label of notes begins, at the beginning of a line or of a sentence.
pub fn first_label(text: &str, language: Language) -> Option<usize> {
    let named = |at: usize| text.get(at..).is_some_and(|rest| names_place(rest, language));
    let begins = text.len() - text.trim_start().len();
    let mut ends = text.match_indices(['.', ';', '!', '?', '\n']);
    let behind = || ends.find_map(|(at, mark)| label_behind(text, at + mark.len(), language));
    Some(begins).filter(|at| named(*at)).or_else(behind)
}

/// Where a label begins behind a blank.
fn label_behind(text: &str, end: usize, language: Language) -> Option<usize> {
    let rest = text.get(end..)?;
    let label = rest.trim_start();
    let blank = rest.len() - label.len();
    let new = blank > 0 || text.get(..end).is_some_and(|before| before.ends_with('\n'));
    (new && names_place(label, language)).then_some(end + blank)
}

/// Whether a text begins with a label and something behind it.
fn names_place(text: &str, language: Language) -> bool {
    let colon = text.char_indices().take(LABEL).find(|(_, letter)| matches!(letter, ':' | '\n'));
    let Some((name, rest)) = colon.and_then(|(at, _)| text.split_at_checked(at)) else { return false };
    let name = name.trim_matches(['*', '_', '#', ' ']);
    let more = rest.strip_prefix(':').is_some_and(|rest| !rest.trim().is_empty());
    more && place_of(name, language).is_some()
}

/// The place that words name, all of them. Nothing is left out by a heading.
fn place_of(name: &str, language: Language) -> Option<Place> {
    let mut pieces = pieces(name);
    while pieces.len() > 1 && pieces.last().is_some_and(|last| last.is('?') || last.is('.') || last.is('!')) {
        pieces.pop();
    }
    // Notes have labels in one language and lines in another.
    std::iter::once(language).chain(Language::ALL).find_map(|language| {
        let (place, length) = Words::of(language).at(&pieces, 0, Meaning::place)?;
        (length == pieces.len() && place != Place::Out).then_some(place)
    })
}

/// A piece of a list without the comma or dash that parts it from the next.
fn without_mark(text: &str, piece: Range<usize>) -> Range<usize> {
    let part = text.get(piece.clone()).unwrap_or_default();
    let is_mark =
        |letter: char| letter.is_whitespace() || matches!(letter, ',' | ';' | '-' | '–' | '—' | '/');
    let start = piece.start + (part.len() - part.trim_start_matches(is_mark).len());
    let bare = part.trim_matches(is_mark);
    start..start + bare.len()
}

fn trimmed(text: &str, bytes: Range<usize>) -> Range<usize> {
    let piece = text.get(bytes.clone()).unwrap_or_default();
    let start = bytes.start + (piece.len() - piece.trim_start().len());
    let end = start + piece.trim().len();
    start..end
}

/// A line without the marks of a quoted mail; one blank after them is theirs.
fn unquoted(text: &str, line: Range<usize>) -> Range<usize> {
    let all = text.get(line.clone()).unwrap_or_default();
    let rest = all.trim_start_matches(['>', ' ', '\t']);
    let marks = all.len() - rest.len();
    let Some(last) = all.get(..marks).and_then(|marks| marks.rfind('>')) else { return line };
    let after = last + 1;
    let blank = usize::from(all.get(after..).is_some_and(|rest| rest.starts_with(' ')));
    line.start + after + blank..line.end
}

/// A line of nothing but strokes, as under a heading.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 3 && ["-", "=", "_", "~"].iter().any(|mark| line.split(mark).all(str::is_empty))
}

/// How many bytes the bullet or number of a line has.
fn bullet(line: &str) -> Option<usize> {
    if let Some(arrow) = ["->", "=>"].into_iter().find(|arrow| line.starts_with(arrow)) {
        return Some(arrow.len())
            .filter(|length| line.get(*length..).is_some_and(|rest| !rest.trim().is_empty()));
    }
    let mut letters = line.chars();
    let first = letters.next()?;
    if matches!(first, '-' | '*' | '•' | '–' | '·' | '▪' | '◦' | '→' | '✓' | 'o') {
        let rest = letters.as_str();
        let spaced = rest.starts_with(char::is_whitespace) && !rest.trim().is_empty();
        let glued = first != 'o' && first != '*' && rest.starts_with(char::is_alphabetic);
        return (spaced || glued).then_some(first.len_utf8());
    }
    let digits = line.len() - line.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let rest = line.get(digits..)?;
    let numbered = (1..=2).contains(&digits) && rest.starts_with(['.', ')']);
    let spaced = rest
        .get(1..)
        .is_some_and(|rest| rest.starts_with(' ') && rest.trim().starts_with(char::is_alphabetic));
    (numbered && spaced).then_some(digits + 1)
}
