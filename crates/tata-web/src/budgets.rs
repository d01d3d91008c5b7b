//! What everybody may use: requests, bytes of bodies, uploads, answers that take long. Who is not signed in is counted by
//! the place they come from, whoever is signed in by their account and their company.

use std::{sync::Arc, time::Duration};

use axum::http::Method;
use tata_core::Account;

use crate::{
    Problem, ServerOptions,
    body::{Allowed, Bodies, Charge, Count, Most as MostBytes},
    limits::{Empty, Rates},
    peer::Peer,
    running::Running,
    streams::{Long, Most as MostStreams, Stream, Streams},
};

/// Sign-ins from one place: one in two seconds, and as many at once as a full office in the morning.
const SIGN_INS_PER_SECOND: f64 = 0.5;
const SIGN_INS_AT_ONCE: f64 = 60.0;

/// A name and a password need no more.
const SIGN_IN_BYTES: usize = 4 * 1024;
/// What all who are not signed in may be sending at once, and one place of them.
const STRANGERS: MostBytes = MostBytes { of_one: 256 * 1024, of_all: 4 * 1024 * 1024 };

/// A body must have arrived by then.
const BODY_TIME: Duration = Duration::from_secs(30);
/// Files are larger.
const UPLOAD_TIME: Duration = Duration::from_mins(3);
/// A day in seconds.
const DAY: f64 = 86_400.0;
/// Bytes of one mebibyte.
const MIB: f64 = 1024.0 * 1024.0;

/// Routes on which people sign in.
const SIGN_IN: [&str; 2] = ["/api/v1/sign-in", "/sign-in"];
/// Routes that take files as they are.
const FILES: [&str; 2] = ["/api/v1/sessions/{id}/files", "/api/v1/documents"];
/// What a form of a page with files in it may have: three of the largest files.
pub(crate) const MOST_FORM_BYTES: usize = 96 * 1024 * 1024;
/// Forms of pages that may have files in them.
const FORMS_WITH_FILES: [&str; 5] =
    ["/say", "/p/{id}/say", "/p/{id}/t/{tool}", "/files/read", "/knowledge/add"];

/// All budgets of a server.
pub(crate) struct Budgets {
    strangers: Rates,
    sign_ins: Rates,
    people: Rates,
    companies: Rates,
    /// Bodies of those who are signed in, or of the one person there is.
    bodies: Arc<Bodies>,
    bodies_of_strangers: Arc<Bodies>,
    uploads: Arc<Uploads>,
    following: Arc<Streams>,
    waiting: Arc<Streams>,
    /// Turns that run.
    pub(crate) running: Running,
}

/// Bytes of files that came in a day.
struct Uploads {
    people: Rates,
    companies: Rates,
    most: f64,
    most_of_company: f64,
}

/// Who is counted.
#[derive(Clone)]
pub(crate) enum Payer {
    /// Nobody who is known, from this place.
    Stranger(Peer),
    /// Somebody who is signed in.
    Account(Arc<Account>),
    /// The one person there is.
    Owner,
}

impl Budgets {
    pub(crate) fn new(options: &ServerOptions) -> Self {
        let (rate, burst) = (f64::from(options.requests_per_second.max(1)), f64::from(options.burst.max(1)));
        let share = f64::from(options.company_share.max(1));
        #[expect(clippy::cast_precision_loss, reason = "nobody counts days of more than 8 petabytes")]
        let uploads = options.upload_bytes_a_day as f64;
        let streams = |person: usize, all: usize| {
            let company = person.saturating_mul(8).min(all);
            Arc::new(Streams::new(MostStreams { person, company, all }))
        };
        Self {
            strangers: Rates::new(rate, burst),
            sign_ins: Rates::new(SIGN_INS_PER_SECOND, SIGN_INS_AT_ONCE),
            people: Rates::new(rate, burst),
            companies: Rates::new(rate * share, burst * share),
            bodies: Arc::new(Bodies::new(MostBytes {
                of_one: options.body_bytes_of_one,
                of_all: options.body_bytes,
            })),
            bodies_of_strangers: Arc::new(Bodies::new(STRANGERS)),
            uploads: Arc::new(Uploads {
                people: Rates::new(uploads / DAY, uploads),
                companies: Rates::new(uploads * share / DAY, uploads * share),
                most: uploads,
                most_of_company: uploads * share,
            }),
            // What is left is for short requests.
            following: streams(options.streams_per_person, options.connections.div_ceil(2)),
            waiting: streams(options.waiting_per_person, options.connections.div_ceil(4)),
            running: Running::default(),
        }
    }

    /// Counts a request.
    pub(crate) fn request(
        &self,
        payer: &Payer,
        route: &str,
        method: &Method,
        peer: Peer,
    ) -> Result<(), Problem> {
        if SIGN_IN.contains(&route) && *method == Method::POST {
            return self.sign_ins.take(peer).map_err(|empty| {
                let detail = "Too many sign-ins from this place. Try again in a moment.";
                Problem::busy("too_many_sign_ins", detail, empty.seconds())
            });
        }
        match payer {
            Payer::Stranger(peer) => self.stranger(*peer),
            Payer::Owner => self.people.take("owner").map_err(too_often),
            Payer::Account(account) => {
                self.people.take(&account.id).map_err(too_often)?;
                self.companies.take(&account.tenant).map_err(too_often)
            }
        }
    }

    /// Counts a request that nobody who is known has made.
    pub(crate) fn stranger(&self, peer: Peer) -> Result<(), Problem> {
        self.strangers.take(peer).map_err(too_often)
    }

    /// Begins to count the body of a request.
    pub(crate) fn body(&self, payer: &Payer) -> Arc<Charge> {
        match payer {
            Payer::Stranger(peer) => self.bodies_of_strangers.open(peer),
            Payer::Account(account) => self.bodies.open(&account.id),
            Payer::Owner => self.bodies.open("owner"),
        }
    }

    /// Counts files by the day: what is announced must fit before any of it is read, and each piece is taken as it comes.
    pub(crate) fn upload(
        &self,
        payer: &Payer,
        route: &str,
        announced: Option<u64>,
    ) -> Result<Option<Count>, Problem> {
        if !FILES.contains(&route) && !FORMS_WITH_FILES.contains(&route) {
            return Ok(None);
        }
        let Payer::Account(account) = payer else { return Ok(None) };
        let (uploads, account) = (Arc::clone(&self.uploads), Arc::clone(account));
        if let Some(bytes) = announced.and_then(|bytes| u32::try_from(bytes).ok()) {
            uploads.take(&account, f64::from(bytes))?;
            return Ok(None);
        }
        Ok(Some(Box::new(move |bytes| {
            uploads.take(&account, f64::from(u32::try_from(bytes).unwrap_or(u32::MAX)))
        })))
    }

    /// Opens an answer that takes long, if this route gives such.
    pub(crate) fn long(
        &self,
        payer: &Payer,
        route: &str,
        method: &Method,
    ) -> Result<Option<Stream>, Problem> {
        let streams = match Long::of(route, method) {
            None => return Ok(None),
            Some(Long::Follows) => &self.following,
            Some(Long::Waits) => &self.waiting,
        };
        let account = match payer {
            Payer::Account(account) => Some(account),
            Payer::Stranger(_) | Payer::Owner => None,
        };
        streams.open(account).map(Some)
    }
}

impl Uploads {
    fn take(&self, account: &Account, bytes: f64) -> Result<(), Problem> {
        let taken = self.people.take_many(&account.id, bytes);
        taken.map_err(|empty| too_much("One person", self.most, empty))?;
        let taken = self.companies.take_many(&account.tenant, bytes);
        taken.map_err(|empty| {
            self.people.give_back(&account.id, bytes);
            too_much("A company", self.most_of_company, empty)
        })
    }
}

fn too_much(who: &str, most: f64, empty: Empty) -> Problem {
    let (mebibytes, minutes) = ((most / MIB).round(), empty.seconds().div_ceil(60));
    let detail = format!(
        "{who} may bring {mebibytes} MiB of files a day, and this would be more. There is room for it in {minutes} \
         minutes; a smaller file may fit now. Whoever runs this server can raise the limit (--uploads)."
    );
    Problem::busy("too_many_uploads", detail, empty.seconds())
}

fn too_often(empty: Empty) -> Problem {
    let detail = "More requests came from one caller, company or place than are taken. Wait a moment, and ask less often.";
    Problem::busy("too_many_requests", detail, empty.seconds())
}

/// What a body may be on a route: known before any of it is read.
pub(crate) fn allowed(options: &ServerOptions, largest_file: usize, route: &str, method: &Method) -> Allowed {
    let time = BODY_TIME;
    if SIGN_IN.contains(&route) {
        return Allowed { bytes: SIGN_IN_BYTES, time };
    }
    if *method == Method::POST && FILES.contains(&route) {
        return Allowed { bytes: largest_file, time: UPLOAD_TIME };
    }
    if *method == Method::POST && FORMS_WITH_FILES.contains(&route) {
        return Allowed { bytes: MOST_FORM_BYTES, time: UPLOAD_TIME };
    }
    if route == "/mcp" {
        return Allowed { bytes: options.largest_body.saturating_mul(2), time };
    }
    Allowed { bytes: options.largest_body, time }
}
