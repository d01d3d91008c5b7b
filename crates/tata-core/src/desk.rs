//! What a person may do with sessions, through whichever face: each act is one write, with its audit entry where it
//! needs one, and nobody reaches what is not theirs.

use jiff::{SignedDuration, Timestamp};

use crate::{
    Actor, Approval, Artifact, ArtifactName, CallId, Clock, Conversation, Damage, Decision, Feedback, Input,
    Listing, Message, Rating, Session, SessionChange, SessionFilter, SessionId, Store, StoreError,
    verdict_of,
};

/// Fewer characters of an id are more likely a slip than a wish.
pub const SHORTEST_ID: usize = 4;

/// The most characters of a session's title.
pub const LONGEST_TITLE: usize = 200;

/// The most bytes of what a person says about an answer.
pub const MOST_COMMENT_BYTES: usize = 16 * 1024;

/// Who acts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Person {
    /// Whose sessions they see; none sees all, as the only person at a machine does.
    pub user_id: Option<String>,
    /// What the audit calls them.
    pub name: String,
}

/// Why something was not done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeskError {
    /// There is no such session, or it is somebody else's.
    #[error("There is no conversation {0:?}.")]
    NoSession(String),
    /// More than one is meant.
    #[error("{count} conversations begin with {wish:?}.")]
    Several {
        /// What was asked for.
        wish: String,
        /// How many there are.
        count: usize,
    },
    /// Nothing was said yet.
    #[error("There is no conversation yet.")]
    NoneYet,
    /// Too little of an id.
    #[error("{0:?} is too short for the id of a conversation; give at least {SHORTEST_ID} characters")]
    TooShort(String),
    /// Its row cannot be read.
    #[error("This conversation cannot be read: {}", .0.iter().map(ToString::to_string).collect::<String>())]
    Damaged(Vec<Damage>),
    /// A title without words, or with too many.
    #[error("the title must have 1 to {LONGEST_TITLE} letters; it has {0}")]
    Title(usize),
    /// A comment that is too long.
    #[error("the comment has {0} bytes; at most {MOST_COMMENT_BYTES} are kept. Shorten it.")]
    Comment(usize),
    /// There is no such turn.
    #[error("there is no turn {turn}; the conversation has {most}")]
    NoTurn {
        /// What was asked for.
        turn: u32,
        /// The last one.
        most: u32,
    },
    /// There is no such document, or no such version.
    #[error("there is no {kind} of version {version} in this conversation", kind = .name.kind)]
    NoDocument {
        /// The document.
        name: ArtifactName,
        /// The version.
        version: u32,
    },
    /// A document that may not be approved as it is.
    #[error("{0}")]
    NotReady(String),
    /// Nothing is asked about this call, or it is asked otherwise by now.
    #[error("there is nothing to decide about {0:?}")]
    NothingAsked(String),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a document may not be approved as it is; none if it may.
pub type Readiness = dyn Fn(&Artifact) -> Option<String> + Send + Sync;

/// A person at work with the sessions of a store.
#[derive(Clone)]
pub struct Desk<'a> {
    store: &'a dyn Store,
    person: Person,
    clock: Clock,
}

impl<'a> Desk<'a> {
    /// This person's sessions in this store.
    pub fn new(store: &'a dyn Store, person: Person, clock: Clock) -> Self {
        Self { store, person, clock }
    }

    /// Who acts.
    pub fn person(&self) -> &Person {
        &self.person
    }

    /// Where the sessions live.
    pub fn store(&self) -> &'a dyn Store {
        self.store
    }

    /// The person's sessions, whatever else the filter says.
    pub async fn list(&self, filter: SessionFilter) -> Result<Listing, DeskError> {
        let user_id = self.person.user_id.clone().or(filter.user_id);
        Ok(self.store.sessions(SessionFilter { user_id, ..filter }).await?)
    }

    /// A session by its id, the beginning of it, or `last`.
    pub async fn find(&self, wish: &str) -> Result<Session, DeskError> {
        if wish == "last" {
            let filter = SessionFilter { limit: Some(1), ..SessionFilter::default() };
            return self.list(filter).await?.sessions.into_iter().next().ok_or(DeskError::NoneYet);
        }
        // An empty id would be the beginning of any.
        if wish.trim().len() < SHORTEST_ID {
            return Err(DeskError::TooShort(wish.to_owned()));
        }
        if let Ok(id) = wish.parse() {
            return self.session(id).await;
        }
        let id_prefix = Some(wish.to_lowercase());
        let filter = SessionFilter { id_prefix, limit: Some(50), ..SessionFilter::default() };
        let Listing { sessions: mut found, damaged } = self.list(filter).await?;
        match (found.len() + damaged.len(), found.pop()) {
            (1, Some(session)) => Ok(session),
            (0, _) => Err(DeskError::NoSession(wish.to_owned())),
            (1, None) => Err(DeskError::Damaged(damaged)),
            (count, _) => Err(DeskError::Several { wish: wish.to_owned(), count }),
        }
    }

    /// A session by its id. Somebody else's is none, and neither is one that is to be deleted.
    pub async fn session(&self, id: SessionId) -> Result<Session, DeskError> {
        let found = self.own(id).await?;
        if found.delete_at.is_some() {
            return Err(DeskError::NoSession(id.to_string()));
        }
        Ok(found)
    }

    async fn own(&self, id: SessionId) -> Result<Session, DeskError> {
        let found = self.store.session(id).await?;
        let own =
            found.filter(|session| self.person.user_id.is_none() || session.user_id == self.person.user_id);
        own.ok_or_else(|| DeskError::NoSession(id.to_string()))
    }

    /// Gives a session another name: one line, whatever was typed.
    pub async fn rename(&self, id: SessionId, title: &str) -> Result<Session, DeskError> {
        let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
        let length = title.chars().count();
        if length == 0 || length > LONGEST_TITLE {
            return Err(DeskError::Title(length));
        }
        self.session(id).await?;
        let change = SessionChange { title: Some(title), ..SessionChange::default() };
        Ok(self.store.change_session(id, change).await?)
    }

    /// Removes a session and all that belongs to it; the audit says who did it. A damaged one can be
    /// removed as well.
    pub async fn delete(&self, id: SessionId) -> Result<(), DeskError> {
        match self.session(id).await {
            // Whose it is cannot be told any more; whoever knows its id may at least remove it.
            Ok(_) | Err(DeskError::Store(StoreError::Unreadable { .. })) => {}
            Err(error) => return Err(error),
        }
        let by = Actor { name: self.person.name.clone(), account: None };
        Ok(self.store.delete_session(id, by, self.clock.now()).await?)
    }

    /// Hides a session, to be deleted after a while by whoever looks for [`crate::Sessions::due_deletions`].
    pub async fn delete_after(&self, id: SessionId, wait: SignedDuration) -> Result<(), DeskError> {
        self.session(id).await?;
        let at = self.clock.now().checked_add(wait).unwrap_or(Timestamp::MAX);
        let change = SessionChange { delete_at: Some(Some(at)), ..SessionChange::default() };
        self.store.change_session(id, change).await?;
        Ok(())
    }

    /// Takes the deletion of a session back, as long as it was not carried out.
    pub async fn take_deletion_back(&self, id: SessionId) -> Result<(), DeskError> {
        if !self.is_to_be_deleted(id).await? {
            return Err(DeskError::NoSession(id.to_string()));
        }
        let change = SessionChange { delete_at: Some(None), ..SessionChange::default() };
        match self.store.change_session(id, change).await {
            Err(StoreError::NotFound { .. }) => Err(DeskError::NoSession(id.to_string())),
            changed => Ok(changed.map(drop)?),
        }
    }

    /// Whether a deletion of one's own session can be taken back.
    pub async fn is_to_be_deleted(&self, id: SessionId) -> Result<bool, DeskError> {
        match self.own(id).await {
            Ok(session) => Ok(session.delete_at.is_some()),
            Err(DeskError::NoSession(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Approves a version of a document; the audit says who did it.
    pub async fn approve(
        &self,
        id: SessionId,
        name: &ArtifactName,
        version: u32,
        not_ready: &Readiness,
    ) -> Result<Artifact, DeskError> {
        let artifact = self.artifact(id, name, version).await?;
        if let Some(why) = not_ready(&artifact) {
            return Err(DeskError::NotReady(why));
        }
        let approval = Approval { by: self.person.name.clone(), at: self.clock.now(), account: None };
        self.store.approve_artifact(id, name.clone(), version, approval.clone()).await?;
        Ok(Artifact { approval: Some(approval), ..artifact })
    }

    /// A version of a document.
    pub async fn artifact(
        &self,
        id: SessionId,
        name: &ArtifactName,
        version: u32,
    ) -> Result<Artifact, DeskError> {
        self.session(id).await?;
        let found = self.store.artifact(id, name.clone(), Some(version)).await?;
        found.ok_or_else(|| DeskError::NoDocument { name: name.clone(), version })
    }

    /// Notes what the person thought of an answer; the last one when no turn is named.
    pub async fn give_feedback(
        &self,
        id: SessionId,
        turn: Option<u32>,
        rating: Rating,
        comment: Option<String>,
    ) -> Result<Feedback, DeskError> {
        let session = self.session(id).await?;
        let (turn, most) = (turn.unwrap_or(session.turn_count), session.turn_count);
        if turn == 0 || turn > most {
            return Err(DeskError::NoTurn { turn, most });
        }
        if let Some(bytes) = comment.as_ref().map(String::len).filter(|bytes| *bytes > MOST_COMMENT_BYTES) {
            return Err(DeskError::Comment(bytes));
        }
        let (user_id, at) = (self.person.user_id.clone(), self.clock.now());
        let feedback = Feedback { turn, rating, comment, user_id, at };
        self.store.give_feedback(id, feedback.clone()).await?;
        Ok(feedback)
    }

    /// The input that decides about what a session asks. A decision may bring the seal of the question the person saw;
    /// one about another question counts for nothing and is refused here already.
    pub async fn decide(
        &self,
        id: SessionId,
        decisions: &[(CallId, Option<String>, Decision)],
    ) -> Result<Input, DeskError> {
        self.session(id).await?;
        let records = self.store.records(id, 0).await?;
        let conversation = Conversation::fold("", &records);
        let verdict = |(call_id, seal, decision): &(CallId, Option<String>, Decision)| {
            let mut open = conversation.questions().iter();
            let same = |open: &str| seal.as_ref().is_none_or(|seal| seal == open);
            let question = open.find(|question| question.call_id == *call_id && same(&question.seal));
            question
                .map(|question| question.decide(*decision))
                .ok_or_else(|| DeskError::NothingAsked(call_id.to_string()))
        };
        let decisions = decisions.iter().map(verdict).collect::<Result<Vec<_>, _>>()?;
        Ok(Input::Decide { decisions, by: self.person.name.clone() })
    }

    /// What a message is in this session. Where the face showed a question of the program last of all, it brings the seal
    /// of that question: then a plain yes or no decides what the session waits for, and a plain yes what was asked below
    /// the last answer. Without it, or with the seal of another question, something is said and nothing decided.
    pub async fn answer(
        &self,
        id: SessionId,
        message: Message,
        shown: Option<String>,
    ) -> Result<Input, DeskError> {
        let Some(seal) = shown else { return Ok(Input::Say(message)) };
        if self.session(id).await?.open_turn {
            let conversation = Conversation::fold("", &self.store.records(id, 0).await?);
            let mut said = message.texts();
            if let (Some(said), None) = (said.next(), said.next())
                && let Some(verdict) = verdict_of(conversation.questions(), &said.text)
                && verdict.seal == seal
            {
                return Ok(Input::Decide { decisions: vec![verdict], by: self.person.name.clone() });
            }
        }
        Ok(Input::Answer { message, seal })
    }
}
