-- The name with case, width and look-alike letters set aside: two accounts that look alike could be taken for each other.
-- Here the database sets case aside, as far as it can; new accounts have what the program makes of the whole name. None for
-- names that differed in case alone before there was this column: they are told apart letter by letter, as ever.
ALTER TABLE accounts ADD COLUMN name_key TEXT;
UPDATE accounts SET name_key = lower(name) WHERE NOT EXISTS
    (SELECT 1 FROM accounts other WHERE other.id <> accounts.id AND lower(other.name) = lower(accounts.name));
CREATE UNIQUE INDEX accounts_by_name_key ON accounts (name_key) WHERE name_key IS NOT NULL;

-- The person of a directory that an account belongs to, as JSON. Nobody has two accounts.
ALTER TABLE accounts ADD COLUMN person TEXT;
CREATE UNIQUE INDEX accounts_by_person ON accounts (person) WHERE person IS NOT NULL;

-- In which company something was done, and by which account. Entries from before have neither.
ALTER TABLE audit ADD COLUMN tenant TEXT;
ALTER TABLE audit ADD COLUMN account TEXT;
CREATE INDEX audit_of_tenant ON audit (tenant, position);

-- Answers with secrets in them were kept for a day; none is any more.
DELETE FROM request_keys WHERE name LIKE '%/api/v1/keys%' OR name LIKE '%/api/v1/accounts%' OR name LIKE '%/sign-in%'
    OR name LIKE '%/account%' OR name LIKE '%/admin%';
