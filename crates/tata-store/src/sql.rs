//! The statements that read alike in both databases, and the order of columns that [`crate::rows`] expects.
//!
//! Both take `$1`, though SQLite numbers values by where they first stand: so they stand in order. They are written once so that the stores cannot drift apart; what differs stands beside its store.

/// The columns of [`crate::rows::session`].
macro_rules! session_columns {
    () => {
        "id, agent, title, user_id, model, created_at, updated_at, turn_count, retrieval_count, \
         total_tokens_used, open_turn, last_position, tenant_id, delete_at"
    };
}
pub(crate) use session_columns;

/// The columns of [`crate::rows::artifact`].
macro_rules! artifact_columns {
    () => {
        "a.kind, a.key, a.version, a.json, a.stale, a.created_at, a.approved_by, a.approved_at"
    };
}

/// The columns of [`crate::rows::audit`].
macro_rules! audit_columns {
    () => {
        "position, at, actor, action, subject, detail, previous, seal, tenant, account"
    };
}

pub(crate) const CREATE: &str = "INSERT INTO sessions \
    (id, agent, title, user_id, model, created_at, updated_at, tenant_id) \
    VALUES ($1, $2, $3, $4, $5, $6, $6, $7) ON CONFLICT (id) DO NOTHING";

pub(crate) const SESSION: &str = concat!("SELECT ", session_columns!(), " FROM sessions WHERE id = $1");

pub(crate) const CHANGE: &str = concat!(
    "UPDATE sessions SET title = COALESCE($1, title), \
     model = CASE WHEN $2 THEN $3 ELSE model END, \
     delete_at = CASE WHEN $4 THEN $5 ELSE delete_at END WHERE id = $6 RETURNING ",
    session_columns!()
);

pub(crate) const DUE_DELETIONS: &str =
    concat!("SELECT ", session_columns!(), " FROM sessions WHERE delete_at <= $1 ORDER BY delete_at, id");

pub(crate) const RECORDS: &str = "SELECT j.position, j.at, j.entry \
    FROM journal j JOIN sessions s ON s.key = j.session \
    WHERE s.id = $1 AND j.position > $2 ORDER BY j.position";

pub(crate) const OUTPUT: &str = "SELECT o.output FROM outputs o JOIN sessions s ON s.key = o.session \
    WHERE s.id = $1 AND o.call_id = $2";

pub(crate) const ARTIFACTS: &str = concat!(
    "SELECT ",
    artifact_columns!(),
    " FROM artifacts a JOIN sessions s ON s.key = a.session WHERE s.id = $1"
);

pub(crate) const NEWEST_ARTIFACTS: &str = concat!(
    "SELECT ",
    artifact_columns!(),
    " FROM artifacts a JOIN sessions s ON s.key = a.session WHERE s.id = $1 AND a.version = (SELECT MAX(b.version) \
     FROM artifacts b WHERE b.session = a.session AND b.kind = a.kind AND b.key = a.key)"
);

/// The newest version when `$4` is null.
pub(crate) const ARTIFACT: &str = concat!(
    "SELECT ",
    artifact_columns!(),
    " FROM artifacts a JOIN sessions s ON s.key = a.session WHERE s.id = $1 AND a.kind = $2 AND a.key = $3 \
     AND a.version = COALESCE($4, a.version) ORDER BY a.version DESC LIMIT 1"
);

pub(crate) const APPROVE: &str = "UPDATE artifacts SET approved_by = $1, approved_at = $2 \
    WHERE session = (SELECT key FROM sessions WHERE id = $3) AND kind = $4 AND key = $5 AND version = $6 \
    RETURNING json";

pub(crate) const USAGE: &str = "SELECT u.request FROM usage u JOIN sessions s ON s.key = u.session \
    WHERE s.id = $1 ORDER BY u.seq";

pub(crate) const USAGE_SINCE: &str = "SELECT u.request, s.user_id FROM usage u JOIN sessions s ON s.key = u.session \
    WHERE ($1 IS NULL OR s.tenant_id = $1) AND u.at >= $2";

pub(crate) const GIVE_FEEDBACK: &str = "INSERT INTO feedback (session, turn, person, at, opinion) \
    SELECT key, $1, $2, $3, $4 FROM sessions WHERE id = $5 \
    ON CONFLICT (session, turn, person) DO UPDATE SET at = excluded.at, opinion = excluded.opinion";

pub(crate) const FEEDBACK: &str = "SELECT f.opinion FROM feedback f JOIN sessions s ON s.key = f.session \
    WHERE s.id = $1";

pub(crate) const KEEP_FILE: &str = "INSERT INTO files (session, digest, at, about, bytes) \
    SELECT key, $1, $2, $3, $4 FROM sessions WHERE id = $5 ON CONFLICT (session, digest) DO NOTHING";

pub(crate) const FILES: &str = "SELECT f.about FROM files f JOIN sessions s ON s.key = f.session \
    WHERE s.id = $1 ORDER BY f.at, f.digest";

pub(crate) const FILE_BYTES: &str = "SELECT f.bytes FROM files f JOIN sessions s ON s.key = f.session \
    WHERE s.id = $1 AND f.digest = $2";

pub(crate) const FORGET_KEYS: &str = "DELETE FROM request_keys WHERE taken_at < $1";

/// Nothing is written if the name is taken, unless whoever took it is gone.
pub(crate) const TAKE_KEY: &str = "INSERT INTO request_keys (name, digest, session, taken_at) \
    VALUES ($1, $2, (SELECT key FROM sessions WHERE id = $3), $4) ON CONFLICT (name) DO UPDATE \
    SET digest = excluded.digest, session = excluded.session, taken_at = excluded.taken_at \
    WHERE request_keys.answer IS NULL AND request_keys.taken_at < $5";

pub(crate) const KEY: &str = "SELECT k.digest, s.id, k.taken_at, k.answer FROM request_keys k \
    LEFT JOIN sessions s ON s.key = k.session WHERE k.name = $1";

pub(crate) const SETTLE_KEY: &str = "UPDATE request_keys SET answer = $1 WHERE name = $2";

pub(crate) const FREE_KEY: &str = "DELETE FROM request_keys WHERE name = $1 AND answer IS NULL";

/// Nothing is written if there is no such session.
pub(crate) const KEEP_CHAT_MARK: &str = "INSERT INTO chat_marks (question, session, answer, setting, position, at) \
    SELECT $1, key, $2, $3, $4, $5 FROM sessions WHERE id = $6 ON CONFLICT (question, session) DO UPDATE \
    SET answer = excluded.answer, setting = excluded.setting, position = excluded.position, at = excluded.at";

pub(crate) const CHAT_MARKS: &str = "SELECT s.id, m.answer, m.setting, m.position, m.at FROM chat_marks m \
    LEFT JOIN sessions s ON s.key = m.session WHERE m.question = $1 AND (m.answer = $2 OR m.answer IS NULL) \
    ORDER BY (m.answer IS NULL), m.id DESC LIMIT $3";

pub(crate) const ASK_TO_STOP: &str = "INSERT INTO stops (session, turn, at) SELECT key, $1, $2 FROM sessions WHERE id = $3 \
    ON CONFLICT (session) DO UPDATE SET turn = excluded.turn, at = excluded.at";

pub(crate) const ASKED_TO_STOP: &str = "SELECT s.id, t.turn FROM stops t JOIN sessions s ON s.key = t.session \
    WHERE t.at >= $1 ORDER BY s.id";

pub(crate) const HAS_STOPPED: &str =
    "DELETE FROM stops WHERE session = (SELECT key FROM sessions WHERE id = $1)";

pub(crate) const AUDIT_TRAIL: &str = concat!("SELECT ", audit_columns!(), " FROM audit ORDER BY position");

/// The newest entries of a company. Those from before there was that column are found by what they are about.
pub(crate) const AUDIT_OF: &str = concat!(
    "SELECT ",
    audit_columns!(),
    " FROM audit WHERE tenant = $1 OR (tenant IS NULL AND (subject IN (SELECT id FROM accounts WHERE tenant = $1) \
     OR subject IN (SELECT '\"' || id || '\"' FROM sessions WHERE tenant_id = $1))) ORDER BY position DESC LIMIT $2"
);

/// The company of a session.
pub(crate) const TENANT_OF: &str = "SELECT tenant_id FROM sessions WHERE id = $1";

/// Every session with its key, for a check of all.
pub(crate) const ALL_SESSIONS: &str =
    concat!("SELECT ", session_columns!(), ", key FROM sessions ORDER BY key");

/// One session with its key, whatever its row looks like.
pub(crate) const RAW_SESSION: &str =
    concat!("SELECT ", session_columns!(), ", key FROM sessions WHERE id = $1");

pub(crate) const AUDIT: &str =
    concat!("INSERT INTO audit (", audit_columns!(), ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)");

/// Tells nothing when the name is another's.
pub(crate) const SAVE_ACCOUNT: &str = "INSERT INTO accounts (id, name, tenant, account, name_key, person) \
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO UPDATE SET name = excluded.name, tenant = excluded.tenant, \
    account = excluded.account, person = excluded.person, \
    name_key = CASE WHEN accounts.name = excluded.name THEN accounts.name_key ELSE excluded.name_key END";

pub(crate) const ACCOUNT: &str = "SELECT account FROM accounts WHERE id = $1";

pub(crate) const ACCOUNT_NAMED: &str = "SELECT account FROM accounts WHERE name = $1 OR name_key = $2 \
    ORDER BY CASE WHEN name = $1 THEN 0 ELSE 1 END LIMIT 1";

pub(crate) const ACCOUNT_OF_PERSON: &str = "SELECT account FROM accounts WHERE person = $1";

pub(crate) const ACCOUNTS: &str =
    "SELECT account FROM accounts WHERE ($1 IS NULL OR tenant = $1) ORDER BY name";

pub(crate) const SAVE_TOKEN: &str = "INSERT INTO tokens (hash, account, at, token) VALUES ($1, $2, $3, $4) \
    ON CONFLICT (hash) DO UPDATE SET token = excluded.token";

/// One that was ended meanwhile stays ended.
pub(crate) const RENEW_TOKEN: &str = "UPDATE tokens SET token = $1 WHERE hash = $2";

pub(crate) const TOKEN: &str =
    "SELECT t.token, a.account FROM tokens t JOIN accounts a ON a.id = t.account WHERE t.hash = $1";

pub(crate) const TOKENS: &str = "SELECT token FROM tokens WHERE account = $1 ORDER BY at, hash";

pub(crate) const DELETE_TOKEN: &str = "DELETE FROM tokens WHERE hash = $1";
