-- +goose Up

-- Identifiers and JSON are text, times are epoch milliseconds, yes and no are 1
-- and 0: one schema for SQLite and PostgreSQL. Every key and index of customers'
-- data begins with the account. COLLATE_BYTES becomes the database's byte-wise
-- collation (see migration_text.go).

CREATE TABLE customer (
	id         TEXT   PRIMARY KEY,
	name       TEXT   NOT NULL,
	created_at BIGINT NOT NULL
);

CREATE TABLE account (
	id          TEXT PRIMARY KEY,
	customer    TEXT NOT NULL REFERENCES customer (id),
	environment TEXT NOT NULL CHECK (environment IN ('production', 'development')),
	settings    TEXT NOT NULL,
	UNIQUE (customer, environment)
);

CREATE TABLE api_key (
	id         TEXT   PRIMARY KEY,
	account    TEXT   NOT NULL REFERENCES account (id),
	shown      TEXT   NOT NULL,
	hash       TEXT   NOT NULL UNIQUE,
	created_at BIGINT NOT NULL,
	revoked_at BIGINT NOT NULL DEFAULT 0,
	used_at    BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX api_key_account ON api_key (account, created_at);

CREATE TABLE report_login (
	name       TEXT   PRIMARY KEY,
	account    TEXT   NOT NULL REFERENCES account (id),
	hash       TEXT   NOT NULL,
	created_at BIGINT NOT NULL
);

CREATE TABLE person (
	id         TEXT   PRIMARY KEY,
	customer   TEXT   NOT NULL REFERENCES customer (id),
	email      TEXT   NOT NULL UNIQUE,
	name       TEXT   NOT NULL,
	role       TEXT   NOT NULL CHECK (role IN ('booker', 'approver', 'admin')),
	password   TEXT   NOT NULL,
	created_at BIGINT NOT NULL
);
CREATE INDEX person_customer ON person (customer, email);

CREATE TABLE session (
	token   TEXT   PRIMARY KEY,
	data    TEXT   NOT NULL,
	expires BIGINT NOT NULL
);
CREATE INDEX session_expires ON session (expires);

CREATE TABLE idempotency (
	account    TEXT   NOT NULL,
	route      TEXT   NOT NULL,
	key        TEXT   NOT NULL,
	body_hash  TEXT   NOT NULL,
	answer     TEXT   NOT NULL,
	created_at BIGINT NOT NULL,
	PRIMARY KEY (account, route, key)
);
CREATE INDEX idempotency_created ON idempotency (account, created_at);

CREATE TABLE traveller (
	account TEXT COLLATE_BYTES NOT NULL,
	key     TEXT COLLATE_BYTES NOT NULL,
	surname TEXT COLLATE_BYTES NOT NULL,
	given   TEXT COLLATE_BYTES NOT NULL,
	doc     TEXT COLLATE_BYTES NOT NULL,
	version INTEGER NOT NULL,
	PRIMARY KEY (account, key)
);
CREATE INDEX traveller_name ON traveller (account, surname, given);

CREATE TABLE travel_request (
	account        TEXT   NOT NULL,
	request_id     TEXT   NOT NULL,
	sub_request_id TEXT   NOT NULL,
	starts         TEXT   NOT NULL, -- date of the flight, or of the hotel where there is no flight
	hotel_from     TEXT   NOT NULL, -- check-in date; empty without hotel
	vessel         TEXT   NOT NULL, -- folded
	doc            TEXT   NOT NULL,
	version        INTEGER NOT NULL,
	handled_at     BIGINT NOT NULL DEFAULT 0,
	handled_by     TEXT   NOT NULL DEFAULT '',
	handled_note   TEXT   NOT NULL DEFAULT '',
	PRIMARY KEY (account, request_id, sub_request_id)
);
CREATE INDEX travel_request_starts ON travel_request (account, starts);
CREATE INDEX travel_request_hotel ON travel_request (account, hotel_from);

CREATE TABLE crew_change (
	account     TEXT NOT NULL,
	key         TEXT NOT NULL,
	vessel      TEXT COLLATE_BYTES NOT NULL, -- folded
	change_date TEXT NOT NULL,
	doc         TEXT NOT NULL,
	version     INTEGER NOT NULL,
	PRIMARY KEY (account, key)
);
CREATE INDEX crew_change_date ON crew_change (account, change_date);
CREATE INDEX crew_change_vessel ON crew_change (account, vessel, change_date);

CREATE TABLE search (
	account    TEXT   NOT NULL,
	id         TEXT   NOT NULL,
	by_whom    TEXT   NOT NULL,
	created_at BIGINT NOT NULL,
	doc        TEXT   NOT NULL,
	PRIMARY KEY (account, id)
);
CREATE INDEX search_by ON search (account, by_whom, created_at);

-- A hand-off belongs to no account until a signed-in user claims it.
CREATE TABLE handoff (
	token_hash TEXT   PRIMARY KEY,
	doc        TEXT   NOT NULL,
	created_at BIGINT NOT NULL
);

CREATE TABLE booking (
	account    TEXT    NOT NULL,
	id         TEXT    NOT NULL,
	locator    TEXT    NOT NULL UNIQUE,
	state      TEXT    NOT NULL CHECK (state IN ('approval_required', 'confirmed', 'issued', 'change_pending', 'refund_pending', 'cancelled', 'declined')),
	version    INTEGER NOT NULL,
	passenger  TEXT    NOT NULL, -- folded "last first"
	vessel     TEXT    NOT NULL, -- folded
	change_key TEXT    NOT NULL,
	search     TEXT    NOT NULL,
	request     TEXT   NOT NULL, -- the travel request's identifiers; empty without one
	sub_request TEXT   NOT NULL,
	departs    TEXT    NOT NULL, -- local date of the first flight
	tickets    TEXT    NOT NULL, -- separated by spaces
	created_at BIGINT  NOT NULL,
	created_by TEXT    NOT NULL,
	acted_at   BIGINT  NOT NULL, -- of the latest action
	ticket_by  BIGINT  NOT NULL, -- 0 when there is no deadline
	hold_until BIGINT  NOT NULL,
	check_at   BIGINT  NOT NULL, -- when the automated user looks at it next; 0 never
	doc        TEXT    NOT NULL,
	PRIMARY KEY (account, id)
);
CREATE INDEX booking_state ON booking (account, state, created_at);
CREATE INDEX booking_created ON booking (account, created_at);
CREATE INDEX booking_change ON booking (account, change_key);
CREATE INDEX booking_search ON booking (account, search);
CREATE INDEX booking_request ON booking (account, request, sub_request);
CREATE INDEX booking_acted ON booking (account, acted_at);
CREATE INDEX booking_check ON booking (check_at);

CREATE TABLE action (
	account  TEXT    NOT NULL,
	booking  TEXT    NOT NULL,
	seq      INTEGER NOT NULL,
	name     TEXT    NOT NULL,
	at       BIGINT  NOT NULL,
	by_whom  TEXT    NOT NULL,
	note     TEXT    NOT NULL,
	snapshot TEXT    NOT NULL, -- the booking right after the action
	pull     TEXT    NOT NULL DEFAULT '', -- the pull that hands it out; empty while none has
	PRIMARY KEY (account, booking, seq)
);
CREATE INDEX action_at ON action (account, at);
CREATE INDEX action_pull ON action (account, pull, at);

-- An intent is written before a supplier is called and closed when the outcome is
-- known. At most one is open in a slot: a booking, or a member of a search.
CREATE TABLE intent (
	account    TEXT    NOT NULL,
	id         TEXT    NOT NULL,
	booking    TEXT    NOT NULL,
	slot       TEXT    NOT NULL,
	kind       TEXT    NOT NULL,
	by_whom    TEXT    NOT NULL,
	doc        TEXT    NOT NULL,
	open       INTEGER NOT NULL,
	outcome    TEXT    NOT NULL, -- "", "done", or why not, in words
	created_at BIGINT  NOT NULL,
	lease      BIGINT  NOT NULL, -- until when somebody works on it
	PRIMARY KEY (account, id)
);
CREATE UNIQUE INDEX intent_open ON intent (account, slot) WHERE open = 1;
CREATE INDEX intent_due ON intent (open, lease);
CREATE INDEX intent_booking ON intent (account, booking, created_at);

CREATE TABLE pull (
	account    TEXT    NOT NULL,
	id         TEXT    NOT NULL,
	created_at BIGINT  NOT NULL,
	written    INTEGER NOT NULL, -- 1 once the whole answer was written
	lease      BIGINT  NOT NULL, -- until when it may still be being written
	PRIMARY KEY (account, id)
);
CREATE INDEX pull_created ON pull (account, created_at);
CREATE INDEX pull_open ON pull (account, lease) WHERE written = 0;

CREATE TABLE outlet (
	account       TEXT    NOT NULL,
	id            TEXT    NOT NULL,
	url           TEXT    NOT NULL,
	secrets       TEXT    NOT NULL, -- JSON array, newest first
	off           INTEGER NOT NULL,
	off_reason    TEXT    NOT NULL,
	created_at    BIGINT  NOT NULL,
	failing_since BIGINT  NOT NULL DEFAULT 0, -- of the first failed try since the last that went well
	held_until    BIGINT  NOT NULL DEFAULT 0, -- the customer asked for quiet until then
	PRIMARY KEY (account, id)
);

-- A delivery is one action for one outlet.
CREATE TABLE delivery (
	account  TEXT    NOT NULL,
	outlet   TEXT    NOT NULL,
	booking  TEXT    NOT NULL,
	seq      INTEGER NOT NULL,
	id       TEXT    NOT NULL, -- the webhook-id
	state    TEXT    NOT NULL CHECK (state IN ('due', 'done', 'parked')),
	made_at  BIGINT  NOT NULL,
	done_at  BIGINT  NOT NULL,
	attempts INTEGER NOT NULL,
	PRIMARY KEY (account, outlet, booking, seq)
);
CREATE INDEX delivery_state ON delivery (account, state, made_at);
CREATE INDEX delivery_booking ON delivery (account, booking);

-- A lane is the queue of one booking at one outlet: its deliveries leave one after another.
CREATE TABLE lane (
	account  TEXT    NOT NULL,
	outlet   TEXT    NOT NULL,
	booking  TEXT    NOT NULL,
	pending  INTEGER NOT NULL, -- deliveries not yet done or parked
	due      BIGINT  NOT NULL, -- when the oldest of them is tried next
	tries    INTEGER NOT NULL, -- failed tries of the oldest
	first_at BIGINT  NOT NULL, -- of the first failed try of the oldest; 0 when there is none
	lease    BIGINT  NOT NULL, -- until when a worker has it
	holder   TEXT    NOT NULL,
	PRIMARY KEY (account, outlet, booking)
);
CREATE INDEX lane_due ON lane (account, outlet, due) WHERE pending > 0;

CREATE TABLE attempt (
	account TEXT    NOT NULL,
	outlet  TEXT    NOT NULL,
	booking TEXT    NOT NULL,
	seq     INTEGER NOT NULL,
	at      BIGINT  NOT NULL,
	took_ms BIGINT  NOT NULL,
	status  INTEGER NOT NULL, -- HTTP status; 0 when there was no answer
	answer  TEXT    NOT NULL, -- the first 2 KiB of it, or why there was none
	PRIMARY KEY (account, outlet, booking, seq, at)
);

-- The orders of the simulated network: like any supplier it keeps its own, apart
-- for each account.
CREATE TABLE simulated_order (
	account   TEXT    NOT NULL,
	id        TEXT    NOT NULL,
	reference TEXT    NOT NULL,
	version   INTEGER NOT NULL,
	doc       TEXT    NOT NULL,
	PRIMARY KEY (account, id),
	UNIQUE (account, reference)
);
