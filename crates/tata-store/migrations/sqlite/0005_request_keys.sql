-- Requests that are served once, whichever process they reach. What was answered about a session is gone with it.
CREATE TABLE request_keys (
    name     TEXT    PRIMARY KEY,
    digest   TEXT    NOT NULL,
    session  INTEGER REFERENCES sessions (key) ON DELETE CASCADE,
    taken_at INTEGER NOT NULL,
    answer   TEXT
) STRICT;
CREATE INDEX request_keys_by_age ON request_keys (taken_at);
CREATE INDEX request_keys_of_session ON request_keys (session);

-- Turns that a person wants stopped, for whichever process runs them.
CREATE TABLE stops (
    session INTEGER PRIMARY KEY REFERENCES sessions (key) ON DELETE CASCADE,
    turn    INTEGER NOT NULL,
    at      INTEGER NOT NULL
) STRICT;
