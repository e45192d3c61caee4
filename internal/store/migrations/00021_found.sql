-- +goose Up

-- oldest: 17

-- A traveller is found by how any word of the name begins, as sent and as printed
-- on tickets. The words are written after an upload was answered, a few hundred
-- travellers at a time, and so are those of earlier travellers: nobody waits for
-- them. They are deleted with their traveller.
CREATE TABLE traveller_word (
	account TEXT COLLATE_BYTES NOT NULL,
	word    TEXT COLLATE_BYTES NOT NULL, -- folded
	key     TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, word, key),
	FOREIGN KEY (account, key) REFERENCES traveller (account, key) ON DELETE CASCADE
);
CREATE INDEX traveller_word_key ON traveller_word (account, key, word);

-- Travellers whose words are to be written: those with the listed keys, or else all
-- after a key.
CREATE TABLE unworded (
	account   TEXT COLLATE_BYTES NOT NULL,
	id        TEXT COLLATE_BYTES NOT NULL,
	keys      TEXT COLLATE_BYTES NOT NULL, -- JSON; empty: all after after_key
	after_key TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, id)
);
INSERT INTO unworded (account, id, keys, after_key)
SELECT id, 'all', '', ''
FROM account
WHERE EXISTS (SELECT 1 FROM traveller t WHERE t.account = account.id);
