//! Why a call brought nothing: for the model something to act on, for the person a plain sentence.

use std::{error::Error as StdError, fmt, time::Duration};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{ArgumentsError, ArtifactKind, MOST_ARGUMENT_BYTES, MOST_CALLS, Name, ToolCall, ToolResult};

/// How a call went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolStatus {
    /// It ran and brought a result.
    Succeeded,
    /// There is no such tool.
    UnknownTool,
    /// Its arguments could not be read or do not fit the schema.
    InvalidArguments,
    /// Something it builds on does not exist yet.
    MissingPrerequisite,
    /// The tool found its input wanting.
    Rejected,
    /// The tool failed.
    Failed,
    /// It had begun to change the world; whether it did is not known.
    Uncertain,
    /// The tool broke down in the middle of its work.
    BrokeDown,
    /// It took too long.
    TimedOut,
    /// A person stopped the turn.
    Cancelled,
    /// A person said no.
    NotApproved,
    /// A person said that it had happened.
    TakenAsDone,
    /// The answer that asked for it was cut off.
    NotRun,
}

impl ToolStatus {
    /// The stable name used in JSON and logs.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Succeeded => "succeeded",
            Self::UnknownTool => "unknown_tool",
            Self::InvalidArguments => "invalid_arguments",
            Self::MissingPrerequisite => "missing_prerequisite",
            Self::Rejected => "rejected",
            Self::Failed => "failed",
            Self::Uncertain => "uncertain",
            Self::BrokeDown => "broke_down",
            Self::TimedOut => "timed_out",
            Self::Cancelled => "cancelled",
            Self::NotApproved => "not_approved",
            Self::TakenAsDone => "taken_as_done",
            Self::NotRun => "not_run",
        }
    }

    /// Whether nobody can tell if the tool took effect.
    pub fn leaves_doubt(self) -> bool {
        matches!(self, Self::Uncertain | Self::TimedOut | Self::Cancelled | Self::BrokeDown)
    }

    /// Whether the call brought what was asked for.
    pub fn is_success(self) -> bool {
        matches!(self, Self::Succeeded | Self::TakenAsDone)
    }
}

/// What a tool says when it cannot do its work.
#[derive(Debug)]
pub enum ToolFailure {
    /// The input is not good enough: what is wrong with which field, and what would be right.
    Rejected {
        /// The problems, all of them.
        problems: Vec<Problem>,
    },
    /// It failed: words that are safe to show, and the cause for the log.
    Failed {
        /// What happened.
        message: String,
        /// The cause.
        source: Option<Box<dyn StdError + Send + Sync>>,
    },
    /// It does not know whether it took effect: the request went out, the answer was lost. Such a call is not repeated
    /// unless a person says so.
    Unknown {
        /// What happened.
        message: String,
        /// The cause.
        source: Option<Box<dyn StdError + Send + Sync>>,
    },
}

/// One thing that is wrong with an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Where: the path of the field, e.g. `/must_haves/2`.
    pub field: String,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl ToolFailure {
    /// A failure with a message that is safe to show.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::Failed { message: message.into(), source: None }
    }

    /// One field is not good enough.
    pub fn rejected(field: impl Into<String>, message: impl Into<String>) -> Self {
        let problem = Problem { field: field.into(), message: message.into(), hint: None };
        Self::Rejected { problems: vec![problem] }
    }
}

/// Why a call brought nothing.
#[derive(Debug)]
#[non_exhaustive]
pub enum ToolError {
    /// There is no such tool.
    #[doc(alias = "ToolNotFoundError")]
    NotFound {
        /// The name the model used.
        tool: Name,
        /// What it may have meant.
        near: Vec<String>,
        /// What there is.
        known: Vec<String>,
    },
    /// The arguments are not a JSON object.
    Unreadable {
        /// The tool.
        tool: Name,
        /// Why.
        source: ArgumentsError,
    },
    /// The arguments do not fit the schema.
    Invalid {
        /// The tool.
        tool: Name,
        /// Where and why.
        problems: Vec<Problem>,
    },
    /// The arguments are larger than any tool takes.
    TooLarge {
        /// The tool.
        tool: Name,
        /// What they have.
        bytes: usize,
    },
    /// Something it builds on does not exist yet.
    #[doc(alias = "DependencyError")]
    Dependency {
        /// The tool.
        tool: Name,
        /// What is missing.
        missing: Vec<ArtifactKind>,
        /// The same in the tool's own words.
        words: Option<Problem>,
    },
    /// The tool could not do its work.
    #[doc(alias = "ToolExecutionError")]
    Execution {
        /// The tool.
        tool: Name,
        /// Why.
        failure: ToolFailure,
    },
    /// It had started when the program stopped, and nobody said what came of it.
    Uncertain {
        /// The tool.
        tool: Name,
    },
    /// The tool broke down in the middle of its work.
    BrokeDown {
        /// The tool.
        tool: Name,
        /// Under which the log has what happened.
        code: String,
    },
    /// It took too long.
    TimedOut {
        /// The tool.
        tool: Name,
        /// The time it had.
        after: Duration,
    },
    /// A person stopped the turn.
    Cancelled {
        /// The tool.
        tool: Name,
    },
    /// It would decide about a document that the person has not seen yet.
    NotShown {
        /// The tool.
        tool: Name,
        /// The document.
        document: ArtifactKind,
    },
    /// A person said no.
    NotApproved {
        /// The tool.
        tool: Name,
    },
    /// The answer that asked for it was cut off.
    CutOff {
        /// The tool.
        tool: Name,
    },
    /// No tools could be used any more.
    NotAllowed {
        /// The tool.
        tool: Name,
    },
    /// The answer asked for more calls than run.
    TooMany {
        /// The tool.
        tool: Name,
    },
}

impl ToolError {
    /// How the call went.
    pub fn status(&self) -> ToolStatus {
        match self {
            Self::NotFound { .. } => ToolStatus::UnknownTool,
            Self::Unreadable { .. } | Self::Invalid { .. } | Self::TooLarge { .. } => {
                ToolStatus::InvalidArguments
            }
            Self::Dependency { .. } => ToolStatus::MissingPrerequisite,
            Self::NotShown { .. } | Self::Execution { failure: ToolFailure::Rejected { .. }, .. } => {
                ToolStatus::Rejected
            }
            Self::Execution { failure: ToolFailure::Failed { .. }, .. } => ToolStatus::Failed,
            Self::Uncertain { .. } | Self::Execution { failure: ToolFailure::Unknown { .. }, .. } => {
                ToolStatus::Uncertain
            }
            Self::BrokeDown { .. } => ToolStatus::BrokeDown,
            Self::TimedOut { .. } => ToolStatus::TimedOut,
            Self::Cancelled { .. } => ToolStatus::Cancelled,
            Self::NotApproved { .. } => ToolStatus::NotApproved,
            Self::CutOff { .. } | Self::NotAllowed { .. } | Self::TooMany { .. } => ToolStatus::NotRun,
        }
    }

    /// A plain sentence for the person. What the model got wrong is the model's to mend, and not quoted.
    pub fn for_user(&self) -> String {
        match self {
            Self::NotFound { tool, .. } => format!("The assistant asked for {tool:?}, which does not exist."),
            Self::Unreadable { tool, .. } | Self::Invalid { tool, .. } | Self::CutOff { tool } => {
                format!("The assistant's input for {tool} was not usable; it is told so.")
            }
            // What is wrong is told without the names under which a program hands it over.
            Self::Execution { failure: ToolFailure::Rejected { problems }, .. } => {
                let messages = problems.iter().map(|problem| problem.message.as_str());
                messages.collect::<Vec<_>>().join(" ")
            }
            Self::TooLarge { .. }
            | Self::Dependency { .. }
            | Self::Execution { .. }
            | Self::Uncertain { .. }
            | Self::BrokeDown { .. }
            | Self::TimedOut { .. }
            | Self::Cancelled { .. }
            | Self::NotShown { .. }
            | Self::NotAllowed { .. }
            | Self::TooMany { .. } => self.to_string(),
            // Whoever said no knows what about.
            Self::NotApproved { .. } => "This was not done, because it was not approved.".to_owned(),
        }
    }

    /// The tool that was called, by the name the model used.
    pub fn tool(&self) -> &str {
        match self {
            Self::NotFound { tool, .. }
            | Self::Unreadable { tool, .. }
            | Self::Invalid { tool, .. }
            | Self::TooLarge { tool, .. }
            | Self::Dependency { tool, .. }
            | Self::Execution { tool, .. }
            | Self::Uncertain { tool }
            | Self::BrokeDown { tool, .. }
            | Self::TimedOut { tool, .. }
            | Self::Cancelled { tool }
            | Self::NotShown { tool, .. }
            | Self::NotApproved { tool }
            | Self::CutOff { tool }
            | Self::NotAllowed { tool }
            | Self::TooMany { tool } => tool,
        }
    }

    /// What is wrong with the input.
    fn problems(&self) -> &[Problem] {
        if let Self::Invalid { problems, .. }
        | Self::Execution { failure: ToolFailure::Rejected { problems }, .. } = self
        {
            problems
        } else {
            &[]
        }
    }

    /// The fields that are wrong, for the log: names, never values.
    pub(crate) fn fields(&self) -> Vec<&str> {
        self.problems().iter().map(|problem| problem.field.as_str()).collect()
    }

    /// What the model should do now.
    fn what_to_do(&self) -> String {
        match self {
            Self::NotFound { near, known, .. } if near.is_empty() && known.is_empty() => {
                "Answer without tools; there are none.".to_owned()
            }
            Self::NotFound { near, known, .. } if near.is_empty() => {
                format!("Use one of: {}.", known.join(", "))
            }
            Self::NotFound { near, .. } => format!("Did you mean {}?", near.join(" or ")),
            Self::Unreadable { .. } | Self::CutOff { .. } => {
                "Send the call again with complete, valid JSON arguments.".to_owned()
            }
            Self::Invalid { .. } => "Correct these fields and send the call again.".to_owned(),
            Self::TooLarge { .. } => "Send less, or the same in several calls.".to_owned(),
            Self::Dependency { words: Some(Problem { hint: Some(hint), .. }), missing, .. } => {
                format!("Create first: {}. Tell the person, and ask: {hint}", join(missing))
            }
            Self::Dependency { missing, .. } => {
                format!("Create first: {}. Tell the person so if you lack what it needs.", join(missing))
            }
            Self::Execution { failure: ToolFailure::Rejected { .. }, .. } => {
                "Mend yourself what you quoted or worded otherwise, and send the call again. Ask the person only for what \
                 nobody said yet; invent nothing."
                    .to_owned()
            }
            Self::Uncertain { .. } | Self::Execution { failure: ToolFailure::Unknown { .. }, .. } => {
                "Tell the person that it is not known whether this took effect; do not repeat it.".to_owned()
            }
            Self::Execution { .. } | Self::BrokeDown { .. } | Self::TimedOut { .. } => {
                "Tell the person that this did not work; do not repeat it more than once.".to_owned()
            }
            Self::TooMany { .. } => {
                "Look at the results first, then ask again for what is still needed, in smaller portions."
                    .to_owned()
            }
            Self::NotShown { .. } => {
                "Show it to the person and ask whether it is right. Only the person can decide, in a message of \
                 their own."
                    .to_owned()
            }
            Self::Cancelled { .. } | Self::NotApproved { .. } | Self::NotAllowed { .. } => {
                "Do not send the call again unless the person asks for it.".to_owned()
            }
        }
    }

    /// What the model reads: kind, fields, message, what to do.
    pub fn to_json(&self) -> Value {
        let mut error = json!({
            "kind": self.status().as_str(),
            "tool": self.tool(),
            "message": self.to_string(),
            "what_to_do": self.what_to_do(),
        });
        if !self.problems().is_empty() {
            error["problems"] = json!(self.problems());
        }
        if let Self::NotFound { near, .. } = self {
            error["near"] = json!(near);
        }
        if let Self::Dependency { missing, .. } = self {
            error["missing"] = json!(missing);
        }
        json!({ "error": error })
    }

    /// The answer to the call that failed, in about `most` characters.
    pub fn to_result(&self, call: &ToolCall, most: usize) -> ToolResult {
        let text = self.to_json().to_string();
        if text.len() <= most {
            return ToolResult::error(call, text);
        }
        // Still JSON, and still what happened: the kind, the beginning of the message, what to do.
        let begin = |text: String, most: usize| text.chars().take(most).collect::<String>();
        let error = json!({
            "kind": self.status().as_str(),
            "message": format!("{} […]", begin(self.to_string(), most / 4)),
            "what_to_do": begin(self.what_to_do(), most / 4),
        });
        ToolResult::error(call, json!({ "error": error }).to_string())
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound { tool, .. } => write!(f, "There is no tool named {tool:?}."),
            Self::Unreadable { source, .. } => write!(f, "{source}."),
            Self::Invalid { tool, problems } => {
                write!(f, "The input of {tool} is not valid: {}.", listed(problems))
            }
            Self::TooLarge { tool, bytes } => {
                write!(
                    f,
                    "The input of {tool} has {bytes} bytes; at most {MOST_ARGUMENT_BYTES} (8 MiB) can be given."
                )
            }
            Self::Dependency { words: Some(words), .. } => {
                f.write_str(&words.message)?;
                words.hint.iter().try_for_each(|hint| write!(f, " {hint}"))
            }
            Self::Dependency { tool, missing, words: None } => {
                write!(f, "{tool} requires {}, which does not exist yet.", join(missing))
            }
            Self::Execution { tool, failure: ToolFailure::Rejected { problems } } => {
                write!(f, "{tool} needs something else: {}.", listed(problems))
            }
            Self::Execution { tool, failure: ToolFailure::Failed { message, .. } } => {
                write!(f, "{tool} failed: {message}")
            }
            Self::Execution { tool, failure: ToolFailure::Unknown { message, .. } } => {
                write!(f, "{tool} began, and whether it took effect is not known: {message}")
            }
            Self::Uncertain { tool } => {
                write!(f, "{tool} had begun when the program stopped; whether it took effect is not known.")
            }
            Self::BrokeDown { tool, code } => write!(
                f,
                "{tool} broke down in the middle of its work (code {code}, under which the log has the details)."
            ),
            Self::TimedOut { tool, after } => {
                write!(f, "{tool} did not finish within {} s.", after.as_secs_f64())
            }
            Self::Cancelled { tool } => write!(f, "{tool} was stopped by the person."),
            Self::NotShown { document, .. } => {
                write!(
                    f,
                    "This version of {document} was made just now and stays a draft until a person has seen it."
                )
            }
            Self::NotApproved { tool } => write!(f, "{tool} was not run: the person did not approve it."),
            Self::NotAllowed { tool } => write!(f, "{tool} was not run: no tools could be used any more."),
            Self::TooMany { tool } => {
                write!(f, "{tool} was not run: at most {MOST_CALLS} calls in one answer.")
            }
            Self::CutOff { tool } => {
                write!(
                    f,
                    "{tool} was not run: the answer that asked for it was cut off or is not valid JSON."
                )
            }
        }
    }
}

impl StdError for ToolError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        if let Self::Unreadable { source, .. } = self {
            return Some(source);
        }
        if let Self::Execution { failure, .. } = self
            && let ToolFailure::Failed { source, .. } | ToolFailure::Unknown { source, .. } = failure
        {
            return source.as_ref().map(|source| source.as_ref() as &(dyn StdError + 'static));
        }
        None
    }
}

fn listed(problems: &[Problem]) -> String {
    let line = |problem: &Problem| match problem.field.as_str() {
        "" => problem.message.trim_end_matches('.').to_owned(),
        field => format!("{field}: {}", problem.message.trim_end_matches('.')),
    };
    problems.iter().map(line).collect::<Vec<_>>().join("; ")
}

fn join(kinds: &[ArtifactKind]) -> String {
    kinds.iter().map(ArtifactKind::as_str).collect::<Vec<_>>().join(", ")
}
