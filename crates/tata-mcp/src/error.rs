//! Why a server brings nothing, named by what to do next.

use std::{io, time::Duration};

use tata_core::visible;

/// The most characters that are kept of a server's own words.
const LONGEST: usize = 500;

/// Why a server brings nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum McpError {
    /// Install the program, or mend the command.
    #[error("the server {server} could not be started: {command}: {source}")]
    NotStarted {
        /// The server.
        server: String,
        /// The program.
        command: String,
        /// Why.
        source: io::Error,
    },
    /// Look at the address and the network.
    #[error("the server {server} could not be reached at {place}: {problem}")]
    Unreachable {
        /// The server.
        server: String,
        /// Its address.
        place: String,
        /// Why, in words.
        problem: String,
    },
    /// Sign in.
    #[error("the server {server} wants a sign-in{}", .problem.as_ref().map(|why| format!(": {why}")).unwrap_or_default())]
    Unauthorized {
        /// The server.
        server: String,
        /// What went wrong with the one that was tried.
        problem: Option<String>,
    },
    /// Look at what it said; start it by hand.
    #[error("the server {server} ended{}", .said.as_ref().map(|said| format!("; it last said: {said}")).unwrap_or_default())]
    Ended {
        /// The server.
        server: String,
        /// Its last line on standard error.
        said: Option<String>,
    },
    /// Give it more time, or look why it hangs.
    #[error("the server {server} did not {step} within {} seconds", .after.as_secs_f64())]
    TimedOut {
        /// The server.
        server: String,
        /// What it was asked for.
        step: &'static str,
        /// The time it had.
        after: Duration,
    },
    /// The server's own answer says what to do.
    #[error("the server {server} refused: {message}")]
    Refused {
        /// The server.
        server: String,
        /// The number of the error.
        code: i32,
        /// What it said.
        message: String,
    },
    /// It does not speak the protocol.
    #[error("the server {server} does not answer as an MCP server would: {problem}")]
    Protocol {
        /// The server.
        server: String,
        /// What came instead.
        problem: String,
    },
}

impl McpError {
    /// What a person can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NotStarted { .. } => "Is the program installed, and its name right?",
            Self::Unreachable { .. } => "Is the address right, and the server running?",
            Self::Unauthorized { .. } => {
                "Sign in (`tata mcp sign-in`), or give the server's key in `headers`."
            }
            Self::Ended { .. } => "Start its command in a terminal to see what it says.",
            Self::TimedOut { .. } => "It may be slow to start the first time: try again.",
            Self::Refused { .. } => "What it says is the server's own word.",
            Self::Protocol { .. } => "Is this an MCP server, and its output only the protocol?",
        }
    }

    /// A stable name for JSON and logs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotStarted { .. } => "not_started",
            Self::Unreachable { .. } => "unreachable",
            Self::Unauthorized { .. } => "unauthorized",
            Self::Ended { .. } => "ended",
            Self::TimedOut { .. } => "timed_out",
            Self::Refused { .. } => "refused",
            Self::Protocol { .. } => "protocol",
        }
    }
}

/// A server's own words, bounded and on one line, with nothing hidden in them: they go to people and to models.
pub(crate) fn words(text: &str) -> String {
    words_up_to(text, LONGEST)
}

/// The same with another bound.
pub(crate) fn words_up_to(text: &str, longest: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = visible(&line);
    let mut cut: String = line.chars().take(longest).collect();
    if cut.len() < line.len() {
        cut.push('…');
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_servers_words_hide_nothing_and_end() {
        assert_eq!(words(" a\n\tb\u{2028}c\u{202e}d\u{1b}[2J"), "a b c[U+202E]d[U+001B][2J");
        assert_eq!(words_up_to("one two three", 5), "one t…");
    }
}
