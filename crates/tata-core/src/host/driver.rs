//! Runs one turn to its end and tells its listeners, whoever they are.

use std::{collections::VecDeque, sync::Arc};

use futures_util::StreamExt;

use super::{EventId, Observer, log::Running, replay::Replay};
use crate::{Entry, Event, EventStream, Record, SessionId, Store, StoreError, TurnOutcome, TurnReport};

/// A turn that is driven. What is durable is told with its place in the journal, which is read for that: positions of
/// entries are nobody's guess.
pub(super) struct Driver {
    pub(super) store: Arc<dyn Store>,
    pub(super) session: SessionId,
    pub(super) running: Arc<Running>,
    pub(super) observer: Option<Observer>,
    /// Entries that were read and not told yet.
    ahead: VecDeque<Record>,
    /// A model was asked and its answer is not in the journal yet.
    asked: bool,
    /// What was shown of it was taken back, and another attempt follows.
    reset: bool,
}

impl Driver {
    pub(super) fn new(
        store: Arc<dyn Store>,
        session: SessionId,
        running: Arc<Running>,
        observer: Option<Observer>,
    ) -> Self {
        Self { store, session, running, observer, ahead: VecDeque::new(), asked: false, reset: false }
    }

    pub(super) async fn drive(mut self, mut events: EventStream) {
        while let Some(event) = events.next().await {
            if let Some(observe) = &self.observer {
                observe(self.session, &event);
            }
            // The turn goes on whether or not its journal can be read for those who listen; they read it themselves then.
            if let Err(error) = self.pass(event).await {
                tracing::warn!(session = %self.session, %error, "the journal could not be read to tell of it");
            }
        }
    }

    async fn pass(&mut self, event: Event) -> Result<(), StoreError> {
        match event {
            Event::TextDelta { text } => self.running.tell_text(text),
            Event::Reset { ref model, .. } => {
                self.reset = true;
                let model = model.clone();
                self.running.tell_reset(event, model);
            }
            Event::ModelAsked { .. } => {
                let again = self.asked && self.reset;
                if !again {
                    if self.asked {
                        self.catch_up(|entry| matches!(entry, Entry::ModelReply { .. }), None).await?;
                    }
                    self.up_to_the_answer().await?;
                }
                (self.asked, self.reset) = (true, false);
                self.running.tell(event);
            }
            Event::TurnStarted { turn, resumed: false, .. } => {
                let begins =
                    |entry: &Entry| matches!(entry, Entry::UserMessage { turn: t, .. } if *t == turn);
                self.catch_up(begins, Some(event)).await?;
            }
            Event::ToolStarted(ref start) => {
                let id = start.call_id.clone();
                let starts =
                    |entry: &Entry| matches!(entry, Entry::ToolStarted { call_id, .. } if *call_id == id);
                self.catch_up(starts, Some(event)).await?;
            }
            Event::ToolFinished(ref end) => {
                let id = end.call_id.clone();
                let ends = |entry: &Entry| matches!(entry, Entry::ToolFinished { result, .. } if result.call_id == id);
                self.catch_up(ends, Some(event)).await?;
            }
            Event::Waiting { .. } => {
                self.catch_up(|entry| matches!(entry, Entry::Waiting { .. }), Some(event)).await?;
            }
            // The journal has them before the result that tells of them, and so they were told.
            Event::Artifact { .. } => {}
            Event::Finished(report) => self.finish(report).await?,
            Event::TurnStarted { .. }
            | Event::ReasoningDelta { .. }
            | Event::Retrying { .. }
            | Event::ToolAnnounced { .. }
            | Event::HistoryCut { .. }
            | Event::Usage { .. }
            | Event::Warning { .. } => self.running.tell(event),
        }
        Ok(())
    }

    async fn finish(&mut self, report: Box<TurnReport>) -> Result<(), StoreError> {
        let turn = report.turn_number;
        match report.outcome {
            TurnOutcome::Ended { .. } => {
                let ends = |entry: &Entry| matches!(entry, Entry::TurnFinished { turn: t, .. } if *t == turn);
                let caught_up = self.catch_up(ends, None).await;
                let position = self.running.told().position;
                self.running.tell_at(position, Some(Event::Finished(report)));
                caught_up
            }
            TurnOutcome::Waiting | TurnOutcome::Broken { .. } => {
                self.running.tell(Event::Finished(report));
                Ok(())
            }
        }
    }

    /// Tells of entries up to the first that is meant, and of that by this event. Without one that is meant, of all there
    /// are.
    async fn catch_up(
        &mut self,
        is_meant: impl Fn(&Entry) -> bool,
        mut event: Option<Event>,
    ) -> Result<(), StoreError> {
        self.read_ahead(&is_meant).await?;
        while let Some(record) = self.ahead.pop_front() {
            if matches!(record.entry, Entry::ModelReply { .. }) {
                (self.asked, self.reset) = (false, false);
            }
            if is_meant(&record.entry) && !matches!(record.entry, Entry::ModelReply { .. }) {
                self.running.tell_at(record.position, event.take());
                return Ok(());
            }
            let done = is_meant(&record.entry);
            self.tell_of(&record).await?;
            if done {
                break;
            }
        }
        let position = self.running.told().position;
        if let Some(event) = event {
            self.running.tell_at(position, Some(event));
        }
        Ok(())
    }

    /// Tells of all entries before the answer that was asked for.
    async fn up_to_the_answer(&mut self) -> Result<(), StoreError> {
        let is_answer = |entry: &Entry| matches!(entry, Entry::ModelReply { .. });
        self.read_ahead(&is_answer).await?;
        while let Some(record) = self.ahead.pop_front_if(|record| !is_answer(&record.entry)) {
            self.tell_of(&record).await?;
        }
        Ok(())
    }

    /// Reads on in the journal, unless the entry that is meant was read already.
    async fn read_ahead(&mut self, is_meant: &impl Fn(&Entry) -> bool) -> Result<(), StoreError> {
        if !self.ahead.iter().any(|record| is_meant(&record.entry)) {
            let last = self.ahead.back().map_or(self.running.told().position, |record| record.position);
            self.ahead.extend(self.store.records(self.session, last).await?);
        }
        Ok(())
    }

    /// Tells of an entry as somebody would be told who reads it later.
    async fn tell_of(&self, record: &Record) -> Result<(), StoreError> {
        let report = match record.entry {
            Entry::TurnFinished { turn, .. } => report_of(self.store.as_ref(), self.session, turn).await?,
            Entry::UserMessage { .. }
            | Entry::ModelReply { .. }
            | Entry::ToolStarted { .. }
            | Entry::ToolFinished { .. }
            | Entry::ArtifactStored { .. }
            | Entry::MadeStale { .. }
            | Entry::Waiting { .. }
            | Entry::Decided { .. }
            | Entry::TurnUndone { .. } => None,
        };
        let mut told = Vec::new();
        let mut replay = Replay::new(self.session, self.running.told());
        replay.read(record, |_| report, &mut told);
        for one in told {
            if let Event::TextDelta { text } = one.event {
                self.running.tell_text(text);
            } else if let Event::Reset { model, .. } = &one.event {
                let model = model.clone();
                self.running.tell_reset(one.event, model);
            } else {
                self.running.tell_at(record.position, Some(one.event));
            }
        }
        let EventId { position, .. } = replay.heard;
        self.running.tell_at(position, None);
        Ok(())
    }
}

/// The report of a turn, from the journal.
pub(super) async fn report_of(
    store: &dyn Store,
    session: SessionId,
    turn: u32,
) -> Result<Option<TurnReport>, StoreError> {
    let records = store.records(session, 0).await?;
    let usage = store.usage(session).await?;
    Ok(TurnReport::from_journal(session, turn, &records, &usage))
}
