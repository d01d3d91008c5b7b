-- Text that people or models wrote is kept as JSON text, quotes and all ("Anna \u0000"): SQLite's own functions stop at
-- a NUL and Postgres refuses one, and both databases are to hold the same. Plain text is only what we make ourselves:
-- ids, tokens, seals, and documents, which are JSON already. Times are milliseconds since 1970.

CREATE TABLE sessions (
    key               INTEGER PRIMARY KEY,
    id                TEXT    NOT NULL UNIQUE,
    agent             TEXT    NOT NULL,
    title             TEXT,
    -- The title with letter case set aside, not as JSON: LIKE knows the case of ASCII letters only.
    title_folded      TEXT,
    user_id           TEXT,
    model             TEXT,
    created_at        INTEGER NOT NULL,
    -- No index: every write of a turn would have to move it, and sorting ten thousand sessions takes milliseconds.
    updated_at        INTEGER NOT NULL,
    turn_count        INTEGER NOT NULL DEFAULT 0,
    retrieval_count   INTEGER NOT NULL DEFAULT 0,
    total_tokens_used INTEGER NOT NULL DEFAULT 0,
    open_turn         INTEGER NOT NULL DEFAULT 0,
    last_position     INTEGER NOT NULL DEFAULT 0,
    epoch             INTEGER NOT NULL DEFAULT 0,
    lease_holder      TEXT,
    lease_until       INTEGER
) STRICT;

-- Rows in order of arrival, with the key as an index beside them: one group commit of many sessions then fills few
-- pages. Clustered by session, each of them would dirty a page of its own.
CREATE TABLE journal (
    session  INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    entry    TEXT    NOT NULL,
    PRIMARY KEY (session, position)
) STRICT;

CREATE TABLE outputs (
    session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    call_id TEXT    NOT NULL,
    output  TEXT    NOT NULL,
    PRIMARY KEY (session, call_id)
) STRICT;

CREATE TABLE artifacts (
    session     INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    kind        TEXT    NOT NULL,
    key         TEXT    NOT NULL,
    version     INTEGER NOT NULL,
    json        TEXT    NOT NULL,
    stale       INTEGER NOT NULL DEFAULT 0,
    created_at  INTEGER NOT NULL,
    approved_by TEXT,
    approved_at INTEGER,
    PRIMARY KEY (session, kind, key, version)
) STRICT;

CREATE TABLE usage (
    seq     INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    at      INTEGER NOT NULL,
    request TEXT    NOT NULL
) STRICT;
CREATE INDEX usage_of_session ON usage (session);

CREATE TABLE feedback (
    session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    turn    INTEGER NOT NULL,
    -- JSON, and so `null` where nobody is known: one voice as well.
    person  TEXT    NOT NULL,
    at      INTEGER NOT NULL,
    opinion TEXT    NOT NULL,
    PRIMARY KEY (session, turn, person)
) STRICT;

-- Points to no session: what was done stays known when the session is gone.
CREATE TABLE audit (
    position INTEGER PRIMARY KEY,
    at       INTEGER NOT NULL,
    actor    TEXT    NOT NULL,
    action   TEXT    NOT NULL,
    subject  TEXT    NOT NULL,
    detail   TEXT    NOT NULL,
    previous TEXT    NOT NULL,
    seal     TEXT    NOT NULL
) STRICT;
