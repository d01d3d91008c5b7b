//! The contract of [`Store`]: what every engine must do, case by case.
//!
//! [`store_contract!`](crate::store_contract) makes each case a test of its own. It takes a function that opens an
//! empty store, hands it to the case, and clears up afterwards:
//!
//! ```ignore
//! async fn in_memory(case: impl AsyncFnOnce(Arc<dyn Store>)) {
//!     case(Arc::new(MemoryStore::new())).await;
//! }
//! tata_testkit::store_contract!(in_memory);
//! ```

pub mod accounts;
pub mod artifacts;
pub mod audit;
pub mod batches;
pub mod chat_marks;
pub mod files;
pub mod journal;
pub mod keys;
pub mod leases;
pub mod ledger;
pub mod random;
pub mod scopes;
pub mod sessions;
pub mod upkeep;

use std::{sync::Arc, time::Duration};

use jiff::Timestamp;
use tata_core::{
    ArtifactKind, ArtifactName, Batch, Entry, Message, NewArtifact, NewSession, RawJson, Record, Session,
    SessionId, Store, TurnEnd, UsageRow,
};

/// What the cases are given.
pub type Shared = Arc<dyn Store>;

/// All the characters that break stores: NUL, quotes, SQL, wildcards, emoji, letters with odd cases, separators.
pub const ODD: &str =
    "a\0b \"q\" 'x'; DROP -- %_\\ \u{1f469}\u{200d}\u{1f467} \u{df}\u{130} \u{2028}\r\n\t \u{feff}\u{fffd}";
/// A lease that no test outlives.
pub const LONG: Duration = Duration::from_mins(10);
/// A lease that has run out when the next line runs.
pub const SHORT: Duration = Duration::from_millis(1);

/// Makes one test of every case, run by `$run`.
#[macro_export]
macro_rules! store_contract {
    ($run:path) => {
        $crate::store_contract! { $run;
            sessions: a_new_session_is_as_given, the_last_used_comes_first, filters_find_and_spare,
                what_was_said_is_found, changes_keep_the_rest, a_deletion_waits_until_it_is_due,
                a_deleted_session_leaves_only_audit, a_session_in_use_is_not_deleted, what_is_missing_is_said, every_text_survives;
            leases: one_of_many_begins_wins, epochs_rise, who_goes_away_holds_nothing, a_stale_writer_is_refused,
                a_slept_lease_may_go_on, a_lease_given_back_is_over, renewing_keeps_others_out,
                interrupted_turns_are_found;
            journal: entries_come_back_in_order, positions_follow, a_write_may_wait_behind_another,
                a_journal_is_read_from_anywhere, sixty_four_sessions_at_once, outputs_are_kept_whole;
            batches: a_batch_counts, a_batch_is_all_or_nothing, the_first_title_stays, time_does_not_go_back,
                a_batch_without_entries, a_batch_can_end_the_turn, a_batch_of_any_length;
            artifacts: versions_add_up, the_newest_grow_stale, approval_is_of_one_version, an_approval_tells_no_name,
                names_sort_as_names;
            files: files_are_kept_byte_for_byte, a_file_needs_its_session;
            keys: a_key_is_taken_once, a_key_is_gone_with_its_session, who_should_stop_is_known_to_all;
            chat_marks: a_mark_tells_which_session_gave_an_answer, a_mark_outlives_its_session,
                nobody_meets_the_marks_of_others;
            ledger: the_unknown_stays_unknown, usage_is_told_by_person, a_person_has_one_word_per_turn;
            audit: the_chain_holds, many_writers_make_one_chain, a_decision_has_its_entry,
                acts_at_once_make_one_chain;
            accounts: accounts_are_found, a_name_is_one_account, a_person_of_a_directory_has_one_account,
                tokens_lead_to_accounts, an_ended_token_stays_ended;
            scopes: what_is_anothers_does_not_exist, what_is_ones_own_is_there, what_is_done_is_told_to_its_company;
            upkeep: what_is_whole_is_found_whole, everything_can_be_saved;
            random: what_is_written_is_read;
        }
    };
    ($run:path; $($module:ident: $($case:ident),+;)+) => {
        $(mod $module {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                $run($crate::store::$module::$case).await;
            })+
        })+
    };
}

/// The admin URL of the Postgres server to test with. Without one the caller skips, and says so; where one is required,
/// that is a failure.
#[expect(clippy::disallowed_methods, clippy::print_stderr, reason = "tests are set up by the environment")]
pub fn postgres_url() -> Option<String> {
    let url = std::env::var("TATA_TEST_POSTGRES").ok();
    if url.is_none() {
        eprintln!(
            "SKIPPED: no Postgres to test with; set TATA_TEST_POSTGRES to the URL of one that may make databases"
        );
        assert!(std::env::var_os("TATA_REQUIRE_POSTGRES").is_none(), "TATA_REQUIRE_POSTGRES is set");
    }
    url
}

/// A moment, in milliseconds after some day.
pub fn at(millis: i64) -> Timestamp {
    Timestamp::from_millisecond(1_790_000_000_000 + millis).unwrap()
}

/// A new session in the store.
pub async fn session(store: &Shared) -> SessionId {
    store.create_session(NewSession::with("tata", at(0))).await.unwrap().id
}

/// The session as it is now.
pub async fn now(store: &Shared, id: SessionId) -> Session {
    store.session(id).await.unwrap().unwrap()
}

/// A person's message: it begins a turn.
pub fn said(turn: u32, text: &str) -> Entry {
    Entry::UserMessage { turn, message: Message::user(text), state: None, answers: None }
}

/// The end of a turn.
pub fn finished(turn: u32) -> Entry {
    Entry::TurnFinished { turn, end: TurnEnd::Answered, millis: 7, asks: None, checked: None }
}

/// Entries with their positions, one millisecond apart.
pub fn records(after: u64, entries: impl IntoIterator<Item = Entry>) -> Vec<Record> {
    (after + 1..)
        .zip(entries)
        .map(|(position, entry)| Record { position, at: at(i64::try_from(position).unwrap()), entry })
        .collect()
}

/// A batch of entries.
pub fn batch(after: u64, entries: impl IntoIterator<Item = Entry>) -> Batch {
    Batch { records: records(after, entries), ..Batch::default() }
}

/// A document's name.
pub fn name(kind: &str, key: &str) -> ArtifactName {
    ArtifactName { kind: ArtifactKind::new(kind), key: key.to_owned() }
}

/// A document to be stored.
pub fn document(kind: &str, key: &str, version: u32) -> NewArtifact {
    // Key order, number spelling, spacing and an escaped NUL: a database that parsed it would lose some.
    let json = RawJson::new(format!(r#"{{"z": 1.0, "a": "\u0000",  "version": {version}}}"#)).unwrap();
    NewArtifact { name: name(kind, key), version, json, created_at: at(5) }
}

/// A request of which nothing is known but that it happened.
pub fn unknown_usage(turn: u32) -> UsageRow {
    UsageRow {
        turn,
        at: at(3),
        model: "m".into(),
        served_model: None,
        outcome: "error".into(),
        usage: None,
        cost: None,
        response_id: None,
        request_id: None,
    }
}
