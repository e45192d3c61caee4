-- +goose NO TRANSACTION
-- +goose Up

-- oldest: 17

-- Every text column is compared and ordered byte by byte, whatever the database's
-- locale: by the rules of a language, bookings cannot be found by how a surname
-- begins. Rows are not rewritten, only indexes. One table is locked at a time, for
-- as long as that takes, and an interrupted migration continues where it stopped.

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
