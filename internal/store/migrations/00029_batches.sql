-- +goose Up

-- oldest: 29

-- A program that does not know this would not erase travellers from it.

-- What somebody has asked to be done for many at once. It survives its process, and
-- every replica sees how far it is. kind is what is done to each item.
CREATE TABLE batch (
	account    TEXT COLLATE_BYTES NOT NULL,
	id         TEXT COLLATE_BYTES NOT NULL,
	kind       TEXT COLLATE_BYTES NOT NULL,
	search     TEXT COLLATE_BYTES NOT NULL,
	by_id      TEXT COLLATE_BYTES NOT NULL,
	by_whom    TEXT COLLATE_BYTES NOT NULL,
	by_name    TEXT COLLATE_BYTES NOT NULL,
	created_at BIGINT  NOT NULL,
	pending    INTEGER NOT NULL, -- items without an outcome
	lease      BIGINT  NOT NULL, -- until when a process works on it
	holder     TEXT COLLATE_BYTES NOT NULL, -- that process
	PRIMARY KEY (account, id)
);
CREATE INDEX batch_due ON batch (lease) WHERE pending > 0;
CREATE INDEX batch_old ON batch (created_at);

-- An item is one booking that is made or acted on. The intent with the booking's
-- identifier says whether a supplier was asked.
CREATE TABLE batch_item (
	account TEXT COLLATE_BYTES NOT NULL,
	batch   TEXT COLLATE_BYTES NOT NULL,
	booking TEXT COLLATE_BYTES NOT NULL,
	place   INTEGER NOT NULL,
	member  INTEGER NOT NULL,
	doc     TEXT COLLATE_BYTES NOT NULL,
	state   TEXT COLLATE_BYTES NOT NULL CHECK (state IN ('open', 'done', 'unanswered', 'refused', 'busy')),
	outcome TEXT COLLATE_BYTES NOT NULL, -- in words, where it was not done
	traced  BIGINT NOT NULL DEFAULT 0,
	PRIMARY KEY (account, batch, booking),
	FOREIGN KEY (account, batch) REFERENCES batch (account, id) ON DELETE CASCADE
);
CREATE INDEX batch_item_booking ON batch_item (account, booking);
CREATE INDEX batch_item_untraced ON batch_item (account, batch, booking) WHERE traced = 0;
CREATE TABLE batch_item_trace (
	account TEXT COLLATE_BYTES NOT NULL,
	mark    BIGINT NOT NULL,
	batch   TEXT COLLATE_BYTES NOT NULL,
	booking TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, mark, batch, booking),
	FOREIGN KEY (account, batch, booking) REFERENCES batch_item (account, batch, booking) ON DELETE CASCADE
) WITHOUT_ROWID;
CREATE INDEX batch_item_trace_of ON batch_item_trace (account, batch, booking);
