-- +goose Up

-- oldest: 43

-- Whether an account's admins know that deliveries are parked at an outlet, and when they were told that last.
ALTER TABLE outlet_notice ADD COLUMN parked INTEGER NOT NULL DEFAULT 0;
ALTER TABLE outlet_notice ADD COLUMN parked_told_at BIGINT NOT NULL DEFAULT 0;

-- What was parked before is told to nobody: a program that does not know the news would mail that the outlet has
-- recovered.
INSERT INTO outlet_notice (account, outlet, news, since, told_at, well_since, parked)
SELECT o.account, o.id, '', 0, 0, 0, 1
FROM outlet o
WHERE EXISTS (SELECT 1 FROM delivery d WHERE d.account = o.account AND d.outlet = o.id AND d.state = 'parked')
ON CONFLICT (account, outlet) DO UPDATE SET parked = 1;
