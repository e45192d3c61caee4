-- +goose Up

-- oldest: 17

-- A batch is found by its search and, while it is being worked on, by its crew
-- change, so that whoever looks at one of these sees it.
ALTER TABLE batch ADD COLUMN change_key TEXT COLLATE_BYTES NOT NULL DEFAULT '';
CREATE INDEX batch_of_search ON batch (account, search, created_at);
CREATE INDEX batch_of_change ON batch (account, change_key) WHERE pending > 0;
