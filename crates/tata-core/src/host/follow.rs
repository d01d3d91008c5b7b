//! One listener: reads what it has not heard from the journal, then hears the running turn, and begins again when it
//! fell behind.

use std::{sync::Arc, time::Duration};

use tokio::sync::broadcast::error::RecvError;

use super::{EventId, Inner, Told, log::Joined, replay::Replay};
use crate::{Event, Feeder, Record, SessionId, StoreError, TurnOutcome, TurnReport, agent::broken_off};

/// How soon the journal of a turn that runs elsewhere is read again; later, less often.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// How often a turn must be found without anybody who works on it before a listener is told: it may just be changing
/// hands.
const ABANDONED: u32 = 3;

/// The stable name for a turn that nobody works on.
pub(super) const INTERRUPTED: &str = "interrupted";

/// Listens from a place on. Whoever `joined` already misses nothing, even of a turn that leaves nothing in the journal.
pub(super) async fn follow(
    host: Arc<Inner>,
    session: SessionId,
    from: EventId,
    joined: Option<Joined>,
    out: Feeder<Told>,
) {
    let mut listener = Listener { host, session, heard: from, out, pause: FIRST_PAUSE, abandoned: 0 };
    if let Err(error) = listener.listen(joined).await {
        let event = broken_off(session, &error);
        listener.out.give(Told { id: None, event }).await;
    }
}

struct Listener {
    host: Arc<Inner>,
    session: SessionId,
    heard: EventId,
    out: Feeder<Told>,
    pause: Duration,
    abandoned: u32,
}

/// Whether there is more to come.
enum Then {
    GoOn,
    End,
}

impl Listener {
    async fn listen(&mut self, mut joined: Option<Joined>) -> Result<(), StoreError> {
        loop {
            // Only what is needed of a running turn is held: its end must be noticed.
            let running = || self.host.running(self.session).map(|running| running.join());
            let then = match joined.take().or_else(running) {
                Some(joined) => self.hear(joined).await?,
                None => self.read_only().await?,
            };
            if let Then::End = then {
                return Ok(());
            }
        }
    }

    /// Follows a turn that runs here.
    async fn hear(&mut self, mut joined: Joined) -> Result<Then, StoreError> {
        let (mut replay, _) = self.read(Some(joined.told.position)).await?;
        // Nothing of the draft is lost on somebody who heard more than it has: that no longer counts.
        if replay.heard.position == joined.told.position {
            let mut told = Vec::new();
            replay.text(&joined.draft.text, &joined.draft.model, &mut told);
            self.give(told).await;
        }
        // Somebody who read the journal elsewhere may know more of it than this turn has told yet.
        let is_ahead = self.heard.position > joined.told.position;
        let ahead = self.heard.position.max(joined.told.position);
        let known = |told: &Told| {
            let text = matches!(told.event, Event::TextDelta { .. } | Event::Reset { .. });
            told.id.is_some_and(|id| id.position < ahead || (id.position == ahead && !text && is_ahead))
        };
        loop {
            match joined.events.recv().await {
                Ok(told) if known(&told) => {}
                Ok(told) => {
                    if let Then::End = self.pass(told).await {
                        return Ok(Then::End);
                    }
                }
                // Too slow, or the turn has ended: what there is stands in the journal.
                Err(RecvError::Lagged(_) | RecvError::Closed) => return Ok(Then::GoOn),
            }
        }
    }

    /// Reads the journal of a session in which no turn runs here.
    async fn read_only(&mut self) -> Result<Then, StoreError> {
        let before = self.heard;
        let (replay, records) = self.read(None).await?;
        let Some(turn) = replay.open() else { return Ok(Then::End) };
        if replay.waits() {
            let usage = self.host.store.usage(self.session).await?;
            let waiting = replay.waiting(&records, &usage);
            self.give(waiting.into_iter().collect()).await;
            return Ok(Then::End);
        }
        if self.heard == before {
            let nobody = self.host.store.interrupted().await?;
            let nobody = nobody.iter().any(|session| session.id == self.session);
            self.abandoned = if nobody { self.abandoned + 1 } else { 0 };
            self.pause = (self.pause * 2).min(LONGEST_PAUSE);
        } else {
            (self.abandoned, self.pause) = (0, FIRST_PAUSE);
        }
        if self.abandoned >= ABANDONED && self.host.running(self.session).is_none() {
            let usage = self.host.store.usage(self.session).await?;
            if let Some(mut report) = TurnReport::from_journal(self.session, turn, &records, &usage) {
                report.outcome = TurnOutcome::Broken { error: INTERRUPTED };
                report.error = Some("This turn was interrupted. It can be resumed.".to_owned());
                self.give(vec![Told { id: None, event: Event::Finished(Box::new(report)) }]).await;
            }
            return Ok(Then::End);
        }
        tokio::time::sleep(self.pause).await;
        Ok(Then::GoOn)
    }

    /// Tells of the entries that were not heard, up to a position.
    async fn read(&mut self, up_to: Option<u64>) -> Result<(Replay, Vec<Record>), StoreError> {
        let mut replay = Replay::new(self.session, self.heard);
        if up_to.is_some_and(|position| position == self.heard.position) {
            return Ok((replay, Vec::new()));
        }
        let records = self.host.store.records(self.session, 0).await?;
        let usage = self.host.store.usage(self.session).await?;
        let last = records.last().map_or(0, |record| record.position);
        if self.heard.position > last.max(up_to.unwrap_or(0)) {
            // An id of another session, or of one that was taken from a backup: all there is to know is the end.
            replay.heard = EventId::at(last);
        }
        for record in records.iter().filter(|record| up_to.is_none_or(|last| record.position <= last)) {
            let mut told = Vec::new();
            let report = |turn| TurnReport::from_journal(self.session, turn, &records, &usage);
            replay.read(record, report, &mut told);
            self.give(told).await;
        }
        self.heard = replay.heard;
        Ok((replay, records))
    }

    async fn give(&mut self, told: Vec<Told>) {
        for one in told {
            self.heard = one.id.unwrap_or(self.heard);
            self.out.give(one).await;
        }
    }

    async fn pass(&mut self, told: Told) -> Then {
        self.heard = told.id.unwrap_or(self.heard);
        // A turn that ended is in the journal, and another may follow.
        let ends = |report: &TurnReport| matches!(report.outcome, TurnOutcome::Ended { .. });
        let stops = matches!(&told.event, Event::Finished(report) if !ends(report));
        self.out.give(told).await;
        if stops { Then::End } else { Then::GoOn }
    }
}
