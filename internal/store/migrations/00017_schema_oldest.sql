-- +goose Up

-- oldest: 17

-- From here on each migration says, in a line like the one above, the oldest
-- schema whose programs can work with it: the number of the last migration that
-- they must know. A program that starts on a schema newer than it knows reads
-- here whether it may. What only adds, so that programs which do not know it
-- lose nothing by it, says an older number; what they would break or miss, its own.
CREATE TABLE schema_oldest (
	version BIGINT NOT NULL PRIMARY KEY, -- of the migration
	oldest  BIGINT NOT NULL              -- schema whose programs can work with it
);
