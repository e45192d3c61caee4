-- +goose Up

-- oldest: 17

-- Since when the account's customer is being removed; 0: it is not. It is in the
-- row that each transaction locks which writes for the account, so that none that
-- begins afterwards misses it. It is the same in both accounts of a customer.
ALTER TABLE account ADD COLUMN removing BIGINT NOT NULL DEFAULT 0;

-- Nearly always there is none, and each request asks.
CREATE INDEX account_removing ON account (customer, id) WHERE removing > 0;
