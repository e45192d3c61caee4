-- +goose Up

-- The snapshot after an action is what push and pull are made of. They carry
-- the traveller's name and identifier: passport, birth date, contact and the
-- rest of what was kept there go.
UPDATE action
ON_SQLITE SET snapshot = json_remove(snapshot, '$.passenger.dob', '$.passenger.gender', '$.passenger.doc_country', '$.passenger.doc_number', '$.passenger.doc_expire', '$.passenger.home_airport', '$.passenger.email', '$.passenger.phone', '$.passenger.frequent_flyer', '$.passenger.extra');
ON_POSTGRES SET snapshot = (snapshot::jsonb #- '{passenger,dob}' #- '{passenger,gender}' #- '{passenger,doc_country}' #- '{passenger,doc_number}' #- '{passenger,doc_expire}' #- '{passenger,home_airport}' #- '{passenger,email}' #- '{passenger,phone}' #- '{passenger,frequent_flyer}' #- '{passenger,extra}')::text
ON_POSTGRES WHERE strpos(snapshot, '\u0000') = 0; -- jsonb cannot read a NUL

-- What is personal is erased when its time is over: the following say what was
-- erased, and since when records are there that have no date of their own.
ALTER TABLE booking ADD COLUMN erased_at BIGINT NOT NULL DEFAULT 0; -- 0: its passenger is known
CREATE INDEX booking_to_erase ON booking (account, departs, id) WHERE erased_at = 0;

ALTER TABLE traveller ADD COLUMN seen_at BIGINT NOT NULL DEFAULT 0; -- when the erasing of what is old first saw it; 0: not yet
ALTER TABLE travel_request ADD COLUMN seen_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE crew_change ADD COLUMN seen_at BIGINT NOT NULL DEFAULT 0;

-- What is done with, and kept for a while only, is found by its age.
CREATE INDEX search_old ON search (created_at);
CREATE INDEX intent_old ON intent (created_at) WHERE open = 0 AND doc <> '{}';
CREATE INDEX attempt_old ON attempt (at) WHERE answer <> '';
CREATE INDEX idempotency_old ON idempotency (created_at);
CREATE INDEX handoff_old ON handoff (created_at);
