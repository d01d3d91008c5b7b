//! Filling a form from messages.

use tata_language::Language;

use tata_core::{Field, FieldKind as Kind, Form};

use super::Command;
use crate::answer::{Answer, Context, Problem, Read, by_number, json::read_json, read, yes_or_no};

/// What is known of a field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Entry {
    /// Not answered yet.
    #[default]
    Missing,
    /// Answered.
    Answered(Answer),
    /// Several readings, to choose from by number.
    Unsure(Vec<Answer>),
    /// Left out by the person.
    Skipped,
}

/// A form with what was answered so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filled {
    /// The form.
    pub form: Form,
    /// What is known of each field, in the order of the fields.
    pub entries: Vec<Entry>,
    /// Earlier states of fields, the latest last, for `back`.
    pub(super) history: Vec<Vec<(usize, Entry)>>,
    /// The field in turn, after `? 3` or an answer with several readings.
    pub(super) turn: Option<usize>,
}

/// What a message did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// These fields were read or need a choice; some may have been refused.
    Read {
        /// Places of fields that were answered, or left out by a no.
        answered: Vec<usize>,
        /// Places of fields whose answer has several readings.
        unsure: Vec<usize>,
        /// Places of fields whose answer could not be read, what was said, and why.
        refused: Vec<(usize, String, Problem)>,
    },
    /// Explain this field.
    Explain(usize),
    /// These fields were left out.
    Skipped(usize),
    /// A required field cannot be left out.
    Required(usize),
    /// The last answer was taken back.
    Back,
    /// There is nothing to take back.
    NothingBack,
    /// Show the form.
    Show,
    /// The person left the form; nothing is kept.
    Cancelled,
    /// The message belongs to no field: everything is answered, or there are more lines than fields.
    NoField,
}

impl Filled {
    /// A form with nothing answered.
    pub fn new(form: Form) -> Self {
        let entries = vec![Entry::Missing; form.fields.len()];
        Self { form, entries, history: Vec::new(), turn: None }
    }

    /// Whether every required field is answered and nothing waits for a choice.
    pub fn is_complete(&self) -> bool {
        self.form.fields.iter().zip(&self.entries).all(|(field, entry)| match entry {
            Entry::Answered(_) | Entry::Skipped => true,
            Entry::Missing => !field.required,
            Entry::Unsure(_) => false,
        })
    }

    /// Places of the fields that still wait, in order.
    pub fn waiting(&self) -> Vec<usize> {
        let open = |entry: &Entry| matches!(entry, Entry::Missing | Entry::Unsure(_));
        self.entries.iter().enumerate().filter(|(_, entry)| open(entry)).map(|(at, _)| at).collect()
    }

    /// The answer of a field.
    pub fn answer(&self, id: &str) -> Option<&Answer> {
        let at = self.form.fields.iter().position(|field| field.id == id)?;
        match self.entries.get(at)? {
            Entry::Answered(answer) => Some(answer),
            Entry::Missing | Entry::Unsure(_) | Entry::Skipped => None,
        }
    }

    /// Puts an entry in its place and remembers the old one.
    pub(super) fn put(&mut self, at: usize, entry: Entry, undo: &mut Vec<(usize, Entry)>) {
        if let Some(place) = self.entries.get_mut(at) {
            undo.push((at, std::mem::replace(place, entry)));
        }
    }

    /// The same for one entry that can be taken back by itself.
    fn put_alone(&mut self, at: usize, entry: Entry) {
        let mut undo = Vec::new();
        self.put(at, entry, &mut undo);
        self.remember(undo);
    }

    pub(super) fn remember(&mut self, undo: Vec<(usize, Entry)>) {
        if !undo.is_empty() {
            self.history.push(undo);
        }
    }

    /// The field that an answer without a number belongs to.
    fn in_turn(&self) -> Option<usize> {
        let waiting = self.waiting();
        self.turn.filter(|turn| waiting.contains(turn)).or_else(|| waiting.first().copied())
    }

    fn back(&mut self) -> Outcome {
        let Some(undo) = self.history.pop() else { return Outcome::NothingBack };
        for (at, entry) in undo.into_iter().rev() {
            if let Some(place) = self.entries.get_mut(at) {
                *place = entry;
            }
            self.turn = Some(at);
        }
        Outcome::Back
    }

    fn skip(&mut self, at: usize) -> Outcome {
        if self.form.fields.get(at).is_some_and(|field| field.required) {
            return Outcome::Required(at);
        }
        self.put_alone(at, Entry::Skipped);
        Outcome::Skipped(at)
    }
}

/// Fills a form from a message: a command, answers by number, or answers in turn.
pub fn fill(filled: &mut Filled, message: &str, context: Context<'_>) -> Outcome {
    let message = message.trim();
    // An open choice is answered before anything else: "2" is a reading, not a command.
    if let Some((at, answer)) = chosen(filled, message, context.language) {
        filled.put_alone(at, Entry::Answered(answer));
        filled.turn = None;
        return Outcome::Read { answered: vec![at], unsure: Vec::new(), refused: Vec::new() };
    }
    if let Some(command) = Command::read(message, context.language, filled.form.fields.len()) {
        return obey(filled, command);
    }
    let said = assigned(filled, message, context.language);
    if said.is_empty() {
        return Outcome::NoField;
    }
    let (mut answered, mut unsure, mut refused, mut undo) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (at, text) in said {
        let Some(field) = filled.form.fields.get(at) else { continue };
        let skipped = !field.required && yes_or_no(&text, context.language) == Some(false);
        match read_field(field, &text, context) {
            Err(Problem::OnlyYesOrNo) if skipped => {
                filled.put(at, Entry::Skipped, &mut undo);
                answered.push(at);
            }
            Ok(Read::Certain(answer)) => {
                filled.put(at, Entry::Answered(answer), &mut undo);
                answered.push(at);
            }
            Ok(Read::Choose(readings)) => {
                filled.put(at, Entry::Unsure(readings), &mut undo);
                filled.turn = Some(at);
                unsure.push(at);
            }
            Err(problem) => refused.push((at, text, problem)),
        }
    }
    filled.remember(undo);
    Outcome::Read { answered, unsure, refused }
}

/// A yes takes the proposal of a field that does not ask for yes or no; all else is for its parser.
fn read_field(field: &Field, text: &str, context: Context<'_>) -> Result<Read<Answer>, Problem> {
    let proposed = field.proposed.as_ref().filter(|_| field.kind != Kind::YesNo);
    if let Some(proposed) = proposed.filter(|_| yes_or_no(text, context.language) == Some(true)) {
        return read_json(field.kind, proposed, &context.of(field));
    }
    read(field.kind, text, &context.of(field))
}

fn obey(filled: &mut Filled, command: Command) -> Outcome {
    let in_turn = filled.in_turn();
    match command {
        Command::Explain(at) => at.or(in_turn).map_or(Outcome::NoField, |at| {
            filled.turn = Some(at);
            Outcome::Explain(at)
        }),
        Command::Skip(at) => at.or(in_turn).map_or(Outcome::NoField, |at| filled.skip(at)),
        Command::Back => filled.back(),
        Command::Show => Outcome::Show,
        Command::Cancel => {
            *filled = Filled::new(std::mem::take(&mut filled.form));
            Outcome::Cancelled
        }
    }
}

/// The reading that was chosen by number, if a field waits for a choice and the message is nothing but a number.
fn chosen(filled: &Filled, message: &str, language: Language) -> Option<(usize, Answer)> {
    let at = filled.turn?;
    let Entry::Unsure(readings) = filled.entries.get(at)? else { return None };
    let place = by_number(message, language)?.checked_sub(1)?;
    Some((at, readings.get(place)?.clone()))
}

/// Which text belongs to which field: by number, else line by line to those that wait, else the whole to the one in turn.
fn assigned(filled: &Filled, message: &str, language: Language) -> Vec<(usize, String)> {
    let numbered = numbered(message, filled.form.fields.len());
    if !numbered.is_empty() {
        return numbered;
    }
    let Some(first) = filled.in_turn() else { return Vec::new() };
    let lines: Vec<&str> = message.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let waiting = filled.waiting();
    let from = waiting.iter().position(|at| *at == first).unwrap_or_default();
    let rest = waiting.get(from..).unwrap_or_default();
    let takes_lines =
        filled.form.fields.get(first).is_some_and(|field| matches!(field.kind, Kind::List | Kind::Text));
    // A list or a text may have lines of its own; only as many lines as fields, without bullets, are answers in turn.
    let takes_lines = takes_lines && (lines.len() != rest.len() || lines.iter().any(|line| is_point(line)));
    let in_turn = lines.len() > 1 && lines.len() <= rest.len() && !takes_lines;
    if in_turn {
        let skipped = |line: &&str| !matches!(Command::read(line, language, 0), Some(Command::Skip(_)));
        let pairs = rest.iter().copied().zip(lines);
        return pairs.filter(|(_, line)| skipped(line)).map(|(at, line)| (at, line.to_owned())).collect();
    }
    vec![(first, message.to_owned())]
}

/// "2: Malmö", "2) Malmö", "2 = Malmö"; a line without a number goes on with the one before. "1. SQL" is a point of a list.
fn numbered(message: &str, fields: usize) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    for line in message.lines() {
        if number_and_text(line, fields).is_some() {
            let several = in_one_line(line, fields).into_iter();
            found.extend(
                several
                    .filter_map(|answer| number_and_text(answer, fields))
                    .map(|(at, text)| (at, text.to_owned())),
            );
        } else if let Some((_, text)) = found.last_mut() {
            text.push('\n');
            text.push_str(line);
        } else if !line.trim().is_empty() {
            return Vec::new();
        }
    }
    found
}

/// "1: Anna Berg; 2: Oslo": the answers of a line that begins with one. A mark parts them only before the next number of a
/// field that no answer of the line has yet, so what has marks of its own stays whole.
fn in_one_line(line: &str, fields: usize) -> Vec<&str> {
    let mut answers = Vec::new();
    let mut places: Vec<usize> = number_and_text(line, fields).map(|(at, _)| at).into_iter().collect();
    let mut start = 0;
    for (at, mark) in line.match_indices([';', ',']) {
        let rest = line.get(at + mark.len()..).unwrap_or_default();
        if let Some((place, _)) = number_and_text(rest, fields).filter(|(place, _)| !places.contains(place)) {
            answers.extend(line.get(start..at));
            places.push(place);
            start = at + mark.len();
        }
    }
    answers.extend(line.get(start..));
    answers
}

/// Whether a line is a point of a list: "- SQL", "2. SQL".
fn is_point(line: &str) -> bool {
    let number = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    line.starts_with(['-', '*', '•', '–', '·']) || (number.len() < line.len() && number.starts_with(". "))
}

fn number_and_text(line: &str, fields: usize) -> Option<(usize, &str)> {
    let line = line.trim_start();
    let digits = line.len() - line.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let number: usize = line.get(..digits).filter(|digits| digits.len() <= 3)?.parse().ok()?;
    let mut rest = line.get(digits..)?.trim_start().chars();
    let mark = rest.next()?;
    let text = rest.as_str();
    // "14:30" is an answer, not the number of a field.
    let parts = matches!(mark, ')' | '=') || (mark == ':' && text.starts_with(char::is_whitespace));
    (parts && (1..=fields).contains(&number)).then(|| (number - 1, text.trim()))
}
