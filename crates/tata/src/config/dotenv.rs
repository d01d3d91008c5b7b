//! `.env`: lines of `NAME=value`.
//!
//! Values are taken as they are written. The usual `$NAME` inside a value is *not* replaced: the value would then come
//! from the person's environment and pass for the folder's own.

/// The variables of a file, the last of a name last. Lines that cannot be read are passed over: the file may belong to
/// another program.
pub(super) fn parse(text: &str) -> Vec<(String, String)> {
    let mut rest = text.trim_start_matches('\u{feff}');
    let mut pairs = Vec::new();
    while !rest.is_empty() {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        match named(line) {
            None => rest = after,
            Some((name, written)) => {
                // A quoted value may go on over several lines.
                let from = line.len() - written.len();
                let whole = rest.get(from..).unwrap_or_default();
                if let Some((value, end)) = quoted(whole) {
                    pairs.push((name.to_owned(), value));
                    let tail = whole.get(end..).unwrap_or_default();
                    rest = tail.split_once('\n').map_or("", |(_, after)| after);
                } else {
                    pairs.push((name.to_owned(), plain(written)));
                    rest = after;
                }
            }
        }
    }
    pairs
}

/// A line's name and what is written behind its `=`.
fn named(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start();
    let line = line.strip_prefix("export ").unwrap_or(line);
    let (name, written) = line.split_once('=')?;
    let name = name.trim();
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    let is_name = name.chars().next().is_some_and(|c| !c.is_ascii_digit()) && name.chars().all(fits);
    is_name.then_some((name, written.trim_start_matches([' ', '\t'])))
}

/// A value in quotes, and where it ends.
fn quoted(text: &str) -> Option<(String, usize)> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let mut value = String::new();
    let mut letters = text.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        match letter {
            letter if letter == quote => return Some((value, at + 1)),
            '\\' if quote == '"' => match letters.next()?.1 {
                'n' => value.push('\n'),
                'r' => value.push('\r'),
                't' => value.push('\t'),
                other => value.push(other),
            },
            letter => value.push(letter),
        }
    }
    None
}

/// A value without quotes: up to a comment.
fn plain(text: &str) -> String {
    let end = text.find(" #").or_else(|| text.find("\t#")).unwrap_or(text.len());
    let text = if text.starts_with('#') { "" } else { text.get(..end).unwrap_or_default() };
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn values_are_taken_as_they_are_written() {
        let text = "\u{feff}# keys\nA=1\nexport B = two words # no more\n%%\nC='it''s'\nD=\"a\\n\\\"b\\\"\" # x\n\
                    E=\"over\ntwo lines\"\nF=\nG=a#b\n1X=no\nbroken\nH='unclosed\nI=$HOME/${SECRET}\r\n";
        let expected = [
            ("A", "1"),
            ("B", "two words"),
            ("C", "it"),
            ("D", "a\n\"b\""),
            ("E", "over\ntwo lines"),
            ("F", ""),
            ("G", "a#b"),
            ("H", "'unclosed"),
            ("I", "$HOME/${SECRET}"),
        ];
        let pairs = parse(text);
        let pairs: Vec<(&str, &str)> =
            pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(pairs, expected);
    }
}
