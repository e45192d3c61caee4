-- +goose NO TRANSACTION
-- +goose Up

-- oldest: 17

-- Every column of text is compared and ordered by its bytes, whatever the
-- locale of the database: by the rules of a language, bookings are not found
-- by the start of a surname. No row is written anew, only the indexes are. One
-- table is locked at a time, no longer than that takes, and what was
-- interrupted goes on where it stopped.

ON_POSTGRES -- +goose StatementBegin
ON_POSTGRES DO $$
ON_POSTGRES DECLARE
ON_POSTGRES 	t record;
ON_POSTGRES BEGIN
ON_POSTGRES 	FOR t IN
ON_POSTGRES 		SELECT c.table_name AS name, string_agg(format('ALTER COLUMN %I TYPE TEXT COLLATE "C"', c.column_name), ', ') AS columns
ON_POSTGRES 		FROM information_schema.columns c
ON_POSTGRES 		JOIN information_schema.tables b ON b.table_schema = c.table_schema AND b.table_name = c.table_name AND b.table_type = 'BASE TABLE'
ON_POSTGRES 		WHERE c.table_schema = current_schema() AND c.data_type = 'text' AND c.collation_name IS DISTINCT FROM 'C'
ON_POSTGRES 		GROUP BY c.table_name
ON_POSTGRES 		ORDER BY c.table_name
ON_POSTGRES 	LOOP
ON_POSTGRES 		EXECUTE format('ALTER TABLE %I %s', t.name, t.columns);
ON_POSTGRES 		COMMIT;
ON_POSTGRES 	END LOOP;
ON_POSTGRES END
ON_POSTGRES $$;
ON_POSTGRES -- +goose StatementEnd
