//! The command line of documents: `artifact`, `import`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Clone, Debug, Subcommand)]
pub(crate) enum ArtifactAction {
    /// List the documents of all conversations, or of one
    #[command(visible_alias = "ls")]
    List {
        /// One conversation: its id, the beginning of it, or `last`
        #[arg(short, long, value_name = "SESSION")]
        session: Option<String>,
        /// Only documents whose name or text has these words
        #[arg(long, value_name = "WORDS")]
        search: Option<String>,
        /// Print JSON, with every version
        #[arg(long)]
        json: bool,
    },
    /// Show a document
    #[command(disable_version_flag = true)]
    Show {
        #[command(flatten)]
        which: Which,
        /// The version (default: the newest)
        #[arg(long, value_name = "N")]
        version: Option<u32>,
        /// The form
        #[arg(short, long, value_name = "FORM", default_value = "text")]
        format: DocumentForm,
    },
    /// Show what changed between two versions
    Diff {
        #[command(flatten)]
        which: Which,
        /// The older version (default: the one before)
        #[arg(long, value_name = "N")]
        from: Option<u32>,
        /// The newer version (default: the newest)
        #[arg(long, value_name = "N")]
        to: Option<u32>,
    },
    /// Say yes to a version of a document
    #[command(disable_version_flag = true)]
    Approve {
        #[command(flatten)]
        which: Which,
        /// The version (default: the newest)
        #[arg(long, value_name = "N")]
        version: Option<u32>,
    },
    /// Write a document to a file: Word, PDF, web page, Markdown, text, tables, chart or calendar entry
    #[command(disable_version_flag = true)]
    Export {
        #[command(flatten)]
        which: Which,
        /// The version (default: the newest)
        #[arg(long, value_name = "N")]
        version: Option<u32>,
        /// The format (default: that of the file's ending)
        #[arg(short, long, value_name = "FORMAT")]
        format: Option<ExportForm>,
        /// The file; without it, a name made of the document's in this folder, `-` for standard output
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Make an earlier version the newest again; nothing is deleted
    #[command(disable_version_flag = true)]
    Restore {
        #[command(flatten)]
        which: Which,
        /// The version to bring back
        #[arg(long, value_name = "N")]
        version: u32,
    },
}

/// A document of a conversation.
#[derive(Clone, Debug, Args)]
pub(crate) struct Which {
    /// The kind, e.g. job_ad or profile
    pub(crate) kind: String,
    /// Which one, where there are several: the candidate's key
    #[arg(short, long)]
    pub(crate) key: Option<String>,
    /// The conversation: its id, the beginning of it, or `last`
    #[arg(short, long, value_name = "SESSION", default_value = "last")]
    pub(crate) session: String,
}

/// The forms of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum DocumentForm {
    Text,
    Md,
    Json,
}

/// The formats of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ExportForm {
    Docx,
    Pdf,
    Md,
    Html,
    Txt,
    Csv,
    Xlsx,
    Svg,
    Ics,
    Json,
}

impl ExportForm {
    /// The ending of its files.
    pub(crate) fn ending(self) -> &'static str {
        match self {
            Self::Docx => "docx",
            Self::Pdf => "pdf",
            Self::Md => "md",
            Self::Html => "html",
            Self::Txt => "txt",
            Self::Csv => "csv",
            Self::Xlsx => "xlsx",
            Self::Svg => "svg",
            Self::Ics => "ics",
            Self::Json => "json",
        }
    }
}

/// Look at what a file holds before you use it: what was read, and what could not be.
#[derive(Clone, Debug, Args)]
pub(crate) struct Import {
    /// A transcript (.vtt, .docx), a table (.xlsx, .csv), or any text (.docx, .pdf, .html, .md, .txt)
    pub(crate) file: PathBuf,
    /// What it is (default: what it looks like)
    #[arg(long = "as", value_name = "KIND")]
    pub(crate) kind: Option<ImportKind>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// What a file is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ImportKind {
    Transcript,
    Funnel,
    Ad,
    Notes,
}
