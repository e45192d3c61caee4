-- +goose Up

-- oldest: 40

-- A program that does not know it would look for keys and logins where none are any more.

-- What customers' programs show to be let in: API keys, and logins of the report. Only hashes are kept.
CREATE TABLE credential (
	id         TEXT COLLATE_BYTES PRIMARY KEY, -- of a login, its name
	kind       TEXT COLLATE_BYTES NOT NULL CHECK (kind IN ('api_key', 'report_login')),
	account    TEXT COLLATE_BYTES NOT NULL REFERENCES account (id),
	shown      TEXT COLLATE_BYTES NOT NULL, -- of a key, its first characters
	hash       TEXT COLLATE_BYTES NOT NULL, -- of the key, or of the login's password
	created_at BIGINT NOT NULL,
	revoked_at BIGINT NOT NULL DEFAULT 0,
	used_at    BIGINT NOT NULL DEFAULT 0 -- to the minute
);
INSERT INTO credential (id, kind, account, shown, hash, created_at, revoked_at, used_at)
SELECT id, 'api_key', account, shown, hash, created_at, revoked_at, used_at
FROM api_key;
INSERT INTO credential (id, kind, account, shown, hash, created_at, revoked_at, used_at)
SELECT name, 'report_login', account, '', hash, created_at, revoked_at, used_at
FROM report_login;
DROP TABLE api_key;
DROP TABLE report_login;
CREATE INDEX credential_account ON credential (account, kind, created_at, id);
CREATE INDEX credential_hash ON credential (hash);
