-- +goose Up

-- An intent names who is being booked, so that one traveller is not held twice by
-- people who press at the same moment.
ALTER TABLE intent ADD COLUMN passenger TEXT COLLATE_BYTES NOT NULL DEFAULT ''; -- folded "last first", of intents to book
