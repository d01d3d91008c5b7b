-- Files that people brought, byte for byte. The digest of its bytes is a file's name in its session.
CREATE TABLE files (
    session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    digest  TEXT    NOT NULL,
    at      INTEGER NOT NULL,
    about   TEXT    NOT NULL,
    bytes   BLOB    NOT NULL,
    PRIMARY KEY (session, digest)
) STRICT;
