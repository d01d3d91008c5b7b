-- Files that people brought, byte for byte. The digest of its bytes is a file's name in its session.
CREATE TABLE files (
    session BIGINT NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    digest  TEXT   COLLATE "C" NOT NULL,
    at      BIGINT NOT NULL,
    about   TEXT   NOT NULL,
    bytes   BYTEA  NOT NULL,
    PRIMARY KEY (session, digest)
);

-- What belongs to a session is seen by whoever sees the session.
ALTER TABLE files ENABLE ROW LEVEL SECURITY;
ALTER TABLE files FORCE ROW LEVEL SECURITY;
CREATE POLICY of_session ON files
    USING (NOT tata.is_walled() OR EXISTS (SELECT FROM tata.sessions s WHERE s.key = session));
