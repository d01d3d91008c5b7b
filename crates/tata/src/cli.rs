//! The command line, as people read it.

use std::path::PathBuf;

use clap::{Args, ColorChoice, Parser, Subcommand};

/// Tata carries LLM agents to real people.
#[derive(Debug, Parser)]
#[command(version, propagate_version = true, arg_required_else_help = true, after_help = AFTER_HELP)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// The catalog to lay over the built-in one (default: ./models.yaml, then the configuration folder)
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) models_file: Option<PathBuf>,

    /// Seconds to wait for the first sign of an answer (default: 30)
    #[arg(long, global = true, value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    pub(crate) timeout: Option<f64>,

    /// When to use colour
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
}

const AFTER_HELP: &str = "\
Exit codes:
  0  done                 4  the key was refused      7    rate-limited, or the credit is used up
  1  failed               5  model not found          130  interrupted
  2  wrong usage          6  the model or the way to it failed
  3  not configured, or a configuration file is wrong

Environment:
  OPENAI_API_KEY, ANTHROPIC_API_KEY …  keys (or …_FILE with the path of a file that holds one)
  OPENAI_BASE_URL, OLLAMA_BASE_URL …   other addresses, see `tata models --json`
  TATA_MODEL, TATA_MODELS, TATA_TIMEOUT, TATA_LOG, TATA_HOME; HTTPS_PROXY, NO_PROXY; NO_COLOR
A .env file and a tata.toml in this folder are read too; flags win over the environment, it wins over files.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Ask a model one question and stream its answer
    Ask(Ask),
    /// List the models and what each still needs, or check one
    Models(Models),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// Ask a model one question and stream its answer.
///
/// The answer goes to standard output, everything else to standard error. Text on standard input is the question,
/// or, beside a question, the material it is about.
#[derive(Clone, Debug, Args)]
pub(crate) struct Ask {
    /// The question; `-` or nothing reads standard input, and text piped in beside a question is its material
    pub(crate) question: Vec<String>,

    /// The model: a name from `tata models`, or PROVIDER/MODEL such as ollama/qwen3:8b
    #[arg(short, long, value_name = "MODEL")]
    pub(crate) model: Option<String>,

    /// Instructions that stand before the question
    #[arg(short, long, value_name = "TEXT")]
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

    /// Print one JSON object: answer, usage, cost, ids, or the error
    #[arg(long)]
    pub(crate) json: bool,
}

impl Command {
    /// Whether the person, or more likely the program, asked for JSON.
    pub(crate) fn wants_json(&self) -> bool {
        match self {
            Self::Ask(ask) => ask.json,
            Self::Models(Models { action: Some(ModelsAction::Check { json, .. }), json: before }) => {
                *json || *before
            }
            Self::Models(Models { action: None, json }) => *json,
            Self::Completions { .. } => false,
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

#[derive(Debug, Args)]
pub(crate) struct Models {
    #[command(subcommand)]
    pub(crate) action: Option<ModelsAction>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModelsAction {
    /// Send the smallest real requests to a model and report what works
    Check {
        /// The model
        model: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}
