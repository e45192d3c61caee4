-- +goose Up

-- oldest: 100

-- named is what identifies a crew change when it is sent again: it follows the date, and key does not. An older program
-- leaves it empty, which means the key. moves is JSON: the moves to other dates. former holds each crew change as it was
-- before a move, in the form of outranked. gone is since when a system that is asked by date no longer has it.
ALTER TABLE crew_change ADD COLUMN IF NOT EXISTS named TEXT COLLATE_BYTES NOT NULL DEFAULT '';
ALTER TABLE crew_change ADD COLUMN IF NOT EXISTS moves TEXT COLLATE_BYTES NOT NULL DEFAULT '';
ALTER TABLE crew_change ADD COLUMN IF NOT EXISTS former TEXT COLLATE_BYTES NOT NULL DEFAULT '';
ALTER TABLE crew_change ADD COLUMN IF NOT EXISTS gone BIGINT NOT NULL DEFAULT 0;
CREATE INDEX crew_change_named ON crew_change (account, key) WHERE named <> key AND named <> '';

-- A question about two crew changes without an identifier: is the newer one the older one, moved? Once answered, they
-- are two.
CREATE TABLE crew_change_question (
	account  TEXT COLLATE_BYTES NOT NULL,
	older    TEXT COLLATE_BYTES NOT NULL,
	newer    TEXT COLLATE_BYTES NOT NULL,
	why      TEXT COLLATE_BYTES NOT NULL,
	answered INTEGER NOT NULL DEFAULT 0,
	PRIMARY KEY (account, older, newer),
	FOREIGN KEY (account, older) REFERENCES crew_change (account, key) ON DELETE CASCADE,
	FOREIGN KEY (account, newer) REFERENCES crew_change (account, key) ON DELETE CASCADE
);
CREATE INDEX crew_change_question_newer ON crew_change_question (account, newer);
CREATE INDEX crew_change_question_open ON crew_change_question (account, older, newer) WHERE answered = 0;
