-- +goose Up

-- oldest: 17

-- What was asked for many is found by the search, and while it is worked on by
-- the crew change: whoever looks at these is told of it.
ALTER TABLE batch ADD COLUMN change_key TEXT COLLATE_BYTES NOT NULL DEFAULT '';
CREATE INDEX batch_of_search ON batch (account, search, created_at);
CREATE INDEX batch_of_change ON batch (account, change_key) WHERE pending > 0;
