//! What to do now: answer what was asked, follow a wish that is certain, or ask.

use jiff::civil::Date;
use serde_json::{Value, json};
use tata_core::put;
use tata_guided::{
    answer::{asks_to_make, asks_to_show, by_number, is_talk, names_ad, names_old_ad, yes_or_no},
    form::{Command, Filled},
    wish::{self, Wish},
};
use tata_language::identify::identify;

use super::{
    Ask,
    forms::form,
    memory::{Memory, Thought},
    paste::{certain_kind, is_review, parted, takes_text},
    say,
    tools::{kinds, tool_of, wish_for, wish_of},
};
use crate::{
    Key, Kind, Language, Texts, clip, form::Arguments, greeting, lists::GREETING, menu::services, tool,
};

/// The tool that looks questions up in the company's documents. It is not ours: an agent has it or not.
pub(super) const SEARCH_DOCS: &str = "search_docs";

/// The next thing to do.
pub(super) enum Step {
    /// Say something and wait.
    Say { thought: Thought, text: String },
    /// Let tools run.
    Call { thought: Thought, calls: Vec<(String, Arguments)> },
}

/// A wish for a document that is named has no more words.
const MOST_TO_MAKE: usize = 6;
/// A wish to see a document has no more words.
const MOST_TO_SHOW: usize = 10;
/// A yes to nothing is answered as such if it is so far ahead of what else it may be.
const NOTHING_TO_CONFIRM: f32 = 0.4;
/// The language of a message shows in its beginning.
const MOST_JUDGED: usize = 4_000;
/// A message of fewer letters does not show its language.
const FEWEST_LETTERS: usize = 12;

/// What a search of the documents brought, in their words.
pub(super) fn said_of_documents(memory: &Memory, text: String) -> Step {
    let thought = Thought { ask: None, ..memory.thought.clone().unwrap_or_default() };
    Step::Say { thought, text }
}

/// What to do after the last message.
pub(super) fn next_step(memory: &Memory, today: Date, has: &dyn Fn(&str) -> bool) -> Step {
    if let Some(done) = memory.main_call() {
        let mut thought = memory.thought.clone().unwrap_or_default();
        thought.language = memory.project.unwrap_or(thought.language);
        let open = thought.ask.take();
        return Turn { memory, today, language: thought.language, thought, open, has }.after(done);
    }
    let (language, sure) = spoken(memory);
    let thought = Thought { language, sure, wanted: memory.wanted, ..Thought::default() };
    Turn { memory, today, language, thought, open: None, has }.step()
}

/// A message, and what is known when it comes.
pub(super) struct Turn<'m> {
    pub(super) memory: &'m Memory,
    pub(super) today: Date,
    pub(super) language: Language,
    pub(super) thought: Thought,
    /// What a call came from: asked again if the call is refused.
    pub(super) open: Option<Ask>,
    has: &'m dyn Fn(&str) -> bool,
}

impl Turn<'_> {
    pub(super) fn texts(&self) -> &'static Texts {
        Texts::of(self.memory.voice(self.language))
    }

    fn step(mut self) -> Step {
        let message = self.memory.message();
        if let Some(step) = self.show_document(message) {
            return step;
        }
        let answered = self.memory.ask.clone().and_then(|ask| self.answer(ask, message));
        if let Some(step) = answered.or_else(|| self.settled(message)) {
            return step;
        }
        let parts = parted(message, self.language);
        let reading = wish::read(parts.wish, self.language);
        let certain = reading.certain.filter(|wish| *wish != Wish::None && !parts.wish.is_empty());
        if let Some(text) = parts.pasted {
            return self.brought(parts.wish, certain, text, message);
        }
        if let Some(step) = self.place_named(message) {
            return step;
        }
        if let Some(step) = self.edited(message, reading.certain) {
            return step;
        }
        if reading.certain == Some(Wish::None) {
            return self.nothing_to_do();
        }
        if let Some(wish) = reading.certain {
            return self.follow(wish, parts.wish, parts.pasted);
        }
        if let Some(wish) = self.named_to_make(message) {
            return self.follow(wish, message, None);
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
        // A look into the documents changes nothing: what is most likely a question to them is one.
        let to_documents = reading.offers().next() == Some(Wish::DocumentQuestion);
        if to_documents && parts.wish.trim_end().ends_with('?') && (self.has)(SEARCH_DOCS) {
            return self.follow(Wish::DocumentQuestion, parts.wish, None);
        }
        self.guess(reading.offers().collect(), message, None)
    }

    /// "Show the screening template" shows it, whatever is open, and never makes it anew.
    fn show_document(&mut self, message: &str) -> Option<Step> {
        let texts = self.texts();
        let brief = message.split_whitespace().count() <= MOST_TO_SHOW && !message.contains('\n');
        let named = || kinds().any(|kind| say::names(kind, message, texts));
        let wants = brief && asks_to_show(message, self.language) && named();
        if !wants || language_named(message).is_some() {
            return None;
        }
        self.thought.intent = Some(Wish::ShowDocument);
        self.thought.ask.clone_from(&self.memory.ask);
        self.thought.offer = self.memory.offer;
        Some(self.say(say::shown_again(self.memory, texts)))
    }

    /// "Skriv kandidatrapporten": a document by its own name, and little else.
    fn named_to_make(&self, message: &str) -> Option<Wish> {
        let brief = message.split_whitespace().count() <= MOST_TO_MAKE && !message.contains(['?', '\n']);
        if !brief || !asks_to_make(message, self.language) {
            return None;
        }
        let said = message.to_lowercase();
        let name = |kind: &Kind| kind.display(self.texts()).to_lowercase();
        let named = kinds().filter(|kind| said.contains(&name(kind)));
        named.max_by_key(|kind| name(kind).len()).and_then(wish_for)
    }

    /// A text that somebody pasted, with what they said about it.
    fn brought(&mut self, lead: &str, certain: Option<Wish>, text: &str, message: &str) -> Step {
        if names_old_ad(lead) {
            return self.follow(Wish::RequirementProfile, lead, Some(text));
        }
        if let Some(wish) = certain.filter(|wish| takes_text(*wish)) {
            return self.follow(wish, lead, Some(text));
        }
        // What was asked about before the text, or above it, narrows what the text may be: an ad reads like notes.
        let reading = wish::read(lead, self.language);
        let asked: Vec<Wish> = match &self.memory.ask {
            Some(Ask::Guess { wishes, open: None, .. }) => wishes.clone(),
            _ if names_ad(lead) => {
                reading.ranked.iter().map(|(wish, _)| *wish).filter(|wish| is_review(*wish)).collect()
            }
            _ if lead.ends_with('?') => reading.offers().collect(),
            _ => Vec::new(),
        };
        // A text is no answer to a question for something that is made from none.
        let asked: Vec<Wish> = asked.into_iter().filter(|wish| takes_text(*wish)).collect();
        match certain_kind(text, self.language) {
            Some(wish) if asked.is_empty() || asked.contains(&wish) => self.follow(wish, lead, Some(text)),
            _ if asked.is_empty() => self.what_is_it(message),
            _ => self.guess(asked, message, None),
        }
    }

    /// The answer to what was asked; none if the message is something else.
    fn answer(&mut self, ask: Ask, message: &str) -> Option<Step> {
        let cancels = Command::read(message, self.language, 0) == Some(Command::Cancel);
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
            Ask::Further { arguments, items } => self.decide_further(arguments, items, message),
            Ask::Parts { arguments, place, items } => self.decide_parts(arguments, place, items, message),
            Ask::Rivals { arguments, placed } => self.decide_rivals(arguments, &placed, message),
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
        let place = by_number(message, self.language)?.checked_sub(1)?;
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
        // Whoever chose what a text is, chose it for the whole text.
        Some(self.follow(wish, parts.wish, parts.pasted))
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
                self.ask_item(texts.get(key!("guided.edit.unclear")))
            }
            // Only a yes from the closed list confirms; whatever is meant as one is asked about, with what it decides.
            Wish::ConfirmProfile if self.memory.draft => self.agreed(),
            Wish::ConfirmReport if self.memory.made.contains_key(&Kind::CandidateReport) => {
                self.tell(key!("guided.ratings_how"))
            }
            Wish::DecideFindings if say::findings(self.memory) > 0 => self.tell(key!("guided.ask.findings")),
            Wish::EditProfile | Wish::ConfirmProfile | Wish::ConfirmReport | Wish::DecideFindings => {
                self.tell(key!("guided.nothing_made"))
            }
            Wish::Restore => self.undo(),
            Wish::SetLanguage => self.set_language(message),
            Wish::SetPosition => self.ask_position(message),
            Wish::Cancel => self.drop_it(),
            Wish::ShowDocument => self.say(say::shown_again(self.memory, texts)),
            Wish::DocumentQuestion => self.look_up(message),
            Wish::Greeting if !self.memory.begun => {
                let position = self.memory.position.as_deref();
                self.thought.ask = position.is_none().then_some(Ask::Position { proposed: None });
                self.say(greeting(self.memory.voice(self.language), position).markdown())
            }
            Wish::Greeting | Wish::Thanks => {
                let key = if wish == Wish::Greeting { key!("guided.hello") } else { key!("guided.welcome") };
                let offer = self.offer();
                self.say(say::joined(&[texts.get(key), &offer]))
            }
            Wish::Menu => self.say(self.menu()),
            Wish::None => {
                let text = self.missed();
                self.say(text)
            }
            // These have their tools.
            Wish::RequirementProfile
            | Wish::JobAd
            | Wish::TaScreening
            | Wish::HmScreening
            | Wish::Headhunting
            | Wish::CandidateReport
            | Wish::Compare
            | Wish::FunnelReport
            | Wish::JobAdReview
            | Wish::DiReview
            | Wish::CalendarInvite => self.tell(key!("guided.missed")),
        }
    }

    fn menu(&self) -> String {
        let shown = if self.memory.begun { services } else { greeting };
        let menu = shown(self.memory.voice(self.language), self.memory.position.as_deref()).markdown();
        say::joined(&[&*menu, self.texts().get(key!("guided.about"))])
    }

    /// What is said to words that want nothing; the menu, when it was not the first time.
    fn missed(&mut self) -> String {
        self.thought.misses = self.memory.misses + 1;
        let again = self.thought.misses >= 2 && !self.memory.draft;
        if again { self.menu() } else { self.texts().get(key!("guided.missed")).to_owned() }
    }

    fn set_language(&mut self, message: &str) -> Step {
        let mut named: Vec<Language> = message
            .split(|letter: char| !letter.is_alphabetic())
            .filter(|word| word.len() > 3)
            .filter_map(Language::wished)
            .collect();
        named.dedup();
        if let [language] = named.as_slice() {
            (self.thought.language, self.thought.sure) = (*language, true);
            return self.call(tool::SET_PROJECT, arguments([("language", json!(language.code()))]));
        }
        match form(tool::SET_PROJECT, &Arguments::new(), &self.known(), self.texts()) {
            Some(form) => self.ask_form(tool::SET_PROJECT, Arguments::new(), &Filled::new(form), &[]),
            None => self.drop_it(),
        }
    }

    fn ask_position(&mut self, message: &str) -> Step {
        let proposed = super::propose::position(message, self.language, self.texts());
        let texts = self.texts();
        let mut text = texts.get(key!("guided.field.position_name")).to_owned();
        if let Some(title) = &proposed {
            text = format!("{text} ({})", texts.say(key!("guided.form.proposed"), &[("value", title)]));
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
                if !brief || other || is_talk(message, language) {
                    return None;
                }
                message.trim().trim_end_matches(['.', '!']).to_owned()
            }
        };
        self.thought.intent = Some(Wish::SetPosition);
        Some(self.call(tool::SET_PROJECT, arguments([("position_name", json!(title))])))
    }

    /// Numbered guesses; the first may be that the message answers what was asked.
    pub(super) fn guess(&mut self, wishes: Vec<Wish>, message: &str, open: Option<(Ask, usize)>) -> Step {
        let texts = self.texts();
        self.thought.misses = self.memory.misses + 1;
        let mut lines: Vec<String> = Vec::new();
        let mut lead = texts.get(key!("guided.guess")).to_owned();
        let open = open.map(|(ask, number)| {
            let number = number.to_string();
            lead = texts.say(key!("guided.form.or_wish"), &[("number", &number)]);
            lines.push(texts.say(key!("guided.form.is_answer"), &[("number", &number)]));
            Box::new(ask)
        });
        lines.extend(wish_names(&wishes, texts).map(str::to_owned));
        let text = say::joined(&[&*lead, &say::numbered(&lines), texts.get(key!("guided.guess_end"))]);
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
        let names: Vec<&str> = wish_names(&wishes, texts).collect();
        let text = say::joined(&[texts.get(key!("guided.what_is_text")), &say::numbered(&names)]);
        self.thought.ask = Some(Ask::Guess { wishes, message: message.to_owned(), open: None });
        self.say(text)
    }

    /// Certainly nothing that may act: what is open stays open, and nothing changed.
    fn nothing_to_do(&mut self) -> Step {
        self.thought.intent = Some(Wish::None);
        self.thought.ask.clone_from(&self.memory.ask);
        self.thought.offer = self.memory.offer;
        let text = self.missed();
        self.say(say::joined(&[text, self.draft_open()]))
    }

    /// What a draft waits for, if there is one.
    pub(super) fn draft_open(&self) -> String {
        let position = self.memory.position.as_deref().unwrap_or_default();
        if self.memory.draft {
            self.texts().say(key!("guided.draft_open"), &[("position", position)])
        } else {
            String::new()
        }
    }

    pub(super) fn drop_it(&mut self) -> Step {
        self.thought.intent = Some(Wish::Cancel);
        self.thought.dropped = true;
        self.thought.wanted = None;
        self.tell(key!("guided.dropped"))
    }

    /// Says a text that needs no values.
    /// Looks a question up in the company's documents, where there are any to look into.
    fn look_up(&self, question: &str) -> Step {
        if !(self.has)(SEARCH_DOCS) {
            return self.tell(key!("guided.no_documents"));
        }
        let mut arguments = Arguments::new();
        put(&mut arguments, "query", json!(question));
        Step::Call { thought: self.thought.clone(), calls: vec![(SEARCH_DOCS.to_owned(), arguments)] }
    }

    pub(super) fn tell(&self, key: Key) -> Step {
        self.say(self.texts().get(key).to_owned())
    }

    pub(super) fn say(&self, text: String) -> Step {
        Step::Say { thought: self.thought.clone(), text }
    }

    /// Lets a tool run, in the language of the conversation.
    pub(super) fn call(&self, tool: &str, mut arguments: Arguments) -> Step {
        if !(self.has)(tool) {
            return self.tell(key!("guided.missed"));
        }
        let project = self.memory.project;
        let certain = self.thought.sure || self.memory.reader.is_some();
        let other = self.language != project.unwrap_or_default() && certain;
        // A review has the language of the ad.
        if other && matches!(tool, tool::CREATE_DI_REVIEW | tool::CREATE_JOB_AD_REVIEW) {
            put(&mut arguments, "explain_in", json!(self.language.code()));
        } else if other
            && wish_of(tool).is_some()
            // An ad is in the language of its profile where nobody names one.
            && tool != tool::CREATE_JOB_AD
            && !arguments.contains_key("language")
        {
            put(&mut arguments, "language", json!(self.language.code()));
        }
        // A new project answers as it is asked, and is set beside it.
        let mut beside = None;
        if other && project.is_none() && tool == tool::SET_PROJECT {
            arguments.entry("language").or_insert_with(|| json!(self.language.code()));
        } else if other && project.is_none() && (self.has)(tool::SET_PROJECT) {
            let settings = self::arguments([("language", json!(self.language.code()))]);
            beside = Some((tool::SET_PROJECT.to_owned(), settings));
        }
        let calls = [(tool.to_owned(), arguments)].into_iter().chain(beside).collect();
        Step::Call { thought: self.thought.clone(), calls }
    }
}

/// Arguments by their paths.
pub(super) fn arguments<const COUNT: usize>(given: [(&str, Value); COUNT]) -> Arguments {
    let mut arguments = Arguments::new();
    for (path, value) in given {
        put(&mut arguments, path, value);
    }
    arguments
}

/// The language of the words above a text that was pasted: an ad may be in another one than the question about it.
fn of_the_wish(message: &str) -> Option<Language> {
    let first = message.lines().next().filter(|first| first.len() < message.len())?;
    let letters = first.chars().filter(|letter| letter.is_alphabetic()).count();
    let found = identify(first).filter(|_| letters >= FEWEST_LETTERS)?.language;
    let parts = parted(message, found);
    (parts.pasted.is_some() && first.starts_with(parts.wish) && !parts.wish.is_empty()).then_some(found)
}

/// The language that a document is wished in: "the ad in German", "annonsen på tyska". Words that only mention one ("she
/// speaks Swedish") wish for none.
pub(super) fn language_named(message: &str) -> Option<Language> {
    let words: Vec<&str> =
        message.split(|letter: char| !letter.is_alphabetic()).filter(|word| !word.is_empty()).collect();
    let mut named: Vec<Language> = words
        .windows(2)
        .filter_map(|pair| {
            let [before, name] = pair else { return None };
            let into = BEFORE_LANGUAGES.contains(&before.to_lowercase().as_str());
            Language::wished(name).filter(|_| into && name.chars().count() > 3)
        })
        .collect();
    named.dedup();
    if let [language] = named.as_slice() { Some(*language) } else { None }
}

/// What stands before the language that something is written in.
const BEFORE_LANGUAGES: [&str; 4] = ["in", "på", "auf", "into"];

fn wish_names<'t>(wishes: &[Wish], texts: &'t Texts) -> impl Iterator<Item = &'t str> {
    wishes.iter().map(|wish| texts.get(group!("guided.wish").key(wish.name())))
}

/// The language of the conversation, and whether it is certain: what the project is set to, else what the first message
/// that leaves no doubt is written in. "She speaks Swedish" changes nothing.
fn spoken(memory: &Memory) -> (Language, bool) {
    let known = memory.language.or(memory.reader).unwrap_or_default();
    if memory.sure {
        return (known, true);
    }
    let message = clip::start(memory.message(), MOST_JUDGED);
    if let Some(language) = of_the_wish(message) {
        return (language, true);
    }
    // Whoever reads the pages in a language is answered in it until they write in another: notes are others' words.
    if let Some(reader) = memory.reader.filter(|_| memory.language.is_none())
        && parted(message, reader).pasted.is_some()
    {
        return (reader, false);
    }
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
    let greeted = GREETING.iter().find(|(greeting, _)| *greeting == word);
    let greeted = greeted.and_then(|(_, language)| Language::wished(language));
    (greeted.unwrap_or(known), false)
}
