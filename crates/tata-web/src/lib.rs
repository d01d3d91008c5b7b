//! Tata over HTTP: an API a program can trust, and pages for people.
//!
//! This crate knows HTTP: routes, who may call them, limits, streams of events, errors as documents. It does **not** know
//! SQL, vendors of models or the disk: the program hands it [`Services`]. Turns belong to the turn host of `tata-core`; a
//! connection that ends ends nothing else. `compatible` holds the shapes that existing clients of another API speak, and
//! nothing outside that folder knows them. `pages` holds what a person sees in a browser; documents, files and the sample
//! project reach it through [`Pages`].
#![expect(unused_qualifications, reason = "the macro that describes routes writes whole paths")]

mod access;
mod api;
mod body;
mod budgets;
mod compatible;
mod connections;
mod deletions;
mod encoded;
mod error;
mod events;
mod files;
mod guard;
mod health;
mod idempotency;
mod input;
mod limits;
mod metrics;
mod options;
mod pages;
mod peer;
mod presence;
mod recover;
mod router;
mod routes;
mod running;
mod secrets;
mod server;
mod services;
mod stall;
mod state;
mod streams;
mod telemetry;

pub use access::oidc::{Fetch, FetchFuture, FetchRequest, Oidc, OidcError, OidcOptions};
pub use access::{
    KEY_DAYS, LONGEST_PASSWORD, MOST_KEY_DAYS, SHORTEST_PASSWORD, WeakPassword, hash_password, key_end,
    new_token,
};
pub use error::Problem;
pub use metrics::{Counter, Metrics};
pub use options::ServerOptions;
pub use pages::{
    Choice, ChoiceKind, ChoiceName, Collection, DoorFuture, Finding, Kept, Naming, Pages, PassageFound,
    Probe, Sample, SampleSteps, ShowDocument, ShownDocument, SourceShown, Taken, TextPiece,
};
pub use peer::{Network, NotANetwork};
pub use router::router;
pub use routes::openapi;
pub use server::{NotServed, Server};
pub use services::{
    AdmitPeer, AgentFuture, AgentInfo, AgentMaker, Agents, AnsweringModel, Caller, CompanyServices,
    ExportDocument, FileOwner, FileServices, ModelInfo, Mounted, MountedFuture, OfCompany, ReadUpload,
    Render, Rendering, Services, Unavailable, UnreadFile, UploadRead,
};
pub use telemetry::{Spans, TraceOptions, Traces};
