-- +goose Up

-- oldest: 108

-- The people to whom a view is mailed each month (their ids, with a blank between them), and when next; 0: it is not.
ALTER TABLE report_view ADD COLUMN IF NOT EXISTS mailed_to TEXT COLLATE_BYTES NOT NULL DEFAULT '';
ALTER TABLE report_view ADD COLUMN IF NOT EXISTS mail_due BIGINT NOT NULL DEFAULT 0;
CREATE INDEX report_view_mail_due ON report_view (mail_due) WHERE mail_due > 0;

-- A view that the mail server has not accepted yet. Its workbook is made when it is sent. It is no desk_mail, which
-- programs that do not know of views would take for a daily one.
CREATE TABLE report_mail (
	account     TEXT COLLATE_BYTES NOT NULL,
	id          TEXT COLLATE_BYTES NOT NULL,
	person      TEXT COLLATE_BYTES NOT NULL,
	report_view TEXT COLLATE_BYTES NOT NULL, -- its name
	told_at     BIGINT NOT NULL,
	due         BIGINT NOT NULL, -- a replica that sends the mail moves this forward
	tries       INTEGER NOT NULL DEFAULT 0,
	PRIMARY KEY (account, id)
);
