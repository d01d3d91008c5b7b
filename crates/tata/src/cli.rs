//! The command line, as people read it.

mod account;
mod artifacts;
mod knowledge;
mod language;
mod manner;
mod mcp;
mod modules;
mod serve;

use std::path::PathBuf;
use tata_language::review::TitleForm;

use clap::{Args, ColorChoice, Parser, Subcommand};
use tata_recruit::{Accepted, Language};

use self::language::language;
use crate::error::UsageError;

pub(crate) use self::{
    account::{AccountAction, DEFAULT_TENANT, RoleName},
    artifacts::{ArtifactAction, DocumentForm, ExportForm, Import, ImportKind, Which},
    knowledge::{Collection, DocsAction, EvalRetrieval, Ingest, Search},
    mcp::McpAction,
    modules::{Compare, Funnel, Invite, Place},
    serve::Serve,
};

/// Tata carries LLM agents to real people.
#[derive(Debug, Parser)]
#[command(version, propagate_version = true, after_help = AFTER_HELP)]
pub(crate) struct Cli {
    /// What to do; without a command, a chat begins
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// How that chat begins.
    #[command(flatten)]
    pub(crate) chat: Chat,

    /// The catalog to lay over the built-in one (default: ./models.yaml, then the configuration folder)
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) models_file: Option<PathBuf>,

    /// Seconds to wait for the first sign of an answer (default: 30)
    #[arg(long, global = true, value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    pub(crate) timeout: Option<f64>,

    /// Leave the files of this folder alone: .env, tata.toml, models.yaml, agents
    #[arg(long, global = true)]
    pub(crate) no_folder: bool,

    /// When to use colour
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
}

const AFTER_HELP: &str = "\
Exit codes:
  0  done                 4  the key was refused      7    rate-limited, or the credit is used up
  1  failed               5  not found                8    a person must decide first
  2  wrong usage          6  the model or the way to it failed
  3  not configured, or a configuration file is wrong      130  interrupted
  9  no whole answer: cut off, empty, declined, or a limit was reached; what there is was printed

Environment:
  OPENAI_API_KEY, ANTHROPIC_API_KEY …  keys (or …_FILE with the path of a file that holds one)
  OPENAI_BASE_URL, OLLAMA_BASE_URL …   other addresses, see `tata models --json`
  DATABASE_URL or TATA_DATABASE_URL    postgres://… instead of a file in the data folder
  TATA_AGENT, TATA_USER, TATA_MODEL, TATA_MODELS, TATA_TIMEOUT, TATA_LOG, TATA_HOME, TATA_NOW; HTTPS_PROXY, NO_PROXY; NO_COLOR
A .env file and a tata.toml in this folder are read too; flags win over the environment, it wins over files.
Where keys and conversations go is decided by a folder's files only after `tata trust`.";

#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    /// Talk with an agent (the default)
    Chat(Chat),
    /// Ask a model or an agent one question and stream the answer
    Ask(Ask),
    /// List, read, resume, rename, export, salvage, rate or delete conversations
    Session {
        #[command(subcommand)]
        action: SessionAction,
    },
    /// Serve agents over HTTP: to programs on this machine, or with accounts to a whole company
    Serve(Serve),
    /// Make, list or change the accounts of people who sign in to a server
    Account {
        #[command(subcommand)]
        action: AccountAction,
    },
    /// Run one tool by hand, without any model; without a name, list the tools
    Run(Run),
    /// List, read, compare, approve or bring back the documents of a conversation
    #[command(visible_alias = "doc")]
    Artifact {
        #[command(subcommand)]
        action: ArtifactAction,
    },
    /// Review how inclusive a job ad is: what shuts people out, why, and what would be better
    #[command(visible_alias = "inclusion")]
    Di(Di),
    /// Review a job ad: its parts, their quality, words that say little or promise too much
    Review(AdReview),
    /// Make a funnel report from a table: where candidates drop out, and what to do about it
    Funnel(Funnel),
    /// Write an invitation to an interview, as a text and as a calendar entry
    Invite(Invite),
    /// Put the candidates of a conversation side by side, by initials
    Compare(Compare),
    /// Hold a text against its sources: which sentences they prove, and which parts they do not
    Claims(Claims),
    /// Measure a review against labelled sentences
    Eval {
        #[command(subcommand)]
        action: EvalAction,
    },
    /// Read files, folders, web pages and sitemaps into a collection
    Ingest(Ingest),
    /// List, read, remove or count the documents of a collection
    Docs {
        #[command(subcommand)]
        action: DocsAction,
    },
    /// Search the documents and answer by quotations, without any model
    Search(Search),
    /// Look at what a file holds before you use it
    Import(Import),
    /// List the agents, or check a definition
    Agents(Agents),
    /// List the models and what each still needs, or check one
    Models(Models),
    /// Make a sample project with all ten documents, to look at and to remove again
    Demo {
        /// Remove the sample project
        #[arg(long)]
        remove: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Check the installation: configuration, folders, database, models, terminal; each finding with its remedy
    ///
    /// Model servers on this machine and in its network are asked whether they answer; others only with --online.
    Doctor {
        /// Also ask the providers on the internet whether they answer and take the key
        #[arg(long)]
        online: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Look at what the files of this folder want to decide, and trust them or not
    Trust(Trust),
    /// List, test or take over the MCP servers whose tools agents use, or serve Tata's own tools to MCP clients
    Mcp {
        #[command(subcommand)]
        action: McpAction,
    },
    /// Show who approved, decided or deleted what, or check that everything stored is as it was written
    Audit {
        #[command(subcommand)]
        action: AuditAction,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// Trust the files of this folder, or not.
///
/// Files of a folder (.env, tata.toml, models.yaml, agents) may come from anybody. They are read, but decide where your keys,
/// conversations and files go only after you have seen what they want and said yes, on a terminal. The yes holds for exactly
/// these files; when one changes, it is asked for again.
#[derive(Clone, Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "flags that exclude each other")]
pub(crate) struct Trust {
    /// An agent's file that you name by its path, instead of this folder
    #[arg(value_name = "FILE", conflicts_with_all = ["list", "keys"])]
    pub(crate) file: Option<PathBuf>,

    /// Only show what the files want
    #[arg(long, conflicts_with_all = ["forget", "list", "keys"])]
    pub(crate) show: bool,

    /// Trust this folder, or the file, no longer
    #[arg(long, conflicts_with_all = ["list", "keys"])]
    pub(crate) forget: bool,

    /// List the folders and files that are trusted
    #[arg(long, conflicts_with = "keys")]
    pub(crate) list: bool,

    /// List every key that a folder's file can set, and what it could decide
    #[arg(long)]
    pub(crate) keys: bool,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Talk with an agent.
///
/// Ctrl-C stops an answer; what had arrived is kept. Enter sends; a line that ends in \ goes on, and pasted lines stay
/// together. /help lists what can be typed.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Chat {
    /// The agent: a name from `tata agents`, or a YAML file (default: tata)
    #[arg(short, long, value_name = "AGENT")]
    pub(crate) agent: Option<String>,

    /// The model, instead of the agent's own
    #[arg(short, long, value_name = "MODEL")]
    pub(crate) model: Option<String>,

    /// Go on with this conversation: its id, the beginning of it, or `last`
    #[arg(short, long, value_name = "SESSION", conflicts_with = "continue_last")]
    pub(crate) session: Option<String>,

    /// Go on with the last conversation
    #[arg(short, long = "continue")]
    pub(crate) continue_last: bool,

    /// The most tokens of an answer, instead of the agent's
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_tokens: Option<u64>,
}

/// Ask a model one question and stream its answer.
///
/// The answer goes to standard output, everything else to standard error. Text on standard input is the question,
/// or, beside a question, the material it is about.
#[derive(Clone, Debug, Args)]
pub(crate) struct Ask {
    /// The question; `-` or nothing reads standard input, and text piped in beside a question is its material
    pub(crate) question: Vec<String>,

    /// Ask this agent, and keep the conversation: a name from `tata agents`, or a YAML file
    #[arg(short, long, value_name = "AGENT")]
    pub(crate) agent: Option<String>,

    /// Go on with this conversation: its id, the beginning of it, or `last`
    #[arg(short, long, value_name = "SESSION", conflicts_with = "continue_last")]
    pub(crate) session: Option<String>,

    /// Go on with the last conversation
    #[arg(short, long = "continue")]
    pub(crate) continue_last: bool,

    /// Let this tool run although it needs a person's approval
    #[arg(long, value_name = "TOOL")]
    pub(crate) approve: Vec<String>,

    /// The model: a name from `tata models`, or PROVIDER/MODEL such as ollama/qwen3:8b
    #[arg(short, long, value_name = "MODEL")]
    pub(crate) model: Option<String>,

    /// Instructions that stand before the question
    #[arg(long, value_name = "TEXT")]
    pub(crate) system: Option<String>,

    /// A file to read along with the question
    #[arg(short, long, value_name = "FILE")]
    pub(crate) file: Vec<PathBuf>,

    /// The most tokens the answer may have
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_tokens: Option<u64>,

    /// Sampling temperature from 0 to 2, for models that take one
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(crate) temperature: Option<f64>,

    /// How hard to think, for models that can be told: none, minimal, low, medium, high, xhigh, max
    #[arg(long, value_name = "EFFORT")]
    pub(crate) effort: Option<String>,

    /// Print one JSON object: answer, tool calls, usage, cost, ids, or the error
    #[arg(long, conflicts_with = "jsonl")]
    pub(crate) json: bool,

    /// Print every event as a line of JSON; the first names the session
    #[arg(long)]
    pub(crate) jsonl: bool,
}

/// Run one tool by hand, without any model.
///
/// The rules are those a model's call is held to: the input is checked, what the tool builds on must exist, and the
/// document is stored in the conversation. The document goes to standard output, everything else to standard error.
///
/// What is missing comes back as a form: with --json as `{"status":"needs_input","form":{"fields":[…]}}`, one field for
/// each question, and one for each line of notes that has no certain place. Answer it by id and run the tool again:
///
///   tata run create_requirement_profile --json --input notes.json
///
///   tata run create_requirement_profile --json --input notes.json --answers answers.json
///
/// with answers.json such as `{"position_title": "Controller", "line_1": "out", "line_2": "must"}`. A value is a string as
/// a person would type it, or what the field's kind says; null leaves a field out.
#[derive(Clone, Debug, Args)]
pub(crate) struct Run {
    /// The tool, e.g. create_requirement_profile; without one, all are listed
    pub(crate) tool: Option<String>,

    /// The conversation: its id, the beginning of it, or `last` (default: a new one)
    #[arg(short, long, value_name = "SESSION")]
    pub(crate) session: Option<String>,

    /// A JSON file with the tool's input, or `-` for standard input
    #[arg(short, long, value_name = "FILE")]
    pub(crate) input: Option<PathBuf>,

    /// A JSON file with answers to the tool's form, `{"id": value}`
    #[arg(long, value_name = "FILE", requires = "tool")]
    pub(crate) answers: Option<PathBuf>,

    /// Show the JSON Schema of the tool's input instead of running it
    #[arg(long, requires = "tool")]
    pub(crate) schema: bool,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Review how inclusive a job ad is.
///
/// The text stays as it is; with --accept, a revised text is written from what was accepted. Nothing is stored and no
/// model is asked. In a conversation, `create_di_review` does the same and keeps the review.
#[derive(Clone, Debug, Args)]
pub(crate) struct Di {
    #[command(flatten)]
    pub(crate) output: ReviewOutput,

    /// How German titles should be marked: mwd, colon, star, underscore, slash, brackets, inner_i, double, gn
    #[arg(long, value_name = "FORM", value_parser = title_form)]
    pub(crate) title_form: Option<TitleForm>,
}

/// Review a job ad.
///
/// The text stays as it is; with --accept, a revised text is written from what was accepted. Nothing is stored and no
/// model is asked. In a conversation, `create_job_ad_review` does the same and keeps the review.
#[derive(Clone, Debug, Args)]
pub(crate) struct AdReview {
    #[command(flatten)]
    pub(crate) output: ReviewOutput,

    /// Compare with the requirement profile of this conversation: its id, the beginning of it, or `last`
    #[arg(long, value_name = "SESSION")]
    pub(crate) profile: Option<String>,
}

/// What both reviews take.
#[derive(Clone, Debug, Args)]
pub(crate) struct ReviewOutput {
    /// The ads: text files, or `-` for standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// The language of the ad: en, sv, da, no or de (default: found out)
    #[arg(short, long, value_name = "LANGUAGE", value_parser = language)]
    pub(crate) lang: Option<Language>,

    /// The language of the explanations: en, sv, da, no or de
    #[arg(long, value_name = "LANGUAGE", value_parser = language)]
    pub(crate) explain_in: Option<Language>,

    /// Print JSON
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,

    /// The form of the result; SARIF is what editors and code hosts read
    #[arg(short, long, value_name = "FORM", default_value = "text")]
    pub(crate) format: ReviewForm,

    /// Fail (exit code 1) if an ad scores less
    #[arg(long, value_name = "SCORE", value_parser = clap::value_parser!(u32).range(0..=100))]
    pub(crate) fail_under: Option<u32>,

    /// Replace finding N and print the revised text: N=K for its alternative K, N=words, or N if one surely fits; may be
    /// repeated
    #[arg(long, value_name = "N[=K|=WORDS]")]
    pub(crate) accept: Vec<Accepted>,
}

impl ReviewOutput {
    fn wants_json(&self) -> bool {
        self.json || matches!(self.format, ReviewForm::Json | ReviewForm::Sarif)
    }
}

/// The forms of a review.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ReviewForm {
    /// For people.
    #[default]
    Text,
    /// The report as Markdown.
    Md,
    /// For programs.
    Json,
    /// For editors and code hosts.
    Sarif,
}

/// Hold a text against its sources, sentence by sentence.
///
/// Numbers, dates, names, benefits, pay, promises, superlatives, descriptions of people and the strength of a requirement
/// must stand in a source, other words must be covered by it. No model is asked. The exit code is 0 when every sentence
/// is proven, and 1 when a part of one is not.
#[derive(Clone, Debug, Args)]
pub(crate) struct Claims {
    /// The language of the text: en, sv, da, no or de
    #[arg(short, long, value_name = "LANGUAGE", value_parser = language)]
    pub(crate) lang: Language,

    /// The text: a file, or `-` for standard input
    #[arg(short, long, value_name = "FILE")]
    pub(crate) text: PathBuf,

    /// A source, by the name it is to be called; may be repeated
    #[arg(short, long, required = true, value_name = "NAME=FILE", value_parser = claims_source)]
    pub(crate) source: Vec<(String, PathBuf)>,

    /// Print JSON; places are counted in characters
    #[arg(long)]
    pub(crate) json: bool,
}

/// Measure `tata claims`: how many unsupported sentences are caught, how many honest ones left alone.
#[derive(Clone, Debug, Args)]
pub(crate) struct EvalClaims {
    /// Labelled sentences; the name begins with the language, e.g. sv.txt
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// The language of all files (default: the beginning of each name)
    #[arg(short, long, value_name = "LANGUAGE", value_parser = language)]
    pub(crate) lang: Option<Language>,

    /// Show every mistake
    #[arg(long)]
    pub(crate) mistakes: bool,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Fail (exit code 1) if either share of a file is less
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub(crate) fail_under: Option<f64>,
}

#[derive(Clone, Debug, Subcommand)]
pub(crate) enum EvalAction {
    /// Measure retrieval: nDCG and recall of the first ten results
    Retrieval(EvalRetrieval),
    /// Measure the check of claims: unsupported sentences caught, honest ones left alone
    Claims(EvalClaims),
    /// Measure the inclusion review: precision and recall per language and category
    Di {
        /// Labelled sentences (YAML); the name begins with the language, e.g. sv.yaml
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// The language of all files (default: the beginning of each name)
        #[arg(short, long, value_name = "LANGUAGE", value_parser = language)]
        lang: Option<Language>,
        /// Show every mistake
        #[arg(long)]
        mistakes: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
        /// Fail (exit code 1) if precision or recall of a file is less
        #[arg(long, value_name = "SHARE", value_parser = share)]
        fail_under: Option<f64>,
    },
}

/// `NAME=FILE`.
fn claims_source(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, file)) if !name.trim().is_empty() && !file.is_empty() => {
            Ok((name.trim().to_owned(), PathBuf::from(file)))
        }
        _ => Err("must be NAME=FILE, e.g. notes=notes.txt".to_owned()),
    }
}

fn title_form(text: &str) -> Result<TitleForm, String> {
    let name = text.trim().to_lowercase().replace('-', "_");
    TitleForm::find(&name)
        .ok_or_else(|| format!("must be one of {}", TitleForm::ALL.map(TitleForm::name).join(", ")))
}

fn share(text: &str) -> Result<f64, String> {
    let share: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err("must be from 0 to 1".to_owned()) }
}

#[derive(Clone, Debug, Subcommand)]
pub(crate) enum SessionAction {
    /// List conversations, the last used first
    #[command(visible_alias = "ls")]
    List {
        /// Only those with this agent
        #[arg(short, long, value_name = "AGENT")]
        agent: Option<String>,
        /// Only those whose title contains this
        #[arg(long, value_name = "TEXT")]
        title: Option<String>,
        /// At most so many
        #[arg(short = 'n', long, value_name = "N", default_value_t = 30)]
        limit: u32,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show what was said
    Show {
        /// The conversation: its id, the beginning of it, or `last`
        session: String,
        /// Print JSON: messages, requests, documents, feedback
        #[arg(long)]
        json: bool,
    },
    /// Finish interrupted turns, then go on with the conversation
    Resume {
        /// The conversation: its id, the beginning of it, or `last`
        #[arg(required_unless_present = "interrupted")]
        session: Option<String>,
        /// Finish every interrupted turn of every conversation, and stop
        #[arg(long, conflicts_with = "session")]
        interrupted: bool,
        /// Decide about a step that waits: CALL=run, CALL=done or CALL=refuse
        #[arg(long, value_name = "CALL=DECISION", requires = "session")]
        decide: Vec<String>,
    },
    /// Give a conversation a name
    Rename {
        /// The conversation: its id, the beginning of it, or `last`
        session: String,
        /// The name
        title: String,
    },
    /// Write a conversation to standard output or a file
    Export {
        /// The conversation: its id, the beginning of it, or `last`
        session: String,
        /// The form: md for people, json for programs, jsonl for the journal entry by entry
        #[arg(short, long, value_name = "FORM", default_value = "md")]
        format: Form,
        /// The file to write; one that is there is replaced
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Save everything of a damaged conversation that can still be read, as lines of JSON
    Salvage {
        /// The conversation: its id, the beginning of it, or `last`
        session: String,
        /// The file to write; one that is there is replaced
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Say whether an answer was good
    Feedback {
        /// The conversation: its id, the beginning of it, or `last`
        session: String,
        /// Good or bad
        #[arg(value_enum)]
        rating: Thumb,
        /// The turn, from 1 (default: the last)
        #[arg(long, value_name = "N")]
        turn: Option<u32>,
        /// In your words
        #[arg(long, value_name = "TEXT")]
        comment: Option<String>,
    },
    /// Delete a conversation and everything that belongs to it
    #[command(visible_alias = "rm")]
    Delete {
        /// The conversation: its id, the beginning of it, or `last`
        session: String,
        /// Without asking
        #[arg(short, long)]
        yes: bool,
    },
}

#[derive(Clone, Debug, Subcommand)]
pub(crate) enum AuditAction {
    /// Check the whole database: audit chain, journals, documents, usage; fail (exit code 1) on any damage
    Verify {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// List who did what, the newest last
    #[command(visible_alias = "ls")]
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// The forms of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Form {
    Md,
    Json,
    Jsonl,
}

/// What a person thought of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Thumb {
    Good,
    Bad,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct Agents {
    #[command(subcommand)]
    pub(crate) action: Option<AgentsAction>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Debug, Subcommand)]
pub(crate) enum AgentsAction {
    /// Check definitions and name every mistake with its line
    Check {
        /// The files; without any, all agents there are
        files: Vec<PathBuf>,
    },
}

impl Cli {
    /// What to do. What says how a chat begins stands behind another command, or it would be lost.
    pub(crate) fn wish(&self) -> Result<Command, UsageError> {
        let Chat { agent, model, session, continue_last, max_tokens } = &self.chat;
        let given = [
            ("--agent", agent.is_some()),
            ("--model", model.is_some()),
            ("--session", session.is_some()),
            ("--continue", *continue_last),
            ("--max-tokens", max_tokens.is_some()),
        ];
        match (&self.command, given.iter().find(|(_, given)| *given)) {
            (Some(_), Some((flag, _))) => {
                Err(UsageError(format!("{flag} belongs behind the command, as in `tata chat {flag} …`")))
            }
            (Some(command), None) => Ok(command.clone()),
            (None, _) => Ok(Command::Chat(self.chat.clone())),
        }
    }
}

/// A number of seconds that makes sense as patience.
fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.1..=86_400.0).contains(&seconds) {
        Ok(seconds)
    } else {
        Err("must be from 0.1 to 86400 seconds".to_owned())
    }
}

#[derive(Clone, Debug, Args)]
pub(crate) struct Models {
    #[command(subcommand)]
    pub(crate) action: Option<ModelsAction>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Debug, Subcommand)]
pub(crate) enum ModelsAction {
    /// Send the smallest real requests to a model and report what works
    Check {
        /// The model
        model: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Ask a provider's server which models it has
    List {
        /// The provider: a name from `tata models`, such as ollama
        provider: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Print a models.yaml with a provider of your own, explained line by line
    Example,
    /// Print the built-in models.yaml: providers, families, models and prices
    Catalog,
}
