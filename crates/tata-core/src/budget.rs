//! Fits a conversation into a budget: whole exchanges go first, pairs are never split, the system prompt stays.

use std::borrow::Cow;

use crate::{Block, Message, Reasoning, ResultPart, Role};

/// What a request may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Messages beside the system prompt.
    pub max_messages: usize,
    /// Tokens, system prompt included; none when the model's window is not known.
    pub max_tokens: Option<u64>,
}

impl Default for Budget {
    fn default() -> Self {
        Self { max_messages: 50, max_tokens: None }
    }
}

/// What is left of a conversation, in order.
#[derive(Debug)]
pub struct Fitted<'a> {
    /// The messages to send. Borrowed where nothing had to be shortened.
    pub messages: Vec<Cow<'a, Message>>,
    /// How many messages were left out.
    pub left_out: usize,
    /// How many texts were shortened, each counted once.
    pub shortened: usize,
    /// The tokens of what is left, as counted.
    pub tokens: u64,
    /// Whether it fits. It does not only when the system prompt and the shortest form of the task are too long.
    pub fits: bool,
    /// The tokens of what the person said last, as counted.
    pub question: u64,
}

/// No text is shortened below this many characters: less would say nothing.
const SHORTEST: usize = 200;

/// What a picture takes at most with the providers that see.
const IMAGE_TOKENS: u64 = 1_600;

/// A rough count that errs on the high side: four ASCII characters or one other character to a token, and a little
/// for each message and call. Reported usage corrects it.
pub fn estimate_tokens(message: &Message) -> u64 {
    let text = |text: &str| {
        if text.is_ascii() {
            return text.len().div_ceil(4) as u64;
        }
        let (characters, ascii) = (text.chars().count(), text.bytes().filter(u8::is_ascii).count());
        (ascii.div_ceil(4) + characters - ascii) as u64
    };
    let block = |block: &Block| match block {
        Block::Text(part) => text(&part.text),
        Block::Refusal(part) => text(&part.text),
        Block::Reasoning(Reasoning::Item { summary, content, encrypted, .. }) => {
            let parts = summary.iter().chain(content).map(|part| text(part)).sum::<u64>();
            parts + encrypted.as_deref().map_or(0, text)
        }
        Block::Reasoning(Reasoning::Signed { text: thought, signature }) => {
            text(thought) + signature.as_deref().map_or(0, text)
        }
        Block::Reasoning(Reasoning::Redacted { data }) => text(data),
        Block::Reasoning(Reasoning::Plain { text: thought }) => text(thought),
        Block::ToolCall(call) => 8 + text(&call.name) + text(&call.arguments),
        Block::ToolResult(result) => {
            8 + result.content.iter().map(|part| part_tokens(part, text)).sum::<u64>()
        }
        Block::Opaque(opaque) => text(opaque.json.as_str()),
    };
    4 + message.blocks.iter().map(block).sum::<u64>()
}

fn part_tokens(part: &ResultPart, text: impl Fn(&str) -> u64) -> u64 {
    match part {
        ResultPart::Text(part) => text(part),
        // Providers count what is to be seen, not the letters it is written in.
        ResultPart::Image(_) => IMAGE_TOKENS,
        ResultPart::Opaque(opaque) => text(opaque.json.as_str()),
        ResultPart::Own(_) => 0,
    }
}

/// Fits `messages` into `budget`, counting with `count`.
///
/// Older exchanges are left out first; then, inside the current one, older rounds of calls with their results; at
/// last the longest texts of what must stay are shortened in the middle, tool results before the assistant's own words.
/// What the person says now is never shortened: a model that reads half a question answers another one. If that does not
/// fit, nothing does, and the person must know.
pub fn fit<'a>(messages: &'a [Message], budget: Budget, count: &dyn Fn(&Message) -> u64) -> Fitted<'a> {
    let system = messages.iter().take_while(|message| message.role == Role::System).count();
    let (system, rest) = messages.split_at(system);
    let fixed: u64 = system.iter().map(count).sum();
    let tokens = fixed + rest.iter().map(count).sum::<u64>();
    let question = rest.iter().rfind(|message| message.role == Role::User).map_or(0, count);
    if rest.len() <= budget.max_messages && budget.max_tokens.is_none_or(|most| tokens <= most) {
        let messages = messages.iter().map(Cow::Borrowed).collect();
        return Fitted { messages, left_out: 0, shortened: 0, tokens, fits: true, question };
    }
    let units = units(rest);
    let kept = choose(&units, fixed, budget, count);
    let mut fitted = Fitted {
        messages: system
            .iter()
            .chain(kept.iter().flat_map(|unit| unit.messages))
            .map(Cow::Borrowed)
            .collect(),
        left_out: rest.len() - kept.iter().map(|unit| unit.messages.len()).sum::<usize>(),
        shortened: 0,
        tokens: 0,
        fits: true,
        question,
    };
    let total = |messages: &[Cow<'_, Message>]| messages.iter().map(|message| count(message)).sum::<u64>();
    fitted.tokens = total(&fitted.messages);
    if let Some(most) = budget.max_tokens.filter(|most| fitted.tokens > *most) {
        let mut texts = texts(&fitted.messages);
        for role in [Role::Tool, Role::Assistant] {
            while fitted.tokens > most && shorten_longest(&mut texts, role, &mut fitted.messages) {
                fitted.tokens = total(&fitted.messages);
            }
        }
        fitted.shortened = texts.iter().filter(|text| text.kept < text.length).count();
        fitted.fits = fitted.tokens <= most;
    }
    fitted
}

/// A run of messages that stays or goes as a whole.
#[derive(Clone, Copy, Debug)]
struct Unit<'a> {
    messages: &'a [Message],
    /// Must stay: the person's current words, and the last round after them.
    needed: bool,
}

/// Exchanges before the current one, then the current one's question, then its rounds.
fn units(rest: &[Message]) -> Vec<Unit<'_>> {
    let current = rest.iter().rposition(|message| message.role == Role::User).unwrap_or(0);
    let (earlier, current) = rest.split_at(current);
    let mut units: Vec<Unit<'_>> = runs(earlier, |message| message.role == Role::User)
        .map(|messages| Unit { messages, needed: false })
        .collect();
    let question = usize::from(current.first().is_some_and(|message| message.role == Role::User));
    let (question, rounds) = current.split_at(question);
    if !question.is_empty() {
        units.push(Unit { messages: question, needed: true });
    }
    units.extend(
        runs(rounds, |message| message.role == Role::Assistant)
            .map(|messages| Unit { messages, needed: false }),
    );
    if let Some(last) = units.last_mut() {
        last.needed = true;
    }
    units
}

/// Cuts a list before every message that begins a run.
fn runs(messages: &[Message], begins: impl Fn(&Message) -> bool) -> impl Iterator<Item = &[Message]> {
    let mut rest = messages;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.iter().skip(1).position(&begins).map_or(rest.len(), |at| at + 1);
        let (run, after) = rest.split_at(end);
        rest = after;
        Some(run)
    })
}

/// The units that stay: the needed ones, then from the newest to the oldest while there is room. What is older than
/// a unit without room goes as well: a gap in the middle would put words into the wrong context.
fn choose<'a>(
    units: &[Unit<'a>],
    fixed: u64,
    budget: Budget,
    count: &dyn Fn(&Message) -> u64,
) -> Vec<Unit<'a>> {
    let size = |unit: &Unit<'_>| (unit.messages.len(), unit.messages.iter().map(count).sum::<u64>());
    let needed = units.iter().filter(|unit| unit.needed).map(size);
    let (mut messages, mut tokens) = needed.fold((0, fixed), |(m, t), (more, cost)| (m + more, t + cost));
    let mut room = true;
    let mut kept: Vec<Unit<'a>> = units
        .iter()
        .rev()
        .filter(|unit| {
            if unit.needed {
                return true;
            }
            if !room {
                return false;
            }
            let (more, cost) = size(unit);
            room = messages + more <= budget.max_messages
                && budget.max_tokens.is_none_or(|most| tokens + cost <= most);
            if room {
                messages += more;
                tokens += cost;
            }
            room
        })
        .copied()
        .collect();
    kept.reverse();
    kept
}

/// A text that may be shortened, and what is left of it.
struct Shortenable {
    role: Role,
    message: usize,
    block: usize,
    part: usize,
    /// The whole, as it was.
    whole: String,
    /// Its characters.
    length: usize,
    /// The characters that are kept.
    kept: usize,
}

/// The texts that are long enough to be shortened.
fn texts(messages: &[Cow<'_, Message>]) -> Vec<Shortenable> {
    let mut texts = Vec::new();
    for (message, said) in messages.iter().enumerate() {
        for (block, content) in said.blocks.iter().enumerate() {
            let mut part = 0;
            while let Some(text) = text_at(content, part) {
                let length = text.chars().count();
                if matches!(said.role, Role::Tool | Role::Assistant) && length >= SHORTEST * 2 {
                    let (role, whole) = (said.role, text.to_owned());
                    texts.push(Shortenable { role, message, block, part, whole, length, kept: length });
                }
                part += 1;
            }
        }
    }
    texts
}

/// Halves the longest text of that role; says whether there was one long enough. It is cut from the whole every time, so
/// that the mark in it tells all that is missing.
fn shorten_longest(texts: &mut [Shortenable], role: Role, messages: &mut [Cow<'_, Message>]) -> bool {
    let candidates = texts.iter_mut().filter(|text| text.role == role && text.kept >= SHORTEST * 2);
    let Some(longest) = candidates.max_by_key(|text| text.kept) else { return false };
    longest.kept /= 2;
    let message = messages.get_mut(longest.message).map(Cow::to_mut);
    let block = message.and_then(|message| message.blocks.get_mut(longest.block));
    if let Some(text) = block.and_then(|block| text_at_mut(block, longest.part)) {
        *text = shortened(&longest.whole, longest.length, longest.kept);
    }
    true
}

/// The text of a block, or one of several.
fn text_at(block: &Block, part: usize) -> Option<&str> {
    match block {
        Block::Text(text) => (part == 0).then_some(text.text.as_str()),
        Block::ToolResult(result) => match result.content.get(part)? {
            ResultPart::Text(text) => Some(text),
            ResultPart::Image(_) | ResultPart::Opaque(_) | ResultPart::Own(_) => Some(""),
        },
        Block::Reasoning(_) | Block::Refusal(_) | Block::ToolCall(_) | Block::Opaque(_) => None,
    }
}

fn text_at_mut(block: &mut Block, part: usize) -> Option<&mut String> {
    match block {
        Block::Text(text) => Some(&mut text.text),
        Block::ToolResult(result) => match result.content.get_mut(part)? {
            ResultPart::Text(text) => Some(text),
            ResultPart::Image(_) | ResultPart::Opaque(_) | ResultPart::Own(_) => None,
        },
        Block::Reasoning(_) | Block::Refusal(_) | Block::ToolCall(_) | Block::Opaque(_) => None,
    }
}

/// Beginning and end, with a mark between that says what is missing.
fn shortened(text: &str, length: usize, keep: usize) -> String {
    let head: String = text.chars().take(keep / 2).collect();
    let tail: String = text.chars().skip(length - keep / 2).collect();
    format!("{head}\n[… {} characters left out …]\n{tail}", length - keep / 2 * 2)
}

#[cfg(test)]
mod tests;
