-- +goose Up

-- oldest: 108

-- The mails about deadlines that a person wants: the hour and time zone of the daily one (without a zone there is none)
-- and when the next is due, and whether the person wants none about what ends while nobody is at work.
ALTER TABLE person ADD COLUMN IF NOT EXISTS mail_hour BIGINT NOT NULL DEFAULT 0;
ALTER TABLE person ADD COLUMN IF NOT EXISTS mail_zone TEXT COLLATE_BYTES NOT NULL DEFAULT '';
ALTER TABLE person ADD COLUMN IF NOT EXISTS mail_due BIGINT NOT NULL DEFAULT 0;
ALTER TABLE person ADD COLUMN IF NOT EXISTS no_ending_mails BIGINT NOT NULL DEFAULT 0;
CREATE INDEX person_mail_due ON person (mail_due, id) WHERE mail_due > 0;

-- When people were mailed that the booking ends; 0: they were not.
ALTER TABLE booking ADD COLUMN IF NOT EXISTS mailed BIGINT NOT NULL DEFAULT 0;

-- When a person last asked for a page of the account, to within a few seconds.
CREATE TABLE account_use (
	account TEXT COLLATE_BYTES NOT NULL,
	at      BIGINT NOT NULL,
	PRIMARY KEY (account)
);

-- A mail about deadlines that the mail server has not accepted yet. It is written when it is sent.
CREATE TABLE desk_mail (
	account TEXT COLLATE_BYTES NOT NULL,
	id      TEXT COLLATE_BYTES NOT NULL,
	person  TEXT COLLATE_BYTES NOT NULL,
	booking TEXT COLLATE_BYTES NOT NULL, -- which ends; empty: the daily mail
	told_at BIGINT NOT NULL,
	due     BIGINT NOT NULL, -- a replica that sends the mail moves this forward
	tries   INTEGER NOT NULL DEFAULT 0,
	PRIMARY KEY (account, id)
);

-- What a person ended is listed apart from what ended by itself, and costs the count of the latter nothing.
DROP INDEX booking_ending_unseen;
CREATE INDEX booking_ending_by_itself ON booking_ending (account, at, booking, ending) WHERE seen_at = 0 AND ending <> 'person';
CREATE INDEX booking_ending_by_person ON booking_ending (account, at, booking, ending) WHERE seen_at = 0 AND ending = 'person';
