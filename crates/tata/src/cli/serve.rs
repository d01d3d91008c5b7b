//! Arguments of `tata serve`.

use std::net::SocketAddr;

use clap::Args;

/// How to serve.
#[derive(Clone, Debug, Args)]
pub(crate) struct Serve {
    /// Where to listen; without accounts this must be an address of this machine alone
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7878")]
    pub(crate) listen: SocketAddr,
    /// People sign in (`tata account add`): each sees their own projects. Then other machines may reach it; put TLS before it
    #[arg(long)]
    pub(crate) accounts: bool,
    /// A further name by which this server is called, such as that of a proxy before it; may be given several times
    #[arg(long = "host", value_name = "NAME")]
    pub(crate) hosts: Vec<String>,
    /// The most turns that run at once
    #[arg(long, value_name = "COUNT", default_value_t = 1000)]
    pub(crate) turns: usize,
}
