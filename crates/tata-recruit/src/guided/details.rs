//! What a sentence says of the team, the place, the pay and the number of positions.

use std::ops::Range;

use super::{fields::Field, lexicon::Lexicon, numerals::number_at, slots::Slots};
use crate::Language;

impl Slots<'_, '_> {
    /// The tokens of a field that the message labels.
    pub(super) fn field(&self, wanted: Field) -> Option<Range<usize>> {
        self.fields.iter().find(|(field, _)| *field == wanted).map(|(_, range)| range.clone())
    }

    /// The number in a field.
    pub(super) fn counted(&self, wanted: Field) -> Option<u32> {
        let (count, _) = self.field(wanted)?.find_map(|at| number_at(&self.heard.tokens, at))?;
        Some(count)
    }

    pub(super) fn positions(&self) -> Option<u32> {
        if let Some(count) = self.counted(Field::Positions) {
            return Some(count);
        }
        let lexicon = Lexicon::get();
        (0..self.heard.tokens.len()).find_map(|at| {
            let (count, end) =
                number_at(&self.heard.tokens, at).filter(|(count, _)| (1..500).contains(count))?;
            (end..end + 2)
                .filter_map(|next| self.heard.tokens.get(next))
                .any(|next| lexicon.has("positions", &next.text))
                .then_some(count)
        })
    }

    /// How many people are in the team: the number that stands nearest to a word for it.
    pub(super) fn team_size(&self) -> Option<u32> {
        if self.field(Field::TeamSize).or_else(|| self.field(Field::Positions)).is_some() {
            return self.counted(Field::TeamSize);
        }
        let tokens = &self.heard.tokens;
        // "zwölfköpfiges Team", "zu fünft".
        let bodily = |token: &super::tokens::Token<'_>| {
            let stem = token.text.split("köpfig").next().filter(|stem| stem.len() < token.text.len())?;
            super::numerals::in_one_word(stem).or_else(|| stem.parse().ok())
        };
        let together = |at: usize| {
            number_at(tokens, at)
                .filter(|(_, end)| tokens[at].text == "zu" && *end > at + 1)
                .map(|(count, _)| count)
        };
        let told = (0..tokens.len()).find_map(|at| bodily(&tokens[at]).or_else(|| together(at)));
        if told.is_some() {
            return told;
        }
        let mut best: Option<(usize, u32)> = None;
        for at in 0..tokens.len() {
            let Some((count, end)) = number_at(tokens, at) else { continue };
            let spoken = tokens[at].number().is_none();
            if !(2..2000).contains(&count) || (spoken && count < 2) {
                continue;
            }
            // A sentence that ended is about something else.
            let parted = |from: usize, to: usize| (from..to).any(|at| tokens[at].is_after_sentence());
            let distance = |hit: &super::hearing::Hit| {
                let after = hit.start.checked_sub(end).filter(|_| !parted(end, hit.start + 1));
                let before = at.checked_sub(hit.end).filter(|_| !parted(hit.end, at + 1));
                let inside = (hit.start <= at && end <= hit.end).then_some(0);
                inside.or(after).or(before)
            };
            let nearest = self.heard.all("team_word").filter_map(distance).min();
            if let Some(distance) = nearest.filter(|distance| *distance <= 4)
                && best.is_none_or(|(known, _)| distance < known)
            {
                best = Some((distance, count));
            }
        }
        best.map(|(_, count)| count)
    }

    /// A place that is named.
    pub(super) fn place(&self) -> Option<String> {
        let lexicon = Lexicon::get();
        let tokens = &self.heard.tokens;
        if let Some(range) = self.field(Field::Place) {
            return Some(self.heard.typed(range.start, range.end).to_owned());
        }
        // "not in Aarhus any more, they have moved to Kolding".
        let denied = |at: usize| {
            let near = at.saturating_sub(2)..at;
            near.into_iter().any(|near| {
                lexicon.has("denials", &tokens[near].text) && !tokens[near + 1].before.contains(',')
            })
        };
        let known = (0..tokens.len()).find(|at| lexicon.is_city(&tokens[*at].text) && !denied(*at));
        if let Some(at) = known {
            return Some(tokens[at].raw.to_owned());
        }
        self.heard.after_cues("place_before").into_iter().find_map(|(after, _)| {
            let token = tokens.get(after)?;
            let free = token.is_capital()
                && Language::find(&token.text).is_none()
                && lexicon.calendar.month(&token.text).is_none()
                && lexicon.calendar.weekday(&token.text).is_none()
                && !self.heard.is_known(after)
                && !token.is_after_sentence();
            let used = self.title.as_ref().is_some_and(|title| title.tokens.contains(&after))
                || self.skills.as_ref().is_some_and(|(_, range)| range.contains(&after));
            (free && !used).then(|| token.raw.to_owned())
        })
    }

    /// The pay as it was typed: from its first number, or the currency before it, to the last word about it.
    pub(super) fn pay(&self) -> Option<Range<usize>> {
        (0..self.heard.tokens.len()).find_map(|at| self.pay_at(at))
    }

    fn pay_at(&self, first: usize) -> Option<Range<usize>> {
        let heard = self.heard;
        let lexicon = Lexicon::get();
        heard.tokens.get(first)?.number()?;
        let currency = |at: usize| lexicon.has("money", &heard.tokens[at].text);
        let money = |at: usize| {
            heard.tokens[at].number().is_some() || heard.covers(&["pay_word"], at) || currency(at)
        };
        let linked = |at: usize| {
            let text = heard.tokens[at].text.as_str();
            lexicon.is_article(text) || lexicon.has("money_links", text)
        };
        let (mut end, mut at) = (first, first);
        while at < heard.tokens.len()
            && !(at > first && heard.tokens[at].is_after_sentence() && heard.tokens[at].number().is_none())
            && !(at > first && heard.tokens[at].before.contains([';', '|']))
        {
            if money(at) {
                end = at + 1;
            } else if !linked(at) {
                break;
            }
            at += 1;
        }
        let leads = |at: &usize| currency(*at) || lexicon.has("between", &heard.tokens[*at].text);
        let start = first.checked_sub(1).filter(leads).unwrap_or(first);
        let announced = heard.all("pay_word").any(|hit| hit.end <= first && first - hit.end <= 4);
        let valued = (first..end).any(currency);
        // A place in a list is no pay.
        let large = (first..end).any(|at| heard.tokens[at].text.len() >= 2);
        (large && (announced || valued || start < first && currency(start))).then_some(start..end)
    }

    /// One of the three offices, or another place that is named as one.
    pub(super) fn office(&self) -> Option<String> {
        let tokens = &self.heard.tokens;
        let office = tokens.iter().find_map(|token| Lexicon::get().office(&token.text));
        let other = || self.place().filter(|_| self.heard.has("on_site"));
        office.map(str::to_owned).or_else(other)
    }
}
