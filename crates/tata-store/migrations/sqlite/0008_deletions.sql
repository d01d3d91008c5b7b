-- When a session is to be deleted that its owner deleted a moment ago, so that they can take it back until then. It is in
-- no list meanwhile, and whoever serves carries it out, also after a restart.
ALTER TABLE sessions ADD COLUMN delete_at INTEGER;
CREATE INDEX sessions_to_delete ON sessions (delete_at) WHERE delete_at IS NOT NULL;
