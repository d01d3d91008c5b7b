-- The name with case, width and look-alike letters set aside: two accounts that look alike could be taken for each other.
-- Here the database sets case aside, as far as it can; new accounts have what the program makes of the whole name. None for
-- names that differed in case alone before there was this column: they are told apart letter by letter, as ever.
ALTER TABLE accounts ADD COLUMN name_key TEXT COLLATE "C";
UPDATE accounts SET name_key = lower(name) WHERE NOT EXISTS
    (SELECT FROM accounts other WHERE other.id <> accounts.id AND lower(other.name) = lower(accounts.name));
CREATE UNIQUE INDEX accounts_by_name_key ON accounts (name_key) WHERE name_key IS NOT NULL;

-- The person of a directory that an account belongs to, as JSON. Nobody has two accounts.
ALTER TABLE accounts ADD COLUMN person TEXT COLLATE "C";
CREATE UNIQUE INDEX accounts_by_person ON accounts (person) WHERE person IS NOT NULL;

-- In which company something was done, and by which account. Entries from before have neither.
ALTER TABLE audit ADD COLUMN tenant TEXT;
ALTER TABLE audit ADD COLUMN account TEXT;
CREATE INDEX audit_of_tenant ON audit (tenant, position);

-- A company's connections see its own entries and add no others.
ALTER TABLE audit ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit FORCE ROW LEVEL SECURITY;
CREATE POLICY of_tenant ON audit
    USING (NOT tata.is_walled() OR tenant = current_setting('tata.tenant', TRUE));

-- The chain is one for all: whoever adds an entry must know the last one's place and seal, and nothing else of it. The wall is
-- lifted inside: a SET clause would do the same, but only a superuser may write one for a setting of ours.
CREATE FUNCTION audit_head() RETURNS TABLE (last_position BIGINT, last_seal TEXT) LANGUAGE plpgsql AS $$
DECLARE
    wall TEXT := COALESCE(current_setting('tata.tenant', TRUE), '');
BEGIN
    PERFORM set_config('tata.tenant', '', TRUE);
    RETURN QUERY SELECT a.position, a.seal FROM tata.audit a ORDER BY a.position DESC LIMIT 1;
    PERFORM set_config('tata.tenant', wall, TRUE);
END
$$;

-- Answers with secrets in them were kept for a day; none is any more.
DELETE FROM request_keys WHERE name LIKE '%/api/v1/keys%' OR name LIKE '%/api/v1/accounts%' OR name LIKE '%/sign-in%'
    OR name LIKE '%/account%' OR name LIKE '%/admin%';
