-- +goose Up

-- The audit log: who did what, when and from where. An entry is written in the
-- transaction of the change that it records, and never changed. It outlives the
-- rows that it names, so it has no foreign keys to them.
CREATE TABLE audit (
	id          TEXT   COLLATE_BYTES PRIMARY KEY, -- orders entries of the same instant
	at          BIGINT NOT NULL,
	customer    TEXT   COLLATE_BYTES NOT NULL, -- empty where it is no customer's
	environment TEXT   NOT NULL, -- empty where it is of neither or of both
	by_whom     TEXT   COLLATE_BYTES NOT NULL, -- e-mail, "command", "key key_…", "system", "unknown"
	by_name     TEXT   NOT NULL,
	came_from   TEXT   NOT NULL,
	what        TEXT   COLLATE_BYTES NOT NULL,
	was         TEXT   NOT NULL, -- JSON: what changed, before
	became      TEXT   NOT NULL  -- JSON: what changed, after
);
CREATE INDEX audit_at ON audit (at, id);
CREATE INDEX audit_customer ON audit (customer, at, id);
CREATE INDEX audit_by ON audit (customer, by_whom, at, id);
CREATE INDEX audit_what ON audit (customer, what, at, id);
