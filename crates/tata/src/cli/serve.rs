//! Arguments of `tata serve`.

use std::net::SocketAddr;

use clap::Args;
use tata_web::Network;

/// How to serve.
#[derive(Clone, Debug, Args)]
pub(crate) struct Serve {
    /// Where to listen; without accounts this must be an address of this machine alone
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7878")]
    pub(crate) listen: SocketAddr,
    /// People sign in (`tata account add`): each sees their own projects. Then other machines may reach it; put TLS before it
    #[arg(long)]
    pub(crate) accounts: bool,
    /// Every account of this machine may use it and see everything, not only yours
    #[arg(long, conflicts_with = "accounts")]
    pub(crate) all_local_users: bool,
    /// A further name by which this server is called, such as that of a proxy before it; may be given several times
    #[arg(long = "host", value_name = "NAME")]
    pub(crate) hosts: Vec<String>,
    /// The address of a proxy before this server, or its network (10.0.0.0/8): whoever comes through it is told apart by
    /// `X-Forwarded-For`, which counts from nowhere else; may be given several times
    #[arg(long = "proxy", value_name = "ADDRESS")]
    pub(crate) proxies: Vec<Network>,
    /// With --accounts: the most megabytes of files that one person brings in a day, ten times as many for a company
    #[arg(long, value_name = "MEGABYTES", default_value_t = 2048)]
    pub(crate) uploads: u64,
    /// The most turns that run at once
    #[arg(long, value_name = "COUNT", default_value_t = 1000)]
    pub(crate) turns: usize,
}
