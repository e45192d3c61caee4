-- +goose Up

-- oldest: 40

-- SQLite knows nothing of how many rows an index finds unless it is told, and took the indexes that hold all of
-- what is asked, although they find all rows of the account, for the rows of one booking. PostgreSQL finds out.
ON_SQLITE ANALYZE sqlite_schema;
ON_SQLITE DELETE FROM sqlite_stat1 WHERE tbl IN ('action', 'delivery');
ON_SQLITE INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('action', 'sqlite_autoindex_action_1', '1000000 100000 3 1');
ON_SQLITE INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('action', 'action_told', '1000000 100000 2 1 1 1 1 1');
ON_SQLITE INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('action', 'action_changed', '1000000 100000 2 1 1');
ON_SQLITE INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('delivery', 'sqlite_autoindex_delivery_1', '1000000 100000 50000 3 1');
ON_SQLITE INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('delivery', 'delivery_state', '1000000 100000 30000 2');
ON_SQLITE INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('delivery', 'delivery_booking', '1000000 100000 6');
ON_SQLITE INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('delivery', 'delivery_made', '1000000 100000 2 2 1 1');
ON_SQLITE ANALYZE sqlite_schema;
