ON_POSTGRES -- +goose NO TRANSACTION
-- +goose Up

-- On PostgreSQL nothing here keeps others from writing for long: snapshots are
-- rewritten in portions, each in a transaction, and indexes are built
-- concurrently. After an interruption it is run again, and finds less to do.

-- Pushes and pulls are made from the snapshot after an action. They carry the
-- traveller's name and identifier; passport, birth date, contact details and
-- whatever else was stored there are removed.
ON_SQLITE UPDATE action
ON_SQLITE SET snapshot = json_remove(snapshot, '$.passenger.dob', '$.passenger.gender', '$.passenger.doc_country', '$.passenger.doc_number', '$.passenger.doc_expire', '$.passenger.home_airport', '$.passenger.email', '$.passenger.phone', '$.passenger.frequent_flyer', '$.passenger.extra');
ON_POSTGRES -- +goose StatementBegin
ON_POSTGRES DO $$
ON_POSTGRES DECLARE
ON_POSTGRES 	part record;
ON_POSTGRES 	place record;
ON_POSTGRES BEGIN
ON_POSTGRES 	SELECT CAST('' AS TEXT) AS account, CAST('' AS TEXT) AS booking, -1 AS seq INTO place;
ON_POSTGRES 	LOOP
ON_POSTGRES 		-- The next portion by the primary key, and no more is read than that.
ON_POSTGRES 		WITH portion AS (
ON_POSTGRES 			SELECT account, booking, seq
ON_POSTGRES 			FROM action
ON_POSTGRES 			WHERE (account, booking, seq) > (place.account, place.booking, place.seq)
ON_POSTGRES 			ORDER BY account, booking, seq
ON_POSTGRES 			LIMIT 500
ON_POSTGRES 		), written AS (
ON_POSTGRES 			UPDATE action a
ON_POSTGRES 			SET snapshot = (a.snapshot::jsonb #- '{passenger,dob}' #- '{passenger,gender}' #- '{passenger,doc_country}' #- '{passenger,doc_number}' #- '{passenger,doc_expire}' #- '{passenger,home_airport}' #- '{passenger,email}' #- '{passenger,phone}' #- '{passenger,frequent_flyer}' #- '{passenger,extra}')::text
ON_POSTGRES 			FROM portion p
ON_POSTGRES 			WHERE a.account = p.account AND a.booking = p.booking AND a.seq = p.seq
ON_POSTGRES 				AND CASE
ON_POSTGRES 					WHEN strpos(a.snapshot, '\u0000') > 0 THEN false -- jsonb cannot read a NUL
ON_POSTGRES 					ELSE coalesce(a.snapshot::jsonb -> 'passenger' ?| array['dob', 'gender', 'doc_country', 'doc_number', 'doc_expire', 'home_airport', 'email', 'phone', 'frequent_flyer', 'extra'], false)
ON_POSTGRES 				END
ON_POSTGRES 		)
ON_POSTGRES 		SELECT p.account, p.booking, p.seq INTO part
ON_POSTGRES 		FROM portion p
ON_POSTGRES 		ORDER BY p.account DESC, p.booking DESC, p.seq DESC
ON_POSTGRES 		LIMIT 1;
ON_POSTGRES 		EXIT WHEN NOT FOUND;
ON_POSTGRES 		COMMIT;
ON_POSTGRES 		place := part;
ON_POSTGRES 	END LOOP;
ON_POSTGRES END
ON_POSTGRES $$;
ON_POSTGRES -- +goose StatementEnd

-- Personal data is erased when its time is over. These columns say what was erased,
-- and since when a record without a date of its own has existed.
ALTER TABLE booking ADD COLUMN IF NOT EXISTS erased_at BIGINT NOT NULL DEFAULT 0; -- 0: its passenger is known
DROP INDEX CONCURRENTLY IF EXISTS booking_to_erase;
CREATE INDEX CONCURRENTLY booking_to_erase ON booking (account, departs, id) WHERE erased_at = 0;

ALTER TABLE traveller ADD COLUMN IF NOT EXISTS seen_at BIGINT NOT NULL DEFAULT 0; -- when the erasing of what is old first saw it; 0: not yet
ALTER TABLE travel_request ADD COLUMN IF NOT EXISTS seen_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE crew_change ADD COLUMN IF NOT EXISTS seen_at BIGINT NOT NULL DEFAULT 0;

-- What has served its purpose, and is kept only for a while, is found by its age.
DROP INDEX CONCURRENTLY IF EXISTS search_old;
CREATE INDEX CONCURRENTLY search_old ON search (created_at);
DROP INDEX CONCURRENTLY IF EXISTS intent_old;
CREATE INDEX CONCURRENTLY intent_old ON intent (created_at) WHERE open = 0 AND doc <> '{}';
DROP INDEX CONCURRENTLY IF EXISTS attempt_old;
CREATE INDEX CONCURRENTLY attempt_old ON attempt (at) WHERE answer <> '';
DROP INDEX CONCURRENTLY IF EXISTS idempotency_old;
CREATE INDEX CONCURRENTLY idempotency_old ON idempotency (created_at);
DROP INDEX CONCURRENTLY IF EXISTS handoff_old;
CREATE INDEX CONCURRENTLY handoff_old ON handoff (created_at);
