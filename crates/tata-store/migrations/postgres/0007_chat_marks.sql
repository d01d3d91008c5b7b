-- Where the conversations of clients stand that keep the history themselves. A mark outlives its session: that the same
-- words were said to somebody else must be known for as long as anybody may come back with them.
CREATE TABLE chat_marks (
    id       BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    question TEXT   COLLATE "C" NOT NULL,
    session  BIGINT REFERENCES sessions (key) ON DELETE SET NULL,
    answer   TEXT,
    setting  TEXT   NOT NULL,
    position BIGINT NOT NULL,
    at       BIGINT NOT NULL,
    tenant   TEXT   DEFAULT NULLIF(current_setting('tata.tenant', TRUE), ''),
    UNIQUE (question, session)
);
CREATE INDEX chat_marks_of_session ON chat_marks (session);

ALTER TABLE chat_marks ENABLE ROW LEVEL SECURITY;
ALTER TABLE chat_marks FORCE ROW LEVEL SECURITY;
CREATE POLICY of_tenant ON chat_marks
    USING (NOT tata.is_walled() OR tenant = current_setting('tata.tenant', TRUE));
