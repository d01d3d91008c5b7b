//! A change that was not understood: which item, and what becomes of it, by numbers.

use tata_guided::{
    answer::{by_number, is_doubt, yes_or_no},
    edit::Edit,
    sort::Place,
    wish::Wish,
};

use super::{
    Ask,
    notes::place_name,
    say,
    turn::{Step, Turn},
};

impl Turn<'_> {
    /// Shows all items, numbered, and asks which one is meant.
    pub(super) fn ask_item(&mut self, lead: &str) -> Step {
        let texts = self.texts();
        let line = |(place, _, text): (Place, usize, String)| format!("{}: {text}", place_name(place, texts));
        let mut lines: Vec<String> = self.items().into_iter().map(line).collect();
        lines.push(texts.get(key!("guided.edit.something_new")).to_owned());
        self.thought.ask = Some(Ask::Item);
        let which = texts.get(key!("guided.edit.which_item"));
        self.say(say::joined(&[lead, which, &say::numbered(&lines)]))
    }

    fn items(&self) -> Vec<(Place, usize, String)> {
        let numbered = |(place, items): (Place, Vec<String>)| {
            items.into_iter().enumerate().map(move |(at, text)| (place, at, text))
        };
        self.lists().into_iter().flat_map(numbered).collect()
    }

    /// The number of an item, or of something new.
    pub(super) fn choose_item(&mut self, message: &str) -> Option<Step> {
        let number = by_number(message, self.language)?.checked_sub(1)?;
        let items = self.items();
        self.thought.intent = Some(Wish::EditProfile);
        if number == items.len() {
            self.thought.ask = Some(Ask::New);
            return Some(self.tell(key!("guided.edit.what_new")));
        }
        let (place, at, text) = items.into_iter().nth(number)?;
        self.thought.ask = Some(Ask::Becomes { place, at });
        Some(self.say(self.texts().say(key!("guided.edit.how"), &[("text", &text)])))
    }

    /// How an item shall read, or that it goes.
    pub(super) fn item_becomes(&mut self, place: Place, at: usize, message: &str) -> Option<Step> {
        if by_number(message, self.language) == Some(1) {
            return Some(self.propose(Edit::Remove { place, at }));
        }
        let new = self.own_words(message)?;
        Some(self.propose(Edit::Replace { place, at, part: None, after: new.clone(), new }))
    }

    /// What comes; its list is asked for.
    pub(super) fn add_new(&mut self, message: &str) -> Option<Step> {
        let text = self.own_words(message)?;
        Some(self.propose(Edit::Add { place: None, text }))
    }

    /// A line that stands for itself: no question, no doubt, no yes or no, and certainly no other wish.
    fn own_words(&self, message: &str) -> Option<String> {
        let language = self.language;
        let line = message.trim().trim_end_matches(['.', '!']);
        let plain = !line.contains(['?', '\n'])
            && line.contains(char::is_alphabetic)
            && !is_doubt(message, language)
            && yes_or_no(message, language).is_none();
        (plain && !self.wants_document(message)).then(|| line.to_owned())
    }
}
