//! Markup in an answer that could swallow what stands below it.
//!
//! On `/v1` the program's question stands in the same text as the model's words, and the client renders it all as one. An open
//! comment, fence, formula or folded block would take the question with it: a person would say yes to something they
//! cannot see.

/// Whether a client could hide what follows a text. Renderers differ, so everything that some of them treat as markup counts,
/// closed or not: the price is that a question is asked once more.
pub(super) fn may_hide_what_follows(text: &str) -> bool {
    let lower = text.to_lowercase();
    ["$$", "\\[", "\\(", "\\begin", "%%", "[think", "◁", ":::"].iter().any(|open| lower.contains(open))
        || has_tag(text)
        || has_doubtful_fence(text)
}

/// Anything that begins as a tag, a comment or an instruction does.
fn has_tag(text: &str) -> bool {
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let next = letters.peek().copied().unwrap_or(' ');
        if letter == '<' && (next.is_alphabetic() || matches!(next, '!' | '?' | '/' | '|')) {
            return true;
        }
    }
    false
}

/// Fences that are not plain pairs of three backticks at the beginning of their lines.
fn has_doubtful_fence(text: &str) -> bool {
    if text.contains("~~~") || text.contains("````") {
        return true;
    }
    let mut is_open = false;
    for line in text.lines() {
        let Some((before, after)) = line.split_once("```") else { continue };
        let is_plain = before.is_empty() && !after.contains('`');
        if !is_plain || (is_open && !after.trim().is_empty()) {
            return true;
        }
        is_open = !is_open;
    }
    is_open
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twelve of these hid the program's question in clients that render HTML, Markdown or thoughts.
    #[test]
    fn markup_that_could_hide_a_question_is_seen() {
        for text in [
            "A joke?\n\n<!-- ",
            "<details><summary>more</summary>",
            "<script>",
            "<style>",
            "<textarea>",
            "<?",
            "<![CDATA[",
            "<div hidden>",
            "<a title=\"",
            "```",
            "````\n```\n",
            "    ```\n```",
            "```\nx\n```text",
            "~~~~",
            "$$\\phantom{",
            "\\[ x",
            "<think>",
            "<|begin_of_thought|>",
            "[THINK]",
            "::: hidden",
            "> ```",
        ] {
            assert!(may_hide_what_follows(text), "{text}");
        }
    }

    #[test]
    fn plain_answers_hide_nothing() {
        for text in [
            "",
            "Here is the profile. **Four** must-haves, 3 < 4 and 5 > 4, `code`, a [link](https://x.example).",
            "* one\n* two\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n> quoted",
            "```json\n{\"a\": 1}\n```\n\nThat is all. It costs $5 or 100 %.",
        ] {
            assert!(!may_hide_what_follows(text), "{text}");
        }
    }
}
