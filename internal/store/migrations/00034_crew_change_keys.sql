-- +goose Up

-- oldest: 34

-- A program that does not know this would take NORDLYS and Nordlys for two ships.

-- From here on the keys of crew changes contain the vessel's folded name. A database
-- cannot fold names, and when two crew changes become one nobody may be lost: so the
-- program does it before this migration is recorded (migration_steps.go).
SELECT 1;
