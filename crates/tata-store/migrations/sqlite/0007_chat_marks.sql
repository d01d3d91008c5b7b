-- Where the conversations of clients stand that keep the history themselves. A mark outlives its session: that the same
-- words were said to somebody else must be known for as long as anybody may come back with them.
CREATE TABLE chat_marks (
    id       INTEGER PRIMARY KEY,
    question TEXT    NOT NULL,
    session  INTEGER REFERENCES sessions (key) ON DELETE SET NULL,
    answer   TEXT,
    setting  TEXT    NOT NULL,
    position INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    UNIQUE (question, session)
) STRICT;
CREATE INDEX chat_marks_of_session ON chat_marks (session);
