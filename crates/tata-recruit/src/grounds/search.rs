//! Looks for words in what people brought, the newest first.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tata_core::{Citation, Material, MaterialId, Materials};
use tata_phrases::runs;

use crate::{Texts, Tracer, clip::clipped, evidence::whole_words, office::offices, same};

/// The most materials that a refusal lists, the newest of them.
const MOST_LISTED: usize = 12;
/// The most lines that are looked at for the nearest passage.
const MOST_LINES: usize = 4_000;
/// The most materials that a text may be put together from.
const MOST_JOINED: usize = 6;

/// Where words stand, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Place {
    pub(crate) material: MaterialId,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// Where a fact stands in a stored document, in characters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Passage {
    pub(crate) url: String,
    pub(crate) title: String,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// What people brought, ready to be searched.
pub(super) struct Search<'a> {
    pub(super) materials: &'a Materials,
    pub(super) now: Timestamp,
    /// What a search brought.
    passages: &'a [Citation],
    tracer: Tracer<'a, MaterialId>,
}

impl<'a> Search<'a> {
    pub(super) fn new(materials: &'a Materials, passages: &'a [Citation], now: Timestamp) -> Self {
        let tracer = Tracer::over(materials.iter().rev().map(|material| (material.id(), material.text())));
        Self { materials, now, passages, tracer }
    }

    /// A text that somebody brought: by number, word for word, or several put together.
    pub(super) fn source(&self, text: &str) -> Option<(String, Vec<Place>)> {
        if let Some(found) = self.by_number(text) {
            return Some(found);
        }
        if let Some((material, start, end)) = self.exact(text) {
            return Some((self.tracer.words(material, start, end), vec![Place { material, start, end }]));
        }
        if let Some((id, start, end)) = self.tracer.place(text, None) {
            let (start, end) = self.widened(id, start, end, text);
            return Some((self.tracer.words(id, start, end), vec![Place { material: id, start, end }]));
        }
        self.joined(text)
    }

    /// A statement that somebody made.
    pub(super) fn said(&self, text: &str) -> Option<(String, Vec<Place>)> {
        if let Some(found) = self.by_number(text) {
            return Some(found);
        }
        let (material, start, end) = self.exact(text).or_else(|| self.tracer.place(text, None))?;
        Some((self.tracer.words(material, start, end), vec![Place { material, start, end }]))
    }

    /// A fact that stands word for word in a passage that a search brought.
    pub(super) fn fact(&self, text: &str) -> Option<(String, Passage)> {
        let tracer =
            Tracer::over(self.passages.iter().map(|passage| (passage.number, passage.quote.as_str())));
        let (number, start, end) = tracer.place(text, None)?;
        let found = self.passages.iter().find(|passage| passage.number == number)?;
        let passage = Passage {
            url: found.url.clone(),
            title: found.title.clone(),
            start: found.start + start,
            end: found.start + end,
        };
        Some((tracer.words(number, start, end), passage))
    }

    /// The document of a passage, by its number, its address or its title.
    pub(super) fn passage_named(&self, text: &str) -> Option<String> {
        let wanted = text.trim().trim_matches(['[', ']']);
        let is = |passage: &&Citation| {
            passage.number.to_string() == wanted || passage.url == wanted || same(&passage.title, wanted)
        };
        let found = self.passages.iter().find(is)?;
        Some(format!("{} ({})", found.title, found.url))
    }

    /// Where exactly these words stand: of "Network Engineer" and "network engineer" the one that is meant.
    fn exact(&self, text: &str) -> Option<(MaterialId, usize, usize)> {
        let wanted = text.trim();
        self.materials.iter().rev().find_map(|material| {
            let said = material.text();
            let at = whole_words(said, wanted).next()?;
            let start = said.get(..at)?.chars().count();
            Some((material.id(), start, start + wanted.chars().count()))
        })
    }

    /// Where a city was named: Copenhagen is København to Danes.
    pub(super) fn office(&self, text: &str) -> Vec<Place> {
        let wanted = text.trim().to_lowercase();
        let office =
            offices().iter().find(|(key, office)| *key == wanted || office.names.contains(&wanted.as_str()));
        let names = office.into_iter().flat_map(|(key, office)| std::iter::once(key).chain(office.names));
        let found = std::iter::once(wanted.as_str()).chain(names.copied()).find_map(|name| self.said(name));
        found.map(|(_, places)| places).unwrap_or_default()
    }

    /// Whether somebody chose this: a number only in what was said last.
    pub(super) fn picked(&self, text: &str) -> bool {
        let number = text.trim().trim_matches(['#', '.', ')', ' ']);
        if number.bytes().all(|byte| byte.is_ascii_digit()) {
            let Some(last) = self.materials.iter().next_back().map(Material::turn) else { return false };
            return self.materials.of_turn(last).any(|material| {
                material.text().split(|letter: char| !letter.is_ascii_digit()).any(|digits| digits == number)
            });
        }
        self.tracer.place(text, None).is_some()
    }

    /// `m4`, `m4, m5`, or `m4 from "these words" to "those words"`.
    fn by_number(&self, text: &str) -> Option<(String, Vec<Place>)> {
        let text = text.trim();
        if !text.starts_with(['m', 'M']) {
            return None;
        }
        let ids: Option<Vec<MaterialId>> =
            text.split([',', ';', '+']).map(|part| part.trim().parse().ok()).collect();
        if let Some(ids) = ids {
            let found: Option<Vec<&Material>> = ids.into_iter().map(|id| self.materials.get(id)).collect();
            return found.map(|materials| whole(&materials));
        }
        let (id, rest) = text.split_once(char::is_whitespace)?;
        let material = self.materials.get(id.trim_end_matches(':').parse().ok()?)?;
        let rest = rest.trim_start().strip_prefix("from").unwrap_or(rest);
        let is_mark = |letter: char| matches!(letter, '"' | '“' | '”' | '„' | '«' | '»');
        let quoted: Vec<&str> = rest.split(is_mark).skip(1).step_by(2).collect();
        let (first, last) = (quoted.first()?, quoted.get(1));
        let (_, start, begun) = self.tracer.place(first, Some(material.id()))?;
        let end = match last {
            None => material.text().chars().count(),
            Some(last) => {
                // The last words come after the first.
                let after: String = material.text().chars().skip(start).collect();
                let (_, _, end) = Tracer::over([(material.id(), after.as_str())]).place(last, None)?;
                (start + end).max(begun)
            }
        };
        let words = material.text().chars().skip(start).take(end - start).collect();
        Some((words, vec![Place { material: material.id(), start, end }]))
    }

    /// A match leaves out the stop at the end and the mark of a list at the beginning; a text has them.
    fn widened(&self, id: MaterialId, start: usize, end: usize, text: &str) -> (usize, usize) {
        let Some(material) = self.materials.get(id) else { return (start, end) };
        let before: Vec<char> = material.text().chars().take(start).collect();
        let margin = before.iter().rev().take_while(|letter| **letter != '\n');
        let margin =
            margin.take_while(|letter| letter.is_whitespace() || matches!(letter, '-' | '*' | '•' | '–'));
        let margin = margin.count();
        // Only at the beginning of a line.
        let first = before.len() == margin || before.get(before.len() - margin - 1) == Some(&'\n');
        let start = if first { start - margin } else { start };
        let stop = text.trim_end().chars().next_back();
        let next = material.text().chars().nth(end);
        (start, end + usize::from(stop.is_some() && stop == next))
    }

    /// Several materials one after the other, each of them whole.
    fn joined(&self, text: &str) -> Option<(String, Vec<Place>)> {
        let all: Vec<&Material> = self.materials.iter().collect();
        let mut runs = (2..=MOST_JOINED.min(all.len())).flat_map(|count| all.windows(count));
        let run = runs.find(|run| {
            let length: usize = run.iter().map(|material| material.text().len()).sum();
            // Blanks aside, the lengths must agree before anything is compared.
            length.abs_diff(text.len()) <= 8 * run.len() && same(&whole(run).0, text)
        });
        run.map(whole)
    }

    /// The line that has most words of a text, for a refusal that helps.
    pub(super) fn nearest(&self, text: &str) -> Option<String> {
        let words = |text: &str| -> Vec<String> {
            runs(text).filter(|word| word.chars().count() > 2).map(str::to_lowercase).take(60).collect()
        };
        let wanted = words(text);
        let lines = self.materials.iter().rev().flat_map(|material| {
            material.text().lines().filter(|line| !line.trim().is_empty()).map(|line| (material.id(), line))
        });
        let score = |line: &str| {
            let has = words(line);
            wanted.iter().filter(|word| has.contains(word)).count()
        };
        let best =
            lines.take(MOST_LINES).map(|(id, line)| (score(line), id, line)).max_by_key(|(score, ..)| *score);
        let (score, id, line) = best?;
        let enough = score > 0 && score * 3 >= wanted.len();
        enough.then(|| format!("{id}: {}", clipped(&crate::tidy(line), 160)))
    }
}

/// The texts of materials, one after the other.
fn whole(materials: &[&Material]) -> (String, Vec<Place>) {
    let texts: Vec<&str> = materials.iter().map(|material| material.text()).collect();
    let places = materials.iter().map(|material| Place {
        material: material.id(),
        start: 0,
        end: material.text().chars().count(),
    });
    (texts.join("\n"), places.collect())
}

/// The materials there are, for a refusal.
pub(super) fn listed(materials: &Materials, texts: &Texts) -> String {
    let all: Vec<&Material> = materials.iter().rev().take(MOST_LISTED).collect();
    let one = |material: &&Material| {
        let count = material.text().chars().count().to_string();
        let id = material.id().to_string();
        let values = [
            ("id", id.as_str()),
            ("count", count.as_str()),
            ("text", &clipped(&crate::tidy(material.text()), 40)),
        ];
        texts.say("project.grounds.material", &values)
    };
    all.iter().rev().map(one).collect::<Vec<_>>().join(", ")
}
