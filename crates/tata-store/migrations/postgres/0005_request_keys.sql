-- Requests that are served once, whichever process they reach. What was answered about a session is gone with it.
CREATE TABLE request_keys (
    name     TEXT   COLLATE "C" PRIMARY KEY,
    digest   TEXT   NOT NULL,
    session  BIGINT REFERENCES sessions (key) ON DELETE CASCADE,
    taken_at BIGINT NOT NULL,
    answer   TEXT,
    tenant   TEXT   DEFAULT NULLIF(current_setting('tata.tenant', TRUE), '')
);
CREATE INDEX request_keys_by_age ON request_keys (taken_at);
CREATE INDEX request_keys_of_session ON request_keys (session);

ALTER TABLE request_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE request_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY of_tenant ON request_keys
    USING (NOT tata.is_walled() OR tenant = current_setting('tata.tenant', TRUE));

-- Turns that a person wants stopped, for whichever process runs them.
CREATE TABLE stops (
    session BIGINT PRIMARY KEY REFERENCES sessions (key) ON DELETE CASCADE,
    turn    BIGINT NOT NULL,
    at      BIGINT NOT NULL
);

ALTER TABLE stops ENABLE ROW LEVEL SECURITY;
ALTER TABLE stops FORCE ROW LEVEL SECURITY;
CREATE POLICY of_session ON stops
    USING (NOT tata.is_walled() OR EXISTS (SELECT FROM tata.sessions s WHERE s.key = session));
