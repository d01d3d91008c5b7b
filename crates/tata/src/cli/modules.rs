//! The command line of modules that people use without a conversation: `funnel`, `invite`, `compare`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tata_recruit::Language;

use super::language::language;

/// Make a funnel report from a table: where candidates drop out, and what to do about it.
///
/// A name of the table that is not certain is asked about: answer with --map, or with --answers and the form of --json.
/// What was answered is remembered for the next table with the same headings in this conversation.
#[derive(Clone, Debug, Args)]
pub(crate) struct Funnel {
    /// The table: .csv, .tsv, .xlsx or .txt
    pub(crate) file: PathBuf,
    /// The title of the position (default: the conversation's)
    #[arg(long, value_name = "TITLE")]
    pub(crate) title: Option<String>,
    /// How many people are to be hired
    #[arg(long, value_name = "COUNT")]
    pub(crate) positions: Option<u32>,
    /// The hiring manager's name
    #[arg(long, value_name = "NAME")]
    pub(crate) manager: Option<String>,
    /// What a name of the table stands for, e.g. --map "Vorauswahl=qualified_applications"; `ignore` leaves it out
    #[arg(long, value_name = "NAME=STAGE", value_parser = pair)]
    pub(crate) map: Vec<(String, String)>,
    #[command(flatten)]
    pub(crate) place: Place,
}

/// Write an invitation to an interview, as a text and as a calendar entry.
#[derive(Clone, Debug, Args)]
pub(crate) struct Invite {
    /// The position (default: the conversation's)
    #[arg(long, value_name = "TITLE")]
    pub(crate) position: Option<String>,
    /// The candidate's name
    #[arg(long, value_name = "NAME")]
    pub(crate) candidate: Option<String>,
    /// The sort of interview
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) kind: Option<InterviewKind>,
    /// The office, if on site
    #[arg(long, value_name = "CITY")]
    pub(crate) city: Option<City>,
    /// The interview is on Teams
    #[arg(long, conflicts_with = "city")]
    pub(crate) teams: bool,
    /// The date, e.g. 2026-11-24
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub(crate) date: Option<String>,
    /// The time, e.g. 13:00
    #[arg(long, value_name = "HH:MM")]
    pub(crate) time: Option<String>,
    /// How long, in minutes
    #[arg(long, value_name = "COUNT")]
    pub(crate) minutes: Option<u32>,
    /// The candidate books a time in Jobylon; no date is named
    #[arg(long, conflicts_with_all = ["date", "time"])]
    pub(crate) jobylon: bool,
    /// The hiring manager's name
    #[arg(long, value_name = "NAME")]
    pub(crate) manager: Option<String>,
    /// Write the calendar entry to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) ics: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) place: Place,
}

/// Put the candidates of a conversation side by side, by initials.
#[derive(Clone, Debug, Args)]
pub(crate) struct Compare {
    /// The conversation: its id, the beginning of it, or `last`
    #[arg(default_value = "last")]
    pub(crate) session: String,
    /// Only these candidates, by the keys of their reports
    #[arg(long, value_name = "KEY", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// Criteria as rows and candidates as columns
    #[arg(long)]
    pub(crate) transposed: bool,
    /// The language of the table
    #[arg(short, long, value_name = "LANGUAGE", value_parser = language)]
    pub(crate) lang: Option<Language>,
    /// Write the table to this Markdown or text file
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// In which conversation, and where the document goes.
#[derive(Clone, Debug, Args)]
pub(crate) struct Place {
    /// The conversation: its id, the beginning of it, or `last` (default: a new one)
    #[arg(short, long, value_name = "SESSION")]
    pub(crate) session: Option<String>,
    /// The language of the document: en, sv, da, no or de (default: the conversation's)
    #[arg(short, long, value_name = "LANGUAGE", value_parser = language)]
    pub(crate) lang: Option<Language>,
    /// A JSON file with answers to what was asked, `{"id": value}`
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: Option<PathBuf>,
    /// Write the document to this file; its ending says the format: docx, pdf, md, html, txt, csv, xlsx, svg
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The sorts of interviews.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum InterviewKind {
    TaScreening,
    HiringManager,
    Case,
    Team,
}

/// The offices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum City {
    Stockholm,
    Copenhagen,
    Oslo,
}

/// "Vorauswahl=qualified_applications": the last sign parts, since a name may hold one.
fn pair(text: &str) -> Result<(String, String), String> {
    match text.rsplit_once('=') {
        Some((name, stage)) if !name.trim().is_empty() && !stage.trim().is_empty() => {
            Ok((name.trim().to_owned(), stage.trim().to_owned()))
        }
        _ => Err("NAME=STAGE is wanted, e.g. Vorauswahl=qualified_applications".to_owned()),
    }
}
