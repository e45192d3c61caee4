-- +goose Up

-- oldest: 17

-- A traveller is found by the start of the surname, of the given names, and of
-- a few further words: those of the ticket's spelling and the others of the
-- name. Most have none or one of them, so their indexes are small. The words
-- are worked out by the program: rows from before get theirs little by little,
-- while it serves, and are found by them from then on.
ALTER TABLE traveller ADD COLUMN word1 TEXT COLLATE_BYTES NOT NULL DEFAULT '';
ALTER TABLE traveller ADD COLUMN word2 TEXT COLLATE_BYTES NOT NULL DEFAULT '';
ALTER TABLE traveller ADD COLUMN word3 TEXT COLLATE_BYTES NOT NULL DEFAULT '';
ALTER TABLE traveller ADD COLUMN word4 TEXT COLLATE_BYTES NOT NULL DEFAULT '';
ALTER TABLE traveller ADD COLUMN worded TEXT COLLATE_BYTES NOT NULL DEFAULT ''; -- empty until the words are there
CREATE INDEX traveller_given ON traveller (account, given, surname);
CREATE INDEX traveller_word1 ON traveller (account, word1) WHERE word1 <> '';
CREATE INDEX traveller_word2 ON traveller (account, word2) WHERE word2 <> '';
CREATE INDEX traveller_word3 ON traveller (account, word3) WHERE word3 <> '';
CREATE INDEX traveller_word4 ON traveller (account, word4) WHERE word4 <> '';
CREATE INDEX traveller_unworded ON traveller (account, key) WHERE worded = '';
