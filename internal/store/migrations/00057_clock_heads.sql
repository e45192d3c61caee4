-- +goose Up

-- oldest: 43

-- Where an advance of an account's clock takes ahead, in milliseconds; what is not more than that is nowhere.
ALTER TABLE account ADD COLUMN ahead_to BIGINT NOT NULL DEFAULT 0;
