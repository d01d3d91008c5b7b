//! What to do now: answer what was asked, follow a wish that is certain, or ask.

use jiff::civil::Date;
use serde_json::{Map, Value, json};
use tata_core::put;
use tata_guided::{
    answer::{chosen, is_doubt, yes_or_no},
    form::Filled,
    wish::{self, Wish},
};

use super::{
    Ask,
    memory::{Memory, Thought},
    paste::{certain_kind, parted},
    say,
    tools::{tool_of, wish_of},
};
use crate::{Kind, Language, Texts, identify};

/// The next thing to do.
pub(super) enum Step {
    /// Say something and wait.
    Say { thought: Thought, text: String },
    /// Let tools run.
    Call { thought: Thought, calls: Vec<(String, Map<String, Value>)> },
}

/// A yes to nothing is answered as such if it is so far ahead of what else it may be.
const NOTHING_TO_CONFIRM: f32 = 0.4;
/// The language of a message shows in its beginning.
const MOST_JUDGED: usize = 4_000;
/// A message of fewer letters does not show its language.
const FEWEST_LETTERS: usize = 12;

/// What to do after the last message.
pub(super) fn next_step(memory: &Memory, today: Date, has: &dyn Fn(&str) -> bool) -> Step {
    if !memory.done.is_empty() {
        return say::after_tools(memory, memory.thought.clone().unwrap_or_default());
    }
    Turn::new(memory, today, has).step()
}

/// A message, and what is known when it comes.
pub(super) struct Turn<'m> {
    pub(super) memory: &'m Memory,
    pub(super) today: Date,
    pub(super) language: Language,
    pub(super) thought: Thought,
    has: &'m dyn Fn(&str) -> bool,
}

impl<'m> Turn<'m> {
    fn new(memory: &'m Memory, today: Date, has: &'m dyn Fn(&str) -> bool) -> Self {
        let (language, sure) = spoken(memory);
        let thought = Thought { language, sure, wanted: memory.wanted, ..Thought::default() };
        Self { memory, today, language, thought, has }
    }

    pub(super) fn texts(&self) -> &'static Texts {
        Texts::of(self.memory.voice(self.language))
    }

    fn step(mut self) -> Step {
        let message = self.memory.message();
        if let Some(ask) = self.memory.ask.clone()
            && let Some(step) = self.answer(ask, message)
        {
            return step;
        }
        if let Some(step) = self.settled(message) {
            return step;
        }
        let parts = parted(message, self.language);
        if let Some(text) = parts.pasted.filter(|_| parts.wish.is_empty()) {
            return match certain_kind(text, self.language) {
                Some(wish) => self.follow(wish, "", Some(text)),
                None => self.what_is_it(message),
            };
        }
        let reading = wish::read(parts.wish, self.language);
        match reading.certain {
            Some(Wish::None) | None if parts.pasted.is_none() => {
                if let Some(step) = self.edited(message, reading.certain) {
                    return step;
                }
                if reading.certain == Some(Wish::None) {
                    return self.nothing_to_do();
                }
                // Nothing is decided by that: the face asks, with exactly what would be.
                if reading.may_agree(message, self.language) {
                    if self.memory.draft {
                        return self.agreed();
                    }
                    if reading.lead() > NOTHING_TO_CONFIRM {
                        return self.follow(Wish::ConfirmProfile, parts.wish, None);
                    }
                }
                self.guess(reading.offers().collect(), message, None)
            }
            Some(wish) if wish != Wish::None => {
                if let Some(step) = self.edited(message, Some(wish)) {
                    return step;
                }
                self.follow(wish, parts.wish, parts.pasted)
            }
            Some(_) | None => match parts.pasted.and_then(|text| certain_kind(text, self.language)) {
                Some(wish) => self.follow(wish, parts.wish, parts.pasted),
                None => self.what_is_it(message),
            },
        }
    }

    /// The answer to what was asked; none if the message is something else.
    fn answer(&mut self, ask: Ask, message: &str) -> Option<Step> {
        let cancels = matches!(
            tata_guided::form::Command::read(message, self.language, 0),
            Some(tata_guided::form::Command::Cancel)
        );
        if cancels && !matches!(ask, Ask::Form { .. }) {
            return Some(self.drop_it());
        }
        match ask {
            Ask::Guess { wishes, message: said, open } => self.guessed(&wishes, &said, open, message),
            Ask::Form { tool, arguments, state } => self.fill(&tool, arguments, &state, message),
            Ask::Sort { arguments, placed } => self.sort(arguments, placed, message),
            Ask::Change { arguments } => self.decide_change(arguments, message),
            Ask::List { text } => self.choose_list(text, message),
            Ask::Item => self.choose_item(message),
            Ask::Becomes { place, at } => self.item_becomes(place, at, message),
            Ask::New => self.add_new(message),
            Ask::Four { items } => self.choose_four(items, message),
            Ask::Instead { at } => self.take_instead(at, message),
            Ask::More { arguments } => self.add_must_haves(arguments, message),
            Ask::Chosen { arguments } => self.choose_of_notes(arguments, message),
            Ask::Part { place } => self.add_part(place, message),
            Ask::Position { proposed } => self.name_position(proposed, message),
        }
    }

    /// A guess that was chosen by its number.
    fn guessed(
        &mut self,
        wishes: &[Wish],
        said: &str,
        open: Option<Box<Ask>>,
        message: &str,
    ) -> Option<Step> {
        let place = chosen(message, self.language)?.checked_sub(1)?;
        let place = match (open, place) {
            (Some(ask), 0) => return self.answer_certainly(*ask, said),
            (Some(_), place) => place - 1,
            (None, place) => place,
        };
        let wish = *wishes.get(place)?;
        // Whoever chooses to confirm has said so.
        if wish == Wish::ConfirmProfile && self.memory.draft {
            return Some(self.agreed());
        }
        let parts = parted(said, self.language);
        let pasted = parts.pasted.map(str::to_owned);
        // Whoever chose what a text is, chose it for the whole text.
        Some(self.follow(wish, parts.wish, pasted.as_deref()))
    }

    /// What a wish needs: a tool, a form, or only words.
    pub(super) fn follow(&mut self, wish: Wish, message: &str, pasted: Option<&str>) -> Step {
        self.thought.intent = Some(wish);
        if let Some(tool) = tool_of(wish) {
            return self.begin(tool, message, pasted);
        }
        let texts = self.texts();
        match wish {
            Wish::EditProfile if self.memory.made.contains_key(&Kind::RequirementProfile) => {
                self.ask_item(texts.get("guided.edit.unclear").to_owned())
            }
            // Only a yes from the closed list confirms; whatever is meant as one is asked about, with what it decides.
            Wish::ConfirmProfile if self.memory.draft => self.agreed(),
            Wish::ConfirmReport if self.memory.made.contains_key(&Kind::CandidateReport) => {
                self.say(texts.get("guided.ratings_how").to_owned())
            }
            Wish::DecideFindings if say::findings(self.memory) > 0 => {
                self.say(texts.get("guided.ask.findings").to_owned())
            }
            Wish::Restore => self.undo(),
            Wish::SetLanguage => self.set_language(message),
            Wish::SetPosition => self.ask_position(message),
            Wish::Cancel => self.drop_it(),
            Wish::EditProfile
            | Wish::ConfirmProfile
            | Wish::ConfirmReport
            | Wish::DecideFindings
            | Wish::ShowDocument
            | Wish::Greeting
            | Wish::Menu
            | Wish::Thanks
            | Wish::DocumentQuestion
            | Wish::None
            | Wish::RequirementProfile
            | Wish::JobAd
            | Wish::TaScreening
            | Wish::HmScreening
            | Wish::Headhunting
            | Wish::CandidateReport
            | Wish::Compare
            | Wish::FunnelReport
            | Wish::JobAdReview
            | Wish::DiReview
            | Wish::CalendarInvite => {
                let text = say::words(self.memory, &mut self.thought, wish);
                self.say(text)
            }
        }
    }

    fn set_language(&mut self, message: &str) -> Step {
        let mut named: Vec<Language> = message
            .split(|letter: char| !letter.is_alphabetic())
            .filter(|word| word.len() > 3)
            .filter_map(Language::wished)
            .collect();
        named.dedup();
        let mut arguments = Map::new();
        if let [language] = named.as_slice() {
            (self.thought.language, self.thought.sure) = (*language, true);
            put(&mut arguments, "language", json!(language.code()));
            return self.call("set_project", arguments);
        }
        match super::forms::form("set_project", &arguments, &self.known(), self.texts()) {
            Some(form) => self.ask_form("set_project", arguments, &Filled::new(form), &[]),
            None => self.drop_it(),
        }
    }

    fn ask_position(&mut self, message: &str) -> Step {
        let proposed = super::propose::position(message, self.language, self.texts());
        let texts = self.texts();
        let mut text = texts.get("guided.field.position_name").to_owned();
        if let Some(title) = &proposed {
            text = format!("{text} ({})", texts.say("guided.form.proposed", &[("value", title)]));
        }
        self.thought.ask = Some(Ask::Position { proposed });
        self.say(text)
    }

    fn name_position(&mut self, proposed: Option<String>, message: &str) -> Option<Step> {
        let language = self.language;
        let title = match (yes_or_no(message, language), proposed) {
            (Some(true), Some(title)) => title,
            (Some(_), _) => return None,
            (None, _) => {
                let brief = message.split_whitespace().count() <= 6 && !message.contains(['?', '\n', ':']);
                let reading = wish::read(message, language);
                let other = reading.certain.is_some_and(|wish| wish != Wish::None);
                if !brief || other || is_doubt(message, language) {
                    return None;
                }
                message.trim().trim_end_matches(['.', '!']).to_owned()
            }
        };
        self.thought.intent = Some(Wish::SetPosition);
        let mut arguments = Map::new();
        put(&mut arguments, "position_name", json!(title));
        Some(self.call("set_project", arguments))
    }

    /// Numbered guesses; the first may be that the message answers what was asked.
    pub(super) fn guess(&mut self, wishes: Vec<Wish>, message: &str, open: Option<(Ask, usize)>) -> Step {
        let texts = self.texts();
        self.thought.misses = self.memory.misses + 1;
        let mut lines: Vec<String> = Vec::new();
        let mut lead = texts.get("guided.guess").to_owned();
        let open = open.map(|(ask, number)| {
            let number = number.to_string();
            lead = texts.say("guided.form.or_wish", &[("number", &number)]);
            lines.push(texts.say("guided.form.is_answer", &[("number", &number)]));
            Box::new(ask)
        });
        lines.extend(wishes.iter().map(|wish| texts.get(&format!("guided.wish.{}", wish.name())).to_owned()));
        let text = say::joined(&[lead, say::numbered(&lines), texts.get("guided.guess_end").to_owned()]);
        self.thought.ask = Some(Ask::Guess { wishes, message: message.to_owned(), open });
        self.say(text)
    }

    /// A text whose kind is not certain.
    fn what_is_it(&mut self, message: &str) -> Step {
        let wishes = vec![
            Wish::RequirementProfile,
            Wish::CandidateReport,
            Wish::JobAdReview,
            Wish::DiReview,
            Wish::FunnelReport,
        ];
        let texts = self.texts();
        let lines: Vec<String> =
            wishes.iter().map(|wish| texts.get(&format!("guided.wish.{}", wish.name())).to_owned()).collect();
        let text = say::joined(&[texts.get("guided.what_is_text").to_owned(), say::numbered(&lines)]);
        self.thought.ask = Some(Ask::Guess { wishes, message: message.to_owned(), open: None });
        self.say(text)
    }

    /// Certainly nothing that may act: what is open stays open, and nothing changed.
    fn nothing_to_do(&mut self) -> Step {
        self.thought.intent = Some(Wish::None);
        self.thought.ask.clone_from(&self.memory.ask);
        self.thought.offer = self.memory.offer;
        let text = say::words(self.memory, &mut self.thought, Wish::None);
        self.say(say::joined(&[text, self.draft_open()]))
    }

    /// What a draft waits for, if there is one.
    pub(super) fn draft_open(&self) -> String {
        let position = self.memory.position.as_deref().unwrap_or_default();
        if self.memory.draft {
            self.texts().say("guided.draft_open", &[("position", position)])
        } else {
            String::new()
        }
    }

    pub(super) fn drop_it(&mut self) -> Step {
        self.thought.intent = Some(Wish::Cancel);
        self.thought.dropped = true;
        self.thought.wanted = None;
        let text = self.texts().get("guided.dropped").to_owned();
        self.say(text)
    }

    pub(super) fn say(&mut self, text: String) -> Step {
        Step::Say { thought: self.thought.clone(), text }
    }

    /// Lets a tool run, in the language of the conversation.
    pub(super) fn call(&mut self, tool: &str, mut arguments: Map<String, Value>) -> Step {
        if !(self.has)(tool) {
            let text = self.texts().get("guided.missed").to_owned();
            return self.say(text);
        }
        let project = self.memory.project;
        let other = self.language != project.unwrap_or_default() && self.thought.sure;
        // A review has the language of the ad.
        if other && matches!(tool, "create_di_review" | "create_job_ad_review") {
            put(&mut arguments, "explain_in", json!(self.language.code()));
        } else if other && wish_of(tool).is_some() && !arguments.contains_key("language") {
            put(&mut arguments, "language", json!(self.language.code()));
        }
        let mut calls = vec![(tool.to_owned(), arguments)];
        // A new project answers as it is asked, and is set beside it.
        if other && project.is_none() && tool != "set_project" && (self.has)("set_project") {
            let mut settings = Map::new();
            put(&mut settings, "language", json!(self.language.code()));
            calls.push(("set_project".to_owned(), settings));
        }
        if let Some((_, arguments)) =
            calls.first_mut().filter(|(name, _)| other && project.is_none() && name == "set_project")
        {
            arguments.entry("language").or_insert_with(|| json!(self.language.code()));
        }
        Step::Call { thought: self.thought.clone(), calls }
    }
}

/// The language of the conversation, and whether it is certain: what the project is set to, else what the first message
/// that leaves no doubt is written in. "She speaks Swedish" changes nothing.
fn spoken(memory: &Memory) -> (Language, bool) {
    let known = memory.language.unwrap_or_default();
    if memory.sure {
        return (known, true);
    }
    let beginning: String = memory.message().chars().take(MOST_JUDGED).collect();
    let message = beginning.as_str();
    let letters = message.chars().filter(|letter| letter.is_alphabetic()).count();
    if let Some(found) = identify(message).filter(|_| letters >= FEWEST_LETTERS) {
        return (found.language, true);
    }
    let tokens = tata_language::tokens(message);
    if let tata_language::Detected::Known(found) = tata_language::detect(message, &tokens)
        && letters >= FEWEST_LETTERS
    {
        return (found, true);
    }
    let word = message.trim_matches(|letter: char| !letter.is_alphabetic()).to_lowercase();
    let greeted = GREETINGS.iter().find(|(greeting, _)| *greeting == word).map(|(_, language)| *language);
    (greeted.unwrap_or(known), false)
}

/// Greetings that are said in one language more than in the others.
const GREETINGS: &[(&str, Language)] = &[
    ("hej", Language::Sv),
    ("hejsan", Language::Sv),
    ("tjena", Language::Sv),
    ("hei", Language::No),
    ("heisann", Language::No),
    ("goddag", Language::Da),
    ("halløj", Language::Da),
    ("hejsa", Language::Da),
    ("hallo", Language::De),
    ("moin", Language::De),
    ("guten tag", Language::De),
    ("guten morgen", Language::De),
];
