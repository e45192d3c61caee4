-- +goose Up

-- oldest: 100

-- What a person is needed for, by rules of the noun: needs is gangway.Booking.Needs, issues_at when the system issues it
-- (0: never). misfit is since when a booking with tickets has been known not to fit its plan, and compare a number that
-- is not 0 while it is to be compared again. Rows that an older program wrote are compared like new ones.
ALTER TABLE booking ADD COLUMN IF NOT EXISTS needs TEXT COLLATE_BYTES NOT NULL DEFAULT '';
ALTER TABLE booking ADD COLUMN IF NOT EXISTS issues_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE booking ADD COLUMN IF NOT EXISTS misfit BIGINT NOT NULL DEFAULT 0;
ALTER TABLE booking ADD COLUMN IF NOT EXISTS compare BIGINT NOT NULL DEFAULT 1;
CREATE INDEX booking_undecided ON booking (account, needs, deadline, id, issues_at, hold_until, state, attention)
	WHERE deadline > 0;
CREATE INDEX booking_old_plan ON booking (account, misfit, id, change_key, departs) WHERE misfit > 0;
CREATE INDEX booking_to_compare ON booking (compare, account, id) WHERE compare > 0;

-- A booking that ended without a person, until somebody has seen it and longer.
CREATE TABLE booking_ending (
	account   TEXT COLLATE_BYTES NOT NULL,
	booking   TEXT COLLATE_BYTES NOT NULL,
	ending    TEXT COLLATE_BYTES NOT NULL,
	at        BIGINT NOT NULL,
	seen_at   BIGINT NOT NULL DEFAULT 0, -- 0: nobody has seen it
	seen_by   TEXT COLLATE_BYTES NOT NULL DEFAULT '',
	seen_name TEXT COLLATE_BYTES NOT NULL DEFAULT '',
	PRIMARY KEY (account, booking),
	FOREIGN KEY (account, booking) REFERENCES booking (account, id) ON DELETE CASCADE
);
CREATE INDEX booking_ending_unseen ON booking_ending (account, at, booking, ending) WHERE seen_at = 0;

-- What people write for those who come after them, the newest first.
CREATE TABLE shift_note (
	account TEXT COLLATE_BYTES NOT NULL,
	at      BIGINT NOT NULL,
	words   TEXT COLLATE_BYTES NOT NULL,
	by_whom TEXT COLLATE_BYTES NOT NULL,
	by_name TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account)
);
