-- +goose Up

-- oldest: 34

-- A program that does not know it would take NORDLYS and Nordlys for two ships.

-- The keys of crew changes have the folded name of the vessel from here on. How
-- a name is folded no database knows, and of two crew changes that become one
-- nobody may be lost: the program does it before this is noted (migration_steps.go).
SELECT 1;
