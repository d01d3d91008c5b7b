//! Arguments of `tata account`.

use clap::{Subcommand, ValueEnum};
use tata_web::{KEY_DAYS, MOST_KEY_DAYS};

/// The company of accounts for which none is named.
pub(crate) const DEFAULT_TENANT: &str = "main";

/// What to do with the accounts of a server. Passwords are read from standard input, never from an argument.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum AccountAction {
    /// Make an account; its password is read from standard input
    Add {
        /// The name it signs in with, such as an e-mail address
        name: String,
        /// The company it belongs to; companies do not see each other
        #[arg(long, default_value = DEFAULT_TENANT, value_name = "COMPANY")]
        tenant: String,
        /// What it may do
        #[arg(long, value_enum, default_value_t = RoleName::Recruiter)]
        role: RoleName,
        /// Without a password, for the person of the company's directory with this verified address
        #[arg(long)]
        directory: bool,
    },
    /// List the accounts
    List {
        /// Only those of this company
        #[arg(long, value_name = "COMPANY")]
        tenant: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Give an account a new password, read from standard input; it is signed out everywhere and its API keys end
    Password {
        /// The account
        name: String,
    },
    /// Hand an account over to the person of the company's directory with this verified address: its password ends, it is
    /// signed out everywhere and its API keys end; its conversations stay
    Directory {
        /// The account
        name: String,
    },
    /// Let an account sign in no longer
    Disable {
        /// The account
        name: String,
    },
    /// Let it sign in again
    Enable {
        /// The account
        name: String,
    },
    /// Make an API key for an account and print it, this once
    Key {
        /// The account
        name: String,
        /// What the key is for
        #[arg(long, default_value = "command line")]
        label: String,
        /// After how many days it ends; 0 is never
        #[arg(long, default_value_t = KEY_DAYS, value_parser = clap::value_parser!(i64).range(0..=MOST_KEY_DAYS))]
        days: i64,
    },
}

/// What an account may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RoleName {
    /// Their own projects
    Recruiter,
    /// Also the accounts, keys and audit of their company
    Admin,
}
