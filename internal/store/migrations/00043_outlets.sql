-- +goose Up

-- oldest: 43

-- A program that does not know them would push to none of them, and all actions to each.

-- An outlet is of a kind of transport with settings of its own, and an account may have several. Those
-- there are stay what they were: addresses that get every action as it is.
-- Of the settings it has what may be shown, with null for what is sealed; the states that it gets have commas
-- between them, and none are all; the batch is in milliseconds.
ALTER TABLE outlet ADD COLUMN name TEXT COLLATE_BYTES NOT NULL DEFAULT 'default';
ALTER TABLE outlet ADD COLUMN kind TEXT COLLATE_BYTES NOT NULL DEFAULT 'endpoint';
ALTER TABLE outlet ADD COLUMN settings TEXT COLLATE_BYTES NOT NULL DEFAULT '{}';
ALTER TABLE outlet ADD COLUMN states TEXT COLLATE_BYTES NOT NULL DEFAULT '';
ALTER TABLE outlet ADD COLUMN mapping TEXT COLLATE_BYTES NOT NULL DEFAULT '';
ALTER TABLE outlet ADD COLUMN format TEXT COLLATE_BYTES NOT NULL DEFAULT 'json';
ALTER TABLE outlet ADD COLUMN batch BIGINT NOT NULL DEFAULT 0;
ALTER TABLE outlet ADD COLUMN paused INTEGER NOT NULL DEFAULT 0;

UPDATE outlet
SET name = id
WHERE EXISTS (SELECT 1 FROM outlet o WHERE o.account = outlet.account AND o.id < outlet.id);
CREATE UNIQUE INDEX outlet_name ON outlet (account, name);

-- The column credentials has what is sealed of the settings from now on. What is there stays sealed, and is
-- read as what it was: the credentials alone.
UPDATE outlet
ON_SQLITE SET settings = CASE credentials_kind WHEN 'none' THEN json_object('url', url) ELSE json_object('url', url, 'auth', json(
ON_POSTGRES SET settings = CASE credentials_kind WHEN 'none' THEN json_build_object('url', url)::text ELSE json_build_object('url', url, 'auth', CAST(
	CASE credentials_kind
		WHEN 'basic' THEN '{"kind":"basic","password":null}'
		WHEN 'bearer' THEN '{"kind":"bearer","token":null}'
		WHEN 'header' THEN '{"kind":"header","value":null}'
		ELSE '{"kind":"certificate","key":null}'
	END
ON_SQLITE )) END;
ON_POSTGRES AS JSON))::text END;
ALTER TABLE outlet DROP COLUMN credentials_kind;
ALTER TABLE outlet DROP COLUMN url;

-- What was made of the record for this delivery, so that every try has the same bytes; empty: it is the
-- record as the interface has it.
ALTER TABLE delivery ADD COLUMN body TEXT COLLATE_BYTES NOT NULL DEFAULT '';
