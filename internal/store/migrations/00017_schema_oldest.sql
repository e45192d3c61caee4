-- +goose Up

-- oldest: 17

-- From here on each migration says, in a line like the one above, which programs
-- can work beside it: the number of the last migration that they must know. A
-- program that starts on a schema newer than it knows reads here whether it may. A
-- migration that only adds what older programs can do without says an older number;
-- one that they would break or miss, its own.
CREATE TABLE schema_oldest (
	version BIGINT NOT NULL PRIMARY KEY, -- of the migration
	oldest  BIGINT NOT NULL              -- schema whose programs can work with it
);
