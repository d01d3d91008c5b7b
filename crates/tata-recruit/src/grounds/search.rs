//! Looks for words in what people brought, the newest first.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tata_core::{Citation, Material, MaterialId, Materials};
use tata_phrases::{runs, whole_words};

use super::{Given, Nearest};
use crate::{Texts, Tracer, clip::clipped, office::offices, same};

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
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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
    pub(super) fn source(&self, text: &str) -> Option<Given> {
        let exact = || self.exact(text).map(|place| self.given(place));
        let alike = || Some(self.given(self.widened(self.tracer.place(text, None)?, text)));
        self.by_number(text).or_else(exact).or_else(alike).or_else(|| self.joined(text))
    }

    /// A statement that somebody made.
    pub(super) fn said(&self, text: &str) -> Option<Given> {
        let place = || self.exact(text).or_else(|| self.tracer.place(text, None));
        self.by_number(text).or_else(|| Some(self.given(place()?)))
    }

    /// What stands at a place.
    fn given(&self, (material, start, end): (MaterialId, usize, usize)) -> Given {
        Given::at(self.tracer.words(material, start, end), vec![Place { material, start, end }])
    }

    /// A fact that stands word for word in a passage that a search brought.
    pub(super) fn fact(&self, text: &str) -> Option<Given> {
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
        let value = tracer.words(number, start, end);
        Some(Given { value, places: Vec::new(), passage: Some(passage) })
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
        found.map(|given| given.places).unwrap_or_default()
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
    fn by_number(&self, text: &str) -> Option<Given> {
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
        Some(self.given((material.id(), start, end)))
    }

    /// A match leaves out the stop at the end and the mark of a list at the beginning; a text has them.
    fn widened(
        &self,
        (id, start, end): (MaterialId, usize, usize),
        text: &str,
    ) -> (MaterialId, usize, usize) {
        let Some(material) = self.materials.get(id) else { return (id, start, end) };
        let before: Vec<char> = material.text().chars().take(start).collect();
        let margin = before.iter().rev().take_while(|letter| **letter != '\n');
        let is_margin = |letter: &&char| letter.is_whitespace() || matches!(letter, '-' | '*' | '•' | '–');
        let margin = margin.take_while(is_margin).count();
        // Only at the beginning of a line.
        let first = before.len() == margin || before.get(before.len() - margin - 1) == Some(&'\n');
        let start = if first { start - margin } else { start };
        let stop = text.trim_end().chars().next_back();
        let next = material.text().chars().nth(end);
        (id, start, end + usize::from(stop.is_some() && stop == next))
    }

    /// Several materials one after the other, each of them whole.
    fn joined(&self, text: &str) -> Option<Given> {
        let all: Vec<&Material> = self.materials.iter().collect();
        let mut runs = (2..=MOST_JOINED.min(all.len())).flat_map(|count| all.windows(count));
        let run = runs.find(|run| {
            let length: usize = run.iter().map(|material| material.text().len()).sum();
            // Blanks aside, the lengths must agree before anything is compared.
            length.abs_diff(text.len()) <= 8 * run.len() && same(&whole(run).value, text)
        });
        run.map(whole)
    }

    /// The line that has most words of a text, for a refusal that helps.
    pub(super) fn nearest(&self, text: &str) -> Option<Nearest> {
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
        let scored = lines.take(MOST_LINES).map(|(id, line)| (score(line), id, line));
        let (score, id, line) = scored.max_by_key(|(score, ..)| *score)?;
        let enough = score > 0 && score * 3 >= wanted.len();
        enough.then(|| Nearest { material: id, line: clipped(&crate::tidy(line), 160) })
    }
}

/// The texts of materials, one after the other.
fn whole(materials: &[&Material]) -> Given {
    let texts: Vec<&str> = materials.iter().map(|material| material.text()).collect();
    let places = materials.iter().map(|material| Place {
        material: material.id(),
        start: 0,
        end: material.text().chars().count(),
    });
    Given::at(texts.join("\n"), places.collect())
}

/// The materials there are, for a refusal.
pub(super) fn listed(materials: &Materials, texts: &Texts) -> String {
    let all: Vec<&Material> = materials.iter().rev().take(MOST_LISTED).collect();
    let one = |material: &&Material| {
        let (id, count) = (material.id().to_string(), material.text().chars().count().to_string());
        let text = clipped(&crate::tidy(material.text()), 40);
        let values = [("id", &*id), ("count", &*count), ("text", &*text)];
        texts.say(key!("project.grounds.material"), &values)
    };
    all.iter().rev().map(one).collect::<Vec<_>>().join(", ")
}
