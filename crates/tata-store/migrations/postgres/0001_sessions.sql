-- Text that people or models wrote is kept as JSON text, quotes and all ("Anna \u0000"): Postgres refuses a NUL in
-- TEXT. JSONB would refuse \u0000 as well, and lose the order of keys and the spelling of numbers. Plain text is only
-- what we make ourselves: ids, tokens, seals, and documents, which are JSON already. Times are milliseconds since 1970.

CREATE TABLE sessions (
    key               BIGINT  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- Byte order, as everywhere else; a locale may put digits after letters.
    id                TEXT    COLLATE "C" NOT NULL UNIQUE,
    agent             TEXT    NOT NULL,
    title             TEXT,
    title_folded      TEXT,
    user_id           TEXT,
    model             TEXT,
    created_at        BIGINT  NOT NULL,
    updated_at        BIGINT  NOT NULL,
    turn_count        BIGINT  NOT NULL DEFAULT 0,
    retrieval_count   BIGINT  NOT NULL DEFAULT 0,
    total_tokens_used BIGINT  NOT NULL DEFAULT 0,
    open_turn         BOOLEAN NOT NULL DEFAULT FALSE,
    last_position     BIGINT  NOT NULL DEFAULT 0,
    epoch             BIGINT  NOT NULL DEFAULT 0,
    lease_holder      TEXT,
    lease_until       BIGINT,
    -- The random name of the last batch written: how a write whose answer was lost finds out that it was made.
    last_batch        TEXT
) WITH (fillfactor = 70); -- Room for each turn's updates on the row's own page.

-- Whose sessions, and which turns nobody finished: both are listed often. The indexed columns hardly ever change.
CREATE INDEX sessions_of_user ON sessions (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX sessions_open ON sessions (key) WHERE open_turn;

CREATE TABLE journal (
    session  BIGINT NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    position BIGINT NOT NULL,
    at       BIGINT NOT NULL,
    entry    TEXT   NOT NULL,
    PRIMARY KEY (session, position)
);

CREATE TABLE outputs (
    session BIGINT NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    call_id TEXT   NOT NULL,
    output  TEXT   NOT NULL,
    PRIMARY KEY (session, call_id)
);

CREATE TABLE artifacts (
    session     BIGINT  NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    kind        TEXT    NOT NULL,
    key         TEXT    NOT NULL,
    version     BIGINT  NOT NULL,
    json        TEXT    NOT NULL,
    stale       BOOLEAN NOT NULL DEFAULT FALSE,
    created_at  BIGINT  NOT NULL,
    approved_by TEXT,
    approved_at BIGINT,
    PRIMARY KEY (session, kind, key, version)
);

CREATE TABLE usage (
    seq     BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    session BIGINT NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    at      BIGINT NOT NULL,
    request TEXT   NOT NULL
);
CREATE INDEX usage_of_session ON usage (session);

CREATE TABLE feedback (
    session BIGINT NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    turn    BIGINT NOT NULL,
    -- JSON, and so `null` where nobody is known: one voice as well.
    person  TEXT   NOT NULL,
    at      BIGINT NOT NULL,
    opinion TEXT   NOT NULL,
    PRIMARY KEY (session, turn, person)
);

-- Points to no session: what was done stays known when the session is gone.
CREATE TABLE audit (
    position BIGINT PRIMARY KEY,
    at       BIGINT NOT NULL,
    actor    TEXT   NOT NULL,
    action   TEXT   NOT NULL,
    subject  TEXT   NOT NULL,
    detail   TEXT   NOT NULL,
    previous TEXT   NOT NULL,
    seal     TEXT   NOT NULL
);
