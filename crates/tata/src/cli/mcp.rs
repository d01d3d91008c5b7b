//! Arguments of `tata mcp`.

use std::path::PathBuf;

use clap::Subcommand;

/// What to do with MCP servers.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum McpAction {
    /// List the servers that are written down: your own, this folder's .mcp.json, an agent's; nothing is started
    List {
        /// Also those of this agent
        #[arg(short, long, value_name = "AGENT")]
        agent: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Start or reach servers, list their tools and end them again
    Test {
        /// The servers (default: all)
        #[arg(value_name = "SERVER")]
        servers: Vec<String>,
        /// Also those of this agent
        #[arg(short, long, value_name = "AGENT")]
        agent: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Take over servers from the file of another program (.mcp.json, VS Code, Claude Desktop, Cursor)
    Import {
        /// The file
        file: PathBuf,
        /// Write them into your own; without it they are only shown
        #[arg(long)]
        write: bool,
    },
    /// Sign in to a server, in your browser; what it gives is kept for you alone
    SignIn {
        /// The server
        server: String,
        /// Also those of this agent
        #[arg(short, long, value_name = "AGENT")]
        agent: Option<String>,
        /// The name by which the server knows Tata, where it gave you one; its secret is read from TATA_MCP_CLIENT_SECRET
        #[arg(long, value_name = "ID")]
        client_id: Option<String>,
    },
    /// Forget what a server gave at the sign-in
    SignOut {
        /// The server
        server: String,
        /// Also those of this agent
        #[arg(short, long, value_name = "AGENT")]
        agent: Option<String>,
    },
    /// Serve Tata's tools, documents and prompts to an MCP client, over standard input and output
    Serve,
}
