//! How a model sees what people brought: each message with its number and size, a very long one in parts.

use crate::{Block, Conversation, Material, Message, Role, Text};

/// The part of a model's room that one material may take, and the most characters of it: a longer one is shown in parts. It
/// would be paid for again in every request that follows.
const SHARE: u64 = 4;
const WHOLE: usize = 32_000;
/// The room of a model whose window is not known, in tokens.
const USUAL_ROOM: u64 = 100_000;
/// The characters of a long material that are shown of its beginning and of its end.
const HEAD: usize = 4_000;
const TAIL: usize = 2_000;
/// The lines of its outline, and the characters of each.
const LINES: usize = 24;
const LINE: usize = 80;

/// The least tokens that a message of a person takes, by the estimate: a longer one may be shown in parts.
pub(super) const LEAST: u64 = (HEAD + TAIL) as u64 / 4;

/// Messages of a conversation, from one of them on, as a model reads them: before the words of a turn stands how things were,
/// and every material has its number and its size before it where tools take it.
pub(super) fn with_labels(
    conversation: &Conversation,
    (from, messages): (usize, &[Message]),
    room: Option<u64>,
    numbers: bool,
) -> Vec<Message> {
    // Four characters to a token, as the estimate has it.
    let most = usize::try_from(room.unwrap_or(USUAL_ROOM) / SHARE * 4)
        .unwrap_or(usize::MAX)
        .clamp(HEAD + TAIL, WHOLE);
    let mut turns = conversation.turns_from(from);
    let mut show = |message: &Message| {
        if message.role != Role::User {
            return message.clone();
        }
        let turn = turns.next();
        let materials = turn.map(|turn| conversation.materials().of_turn(turn));
        let mut materials = materials.into_iter().flatten();
        let mut state = turn.and_then(|turn| conversation.state_of(turn));
        let blocks = message.blocks.iter().map(|block| match block {
            Block::Text(text) if !text.text.trim().is_empty() => match materials.next() {
                Some(material) => {
                    let text_of = if numbers { shown(material, most) } else { material.text().to_owned() };
                    let text_of = match state.take() {
                        Some(state) => format!("[{state}]\n{text_of}"),
                        None => text_of,
                    };
                    Block::Text(Text { text: text_of, ..text.clone() })
                }
                None => block.clone(),
            },
            Block::Text(_)
            | Block::Reasoning(_)
            | Block::Refusal(_)
            | Block::ToolCall(_)
            | Block::ToolResult(_)
            | Block::Opaque(_) => block.clone(),
        });
        Message { blocks: blocks.collect(), ..message.clone() }
    };
    messages.iter().map(&mut show).collect()
}

/// A material with the line that names it.
fn shown(material: &Material, most: usize) -> String {
    let (id, text) = (material.id(), material.text());
    let characters = text.chars().count();
    if characters <= most {
        return format!("[{id}, {characters} characters]\n{text}");
    }
    let head: String = text.chars().take(HEAD).collect();
    let tail: String = text.chars().skip(characters - TAIL).collect();
    format!(
        "[{id}, {characters} characters, too long to be shown whole: its beginning, an outline with the character at \
         which each line begins, its end. A tool takes all of it by the number {id}; read_material reads the rest.]\n\
         {head}\n[outline of {id}]\n{}[the end of {id}]\n{tail}",
        outline(text, characters)
    )
}

/// Some lines from all over a text, each with its place.
fn outline(text: &str, characters: usize) -> String {
    let step = (characters.saturating_sub(HEAD + TAIL) / LINES).max(1);
    let (mut place, mut next, mut lines) = (0, HEAD, String::new());
    for line in text.split_inclusive('\n') {
        let length = line.chars().count();
        // A line that is longer than a step stands for all the steps in it.
        while next < place + length && next + TAIL < characters {
            let start = place.max(if length > step { next } else { place });
            let part: String = text_at(line, start - place).chars().take(LINE).collect();
            if !part.trim().is_empty() {
                lines.push_str(&format!("{start}: {}\n", part.trim()));
            }
            next = start + step;
        }
        place += length;
    }
    lines
}

/// The rest of a line from a character on.
fn text_at(line: &str, character: usize) -> &str {
    line.char_indices().nth(character).map_or("", |(at, _)| &line[at..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Materials;

    fn seen(text: &str, most: usize) -> String {
        let materials = Materials::of([text]);
        let first = materials.iter().next().map(|material| shown(material, most));
        first.unwrap_or_default()
    }

    #[test]
    fn a_message_is_named_by_one_short_line() {
        assert_eq!(seen("Tack så mycket!", 100), "[m1, 15 characters]\nTack så mycket!");
    }

    #[test]
    fn a_long_one_is_shown_in_parts_that_tell_their_places() {
        let lines: Vec<String> = (0..2_000).map(|line| format!("Rad {line}: ett svar på en fråga")).collect();
        let text = lines.join("\n");
        let seen = seen(&text, 10_000);
        assert!(seen.chars().count() < 9_500, "{}", seen.chars().count());
        assert!(seen.contains("Rad 0:") && seen.trim_end().ends_with("Rad 1999: ett svar på en fråga"));
        let outline: Vec<&str> =
            seen.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).collect();
        assert!((20..=26).contains(&outline.len()), "{outline:?}");
        for line in outline {
            let (place, words) = line.split_once(": ").unwrap();
            let there: String =
                text.chars().skip(place.parse().unwrap()).take(words.chars().count()).collect();
            assert_eq!(there, words);
        }
    }

    #[test]
    fn one_endless_line_has_an_outline_too() {
        let text = "ord ".repeat(20_000);
        assert!(seen(&text, 10_000).contains("[outline of m1]\n4000: ord"));
    }
}
