//! Names of foreign tools as models may use them: one name for each tool of each server, and one tool for each name.

use sha2::{Digest, Sha256};
use tata_core::MAX_TOOL_NAME;

/// Between server and tool.
const BETWEEN: &str = "__";
/// Hexadecimal digits that keep apart what would look alike after fitting.
const DIGITS: usize = 10;
/// The most characters of a server's name that are kept when a name must be cut.
const MOST_OF_SERVER: usize = 20;

/// The name under which a model sees a tool of a server. It depends on the two names alone, not on what else there is:
/// when a list changes, no tool gets the name that another one had.
///
/// ```
/// assert_eq!(tata_mcp::fitted_name("coach", "get-athlete-profile"), "coach__get-athlete-profile");
/// assert_eq!(tata_mcp::fitted_name("my notes", "böse"), "my_notes__b_se_0c61a342e2");
/// ```
pub fn fitted_name(server: &str, tool: &str) -> String {
    // With these two rules the first "__" is always the border, so that plain names cannot meet.
    let plain_server = is_plain(server) && !server.contains(BETWEEN) && !server.ends_with('_');
    let whole = format!("{server}{BETWEEN}{tool}");
    if plain_server && is_plain(tool) && whole.len() <= MAX_TOOL_NAME {
        return whole;
    }
    let server_part = sanitized(server, MOST_OF_SERVER);
    let room = MAX_TOOL_NAME - server_part.len() - BETWEEN.len() - 1 - DIGITS;
    format!("{server_part}{BETWEEN}{}_{}", sanitized(tool, room), digits(server, tool))
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_allowed)
}

fn is_allowed(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

fn sanitized(name: &str, most: usize) -> String {
    name.chars().map(|c| if is_allowed(c) { c } else { '_' }).take(most).collect()
}

fn digits(server: &str, tool: &str) -> String {
    let mut hash = Sha256::new();
    // The length keeps "ab" + "c" apart from "a" + "bc".
    hash.update((server.len() as u64).to_be_bytes());
    hash.update(server);
    hash.update(tool);
    let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or_default();
    hash.finalize().iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).take(DIGITS).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use tata_core::check_tool_name;

    use super::*;

    #[test]
    fn every_pair_has_a_name_of_its_own_that_providers_take() {
        let long = "x".repeat(80);
        let longer = format!("{}y", "x".repeat(79));
        let words = [
            "",
            "_",
            "__",
            "a",
            "a_",
            "_a",
            "a__",
            "a__b",
            "b",
            "A",
            "a.b",
            "a b",
            "a/b",
            "ä",
            "ö",
            "名",
            "get-it",
            "a_b",
            long.as_str(),
            longer.as_str(),
            "🙂",
            "a__b__c",
            "c",
        ];
        let mut seen: HashMap<String, (&str, &str)> = HashMap::new();
        for server in words {
            for tool in words {
                let name = fitted_name(server, tool);
                check_tool_name(&name).unwrap();
                if let Some(other) = seen.insert(name.clone(), (server, tool)) {
                    panic!("{other:?} and {:?} are both {name}", (server, tool));
                }
            }
        }
        assert_eq!(seen.len(), words.len() * words.len());
    }
}
