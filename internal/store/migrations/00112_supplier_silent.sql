-- +goose Up

-- oldest: 108

-- Since when the account's supplier has not answered any search; 0: it answers, or nobody has searched.
ALTER TABLE account ADD COLUMN IF NOT EXISTS silent_since BIGINT NOT NULL DEFAULT 0;
