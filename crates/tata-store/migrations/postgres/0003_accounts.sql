-- Which company a session belongs to. None where there is one person at one machine.
ALTER TABLE sessions ADD COLUMN tenant_id TEXT;
CREATE INDEX sessions_of_tenant ON sessions (tenant_id, user_id) WHERE tenant_id IS NOT NULL;

-- Who may sign in. What is looked for has a column of its own; the whole is kept as JSON.
CREATE TABLE accounts (
    id      TEXT COLLATE "C" PRIMARY KEY,
    name    TEXT COLLATE "C" NOT NULL UNIQUE,
    tenant  TEXT NOT NULL,
    account TEXT NOT NULL
);

-- By what they are known then: the hash of a secret, never the secret.
CREATE TABLE tokens (
    hash    TEXT   COLLATE "C" PRIMARY KEY,
    account TEXT   COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    at      BIGINT NOT NULL,
    token   TEXT   NOT NULL
);
CREATE INDEX tokens_of_account ON tokens (account);

-- The second wall between companies. A connection that names one sees its rows and no others, whatever a statement asks
-- for; one that names none, such as that of whoever finishes interrupted turns, sees all. The first wall is the program's.
-- FORCE: the owner of the tables is who connects. (A superuser passes every such wall; do not connect as one.)
CREATE FUNCTION is_walled() RETURNS BOOLEAN LANGUAGE sql STABLE AS $$
    SELECT COALESCE(current_setting('tata.tenant', TRUE), '') <> ''
$$;

ALTER TABLE sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE sessions FORCE ROW LEVEL SECURITY;
CREATE POLICY of_tenant ON sessions
    USING (NOT tata.is_walled() OR tenant_id = current_setting('tata.tenant', TRUE));

ALTER TABLE accounts ENABLE ROW LEVEL SECURITY;
ALTER TABLE accounts FORCE ROW LEVEL SECURITY;
CREATE POLICY of_tenant ON accounts
    USING (NOT tata.is_walled() OR tenant = current_setting('tata.tenant', TRUE));

-- What belongs to a session is seen by whoever sees the session.
ALTER TABLE journal ENABLE ROW LEVEL SECURITY;
ALTER TABLE journal FORCE ROW LEVEL SECURITY;
CREATE POLICY of_session ON journal
    USING (NOT tata.is_walled() OR EXISTS (SELECT FROM tata.sessions s WHERE s.key = session));
ALTER TABLE artifacts ENABLE ROW LEVEL SECURITY;
ALTER TABLE artifacts FORCE ROW LEVEL SECURITY;
CREATE POLICY of_session ON artifacts
    USING (NOT tata.is_walled() OR EXISTS (SELECT FROM tata.sessions s WHERE s.key = session));
ALTER TABLE outputs ENABLE ROW LEVEL SECURITY;
ALTER TABLE outputs FORCE ROW LEVEL SECURITY;
CREATE POLICY of_session ON outputs
    USING (NOT tata.is_walled() OR EXISTS (SELECT FROM tata.sessions s WHERE s.key = session));
ALTER TABLE usage ENABLE ROW LEVEL SECURITY;
ALTER TABLE usage FORCE ROW LEVEL SECURITY;
CREATE POLICY of_session ON usage
    USING (NOT tata.is_walled() OR EXISTS (SELECT FROM tata.sessions s WHERE s.key = session));
ALTER TABLE feedback ENABLE ROW LEVEL SECURITY;
ALTER TABLE feedback FORCE ROW LEVEL SECURITY;
CREATE POLICY of_session ON feedback
    USING (NOT tata.is_walled() OR EXISTS (SELECT FROM tata.sessions s WHERE s.key = session));
ALTER TABLE tokens ENABLE ROW LEVEL SECURITY;
ALTER TABLE tokens FORCE ROW LEVEL SECURITY;
CREATE POLICY of_account ON tokens
    USING (NOT tata.is_walled() OR EXISTS (SELECT FROM tata.accounts a WHERE a.id = account));
