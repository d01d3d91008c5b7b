-- Which company a session belongs to. None where there is one person at one machine.
ALTER TABLE sessions ADD COLUMN tenant_id TEXT;

-- Who may sign in. What is looked for has a column of its own; the whole is kept as JSON.
CREATE TABLE accounts (
    id      TEXT NOT NULL PRIMARY KEY,
    name    TEXT NOT NULL UNIQUE,
    tenant  TEXT NOT NULL,
    account TEXT NOT NULL
) STRICT;

-- By what they are known then: the hash of a secret, never the secret.
CREATE TABLE tokens (
    hash    TEXT    NOT NULL PRIMARY KEY,
    account TEXT    NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    at      INTEGER NOT NULL,
    token   TEXT    NOT NULL
) STRICT;
CREATE INDEX tokens_of_account ON tokens (account);
