-- +goose Up

-- oldest: 17

-- Since when the account's customer is being removed; 0: it is not. It stands in
-- the row that each transaction holds which writes for the account, so that none
-- that begins afterwards passes it by. Both accounts of a customer say the same.
ALTER TABLE account ADD COLUMN removing BIGINT NOT NULL DEFAULT 0;

-- There is none nearly always, and each request asks.
CREATE INDEX account_removing ON account (customer, id) WHERE removing > 0;
